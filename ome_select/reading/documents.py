"""A source's text → its documents, each with its value, its place and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ome_select.reading import text as texts
from ome_select.reading.faults import TextError
from ome_select.reading.node import Node
from ome_select.reading.nodes import compose
from ome_select.reading.values import UnusualError, value_of

if TYPE_CHECKING:
    from ome_select.problems import Path
    from ome_select.resources import Origin

FastWay = Callable[[str], tuple[Any, bool]]
"""Reads what selection needs of the first document of a text, as `folded_value_of` does."""


@dataclass(slots=True, eq=False, repr=False)
class Document:
    """One document: where it begins, and its value unless it could not be read.

    Places within it are found only when someone asks, by reading its text once more.
    """

    file: str
    line: int
    text: str
    value: Any = None
    error: TextError | None = None
    is_json: bool = False
    has_rest: bool = False
    is_folded: bool = False
    duplicates: list[tuple[str, Node, Node]] = field(default_factory=list)
    _root: Node | None = None
    _tried: bool = False

    def unfolded(self) -> Document:
        """The document with all of its parts."""
        return _yaml_document(self.file, texts.Chunk(self.text, self.line)) or self

    def root(self) -> Node | None:
        """The document with the place of every part; None where that is not known."""
        if not self._tried:
            self._tried = True
            try:
                self._root, _ = compose(self.text, json=self.is_json)
            except TextError:
                # JSON that is no YAML has values and no places.
                self._root = None
        return self._root

    def locate(self, path: Path) -> Origin:
        """The place of the value at a path, or of what is around it."""
        root = self.root()
        if root is None:
            return self.origin(1, 1)
        node = root.at(path)
        return self.origin(node.line, node.column)

    def locate_key(self, path: Path) -> Origin:
        """The place of the key at a path, or of what is around it."""
        root = self.root()
        if root is None:
            return self.origin(1, 1)
        node = root.key_at(path)
        return self.origin(node.line, node.column)

    def written(self, path: Path) -> str | None:
        """The unquoted scalar at a path as it stands in the file."""
        root = self.root()
        return None if root is None else root.at(path).written

    def origin(self, line: int, column: int) -> Origin:
        """The place in the file of a place in the document's text."""
        # Values are read before anything that knows of resources is imported; see `ahead`.
        from ome_select.resources import Origin

        return Origin(file=self.file, line=self.line + line - 1, column=column)


def documents(file: str, data: bytes, fast_way: FastWay | None = None) -> Iterator[Document]:
    """Read every document of a source, in kubectl's order. One that cannot be read costs only itself.

    Args:
        file: the source's name.
        data: its bytes.
        fast_way: reads a text without the parts that selection never reads; without it, all is read.
    """
    text = texts.decode(data)
    first_line = 1
    if texts.is_json(text):
        read_to = yield from _json_documents(file, text)
        if read_to is None:
            return
        first_line, text = text.count("\n", 0, read_to) + 1, text[read_to:]
    for chunk in texts.chunks(text, first_line):
        document = _yaml_document(file, chunk, fast_way)
        if document is not None:
            yield document


def _json_documents(file: str, text: str) -> Generator[Document, None, int | None]:
    """The documents of a JSON stream; returns where it can be read on as YAML, None where it ends."""
    from ome_select.reading import json_text

    for found in json_text.values(text):
        if isinstance(found, TextError):
            yield Document(file, 1, text, error=found)
            if found.kind == "json-syntax":
                return json_text.rest_as_yaml(text, found.position)
            continue
        value, start, end = found
        # The document's text begins at the start of a line, so that its columns are those of the file; YAML's parser
        # takes no tabs there.
        line_start = text.rfind("\n", 0, start) + 1
        source = " " * (start - line_start) + text[start:end].replace("\t", " ")
        yield Document(file, text.count("\n", 0, start) + 1, source, value, is_json=True)
    return None


def _yaml_document(file: str, chunk: texts.Chunk, fast_way: FastWay | None = None) -> Document | None:
    document = Document(file, chunk.line, chunk.text)
    if fast_way is not None and chunk.separator is None and texts.BOM not in chunk.text:
        try:
            document.value, at_end = fast_way(chunk.text)
        except UnusualError:
            pass
        else:
            document.has_rest = not at_end
            document.is_folded = True
            return document
    try:
        chunk.check()
        try:
            document.value, at_end = value_of(chunk.text)
        except UnusualError:
            root, at_end = compose(chunk.text)
            document._root, document._tried = root, True
            if root is not None:
                document.value = root.value
                document.duplicates = [each for node in root.walk() for each in node.duplicates]
        document.has_rest = not at_end
    except TextError as error:
        document.error = error
        return document
    return None if document.value is None and not document.has_rest else document
