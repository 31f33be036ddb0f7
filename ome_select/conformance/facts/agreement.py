"""What a page says about one object in several places must agree: manifests, tables, prose, and OME's catalog."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ome_select.conformance.described import FORMAT, FRAMEWORK, PRIORITY, PRODUCT, SIZE, Statement
from ome_select.conformance.fact import Finding, judged
from ome_select.conformance.facts.explain_output import is_explain, option, printed_rows
from ome_select.conformance.manifests import Document
from ome_select.conformance.messages.grammar import parse_any
from ome_select.conformance.page import Page
from ome_select.conformance.registry import kind_of_fact
from ome_select.conformance.words import whole
from ome_select.conformance.world import World


def _testimony(world: World) -> Iterator[Statement]:
    """What printed tables say about runtimes: it describes none, and must agree with what does."""
    for fence in world.page.fences:
        if not is_explain(fence):
            continue
        space = option(fence.command or "", "-n", "--namespace")
        for row in printed_rows(fence)[1]:
            if len(row.cells) < 6 or row.cells[2] != "Yes":
                continue
            kind = {"Namespaced": "ServingRuntime", "Cluster": "ClusterServingRuntime"}.get(row.cells[1], row.cells[1])
            told: list[tuple[Any, Any]] = [
                (("kind",), kind),
                (PRIORITY, whole(row.cells[3]) or row.cells[3]),
            ]
            if kind == "ServingRuntime" and space:
                told.append((("metadata", "namespace"), space))
            for path, value in told:
                yield Statement(
                    page=world.page.path, role="runtime", name=row.cells[0], path=path, value=value, line=row.line
                )


def _sizes_in_messages(world: World) -> Iterator[Statement]:
    """The size in a printed reason is that of the page's only model."""
    models = {statement.name for statement in world.statements if statement.path == SIZE}
    if len(models) != 1:
        return
    for fence in world.page.fences:
        for index, line in enumerate(fence.text.splitlines()):
            parsed = parse_any(line.strip()) if "model size" in line else None
            for part in parsed.all() if parsed else ():
                if part.template.key == "size" and not part.values["size"].startswith("<"):
                    yield Statement(
                        page=world.page.path,
                        role="model",
                        name=min(models),
                        path=SIZE,
                        value=part.values["size"],
                        line=fence.first_line + index,
                    )


def _told(world: World) -> list[Statement]:
    """All statements of all pages: an object of one name is one object."""
    told: list[Statement] = []
    for page in world.pages.values():
        other = world if page is world.page else World(page=page, pages=world.pages)
        told += [*other.statements, *_testimony(other), *_sizes_in_messages(other)]
    return told


@kind_of_fact("agreement")
def agreement(page: Page, world: World) -> Iterator[Finding]:
    """Each statement of this page against all others about the same field; the rarer value is the wrong one."""
    by_field: dict[Any, list[Statement]] = {}
    for statement in _told(world):
        by_field.setdefault((statement.role, statement.name, statement.path), []).append(statement)
    for (role, name, path), told in by_field.items():
        values = Counter(str(statement.value) for statement in told)
        most = max(values.values())
        usual = {value for value, count in values.items() if count == most}
        shown = ".".join(str(step) for step in path)
        for statement in told:
            if statement.page != page.path or len(told) < 2:
                continue
            holds = len(values) == 1 or (len(usual) == 1 and str(statement.value) in usual)
            others = ", ".join(f"{other.value} (line {other.line})" for other in told if other.value != statement.value)
            yield judged(
                holds,
                statement.line,
                f"{role} {name}: {shown} is {statement.value}",
                f"elsewhere: {others}" if others else "the same elsewhere",
                statement.source,
            )


@kind_of_fact("agreement")
def entries_match(page: Page, world: World) -> Iterator[Finding]:
    """An entry that is shown for a runtime of the worked example matches the page's model, and gives its score."""
    models = [model for model in world.models if model.model_format]
    for document in world.documents:
        subject = world.subject_of(document)
        runtime = world.runtime(subject[1]) if subject and subject[0] == "runtime" else None
        if not document.is_part or runtime is None or len(models) != 1 or world.is_change(document):
            continue
        model = models[0]
        yield from _told_in_prose(document, world)
        for part, expected in (("modelFormat", model.model_format), ("modelFramework", model.model_framework)):
            for field in ("name", "version"):
                yield from _leaf(document, part, field, getattr(expected, field, None))
        yield from _leaf(document, "modelArchitecture", None, model.model_architecture)
        yield from _leaf(document, "autoSelect", None, True)
        intro = document.fence.intro
        said = PRODUCT.search(intro.marked) if intro else None
        if said:
            for path, group in (
                ((*FORMAT, "weight"), "format"),
                ((*FRAMEWORK, "weight"), "framework"),
                (PRIORITY, "priority"),
            ):
                value = document.at(*path) or 1
                line = document.line_of(*path)
                holds = int(said[group]) == value
                yield judged(holds, line, f"{path[-1]} {value}", f"the text before it has {said[group]}")
                assert intro is not None
                yield judged(
                    holds, intro.line_at(said.start()), said[0], f"{path[-1]} is {value}", intro.part(*said.span())
                )


def _told_in_prose(document: Document, world: World) -> Iterator[Finding]:
    """The model's facts in prose, against the entry that is said to match it."""
    for statement in world.statements:
        if statement.role != "model" or statement.source is None or len(statement.path) < 2:
            continue
        written = document.at("spec", "supportedModelFormats", 0, *statement.path[1:])
        if written is not None:
            shown = ".".join(map(str, statement.path[1:]))
            yield judged(
                written == statement.value,
                statement.line,
                f"the model's {shown} is {statement.value}",
                f"the entry that matches it has {written}",
                statement.source,
            )


def _leaf(document: Document, part: str, field: str | None, expected: object) -> Iterator[Finding]:
    path = ("spec", "supportedModelFormats", 0, part, *((field,) if field else ()))
    value = document.at(*path)
    if value is not None and expected is not None:
        yield judged(
            value == expected, document.line_of(*path), f"{part} {value} of the entry", f"the model needs {expected}"
        )
