"""Text tables as `kubectl ome runtime explain` prints them (docs/rules.md, section 11)."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import zip_longest

from ome_select.decision import Decision, Verdict
from ome_select.sizes import format_size

DEFAULT_WIDTH = 80
GAP = "   "
HEADERS = ("RUNTIME", "SCOPE", "COMPATIBLE", "PRIORITY", "WEIGHT", "REASON")
NO_RUNTIMES = "No serving runtimes found in the selected namespace or at cluster scope."

_SHORT_ESCAPES = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}
# Control characters, and the marks that turn the direction of text: a name must not rewrite the line that shows it.
_HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_WORDS = re.compile(r"(\s*)(\S+)")
_PIECES = re.compile(r"[^-_/.:]*[-_/.:]|[^-_/.:]+")


def visible(text: str) -> str:
    """The text with control characters and bidirectional controls as escapes (rule 11)."""
    return _HIDDEN.sub(lambda match: _SHORT_ESCAPES.get(match[0], f"\\u{ord(match[0]):04x}"), text)


def cells(text: str) -> int:
    """How many terminal cells a text takes."""
    if text.isascii():
        return len(text)
    # Nearly every table is plain ASCII, and the library's tables take time to import.
    from wcwidth import wcswidth, wcwidth

    width: int = wcswidth(text)
    # A text with a character that wcwidth does not know is measured one character at a time.
    return width if width >= 0 else sum(max(wcwidth(character), 0) for character in text)


def _cut_hard(text: str, width: int) -> list[str]:
    """Cut a text into pieces of at most this many cells; a character wider than the column stands alone."""
    if text.isascii():
        return [text[start : start + width] for start in range(0, len(text), width)]
    if cells(text) <= width:
        return [text]
    pieces, piece = [], ""
    for character in text:
        # A combining mark stays with the character that it belongs to.
        if piece and cells(piece + character) > width and not unicodedata.combining(character):
            pieces.append(piece)
            piece = ""
        piece += character
    return [*pieces, piece]


def wrap(text: str, width: int) -> list[str]:
    """Wrap a cell inside its column (rule 11).

    Lines break at white space, which is then dropped. A word that is longer than the column is cut after each of
    `-`, `_`, `/`, `.` and `:`, and a piece that is still too long is cut hard.
    """
    # Measuring is most of the work, so each word is measured once, and plain text without a table of widths.
    measure = len if text.isascii() else cells
    if measure(text) <= width:
        return [text]
    lines: list[str] = []
    line, used = "", 0
    for space, word in _WORDS.findall(text):
        size = measure(word)
        if line and used + measure(space) + size <= width:
            line += space + word
            used += measure(space) + size
            continue
        if line:
            lines.append(line)
        line, used = word, size
        if size <= width:
            continue
        line, used = "", 0
        for piece in _PIECES.findall(word):
            size = measure(piece)
            if line and used + size > width:
                lines.append(line)
                line, used = "", 0
            line += piece
            used += size
            if used > width:
                *full, line = _cut_hard(line, width)
                lines += full
                used = measure(line)
    return [*lines, line]


def column_widths(headers: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[int] | None:
    """How wide each column is in a table of this width; None when not even the headers fit (rule 11)."""
    widest = [max(cells(cell) for cell in column) for column in zip(headers, *rows, strict=True)]
    room = width - len(GAP) * (len(headers) - 1)
    if sum(widest) <= room:
        return widest
    widths = [cells(header) for header in headers]
    left = room - sum(widths)
    if left < 0:
        return None
    # What is left is given out one cell at a time, in turn, to each column that is still too narrow. The turns end,
    # because the widest cells together take more than the room.
    while left:
        for column, most in enumerate(widest):
            if left and widths[column] < most:
                widths[column] += 1
                left -= 1
    return widths


Paint = Callable[[str, str], str]
"""Takes a column's header and the text of one line of a cell, and gives the text with its colour."""


def layout(
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    width: int | None = DEFAULT_WIDTH,
    paint: Paint = lambda header, text: text,
) -> str:
    """Lay out a table; with a width of None it never wraps. Lines end at their last visible character."""
    shown = [[visible(cell) for cell in row] for row in rows]
    if width is None:
        width = sum(max(cells(cell) for cell in column) for column in zip(headers, *shown, strict=True))
        width += len(GAP) * (len(headers) - 1)
    widths = column_widths(headers, shown, width)
    if widths is None:
        blocks = (
            "\n".join(f"{header}:{GAP}{cell}".rstrip() for header, cell in zip(headers, row, strict=True))
            for row in shown
        )
        return "\n\n".join(blocks)
    starts = [sum(widths[:column]) + column * len(GAP) for column in range(len(widths))]
    lines = []
    for row in (headers, *shown):
        columns = [wrap(cell, column) for cell, column in zip(row, widths, strict=True)]
        measure = len if all(cell.isascii() for cell in row) else cells
        for parts in zip_longest(*columns, fillvalue=""):
            line, used, shift = "", 0, 0
            for column, part in enumerate(parts):
                # White space at the end of a cell is like what follows it: shown only if something visible comes after.
                if part and (text := part.rstrip()):
                    start, size = starts[column] + shift, measure(text)
                    line += " " * (start - used) + (text if row is headers else paint(headers[column], text))
                    used = start + size
                    # Only a character that is wider than its column takes more room than there is.
                    if size > widths[column]:
                        shift += size - widths[column]
            lines.append(line)
    return "\n".join(lines)


def explain_row(verdict: Verdict) -> tuple[str, ...]:
    """One row of the table (rule 11)."""
    if not verdict.compatible:
        return verdict.name, verdict.scope, "No", "-", "-", verdict.reason or "-"
    return verdict.name, verdict.scope, "Yes", str(verdict.priority), str(verdict.weight), "-"


def explain_table(
    decision: Decision, width: int | None = DEFAULT_WIDTH, paint: Paint = lambda header, text: text
) -> str:
    """The table of `kubectl ome runtime explain`; without any row, what is said in its place (rule 11)."""
    if not decision.rows:
        return NO_RUNTIMES if decision.model.model_format and decision.model.model_format.name else decision.error or ""
    return layout(HEADERS, [explain_row(verdict) for verdict in decision.rows], width, paint)


WIDE_HEADERS = (*HEADERS[:-1], "SCORE", "DISTANCE", "DECIDED BY", HEADERS[-1])


def _count(parameters: float | None) -> str:
    if parameters is None:
        return "-"
    return format_size(int(parameters)) if 0 <= parameters < math.inf else str(parameters)


def wide_row(verdict: Verdict) -> tuple[str, ...]:
    """One row of the wide table: the row of `explain`, with the numbers that it was ranked by."""
    *shown, reason = explain_row(verdict)
    score = str(verdict.score) if verdict.compatible else "-"
    return (*shown, score, _count(verdict.distance), verdict.decided_by or "-", reason)


def wide_table(decision: Decision, paint: Paint = lambda header, text: text) -> str:
    """The table of `explain` with SCORE, DISTANCE and DECIDED BY, never wrapped."""
    return layout(WIDE_HEADERS, [wide_row(verdict) for verdict in decision.rows], None, paint)
