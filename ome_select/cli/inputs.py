"""From `-f` to a cluster, with everything that could not be read on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from ome_select.errors import UsageError
from ome_select.reading import Reading, read, read_resources
from ome_select.reading.files import catalog

if TYPE_CHECKING:
    from ome_select.cluster import Cluster

_PROGRESS_EVERY = 100
"""Files between two reports of progress."""


def read_paths(paths: Sequence[str], recursive: bool, reader: Callable[..., Reading] = read) -> Reading:
    """Read what `-f` names; a person who waits sees how far it is."""
    if not sys.stderr.isatty():
        return reader(*paths, recursive=recursive)
    shown = False

    def progress(count: int, name: str) -> None:
        nonlocal shown
        if count % _PROGRESS_EVERY == 0:
            shown = True
            click.echo(f"\rreading: {count} files", nl=False, err=True)

    reading = reader(*paths, recursive=recursive, progress=progress)
    if shown:
        click.echo("\r\033[K", nl=False, err=True)
    return reading


def folders_hint(recursive: bool) -> str:
    """What else may help where nothing was found."""
    return "" if recursive else "; folders inside them are read with -R"


def _import_the_rest() -> None:
    """Import what every answer needs and reading does not; its time is free while another process reads."""
    import ome_select.cli.output
    import ome_select.selection  # noqa: F401


def read_cluster(files: Sequence[str], recursive: bool) -> tuple[Cluster, bool]:
    """The cluster of what `-f` names, and whether everything that was found is in it.

    Every problem is reported. What could be read is in the cluster all the same, so that there is an answer from it.

    Raises:
        UsageError: when there is nothing in it.
    """
    reading = read_paths(files or [catalog()], recursive, partial(read_resources, meanwhile=_import_the_rest))
    from ome_select.cli.messages import error, note, warning

    for problem in reading.problems:
        (warning if problem.severity == "warning" else error)(str(problem))
    if reading.skipped:
        note(reading.skipped_text)
    if not reading.resources:
        hint = folders_hint(recursive)
        raise UsageError(f"no objects of OME found: name files or folders that hold runtimes and models with -f{hint}")
    return reading.cluster(), reading.complete
