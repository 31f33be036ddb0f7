"""The `spec` of each kind of object, read field by field into a resource (docs/rules.md, sections 1 and 19).

Each kind has one small reader. A reader never raises: it notes a problem with the path of the field and goes on, so
that all the faults of an object are told at once. Nothing is coerced: `priority: "2"` is a text, and a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

import ome_select.resources as resources
from ome_select.fields import Fields

DEFAULT_NAMESPACE = "default"
"""Where a namespaced object without a namespace counts, as in kubectl with an unset context."""

_Read = TypeVar("_Read")


def _optional(fields: Fields | None, read: Callable[[Fields], _Read]) -> _Read | None:
    return None if fields is None else read(fields)


def _versioned_name(fields: Fields) -> resources.VersionedName:
    fields.require("name")
    weight = fields.whole("weight")
    return resources.VersionedName(
        name=fields.text("name") or "",
        version=fields.text("version"),
        operator=fields.text("operator") or "Equal",
        weight=1 if weight is None else weight,
    )


def _diffusion_component(fields: Fields) -> resources.DiffusionComponent:
    return resources.DiffusionComponent(library=fields.text("library") or "", type=fields.text("type") or "")


def _diffusion_pipeline(fields: Fields) -> resources.DiffusionPipeline:
    return resources.DiffusionPipeline(
        class_name=fields.text("className"),
        scheduler=_optional(fields.within("scheduler"), _diffusion_component),
        text_encoder=_optional(fields.within("textEncoder"), _diffusion_component),
        tokenizer=_optional(fields.within("tokenizer"), _diffusion_component),
        transformer=_optional(fields.within("transformer"), _diffusion_component),
        vae=_optional(fields.within("vae"), _diffusion_component),
        additional_components=fields.named("additionalComponents", _diffusion_component),
    )


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
        model_format=_optional(fields.within("modelFormat"), _versioned_name),
        model_framework=_optional(fields.within("modelFramework"), _versioned_name),
        model_architecture=fields.text("modelArchitecture"),
        quantization=fields.text("quantization"),
        diffusion_pipeline=_optional(fields.within("diffusionPipeline"), _diffusion_pipeline),
        model_cache_providers=fields.texts("modelCacheProviders"),
        auto_select=fields.flag("autoSelect"),
        priority=fields.whole("priority", minimum=1, bits=32),
        accelerator_config=fields.named("acceleratorConfig", _accelerator_config),
    )


def _size_range(fields: Fields) -> resources.ModelSizeRange:
    return resources.ModelSizeRange(min=fields.text("min"), max=fields.text("max"))


def _constraints(fields: Fields) -> resources.AcceleratorConstraints:
    return resources.AcceleratorConstraints(
        min_memory=fields.whole("minMemory"),
        max_memory=fields.whole("maxMemory"),
        min_compute_performance_tflops=fields.whole("minComputePerformanceTFLOPS"),
        min_architecture_version=fields.text("minArchitectureVersion"),
        required_features=fields.texts("requiredFeatures"),
        excluded_classes=fields.texts("excludedClasses"),
        architecture_families=fields.texts("architectureFamilies"),
        preferred_precisions=fields.texts("preferredPrecisions"),
    )


def _selector(fields: Fields) -> resources.AcceleratorSelector:
    return resources.AcceleratorSelector(
        accelerator_class=fields.text("acceleratorClass"),
        policy=fields.one_of("policy", "BestFit", "Cheapest", "MostCapable", "FirstAvailable"),
        constraints=_optional(fields.within("constraints"), _constraints),
    )


def _runner_image(fields: Fields) -> str | None:
    runner = fields.within("runner")
    return None if runner is None else runner.text("image")


def _pod_group(fields: Fields) -> resources.PodGroup:
    return resources.PodGroup(runner_image=_runner_image(fields), size=fields.whole("size"))


def _component(fields: Fields) -> resources.Component:
    runner = fields.within("runner") or Fields({}, (), fields.note)
    return resources.Component(
        annotations=fields.text_map("annotations"),
        accelerator_override=_optional(fields.within("acceleratorOverride"), _selector),
        runner_image=runner.text("image"),
        runner_args=runner.texts("args"),
        leader=_optional(fields.within("leader"), _pod_group),
        worker=_optional(fields.within("worker"), _pod_group),
        has_deployment_strategy=fields.has("deploymentStrategy"),
        has_autoscaler_policy_ref=fields.has("autoscalerPolicyRef"),
        min_replicas=fields.whole("minReplicas"),
        max_replicas=fields.whole("maxReplicas"),
    )


class Head(NamedTuple):
    """What every object has: its kind, and what its metadata says."""

    kind: Any
    name: str
    namespace: str | None
    annotations: Mapping[str, str]
    origin: resources.Origin | None
    is_deleting: bool


def _runtime(head: Head, spec: Fields) -> resources.ServingRuntime:
    requirements = spec.within("acceleratorRequirements")
    return resources.ServingRuntime(
        kind=head.kind,
        name=head.name,
        namespace=head.namespace,
        annotations=head.annotations,
        origin=head.origin,
        supported_model_formats=tuple(_entry(entry) for entry in spec.each("supportedModelFormats")),
        model_size_range=_optional(spec.within("modelSizeRange"), _size_range),
        disabled=spec.flag("disabled"),
        scaling_mode=None if (policy := spec.within("scalingPolicy")) is None else policy.text("mode"),
        accelerator_classes=() if requirements is None else requirements.texts("acceleratorClasses"),
        protocol_versions=spec.texts("protocolVersions"),
        engine=_optional(spec.within("engineConfig"), _component),
        decoder=_optional(spec.within("decoderConfig"), _component),
        router=_optional(spec.within("routerConfig"), _component),
    )


def _model(head: Head, spec: Fields) -> resources.BaseModel:
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
        model_format=_optional(spec.within("modelFormat"), _versioned_name),
        model_framework=_optional(spec.within("modelFramework"), _versioned_name),
        model_architecture=spec.text("modelArchitecture"),
        quantization=spec.text("quantization"),
        diffusion_pipeline=_optional(spec.within("diffusionPipeline"), _diffusion_pipeline),
        model_parameter_size=spec.text("modelParameterSize"),
        disabled=spec.flag("disabled"),
        distribution=spec.one_of("distribution", "PerNode", "Sharded"),
        storage_uri=None if storage is None else storage.text("storageUri"),
    )


def _model_ref(fields: Fields) -> resources.ModelRef:
    fields.require("name")
    return resources.ModelRef(name=fields.text("name") or "", kind=fields.text("kind") or "ClusterBaseModel")


def _runtime_ref(fields: Fields) -> resources.RuntimeRef:
    fields.require("name")
    auto_sync = fields.flag("autoSync")
    return resources.RuntimeRef(
        name=fields.text("name") or "",
        kind=fields.text("kind") or "ClusterServingRuntime",
        auto_sync=True if auto_sync is None else auto_sync,
        revision=fields.text("revision"),
    )


def _service(head: Head, spec: Fields) -> resources.InferenceService:
    return resources.InferenceService(
        name=head.name,
        namespace=head.namespace or DEFAULT_NAMESPACE,
        is_deleting=head.is_deleting,
        annotations=head.annotations,
        origin=head.origin,
        model=_optional(spec.within("model"), _model_ref),
        runtime=_optional(spec.within("runtime"), _runtime_ref),
        deployment_mode=spec.text("deploymentMode"),
        accelerator_selector=_optional(spec.within("acceleratorSelector"), _selector),
        engine=_optional(spec.within("engine"), _component),
        decoder=_optional(spec.within("decoder"), _component),
        router=_optional(spec.within("router"), _component),
    )


def _performance(fields: Fields) -> resources.Performance:
    return resources.Performance(
        fp32_tflops=fields.whole("fp32Tflops") or 0,
        fp16_tflops=fields.whole("fp16Tflops") or 0,
        int8_tops=fields.whole("int8Tops") or 0,
        int4_tops=fields.whole("int4Tops") or 0,
    )


def _quantity(fields: Fields, name: str) -> str | None:
    """A Kubernetes quantity, which may be written as a number or as a text."""
    # Only accelerator classes have quantities, and exact fractions take time to import.
    from ome_select.quantities import parse_quantity

    text = str(fields.whole(name)) if fields.is_whole(name) else fields.text(name)
    if text is not None and parse_quantity(text) is None:
        fields.fault(name, "a Kubernetes quantity", "write a number with a unit of Kubernetes, such as 80Gi or 4500m")
        return None
    return text


def _cost(fields: Fields) -> resources.Cost:
    return resources.Cost(
        per_hour=_quantity(fields, "perHour"),
        spot_per_hour=_quantity(fields, "spotPerHour"),
        per_million_tokens=_quantity(fields, "perMillionTokens"),
        tier=fields.text("tier"),
    )


def _accelerator_class(head: Head, spec: Fields) -> resources.AcceleratorClass:
    capabilities = spec.within("capabilities") or Fields({}, (), spec.note)
    return resources.AcceleratorClass(
        name=head.name,
        origin=head.origin,
        vendor=spec.text("vendor") or "",
        family=spec.text("family") or "",
        memory_gb=_quantity(capabilities, "memoryGB"),
        memory_bandwidth_gbps=_quantity(capabilities, "memoryBandwidthGBps"),
        compute_capability=capabilities.text("computeCapability") or "",
        features=capabilities.texts("features"),
        performance=_optional(capabilities.within("performance"), _performance),
        cost=_optional(spec.within("cost"), _cost),
    )


READERS: Mapping[str, tuple[bool, Callable[[Head, Fields], resources.Resource]]] = {
    "ServingRuntime": (True, _runtime),
    "ClusterServingRuntime": (False, _runtime),
    "BaseModel": (True, _model),
    "ClusterBaseModel": (False, _model),
    "InferenceService": (True, _service),
    "AcceleratorClass": (False, _accelerator_class),
}
"""The kinds that selection reads: whether they live in a namespace, and how their `spec` is read."""
