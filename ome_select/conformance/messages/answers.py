"""What the webhooks and the controller say in each situation, and the words that they use (sections 13 to 16)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import cache
from typing import Any

from ome_select.admission import admit
from ome_select.admission.runtimes import priority_clash
from ome_select.aftermath import Aftermath
from ome_select.class_constraints import exclusion
from ome_select.cluster import Cluster
from ome_select.conformance import probes
from ome_select.conformance.messages.situations import runtime, runtimes, services
from ome_select.conformance.messages.stand_ins import FORMAT, NAMESPACE, OTHER, REASON, RUNTIME, SERVICE, Provoked
from ome_select.controller import after_admission
from ome_select.errors import (
    InvalidModelError,
    NoRuntimeFoundError,
    OmeSelectError,
    ParentNotFoundError,
    RuntimeDisabledError,
    RuntimeMismatchError,
    RuntimeNotFoundError,
)
from ome_select.inheritance import profile_fault
from ome_select.resources import AcceleratorClass, AcceleratorConstraints


def _inner() -> dict[str, str]:
    """The messages that stand inside others, with the slot that each of them makes."""
    unlisted = probes.service(annotations={"ome.io/accelerator-class": "other"})
    reason = probes.judge(probes.runtime(), isvc=unlisted).reason or ""
    return {
        str(RuntimeMismatchError(RUNTIME, subject="", reason=reason)): "mismatch",
        str(RuntimeNotFoundError(RUNTIME, NAMESPACE, namespaced_only=False)): "fault",
        str(RuntimeDisabledError(RUNTIME, is_cluster=True)): "fault",
        str(ParentNotFoundError(OTHER, [RUNTIME])): "fault",
        str(InvalidModelError()): "error",
        str(NoRuntimeFoundError(model_format=FORMAT, namespace=NAMESPACE, checked=(0, 0), excluded=())): "error",
    }


@cache
def aftermaths() -> tuple[Aftermath, ...]:
    """What the controller does in each situation that gets to it."""
    found = []
    for objects, service in services():
        for had_runtime_ready in (False, True):
            try:
                after = after_admission(Cluster([*objects, service]), service, had_runtime_ready=had_runtime_ready)
            except OmeSelectError:
                # The rules do not say what happens, or the webhook keeps the service from getting there.
                continue
            found.append(after)
    return tuple(found)


def provoked_controller() -> Iterator[Provoked]:
    """The messages of events, and the lines of the manager's log (section 15)."""
    for after in aftermaths():
        for event in after.events:
            if event.message:
                yield Provoked(family="message", text=event.message, stand_ins=_inner())
        for line in after.logs:
            yield Provoked(family="message", text=line.message)


def provoked_webhooks() -> Iterator[Provoked]:
    """What the webhooks deny and what they warn of."""
    requests: list[tuple[list[Any], Any]] = [*services(), *(([], runtime) for runtime in runtimes())]
    inner = _inner()
    webhooks: set[str] = set()
    for objects, applied in requests:
        answer = admit(Cluster(objects), applied)
        stand_ins = inner | {SERVICE.upper(): "service"}
        for warning in answer.warnings:
            yield Provoked(family="message", text=warning, stand_ins=stand_ins)
        if answer.message is not None:
            yield Provoked(family="message", text=answer.message, stand_ins=stand_ins)
            prefix = (answer.denial or "").removesuffix(answer.message)
            webhooks.add(prefix)
    entries = (probes.entry(name=OTHER, priority=1),)
    for is_cluster in (True, False):
        new = runtime(is_cluster=is_cluster, supported_model_formats=entries, protocol_versions=("openAI",))
        clash = priority_clash(new, dataclasses.replace(new, name=REASON)) or ""
        yield Provoked(family="message", text=clash, stand_ins={REASON: "existing"})
    fault = profile_fault(runtime(annotations={"ome.io/runtime-profile": "true"}))
    yield Provoked(family="message", text=fault or "")
    for prefix in sorted(webhooks):
        yield Provoked(family="denial", text=f"{prefix}{REASON}", stand_ins={REASON: "denied"})


def provoked_classes() -> Iterator[Provoked]:
    """Why constraints rule out a class, and what is said when a class is missing (sections 15 and 16.2)."""
    cls = AcceleratorClass(name="c", vendor="v", family=OTHER, memory_gb="771Gi", compute_capability=OTHER)
    bare = AcceleratorClass(name="c")
    for constraints, of in (
        (AcceleratorConstraints(excluded_classes=("c",)), cls),
        (AcceleratorConstraints(architecture_families=("x",)), cls),
        (AcceleratorConstraints(min_memory=772), bare),
        (AcceleratorConstraints(min_memory=772), cls),
        (AcceleratorConstraints(max_memory=770), cls),
        (AcceleratorConstraints(required_features=(REASON,)), cls),
        (AcceleratorConstraints(min_architecture_version="zzz"), bare),
        (AcceleratorConstraints(min_architecture_version="zzzneeded"), cls),
    ):
        stand_ins = {"771": "n", "772": "b", "770": "b", REASON: "feature", "zzzneeded": "needed"}
        yield Provoked(family="message", text=exclusion(of, constraints) or "", stand_ins=stand_ins)
