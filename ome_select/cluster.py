"""The resources of one cluster, and how names are looked up (docs/rules.md, sections 1 and 13)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ome_select.errors import InvalidObjectError, NotFoundError, UsageError
from ome_select.objects import decode, describe
from ome_select.problems import Problem
from ome_select.resources import BaseModel, Resource, ServingRuntime, SupportedModelFormat

if TYPE_CHECKING:
    from ome_select.resources import AcceleratorClass, InferenceService

Identity = tuple[str, str | None, str]
"""What names an object in a cluster: its kind, its namespace (None at cluster scope) and its name."""


def identity(resource: Resource) -> Identity:
    """The identity of a resource."""
    return resource.kind, resource.namespace, resource.name


class Cluster:
    """The runtimes, models, services and accelerator classes of one cluster.

    A cluster never changes: `replace`, `with_objects`, `with_resources` and `without` make a new one.

    Args:
        resources: the objects; two of one identity are refused.

    Raises:
        InvalidObjectError: when two resources have the same kind, namespace and name.
    """

    def __init__(self, resources: Iterable[Resource] = (), *, skipped: Iterable[str] = ()) -> None:
        self._resources: dict[Identity, Resource] = {}
        duplicates: list[Problem] = []
        for resource in resources:
            key = identity(resource)
            if key in self._resources:
                duplicates.append(duplicate(self._resources[key], resource))
            self._resources[key] = resource
        if duplicates:
            raise InvalidObjectError(duplicates)
        self.skipped = tuple(skipped)
        """What `from_objects` passed over, because selection does not read objects of that kind."""

    @classmethod
    def from_objects(cls, objects: Iterable[Mapping[str, Any]]) -> Cluster:
        """Make a cluster of Kubernetes objects as plain dicts, in any order.

        Objects are taken as a cluster holds them: values that only an API server would refuse, such as a priority of
        0, are kept. `ome_select.load` refuses them.

        Raises:
            InvalidObjectError: naming every field of a wrong type, every missing name and every duplicate.
        """
        resources: list[Resource] = []
        skipped: list[str] = []
        problems: list[Problem] = []
        for index, value in enumerate(objects):
            resource, found = decode(value, index=index)
            problems += (problem for problem in found if problem.severity == "error")
            if resource is not None:
                resources.append(resource)
            elif not found:
                skipped.append(describe(value))
        if problems:
            raise InvalidObjectError(problems)
        return cls(resources, skipped=skipped)

    def __iter__(self) -> Iterator[Resource]:
        return iter(self._resources.values())

    def __len__(self) -> int:
        return len(self._resources)

    def _all(self, *kinds: str) -> Iterator[Any]:
        return (resource for resource in self if resource.kind in kinds)

    @property
    def runtimes(self) -> tuple[ServingRuntime, ...]:
        """Every ServingRuntime and ClusterServingRuntime."""
        return tuple(self._all("ServingRuntime", "ClusterServingRuntime"))

    @property
    def models(self) -> tuple[BaseModel, ...]:
        """Every BaseModel and ClusterBaseModel."""
        return tuple(self._all("BaseModel", "ClusterBaseModel"))

    @property
    def services(self) -> tuple[InferenceService, ...]:
        """Every InferenceService."""
        return tuple(self._all("InferenceService"))

    @property
    def accelerator_classes(self) -> tuple[AcceleratorClass, ...]:
        """Every AcceleratorClass."""
        return tuple(self._all("AcceleratorClass"))

    def candidates(self, namespace: str) -> tuple[ServingRuntime, ...]:
        """Every ServingRuntime of the namespace and every ClusterServingRuntime (rule 2)."""
        return tuple(runtime for runtime in self.runtimes if runtime.is_cluster or runtime.namespace == namespace)

    def find(self, kind: str, name: str, namespace: str | None = None) -> Resource | None:
        """The object of exactly this kind, namespace (None at cluster scope) and name, or None."""
        return self._resources.get((kind, namespace, name))

    def model(self, name: str, namespace: str) -> BaseModel:
        """The model of this name: a BaseModel of the namespace first, then a ClusterBaseModel (rule 1).

        Raises:
            NotFoundError: when there is neither; the text is the API server's (section 11).
        """
        found = self.find("BaseModel", name, namespace) or self.find("ClusterBaseModel", name)
        if not isinstance(found, BaseModel):
            raise NotFoundError("clusterbasemodels", name, self._hint(name, "BaseModel", "ClusterBaseModel"))
        return found

    def service(self, name: str, namespace: str) -> InferenceService:
        """The InferenceService of this name in the namespace.

        Raises:
            NotFoundError: when there is none; the text is the API server's (section 11).
        """
        found = self.find("InferenceService", name, namespace)
        if found is None or found.kind != "InferenceService":
            raise NotFoundError("inferenceservices", name, self._hint(name, "InferenceService"))
        return found

    def _hint(self, name: str, *kinds: str) -> str:
        """What may help who looked for this name in vain; empty where nothing is known."""
        from difflib import get_close_matches

        for kind, namespace, its_name in self._resources:
            if kind in kinds and its_name == name:
                return f"there is one in the namespace {namespace}"
        names = {its_name for kind, _, its_name in self._resources if kind in kinds}
        close = get_close_matches(name, sorted(names), n=1)
        return f"did you mean {close[0]}?" if close else ""

    def with_resources(self, *resources: Resource) -> Cluster:
        """The cluster with these resources; one of the same identity takes the place of the one that was there."""
        changed = self._resources | {identity(resource): resource for resource in resources}
        return Cluster(changed.values(), skipped=self.skipped)

    def with_objects(self, *objects: Mapping[str, Any]) -> Cluster:
        """The cluster with these Kubernetes objects applied, as `kubectl apply` would.

        Raises:
            InvalidObjectError: as for `from_objects`.
        """
        added = Cluster.from_objects(objects)
        return self.with_resources(*added)

    def without(self, *references: str) -> Cluster:
        """The cluster without the objects that the references name; a reference is as for `get`."""
        gone = {identity(self.get(reference)) for reference in references}
        return Cluster((resource for resource in self if identity(resource) not in gone), skipped=self.skipped)

    def get(self, reference: str) -> Resource:
        """The object that a reference names: `KIND/NAME` or `KIND/NAMESPACE/NAME`.

        The namespace may be left out where only one object of the kind has the name.

        Raises:
            UsageError: when nothing or more than one object has the name, or the reference has another form.
        """
        kind, *namespace, name = reference.split("/") if "/" in reference else ("", "")
        if not kind or len(namespace) > 1:
            raise UsageError(f'"{reference}" names no object: write KIND/NAME or KIND/NAMESPACE/NAME')
        found = [
            resource
            for (its_kind, its_namespace, its_name), resource in self._resources.items()
            if (its_kind, its_name) == (kind, name) and (not namespace or its_namespace == namespace[0])
        ]
        if len(found) == 1:
            return found[0]
        if not found:
            same_kind = sorted(its_name for its_kind, _, its_name in self._resources if its_kind == kind)
            known = f"; there is {', '.join(same_kind[:10])}" if same_kind else ""
            raise UsageError(f'no {kind} named "{name}"{known}')
        raise UsageError(f'{kind} "{name}" is in several namespaces: write {kind}/NAMESPACE/{name}')

    def replace(self, reference: str, **changes: Any) -> Cluster:
        """The cluster with some fields of one object changed, to try out what that does.

        Args:
            reference: as for `get`.
            changes: new values by field name; docs/python-api.md lists the names. On a runtime, the name of a field of
                `SupportedModelFormat`, such as `priority`, changes every entry.

        Raises:
            UsageError: when the reference names no object, or the object has no such field.
        """
        resource = self.get(reference)
        own = {field.name for field in dataclasses.fields(resource)}
        of_entries = {name: value for name, value in changes.items() if name not in own}
        if unknown := of_entries.keys() - (_ENTRY_FIELDS if isinstance(resource, ServingRuntime) else frozenset()):
            raise UsageError(f"{reference} has no field {', '.join(sorted(unknown))}")
        if isinstance(resource, ServingRuntime):
            entries = tuple(dataclasses.replace(entry, **of_entries) for entry in resource.supported_model_formats)
            resource = dataclasses.replace(resource, supported_model_formats=entries)
        mine = {name: value for name, value in changes.items() if name in own}
        return self.without(reference).with_resources(dataclasses.replace(resource, **mine))


_ENTRY_FIELDS = frozenset(field.name for field in dataclasses.fields(SupportedModelFormat))


def duplicate(first: Resource, second: Resource, *, first_counts: bool = False) -> Problem:
    """The problem of two objects with one identity; both places are named.

    Where the first of them counts, it is no more than a warning.
    """
    kind, namespace, name = identity(second)
    places = f": at {first.origin} and at {second.origin}" if first.origin else ""
    return Problem(
        severity="warning" if first_counts else "error",
        kind="duplicate-object",
        object=f"{kind}/{name}" if namespace is None else f"{kind}/{namespace}/{name}",
        message=f"is there twice{places}{'; the first one counts' if first_counts else ''}",
        advice="keep one of the two, or give one another name",
        origin=second.origin,
    )
