"""Worked numbers in prose and cells: products, scores of named runtimes, and what a change would do (section 8)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ome_select.cluster import Cluster
from ome_select.conformance.claims import Answer, Claims, Site
from ome_select.conformance.described import PRODUCT
from ome_select.conformance.fact import Finding
from ome_select.conformance.facts.worked_example import decision_for_tables
from ome_select.conformance.page import Page, Text
from ome_select.conformance.probes import score
from ome_select.conformance.registry import kind_of_fact
from ome_select.conformance.words import NAME, NUMBER, WHOLE, number
from ome_select.conformance.world import World
from ome_select.decision import Decision
from ome_select.selection import Selector
from ome_select.sizes import parse_size

claims = Claims()

_NUMBER = rf"(?:{NUMBER})"
_PRODUCT = rf"{PRODUCT.pattern}\s*(?:=|is|gives)\s*(?P<result>{WHOLE})"


@claims.says(_PRODUCT)
def product(match: re.Match[str], site: Site) -> Answer:
    """OME scores an entry with these weights and this priority; a weight of 0 counts as more."""
    weights = {"weight": int(match["format"]), "framework_weight": int(match["framework"])}
    priority = int(match["priority"])
    written = (weights["weight"] + weights["framework_weight"]) * priority
    actual = score(priority=priority, **weights) if 0 not in weights.values() and written > 0 else written
    return int(match["result"]) == actual, f"({match['format']} + {match['framework']}) × {priority} = {actual}"


def _paragraph(site: Site) -> Text | None:
    """The paragraph that a sentence stands in."""
    return next(
        (
            paragraph.text
            for paragraph in site.world.page.paragraphs
            if site.sentence.marked in paragraph.text.marked and paragraph.line <= site.sentence.line
        ),
        None,
    )


_RAISE = re.compile(
    rf"`(?P<name>{NAME})`[^.;]*?,? (?:raise|set|lower|increase|change) its `priority` to (?P<priority>{_NUMBER})"
    rf"|\bwith (?:a )?`?priority`? (?:of )?(?P<with>{_NUMBER}), `(?P<it>{NAME})`",
    re.IGNORECASE,
)


def _changed(site: Site) -> tuple[Cluster, str] | None:
    """The page's cluster with the priority that the paragraph gives to one of its runtimes, and that runtime."""
    paragraph = _paragraph(site)
    found = _RAISE.search(paragraph.marked) if paragraph else None
    if found is None:
        return None
    name, priority = found["name"] or found["it"], number(found["priority"] or found["with"])
    runtime = site.world.runtime(name)
    if runtime is None:
        return None
    place = runtime.kind if runtime.namespace is None else f"{runtime.kind}/{runtime.namespace}"
    cluster = site.world.cluster.replace(f"{place}/{name}", priority=int(priority))
    return cluster, name


def _decide(cluster: Cluster, world: World) -> Decision | None:
    usual = decision_for_tables(world)
    return None if usual is None else Selector(cluster, usual.namespace).explain(usual.model)


def _decision(site: Site) -> Decision | None:
    """What OME decides after the change that the paragraph tells of, or as things are."""
    changed = _changed(site)
    return _decide(changed[0] if changed else site.world.cluster, site.world)


_NEEDS = "the page does not describe the runtimes and the model"


@claims.says(
    rf"`(?P<name>{NAME})` (?:the )?(?P<place>first|second|third|last) "
    rf"(?P<kind>ClusterServingRuntime|ServingRuntime|runtime)\b",
    needs=_NEEDS,
)
def place_of(match: re.Match[str], site: Site) -> Answer:
    decision = _decision(site)
    if decision is None:
        return None
    ranked = [row.name for row in decision.ranked if match["kind"].lower() in (row.runtime.kind.lower(), "runtime")]
    index = {"first": 0, "second": 1, "third": 2, "last": -1}[match["place"].lower()]
    actual = ranked[index] if ranked and -len(ranked) <= index < len(ranked) else "none"
    return actual == match["name"], f"the {match['place']} {match['kind']} is {actual}"


_SCORES = rf"(?:then )?scores (?:`?\([^=`]*=\s*)?(?P<score>{_NUMBER})"


@claims.says(rf"\bit {_SCORES}")
@claims.says(rf"`(?P<name>{NAME})`[^`.;]*? {_SCORES}", needs=_NEEDS)
def scores(match: re.Match[str], site: Site) -> Answer:
    named = match.groupdict().get("name")
    changed = _changed(site)
    name = named or (changed[1] if changed else None)
    decision = _decision(site)
    if name is None or decision is None or name not in {row.name for row in decision.rows}:
        return None
    actual = decision.row(name).score
    return actual == number(match["score"]), f"`{name}` scores {actual}"


@claims.says(rf"\b(?P<word>above|below|over|under|equal to) `(?P<name>{NAME})`'s (?P<score>{_NUMBER})", needs=_NEEDS)
def above(match: re.Match[str], site: Site) -> Answer:
    decision, changed = _decision(site), _changed(site)
    if decision is None or match["name"] not in {row.name for row in decision.rows}:
        return None
    other = decision.row(match["name"]).score
    own = next((row.score for row in decision.rows if changed and row.name == changed[1]), None)
    relation = {
        "above": own is None or own > other,
        "over": own is None or own > other,
        "below": own is None or own < other,
        "under": own is None or own < other,
        "equal to": own is None or own == other,
    }[match["word"].lower()]
    return other == number(match["score"]) and relation, f"`{match['name']}` scores {other}, the changed one {own}"


