"""Tables of version operators: entry, operator, model, and whether they match (docs/rules.md, section 5)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ome_select.conformance.fact import Finding, judged
from ome_select.conformance.page import Page, Table
from ome_select.conformance.registry import kind_of_fact
from ome_select.conformance.words import is_outcome, is_unset, value_of, yes_or_no
from ome_select.conformance.world import World
from ome_select.versions import OPERATORS, version_accepts

_VERSION = re.compile(r"^v?\d[\w.+-]*$", re.IGNORECASE)


def _columns(table: Table) -> tuple[int, int, int, int] | None:
    """Where entry, operator, model and outcome stand, or None for another table."""

    def holds(column: int, pattern: re.Pattern[str]) -> bool:
        return table.mostly(column, lambda cell: is_unset(cell) or pattern.match(value_of(cell)))

    columns = range(len(table.headers))
    outcome = next((index for index in columns if table.mostly(index, is_outcome)), None)
    operator = table.column(r"operator|comparison")
    versions = [index for index in columns if index not in (operator, outcome) and holds(index, _VERSION)]
    model = next((i for i in versions if re.search(r"model(?!\s*format)", table.headers[i].plain, re.IGNORECASE)), None)
    entry = next(
        (i for i in versions if i != model and re.search(r"entry|runtime", table.headers[i].plain, re.IGNORECASE)), None
    )
    if entry is None and model is not None and len(versions) == 2:
        entry = next(index for index in versions if index != model)
    if not table.rows or outcome is None or operator is None or model is None or entry is None:
        return None
    return entry, operator, model, outcome


@kind_of_fact("version operator")
def version_operators(page: Page, world: World) -> Iterator[Finding]:
    for table in page.tables:
        columns = _columns(table)
        if columns is None:
            continue
        for row in table.rows:
            entry, operator, model = (None if is_unset(row.cells[i]) else value_of(row.cells[i]) for i in columns[:3])
            if entry is None or model is None:
                continue
            if operator is not None and operator not in OPERATORS:
                yield judged(False, row.line, f"operator {operator}", f"the operators are {', '.join(OPERATORS)}")
                continue
            told, actual = (
                yes_or_no(row.cells[columns[3]]),
                version_accepts(entry=entry, operator=operator, model=model),
            )
            claim = f"entry {entry}, {operator or 'no operator'}, model {model}: {'matches' if told else 'no match'}"
            for column in columns:
                yield judged(told == actual, row.line, claim, "matches" if actual else "no match", row.cells[column])
