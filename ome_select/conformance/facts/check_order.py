"""The order of the checks: in tables, in numbered lists, and in sentences (docs/rules.md, section 2)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ome_select.checks import CHECKS
from ome_select.conformance.fact import Finding, judged
from ome_select.conformance.page import Page, Table, Text
from ome_select.conformance.registry import kind_of_fact
from ome_select.conformance.words import says, whole
from ome_select.conformance.world import World
from ome_select.decision import AUTO_SELECT, SCORE

ORDER = (*(check.name for check in CHECKS), AUTO_SELECT, SCORE)
"""Every check by its name, in OME's order."""

# The words by which pages call a check; more special ones come first.
_WORDS = (
    ("auto-select", r"auto-?select(?:ion|ed)?\b"),
    ("accelerator class", r"accelerator"),
    ("deployment mode", r"deployment.?mode|\bmode\b"),
    ("model size", r"\bsize\b|modelSizeRange|parameter count"),
    ("enabled", r"disabled|enabled"),
    ("model format", r"\bformat\b|\bentr(?:y|ies)\b|supportedModelFormats"),
    ("score", r"\bscore\b"),
)
_NAMES = "|".join(pattern for _, pattern in _WORDS)
_RELATION = re.compile(
    rf"\bcheck(?:s|ed)?\s+(?:the\s+|a\s+)?(?:model(?:'s)?\s+)?(?P<first>{_NAMES})\b[^.;]*?\b(?P<word>before|after)\s+"
    rf"(?:the\s+)?(?:model\s+)?(?P<second>{_NAMES})",
    re.IGNORECASE,
)
_THIS = re.compile(rf"\bthis check runs (?P<word>before|after) the (?P<second>{_NAMES})", re.IGNORECASE)
_LEAST = 3


def check_named(text: str) -> str | None:
    """The check that a text is about, or None: the one whose word comes first."""
    found = [(match.start(), name) for name, words in _WORDS if (match := re.search(words, text, re.IGNORECASE))]
    return min(found)[1] if found else None


def _ordered(items: list[tuple[Text, int, str | None]], what: str) -> Iterator[Finding]:
    """Every item must come at the place, among the checks that are listed, that OME gives it."""
    named = [(text, line, name) for text, line, name in items if name is not None]
    expected = sorted((name for _, _, name in named), key=ORDER.index)
    for (text, line, name), wanted in zip(named, expected, strict=True):
        yield judged(name == wanted, line, f"{what}: {name} comes here", f"here comes {wanted}", text)


@kind_of_fact("check order")
def check_order(page: Page, world: World) -> Iterator[Finding]:
    for table in page.tables:
        rows = list(table.rows)
        number = table.column(r"^(#|no\.?|order|step|number|place)$")
        if number is not None and table.mostly(number, _is_number):
            yield from _numbers(table, number)
            rows = [row for _, row in sorted(zip(map(_number, table.cells(number)), rows, strict=True), key=_first)]
        column = _column(table)
        if column is None:
            continue
        items = [(row.cells[column], row.line, check_named(row.cells[column].plain)) for row in rows]
        if _is_complete(items):
            yield from _ordered(items, "order of the checks")
    for block in page.lists:
        items = [(item, item.line, check_named(item.plain)) for item in block.items]
        if _is_complete(items) and block.intro and says(r"\b(order|check|candidate)", block.intro.plain):
            yield from _ordered(items, "order of the checks")
    for sentence in page.texts:
        if found := _RELATION.search(sentence.marked):
            first, second = check_named(found["first"]), check_named(found["second"])
            if first and second and first != second:
                comes_before = ORDER.index(first) < ORDER.index(second)
                holds = comes_before == (found["word"].lower() == "before")
                actual = f"{first} is checked {'before' if comes_before else 'after'} {second}"
                yield judged(holds, sentence.line_at(found.start()), found[0], actual, sentence)
        elif (found := _THIS.search(sentence.marked)) and page.headings:
            first, second = check_named(page.headings[0].text.plain), check_named(found["second"])
            first = first or check_named(page.path.replace("-", " "))
            if first and second:
                comes_before = ORDER.index(first) < ORDER.index(second)
                holds = comes_before == (found["word"].lower() == "before")
                yield judged(
                    holds,
                    sentence.line,
                    found[0],
                    f"{first} is checked {'before' if comes_before else 'after'} {second}",
                    sentence,
                )


def _column(table: Table) -> int | None:
    """The column that names the checks, in a table whose header speaks of checks or steps."""
    if table.column(r"\bcheck|\bstep\b|\bfilter\b") is None:
        return None
    columns = range(len(table.headers))
    return max(columns, key=lambda index: len({check_named(cell.plain) for cell in table.cells(index)} - {None}))


def _number(cell: Text) -> int:
    """The number of a step; what is none comes first."""
    return whole(cell.plain.strip(".")) or 0


def _first(pair: tuple[int, object]) -> int:
    return pair[0]


def _is_number(cell: Text) -> bool:
    return whole(cell.plain.strip(".")) is not None


def _numbers(table: Table, column: int) -> Iterator[Finding]:
    """The numbers of the steps, each used once."""
    cells = list(table.cells(column))
    shown = [_number(cell) for cell in cells]
    first = 0 if 0 in shown else 1
    for cell, said in zip(cells, shown, strict=True):
        holds = shown.count(said) == 1 and first <= said < first + len(shown)
        yield judged(holds, cell.line, f"step {cell.plain}", "each step has the next number", cell)


def _is_complete(items: list[tuple[Text, int, str | None]]) -> bool:
    """Whether these are the checks: most items name one, and none is named twice."""
    names = [name for _, _, name in items if name]
    return len(names) >= _LEAST and len(set(names)) == len(names) and len(names) >= len(items) - 1
