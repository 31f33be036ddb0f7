"""The fields that pages name: in tables of fields, and in code spans (docs/rules.md, sections 1 and 19)."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from difflib import get_close_matches

from ome_select import resources
from ome_select.compiled import ACCELERATOR_CLASS, DEPLOYMENT_MODE, DEPLOYMENT_MODES
from ome_select.conformance.fact import Finding, judged, unchecked
from ome_select.conformance.facts.aftermath_claims import reasons
from ome_select.conformance.fields import all_names, is_field, kinds_with, slip_of
from ome_select.conformance.page import Page, Row, Table, Text
from ome_select.conformance.probes import judge, model, passes_size, runtime, service
from ome_select.conformance.registry import kind_of_fact
from ome_select.conformance.words import value_of
from ome_select.conformance.world import World
from ome_select.readers import READERS
from ome_select.resources import AcceleratorSelector, Component
from ome_select.versions import OPERATORS

_PATH = re.compile(r"^[a-z]\w*(?:\[\w*\])?(?:\.[a-z]\w*(?:\[[^\]]*\])?)*$")
_KINDS = re.compile(r"\b(?:" + "|".join(sorted(READERS, key=len, reverse=True)) + r")\b")
_KIND_LIKE = re.compile(r"\b[A-Z]\w*(?:Runtime|Model|Service|Class)\b")


def path_of(text: str) -> str | None:
    """A code span as the path of a field, without indexes; None where it is none."""
    return re.sub(r"\[\w*\]", "", text) if _PATH.match(text) and not text.isupper() else None


@kind_of_fact("field")
def field_tables(page: Page, world: World) -> Iterator[Finding]:
    """Tables that say which kinds have a field, and what selection does with it."""
    for table in page.tables:
        field, on = (
            table.column(r"\bfield\b|\bset in\b|\bwhere\b"),
            table.column(r"^on$|\bkinds?\b|\bobject|\bresource"),
        )
        if field is None or on is None or field == on:
            continue
        for row in table.rows:
            path = path_of(value_of(row.cells[field]))
            if path is None or not is_field(path):
                continue
            yield judged(True, row.line, f"{path} is a field", "it is", row.cells[field])
            yield from _kinds(row, row.cells[on], path)
            for index, cell in enumerate(row.cells):
                if index not in (field, on):
                    yield from _effect(table, row, cell, path)


def _kinds(row: Row, cell: Text, path: str) -> Iterator[Finding]:
    known = kinds_with(path)
    named = _KIND_LIKE.findall(cell.plain)
    for kind in named:
        yield judged(
            kind in known and named.count(kind) == 1,
            row.line,
            f"{kind} has {path}",
            f"it is a field of {', '.join(sorted(known))}",
            cell,
        )


def _effect(table: Table, row: Row, cell: Text, path: str) -> Iterator[Finding]:
    """`Rejects a model whose size is below it`, and the like."""
    found = re.search(
        r"\b(rejects|passes|accepts)\b[^.]*\bsize is (below|above|under|over|equal to)\b", cell.plain, re.IGNORECASE
    )
    if found and path.split(".")[-1] in ("min", "max"):
        size = {"below": "1B", "under": "1B", "above": "9B", "over": "9B", "equal to": "4B"}[found[2].lower()]
        bounds = ("4B", None) if path.endswith("min") else (None, "4B")
        passes = passes_size(bounds, size)
        actual = f"a model of {size} {'passes' if passes else 'is rejected by'} a bound of 4B"
        yield judged(passes == (found[1].lower() != "rejects"), row.line, cell.plain, actual, cell)
    elif re.search(r"\bcompares it with the runtime's range\b", cell.plain, re.IGNORECASE):
        yield judged(path.endswith("modelParameterSize"), row.line, cell.plain, "it compares modelParameterSize", cell)


@kind_of_fact("class field")
def class_places(page: Page, world: World) -> Iterator[Finding]:
    """Tables of the places where a service names an accelerator class (rule 3)."""
    for table in page.tables:
        for row in table.rows:
            for cell in row.cells:
                for code in cell.codes:
                    if code.text.endswith("acceleratorClass") or ACCELERATOR_CLASS in code.text:
                        counts = _names_a_class(code.text)
                        if counts is not None:
                            yield judged(counts, code.line, f"{code.text} names a class", "it counts for nothing", cell)


def _names_a_class(path: str) -> bool | None:
    """Whether a runtime without classes is rejected when a service sets this field; None for no such field."""
    chosen = AcceleratorSelector(accelerator_class="some-class")
    fields: dict[str, object] = {
        "spec.acceleratorSelector.acceleratorClass": {"accelerator_selector": chosen},
        "spec.engine.acceleratorOverride.acceleratorClass": {"engine": Component(accelerator_override=chosen)},
        "spec.decoder.acceleratorOverride.acceleratorClass": {"decoder": Component(accelerator_override=chosen)},
        "spec.router.acceleratorOverride.acceleratorClass": {"router": Component(accelerator_override=chosen)},
        f'metadata.annotations["{ACCELERATOR_CLASS}"]': {"annotations": {ACCELERATOR_CLASS: "some-class"}},
        ACCELERATOR_CLASS: {"annotations": {ACCELERATOR_CLASS: "some-class"}},
    }
    written = fields.get(path)
    if not isinstance(written, dict):
        return None
    return not judge(runtime(), model(), service(**written)).supports_model


_TYPES = tuple(name for name, value in vars(resources).items() if dataclasses.is_dataclass(value))
_WORDS = (*OPERATORS, *DEPLOYMENT_MODES, *READERS, *_TYPES, *(f"{name}Spec" for name in _TYPES))
_ANNOTATIONS = (ACCELERATOR_CLASS, DEPLOYMENT_MODE, "ome.io/inherit-from", "ome.io/runtime-profile")


@kind_of_fact("name")
def names(page: Page, world: World) -> Iterator[Finding]:
    """Names of fields, kinds, operators, modes and annotations in code spans: known ones, and slips of those."""
    headers = [header for table in page.tables for header in table.headers]
    for sentence in (*page.texts, *headers):
        for code in sentence.codes:
            text = code.text.split(":")[0].strip() if re.match(r"^[\w.\[\]]+:\s", code.text) else code.text
            yield from _name(text, code.line, sentence)
        prose = re.sub(r"`[^`]*`", "", sentence.marked)
        for kind in dict.fromkeys(_KIND_LIKE.findall(prose)):
            near = get_close_matches(kind, READERS, n=1, cutoff=0.85)
            if kind not in READERS and near:
                yield judged(False, sentence.line, f"kind {kind}", f"the kind is {near[0]}", sentence)


def _name(text: str, line: int, sentence: Text) -> Iterator[Finding]:
    if text in _WORDS or text in _ANNOTATIONS or text in all_names() or text in reasons():
        yield judged(True, line, f"{text} is a name of OME's", "")
        return
    near = get_close_matches(text, (*_WORDS, *_ANNOTATIONS, *reasons()), n=1, cutoff=0.88)
    # Names that begin otherwise are other names; no slip is in the first letter.
    if near and near[0][0] == text[0]:
        yield judged(False, line, f"{text} is a name of OME's", f"the name is {near[0]}", sentence)
        return
    path = path_of(text)
    if path is None or not re.search(r"[A-Z.]", path):
        return
    if is_field(path):
        yield judged(True, line, f"{path} is a field", "")
    elif meant := slip_of(path):
        yield judged(False, line, f"{path} is a field", f"the field is {meant}", sentence)
    elif "." in path and path.split(".")[0] in ("spec", "metadata"):
        yield unchecked(line, f"{path} is a field", "selection does not read it")
