"""What prose and tables say about webhooks, events, conditions, labels and logs (docs/rules.md, sections 10 to 15)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from ome_select.admission import admit
from ome_select.aftermath import Aftermath
from ome_select.cluster import Cluster
from ome_select.conformance import probes
from ome_select.conformance.claims import Answer, Claims, Site
from ome_select.conformance.fact import Finding
from ome_select.conformance.messages.answers import aftermaths
from ome_select.conformance.page import Page
from ome_select.conformance.registry import kind_of_fact
from ome_select.conformance.world import World
from ome_select.controller import after_admission
from ome_select.resources import Component, InferenceService, ModelRef, PodGroup, RuntimeRef, ServingRuntime

claims = Claims()

_MISMATCH = "zz"


def _service(**fields: object) -> InferenceService:
    written: dict[str, object] = {"engine": Component(), "model": ModelRef(name=probes.MODEL.name)}
    return InferenceService(name="service", namespace=probes.NAMESPACE, **(written | fields))  # type: ignore[arg-type]


def _after(service: InferenceService, *objects: object) -> Aftermath:
    return after_admission(Cluster([*objects, service]), service)  # type: ignore[list-item]


def _mismatched(*, auto_sync: bool = True) -> InferenceService:
    """A service that names a runtime which does not declare support."""
    return _service(
        runtime=RuntimeRef(name="runtime", auto_sync=auto_sync), annotations={"ome.io/accelerator-class": _MISMATCH}
    )


@claims.says(r"`(?P<type>[A-Z]\w+)` to `(?P<status>True|False)`(?P<rest>[^.]*\breason `(?P<reason>\w+)`)?")
def condition(match: re.Match[str], site: Site) -> Answer:
    """Where no runtime passes, a condition shows it, and an event with the same reason."""
    after = _after(_service(), probes.MODEL)
    said = (match["type"], match["status"] == "True", match["reason"])
    for found in after.conditions:
        reason = found.reason if match["reason"] else None
        if (found.type, found.status, reason) == said:
            return True, f"{found.type} is {found.status}, with the reason {found.reason}"
    actual = ", ".join(f"{found.type} to {found.status} with {found.reason}" for found in after.conditions)
    return False, f"OME sets {actual}"


@claims.says(
    r"`(?P<reason>[A-Z]\w+)` (?P<type>Warning|Normal) event"
    r"(?P<unless>,? (?P<word>unless|when|if) `(?:spec\.runtime\.)?autoSync` is `(?P<value>true|false)`)?"
)
def event(match: re.Match[str], site: Site) -> Answer:
    known = {found.reason: found.type for after in aftermaths() for found in after.events}
    if match["reason"] not in known:
        return False, f"the reasons of events are {', '.join(sorted(known))}"
    if known[match["reason"]] != match["type"]:
        return False, f"it is a {known[match['reason']]} event"
    if match["unless"] is None or match["reason"] != "RuntimeCompatibilityAdvisory":
        return True, "OME records it"
    seen = {
        sync: any(
            found.reason == match["reason"]
            for found in _after(_mismatched(auto_sync=sync), probes.MODEL, probes.runtime()).events
        )
        for sync in (True, False)
    }
    value = match["value"].lower() == "true"
    holds = (
        seen[not value] and not seen[value]
        if match["word"].lower() == "unless"
        else seen[value] and not seen[not value]
    )
    return holds, f"with autoSync true: {seen[True]}, with false: {seen[False]}"


@claims.says(r"\breason `(?P<reason>Runtime\w+)`")
def reason_of_event(match: re.Match[str], site: Site) -> Answer:
    return match["reason"] in reasons(), f"the reasons are {', '.join(sorted(reasons()))}"


@cache
def reasons() -> frozenset[str]:
    """The reasons of all events and conditions."""
    events = {found.reason for after in aftermaths() for found in after.events}
    return frozenset(events | {found.reason for after in aftermaths() for found in after.conditions})


@claims.says(r"\bshows? (?:this|the|such a) runtime as `(?P<word>Yes|No)`,? with the reason")
def shown_as(match: re.Match[str], site: Site) -> Answer:
    return (match["word"] == "No") == (probes.judge(probes.runtime(disabled=True)).reason is not None), (
        "a runtime with a reason is a No row"
    )


_SITUATION = re.compile(
    r"\b(?:(no|another|every|all) (?:other )?runtimes? (pass|qualif|fit|fail)|names (?:the|a) runtime)", re.IGNORECASE
)


def _situation(site: Site) -> tuple[InferenceService, tuple[ServingRuntime, ...]] | None:
    """The service and the runtimes that the first cell of a row tells of."""
    told = next((cell.plain for cell in site.row if _SITUATION.search(cell.plain)), "")
    good, bad = probes.runtime("good"), probes.runtime("bad", disabled=True)
    found = _SITUATION.search(told)
    if found is None:
        return None
    if found[1] is None:
        return _mismatched(), (probes.runtime(),)
    is_good = (found[2].lower() != "fail") != (found[1].lower() == "no")
    others = {"no": (), "another": (bad,), "every": (), "all": ()}[found[1].lower()]
    return _service(), (*others, good if is_good else bad) if (is_good or not others) else others


@claims.says(r"\bthe webhook (?P<word>warns|rejects|denies|accepts|admits|allows)\b")
def answers(match: re.Match[str], site: Site) -> Answer:
    """In a table of situations, the row says which one this is."""
    situation = _situation(site)
    if situation is None:
        return None
    answer = admit(Cluster([probes.MODEL, *situation[1]]), situation[0])
    actual = "rejects" if not answer.allowed else "warns" if "not declare" in " ".join(answer.warnings) else "accepts"
    said = {"denies": "rejects", "admits": "accepts", "allows": "accepts"}.get(
        match["word"].lower(), match["word"].lower()
    )
    return said == actual, f"the webhook {actual}"


@claims.says(r"\bpicks from the runtimes that (?P<word>pass|fail), with (?P<event>no|an) event")
def picks_quietly(match: re.Match[str], site: Site) -> Answer:
    situation = _situation(site)
    if situation is None:
        return None
    after = _after(situation[0], probes.MODEL, *situation[1])
    quiet = not after.events and after.runtime is not None
    return match["word"].lower() == "pass" and quiet == (match["event"].lower() == "no"), (
        f"OME picks {after.runtime.name if after.runtime else 'none'}, events: {len(after.events)}"
    )


@claims.says(
    r"\bwebhook checks only InferenceServices with an? `?(?P<field>\w+)`? section, and leaves "
    r"auto-selection until (?P<when>after|before) "
    r"admission when the engine sets `?(?P<one>[\w.]+)`?, or (?P<both>both|either) `(?P<two>[\w.]+)` "
    r"(?:and|or) `(?P<three>[\w.]+)`"
)
def left_until_later(match: re.Match[str], site: Site) -> Answer:
    """Without an engine, and with an engine that brings its images, the webhook does not select."""
    if match["field"] != "engine" or admit(Cluster([probes.MODEL]), _service(engine=None)).message is not None:
        return False, "without an engine section nothing is checked"
    named = [match[name] for name in ("one", "two", "three")]
    leaves = {
        "engine.runner.image": _leaves(Component(runner_image="i")),
        "engine.leader.runner.image": _leaves(Component(leader=PodGroup(runner_image="i"), worker=PodGroup())),
        "engine.worker.runner.image": _leaves(Component(leader=PodGroup(), worker=PodGroup(runner_image="i"))),
    }
    both = _leaves(Component(leader=PodGroup(runner_image="i"), worker=PodGroup(runner_image="i")))
    pair = {"engine.leader.runner.image", "engine.worker.runner.image"}
    right = named[0] == "engine.runner.image" and {named[1], named[2]} == pair and match["both"].lower() == "both"
    right = right and match["when"].lower() == "after"
    return right and leaves["engine.runner.image"] and both and not (leaves[named[1]] or leaves[named[2]]), (
        "it leaves it with engine.runner.image, or both engine.leader.runner.image and engine.worker.runner.image"
    )


def _leaves(engine: Component) -> bool:
    return admit(Cluster([probes.MODEL]), _service(engine=engine)).message is None


def _selected() -> Aftermath:
    return _after(_service(), probes.MODEL, probes.runtime())


@claims.says(r"`(?P<label>[\w./-]+)` label on the (?:serving )?workload")
def label(match: re.Match[str], site: Site) -> Answer:
    names = {name for labels in _selected().labels.values() for name in labels} if _selected().labels else set()
    return match["label"] in names, f"the labels are {', '.join(sorted(names))}"


@claims.says(r"`(?P<line>[A-Z][\w -]+)` lines? in the manager's logs?")
def log_line(match: re.Match[str], site: Site) -> Answer:
    known = {line.message for line in _selected().logs}
    return match["line"] in known, f"the lines are {', '.join(sorted(known))}"


def _log_fields() -> dict[str, object]:
    return dict(next(line for line in _selected().logs if "isCluster" in line.fields).fields)


@claims.says(
    r"\b(?:runtime in|its) `(?P<field>\w+)`(?=[^.]*`isCluster`)|`(?P<last>\w+)`, which is "
    r"`(?P<value>true|false)` for an? (?P<kind>ClusterServingRuntime|ServingRuntime)"
)
def log_fields(match: re.Match[str], site: Site) -> Answer:
    name = match["field"] or match["last"]
    fields = _log_fields()
    if name not in fields:
        return False, f"the fields are {', '.join(fields)}"
    if match["value"] is None:
        return True, "the line has it"
    is_cluster = match["kind"].lower() == "clusterservingruntime"
    return name == "isCluster" and (match["value"].lower() == "true") == (is_cluster == fields["isCluster"]), (
        f"isCluster is {fields['isCluster']} for a ClusterServingRuntime"
    )


@claims.says(
    r"\bInferenceService's status (?P<word>doesn't|does not|does) record the choice|\bstatus "
    r"(?P<also>does not|doesn't) record"
)
def status(match: re.Match[str], site: Site) -> Answer:
    recorded = any(value == "runtime" for found in _selected().conditions for value in (found.message, found.reason))
    return recorded == ((match["word"] or match["also"]).lower() == "does"), "the status does not record the choice"


@kind_of_fact("after admission")
def aftermath_claims(page: Page, world: World) -> Iterator[Finding]:
    yield from claims.check(page, world)
