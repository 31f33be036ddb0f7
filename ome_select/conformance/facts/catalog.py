"""What prose and parts of manifests say about runtimes of OME's public catalog, and about ranges shown nearby."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from ome_select.conformance.claims import Answer, Claims, Site
from ome_select.conformance.described import RANGE, SIZE
from ome_select.conformance.fact import Finding, judged, unchecked
from ome_select.conformance.page import Page
from ome_select.conformance.probes import passes_size
from ome_select.conformance.registry import kind_of_fact
from ome_select.conformance.words import NAME, NUMBER, SCALE, scaled
from ome_select.conformance.world import World, catalog
from ome_select.resources import ServingRuntime
from ome_select.sizes import parse_size

claims = Claims()

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
        bounds, size = document.at(*RANGE), document.at(*SIZE)
        if is_before and isinstance(bounds, dict):
            before = bounds
        elif not is_before and size is not None and after is None:
            after = size
    if before is None or after is None:
        return None
    bounds = (before.get("min"), before.get("max"))
    passes = passes_size(bounds, str(after))
    return passes == (match["word"].lower() in ("inside", "within")), f"{after} in {bounds[0]} to {bounds[1]}: {passes}"


@kind_of_fact("catalog")
def catalog_claims(page: Page, world: World) -> Iterator[Finding]:
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
            value = document.at(*RANGE, bound)
            actual = getattr(runtime.model_size_range, bound)
            if value is not None:
                yield judged(
                    value == actual,
                    document.line_of(*RANGE, bound),
                    f"{runtime.name}: {bound} {value}",
                    f"the catalog has {actual}",
                )
