"""What was read: the objects, what was passed over, and every problem on the way."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from ome_select.cluster import Cluster, Identity, duplicate, identity
from ome_select.errors import InvalidObjectError
from ome_select.known import fields_of, note_slips
from ome_select.objects import READERS, decode, describe, is_read
from ome_select.problems import Path, Problem, Severity
from ome_select.reading.documents import Document, documents
from ome_select.reading.expand import ObjectError, objects
from ome_select.reading.faults import TextError
from ome_select.reading.files import sources
from ome_select.resources import Origin, Resource, ServingRuntime

API_VERSION = "ome.io/v1beta1"

_KUSTOMIZATION = ("kustomization.yaml", "kustomization.yml", "Kustomization")
_CHART = ("Chart.yaml", "values.yaml")
_RENDER_KUSTOMIZATION = "render it first: kubectl kustomize FOLDER"
_RENDER_CHART = "render it first: helm template FOLDER"


@dataclass(slots=True)
class Reading:
    """What files and folders held.

    Attributes:
        objects: every Kubernetes object as a plain dict, as kubectl reads it, of whatever kind.
        resources: those that selection reads and that are without fault, as records.
        problems: everything that is wrong, in the order of the files.
        skipped: how many objects, or files, were passed over, by what they are.
        files: the file of each of `objects`.
    """

    objects: list[dict[str, Any]] = field(default_factory=list)
    resources: list[Resource] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    files: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether everything that was found could be read: no problem is more than a warning."""
        return all(problem.severity == "warning" for problem in self.problems)

    @property
    def skipped_text(self) -> str:
        """What was passed over, on one line; empty when nothing was."""
        if not self.skipped:
            return ""
        listed = ", ".join(f"{count} × {what}" for what, count in sorted(self.skipped.items()))
        return f"skipped what selection does not read: {listed}"

    def cluster(self) -> Cluster:
        """The cluster of all that could be read."""
        return Cluster(self.resources, skipped=self.skipped)


