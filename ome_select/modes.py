"""The deployment mode of a component once the runtime is known (docs/rules.md, sections 15, 18.4 and 20)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ome_select.compiled import DEPLOYMENT_MODE, RELEASE_MODES
from ome_select.releases import DEFAULT_RELEASE, Release
from ome_select.resources import Component, InferenceService, ServingRuntime

ComponentName = Literal["engine", "decoder", "router"]
ModeSource = Literal["ServiceAnnotation", "ComponentAnnotation", "ServiceSpec", "LeaderWorkerShape", "Default"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ComponentMode:
    """A component's deployment mode and what decides it; it prints as `kubectl ome runtime effective` does."""

    component: ComponentName
    mode: str
    source: ModeSource

    def __str__(self) -> str:
        return f"{self.mode} ({self.source})"


@dataclass(frozen=True, kw_only=True, slots=True)
class _ModeRules:
    """Where the releases differ: the modes that an annotation and the spec may name, and that of a multi-node shape."""

    in_annotation: frozenset[str]
    in_spec: frozenset[str]
    leader_worker: str


_RULES: Mapping[Release, _ModeRules] = {
    "v1.3": _ModeRules(
        in_annotation=RELEASE_MODES["v1.3"],
        in_spec=frozenset({"OMENative", "RawDeployment"}),
        leader_worker="OMENative",
    ),
    # That v1.2.2 passes over values that it does not know is inferred.
    "v1.2.2": _ModeRules(
        in_annotation=RELEASE_MODES["v1.2.2"],
        in_spec=frozenset({"RawDeployment"}),
        leader_worker="MultiNode",
    ),
}


def component_mode(
    service: InferenceService,
    runtime: ServingRuntime | None,
    component: ComponentName,
    *,
    release: Release = DEFAULT_RELEASE,
) -> ComponentMode | None:
    """The deployment mode that a component of a service gets, and why.

    Args:
        service: the InferenceService.
        runtime: the runtime in use, merged if it was named; None where there is none.
        component: `engine`, `decoder` or `router`.
        release: whose rules count.

    Returns:
        The mode; None for a component that the service does not declare, which gets no workload.

    Source: docs/rules.md, section 18.4; section 15 for the sources; section 20 for the releases.
    """
    declared: Component | None = getattr(service, component)
    if declared is None:
        return None
    provided: Component | None = None if runtime is None else getattr(runtime, component)
    mode, source = _decide(service, declared, provided, component, _RULES[release])
    return ComponentMode(component=component, mode=mode, source=source)


def _decide(
    service: InferenceService,
    declared: Component,
    provided: Component | None,
    component: ComponentName,
    rules: _ModeRules,
) -> tuple[str, ModeSource]:
    # On the service itself only this one mode acts, and it acts on the whole service.
    if service.annotations.get(DEPLOYMENT_MODE) == "VirtualDeployment":
        return "VirtualDeployment", "ServiceAnnotation"
    # The service's annotations are laid over the runtime's, so an unknown mode there also hides the runtime's mode.
    annotations = {**(provided.annotations if provided else {}), **declared.annotations}
    annotated = annotations.get(DEPLOYMENT_MODE)
    if annotated in rules.in_annotation:
        return annotated, "ComponentAnnotation"
    if service.deployment_mode in rules.in_spec:
        return service.deployment_mode, "ServiceSpec"
    if component != "router" and any(part and (part.leader or part.worker) for part in (declared, provided)):
        return rules.leader_worker, "LeaderWorkerShape"
    return "RawDeployment", "Default"
