"""A value of a document, with its place in the text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class Node:
    """A value with its place; `items` of a map are pairs of the key's node and the value's, those of a list are nodes.

    `cost` is the number of steps that Go's decoder takes for it, with all aliases expanded.
    """

    __slots__ = ("column", "cost", "duplicates", "items", "line", "value", "written")

    def __init__(self, line: int, column: int, value: Any, written: str | None = None) -> None:
        self.line = line
        self.column = column
        self.value = value
        self.written = written
        self.cost = 1
        self.items: dict[str, tuple[Node, Node]] | list[Node] | None = None
        self.duplicates: list[tuple[str, Node, Node]] = []

    def at(self, path: tuple[str | int, ...]) -> Node:
        """The node at a path, or the nearest one around it that is there."""
        node = self
        for step in path:
            if isinstance(node.items, dict) and step in node.items:
                node = node.items[str(step)][1]
            elif isinstance(node.items, list) and isinstance(step, int) and step < len(node.items):
                node = node.items[step]
            else:
                break
        return node

    def key_at(self, path: tuple[str | int, ...]) -> Node:
        """The node of the key at a path, or the nearest node around it that is there."""
        around = self.at(path[:-1])
        if isinstance(around.items, dict) and path and path[-1] in around.items:
            return around.items[str(path[-1])][0]
        return around

    def walk(self) -> Iterator[Node]:
        """Yield this node and all below it, each once, however often aliases repeat it."""
        seen: set[int] = set()
        left = [self]
        while left:
            node = left.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            yield node
            if isinstance(node.items, dict):
                left += (value for _, value in node.items.values())
            elif node.items:
                left += node.items
