"""From `-f` to a cluster, with everything that could not be read on stderr."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ome_select.cli.messages import error, note, warning
from ome_select.cluster import Cluster
from ome_select.errors import UsageError
from ome_select.reading import Reading, read


def catalog() -> Path:
    """The folder of OME's public catalog: inside the package once it is installed, beside it in a checkout."""
    package = Path(__file__).parent.parent
    installed = package / "catalog"
    return installed if installed.is_dir() else package.parent / "fixtures" / "catalog"


def read_inputs(files: Sequence[str], recursive: bool) -> Reading:
    """Read what `-f` names and report every problem; what could be read is there all the same."""
    reading = read(*(files or [catalog()]), recursive=recursive)
    for problem in reading.problems:
        (warning if problem.severity == "warning" else error)(str(problem))
    if reading.skipped:
        note(reading.skipped_text)
    return reading


def read_cluster(files: Sequence[str], recursive: bool) -> tuple[Cluster, bool]:
    """The cluster of what `-f` names, and whether everything that was found is in it.

    Raises:
        UsageError: when there is nothing in it.
    """
    reading = read_inputs(files, recursive)
    cluster = reading.cluster()
    if not len(cluster):
        raise UsageError("no objects of OME found: name files or folders that hold runtimes and models with -f")
    return cluster, reading.complete
