"""YAML blocks: they read without problems, and what they say agrees with the page (sections 1, 5 and 19)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from ome_select.compiled import DEPLOYMENT_MODE, DEPLOYMENT_MODES
from ome_select.conformance.fact import Finding, judged, unchecked
from ome_select.conformance.fields import children, fields_of
from ome_select.conformance.manifests import Document, Leaf, Unreadable, is_manifest, is_template
from ome_select.conformance.page import Page
from ome_select.conformance.registry import kind_of_fact
from ome_select.conformance.world import World
from ome_select.objects import API_GROUP
from ome_select.readers import READERS
from ome_select.sizes import parse_size
from ome_select.versions import OPERATORS, parse_version

_SIZES = ("min", "max", "modelParameterSize")
_CLOSE = 0.75


@kind_of_fact("manifest")
def manifests(page: Page, world: World) -> Iterator[Finding]:
    for fence in page.fences:
        if is_manifest(fence) and is_template(fence):
            yield unchecked(fence.line, "a YAML block", "it is a template with places to fill in")
    for block in world.blocks:
        if isinstance(block, Unreadable):
            yield judged(False, block.line, "a YAML block", block.message)
        else:
            yield from _document(block, world)


def _document(document: Document, world: World) -> Iterator[Finding]:
    name = f"part of a {document.kind}" if document.is_part else f"{document.kind or document.value.get('kind')}"
    for line, problem in document.problems:
        yield judged(False, line, f"YAML: {name}", f"{problem.field}: {problem.message}")
    if document.kind is None:
        yield from _unknown_kind(document)
        return
    slips = dict.fromkeys(slip for leaf in document.leaves for slip in _slips(leaf, document, world))
    for line, said, actual in slips:
        yield judged(False, line, said, actual)
    if not document.problems and not slips:
        yield judged(True, document.line, f"YAML: {name}", "it reads without problems")


def _unknown_kind(document: Document) -> Iterator[Finding]:
    kind, version = str(document.value.get("kind", "")), str(document.value.get("apiVersion", ""))
    near = get_close_matches(kind, READERS, n=1, cutoff=_CLOSE)
    if kind in READERS and get_close_matches(version.partition("/")[0], [API_GROUP], cutoff=0.6):
        yield judged(False, document.line_of("apiVersion"), f"YAML: {kind} of {version}", f"the group is {API_GROUP}")
    elif near and kind not in READERS and version.partition("/")[0] == API_GROUP:
        yield judged(False, document.line_of("kind"), f"YAML: kind {kind}", f"the kind is {near[0]}")
    else:
        yield unchecked(document.line, f"YAML: {kind or 'a block'}", "it is of no kind that selection reads")


def _slips(leaf: Leaf, document: Document, world: World) -> Iterator[tuple[int, str, str]]:
    """What reads, and is surely not what was meant: a misspelt field, a size that is 0, an unknown operator."""
    assert document.kind is not None
    named = [(step, line) for step, line in zip(leaf.path, leaf.key_lines, strict=True) if isinstance(step, str)]
    names = [step for step, _ in named]
    for depth in range(1, len(named)):
        path, (name, line) = ".".join(names[:depth]), named[depth]
        known = children(document.kind, path)
        if path not in fields_of(document.kind) or path.endswith("annotations") or name in known:
            continue
        if near := get_close_matches(name, known, n=1, cutoff=_CLOSE):
            yield line, f"field {path}.{name}", f"the field is {near[0]}"
    if not names:
        return
    value, last = str(leaf.value), names[-1]
    if last in _SIZES and parse_size(value) == 0 and value not in _spans(world) and value != "0":
        yield leaf.line, f"{last}: {value}", "OME reads it as 0"
    if last == "version" and len(names) > 2 and parse_version(value) is None and value not in _spans(world):
        yield leaf.line, f"{last}: {value}", "it does not parse, so it never matches"
    if last == "operator" and value not in OPERATORS and value not in _spans(world):
        yield leaf.line, f"{last}: {value}", f"the operators are {', '.join(OPERATORS)}"
    is_mode = last in (DEPLOYMENT_MODE, "deploymentMode") and value not in DEPLOYMENT_MODES
    if is_mode and value not in _spans(world) and get_close_matches(value, DEPLOYMENT_MODES, cutoff=_CLOSE):
        yield leaf.line, f"{last}: {value}", f"the modes are {', '.join(sorted(DEPLOYMENT_MODES))}"
    if last == "apiVersion" and value.startswith(f"{API_GROUP}/") and not re.fullmatch(r"ome\.io/v1(?:beta1)?", value):
        yield leaf.line, f"apiVersion: {value}", "the API version is ome.io/v1beta1"


def _spans(world: World) -> set[str]:
    """What the prose of the page quotes: a mistake that it talks about is meant."""
    return {code.text for text in world.page.texts for code in text.codes}
