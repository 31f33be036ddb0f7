"""How a BaseModel or a ClusterBaseModel is read."""

from __future__ import annotations

import ome_select.resources as resources
from ome_select.fields import Fields
from ome_select.readers import Head
from ome_select.readers.parts import diffusion_pipeline, size, versioned_name


def read(head: Head, spec: Fields) -> resources.BaseModel:
    """Read a model's `spec`."""
    spec.require("storage")
    storage = spec.within("storage")
    if storage is not None:
        storage.require("storageUri")
    return resources.BaseModel(
        kind=head.kind,
        name=head.name,
        namespace=head.namespace,
        annotations=head.annotations,
        origin=head.origin,
        model_format=spec.part("modelFormat", versioned_name),
        model_framework=spec.part("modelFramework", versioned_name),
        model_architecture=spec.text("modelArchitecture"),
        quantization=spec.text("quantization"),
        diffusion_pipeline=spec.part("diffusionPipeline", diffusion_pipeline),
        model_parameter_size=size(spec, "modelParameterSize"),
        disabled=spec.flag("disabled"),
        distribution=spec.one_of("distribution", "PerNode", "Sharded"),
        storage_uri=None if storage is None else storage.text("storageUri"),
    )
