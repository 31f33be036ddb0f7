"""Bytes → text → documents, with the separators that kubectl takes."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import NamedTuple

from ome_select.reading.faults import TextError

BOM = "\ufeff"
# Comments and empty lines may stand before the byte order mark of a document.
_LEADING_BOM = re.compile(rf"((?:[ \t]*(?:#.*)?\n)*){BOM}+")
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_SEPARATOR = re.compile(r"^---(.*)\n?", re.MULTILINE)


class Chunk(NamedTuple):
    """The text of one document, and the line of its source that it begins in, counted from 1.

    `separator` is the bad separator within it: its line within the chunk, and what stands behind the dashes.
    """

    text: str
    line: int
    separator: tuple[int, str] | None = None

    def check(self) -> None:
        """Refuse what libyaml would read, and kubectl reads otherwise or not at all.

        Raises:
            TextError: for a bad separator, or a byte order mark in the midst.
        """
        if (mark := self.text.find("\n" + BOM)) >= 0:
            message = "a byte order mark stands within the text"
            raise TextError("yaml-syntax", message, "remove it", self.text.count("\n", 0, mark) + 2, 1)
        if self.separator is not None:
            line, rest = self.separator
            message = f'"{rest}" stands on the line of a document separator'
            raise TextError("yaml-separator", message, "put --- on a line of its own", line, 1)


def decode(data: bytes) -> str:
    """Text as kubectl decodes it: UTF-16 with a byte order mark, else UTF-8; what is neither becomes U+FFFD."""
    encoding = _UTF16.get(data[:2])
    text = data[2:].decode(encoding, "replace") if encoding else data.decode("utf-8", "replace").removeprefix(BOM)
    return text.replace("\r\n", "\n")


def is_json(text: str) -> bool:
    """Whether kubectl takes the text for a stream of JSON documents."""
    return text.lstrip().startswith("{")


def chunks(text: str, first_line: int = 1) -> Iterator[Chunk]:
    """Cut a stream at its `---` lines. Only a comment may follow the dashes."""
    if "---" not in text:
        if text:
            yield _chunk(text, first_line)
        return
    start, start_line = 0, first_line
    line, counted = first_line, 0
    bad: tuple[int, str] | None = None
    for match in _SEPARATOR.finditer(text):
        line += text.count("\n", counted, match.start())
        counted = match.start()
        rest = match[1].strip()
        if rest and not rest.startswith("#"):
            # Go's reader gives up here; the document that the line is in cannot be read.
            bad = bad or (line - start_line + 1, rest)
        elif match.start() > start:
            yield _chunk(text[start : match.start()], start_line, bad)
            start, start_line, bad = match.end(), line + 1, None
    if start < len(text):
        yield _chunk(text[start:], start_line, bad)


def _chunk(text: str, line: int, separator: tuple[int, str] | None = None) -> Chunk:
    if BOM in text:
        text = _LEADING_BOM.sub(r"\1", text, count=1) if _LEADING_BOM.match(text) else text
    return Chunk(text, line, separator)
