"""A document's value → the Kubernetes objects in it, as kubectl takes lists apart and refuses what is no object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ome_select.problems import Path, type_name, wrong_type

_TEXTS = ("name", "generateName", "namespace", "uid", "resourceVersion", "selfLink")
_TEXT_MAPS = ("labels", "annotations")
_LISTS = ("finalizers", "ownerReferences", "managedFields")


class ObjectError(ValueError):
    """A value that kubectl does not take for an object: the field, what is wrong, and what to do."""

    def __init__(self, kind: str, path: Path, message: str, advice: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.path = path
        self.message = message
        self.advice = advice
        self.found: Any = None
        self.wanted = ""

    def as_written(self, written: str | None) -> tuple[str, str]:
        """Message and advice with the value as it stands in the file."""
        return wrong_type(self.found, self.wanted, written) if self.wanted else (self.message, self.advice)


def objects(value: Any) -> Iterator[tuple[Path, dict[str, Any] | ObjectError]]:
    """Each object in a document with its path; the items of a list stand for the list."""
    if not isinstance(value, dict):
        message = f"found {type_name(value)} where a Kubernetes object belongs"
        yield (), ObjectError("no-object", (), message, "write an object: a map with apiVersion, kind and metadata")
        return
    error = _head_error(value)
    if error is not None:
        yield (), error
        return
    if "items" not in value:
        yield (), value
        return
    items = value["items"] if value["items"] is not None else []
    if not isinstance(items, list):
        message = f"found {type_name(items)} where a list belongs"
        yield (), ObjectError("no-object", ("items",), message, "write the objects as a list")
        return
    for index, item in enumerate(items):
        yield ("items", index), _item(item, value)


def _item(item: Any, around: dict[str, Any]) -> dict[str, Any] | ObjectError:
    """One item of a list; a `FooList` gives its items the kind Foo where they say neither kind nor version."""
    if not isinstance(item, dict):
        message = f"found {type_name(item)} where a Kubernetes object belongs"
        return ObjectError("no-object", (), message, "write an object: a map with apiVersion, kind and metadata")
    kind = around["kind"].removesuffix("List")
    if kind and not item.get("kind") and not item.get("apiVersion"):
        return {"apiVersion": around.get("apiVersion"), "kind": kind} | item
    for name in ("kind", "apiVersion"):
        if not isinstance(item.get(name), str) or not item[name]:
            return _missing(item, name)
    return item


def _missing(value: dict[str, Any], name: str) -> ObjectError:
    if value.get(name) in (None, ""):
        return ObjectError("no-kind", (name,), "is missing", f"add {name}")
    return _wrong((name,), value[name], "a text")


def _head_error(value: dict[str, Any]) -> ObjectError | None:
    """What kubectl refuses in the fields that every object has."""
    kind, version = value.get("kind"), value.get("apiVersion")
    if not isinstance(kind, str) or not kind:
        return _missing(value, "kind")
    if version is not None and not isinstance(version, str):
        return _missing(value, "apiVersion")
    if version and version.count("/") > 1:
        message = f'found "{version}" where GROUP/VERSION belongs'
        return ObjectError("no-kind", ("apiVersion",), message, "write ome.io/v1beta1")
    if "items" in value:
        return None
    return _metadata_error(value.get("metadata"))


def _metadata_error(metadata: Any) -> ObjectError | None:
    if metadata is None:
        return None
    if not isinstance(metadata, dict):
        return _wrong(("metadata",), metadata, "a map")
    for name in _TEXTS:
        if not isinstance(metadata.get(name), str | None):
            return _wrong(("metadata", name), metadata[name], "a text")
    for name in _TEXT_MAPS:
        texts = metadata.get(name)
        if not isinstance(texts, dict | None):
            return _wrong(("metadata", name), texts, "a map")
        for key, text in (texts or {}).items():
            if not isinstance(text, str | None):
                return _wrong(("metadata", name, key), text, "a text")
    for name in _LISTS:
        if not isinstance(metadata.get(name), list | None):
            return _wrong(("metadata", name), metadata[name], "a list")
    generation = metadata.get("generation")
    if not isinstance(generation, int | None) or isinstance(generation, bool):
        return _wrong(("metadata", "generation"), generation, "a whole number")
    return None


def _wrong(path: Path, found: Any, wanted: str) -> ObjectError:
    error = ObjectError("field-type", path, *wrong_type(found, wanted))
    error.found, error.wanted = found, wanted
    return error