@claims.says(rf"`(?P<name>{NAME})` (?:still |always )?(?P<word>wins|loses)(?: in `(?P<space>{NAME})`)?", needs=_NEEDS)
def wins(match: re.Match[str], site: Site) -> Answer:
    usual, changed = decision_for_tables(site.world), _changed(site)
    if usual is None:
        return None
    cluster = changed[0] if changed else site.world.cluster
    space = match["space"] or usual.namespace
    known = {runtime.namespace for runtime in cluster.runtimes} | {usual.namespace}
    selected = Selector(cluster, space).explain(usual.model).selected
    holds = (selected == match["name"]) == (match["word"].lower() == "wins") and space in known
    return holds, f"OME selects {selected} in {space}" if space in known else f"the page has no namespace {space}"


@claims.says(
    rf"\b(?:the )?(?P<count>{NUMBER}) (?P<kind>ClusterServingRuntimes|ServingRuntimes|runtimes) tie at "
    rf"(?P<score>{_NUMBER})",
    needs=_NEEDS,
)
def ties(match: re.Match[str], site: Site) -> Answer:
    decision = decision_for_tables(site.world)
    if decision is None:
        return None
    kind = match["kind"].lower().rstrip("s")
    tied = [
        row.name
        for row in decision.ranked
        if row.score == number(match["score"]) and (kind == "runtime" or row.runtime.kind.lower() == kind)
    ]
    return len(tied) == number(match["count"]), f"{len(tied)} have this score: {', '.join(tied) or 'none'}"


@claims.says(r"\bits distance is (?P<distance>`?[\w.]+`?)")
@claims.says(r"\bit has (?P<range>no|a|an) (?:size )?range")
@claims.says(r"\bit has the (?P<rank>lowest|highest) score")
def about_item(match: re.Match[str], site: Site) -> Answer:
    """An item of a list that begins with a runtime goes on about it."""
    paragraph, decision = _paragraph(site), decision_for_tables(site.world)
    name = paragraph.codes[0].text if paragraph and paragraph.codes else ""
    if decision is None or name not in {row.name for row in decision.ranked}:
        return None
    row, groups = decision.row(name), match.groupdict()
    if groups.get("distance"):
        shown = groups["distance"].strip("`.")
        return parse_size(shown) == row.distance, f"its distance is {row.distance:g}"
    if groups.get("range"):
        return (row.runtime.model_size_range is None) == (groups["range"].lower() == "no"), (
            f"its range is {row.runtime.model_size_range}"
        )
    scores = [other.score for other in decision.ranked]
    extreme = min(scores) if groups["rank"].lower() == "lowest" else max(scores)
    return row.score == extreme, f"the scores are {', '.join(map(str, scores))}"


@claims.says(
    rf"`(?P<name>{NAME})`, the (?P<word>only|first|last) (?P<kind>ServingRuntime|ClusterServingRuntime)\b", needs=_NEEDS
)
def only_one(match: re.Match[str], site: Site) -> Answer:
    decision = decision_for_tables(site.world)
    if decision is None:
        return None
    same = [row.name for row in decision.rows if row.runtime.kind.lower() == match["kind"].lower()]
    holds = {
        "only": same == [match["name"]],
        "first": same[:1] == [match["name"]],
        "last": same[-1:] == [match["name"]],
    }
    return holds[match["word"].lower()], f"each {match['kind']}: {', '.join(same) or 'none'}"


@claims.says(
    rf"`(?P<one>{NAME})`, whose range is (?P<word>narrower|wider|smaller|larger) than `(?P<two>{NAME})`'s", needs=_NEEDS
)
def narrower(match: re.Match[str], site: Site) -> Answer:
    decision = decision_for_tables(site.world)
    if decision is None or not {match["one"], match["two"]} <= {row.name for row in decision.rows}:
        return None
    one, two = (decision.row(match[name]).distance or 0.0 for name in ("one", "two"))
    return (one < two) == (match["word"].lower() in ("narrower", "smaller")), f"the distances are {one:g} and {two:g}"


@claims.says(
    rf"\b(?:cluster|page) has (?P<count>{NUMBER}) runtimes(?:, each with (?P<entries>one|two|an?) "
    rf"entr(?:y|ies) that matches the model and sets `autoSelect: (?P<auto>true|false)`)?",
    needs=_NEEDS,
)
def how_many(match: re.Match[str], site: Site) -> Answer:
    decision = decision_for_tables(site.world)
    if decision is None:
        return None
    # Runtimes that are told of like this all rank, which they do only with autoSelect: true.
    actual = len(decision.rows)
    right = number(match["count"]) == actual and (match["auto"] or "true").lower() == "true"
    return right and (
        match["entries"] or "one"
    ).lower() != "two", f"there are {actual}, and {len(decision.ranked)} rank"


@kind_of_fact("arithmetic")
def arithmetic(page: Page, world: World) -> Iterator[Finding]:
    yield from claims.check(page, world)
