"""The record of what a model's files say, and the BaseModel that it makes (docs/rules.md, section 17.1)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

from ome_select.modelfiles.diffusion import manifest_of
from ome_select.objects import API_GROUP
from ome_select.resources import BaseModel, DiffusionPipeline, ModelKind, VersionedName
from ome_select.sizes import format_size

SKIP_ANNOTATION = "ome.oracle.com/skip-config-parsing"
"""On a model, the value `true` in any case keeps OME from reading the model's files."""

CountSource = Literal["safetensors headers", "safetensors index", "config.json"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelFacts:
    """What OME learns from a model's files, and what could not be learned.

    Attributes:
        source: the file that was read, by its name.
        name: a name for the model, made of that of its folder.
        model_type: the `model_type`, or the class of a diffusion pipeline.
        architecture: the first of `architectures`, or the class of a diffusion pipeline; empty where there is none,
            which OME stores as an empty text.
        transformers_version: the version that the configuration names; empty where it names none.
        quantization_type: the type of quantization as the files write it; empty where there is none.
        quantization: the value of the model's `quantization`, or None where OME leaves it unset.
        model_format, model_framework: as OME fills them in.
        parameters: the number of parameters, or None where the files do not give it exactly.
        parameters_from: where that number comes from, or None.
        diffusion_pipeline: the pipeline of a diffusion model, or None.
        notes: what somebody who relies on these facts should know, in sentences.
    """

    source: str
    name: str
    model_type: str
    architecture: str
    transformers_version: str = ""
    quantization_type: str = ""
    quantization: str | None = None
    model_format: VersionedName
    model_framework: VersionedName
    parameters: int | None = None
    parameters_from: CountSource | None = None
    diffusion_pipeline: DiffusionPipeline | None = None
    notes: tuple[str, ...] = ()

    @property
    def parameter_size(self) -> str | None:
        """The value of `modelParameterSize`, such as `3.21B` (section 17.2), or None where the count is not known."""
        return None if self.parameters is None else format_size(self.parameters)

    def to_model(
        self, name: str | None = None, *, kind: ModelKind = "ClusterBaseModel", namespace: str | None = None
    ) -> BaseModel:
        """The facts as a model of the cluster.

        Args:
            name: the model's name; `self.name` unless given.
            kind: `ClusterBaseModel` or `BaseModel`.
            namespace: the namespace of a BaseModel; `default` unless given.
        """
        place = None if kind == "ClusterBaseModel" else namespace or "default"
        return self.fill(BaseModel(kind=kind, name=name or self.name, namespace=place))

    def fill(self, model: BaseModel) -> BaseModel:
        """The model as OME leaves it after reading these files: what is set stays (section 17.1).

        A format counts as set when it has a name, the other fields when they are there at all. Nothing is read for a
        `vendor://` model or one with the annotation that says so; a `pvc://` model ignores the annotation and gets no
        `diffusionPipeline`.
        """
        uri = model.storage_uri or ""
        on_volume = uri.startswith("pvc://")
        told_to_skip = model.annotations.get(SKIP_ANNOTATION, "").lower() == "true"
        if uri.startswith("vendor://") or (told_to_skip and not on_volume):
            return model
        has_format = model.model_format is not None and model.model_format.name
        learned: dict[str, Any] = {
            "model_format": model.model_format if has_format else self.model_format,
            "model_framework": model.model_framework or self.model_framework,
        }
        for field, value in (
            ("model_architecture", self.architecture),
            ("quantization", self.quantization),
            ("model_parameter_size", self.parameter_size),
            ("diffusion_pipeline", None if on_volume else self.diffusion_pipeline),
        ):
            own = getattr(model, field)
            learned[field] = value if own is None else own
        return dataclasses.replace(model, **learned)

    def to_manifest(
        self,
        name: str | None = None,
        *,
        kind: ModelKind = "ClusterBaseModel",
        namespace: str | None = None,
        storage_uri: str | None = None,
    ) -> dict[str, Any]:
        """The facts as a manifest; the API wants a `storage_uri` in one that is applied.

        The fields that selection does not read, such as `maxTokens`, are not in it, except `modelType`.
        """
        model = self.to_model(name, kind=kind, namespace=namespace)
        metadata = {"name": model.name} | ({"namespace": model.namespace} if model.namespace else {})
        spec: dict[str, Any] = {
            "modelType": self.model_type,
            "modelArchitecture": self.architecture,
            "modelFormat": _written(self.model_format),
            "modelFramework": _written(self.model_framework),
        }
        if self.parameter_size is not None:
            spec["modelParameterSize"] = self.parameter_size
        if self.quantization is not None:
            spec["quantization"] = self.quantization
        if self.diffusion_pipeline is not None:
            spec["diffusionPipeline"] = manifest_of(self.diffusion_pipeline)
        if storage_uri is not None:
            spec["storage"] = {"storageUri": storage_uri}
        return {"apiVersion": f"{API_GROUP}/v1beta1", "kind": kind, "metadata": metadata, "spec": spec}

    def __str__(self) -> str:
        """The facts as a small table, with the notes below it."""
        size = "not known"
        if self.parameters is not None:
            size = f"{self.parameter_size} ({self.parameters} by {self.parameters_from})"
        rows = {
            "modelType": self.model_type,
            "modelArchitecture": self.architecture or "none",
            "modelFormat": _shown(self.model_format),
            "modelFramework": _shown(self.model_framework),
            "modelParameterSize": size,
            "quantization": self.quantization or "none",
        }
        if self.diffusion_pipeline is not None:
            components = manifest_of(self.diffusion_pipeline)
            components |= components.pop("additionalComponents", {})
            del components["className"]
            rows["diffusionPipeline"] = ", ".join(f"{key}={part['type']}" for key, part in components.items())
        width = max(map(len, rows))
        return "\n".join(
            [*(f"{name.ljust(width)}  {value}" for name, value in rows.items()), *(f"- {note}" for note in self.notes)]
        )


def _written(name: VersionedName) -> dict[str, str]:
    return {"name": name.name} | ({} if name.version is None else {"version": name.version})


def _shown(name: VersionedName) -> str:
    return " ".join(_written(name).values())
