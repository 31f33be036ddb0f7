"""The accelerator class that a component gets (docs/rules.md, section 16)."""

from __future__ import annotations

from typing import get_args

from ome_select.class_choice import AcceleratedComponent, ComponentClass, choose_class
from ome_select.cluster import Cluster
from ome_select.errors import UsageError
from ome_select.inheritance import effective
from ome_select.naming import find_runtime
from ome_select.releases import DEFAULT_RELEASE, Release, check_release
from ome_select.resources import AcceleratorClass, InferenceService, RuntimeRef, ServingRuntime
from ome_select.selection import Selector


def component_class(
    cluster: Cluster,
    *,
    isvc: str | InferenceService,
    runtime: str | ServingRuntime | None = None,
    component: AcceleratedComponent = "engine",
    namespace: str = "default",
    release: Release = DEFAULT_RELEASE,
) -> ComponentClass:
    """The accelerator class that a component of an InferenceService gets.

    Args:
        cluster: holds the AcceleratorClasses, and whatever is given by name.
        isvc: the InferenceService, or its name in the namespace.
        runtime: the runtime in use. A name is looked up as one that the service names, with what it inherits; a
            resource is taken as it is. Without one, it is the runtime that the service names, else the one that
            auto-selection picks.
        component: `engine` or `decoder`; a router never gets a class.
        namespace: where the names are looked up.
        release: whose rules count.

    Returns:
        The class or its absence, and what decided.

    Raises:
        UsageError: for another component or release, or a service with neither a model nor a runtime.
        NotFoundError, RuntimeNotFoundError: when something that is named does not exist.
        InheritanceError: when what the runtime inherits cannot be found.
        NoRuntimeFoundError: when auto-selection picks none.

    Source: docs/rules.md, section 16; section 12.5 for what is inherited; section 20 for the releases.
    """
    check_release(release)
    if component not in get_args(AcceleratedComponent):
        raise UsageError(f'only an engine and a decoder get an accelerator class, not "{component}"')
    service = isvc if isinstance(isvc, InferenceService) else cluster.service(isvc, namespace)
    in_use = runtime if isinstance(runtime, ServingRuntime) else _runtime_in_use(cluster, service, runtime, release)

    def find(name: str) -> AcceleratorClass | None:
        found = cluster.find("AcceleratorClass", name)
        return found if isinstance(found, AcceleratorClass) else None

    return choose_class(service, in_use.accelerator_classes, find, component, release=release)


def _runtime_in_use(cluster: Cluster, service: InferenceService, name: str | None, release: Release) -> ServingRuntime:
    reference = service.runtime if service.runtime and service.runtime.name else None
    if name is not None and (reference is None or reference.name != name):
        reference = RuntimeRef(name=name)
    if reference is None:
        if service.model is None:
            raise UsageError(
                f'InferenceService "{service.name}" names neither a model nor a runtime: say which runtime is in use'
            )
        return Selector(cluster, service.namespace, release).select(isvc=service).runtime
    found = find_runtime(cluster, reference, service.namespace, release=release)
    return effective(cluster, found, release=release)
