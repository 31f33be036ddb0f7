"""Tables of size examples: `min`, `max`, the model's size, and whether it passes (docs/rules.md, section 7)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ome_select.conformance.described import bounds_of
from ome_select.conformance.fact import Finding, judged, unchecked
from ome_select.conformance.page import Page, Row, Table, Text
from ome_select.conformance.probes import passes_size
from ome_select.conformance.registry import kind_of_fact
from ome_select.conformance.words import (
    NUMBER,
    SCALE,
    is_outcome,
    is_unset,
    looks_like_size,
    says,
    scaled,
    value_of,
    yes_or_no,
)
from ome_select.conformance.world import World
from ome_select.sizes import parse_size

_MIN = r"\bmin|lower|smallest|at least|from"
_MAX = r"\bmax|upper|largest|at most|up to"
_MODEL = r"model|parameter|size|count"


def _is_bound(cell: Text) -> bool:
    return is_unset(cell) or looks_like_size(value_of(cell))


def _bound(cell: Text) -> str | None:
    return None if is_unset(cell) else value_of(cell)


class _Columns:
    """Where the range, the size and the outcome stand in a table; `found` is false where one of them is missing."""

    def __init__(self, table: Table) -> None:
        columns = range(len(table.headers))
        self.outcome = next((index for index in columns if table.mostly(index, is_outcome)), None)
        sizes = [index for index in columns if index != self.outcome and table.mostly(index, _is_bound)]
        self.low, self.high = _named(table, sizes, _MIN), _named(table, sizes, _MAX)
        both = (index for index in columns if index != self.outcome and table.mostly(index, bounds_of))
        self.both = next(both, None) if self.low is None else None
        self.size = _named(table, [index for index in sizes if index not in (self.low, self.high, self.both)], _MODEL)
        ranged = self.both is not None or (self.low is not None and self.high is not None)
        self.found = bool(table.rows) and self.outcome is not None and self.size is not None and ranged

    def bounds(self, row: Row) -> tuple[str | None, str | None]:
        if self.both is not None:
            return bounds_of(row.cells[self.both]) or (None, None)
        assert self.low is not None
        assert self.high is not None
        return _bound(row.cells[self.low]), _bound(row.cells[self.high])


def _named(table: Table, columns: list[int], pattern: str) -> int | None:
    return next((index for index in columns if re.search(pattern, table.headers[index].plain, re.IGNORECASE)), None)


@kind_of_fact("size example")
def size_examples(page: Page, world: World) -> Iterator[Finding]:
    for table in page.tables:
        columns = _Columns(table)
        if not columns.found:
            continue
        assert columns.outcome is not None
        assert columns.size is not None
        for row in table.rows:
            bounds, size = columns.bounds(row), _bound(row.cells[columns.size])
            told = yes_or_no(row.cells[columns.outcome])
            if told is None:
                yield unchecked(row.line, f"outcome {row.cells[columns.outcome].plain}", "it is neither yes nor no")
                continue
            actual = passes_size(bounds, size)
            claim = f"{_shown(bounds)} and a model {f'of {size}' if size else 'without a size'}: "
            claim += "passes" if told else "does not pass"
            for index in (columns.outcome, columns.size, columns.low, columns.high, columns.both):
                if index is not None:
                    actual_text = "passes" if actual else "is rejected"
                    yield judged(told == actual, row.line, claim, actual_text, row.cells[index])
            yield from _sound(row, bounds, size)
            for cell in row.cells:
                yield from _why(cell, bounds, size)


def _sound(row: Row, bounds: tuple[str | None, str | None], size: str | None) -> Iterator[Finding]:
    """An example that OME cannot read, or a range that is upside down, is meant only where the row says so."""
    told = " ".join(cell.plain for cell in row.cells if len(cell.plain.split()) > 1)
    for text in (*bounds, size):
        if text is not None and parse_size(text) == 0 and not says(r"read|pars|case|\b0\b|zero", told):
            yield judged(False, row.line, f"{text} is a size", "OME reads it as 0")
    low, high = bounds
    crossed = low is not None and high is not None and parse_size(low) > parse_size(high) > 0
    if crossed and not ("min" in told and "max" in told) and not says(r"cross|never|every|no model", told):
        yield judged(
            False, row.line, f"min {low}, max {high}", "such a range rejects every size, and the row does not say so"
        )


def _shown(bounds: tuple[str | None, str | None]) -> str:
    if bounds == (None, None):
        return "no range"
    return " ".join(f"{name} {bound}" for name, bound in zip(("min", "max"), bounds, strict=True) if bound)


_BETWEEN = re.compile(
    rf"(?P<size>{NUMBER})\s*(?P<own>{SCALE})?\s+is\s+(?P<not>not\s+)?(?:between|within)\s+"
    rf"(?P<low>{NUMBER})\s*(?P<low_scale>{SCALE})?\s+(?:and|to)\s+(?P<high>{NUMBER})\s*(?P<scale>{SCALE})?",
    re.IGNORECASE,
)


def _why(cell: Text, bounds: tuple[str | None, str | None], size: str | None) -> Iterator[Finding]:
    """What a cell says about the reason of its row's outcome."""
    low, high = (None if bound is None else parse_size(bound) for bound in bounds)
    count = None if size is None else parse_size(size)
    if found := _BETWEEN.search(cell.plain):
        scale = found["scale"] or found["low_scale"]
        said = (
            scaled(found["size"], found["own"] or scale),
            scaled(found["low"], found["low_scale"] or scale),
            scaled(found["high"], scale),
        )
        inside = said[1] <= said[0] <= said[2]
        holds = said == (count, low, high) and inside != bool(found["not"])
        yield judged(holds, cell.line, found[0], f"the row has {size} in {_shown(bounds)}", cell)
    plain = cell.plain.lower()
    yield from _side(cell, plain, "above", "max", None if high is None or count is None else count > high)
    yield from _side(cell, plain, "below", "min", None if low is None or count is None else count < low)
    if re.search(r"\b(bounds?|limits?|ends?) (is|are) inclusive", plain):
        at_bound = count is not None and count in (low, high)
        yield judged(at_bound, cell.line, cell.plain, f"{size} is {'' if at_bound else 'not '}a bound of the row", cell)
    for word, bound in (("(?:upper|higher)", bounds[1]), ("lower", bounds[0])):
        if re.search(rf"\bno {word} (limit|bound)", plain):
            actual = f"{'min' if word == 'lower' else 'max'} is {bound or 'not set'}"
            yield judged(bound is None, cell.line, cell.plain, actual, cell)
    if re.search(r"\bwithout (a|any) size\b|\bno size\b", plain):
        yield judged(size is None, cell.line, cell.plain, f"the row's model has {size or 'no size'}", cell)
    if re.search(r"suffixes can differ", plain):
        suffixes = {text[-1] for text in (*bounds, size) if text}
        yield judged(len(suffixes) > 1, cell.line, cell.plain, f"suffixes here: {', '.join(sorted(suffixes))}", cell)


def _side(cell: Text, plain: str, word: str, bound: str, is_so: bool | None) -> Iterator[Finding]:
    if found := re.search(
        rf"\b(not )?{word}\s+(?:the\s+)?(?:{bound}\b|{'upper' if bound == 'max' else 'lower'})", plain
    ):
        if is_so is None:
            yield unchecked(cell.line, cell.plain, f"the row has no {bound} or no size", cell)
        else:
            told = f"the size is {word if is_so else f'not {word}'} {bound}"
            yield judged(is_so != bool(found[1]), cell.line, cell.plain, told, cell)
    elif re.search(rf"\b{word}\s+(?:the\s+)?(?:min|max)\b", plain):
        yield judged(False, cell.line, cell.plain, f"what a size can be {word} is {bound}", cell)
