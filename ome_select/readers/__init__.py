"""The `spec` of each kind of object, read field by field into a resource (docs/rules.md, sections 1 and 19).

Each kind has one small reader. A reader never raises: it notes a problem with the path of the field and goes on, so
that all the faults of an object are told at once. Nothing is coerced: `priority: "2"` is a text, and a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ome_select.fields import Fields
    from ome_select.resources import Origin, Resource

DEFAULT_NAMESPACE = "default"
"""Where a namespaced object without a namespace counts, as in kubectl with an unset context."""


class Head(NamedTuple):
    """What every object has: its kind, and what its metadata says."""

    kind: Any
    name: str
    namespace: str | None
    annotations: Mapping[str, str]
    origin: Origin | None
    is_deleting: bool


# The module of a kind is imported with the first object of that kind: most inputs hold runtimes and models alone.


def _runtime(head: Head, spec: Fields) -> Resource:
    from ome_select.readers.runtimes import read

    return read(head, spec)


def _model(head: Head, spec: Fields) -> Resource:
    from ome_select.readers.models import read

    return read(head, spec)


def _service(head: Head, spec: Fields) -> Resource:
    from ome_select.readers.services import read

    return read(head, spec)


def _accelerator_class(head: Head, spec: Fields) -> Resource:
    from ome_select.readers.accelerators import read

    return read(head, spec)


READERS: Mapping[str, tuple[bool, Callable[[Head, Fields], Resource]]] = {
    "ServingRuntime": (True, _runtime),
    "ClusterServingRuntime": (False, _runtime),
    "BaseModel": (True, _model),
    "ClusterBaseModel": (False, _model),
    "InferenceService": (True, _service),
    "AcceleratorClass": (False, _accelerator_class),
}
"""The kinds that selection reads: whether they live in a namespace, and how their `spec` is read."""
