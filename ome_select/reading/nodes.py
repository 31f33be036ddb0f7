"""One YAML document → its value as kubectl reads it, with the place of every part.

The parser is libyaml, which is an ancestor of Go's; what Go's does on top of its events is done here. Nothing recurses,
so that no input can exhaust the stack.
"""

from __future__ import annotations

import re
from typing import Any

from yaml._yaml import CParser
from yaml.error import YAMLError
from yaml.events import (
    AliasEvent,
    CollectionStartEvent,
    DocumentEndEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from ome_select.reading.faults import TextError, syntax_error
from ome_select.reading.node import Node
from ome_select.reading.scalars import ScalarError, json_value, key, plain, tagged

MERGE_TAG = "tag:yaml.org,2002:merge"
_SLASH_ESCAPE = r"(?<!\\)(?:\\\\)*\\/"


class _Open:
    """A list or a map that has begun and not ended; a map's key waits in `key` for its value."""

    __slots__ = ("anchor", "children", "cost_before", "in_flow", "is_map", "key", "merged", "node")

    def __init__(self, node: Node, *, is_map: bool, in_flow: bool, anchor: str | None, cost_before: int) -> None:
        self.node = node
        self.is_map = is_map
        self.in_flow = in_flow
        self.anchor = anchor
        self.cost_before = cost_before
        self.children: list[tuple[Node, bool]] = []
        self.key: tuple[Node, ScalarEvent | None] | None = None
        self.merged: set[str] | None = None


class _Builder:
    """Puts the parser's events together, as Go's decoder does."""

    def __init__(self, text: str) -> None:
        self.text = text if "\\/" in text else ""
        self.anchors: dict[str, Node | None] = {}
        self.steps = 1
        self.alias_steps = 0
        self.open: list[_Open] = []
        self.root: Node | None = None
        self.refused: list[tuple[Node, TextError]] = []

    def add(self, event: Any) -> None:
        if isinstance(event, ScalarEvent):
            self.steps += 1
            self._place(self._scalar(event), event, aliased=False)
        elif isinstance(event, AliasEvent):
            self._place(self._alias(event), event, aliased=True)
        elif isinstance(event, CollectionStartEvent):
            self.steps += 1
            node = _node(event, {} if isinstance(event, MappingStartEvent) else [])
            if event.anchor:
                self.anchors[event.anchor] = None
            self.open.append(
                _Open(
                    node,
                    is_map=isinstance(event, MappingStartEvent),
                    in_flow=bool(event.flow_style),
                    anchor=event.anchor,
                    cost_before=self.steps - 1,
                )
            )
        elif isinstance(event, MappingEndEvent | SequenceEndEvent):
            ended = self.open.pop()
            node = ended.node
            node.cost = self.steps - ended.cost_before
            if not ended.is_map:
                node.items = [child for child, _ in ended.children]
                node.value = [self._value(child) for child in node.items]
            if ended.anchor:
                self.anchors[ended.anchor] = node
            self._place(node, event, aliased=False)

    def _scalar(self, event: Any) -> Node:
        text = event.value
        if event.tag is not None:
            try:
                value = tagged(event.tag, text)
            except ScalarError as error:
                raise _fault(event, "yaml-scalar", f'"{text}" {error}', error.advice) from None
        elif event.implicit[0]:
            value = plain(text)
            # Go's parser still takes a question mark inside a list or map in brackets for the mark of a key.
            if self.open and self.open[-1].in_flow and "?" in text[1:]:
                raise _fault(event, "yaml-syntax", f'"{text}" holds a question mark within brackets', "quote it")
        else:
            value = text
            if event.style == '"' and self.text:
                raw = self.text[event.start_mark.index : event.end_mark.index]
                if re.search(_SLASH_ESCAPE, raw):
                    raise _fault(event, "yaml-syntax", r"found the escape \/, which JSON alone has", "write / for it")
        node = _node(event, value, written=text if event.implicit[0] else None)
        if event.anchor:
            self.anchors[event.anchor] = node
        return node

    def _alias(self, event: Any) -> Node:
        if event.anchor not in self.anchors:
            raise _fault(event, "yaml-alias", f"no anchor &{event.anchor} stands before *{event.anchor}", "define it")
        node = self.anchors[event.anchor]
        if node is None:
            message = f"anchor &{event.anchor} contains itself"
            raise _fault(event, "yaml-alias", message, f"write out what *{event.anchor} stands for")
        self.steps += 1 + node.cost
        self.alias_steps += node.cost
        if self.alias_steps > 100 and self.steps > 1000 and self.alias_steps / self.steps > _allowed(self.steps):
            message = "aliases repeat each other so often that the document is refused"
            raise _fault(event, "yaml-alias", message, "write out what the aliases stand for")
        return node

    def _place(self, node: Node, event: Any, *, aliased: bool) -> None:
        """Put a finished node where it belongs: into the list or map around it, or at the root."""
        if not self.open:
            self.root = node
            return
        around = self.open[-1]
        if not around.is_map:
            around.children.append((node, aliased))
        elif around.key is None:
            around.key = (node, event if isinstance(event, ScalarEvent) else None)
            if _is_merge(around.key[1]):
                self.steps -= 1
            elif node.items is not None or isinstance(node.value, dict | list):
                advice = "render it first" if _is_template(node.value) else "use a text as the key"
                raise TextError("yaml-key", "a map or a list cannot be a key", advice, node.line, node.column)
        else:
            (key_node, key_event), around.key = around.key, None
            if _is_merge(key_event):
                self._merge(around, node, event, aliased=aliased)
            else:
                self._set(around, key_node, node)

    def _merge(self, around: _Open, node: Node, event: Any, *, aliased: bool) -> None:
        """Merge maps as Go does: in place, so that a key above the merge is overwritten by it."""
        sources = node.items if isinstance(node.items, list) and not aliased else [node]
        for source in reversed(sources):
            if not isinstance(source.items, dict) or not isinstance(source.value, dict):
                message = "<<: merges something else than a map or a list of maps"
                raise TextError("yaml-merge", message, "merge a map, such as *anchor", node.line, node.column)
            assert isinstance(around.node.items, dict)
            # A key that JSON cannot hold is refused wherever it is merged to.
            self.refused += [(around.node, fault) for node, fault in self.refused if node is source]
            around.node.items |= source.items
            around.node.value |= source.value
            around.merged = (around.merged or set()) | set(source.value)

    def _set(self, around: _Open, key_node: Node, node: Node) -> None:
        try:
            name = key(key_node.value)
        except ScalarError as error:
            message = f'the key "{key_node.written}" {error}'
            fault = TextError("yaml-key", message, error.advice, key_node.line, key_node.column)
            self.refused.append((around.node, fault))
            return
        items = around.node.items
        assert isinstance(items, dict)
        if name in items and name not in (around.merged or ()):
            around.node.duplicates.append((name, items[name][0], key_node))
        items[name] = (key_node, node)
        around.node.value[name] = self._value(node)

    def _value(self, node: Node) -> Any:
        """A part's value after JSON; one that JSON cannot hold is refused at the end, if it is still there then."""
        if node.items is not None:
            return node.value
        try:
            return json_value(node.value)
        except ScalarError as error:
            message = f"{node.written} {error}"
            fault = TextError("yaml-scalar", message, error.advice, node.line, node.column)
            self.refused.append((node, fault))
            return None

    def refuse_what_json_cannot_hold(self) -> None:
        """Refuse infinities, empty keys and the like, unless a later key of the same name took their place."""
        assert self.root is not None
        self.root.value = self._value(self.root)
        if self.refused:
            left = {id(node) for node in self.root.walk()}
            for node, fault in self.refused:
                if id(node) in left:
                    raise fault


def _node(event: Any, value: Any, written: str | None = None) -> Node:
    mark = event.start_mark
    node = Node(mark.line + 1, mark.column + 1, value, written)
    if isinstance(value, dict):
        node.items = {}
    return node


def _fault(event: Any, kind: str, message: str, advice: str) -> TextError:
    mark = event.start_mark
    return TextError(kind, message, advice, mark.line + 1, mark.column + 1)


def _is_merge(event: ScalarEvent | None) -> bool:
    if event is None or event.value != "<<":
        return False
    return event.tag == MERGE_TAG or (event.tag is None and bool(event.implicit[0]))


def _is_template(value: Any) -> bool:
    """Whether a map that stands as a key looks like `{{ .Values.x }}`."""
    return isinstance(value, dict) and len(value) == 1


def _allowed(steps: int) -> float:
    """Which part of the decoder's steps may come from aliases: the less, the larger the document is (as in Go)."""
    low, high = 400_000, 4_000_000
    if steps <= low:
        return 0.99
    return 0.10 if steps >= high else 0.99 - 0.89 * (steps - low) / (high - low)


def compose(text: str, *, json: bool = False) -> tuple[Node | None, bool]:
    """Read the first document of a text.

    Args:
        text: the text; what follows the document's end is not read.
        json: whether it is JSON, which has an escape that Go's YAML parser does not know.

    Returns:
        The document, None when it is empty; and whether the text ends with it.

    Raises:
        TextError: where kubectl would refuse it.
    """
    builder = _Builder("" if json else text)
    parser = CParser(text)
    try:
        while True:
            event = parser.get_event()
            if isinstance(event, StreamEndEvent):
                at_end = True
                break
            if isinstance(event, DocumentEndEvent):
                at_end = _is_at_end(parser)
                break
            builder.add(event)
    except YAMLError as error:
        raise syntax_error(error, text) from None
    if builder.root is not None:
        builder.refuse_what_json_cannot_hold()
    return builder.root, at_end


def _is_at_end(parser: CParser) -> bool:
    """Whether nothing follows the document; what is no YAML counts as something."""
    try:
        return isinstance(parser.get_event(), StreamEndEvent)
    except YAMLError:
        return False
