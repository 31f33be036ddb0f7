"""Tables of outcomes: what a service asks for, what a runtime has, and whether it stays a candidate.

Accelerator classes (docs/rules.md, section 3) and deployment modes (section 4).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from typing import Any

from ome_select.compiled import DEPLOYMENT_MODE, DEPLOYMENT_MODES
from ome_select.conformance.fact import Finding, judged
from ome_select.conformance.page import Page, Table, Text
from ome_select.conformance.probes import judge, runtime, service
from ome_select.conformance.registry import kind_of_fact
from ome_select.conformance.words import is_name, is_outcome, yes_or_no
from ome_select.conformance.world import World
from ome_select.resources import AcceleratorSelector, Component, InferenceService, ServingRuntime

_ABSENT = re.compile(r"\b(none|not set|unset|nothing|absent|no|without|empty)\b", re.IGNORECASE)
_COMPONENTS = ("engine", "decoder")


def _columns(table: Table) -> tuple[int, int, int] | None:
    """Where the service, the runtime and the outcome stand, or None for another table."""
    wanted = table.column(r"isvc|inferenceservice|service|request|asks|names|wants")
    given = table.column(r"runtime|lists|declares|offers", avoid=r"isvc|inferenceservice|\bservice\b")
    columns = range(len(table.headers))
    outcome = next((index for index in columns if table.mostly(index, is_outcome)), None)
    if wanted is None or given is None or outcome is None or len({wanted, given, outcome}) < 3 or not table.rows:
        return None
    return wanted, given, outcome


def _components(text: Text) -> list[tuple[str | None, str]]:
    """Each value that a cell shows, with the component that is named in brackets behind it."""
    found = re.finditer(r"`([^`]+)`\s*(?:\(\s*(?:the\s+)?(engine|decoder)\s*\))?", text.marked)
    return [(match[2], value.strip(" []")) for match in found for value in match[1].strip("[]").split(",")]


def _judge_rows(
    page: Page,
    applies: Callable[[Table], bool],
    asks: Callable[[Text], list[InferenceService]],
    has: Callable[[Text], list[ServingRuntime]],
    what: str,
) -> Iterator[Finding]:
    for table in page.tables:
        columns = _columns(table)
        if columns is None or not applies(table):
            continue
        for row in table.rows:
            wanted, given, outcome = (row.cells[column] for column in columns)
            told = yes_or_no(outcome)
            # A cell may name alternatives, such as "none, or `[]`": the outcome holds for each of them.
            actual = {judge(candidate, isvc=isvc).supports_model for isvc in asks(wanted) for candidate in has(given)}
            claim = f"service {wanted.plain}, runtime {given.plain} ({what}): {outcome.plain}"
            shown = " and ".join(sorted("candidate" if passes else "rejected" for passes in actual))
            for cell in (wanted, given, outcome):
                yield judged(actual == {told}, row.line, claim, shown, cell)


def _is_about_classes(table: Table) -> bool:
    cells = [cell for row in table.rows for cell in row.cells]
    named = [value for cell in cells for _, value in _components(cell)]
    mentioned = " ".join(header.plain for header in table.headers).lower() + " ".join(cell.plain for cell in cells)
    lists = "list" in mentioned or "class" in mentioned
    return lists and bool(named) and not any(value in DEPLOYMENT_MODES for value in named)


def _asks_classes(text: Text) -> list[InferenceService]:
    named = _components(text)
    if not named:
        return [service(engine=Component())]
    places = {component for component, _ in named}
    if places == {None}:
        # Where a class is named does not matter, so the usual place stands for all.
        override = AcceleratorSelector(accelerator_class=named[-1][1]) if len(named) > 1 else None
        return [
            service(
                accelerator_selector=AcceleratorSelector(accelerator_class=named[0][1]),
                engine=Component(accelerator_override=override),
            )
        ]
    parts = {
        component: Component(accelerator_override=AcceleratorSelector(accelerator_class=value))
        for component, value in named
        if component
    }
    return [service(**{component: parts.get(component) for component in _COMPONENTS})]


def _has_classes(text: Text) -> list[ServingRuntime]:
    found = [
        runtime(accelerator_classes=tuple(value.strip() for value in code.text.strip("[]").split(",") if value.strip()))
        for code in text.codes
        if code.text.startswith("[")
    ]
    if not found and text.codes:
        found = [runtime(accelerator_classes=tuple(code.text for code in text.codes if is_name(code.text)))]
    if re.search(r"\bany\b", text.plain, re.IGNORECASE):
        found.append(runtime(accelerator_classes=("some-class", "other-class")))
    if _ABSENT.search(re.sub(r"`[^`]*`", "", text.marked)) or not found:
        found.append(runtime())
    return found


@kind_of_fact("accelerator outcome")
def accelerator_outcomes(page: Page, world: World) -> Iterator[Finding]:
    yield from _judge_rows(page, _is_about_classes, _asks_classes, _has_classes, "accelerator class")


def _is_about_modes(table: Table) -> bool:
    named = {value for row in table.rows for cell in row.cells for _, value in _components(cell)}
    return bool(named & DEPLOYMENT_MODES)


def _with_mode(values: list[tuple[str | None, str]]) -> dict[str, Any]:
    named = {component or "engine": value for component, value in values}
    return {component: Component(annotations={DEPLOYMENT_MODE: value}) for component, value in named.items()}


def _asks_modes(text: Text) -> list[InferenceService]:
    return [service(**({"engine": Component()} | _with_mode(_components(text))))]


def _has_modes(text: Text) -> list[ServingRuntime]:
    return [dataclasses.replace(runtime(), **_with_mode(_components(text)))]


@kind_of_fact("deployment-mode outcome")
def mode_outcomes(page: Page, world: World) -> Iterator[Finding]:
    yield from _judge_rows(page, _is_about_modes, _asks_modes, _has_modes, "deployment mode")
    for table in page.tables:
        if _is_about_modes(table) and _columns(table):
            for row in table.rows:
                for cell in row.cells:
                    for _, value in _components(cell):
                        if value not in DEPLOYMENT_MODES:
                            told = f"the modes are {', '.join(sorted(DEPLOYMENT_MODES))}"
                            yield judged(False, row.line, f"deployment mode {value}", told, cell)
