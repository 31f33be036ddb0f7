"""Tables of a worked example: each runtime's kind, range, score and distance (docs/rules.md, sections 8 and 9)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ome_select.conformance.described import SIZE, RuntimeRow, runtime_rows
from ome_select.conformance.fact import Finding, judged, unchecked
from ome_select.conformance.page import Page, Text
from ome_select.conformance.registry import kind_of_fact
from ome_select.conformance.words import WHOLE, compact, value_of
from ome_select.conformance.world import World
from ome_select.decision import Decision, Verdict
from ome_select.selection import Selector
from ome_select.sizes import parse_size

_SEVERAL = 2
_RESULT = re.compile(rf"=\s*({WHOLE})|^({WHOLE})$")


def decision_for_tables(world: World) -> Decision | None:
    """What OME decides for the page's only model with a format, where its runtimes come from a table."""
    models = [model for model in world.models if model.model_format is not None]
    if len(models) != 1:
        return None
    model = models[0]
    spaces = {runtime.namespace for runtime in world.cluster.runtimes if runtime.namespace}
    namespace = model.namespace or (spaces.pop() if len(spaces) == 1 else "default")
    return Selector(world.cluster, namespace).explain(model)


@kind_of_fact("worked example")
def worked_example(page: Page, world: World) -> Iterator[Finding]:
    for table in page.tables:
        rows = runtime_rows(table)
        if not rows:
            continue
        decision = decision_for_tables(world)
        for row in rows:
            verdict = None
            if decision is not None:
                verdict = next((found for found in decision.rows if found.name == row.name), None)
            yield from _row(row, verdict)
        yield from _size(world, rows, decision)


def _size(world: World, rows: list[RuntimeRow], decision: Decision | None) -> Iterator[Finding]:
    """Where several distances are wrong, the size that they are measured from is probably the wrong one."""
    if decision is None:
        return
    by_name = {verdict.name: verdict for verdict in decision.rows}
    found = [
        _distance(row, row.distance_cell, by_name[row.name])
        for row in rows
        if row.distance_cell is not None and row.name in by_name
    ]
    if sum(finding.verdict == "contradicted" for finding in found) < _SEVERAL:
        return
    for statement in world.statements:
        if statement.role == "model" and statement.name == decision.model.name and statement.path == SIZE:
            claim, actual = f"the model has {statement.value} parameters", "the distances in the table do not fit that"
            yield judged(False, statement.line, claim, actual, statement.source)


def _row(row: RuntimeRow, verdict: Verdict | None) -> Iterator[Finding]:
    line, name = row.line, row.name
    if verdict is None:
        why = "the page does not say which one model and namespace this is about"
        yield unchecked(line, f"{name} in the table", why, row.name_cell)
        yield from _score_alone(row)
        return
    if row.kind_cell is not None:
        actual = f"OME sees a {verdict.runtime.kind}"
        yield judged(
            row.kind == verdict.runtime.kind, line, f"{name} is a {row.kind_cell.plain}", actual, row.kind_cell
        )
    if row.range_cell is not None:
        if row.bounds is None:
            yield judged(False, line, f"range {row.range_cell.plain} of {name}", "it is no range", row.range_cell)
        else:
            unreadable = [bound for bound in row.bounds if bound is not None and parse_size(bound) == 0]
            actual = f"OME reads {', '.join(unreadable)} as 0" if unreadable else "OME reads the bounds"
            yield judged(not unreadable, line, f"{name} has the range {row.range_cell.plain}", actual, row.range_cell)
    if row.score_cell is not None:
        said = _RESULT.search(row.score_cell.plain)
        if said is None:
            yield unchecked(line, f"score {row.score_cell.plain} of {name}", "it is no number", row.score_cell)
        else:
            result = int(said[1] or said[2])
            yield judged(
                result == verdict.score, line, f"{name} scores {row.score_cell.plain}", verdict.score, row.score_cell
            )
    if row.distance_cell is not None:
        yield _distance(row, row.distance_cell, verdict)


def _distance(row: RuntimeRow, cell: Text, verdict: Verdict) -> Finding:
    claim = f"{row.name} is at a distance of {cell.plain}"
    if verdict.distance is None:
        return judged(cell.plain in ("-", "–", "—", ""), row.line, claim, "it has none", cell)
    shown = value_of(cell)
    # `7B` is a count; a text that OME cannot read would be 0, which only a 0 may mean.
    holds = parse_size(shown) == verdict.distance and (verdict.distance != 0 or shown in ("0", "0B", "0M"))
    return judged(holds, row.line, claim, compact(verdict.distance), cell)


def _score_alone(row: RuntimeRow) -> Iterator[Finding]:
    """Without a model, a score is still the product that it is written as."""
    said = _RESULT.search(row.score_cell.plain) if row.score_cell else None
    if row.product is None or row.score_cell is None or said is None:
        return
    format_part, framework_part, priority = (int(row.product[part]) for part in ("format", "framework", "priority"))
    actual = (format_part + framework_part) * priority
    result = int(said[1] or said[2])
    yield judged(result == actual, row.line, f"{row.name} scores {row.score_cell.plain}", actual, row.score_cell)
