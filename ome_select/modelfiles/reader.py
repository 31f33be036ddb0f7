"""From a model's folder, or one of its files, to the facts (docs/rules.md, section 17.1)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from ome_select.errors import ModelFilesError
from ome_select.modelfiles.counting import Count, count_pipeline, count_weights
from ome_select.modelfiles.diffusion import pipeline_of
from ome_select.modelfiles.facts import ModelFacts
from ome_select.modelfiles.jsonfile import json_type, read_object
from ome_select.modelfiles.quantization import algorithm_of, from_algorithm, from_config, raw_type
from ome_select.resources import VersionedName

CONFIG = "config.json"
PIPELINE_INDEX = "model_index.json"
QUANTIZATION_CONFIG = "hf_quant_config.json"

# Every model that is no pipeline gets this one format.
_SAFETENSORS = VersionedName(name="safetensors", version="1.0.0")

# Families whose configurations name no architecture, and what OME takes for it.
_ARCHITECTURES = {"deepseek_vl_v2": "DeepseekVLV2ForCausalLM", "multi_modality": "JanusMultiModalityCausalLM"}


def model_from_files(path: str | PathLike[str]) -> ModelFacts:
    """What OME learns from a model's own files.

    Args:
        path: the model's folder, as it is downloaded; or a config.json or model_index.json alone, which gives no
            count of parameters unless it is exact for the family.

    Returns:
        The facts. What the files do not give stays unset, with a note.

    Raises:
        ModelFilesError: when there is no such file, or it is no configuration of a model.

    Source: docs/rules.md, section 17; the recorded answers for what it leaves open.
    """
    where = Path(path)
    try:
        return _read(where)
    except OSError as error:
        raise ModelFilesError(
            where, f"cannot be read: {error.strerror}", "check the path and its permissions"
        ) from None


def _read(where: Path) -> ModelFacts:
    if not where.is_dir():
        return _facts(where, read_object(where), folder=None)
    for name in (PIPELINE_INDEX, CONFIG):
        if (where / name).exists():
            return _facts(where / name, read_object(where / name), folder=where)
    raise ModelFilesError(
        where, f"holds no {CONFIG} and no {PIPELINE_INDEX}", "name the folder that a model was downloaded to"
    )


def _facts(source: Path, config: Mapping[str, Any], folder: Path | None) -> ModelFacts:
    fields = _Fields(source.name, config)
    model_type, class_name = fields.text("model_type"), fields.text("_class_name")
    if not model_type and not class_name:
        # OME's own text; the place comes first.
        raise ModelFilesError(
            source, "model_type or _class_name is missing or empty", "this is no configuration of a model"
        )
    name = _name(source.resolve().parent.name if source.name in (CONFIG, PIPELINE_INDEX) else source.stem)
    if not model_type:
        return _pipeline_facts(source, name, fields, folder)
    return _model_facts(source, name, fields, folder)


def _pipeline_facts(source: Path, name: str, fields: _Fields, folder: Path | None) -> ModelFacts:
    class_name, version = fields.text("_class_name"), fields.text("_diffusers_version")
    diffusers = VersionedName(name="diffusers", version=version or None)
    count = count_pipeline(folder, fields.config)
    return ModelFacts(
        source=source.name,
        name=name,
        model_type=class_name,
        architecture=class_name,
        model_format=diffusers,
        model_framework=diffusers,
        parameters=count.parameters,
        parameters_from=count.source,
        diffusion_pipeline=pipeline_of(fields.config),
        notes=(*fields.notes, *count.notes),
    )


def _model_facts(source: Path, name: str, fields: _Fields, folder: Path | None) -> ModelFacts:
    model_type, version = fields.text("model_type"), fields.text("transformers_version")
    architecture = next(iter(fields.texts("architectures")), _ARCHITECTURES.get(model_type, ""))
    if not architecture:
        fields.notes.append(f"{source.name} names no architecture: OME stores an empty one, which no runtime lists.")
    if not version:
        fields.notes.append(f"{source.name} names no transformers_version, so the framework has no version.")
    quantization_type, quantization = _quantization(fields, folder)
    is_quantized = bool(quantization_type) or fields.config.get("quantization_config") is not None
    count: Count = count_weights(folder, fields.config, architecture, is_quantized=is_quantized)
    return ModelFacts(
        source=source.name,
        name=name,
        model_type=model_type,
        architecture=architecture,
        transformers_version=version,
        quantization_type=quantization_type,
        quantization=quantization,
        model_format=_SAFETENSORS,
        model_framework=VersionedName(name="transformers", version=version or None),
        parameters=count.parameters,
        parameters_from=count.source,
        notes=(*fields.notes, *count.notes),
    )


def _quantization(fields: _Fields, folder: Path | None) -> tuple[str, str | None]:
    """The type of quantization as written, and as OME stores it; hf_quant_config.json beats the configuration."""
    raw, known = "", None
    own_file = None if folder is None else folder / QUANTIZATION_CONFIG
    if own_file is not None and own_file.exists():
        raw = algorithm_of(read_object(own_file))
        known = from_algorithm(raw)
    if not raw and (block := fields.object("quantization_config")) is not None:
        raw, known = raw_type(block), from_config(block)
    if raw and known is None:
        fields.notes.append(f"OME has no name for the quantization {raw}, so the model's stays unset.")
    return raw, known


def _name(text: str) -> str:
    """A name that Kubernetes takes, as near to the text as can be."""
    name = re.sub(r"[^a-z0-9.-]+", "-", text.lower()).strip("-.")
    return name or "model"


class _Fields:
    """The fields of a configuration, read by type; what has another type counts as unset, with a note."""

    def __init__(self, source: str, config: Mapping[str, Any]) -> None:
        self.source = source
        self.config = config
        self.notes: list[str] = []

    def _wrong(self, name: str, wanted: str) -> None:
        note = f"{self.source}: {name} is {json_type(self.config[name])} where {wanted} belongs, and is passed over."
        if note not in self.notes:
            self.notes.append(note)

    def text(self, name: str) -> str:
        """A text; empty where it is unset."""
        value = self.config.get(name)
        if value is not None and not isinstance(value, str):
            self._wrong(name, "a text")
            return ""
        return value or ""

    def texts(self, name: str) -> list[str]:
        """A list of texts; empty where it is unset."""
        value = self.config.get(name)
        if value is not None and not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
            self._wrong(name, "a list of texts")
            return []
        return value or []

    def object(self, name: str) -> Mapping[str, Any] | None:
        """An object, or None where it is unset."""
        value = self.config.get(name)
        if value is not None and not isinstance(value, dict):
            self._wrong(name, "an object")
            return None
        return value
