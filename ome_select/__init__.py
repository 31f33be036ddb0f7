"""OME's runtime selection, executable: which serving runtime a model gets, and why the others do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ome_select.lazy import importer

if TYPE_CHECKING:
    from ome_select.accelerator_config import class_arguments
    from ome_select.accelerators import component_class
    from ome_select.admission import Admission, admit, apply
    from ome_select.aftermath import Aftermath
    from ome_select.cluster import Cluster
    from ome_select.controller import after_admission
    from ome_select.decision import Decision, Verdict
    from ome_select.errors import (
        InvalidModelError,
        InvalidObjectError,
        ModelFilesError,
        NoModelError,
        NoRuntimeFoundError,
        NotFoundError,
        OmeSelectError,
        UsageError,
    )
    from ome_select.inheritance import effective, inheritance_status
    from ome_select.modelfiles import ModelFacts, model_from_files
    from ome_select.modes import component_mode
    from ome_select.reading import Reading, load, read
    from ome_select.selection import Selector, explain, select
    from ome_select.sizes import format_size, parse_size
    from ome_select.versions import version_accepts

__version__ = "0.1.0"

__all__ = [
    "Admission",
    "Aftermath",
    "Cluster",
    "Decision",
    "InvalidModelError",
    "InvalidObjectError",
    "ModelFacts",
    "ModelFilesError",
    "NoModelError",
    "NoRuntimeFoundError",
    "NotFoundError",
    "OmeSelectError",
    "Reading",
    "Selector",
    "UsageError",
    "Verdict",
    "admit",
    "after_admission",
    "apply",
    "class_arguments",
    "component_class",
    "component_mode",
    "effective",
    "explain",
    "format_size",
    "inheritance_status",
    "load",
    "model_from_files",
    "parse_size",
    "read",
    "select",
    "version_accepts",
]

_MODULES = {
    "accelerator_config": ("class_arguments",),
    "accelerators": ("component_class",),
    "admission": ("Admission", "admit", "apply"),
    "aftermath": ("Aftermath",),
    "cluster": ("Cluster",),
    "controller": ("after_admission",),
    "decision": ("Decision", "Verdict"),
    "errors": (
        "InvalidModelError",
        "InvalidObjectError",
        "ModelFilesError",
        "NoModelError",
        "NoRuntimeFoundError",
        "NotFoundError",
        "OmeSelectError",
        "UsageError",
    ),
    "inheritance": ("effective", "inheritance_status"),
    "modelfiles": ("ModelFacts", "model_from_files"),
    "modes": ("component_mode",),
    "reading": ("Reading", "load", "read"),
    "selection": ("Selector", "explain", "select"),
    "sizes": ("format_size", "parse_size"),
    "versions": ("version_accepts",),
}


# A public name is imported when it is first used, so that the command line starts fast.
__getattr__ = importer(__name__, globals(), _MODULES)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
