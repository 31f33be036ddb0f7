"""Tables of the fields that make up the score, with their defaults (docs/rules.md, sections 1, 8 and 19)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ome_select.cluster import Cluster
from ome_select.conformance.fact import Finding, judged, unchecked
from ome_select.conformance.fields import is_field
from ome_select.conformance.page import Page, Text
from ome_select.conformance.registry import kind_of_fact
from ome_select.conformance.words import is_unset, value_of, whole
from ome_select.conformance.world import World
from ome_select.objects import decode
from ome_select.resources import Resource, ServingRuntime
from ome_select.selection import explain

_MODEL = {"modelFormat": {"name": "f", "version": "1.0.0"}, "modelFramework": {"name": "w", "version": "1.0.0"}}


def entry(**written: Any) -> dict[str, Any]:
    """An entry that matches the model of this module."""
    return {
        "modelFormat": {"name": "f", "version": "1.0.0", **written.pop("modelFormat", {})},
        "modelFramework": {"name": "w", "version": "1.0.0", **written.pop("modelFramework", {})},
        **written,
    }


def _object(kind: str, spec: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": "ome.io/v1beta1", "kind": kind, "metadata": {"name": "x"}, "spec": spec}


def read_entry(written: dict[str, Any]) -> tuple[Resource | None, list[str]]:
    """A runtime with this entry, and what the API would say against it."""
    resource, problems = decode(_object("ClusterServingRuntime", {"supportedModelFormats": [written]}))
    return resource, [problem.message for problem in problems if problem.severity != "warning"]


def score_of(written: dict[str, Any]) -> int:
    """The score of a runtime with this entry, and with another one that lets auto-selection consider it."""
    runtime, _ = read_entry(written)
    model, _ = decode(_object("ClusterBaseModel", _MODEL))
    helper = entry(autoSelect=True, modelFormat={"weight": -1000})
    other, _ = decode(_object("ClusterServingRuntime", {"supportedModelFormats": [written, helper]}))
    assert isinstance(runtime, ServingRuntime)
    assert model is not None
    assert other is not None
    return explain(Cluster([model, other]), model="x").rows[0].score


def _with(path: str, value: Any) -> dict[str, Any]:
    """An entry with one field set."""
    first, _, second = path.partition(".")
    return entry(**{first: {second: value} if second else value})


_FIELDS = (
    "modelFormat.weight",
    "modelFramework.weight",
    "modelFormat.operator",
    "modelFramework.operator",
    "priority",
    "autoSelect",
)


def field_of(text: Text) -> str | None:
    """The field of an entry that a cell names, or None."""
    shown = value_of(text).removeprefix("spec.").removeprefix("supportedModelFormats[].")
    return next((field for field in _FIELDS if shown == field), None)


def parsed(value: str) -> Any:
    """A value as YAML reads it, in the few forms that tables show."""
    number = whole(value)
    if number is not None:
        return number
    return {"true": True, "false": False}.get(value, value)


@kind_of_fact("score default")
def score_defaults(page: Page, world: World) -> Iterator[Finding]:
    for table in page.tables:
        field_column, default = table.column(r"field|setting|name|option"), table.column(r"default|unset|if not set")
        if default is None:
            continue
        if field_column is None or field_column == default:
            field_column = next((i for i in range(len(table.headers)) if any(map(field_of, table.cells(i)))), None)
        if field_column is None:
            continue
        for row in table.rows:
            name, cell = row.cells[field_column], row.cells[default]
            field = field_of(name)
            if field is None:
                if name.codes:
                    known = is_field(value_of(name))
                    yield (unchecked if known else _unknown)(
                        row.line, f"default of {name.plain}", "it takes no part in the score", name
                    )
                continue
            yield _default(field, cell, row.line)
            yield judged(True, row.line, f"{field} is a field of an entry", "", name)


def _unknown(line: int, claim: str, actual: str, source: Text) -> Finding:
    return judged(False, line, claim, "no field of an entry has this name", source)


def _default(field: str, cell: Text, line: int) -> Finding:
    """A default counts as set: an entry without the field reads, and scores, as one with it."""
    unset = read_entry(entry())[0]
    if is_unset(cell):
        # Nothing that could be written there gives the same object.
        candidates = [True, False] if field == "autoSelect" else [1]
        holds = all(read_entry(_with(field, value))[0] != unset for value in candidates)
        return judged(holds, line, f"{field} has no default", "it has none" if holds else "it has one", cell)
    value = parsed(value_of(cell))
    resource, problems = read_entry(_with(field, value))
    if resource is None or problems:
        return judged(False, line, f"{field} defaults to {value}", "; ".join(problems), cell)
    same = score_of(_with(field, value)) == score_of(entry()) if field != "autoSelect" else False
    counts = resource == unset or (same and field == "priority")
    actual = f"an entry without it scores {score_of(entry())}, one with {value} {score_of(_with(field, value))}"
    return judged(counts, line, f"{field} defaults to {value}", actual, cell)
