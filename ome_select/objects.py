"""A Kubernetes object as a plain dict → a resource, with every fault of it (docs/rules.md, sections 1 and 19)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ome_select.fields import Fields
from ome_select.problems import Path, Problem, Severity, type_name
from ome_select.readers import DEFAULT_NAMESPACE, READERS, Head

if TYPE_CHECKING:
    from ome_select.resources import Origin, Resource

API_GROUP = "ome.io"


def is_read(value: Mapping[str, Any]) -> bool:
    """Whether an object is of a kind that selection reads."""
    group = str(value.get("apiVersion", "")).partition("/")[0]
    return group == API_GROUP and value.get("kind") in READERS


def describe(value: Mapping[str, Any], index: int | None = None) -> str:
    """An object as messages name it: `KIND/NAME`, `KIND/NAMESPACE/NAME`, or its place where it has no name."""
    metadata = value.get("metadata")
    metadata = metadata if isinstance(metadata, Mapping) else {}
    kind, name, namespace = value.get("kind"), metadata.get("name"), metadata.get("namespace")
    kind = kind if isinstance(kind, str) and kind else "object"
    if not isinstance(name, str) or not name:
        return f"{kind} without a name" if index is None else f"{kind} number {index + 1}"
    return f"{kind}/{namespace}/{name}" if isinstance(namespace, str) else f"{kind}/{name}"


def decode(
    value: Mapping[str, Any],
    *,
    index: int | None = None,
    locate: Callable[[Path], Origin | None] = lambda path: None,
    written: Callable[[Path], str | None] = lambda path: None,
) -> tuple[Resource | None, list[Problem]]:
    """Read one Kubernetes object.

    Args:
        value: the object as a plain dict.
        index: its place in the input, for messages about an object without a name.
        locate: gives the place of the field at a path, where it is known.
        written: gives the text of the field at a path as it stands in the file, where it is known.

    Returns:
        The resource and its problems. The resource is None where a problem is an `error`, and also, without a problem,
        for an object of a kind that selection does not read.
    """
    problems: list[Problem] = []
    shown = describe(value, index) if isinstance(value, Mapping) else f"object number {(index or 0) + 1}"

    def note(severity: Severity, kind: str, path: Path, message: str, advice: str) -> None:
        origin = locate(path)
        problems.append(
            Problem(
                severity=severity, kind=kind, object=shown, path=path, message=message, advice=advice, origin=origin
            )
        )

    if not isinstance(value, Mapping):
        message = f"found {type_name(value)} where a Kubernetes object belongs"
        note("error", "no-object", (), message, "write an object: a map with apiVersion, kind and metadata")
        return None, problems
    top = Fields(value, (), note, written)
    kind, api_version = top.text("kind"), top.text("apiVersion")
    for name, found in (("apiVersion", api_version), ("kind", kind)):
        if not found and not problems:
            note("error", "no-kind", (name,), "is missing", f"add {name}")
    if problems or not is_read(value):
        return None, problems
    assert kind is not None
    namespaced, read = READERS[kind]
    metadata = top.within("metadata") or Fields({}, ("metadata",), note, written)
    name_text = metadata.text("name")
    if not name_text and not problems:
        note("error", "no-name", ("metadata", "name"), "is missing", "give the object a name")
    head = Head(
        kind=kind,
        name=name_text or "",
        namespace=(metadata.text("namespace") or DEFAULT_NAMESPACE) if namespaced else None,
        annotations=metadata.text_map("annotations"),
        origin=locate(()),
        is_deleting=metadata.has("deletionTimestamp"),
    )
    resource = read(head, top.within("spec") or Fields({}, ("spec",), note, written))
    return (None if any(problem.severity == "error" for problem in problems) else resource), problems
