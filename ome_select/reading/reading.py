"""What was read: the objects, what was passed over, and every problem on the way."""

from __future__ import annotations

import itertools
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ome_select.errors import InvalidObjectError
from ome_select.reading.documents import FastWay, documents
from ome_select.reading.files import Source, sources

if TYPE_CHECKING:
    from ome_select.cluster import Cluster, Identity
    from ome_select.problems import Problem
    from ome_select.resources import Resource

Progress = Callable[[int, str], None]
"""Is told of each file: how many there were, and its name."""

_TOGETHER = 8_000_000
"""How many bytes of files are held at a time."""


class Reading:
    """What files and folders held.

    Attributes:
        objects: every Kubernetes object as a plain dict, as kubectl reads it, of whatever kind.
        resources: those that selection reads and that are without fault, as records.
        problems: everything that is wrong, in the order of the files.
        skipped: how many objects, or files, were passed over, by what they are.
        files: the file of each of `objects`.
        first_of: the first resource of each name.
    """

    __slots__ = ("files", "first_of", "objects", "problems", "resources", "skipped")

    def __init__(self) -> None:
        self.objects: list[dict[str, Any]] = []
        self.resources: list[Resource] = []
        self.problems: list[Problem] = []
        self.skipped: Counter[str] = Counter()
        self.files: list[str] = []
        self.first_of: dict[Identity, Resource] = {}

    def __repr__(self) -> str:
        return f"<Reading: {len(self.resources)} resources, {len(self.problems)} problems>"

    @property
    def complete(self) -> bool:
        """Whether everything that was found could be read, so that no problem is more than a warning."""
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
        from ome_select.cluster import Cluster

        return Cluster(self.resources, skipped=self.skipped)


def _read(
    paths: Sequence[str | os.PathLike[str]],
    recursive: bool,
    progress: Progress,
    meanwhile: Callable[[], object] = lambda: None,
    *,
    whole: bool,
) -> Reading:
    reading = Reading()
    count = 0
    for found in _together(tuple(os.fspath(path) for path in paths), recursive):
        ways = _ways([each for each in found if isinstance(each, Source)], whole)
        # A copy of this process may have begun to read, and goes on while this one imports what it needs.
        from ome_select.reading.collect import collect

        meanwhile()
        for each in found:
            if isinstance(each, Source):
                count += 1
                progress(count, each.name)
                for document in documents(each.name, each.data, next(ways)):
                    collect(document, reading, whole=whole)
            else:
                reading.problems.append(each)
    return reading


def _together(paths: tuple[str, ...], recursive: bool) -> Iterator[list[Source | Problem]]:
    """The files, with the problems of files among them, so that all problems come in the order of the files."""
    found: list[Source | Problem] = []
    size = 0
    for source in sources(paths, recursive, found.append):
        found.append(source)
        size += len(source.data)
        if size > _TOGETHER:
            yield found
            found, size = [], 0
    yield found


def _ways(sources: list[Source], whole: bool) -> Iterator[FastWay | None]:
    """For each source the way to read only what selection needs of it; None where all is wanted."""
    if whole:
        return itertools.repeat(None)
    from ome_select.reading.ahead import fast_ways

    return fast_ways(sources)


def read(
    *paths: str | os.PathLike[str],
    recursive: bool = False,
    progress: Progress = lambda count, name: None,
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
    return _read(paths, recursive, progress, whole=True)


def read_resources(
    *paths: str | os.PathLike[str],
    recursive: bool = False,
    progress: Progress = lambda count, name: None,
    meanwhile: Callable[[], object] = lambda: None,
) -> Reading:
    """Read as `read` does, but only what selection needs: `objects` stays empty, and parts of pods are skipped.

    Args:
        paths: as for `read`.
        recursive: as for `read`.
        progress: as for `read`.
        meanwhile: is called when another process may have begun to read: the time for work of any other sort.
    """
    return _read(paths, recursive, progress, meanwhile, whole=False)


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
