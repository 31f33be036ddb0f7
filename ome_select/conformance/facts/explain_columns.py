"""The columns of `kubectl ome runtime explain`, in tables and in prose (docs/rules.md, section 11)."""

from __future__ import annotations

from collections.abc import Iterator

from ome_select.conformance.fact import Finding, judged
from ome_select.conformance.page import Page
from ome_select.conformance.probes import decide, entry, runtime
from ome_select.conformance.registry import kind_of_fact
from ome_select.conformance.words import value_of
from ome_select.conformance.world import World
from ome_select.reporting.table import HEADERS, explain_row

_MANY = 3


def values_of_columns() -> dict[str, frozenset[str]]:
    """What OME prints in each column, for runtimes of both scopes that it can and cannot choose."""
    decision = decide(
        runtime("one"),
        runtime("two", cluster=False),
        runtime("three", disabled=True),
        runtime("four", cluster=False, supported_model_formats=(entry(auto_select=None),)),
    )
    columns = zip(*(explain_row(row) for row in decision.rows), strict=True)
    return {header: frozenset(values) for header, values in zip(HEADERS, columns, strict=True)}


@kind_of_fact("explain column")
def explain_columns(page: Page, world: World) -> Iterator[Finding]:
    for table in page.tables:
        names = next(
            (i for i in range(len(table.headers)) if sum(value_of(c) in HEADERS for c in table.cells(i)) >= _MANY), None
        )
        if names is None:
            continue
        shown = [value_of(cell) for cell in table.cells(names)]
        for row, name in zip(table.rows, shown, strict=True):
            holds = name in HEADERS
            yield judged(
                holds, row.line, f"explain has a column {name}", f"its columns: {', '.join(HEADERS)}", row.cells[names]
            )
            if not holds:
                continue
            place = [header for header in HEADERS if header in shown].index(name)
            yield judged(
                [other for other in shown if other in HEADERS].index(name) == place,
                row.line,
                f"{name} stands in this place",
                f"the order is {', '.join(HEADERS)}",
                row.cells[names],
            )
            for cell in (cell for index, cell in enumerate(row.cells) if index != names):
                known = values_of_columns()[name]
                for code in cell.codes:
                    # Words in capitals and values are the two things that a description marks as code.
                    if code.text[:1].isupper() and code.text not in HEADERS and name in ("SCOPE", "COMPATIBLE"):
                        yield judged(
                            code.text in known,
                            code.line,
                            f"{name} can be {code.text}",
                            f"it is {' or '.join(sorted(known))}",
                            cell,
                        )
    for sentence in page.prose:
        shown = [code.text for code in sentence.codes if code.text.isupper() and len(code.text) > 3]
        if sum(name in HEADERS for name in shown) >= _MANY:
            expected = [header for header in HEADERS if header in shown]
            for code in sentence.codes:
                if code.text in shown:
                    yield judged(
                        shown == expected,
                        code.line,
                        f"explain's columns: {', '.join(shown)}",
                        f"its columns: {', '.join(HEADERS)}",
                        sentence,
                    )
                    break
            current = ""
            for code in sentence.codes:
                current = code.text if code.text in HEADERS else current
                known = values_of_columns().get(current, frozenset())
                if code.text not in HEADERS and current in ("SCOPE", "COMPATIBLE"):
                    yield judged(
                        code.text in known,
                        code.line,
                        f"{current} can be {code.text}",
                        f"it is {' or '.join(sorted(known))}",
                        sentence,
                    )
