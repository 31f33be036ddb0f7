"""What a model is made of, and what a runtime's entries take (docs/rules.md, section 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ome_select.resources.accelerators import AcceleratorConfig
    from ome_select.resources.diffusion import DiffusionPipeline


@dataclass(frozen=True, kw_only=True, slots=True)
class VersionedName:
    """A `modelFormat` or a `modelFramework`, of a model or of a runtime's entry."""

    name: str
    version: str | None = None
    operator: str = "Equal"
    weight: int = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class SupportedModelFormat:
    """One entry of a runtime's `supportedModelFormats`.

    `name` and `version` are the entry's own, which matching ignores (section 5). `priority` unset counts as 1 for the
    score (section 8), but not for the webhook (section 14), so it stays unset here.
    """

    name: str | None = None
    version: str | None = None
    model_format: VersionedName | None = None
    model_framework: VersionedName | None = None
    model_architecture: str | None = None
    quantization: str | None = None
    diffusion_pipeline: DiffusionPipeline | None = None
    model_cache_providers: tuple[str, ...] = ()
    auto_select: bool | None = None
    priority: int | None = None
    accelerator_config: Mapping[str, AcceleratorConfig] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelSizeRange:
    """A runtime's `modelSizeRange`: both bounds are parameter counts as written, such as `2B` (section 7)."""

    min: str | None = None
    max: str | None = None