class _Reader:
    def __init__(self, progress: Callable[[int, str], None]) -> None:
        self.reading = Reading()
        self._first: dict[Identity, Resource] = {}
        self._progress = progress

    def read(self, paths: tuple[str, ...], recursive: bool) -> Reading:
        for count, source in enumerate(sources(paths, recursive, self.reading.problems.append), 1):
            self._progress(count, source.name)
            for document in documents(source.name, source.data):
                self._document(document)
        return self.reading

    def _note(
        self, severity: Severity, kind: str, what: str, message: str, advice: str, origin: Origin, path: Path = ()
    ) -> None:
        self.reading.problems.append(
            Problem(severity=severity, kind=kind, object=what, message=message, advice=advice, origin=origin, path=path)
        )

    def _document(self, document: Document) -> None:
        if document.error is not None:
            self._unreadable(document, document.error)
            return
        if document.has_rest:
            message = "text after the end of the document is not read"
            advice = "put --- on a line of its own between documents"
            origin = document.origin(document.text.count("\n", 0, len(document.text.rstrip())) + 1, 1)
            self._note("warning", "text-after-end", "document", message, advice, origin)
        for name, first, second in document.duplicates:
            self._duplicate_key(document, name, first.line, second.line, second.column)
        if document.value is None or self._is_helper_file(document):
            return
        for path, found in objects(document.value):
            if isinstance(found, ObjectError):
                at = (*path, *found.path)
                message, advice = found.as_written(document.written(at))
                what = describe(document.value) if isinstance(document.value, dict) else "document"
                self._note("error", found.kind, what, message, advice, document.locate(at), at)
            else:
                self.reading.objects.append(found)
                self.reading.files.append(document.file)
                self._object(document, path, found)

    def _unreadable(self, document: Document, error: TextError) -> None:
        origin = document.origin(error.line, error.column)
        if "{{" in document.text:
            self.reading.skipped["Helm template"] += 1
            message = f"is a Helm template and no manifest yet ({error.message})"
            self._note("error", "helm-template", "document", message, _RENDER_CHART, origin)
        else:
            self._note("error", error.kind, "document", error.message, error.advice, origin)

    def _duplicate_key(self, document: Document, name: str, first: int, line: int, column: int) -> None:
        first_line = document.origin(first, 1).line
        message = f'the key "{name}" is there twice, first on line {first_line}; the last one counts'
        origin = document.origin(line, column)
        self._note("warning", "duplicate-key", "document", message, "keep one of the two", origin)

    def _is_helper_file(self, document: Document) -> bool:
        """Whether a document belongs to a tool that makes manifests, and is none itself."""
        value, name = document.value, os.path.basename(document.file)
        if not isinstance(value, dict):
            return False
        is_kustomization = str(value.get("apiVersion")).startswith("kustomize.config.k8s.io/")
        if is_kustomization or (name in _KUSTOMIZATION and not value.get("kind")):
            self.reading.skipped["kustomization"] += 1
            message = "is a kustomization, which makes manifests and is none"
            self._note("warning", "kustomization", "document", message, _RENDER_KUSTOMIZATION, document.locate(()))
            return True
        if name in _CHART and not value.get("kind"):
            self.reading.skipped["file of a Helm chart"] += 1
            message = "belongs to a Helm chart, which makes manifests, and is none"
            self._note("warning", "helm-chart", "document", message, _RENDER_CHART, document.locate(()))
            return True
        return False

    def _object(self, document: Document, path: Path, value: dict[str, Any]) -> None:
        version = value.get("apiVersion")
        if version is not None and version != API_VERSION or not is_read(value):
            self._other(document, path, value)
            return

        def locate(inner: Path) -> Origin:
            return document.locate((*path, *inner)) if path or inner else Origin(file=document.file, line=document.line)

        def written(inner: Path) -> str | None:
            return document.written((*path, *inner))

        resource, found = decode(value, locate=locate, written=written)
        what = describe(value)

        def note(severity: Severity, kind: str, inner: Path, message: str, advice: str) -> None:
            self._note(severity, kind, what, message, advice, locate(inner), inner)

        self.reading.problems += found
        note_slips(value, fields_of(value["kind"]), note)
        if resource is not None and all(problem.severity == "warning" for problem in found):
            self._keep(resource)

    def _keep(self, resource: Resource) -> None:
        """Of two runtimes of one name the first counts, as in OME's catalog; two of anything else are an error."""
        first = self._first.setdefault(identity(resource), resource)
        if first is resource:
            self.reading.resources.append(resource)
        else:
            first_counts = isinstance(resource, ServingRuntime)
            self.reading.problems.append(duplicate(first, resource, first_counts=first_counts))

    def _other(self, document: Document, path: Path, value: dict[str, Any]) -> None:
        """Count an object that selection does not read, and say so where it was probably meant to be one."""
        kind, version = value["kind"], value.get("apiVersion")
        what, origin = describe(value), document.locate((*path, "apiVersion"))
        group = str(version).partition("/")[0]
        if version is None:
            self._note("error", "no-kind", what, "is missing", "add apiVersion", origin, ("apiVersion",))
            return
        self.reading.skipped[f"{kind} ({version})"] += 1
        if kind in READERS and group == "ome.io":
            message = f"OME has no version {version}"
            self._note("refused", "unknown-version", what, message, f"write {API_VERSION}", origin, ("apiVersion",))
        elif kind in READERS:
            message = f"belongs to {group}, not to OME"
            self._note("warning", "other-group", what, message, f"OME's is {API_VERSION}", origin, ("apiVersion",))
        elif group == "ome.io" and (meant := get_close_matches(kind, READERS, n=1, cutoff=0.9)):
            origin = document.locate((*path, "kind"))
            message, advice = f"OME has no kind {kind} that selection reads", f"did you mean {meant[0]}?"
            self._note("warning", "unknown-kind", what, message, advice, origin, ("kind",))


def read(
    *paths: str | os.PathLike[str],
    recursive: bool = False,
    progress: Callable[[int, str], None] = lambda count, name: None,
) -> Reading:
    """Read manifests as kubectl does.

    Args:
        paths: files, folders, patterns such as `runtimes/*.yaml`, or `-` for stdin. Of a folder, the files that end
            in .yaml, .yml or .json are read.
        recursive: read the folders inside folders, too (`-R`).
        progress: is told of each file: how many there were, and its name.

    Returns:
        The objects and all problems; nothing is raised.
    """
    return _Reader(progress).read(tuple(os.fspath(path) for path in paths), recursive)


def load(*paths: str | os.PathLike[str], recursive: bool = False) -> Cluster:
    """Read manifests into a cluster, strictly.

    Args:
        paths: as for `read`.
        recursive: as for `read`.

    Raises:
        InvalidObjectError: naming every place that cannot be read or that the API server would refuse.
    """
    reading = read(*paths, recursive=recursive)
    if not reading.complete:
        raise InvalidObjectError([problem for problem in reading.problems if problem.severity != "warning"])
    return reading.cluster()
