"""What the webhooks for ServingRuntimes and ClusterServingRuntimes check, in order (docs/rules.md, sections 14 and 20).

A step gives the reason to deny the runtime, or None. All of them read the runtime's own spec (rule 12.5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ome_select.admission.answer import Request
from ome_select.compiled import DEPLOYMENT_MODE
from ome_select.errors import InheritanceError
from ome_select.inheritance import inheritance_chain, profile_fault
from ome_select.resources import Component, ServingRuntime, SupportedModelFormat, VersionedName

Step = Callable[[Request, ServingRuntime], str | None]


def profile_marker(request: Request, runtime: ServingRuntime) -> str | None:
    """A profile is disabled by its own spec (rule 14, step 1)."""
    return profile_fault(runtime)


def chain_resolves(request: Request, runtime: ServingRuntime) -> str | None:
    """The chain of parents can be followed (rule 14, step 2)."""
    try:
        inheritance_chain(request.cluster, runtime)
    except InheritanceError as error:
        return str(error)
    return None


def scaling(request: Request, runtime: ServingRuntime) -> str | None:
    """No scaling policy but `Independent`, and no policy references (rule 14, step 3)."""
    before = request.old.scaling_mode if isinstance(request.old, ServingRuntime) else None
    if runtime.scaling_mode not in (None, "Independent", before):
        request.notes.append("the rules give one word of this message, ScalingModeNotImplemented")
        return f"ScalingModeNotImplemented: {runtime.scaling_mode}"
    for name, component in _components(runtime):
        if component.has_autoscaler_policy_ref:
            return (
                f"{name}: autoscalerPolicyRef is not supported on serving runtimes; "
                "policy refs attach on the InferenceService only"
            )
    return None


def _components(runtime: ServingRuntime) -> Iterator[tuple[str, Component]]:
    named = (("engineConfig", runtime.engine), ("decoderConfig", runtime.decoder), ("routerConfig", runtime.router))
    return ((name, component) for name, component in named if component is not None)


def accelerator_classes(request: Request, runtime: ServingRuntime) -> str | None:
    """Every class that is listed exists; the message lists the missing ones as they are written (rule 14, step 6)."""
    listed = runtime.accelerator_classes
    missing = [name for name in listed if request.cluster.find("AcceleratorClass", name) is None]
    return (
        f"unknown accelerator classes referenced in AcceleratorRequirements: [{' '.join(missing)}]" if missing else None
    )


def priorities_within(request: Request, runtime: ServingRuntime) -> str | None:
    """Entries for auto-selection that share a name have one priority (rule 14, step 7).

    The name is the entry's own, and entries without one share the empty name. Each group is compared with its first
    entry; where that one has no priority, nothing is compared.
    """
    if request.release == "v1.2.2" and not _others(request, runtime):
        # Rule 20: v1.2.2 makes this check only while it goes through the other runtimes.
        return None
    first: dict[str, int | None] = {}
    for entry in runtime.supported_model_formats:
        if not entry.auto_select:
            continue
        reference = first.setdefault(entry.name or "", entry.priority)
        if reference is not None and entry.priority is not None and reference != entry.priority:
            return (
                f"different priorities assigned for the model format {entry.name or ''} "
                f"under the {runtime.kind.lower()} {runtime.name}"
            )
    return None


def _others(request: Request, runtime: ServingRuntime) -> list[ServingRuntime]:
    """The other runtimes of the kind, and for a ServingRuntime of its namespace."""
    return [
        other
        for other in request.cluster.runtimes
        if (other.kind, other.namespace) == (runtime.kind, runtime.namespace) and other.name != runtime.name
    ]


def priorities_across(request: Request, runtime: ServingRuntime) -> str | None:
    """Two runtimes that claim the same with the same priority: a note, and no denial (rule 14, step 8).

    OME has this check too, but compares the formats by the address of their fields, so that in a real cluster it
    practically never finds anything (inferred).
    """
    for other in _others(request, runtime):
        if clash := priority_clash(runtime, other):
            request.notes.append(f"{clash} (OME means to refuse this, but its check finds nothing in a real cluster)")
    return None


def priority_clash(new: ServingRuntime, existing: ServingRuntime) -> str | None:
    """OME's text for two runtimes of one kind that claim the same with one priority, or None (rule 14, step 8)."""
    if existing.disabled or new.name == existing.name or not {*new.protocol_versions} & {*existing.protocol_versions}:
        return None
    if new.model_size_range != existing.model_size_range:
        return None
    theirs = [entry for entry in existing.supported_model_formats if entry.auto_select]
    for entry in new.supported_model_formats:
        if entry.auto_select and any(_same_claim(entry, other) for other in theirs):
            where = f"{existing.name} and {new.name}"
            text = f"same priority assigned for the model format {entry.name or ''} in the {new.kind.lower()}s {where}"
            return text if new.is_cluster else f"{text} in namespace {new.namespace}"
    return None


def _same_claim(entry: SupportedModelFormat, other: SupportedModelFormat) -> bool:
    if entry.priority is None or entry.priority != other.priority:
        return False

    def claims(of: SupportedModelFormat) -> tuple[str | VersionedName | None, ...]:
        # The entry's own name is the one text here whose case does not count.
        name = (of.name or "").casefold()
        return name, of.version, of.quantization, of.model_framework, of.model_format, of.model_architecture

    return claims(entry) == claims(other)


def multi_node_shape(request: Request, runtime: ServingRuntime) -> str | None:
    """v1.2.2 compares each component's mode with its leader and worker (rule 20).

    Which components it looks at, and when, is inferred: those of the runtime that name a mode, after all other checks.
    """
    if request.release != "v1.2.2":
        return None
    for _, component in _components(runtime):
        mode = component.annotations.get(DEPLOYMENT_MODE)
        worker = component.worker
        if mode == "MultiNode" and (component.leader is None or worker is None or (worker.size or 0) <= 0):
            return (
                "invalid configuration: for MultiNode deployment, "
                "both leader and worker must be defined and worker.size must be greater than 0"
            )
        if mode == "RawDeployment" and (component.leader is not None or worker is not None):
            return "invalid configuration: for RawDeployment, leader and worker must not be defined"
    return None


SHAPE_STEPS: tuple[Step, ...] = (profile_marker, chain_resolves, scaling)
"""What is checked of every runtime. v1.2.2 has none of it (rule 20)."""

ENABLED_STEPS: tuple[Step, ...] = (accelerator_classes, priorities_within, priorities_across, multi_node_shape)
"""What is checked of a runtime that its own spec does not disable."""


def review(request: Request, runtime: ServingRuntime) -> str | None:
    """The reason why the webhook denies a runtime, or None."""
    steps = () if request.release == "v1.2.2" else SHAPE_STEPS
    # Rule 14, step 4: a disabled runtime is admitted here, also with classes that are missing.
    steps += () if runtime.disabled else ENABLED_STEPS
    return next((reason for step in steps if (reason := step(request, runtime)) is not None), None)
