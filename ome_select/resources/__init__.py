"""What a manifest says, as records (docs/rules.md, sections 1, 16.4 and 19).

Nothing is computed here: a text stays the text that was written, and `None` means that the field was not set.
Field names are those of the API in snake case, and API defaults that count as set (section 1) are the defaults here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ome_select.lazy import importer

if TYPE_CHECKING:
    from ome_select.resources.accelerators import (
        AcceleratorClass,
        AcceleratorConfig,
        AcceleratorConstraints,
        AcceleratorSelector,
        Cost,
        Performance,
    )
    from ome_select.resources.common import Origin
    from ome_select.resources.components import Component, PodGroup
    from ome_select.resources.diffusion import DiffusionComponent, DiffusionPipeline
    from ome_select.resources.formats import ModelSizeRange, SupportedModelFormat, VersionedName
    from ome_select.resources.models import BaseModel, ModelKind
    from ome_select.resources.runtimes import RuntimeKind, ServingRuntime
    from ome_select.resources.services import InferenceService, ModelRef, RuntimeRef

__all__ = [
    "AcceleratorClass",
    "AcceleratorConfig",
    "AcceleratorConstraints",
    "AcceleratorSelector",
    "BaseModel",
    "Component",
    "Cost",
    "DiffusionComponent",
    "DiffusionPipeline",
    "InferenceService",
    "ModelKind",
    "ModelRef",
    "ModelSizeRange",
    "Origin",
    "Performance",
    "PodGroup",
    "Resource",
    "RuntimeKind",
    "RuntimeRef",
    "ServingRuntime",
    "SupportedModelFormat",
    "VersionedName",
]

Resource: TypeAlias = "ServingRuntime | BaseModel | InferenceService | AcceleratorClass"
"""Every kind of object that a cluster holds here."""

_MODULES = {
    "accelerators": (
        "AcceleratorClass",
        "AcceleratorConfig",
        "AcceleratorConstraints",
        "AcceleratorSelector",
        "Cost",
        "Performance",
    ),
    "common": ("Origin",),
    "components": ("Component", "PodGroup"),
    "diffusion": ("DiffusionComponent", "DiffusionPipeline"),
    "formats": ("ModelSizeRange", "SupportedModelFormat", "VersionedName"),
    "models": ("BaseModel", "ModelKind"),
    "runtimes": ("RuntimeKind", "ServingRuntime"),
    "services": ("InferenceService", "ModelRef", "RuntimeRef"),
}


# A record is imported when it is first used: making its class takes time, and most answers need few of them.
__getattr__ = importer(__name__, globals(), _MODULES)
