"""What was read: the objects, what was passed over, and every problem on the way."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ome_select.cluster import Cluster, Identity, duplicate, identity
from ome_select.errors import InvalidObjectError
from ome_select.problems import Problem
from ome_select.reading.documents import Document, documents
from ome_select.reading.files import sources
from ome_select.reading.judge import judge
from ome_select.resources import Resource, ServingRuntime


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
    def __init__(self, progress: Callable[[int, str], None], *, whole: bool) -> None:
        self.reading = Reading()
        self._first: dict[Identity, Resource] = {}
        self._progress = progress
        self._whole = whole

    def read(self, paths: tuple[str, ...], recursive: bool) -> Reading:
        for count, source in enumerate(sources(paths, recursive, self.reading.problems.append), 1):
            self._progress(count, source.name)
            for document in documents(source.name, source.data, whole=self._whole):
                self._document(document)
        return self.reading

    def _document(self, document: Document) -> None:
        found = judge(document)
        if document.is_folded and any(each.problems for each in found):
            # The problem may be one of what was skipped, and its place is known only with the rest.
            document = document.unfolded()
            found = judge(document)
        reading = self.reading
        for each in found:
            reading.problems += each.problems
            if each.skipped:
                reading.skipped[each.skipped] += 1
            if each.value is not None and self._whole:
                reading.objects.append(each.value)
                reading.files.append(document.file)
            if each.resource is not None:
                self._keep(each.resource)

    def _keep(self, resource: Resource) -> None:
        """Of two runtimes of one name the first counts, as in OME's catalog; two of anything else are an error."""
        first = self._first.setdefault(identity(resource), resource)
        if first is resource:
            self.reading.resources.append(resource)
        else:
            first_counts = isinstance(resource, ServingRuntime)
            self.reading.problems.append(duplicate(first, resource, first_counts=first_counts))


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
    return _Reader(progress, whole=True).read(tuple(os.fspath(path) for path in paths), recursive)


def read_resources(
    *paths: str | os.PathLike[str],
    recursive: bool = False,
    progress: Callable[[int, str], None] = lambda count, name: None,
) -> Reading:
    """Read as `read` does, but only what selection needs: `objects` stays empty, and parts of pods are skipped."""
    return _Reader(progress, whole=False).read(tuple(os.fspath(path) for path in paths), recursive)


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
