"""The merged spec that a named runtime gets from its parents (docs/rules.md, section 12; new in v1.3).

Auto-selection never looks here: it reads each runtime's own spec (rule 12.5).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any, TypeVar

from ome_select.cluster import Cluster
from ome_select.errors import (
    InheritanceCycleError,
    InheritanceDepthError,
    InheritanceError,
    ParentNotFoundError,
    UsageError,
)
from ome_select.releases import DEFAULT_RELEASE, Release
from ome_select.resources import ServingRuntime

INHERIT_FROM = "ome.io/inherit-from"
RUNTIME_PROFILE = "ome.io/runtime-profile"
MAX_DEPTH = 5
"""How many runtimes a chain may have, the child included (rule 12.3)."""

_Record = TypeVar("_Record")

# Rule 12.1: metadata is not inherited, and neither is where the object stands.
_OWN_FIELDS = frozenset({"kind", "name", "namespace", "annotations", "origin"})


def inheritance_chain(cluster: Cluster, runtime: ServingRuntime) -> tuple[ServingRuntime, ...]:
    """The runtime and its ancestors, the child first (rule 12.3).

    Raises:
        InheritanceError: when the chain cannot be followed; the text is OME's.
    """
    chain = [runtime]
    # An empty name is as good as none (rule 12.1).
    while parent := chain[-1].annotations.get(INHERIT_FROM):
        names = [link.name for link in chain]
        # The depth comes before the cycle, so a loop over more runtimes than that is called too deep.
        if len(chain) >= MAX_DEPTH:
            raise InheritanceDepthError(MAX_DEPTH, names)
        # By name alone: a ServingRuntime whose parent is the ClusterServingRuntime of its own name is a cycle.
        if parent in names:
            raise InheritanceCycleError([*names, parent])
        found = _parent(cluster, runtime, parent)
        if found is None:
            raise ParentNotFoundError(parent, names)
        chain.append(found)
    return tuple(chain)


def _parent(cluster: Cluster, start: ServingRuntime, name: str) -> ServingRuntime | None:
    """Where a parent is looked for depends on where the chain starts, not on the runtime before it (rule 12.2)."""
    found = None if start.is_cluster else cluster.find("ServingRuntime", name, start.namespace)
    found = found or cluster.find("ClusterServingRuntime", name)
    return found if isinstance(found, ServingRuntime) else None


def merge(parent: ServingRuntime, child: ServingRuntime) -> ServingRuntime:
    """The child laid over its parent: all that selection reads of a spec, with the child's metadata (rule 12.4).

    What the child leaves out or leaves empty keeps the parent's value, so a child never removes anything. Objects merge
    field by field and maps key by key; a list that is not empty replaces the parent's whole list.
    """
    return _laid_over(parent, child, own=_OWN_FIELDS)


def _laid_over(parent: _Record, child: _Record, own: frozenset[str] = frozenset()) -> _Record:
    fields = [field for field in dataclasses.fields(child) if field.name not in own]  # type: ignore[arg-type]
    merged = {
        field.name: _merged(getattr(parent, field.name), getattr(child, field.name), is_flag=field.default is False)
        for field in fields
    }
    return dataclasses.replace(child, **merged)  # type: ignore[type-var]


def _merged(parent: Any, child: Any, *, is_flag: bool) -> Any:
    if is_flag:
        # A plain flag that is false is as if left out; one that can be unset, such as `disabled`, is None by default.
        return parent or child
    if child is None or child == "" or child == () or child == {}:
        return parent
    if isinstance(child, Mapping) and isinstance(parent, Mapping):
        return {**parent, **child}
    if dataclasses.is_dataclass(child) and parent is not None:
        return _laid_over(parent, child)
    return child


def effective(
    cluster: Cluster,
    runtime: ServingRuntime | str,
    *,
    namespace: str = "default",
    release: Release = DEFAULT_RELEASE,
) -> ServingRuntime:
    """The runtime as a service that names it gets it: its own spec laid over those of its ancestors.

    Args:
        cluster: where the ancestors are looked up.
        runtime: a runtime, or its `NAME`, `KIND/NAME` or `KIND/NAMESPACE/NAME`.
        namespace: where a ServingRuntime that is given by its name alone is looked up.
        release: whose rules count; v1.2.2 knows no inheritance, so there it is the runtime's own spec.

    Returns:
        What selection reads of the merged spec. Other fields of a runtime, such as containers, are not kept here.

    Raises:
        InheritanceError: when the chain cannot be followed; the text is OME's.
        UsageError: when the text names no runtime.

    Source: docs/rules.md, sections 12.4 and 20.
    """
    if isinstance(runtime, str):
        runtime = get_runtime(cluster, runtime, namespace)
    if release == "v1.2.2":
        return runtime
    root, *descendants = reversed(inheritance_chain(cluster, runtime))
    return reduce(merge, descendants, root)


def get_runtime(cluster: Cluster, reference: str, namespace: str) -> ServingRuntime:
    """The runtime that `NAME`, `KIND/NAME` or `KIND/NAMESPACE/NAME` names.

    Raises:
        UsageError: when the reference names none, or a name alone names one of each kind; the text for that is the
            one of `kubectl ome runtime tree` (rule 15).
    """
    if "/" not in reference:
        named = [runtime for runtime in cluster.candidates(namespace) if runtime.name == reference]
        if len(named) > 1:
            raise UsageError(
                f'runtime "{reference}" is ambiguous; pass --kind ServingRuntime or --kind ClusterServingRuntime: '
                f'runtime target is ambiguous: "{reference}" matched {len(named)} runtimes'
            )
        if named:
            return named[0]
        reference = f"ClusterServingRuntime/{reference}"
    found = cluster.get(reference)
    if not isinstance(found, ServingRuntime):
        raise UsageError(f'"{reference}" is no runtime: write ServingRuntime/… or ClusterServingRuntime/…')
    return found


@dataclass(frozen=True, kw_only=True, slots=True)
class InheritanceStatus:
    """What a runtime's status says about its inheritance (rule 12.3).

    Attributes:
        ready: the condition `InheritanceReady`; while it is False there is also a Warning event on the runtime.
        reason: the condition's reason.
        message: the chain's error, or empty where the rules give no text.
        chain: `status.inheritanceChain`, the root first. OME keeps the last good chain after a break; no manifest
            holds that one, so it is empty here.
    """

    ready: bool
    reason: str
    message: str = ""
    chain: tuple[str, ...] = ()


def inheritance_status(
    cluster: Cluster, runtime: ServingRuntime | str, *, namespace: str = "default"
) -> InheritanceStatus:
    """The condition `InheritanceReady` and the chain that OME writes into a runtime's status (rule 12.3).

    Args:
        cluster: where the ancestors are looked up.
        runtime: as for `effective`.
        namespace: as for `effective`.

    Raises:
        UsageError: when the text names no runtime.
    """
    if isinstance(runtime, str):
        runtime = get_runtime(cluster, runtime, namespace)
    try:
        chain = inheritance_chain(cluster, runtime)
    except InheritanceError as error:
        return InheritanceStatus(ready=False, reason=error.reason, message=str(error))
    return InheritanceStatus(ready=True, reason="Resolved", chain=tuple(link.name for link in reversed(chain)))


def profile_fault(runtime: ServingRuntime) -> str | None:
    """The webhook's text for a profile that is not disabled by its own spec, or None (rule 12.1)."""
    if runtime.annotations.get(RUNTIME_PROFILE) == "true" and not runtime.disabled:
        return f'runtimes carrying {RUNTIME_PROFILE}="true" must also set spec.disabled: true'
    return None
