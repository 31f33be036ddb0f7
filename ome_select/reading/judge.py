"""A document → the objects in it, with what is wrong with each, or why it is passed over."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from ome_select.known import fields_of, note_slips
from ome_select.objects import API_GROUP, decode, describe, is_read
from ome_select.problems import Path, Problem, Severity, shortened
from ome_select.readers import READERS
from ome_select.reading.documents import Document
from ome_select.reading.expand import ObjectError, objects
from ome_select.reading.faults import TextError
from ome_select.resources import Origin, Resource

API_VERSION = f"{API_GROUP}/v1beta1"

_KUSTOMIZATION = ("kustomization.yaml", "kustomization.yml", "Kustomization")
_CHART = ("Chart.yaml", "values.yaml")
_RENDER_KUSTOMIZATION = "render it first: kubectl kustomize FOLDER"
_RENDER_CHART = "render it first: helm template FOLDER"


class Found:
    """One object of a document, or what takes its place.

    Attributes:
        value: the object as kubectl reads it; None where kubectl reads none.
        resource: what selection reads of it; None where it is faulty, or of a kind that selection does not read.
        problems: what is wrong.
        skipped: what it is, where it is passed over.
    """

    __slots__ = ("problems", "resource", "skipped", "value")

    def __init__(
        self,
        *,
        value: dict[str, Any] | None = None,
        resource: Resource | None = None,
        problems: Iterable[Problem] = (),
        skipped: str = "",
    ) -> None:
        self.value = value
        self.resource = resource
        self.problems = list(problems)
        self.skipped = skipped


_SUBDOMAIN = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    "end with an alphanumeric character"
)


def _is_subdomain(name: str) -> bool:
    """Whether the API server takes the name of an object: labels with dots between them."""
    return len(name) <= 253 and all(
        label.replace("-", "").isalnum() and label.isascii() and label == label.lower() and label == label.strip("-")
        for label in name.split(".")
    )


def judge(document: Document) -> list[Found]:
    """Everything in a document."""
    if document.error is not None:
        return [_unreadable(document, document.error)]
    found = list(_remarks(document))
    if document.value is not None:
        helper = _helper_file(document)
        found += [helper] if helper else (_item(document, path, value) for path, value in objects(document.value))
    return found


def _problem(
    severity: Severity, kind: str, what: str, message: str, advice: str, origin: Origin, path: Path = ()
) -> Problem:
    return Problem(severity=severity, kind=kind, object=what, message=message, advice=advice, origin=origin, path=path)


def _unreadable(document: Document, error: TextError) -> Found:
    origin = document.origin(error.line, error.column)
    if "{{" in document.text:
        message = "is a Helm template and no manifest yet"
        problem = _problem("error", "helm-template", "document", message, _RENDER_CHART, origin)
        return Found(problems=[problem], skipped="Helm template")
    return Found(problems=[_problem("error", error.kind, "document", error.message, error.advice, origin)])


def _remarks(document: Document) -> Iterator[Found]:
    """What is worth knowing about a document that kubectl reads without a word."""
    if document.has_rest:
        message = "text after the end of the document is not read"
        origin = document.origin(document.text.rstrip().count("\n") + 1, 1)
        advice = "put --- on a line of its own between documents"
        yield Found(problems=[_problem("warning", "text-after-end", "document", message, advice, origin)])
    for name, first, second in document.duplicates:
        first_line = document.origin(first.line, 1).line
        message = f'the key "{name}" is there twice, first on line {first_line}; the last one counts'
        origin = document.origin(second.line, second.column)
        yield Found(problems=[_problem("warning", "duplicate-key", "document", message, "keep one of the two", origin)])


def _helper_file(document: Document) -> Found | None:
    """A document that belongs to a tool that makes manifests, and is none itself."""
    value, name = document.value, document.file.rpartition(os.sep)[2]
    if not isinstance(value, dict):
        return None
    is_kustomization = str(value.get("apiVersion")).startswith("kustomize.config.k8s.io/")
    if is_kustomization or (name in _KUSTOMIZATION and not value.get("kind")):
        kind, what, advice = "kustomization", "kustomization", _RENDER_KUSTOMIZATION
        message = "is a kustomization, which makes manifests and is none"
    elif name in _CHART and not value.get("kind"):
        kind, what, advice = "helm-chart", "file of a Helm chart", _RENDER_CHART
        message = "belongs to a Helm chart, which makes manifests, and is none"
    else:
        return None
    problem = _problem("warning", kind, "document", message, advice, document.origin(1, 1))
    return Found(problems=[problem], skipped=what)


def _item(document: Document, path: Path, value: dict[str, Any] | ObjectError) -> Found:
    if isinstance(value, ObjectError):
        at = (*path, *value.path)
        message, advice = value.as_written(document.written(at))
        what = describe(document.value) if isinstance(document.value, dict) else "document"
        return Found(problems=[_problem("error", value.kind, what, message, advice, document.locate(at), at)])
    if value.get("apiVersion") != API_VERSION or not is_read(value):
        return _other(document, path, value)

    def locate(inner: Path) -> Origin:
        # Every object has a place, and most have no other that anyone asks for; the first line is known at once.
        return document.locate((*path, *inner)) if path or inner else document.origin(1, 1)

    def written(inner: Path) -> str | None:
        return document.written((*path, *inner))

    resource, problems = decode(value, locate=locate, written=written)

    def note(severity: Severity, kind: str, inner: Path, message: str, advice: str) -> None:
        origin = document.locate_key((*path, *inner))
        problems.append(_problem(severity, kind, describe(value), message, advice, origin, inner))

    name = value["metadata"]["name"] if resource is not None else ""
    if name and not _is_subdomain(name):
        message = f'Invalid value: "{name}": {_SUBDOMAIN}'
        note("refused", "name-form", ("metadata", "name"), message, "rename it")
    note_slips(value, fields_of(value["kind"]), note)
    is_faultless = all(problem.severity == "warning" for problem in problems)
    return Found(value=value, resource=resource if is_faultless else None, problems=problems)


def _other(document: Document, path: Path, value: dict[str, Any]) -> Found:
    """An object that selection does not read, with a problem where it was probably meant to be one that it reads."""
    kind, version, what = value["kind"], value.get("apiVersion"), describe(value)
    if version is None:
        origin = document.locate(path)
        problem = _problem("refused", "no-kind", what, "is missing", "add apiVersion", origin, ("apiVersion",))
        return Found(value=value, problems=[problem])
    found = Found(value=value, skipped=shortened(f"{kind} ({version})"))
    group = version.partition("/")[0]
    origin = document.locate((*path, "apiVersion"))
    if kind in READERS and group == API_GROUP:
        message = f"OME has no version {version}"
        advice = f"write {API_VERSION}"
        found.problems.append(_problem("refused", "unknown-version", what, message, advice, origin, ("apiVersion",)))
    elif kind in READERS:
        message = f"belongs to {group or 'no group'}, not to OME"
        advice = f"OME's has apiVersion: {API_VERSION}"
        found.problems.append(_problem("warning", "other-group", what, message, advice, origin, ("apiVersion",)))
    elif group == API_GROUP:
        from difflib import get_close_matches

        by_lower = {each.lower(): each for each in READERS}
        if meant := get_close_matches(kind.lower(), by_lower, n=1, cutoff=0.9):
            message = "OME has no kind of this name that selection reads"
            advice = f"did you mean {by_lower[meant[0]]}?"
            origin = document.locate((*path, "kind"))
            found.problems.append(_problem("warning", "unknown-kind", what, message, advice, origin, ("kind",)))
    return found
