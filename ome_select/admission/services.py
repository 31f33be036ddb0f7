"""What the webhook for InferenceServices checks, in order (docs/rules.md, sections 13 and 20).

A step gives the reason to deny the service, or None, and notes its warnings in the request.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ome_select.admission.answer import Request
from ome_select.admission.resolution import resolution
from ome_select.compiled import DEPLOYMENT_MODE
from ome_select.errors import NotFoundError, NotStatedError
from ome_select.resources import Component, InferenceService

Step = Callable[[Request, InferenceService], str | None]

_NAME = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?")
_REVISION_HASH = re.compile(r"[0-9a-f]{8}")


def _components(service: InferenceService) -> Iterator[tuple[str, Component]]:
    named = (("engine", service.engine), ("decoder", service.decoder), ("router", service.router))
    return ((name, component) for name, component in named if component is not None)


def name(request: Request, service: InferenceService) -> str | None:
    """The name is made of lower-case letters, digits and dashes, and begins with a letter (step 2)."""
    if _NAME.fullmatch(service.name):
        return None
    return f'invalid InferenceService name "{service.name}", must match "[a-z]([-a-z0-9]*[a-z0-9])?"'


def decoder_needs_engine(request: Request, service: InferenceService) -> str | None:
    """A decoder alone serves nothing (step 4)."""
    return "decoder cannot be specified without engine" if service.decoder and not service.engine else None


def leader_and_worker(request: Request, service: InferenceService) -> str | None:
    """A component has both a leader and a worker, or neither (step 5)."""
    for component_name, component in _components(service):
        if (component.leader is None) != (component.worker is None):
            there, missing = ("leader", "worker") if component.worker is None else ("worker", "leader")
            request.notes.append("of this message, the rules give the first word only")
            return f"InvalidLeaderWorkerPairing: {component_name} has a {there} but no {missing}"
    return None


def mode_pair(request: Request, service: InferenceService) -> str | None:
    """Where the engine or the decoder is OMENative, the other one is, too (step 6).

    It reads what the service itself says: the component's annotation, else `spec.deploymentMode`.
    """
    if service.engine is None or service.decoder is None or request.release == "v1.2.2":
        # Rule 20: v1.2.2 has no such mode.
        return None
    engine, decoder = (
        component.annotations.get(DEPLOYMENT_MODE) or service.deployment_mode or ""
        for component in (service.engine, service.decoder)
    )
    if engine == decoder or "OMENative" not in (engine, decoder):
        return None
    return (
        f'InvalidDeploymentModeCombination: engine deploymentMode="{engine}" does not match '
        f'decoder deploymentMode="{decoder}"; when either is OMENative, both must use the same value'
    )


def replicas(request: Request, service: InferenceService) -> str | None:
    """No component has fewer than 0 replicas (step 7)."""
    for component_name, component in _components(service):
        if component.min_replicas is not None and component.min_replicas < 0:
            return f"spec.{component_name}.minReplicas must be >= 0"
    return None


def deployment_strategy(request: Request, service: InferenceService) -> str | None:
    """A deployment strategy counts for RawDeployment only; elsewhere there is a warning (step 8)."""
    # This step alone reads the mode from the service's own metadata.
    mode = service.annotations.get(DEPLOYMENT_MODE) or service.deployment_mode
    if mode and mode != "RawDeployment":
        request.warnings += (
            f'{component_name}.deploymentStrategy is set but deploymentMode is "{mode}"; deploymentStrategy applies '
            f"only to RawDeployment and is ignored here — use {component_name}.lifecycle.updateStrategy.rollingUpdate "
            "for rollout pacing"
            for component_name, component in _components(service)
            if component.has_deployment_strategy
        )
    return None


def model_or_runtime(request: Request, service: InferenceService) -> str | None:
    """A service names a model or a runtime (step 9); in v1.2.2 it has to name a model (rule 20)."""
    if request.release == "v1.2.2" and not (service.model and service.model.name):
        raise NotStatedError(
            "v1.2.2 needs spec.model, and the rules do not say what it answers without: add spec.model, or ask for v1.3"
        )
    if (service.model and service.model.name) or (service.runtime and service.runtime.name):
        return None
    return "at least one of spec.model or spec.runtime must be set"


def pin_shape(request: Request, service: InferenceService) -> str | None:
    """A revision needs `autoSync: false` and a name of the right form; whether it exists is not checked (step 10)."""
    runtime = service.runtime
    if runtime is None or not runtime.revision:
        return None
    if runtime.auto_sync:
        return "spec.runtime.revision requires spec.runtime.autoSync=false; AutoSync=true would silently ignore the pin"
    prefix = f"cr-{runtime.name}-"
    if runtime.kind == "ServingRuntime":
        prefix = f"r-{service.namespace}-{runtime.name}-"
    if runtime.revision.startswith(prefix) and _REVISION_HASH.fullmatch(runtime.revision[len(prefix) :]):
        return None
    return (
        f'spec.runtime.revision "{runtime.revision}" does not match the expected naming convention for runtime '
        f'"{runtime.name}" ({runtime.kind}); expected the form {prefix}<8 lowercase hex chars>'
    )


def model_exists(request: Request, service: InferenceService) -> str | None:
    """There is a model of the name, whatever kind the service says (step 11)."""
    if service.model is None or not service.model.name:
        return None
    try:
        request.cluster.model(service.model.name, service.namespace)
    except NotFoundError:
        return (
            f'referenced model "{service.model.name}" not found in namespace "{service.namespace}": ensure a BaseModel '
            "exists in this namespace or a ClusterBaseModel exists cluster-wide with this name"
        )
    return None


def claim_in_reach(request: Request, service: InferenceService) -> str | None:
    """A ClusterBaseModel on a volume claim serves the claim's namespace only (step 12)."""
    if service.model is None or not service.model.name:
        return None
    model = request.cluster.model(service.model.name, service.namespace)
    # For a ClusterBaseModel the address is `pvc://NAMESPACE:CLAIM/PATH` (inferred).
    claim = (model.storage_uri or "").removeprefix("pvc://").partition("/")[0]
    namespace, colon, _ = claim.partition(":")
    if model.namespace is not None or not (model.storage_uri or "").startswith("pvc://"):
        return None
    if not colon or namespace == service.namespace:
        return None
    request.notes.append("of this message, the rules give the start only")
    return (
        f'ClusterBaseModel "{model.name}" references PVC in namespace "{namespace}", '
        f'but InferenceService is in namespace "{service.namespace}"; '
    )


STEPS: tuple[Step, ...] = (
    name,
    decoder_needs_engine,
    leader_and_worker,
    mode_pair,
    replicas,
    deployment_strategy,
    model_or_runtime,
    pin_shape,
    model_exists,
    claim_in_reach,
    resolution,
)
"""The steps in order; the first one that gives a reason ends the review."""


def review(request: Request, service: InferenceService) -> str | None:
    """The reason why the webhook denies a service, or None."""
    if request.old is not None and service.is_deleting:
        return None
    return next((reason for step in STEPS if (reason := step(request, service)) is not None), None)
