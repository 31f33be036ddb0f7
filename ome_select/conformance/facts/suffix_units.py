"""Tables of size suffixes: what each multiplies by, with an example (docs/rules.md, section 7)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ome_select.conformance.fact import Finding, judged
from ome_select.conformance.page import Page, Row, Table, Text
from ome_select.conformance.registry import kind_of_fact
from ome_select.conformance.words import NUMBER, SCALE, compact, is_unset, looks_like_size, says, scaled, value_of
from ome_select.conformance.world import World
from ome_select.sizes import parse_size

_POWER = re.compile(r"^10\s*(?:\^|\*\*)\s*(\d{1,2})$")
_AMOUNT = re.compile(rf"^(?P<digits>{NUMBER})\s*(?P<scale>{SCALE})?(?:\s+parameters)?$", re.IGNORECASE)


def amount(text: Text) -> float | None:
    """The number that a cell shows: `1,000,000`, `10^6`, `500 million`."""
    if power := _POWER.match(text.plain):
        return float(10 ** int(power[1]))
    found = _AMOUNT.match(text.plain)
    return scaled(found["digits"], found["scale"]) if found else None


def _suffix(text: Text) -> str | None:
    """The suffix that a cell shows; empty for none; None where it shows something else."""
    if is_unset(text):
        return ""
    shown = value_of(text)
    return shown if len(shown) == 1 and shown.isalpha() else None


@kind_of_fact("suffix unit")
def suffix_units(page: Page, world: World) -> Iterator[Finding]:
    for table in page.tables:
        suffix = next((index for index, _ in enumerate(table.headers) if _is_suffix_column(table, index)), None)
        if suffix is None:
            continue
        for row in table.rows:
            yield from _row(table, row, suffix)


def _is_suffix_column(table: Table, column: int) -> bool:
    letters = [suffix for cell in table.cells(column) if (suffix := _suffix(cell))]
    named = re.search(r"suffix|unit", table.headers[column].plain, re.IGNORECASE)
    fits = table.mostly(column, lambda cell: _suffix(cell) is not None)
    return bool(letters) and fits and (bool(named) or bool(set(letters) & {"M", "B", "T"}))


def _row(table: Table, row: Row, column: int) -> Iterator[Finding]:
    shown = _suffix(row.cells[column])
    if shown is None:
        yield judged(False, row.line, f"suffix {row.cells[column].plain}", "a suffix is one letter", row.cells[column])
    suffix = shown or ""
    example: str | None = None
    for index, cell in enumerate(row.cells):
        header = table.headers[index].plain
        if index == column:
            continue
        said = amount(cell)
        if says(r"multipl|times|factor|stands for|means|×", header) and re.search(r"\d", cell.plain):
            actual = parse_size(f"1{suffix}")
            yield judged(said == actual, row.line, f"{_name(suffix)} multiplies by {cell.plain}", compact(actual), cell)
        elif re.search(r"example|such as|written", header, re.IGNORECASE) and looks_like_size(value_of(cell)):
            example = value_of(cell)
            ending = example[-1] if example[-1].isalpha() else ""
            holds = ending == suffix and parse_size(example) > 0
            actual_text = f"it ends in {_name(ending)} and reads as {compact(parse_size(example))}"
            yield judged(holds, row.line, f"{example} is an example of {_name(suffix)}", actual_text, cell)
    if example is None:
        return
    for index, cell in enumerate(row.cells):
        said = amount(cell)
        if said is not None and re.search(
            r"parameter|reads|count|value|result", table.headers[index].plain, re.IGNORECASE
        ):
            holds = said == parse_size(example)
            claim = f"{example} is {cell.plain} parameters"
            yield judged(holds, row.line, claim, f"{example} reads as {compact(parse_size(example))}", cell)
            yield judged(True, row.line, f"suffix {_name(suffix)}", "", row.cells[column])


def _name(suffix: str) -> str:
    return suffix or "no suffix"
