"""What `kubectl ome runtime explain` prints, against the page's cluster (docs/rules.md, section 11)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from ome_select.conformance.fact import Finding, judged, unchecked
from ome_select.conformance.facts.worked_example import decision_for_tables
from ome_select.conformance.messages.grammar import parse, templates
from ome_select.conformance.messages.likeness import meant
from ome_select.conformance.page import Fence, Page
from ome_select.conformance.registry import kind_of_fact
from ome_select.conformance.words import whole
from ome_select.conformance.world import World, catalog
from ome_select.decision import Decision
from ome_select.errors import OmeSelectError
from ome_select.reporting.table import DEFAULT_WIDTH, HEADERS, WIDE_HEADERS, explain_row, layout
from ome_select.selection import Selector

_FEWEST = 3
_CLOSE = 0.85
_EXPLAIN = re.compile(r"\bruntime explain\b")


@dataclass(frozen=True, kw_only=True, eq=False)
class PrintedRow:
    """One row of a printed table: its cells with wrapped lines joined, and the line of the page that it begins on."""

    cells: tuple[str, ...]
    line: int


def option(command: str, *names: str) -> str | None:
    """The value of an option of a command, or None."""
    found = re.search(rf"(?:^|\s)(?:{'|'.join(map(re.escape, names))})(?:\s+|=)(\S+)", command)
    return found[1].strip("\"'") if found else None


def is_explain(fence: Fence) -> bool:
    """Whether a block holds a table that `explain` prints."""
    first = fence.text.lstrip().splitlines()[:1]
    return any(line.startswith(HEADERS[0]) and sum(header in line for header in HEADERS) >= _FEWEST for line in first)


def printed_rows(fence: Fence) -> tuple[tuple[str, ...], list[PrintedRow]]:
    """The headers and the rows of a printed table; a wrapped cell is put together again."""
    lines = fence.text.splitlines()
    top = next(index for index, line in enumerate(lines) if line.strip())
    starts = [found.start() for found in re.finditer(r"\S+", lines[top])]
    headers = tuple(lines[top].split())
    rows: list[tuple[int, list[list[str]]]] = []
    for index, line in enumerate(lines[top + 1 :], start=top + 1):
        cells = [line[start:end].strip() for start, end in zip(starts, [*starts[1:], None], strict=True)]
        if not any(cells):
            continue
        if all(cells[:3]) or not rows:
            rows.append((fence.first_line + index, [[cell] for cell in cells]))
        else:
            for pieces, cell in zip(rows[-1][1], cells, strict=True):
                pieces.append(cell)
    return headers, [PrintedRow(cells=tuple(_whole(_join(cell)) for cell in cells), line=line) for line, cells in rows]


def _whole(text: str) -> str:
    """A cell that OME cut inside its words, with the words as the rules have them."""
    squeezed = _squeezed(text)
    return next((fixed for fixed in _fixed_reasons() if _squeezed(fixed) == squeezed), text)


@cache
def _fixed_reasons() -> tuple[str, ...]:
    """The reasons without a slot."""
    return tuple(
        template.shown for template in templates() if template.family.endswith("reason") and len(template.parts) == 1
    )


def _join(pieces: Sequence[str]) -> str:
    """Lines of one cell as one text: a word that was cut goes on without a space."""
    text = ""
    for piece in filter(None, pieces):
        cut = text and re.search(r"[-_/.:]$|\w$", text) and " " not in text.split()[-1] and len(text.split()[-1]) > 15
        text += piece if not text or cut else f" {piece}"
    return text


@kind_of_fact("explain output")
def explain_output(page: Page, world: World) -> Iterator[Finding]:
    for fence in page.fences:
        if is_explain(fence):
            yield from _table(fence, world)


def _table(fence: Fence, world: World) -> Iterator[Finding]:
    headers, rows = printed_rows(fence)
    top = fence.first_line + next(i for i, line in enumerate(fence.text.splitlines()) if line.strip())
    if headers == tuple(" ".join(WIDE_HEADERS).split()):
        yield unchecked(top, "the wide table", "`-o wide` is of this project, and not of OME")
        return
    yield judged(headers == HEADERS, top, f"columns {' '.join(headers)}", f"the columns are {' '.join(HEADERS)}")
    if headers != HEADERS:
        return
    if strangers := list(_stranger(fence, world, top)):
        yield from strangers
        return
    try:
        decision = _decision(fence, world)
    except OmeSelectError as problem:
        yield judged(False, top, f"output of {fence.command}", str(problem))
        return
    described = {found.name for found in world.cluster.runtimes}
    if decision is None or not {row.cells[0] for row in rows} & described:
        yield from _alone(rows, "the page does not describe what this is about")
    elif not {row.cells[0] for row in rows} <= described and len({row.cells[0] for row in rows} - described) > 1:
        yield from _alone(rows, "the page does not describe this runtime", decision)
    else:
        yield from _against(rows, decision)
    if _is_printed(rows):
        yield from _layout(fence, rows, top)


def _stranger(fence: Fence, world: World, top: int) -> Iterator[Finding]:
    """A command about a model that the page does not have, while it describes one of nearly that name."""
    asked = option(fence.command or "", "--model")
    known = {statement.name: statement for statement in world.statements if statement.role == "model"}
    near = get_close_matches(asked or "", known, n=1, cutoff=_CLOSE)
    if asked is None or not near or asked in known or any(model.name == asked for model in world.models):
        return
    statement = known[near[0]]
    yield judged(False, top, f"the model {asked}", f"the page describes {near[0]}")
    yield judged(False, statement.line, f"the model {near[0]}", f"the command asks for {asked}", statement.source)


def _decision(fence: Fence, world: World) -> Decision | None:
    """What OME decides for the command; without one, for the page's only model."""
    command = fence.command or ""
    if not _EXPLAIN.search(command):
        return decision_for_tables(world)
    model, isvc = option(command, "--model"), option(command, "--isvc")
    namespace = option(command, "-n", "--namespace") or "default"
    cluster = world.cluster
    names = {found.name for found in cluster.models}
    for needed in {model, *(service.model.name for service in cluster.services if service.model)} - {None} - names:
        if needed and (found := catalog().find("ClusterBaseModel", needed)):
            cluster = cluster.with_resources(found)
    return Selector(cluster, namespace).explain(model, isvc=isvc)


