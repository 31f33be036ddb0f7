"""Diffusion pipelines (docs/rules.md, section 6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class DiffusionComponent:
    """One part of a diffusion pipeline; an unset text is empty, as OME prints it (section 6)."""

    library: str = ""
    type: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class DiffusionPipeline:
    """A `diffusionPipeline`: the class and its parts (section 6)."""

    class_name: str | None = None
    scheduler: DiffusionComponent | None = None
    text_encoder: DiffusionComponent | None = None
    tokenizer: DiffusionComponent | None = None
    transformer: DiffusionComponent | None = None
    vae: DiffusionComponent | None = None
    additional_components: Mapping[str, DiffusionComponent] | None = None
