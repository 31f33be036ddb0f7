"""A diffusion pipeline's model_index.json → `diffusionPipeline` (docs/rules.md, section 18.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ome_select.resources import DiffusionComponent, DiffusionPipeline

# The keys that have a field of their own. A U-Net takes the transformer's place, unless there is a transformer.
_FIELDS = {
    "scheduler": "scheduler",
    "text_encoder": "text_encoder",
    "tokenizer": "tokenizer",
    "unet": "transformer",
    "transformer": "transformer",
    "vae": "vae",
}


def _component(value: Any) -> DiffusionComponent | None:
    """A component is written as `[library, type]`; anything else, `[null, null]` included, is none."""
    if isinstance(value, list) and len(value) == 2 and all(isinstance(part, str) for part in value):
        return DiffusionComponent(library=value[0], type=value[1])
    return None


def pipeline_of(index: Mapping[str, Any]) -> DiffusionPipeline:
    """The pipeline that a model_index.json describes."""
    components = {key: found for key, value in index.items() if (found := _component(value)) is not None}
    own = {field: components[key] for key, field in _FIELDS.items() if key in components}
    additional = {key: component for key, component in components.items() if key not in _FIELDS}
    return DiffusionPipeline(
        class_name=index["_class_name"],
        additional_components=additional or None,
        **own,
    )


def manifest_of(pipeline: DiffusionPipeline) -> dict[str, Any]:
    """The pipeline as a manifest writes it."""

    def written(component: DiffusionComponent) -> dict[str, str]:
        return {"library": component.library, "type": component.type}

    named = {
        "scheduler": pipeline.scheduler,
        "textEncoder": pipeline.text_encoder,
        "tokenizer": pipeline.tokenizer,
        "transformer": pipeline.transformer,
        "vae": pipeline.vae,
    }
    manifest: dict[str, Any] = {"className": pipeline.class_name}
    manifest |= {name: written(component) for name, component in named.items() if component is not None}
    if pipeline.additional_components:
        manifest["additionalComponents"] = {
            name: written(component) for name, component in pipeline.additional_components.items()
        }
    return manifest


def folders_of(index: Mapping[str, Any]) -> tuple[str, ...]:
    """The sub-folders that hold the pipeline's components, in the index's order."""
    return tuple(key for key, value in index.items() if _component(value) is not None)
