"""How a ServingRuntime or a ClusterServingRuntime is read."""

from __future__ import annotations

import ome_select.resources as resources
from ome_select.fields import Fields
from ome_select.readers import Head
from ome_select.readers.parts import component, diffusion_pipeline, size, versioned_name
from ome_select.sizes import parse_size


def _accelerator_config(fields: Fields) -> resources.AcceleratorConfig:
    parallelism = fields.within("tensorParallelismOverride") or Fields({}, (), fields.note)
    return resources.AcceleratorConfig(
        runtime_args_override=fields.texts("runtimeArgsOverride"),
        tensor_parallel_size=parallelism.whole("tensorParallelSize", minimum=0),
        pipeline_parallel_size=parallelism.whole("pipelineParallelSize", minimum=0),
        data_parallel_size=parallelism.whole("dataParallelSize", minimum=0),
        environment_override=fields.text_map("environmentOverride"),
    )


def _entry(fields: Fields) -> resources.SupportedModelFormat:
    fields.require("modelFormat")
    fields.recommend("modelFramework")
    return resources.SupportedModelFormat(
        name=fields.text("name"),
        version=fields.text("version"),
        model_format=fields.part("modelFormat", versioned_name),
        model_framework=fields.part("modelFramework", versioned_name),
        model_architecture=fields.text("modelArchitecture"),
        quantization=fields.text("quantization"),
        diffusion_pipeline=fields.part("diffusionPipeline", diffusion_pipeline),
        model_cache_providers=fields.texts("modelCacheProviders"),
        auto_select=fields.flag("autoSelect"),
        priority=fields.whole("priority", minimum=1, bits=32),
        accelerator_config=fields.named("acceleratorConfig", _accelerator_config),
    )


def _size_range(fields: Fields) -> resources.ModelSizeRange:
    low, high = size(fields, "min"), size(fields, "max")
    if low is not None and high is not None and parse_size(low) > parse_size(high):
        fields.doubt("min", "field-range", f"{low} is above max, {high}, so every size is rejected", "swap the two")
    return resources.ModelSizeRange(min=low, max=high)


def read(head: Head, spec: Fields) -> resources.ServingRuntime:
    """Read a runtime's `spec`."""
    requirements = spec.within("acceleratorRequirements")
    return resources.ServingRuntime(
        kind=head.kind,
        name=head.name,
        namespace=head.namespace,
        annotations=head.annotations,
        origin=head.origin,
        supported_model_formats=tuple(_entry(entry) for entry in spec.each("supportedModelFormats")),
        model_size_range=spec.part("modelSizeRange", _size_range),
        disabled=spec.flag("disabled"),
        scaling_mode=None if (policy := spec.within("scalingPolicy")) is None else policy.text("mode"),
        accelerator_classes=() if requirements is None else requirements.texts("acceleratorClasses"),
        protocol_versions=spec.texts("protocolVersions"),
        engine=spec.part("engineConfig", component),
        decoder=spec.part("decoderConfig", component),
        router=spec.part("routerConfig", component),
    )
