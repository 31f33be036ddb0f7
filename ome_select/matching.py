"""Does an entry match a model, and if not, what are all the differences (docs/rules.md, sections 5, 6 and 18)?

`differences` is the only place that compares an entry with a model; what it finds is worded as OME words it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ome_select.compiled import CompiledEntry, CompiledModel, CompiledName
from ome_select.versions import accepts

if TYPE_CHECKING:
    from ome_select.resources import DiffusionComponent, DiffusionPipeline

# Rule 18.2: a Sharded model needs a cache provider, and no release yet lets a cluster configure one.
NO_CACHE_PROVIDER = "no model cache provider is configured for sharded model loading"


def versions_match(entry: CompiledName, model: CompiledName) -> bool:
    """Whether both have a version that parses and the entry's operator accepts the model's (rule 5)."""
    if entry.version is None or model.version is None:
        return False
    return accepts(entry.version, entry.operator, model.version)


def _name_difference(what: str, entry: CompiledName, model: CompiledName) -> str | None:
    """The names are equal and the versions match; where the names differ, versions are not compared (rule 5)."""
    if entry.name != model.name:
        return f"{what} name mismatch (model={model.name}, runtime={entry.name})"
    if versions_match(entry, model) or (entry.version_text is None and model.version_text is None):
        return None
    if entry.version_text is None:
        return f"model has {what} version but runtime has no version requirement"
    if model.version_text is None:
        return f"model has no {what} version but runtime requires {entry.version_text}"
    return f"{what} version mismatch (model={model.version_text}, runtime={entry.version_text})"


def _text_difference(what: str, entry: str | None, model: str | None) -> str:
    """How two texts that are not the same differ (rule 5)."""
    if model is None:
        return f"model has no {what} but runtime requires {entry}"
    if entry is None:
        return f"model has {what} {model} but runtime has no {what} requirement"
    return f"{what} mismatch (model={model}, runtime={entry})"


def _pipeline_difference(required: DiffusionPipeline, given: DiffusionPipeline | None) -> str | None:
    """The first difference between the pipeline that an entry has and the model's (rule 6)."""
    if given is None:
        return "diffusion pipeline required by runtime but not specified in model"
    if required.class_name is not None and required.class_name != given.class_name:
        shown = "<nil>" if given.class_name is None else given.class_name
        return f"pipeline class mismatch (model={shown}, runtime={required.class_name})"
    for name, wanted, found in _components(required, given):
        if wanted is None:
            continue
        if found is None:
            return f"component {name} required by runtime but not specified in model"
        if difference := _component_difference(name, wanted, found):
            return difference
    return _additional_difference(required, given)


def _components(
    entry: DiffusionPipeline, model: DiffusionPipeline
) -> tuple[tuple[str, DiffusionComponent | None, DiffusionComponent | None], ...]:
    """The named components in the order in which OME compares them."""
    return (
        ("scheduler", entry.scheduler, model.scheduler),
        ("textEncoder", entry.text_encoder, model.text_encoder),
        ("tokenizer", entry.tokenizer, model.tokenizer),
        ("transformer", entry.transformer, model.transformer),
        ("vae", entry.vae, model.vae),
    )


def _component_difference(name: str, entry: DiffusionComponent, model: DiffusionComponent) -> str | None:
    """Only texts that the entry sets are compared (rule 6)."""
    if entry.library and entry.library != model.library:
        return f"{name} library mismatch (model={model.library}, runtime={entry.library})"
    if entry.type and entry.type != model.type:
        return f"{name} type mismatch (model={model.type}, runtime={entry.type})"
    return None


def _additional_difference(entry: DiffusionPipeline, model: DiffusionPipeline) -> str | None:
    if not entry.additional_components:
        return None
    if not model.additional_components:
        return "diffusion pipeline missing required additional components"
    # OME walks the keys in random order; sorted, the first difference is always the same one (rule 6).
    for key, wanted in sorted(entry.additional_components.items()):
        found = model.additional_components.get(key)
        if found is None:
            return f"diffusion component {key} missing in model"
        if difference := _component_difference(key, wanted, found):
            return difference
    return None


def _framework_difference(entry: CompiledName | None, model: CompiledName | None) -> str | None:
    """Absent on both sides; or present on both, with equal names and matching versions (rule 5)."""
    if entry is None:
        if model is None:
            return None
        return f"model has framework {model.name} but runtime has no framework requirement"
    if model is None:
        return f"model has no framework but runtime requires {entry.name}"
    return _name_difference("framework", entry, model)


def differences(entry: CompiledEntry, model: CompiledModel) -> list[str]:
    """Every difference between an entry and a model, one a dimension, in OME's order (rule 18.1).

    Empty when the entry matches. An entry without a `modelFormat` never matches, so it shows `unknown mismatch` when
    nothing else differs (rule 5).
    """
    found: list[str] = []
    if model.is_sharded:
        found.append(NO_CACHE_PROVIDER)
    if entry.diffusion_pipeline is not None and (
        difference := _pipeline_difference(entry.diffusion_pipeline, model.diffusion_pipeline)
    ):
        found.append(difference)
    # Absent is not a wildcard: a text is equal on both sides, or absent on both.
    if entry.architecture != model.architecture:
        found.append(_text_difference("architecture", entry.architecture, model.architecture))
    if entry.quantization != model.quantization:
        found.append(_text_difference("quantization", entry.quantization, model.quantization))
    if entry.model_format is not None and (
        difference := _name_difference("format", entry.model_format, model.model_format)
    ):
        found.append(difference)
    if difference := _framework_difference(entry.model_framework, model.model_framework):
        found.append(difference)
    return found if found or entry.model_format is not None else ["unknown mismatch"]


def matches(entry: CompiledEntry, model: CompiledModel) -> bool:
    """Whether an entry matches a model: nothing differs (rule 5)."""
    return not differences(entry, model)


def label(model: CompiledModel) -> str:
    """The model as the rejection reason names it: `mt:safetensors:1.0.0:LlamaForCausalLM` (rule 5)."""
    framework = model.model_framework
    parts = (
        model.model_format.name,
        model.model_format.version_text,
        model.architecture,
        model.quantization,
        framework.name if framework else None,
        framework.version_text if framework else None,
    )
    return ":".join(("mt", *(part for part in parts if part is not None)))
