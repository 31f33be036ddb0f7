"""The runtime that a service names: where it is found, and whether it declares support (docs/rules.md, 12.5 and 13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ome_select.checks import CLASS_CHECK, MODE_CHECK
from ome_select.cluster import Cluster
from ome_select.errors import RuntimeDisabledError, RuntimeMismatchError, RuntimeNotFoundError, UsageError
from ome_select.inheritance import effective
from ome_select.releases import DEFAULT_RELEASE, Release
from ome_select.resources import BaseModel, InferenceService, RuntimeRef, ServingRuntime
from ome_select.selection import Selector

if TYPE_CHECKING:
    from ome_select.decision import Verdict

_NAMESPACED, _CLUSTER = "ServingRuntime", "ClusterServingRuntime"


def find_runtime(
    cluster: Cluster, reference: RuntimeRef, namespace: str, *, release: Release = DEFAULT_RELEASE
) -> ServingRuntime:
    """The runtime that `spec.runtime` names, by its own spec.

    Without a kind, or with ClusterServingRuntime, a ClusterServingRuntime comes before a ServingRuntime of the
    namespace; the kind ServingRuntime looks in the namespace only. v1.2.2 ignores the kind and looks in the namespace
    first.

    Raises:
        RuntimeNotFoundError: when it does not exist; the text is v1.3's.
        UsageError: for a kind that is no runtime's; what OME says to that is not in the rules.

    Source: docs/rules.md, sections 13 and 20.
    """
    namespaced = cluster.find(_NAMESPACED, reference.name, namespace)
    anywhere = cluster.find(_CLUSTER, reference.name)
    if release == "v1.2.2":
        order = [namespaced, anywhere]
    elif reference.kind == _CLUSTER:
        order = [anywhere, namespaced]
    elif reference.kind == _NAMESPACED:
        order = [namespaced]
    else:
        raise UsageError(
            f'spec.runtime.kind "{reference.kind}" is no kind of runtime: write {_NAMESPACED} or {_CLUSTER}'
        )
    found = next((runtime for runtime in order if isinstance(runtime, ServingRuntime)), None)
    if found is None:
        raise RuntimeNotFoundError(reference.name, namespace, namespaced_only=reference.kind == _NAMESPACED)
    return found


def enabled_runtime(
    cluster: Cluster, reference: RuntimeRef, namespace: str, *, release: Release = DEFAULT_RELEASE
) -> ServingRuntime:
    """The runtime that `spec.runtime` names, merged with what it inherits, if it may be used.

    Raises:
        RuntimeNotFoundError, UsageError: as for `find_runtime`.
        InheritanceError: when its chain of parents cannot be followed.
        RuntimeDisabledError: when it is disabled, by itself or by what it inherits.
    """
    runtime = effective(cluster, find_runtime(cluster, reference, namespace, release=release), release=release)
    if runtime.disabled:
        raise RuntimeDisabledError(runtime.name, is_cluster=runtime.is_cluster)
    return runtime


def judge(
    runtime: ServingRuntime, model: BaseModel, service: InferenceService, *, release: Release = DEFAULT_RELEASE
) -> Verdict:
    """The verdict on one runtime by itself, such as a merged one: the checks are those of auto-selection.

    Raises:
        InvalidModelError: when the model has no format.
    """
    alone = Cluster([runtime, model])
    decision = Selector(alone, service.namespace, release).explain(isvc=service)
    if not decision.rows:
        assert decision.exception is not None  # Without a row, the model is at fault.
        raise decision.exception
    return decision.rows[0]


def require_support(
    runtime: ServingRuntime, model: BaseModel, service: InferenceService, *, release: Release = DEFAULT_RELEASE
) -> None:
    """Check that a runtime declares support for the service's model.

    Raises:
        InvalidModelError: when the model has no format.
        RuntimeMismatchError: when the runtime fails a check; its text is the inner error of OME's warning and event.

    Source: docs/rules.md, section 13. That the model's format is looked at before the checks is inferred.
    """
    verdict = judge(runtime, model, service, release=release)
    if verdict.supports_model:
        return
    failed = next(outcome for outcome in verdict.checks if outcome.status == "failed")
    assert model.model_format is not None
    assert failed.reason is not None
    # Rule 13: these two checks name no model, and OME prints nothing in its place.
    subject = "" if failed.check in (CLASS_CHECK, MODE_CHECK) else model.model_format.name
    raise RuntimeMismatchError(runtime.name, subject=subject, reason=failed.reason)
