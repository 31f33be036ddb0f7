"""What a page says about one object in several places must agree: manifests, tables, prose, and OME's catalog."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from ome_select.conformance.claims import Answer, Claims, Site
from ome_select.conformance.described import FORMAT, FRAMEWORK, PRIORITY, PRODUCT, RANGE, SIZE, Statement
from ome_select.conformance.fact import Finding, judged, unchecked
from ome_select.conformance.facts.explain_output import is_explain, option, printed_rows
from ome_select.conformance.manifests import Document
from ome_select.conformance.messages.grammar import parse_any
from ome_select.conformance.page import Page
from ome_select.conformance.probes import passes_size
from ome_select.conformance.registry import kind_of_fact
from ome_select.conformance.words import NAME, NUMBER, SCALE, scaled, whole
from ome_select.conformance.world import World, catalog
from ome_select.resources import ServingRuntime
from ome_select.sizes import parse_size

claims = Claims()


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
                value = _at(document, path, 1)
                line = document.line_of(*path)
                holds = int(said[group]) == value
                yield judged(holds, line, f"{path[-1]} {value}", f"the text before it has {said[group]}")
                assert intro is not None
                yield judged(holds, intro.line_at(said.start()), said[0], f"{path[-1]} is {value}", intro)


def _told_in_prose(document: Document, world: World) -> Iterator[Finding]:
    """The model's facts in prose, against the entry that is said to match it."""
    for statement in world.statements:
        if statement.role != "model" or statement.source is None or len(statement.path) < 2:
            continue
        written = _at(document, ("spec", "supportedModelFormats", 0, *statement.path[1:]), None)
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
    value = _at(document, path, None)
    if value is not None and expected is not None:
        yield judged(
            value == expected, document.line_of(*path), f"{part} {value} of the entry", f"the model needs {expected}"
        )


def _at(document: Document, path: Any, default: Any) -> Any:
    value: Any = document.value
    try:
        for step in path:
            value = value[step]
    except (KeyError, IndexError, TypeError):
        return default
    return value


_RANGE = r"`(?P<low>[\d.]+[A-Za-z])` to `(?P<high>[\d.]+[A-Za-z])`"


def _named_runtime(site: Site, name: str) -> ServingRuntime | None:
    if re.search(r"\bcatalog\b", site.sentence.marked, re.IGNORECASE):
        return site.world.catalog_runtime(name)
    return site.world.runtime(name)


@claims.says(
    rf"runtime `(?P<name>{NAME})`[^.;]*? (?:supports|takes|accepts) (?:models of "
    rf")?(?P<low>{NUMBER})\s*(?P<scale_low>{SCALE})? (?:to|and) (?P<high>{NUMBER})\s*(?P<scale>{SCALE}) "
    rf"parameters"
)
@claims.says(rf"runtime `(?P<name>{NAME})`[^.;]*? with a range of {_RANGE}")
def range_of(match: re.Match[str], site: Site) -> Answer:
    runtime = _named_runtime(site, match["name"])
    if runtime is None or runtime.model_size_range is None:
        return None
    groups = match.groupdict()
    said = [parse_size(groups["low"]), parse_size(groups["high"])]
    if groups.get("scale"):
        said = [scaled(groups["low"], groups["scale_low"] or groups["scale"]), scaled(groups["high"], groups["scale"])]
    written = runtime.model_size_range
    actual = [parse_size(written.min or ""), parse_size(written.max or "")]
    return said == actual, f"`{runtime.name}` has {written.min} to {written.max}"


@claims.says(
    r"\b(?P<count>both|all|two|three|the) catalog runtimes?(?: (?P<place>above|below))? (?:set|sets) "
    r"`autoSelect: (?P<value>true|false)`"
)
def catalog_auto_select(match: re.Match[str], site: Site) -> Answer:
    place = match["place"] or "above"
    names = {
        code.text
        for text in site.world.page.texts
        if "catalog runtime" in text.plain and (text.line < site.sentence.line) == (place == "above")
        for code in text.codes
    }
    found = [runtime for name in sorted(names) if (runtime := site.world.catalog_runtime(name))]
    if not found:
        return (False, f"no catalog runtime is named {place}") if match["place"] else None
    said = match["value"].lower() == "true"
    actual = {bool(entry.auto_select) for runtime in found for entry in runtime.supported_model_formats}
    right_count = {"both": 2, "two": 2, "three": 3}.get(match["count"].lower(), len(found)) == len(found)
    return actual == {said} and right_count, f"{', '.join(runtime.name for runtime in found)}: {actual}"


@claims.says(rf"\bcatalog runtimes? `(?P<name>{NAME})`")
@claims.says(rf"`(?:[\w.]+: )?(?P<name>{NAME})`, a catalog runtime\b")
def in_catalog(match: re.Match[str], site: Site) -> Answer:
    """A name that is nearly one of the catalog's is a slip; another one may be newer than the catalog that is known."""
    names = [runtime.name for runtime in catalog().runtimes]
    near = get_close_matches(match["name"], names, n=1, cutoff=0.85)
    return (match["name"] in names, f"the catalog has {near[0]}") if near else None


@claims.says(r"\bsets a size (?P<word>inside|outside|within|above|below) (?:that|this|the) range")
def inside_range(match: re.Match[str], site: Site) -> Answer:
    """The model's block that follows, and the range that was shown before."""
    before, after = None, None
    for document in site.world.documents:
        is_before = document.fence.line < site.sentence.line
        bounds, size = _at(document, RANGE, None), _at(document, SIZE, None)
        if is_before and isinstance(bounds, dict):
            before = bounds
        elif not is_before and size is not None and after is None:
            after = size
    if before is None or after is None:
        return None
    bounds = (before.get("min"), before.get("max"))
    passes = passes_size(bounds, str(after))
    return passes == (match["word"].lower() in ("inside", "within")), f"{after} in {bounds[0]} to {bounds[1]}: {passes}"


@kind_of_fact("agreement")
def agreement_claims(page: Page, world: World) -> Iterator[Finding]:
    yield from claims.check(page, world)
    for document in world.documents:
        subject = world.subject_of(document)
        intro = document.fence.intro
        runtime = world.catalog_runtime(subject[1]) if subject and subject[0] == "runtime" else None
        if not document.is_part or runtime is None or intro is None or "catalog" not in intro.plain:
            continue
        if runtime.model_size_range is None:
            yield unchecked(document.line, f"part of {runtime.name}", "the catalog's runtime has no range")
            continue
        for bound in ("min", "max"):
            value = _at(document, (*RANGE, bound), None)
            actual = getattr(runtime.model_size_range, bound)
            if value is not None:
                yield judged(
                    value == actual,
                    document.line_of(*RANGE, bound),
                    f"{runtime.name}: {bound} {value}",
                    f"the catalog has {actual}",
                )
