"""OME's runtime selection, executable: which serving runtime a model gets, and why the others do not."""

from ome_select.cluster import Cluster
from ome_select.decision import Decision, Verdict
from ome_select.errors import (
    InvalidModelError,
    InvalidObjectError,
    NoModelError,
    NoRuntimeFoundError,
    NotFoundError,
    OmeSelectError,
    UsageError,
)
from ome_select.reading import load
from ome_select.selection import Selector, explain, select
from ome_select.sizes import format_size, parse_size
from ome_select.versions import version_accepts

__version__ = "0.1.0"

__all__ = [
    "Cluster",
    "Decision",
    "InvalidModelError",
    "InvalidObjectError",
    "NoModelError",
    "NoRuntimeFoundError",
    "NotFoundError",
    "OmeSelectError",
    "Selector",
    "UsageError",
    "Verdict",
    "explain",
    "format_size",
    "load",
    "parse_size",
    "select",
    "version_accepts",
]
