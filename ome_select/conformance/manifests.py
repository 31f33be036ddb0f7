"""The YAML blocks of a page: their documents, where each value stands, and what is wrong with them.

A block may hold whole objects, or only a part of one, such as a lone `spec:`. Which kind a part belongs to shows in its
fields, and which object in the text that leads to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ome_select.conformance.fields import children, fields_of
from ome_select.conformance.page import Fence
from ome_select.objects import decode
from ome_select.problems import Path, Problem
from ome_select.readers import READERS
from ome_select.reading.documents import documents as read_documents
from ome_select.reading.node import Node

_YAML = frozenset({"yaml", "yml"})
# A block like this is a template: what stands in it is to be replaced.
_PLACEHOLDER = re.compile(r"<[\w .-]+>|\{\{|^\s*\.\.\.\s*$|…", re.MULTILINE)
_PART_KINDS = ("ClusterServingRuntime", "ClusterBaseModel", "InferenceService", "AcceleratorClass")


@dataclass(frozen=True, kw_only=True, slots=True)
class Leaf:
    """One value of a document: its path, and the line of its page that it stands on.

    `key_lines` has the line of each step of the path: of its key, or of the item.
    """

    path: Path
    value: Any
    line: int
    key_lines: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Document:
    """One YAML document of a block.

    Attributes:
        fence: the block.
        value: the document as an object; the rest of a partial one is made up around it.
        kind: what it is, or is part of; None where selection does not read it.
        is_part: whether only a part of an object was written.
        leaves: every value with its line.
        problems: what keeps it from being read, or the API server from accepting it, with lines of the page.
    """

    fence: Fence
    value: Mapping[str, Any]
    kind: str | None
    is_part: bool
    leaves: tuple[Leaf, ...]
    problems: tuple[tuple[int, Problem], ...]

    @property
    def line(self) -> int:
        """The line that the document begins on."""
        return min((leaf.line for leaf in self.leaves), default=self.fence.first_line)

    def at(self, *path: str | int) -> Any:
        """The value at a path, or None."""
        value: Any = self.value
        for step in path:
            try:
                value = value[step]
            except (KeyError, IndexError, TypeError):
                return None
        return value

    def line_of(self, *path: str | int) -> int:
        """The line of the value at a path, or of what stands nearest to it."""
        while path:
            lines = [leaf.line for leaf in self.leaves if leaf.path[: len(path)] == path]
            if lines:
                return min(lines)
            path = path[:-1]
        return self.line


@dataclass(frozen=True, kw_only=True, eq=False)
class Unreadable:
    """A block that is no YAML: the line and what is wrong there."""

    fence: Fence
    line: int
    message: str


def is_manifest(fence: Fence) -> bool:
    """Whether a block holds YAML."""
    if fence.language in _YAML:
        return fence.command is None
    return not fence.language and bool(re.match(r"(---\s+)?apiVersion:\s", fence.text))


def is_template(fence: Fence) -> bool:
    """Whether a block holds places to fill in, so that it is not meant to be read as it stands."""
    return bool(_PLACEHOLDER.search(fence.text))


def documents(fence: Fence) -> Iterator[Document | Unreadable]:
    """The documents of a YAML block, read as kubectl reads them."""
    for found in read_documents("", fence.text.encode()):
        error, root = found.error, found.root()
        if error is not None:
            line = fence.first_line + found.line - 1 + max(error.line - 1, 0)
            yield Unreadable(fence=fence, line=line, message=error.message)
            continue
        if root is None:
            continue
        leaves = tuple(_leaves(root, (), (), fence.first_line + found.line - 2))
        value = found.value
        items = value["items"] if isinstance(value, Mapping) and isinstance(value.get("items"), list) else None
        if items is None:
            yield _document(fence, value, leaves)
            continue
        for index, item in enumerate(items):
            inner = (
                Leaf(path=leaf.path[2:], value=leaf.value, line=leaf.line, key_lines=leaf.key_lines[2:])
                for leaf in leaves
                if leaf.path[:2] == ("items", index)
            )
            yield _document(fence, item, tuple(inner))


def _leaves(node: Node, path: Path, key_lines: tuple[int, ...], offset: int) -> Iterator[Leaf]:
    """Every scalar below a node; aliases are followed, and reading has limited how many there can be."""
    if isinstance(node.items, dict):
        for name, (key, child) in node.items.items():
            yield from _leaves(child, (*path, name), (*key_lines, offset + key.line), offset)
    elif node.items is not None:
        for index, child in enumerate(node.items):
            yield from _leaves(child, (*path, index), (*key_lines, offset + child.line), offset)
    else:
        shown = node.value if node.written is None or isinstance(node.value, str) else node.written
        yield Leaf(path=path, value=shown, line=offset + node.line, key_lines=key_lines)


def _document(fence: Fence, value: Any, leaves: tuple[Leaf, ...]) -> Document:
    is_part = not (isinstance(value, Mapping) and "apiVersion" in value and "kind" in value)
    if not is_part:
        read, found = decode(value)
        kind = str(value["kind"]) if value["kind"] in READERS and (read is not None or found) else None
        return _checked(fence, value, kind, False, leaves, found)
    part, leaves, kind = _complete(value, leaves)
    found = decode(part)[1] if kind else []
    # A part leaves out what the API requires elsewhere in the object.
    found = [problem for problem in found if problem.message != "Required value"]
    return _checked(fence, part, kind, True, leaves, found)


def _checked(
    fence: Fence, value: Any, kind: str | None, is_part: bool, leaves: tuple[Leaf, ...], found: list[Problem]
) -> Document:
    document = Document(
        fence=fence,
        value=value if isinstance(value, Mapping) else {},
        kind=kind,
        is_part=is_part,
        leaves=leaves,
        problems=(),
    )
    problems = tuple((document.line_of(*problem.path), problem) for problem in found if problem.severity != "warning")
    return Document(fence=fence, value=document.value, kind=kind, is_part=is_part, leaves=leaves, problems=problems)


def _under(name: str, leaves: tuple[Leaf, ...]) -> tuple[Leaf, ...]:
    """The leaves as they are when their document stands under a name."""
    return tuple(
        Leaf(path=(name, *leaf.path), value=leaf.value, line=leaf.line, key_lines=(leaf.line, *leaf.key_lines))
        for leaf in leaves
    )


def _complete(value: Any, leaves: tuple[Leaf, ...]) -> tuple[dict[str, Any], tuple[Leaf, ...], str | None]:
    """A part of an object inside an object of the kind whose fields it uses; None where no kind has them."""
    if isinstance(value, list):
        value = {"supportedModelFormats": value}
        leaves = _under("supportedModelFormats", leaves)
    if not isinstance(value, Mapping):
        return {}, leaves, None
    spec, metadata = value.get("spec"), value.get("metadata")
    if "spec" not in value and "metadata" not in value:
        spec, metadata = value, None
        leaves = _under("spec", leaves)
    written = {".".join(str(step) for step in leaf.path if isinstance(step, str)) for leaf in leaves}

    def known(kind: str) -> int:
        return sum(path in fields_of(kind) for path in written if path.startswith("spec."))

    kind = str(value["kind"]) if value.get("kind") in READERS else max(_PART_KINDS, key=known)
    if not isinstance(spec, Mapping) or not (known(kind) or set(spec) & children(kind, "spec")):
        return {}, leaves, None
    metadata = dict(metadata) if isinstance(metadata, Mapping) else {}
    metadata.setdefault("name", "part")
    part = {"apiVersion": "ome.io/v1beta1", "kind": kind, "metadata": metadata, "spec": dict(spec)}
    return part, leaves, kind