def _against(rows: list[PrintedRow], decision: Decision) -> Iterator[Finding]:
    """Row by row: the same runtime in the same place, and every cell of it."""
    expected = [explain_row(verdict) for verdict in decision.rows]
    for index, row in enumerate(rows):
        right = expected[index] if index < len(expected) else None
        shown = "   ".join(row.cells)
        if right is None or right[0] != row.cells[0]:
            yield judged(False, row.line, f"row {index + 1}: {shown}", f"here comes {right[0] if right else 'no row'}")
            continue
        wrong = [
            f"{header} is {cell}"
            for header, told, cell in zip(HEADERS, row.cells, right, strict=True)
            if _squeezed(told) != _squeezed(cell)
        ]
        yield judged(not wrong, row.line, f"row {index + 1}: {shown}", "; ".join(wrong) or "the same")
    if len(rows) < len(expected):
        missing = ", ".join(row[0] for row in expected[len(rows) :])
        yield judged(False, rows[-1].line if rows else 0, "the last row", f"after it come {missing}")


def _squeezed(text: str) -> str:
    """A text without its spaces, because a cut word may or may not have one."""
    return re.sub(r"\s+", "", text)


def _alone(rows: list[PrintedRow], why: str, decision: Decision | None = None) -> Iterator[Finding]:
    """Without the runtimes themselves: what holds for every such table, row by row."""
    known = {} if decision is None else {verdict.name: explain_row(verdict) for verdict in decision.rows}
    seen_no = False
    for index, row in enumerate(rows):
        name, compatible = row.cells[0], row.cells[2]
        fault = _fault(row, seen_no)
        seen_no = seen_no or compatible == "No"
        claim = f"row {index + 1}: {'   '.join(row.cells)}"
        if fault is None and name in known:
            wrong = [
                header
                for header, told, cell in zip(HEADERS, row.cells, known[name], strict=True)
                if _squeezed(told) != _squeezed(cell)
            ]
            fault = f"its {', '.join(wrong)} would be {'   '.join(known[name])}" if wrong else None
        if fault is not None:
            yield judged(False, row.line, claim, fault)
        elif name in known:
            yield judged(True, row.line, claim, "the same")
        elif compatible == "No":
            yield judged(True, row.line, claim, "the rules produce this row")
        else:
            yield unchecked(row.line, claim, why)


def _fault(row: PrintedRow, seen_no: bool) -> str | None:
    """Why OME never prints such a row, or None."""
    _, scope, compatible, priority, weight, reason = row.cells
    if scope not in ("Namespaced", "Cluster"):
        return "SCOPE is Namespaced or Cluster"
    if compatible == "Yes":
        if seen_no:
            return "rows with Yes come before those with No"
        numbers = whole(priority), whole(weight)
        if reason != "-" or not numbers[0] or numbers[1] is None:
            return "a row with Yes has a PRIORITY, a WEIGHT and no REASON"
        return None if numbers[1] % numbers[0] == 0 else "WEIGHT is a multiple of PRIORITY"
    if compatible != "No":
        return "COMPATIBLE is Yes or No"
    if (priority, weight) != ("-", "-"):
        return "a row with No has neither PRIORITY nor WEIGHT"
    parsed = parse(reason, ("reason", "explain reason"))
    if parsed is None:
        right = meant(reason)
        return f"OME says: {right}" if right else "no rule produces this reason"
    return parsed.fault


def _is_printed(rows: list[PrintedRow]) -> bool:
    return bool(rows) and all(len(row.cells) == len(HEADERS) for row in rows)


def _layout(fence: Fence, rows: list[PrintedRow], top: int) -> Iterator[Finding]:
    """The columns must stand as OME lays them out, at 80 columns or wider."""
    shown = fence.text.strip("\n")
    cells = [row.cells for row in rows]
    widths = [DEFAULT_WIDTH, None, *range(DEFAULT_WIDTH - 1, 59, -1)]
    laid_out = any(layout(HEADERS, cells, width) == shown for width in widths)
    if laid_out:
        yield judged(True, top, "the table's layout", "OME lays it out like this")
    else:
        yield unchecked(top, "the table's layout", "it is none of OME's; spacing does not change what it says")
