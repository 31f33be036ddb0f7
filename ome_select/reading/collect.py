"""A document → the objects and resources in it, which join those that were read before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ome_select.cluster import duplicate, identity
from ome_select.reading.documents import Document
from ome_select.reading.judge import judge
from ome_select.resources import Resource, ServingRuntime

if TYPE_CHECKING:
    from ome_select.reading.reading import Reading


def collect(document: Document, reading: Reading, *, whole: bool) -> None:
    """Take everything in a document into a reading.

    Args:
        document: the next document.
        reading: what has been read before it.
        whole: whether the objects are wanted as they are, beside what selection reads of them.
    """
    found = judge(document)
    if document.is_folded and any(each.problems for each in found):
        # The problem may be one of what was skipped, and its place is known only with the rest.
        document = document.unfolded()
        found = judge(document)
    for each in found:
        reading.problems += each.problems
        if each.skipped:
            reading.skipped[each.skipped] += 1
        if each.value is not None and whole:
            reading.objects.append(each.value)
            reading.files.append(document.file)
        if each.resource is not None:
            _keep(each.resource, reading)


def _keep(resource: Resource, reading: Reading) -> None:
    """Of two runtimes of one name the first counts, as in OME's catalog; two of anything else are an error."""
    first = reading.first_of.setdefault(identity(resource), resource)
    if first is resource:
        reading.resources.append(resource)
    else:
        first_counts = isinstance(resource, ServingRuntime)
        reading.problems.append(duplicate(first, resource, first_counts=first_counts))
