"""A documentation page as neutral records: what a reader sees, with the line of everything.

Nothing here knows about OME. Recognisers look at headers, cells and sentences, never at positions on the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

# A sentence ends at its mark when white space and something that can begin a sentence follow. Abbreviations do not end
# one, and neither does a full stop inside a code span, because spans are hidden while the text is split.
_SENTENCE_END = re.compile(r"(?<!e\.g)(?<!i\.e)(?<!etc)(?<!vs)[.!?]\s+(?=[^a-z\s])")
_CODE = re.compile(r"`([^`]*)`")
_NEARLY_ALL = 0.7


@dataclass(frozen=True, kw_only=True, slots=True)
class Code:
    """One code span: its text, and where it stands in the text around it (`start` is the opening mark)."""

    text: str
    line: int
    start: int
    end: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Text:
    """A run of inline text. Links and emphasis are gone; code stands between backticks; line breaks are spaces.

    Attributes:
        marked: the text with code between backticks.
        line: the line of the first character, counted from 1.
        breaks: the offsets at which the source begins a new line.
        whole: the paragraph or cell that this is a piece of, or None where it is the whole itself.
        start: where in the whole the piece begins.
    """

    marked: str
    line: int
    breaks: tuple[int, ...] = ()
    whole: Text | None = None
    start: int = 0

    @property
    def root(self) -> Text:
        """The paragraph or cell that this text is in."""
        return self.whole or self

    def overlaps(self, other: Text) -> bool:
        """Whether two pieces of one paragraph or cell have a character in common."""
        ends = self.start + len(self.marked), other.start + len(other.marked)
        return self.root is other.root and self.start < ends[1] and other.start < ends[0]

    def line_at(self, offset: int) -> int:
        """The line of the character at this offset."""
        return self.line + sum(position < offset for position in self.breaks)

    @cached_property
    def plain(self) -> str:
        """The text without code marks."""
        return self.marked.replace("`", "").strip()

    @cached_property
    def codes(self) -> tuple[Code, ...]:
        """The code spans, in order."""
        return tuple(
            Code(text=found[1].strip(), line=self.line_at(found.start()), start=found.start(), end=found.end())
            for found in _CODE.finditer(self.marked)
        )

    def part(self, start: int, end: int) -> Text:
        """A piece of this text, with its own line."""
        breaks = tuple(position - start for position in self.breaks if start <= position < end)
        return Text(
            marked=self.marked[start:end],
            line=self.line_at(start),
            breaks=breaks,
            whole=self.root,
            start=self.start + start,
        )

    @cached_property
    def sentences(self) -> tuple[Text, ...]:
        """The sentences of the text."""
        hidden = _CODE.sub(lambda found: "`" + "x" * len(found[1]) + "`", self.marked)
        ends = [found.start() + 1 for found in _SENTENCE_END.finditer(hidden)]
        parts = []
        for start, end in zip([0, *ends], [*ends, len(self.marked)], strict=True):
            start += len(self.marked[start:end]) - len(self.marked[start:end].lstrip())
            if self.marked[start:end].strip():
                parts.append(self.part(start, end))
        return tuple(parts)


@dataclass(frozen=True, kw_only=True, eq=False)
class Heading:
    """A heading, with the anchors that lead to it."""

    text: Text
    level: int
    anchors: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Block:
    """What every block has: its line, the heading it stands under, and the text that leads to it.

    `intro` is the paragraph (or list item) just before; `before` are all texts of the section so far, oldest first.
    """

    line: int
    heading: Heading | None = None
    before: tuple[Text, ...] = ()

    @property
    def intro(self) -> Text | None:
        """The text just before the block, in its section."""
        return self.before[-1] if self.before else None


@dataclass(frozen=True, kw_only=True, eq=False)
class Row:
    """A table's row: one cell for each header."""

    cells: tuple[Text, ...]
    line: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Table(Block):
    """A table: the texts of its header, and its rows."""

    headers: tuple[Text, ...]
    rows: tuple[Row, ...]

    def column(self, pattern: str, *, avoid: str | None = None) -> int | None:
        """The first column whose header holds the pattern (case does not matter), or None."""
        for index, header in enumerate(self.headers):
            avoided = avoid is not None and re.search(avoid, header.plain, re.IGNORECASE)
            if re.search(pattern, header.plain, re.IGNORECASE) and not avoided:
                return index
        return None

    def mostly(self, column: int, holds: Callable[[Text], object]) -> bool:
        """Whether nearly all cells of a column are of a kind: one that is not is a fault of the page."""
        told = [bool(holds(cell)) for cell in self.cells(column)]
        return bool(told) and sum(told) >= max(len(told) * _NEARLY_ALL, min(len(told), 2))

    def cells(self, column: int) -> Iterator[Text]:
        """The cells of one column."""
        return (row.cells[column] for row in self.rows)


@dataclass(frozen=True, kw_only=True, eq=False)
class Fence(Block):
    """A fenced block. `text` begins at `first_line`; `command` is the command whose output it shows, if any."""

    language: str
    title: str
    text: str
    first_line: int
    command: str | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class OrderedList(Block):
    """A numbered list, one text for each item."""

    items: tuple[Text, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Paragraph(Block):
    """A paragraph, an item of a list, or the title of an admonition."""

    text: Text


@dataclass(frozen=True, kw_only=True, eq=False)
class Link:
    """A link, as written."""

    target: str
    line: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Page:
    """One documentation page.

    `path` is the page as it was named to the checker; `anchors` are all the places that a link can lead to.
    """

    path: str
    headings: tuple[Heading, ...] = ()
    blocks: tuple[Block, ...] = ()
    links: tuple[Link, ...] = ()
    anchors: frozenset[str] = field(default_factory=frozenset)

    @property
    def tables(self) -> tuple[Table, ...]:
        """Every table."""
        return tuple(block for block in self.blocks if isinstance(block, Table))

    @property
    def fences(self) -> tuple[Fence, ...]:
        """Every fenced or indented block of code."""
        return tuple(block for block in self.blocks if isinstance(block, Fence))

    @property
    def lists(self) -> tuple[OrderedList, ...]:
        """Every numbered list."""
        return tuple(block for block in self.blocks if isinstance(block, OrderedList))

    @property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """Every paragraph, the items of lists among them."""
        return tuple(block for block in self.blocks if isinstance(block, Paragraph))

    @cached_property
    def prose(self) -> tuple[Text, ...]:
        """Every sentence outside tables and code, in order."""
        return tuple(sentence for block in self.paragraphs for sentence in block.text.sentences)

    @cached_property
    def texts(self) -> tuple[Text, ...]:
        """Every sentence and every table cell, in order."""
        cells = (cell for table in self.tables for row in table.rows for cell in row.cells)
        return (*self.prose, *(sentence for cell in cells for sentence in cell.sentences))
