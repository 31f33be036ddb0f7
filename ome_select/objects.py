"""A Kubernetes object as a plain dict → a resource, with every fault of it (docs/rules.md, sections 1 and 19).

Each kind has one small reader. A reader never raises: it notes a `Problem` with the path of the field and goes on, so
that all the faults of an object are told at once. Nothing is coerced: `priority: "2"` is a text, and a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from ome_select.fields import Fields
from ome_select.problems import Path, Problem, Severity, type_name
from ome_select.resources import (
    AcceleratorClass,
    AcceleratorConfig,
    AcceleratorConstraints,
    AcceleratorSelector,
    BaseModel,
    Component,
    Cost,
    DiffusionComponent,
    DiffusionPipeline,
    InferenceService,
    ModelRef,
    ModelSizeRange,
    Origin,
    Performance,
    PodGroup,
    Resource,
    RuntimeRef,
    ServingRuntime,
    SupportedModelFormat,
    VersionedName,
)

__all__ = ["API_GROUP", "READERS", "Fields", "Head", "Path", "Problem", "Severity", "decode", "describe", "is_read"]

API_GROUP = "ome.io"

_Read = TypeVar("_Read")


def _optional(fields: Fields | None, read: Callable[[Fields], _Read]) -> _Read | None:
    return None if fields is None else read(fields)


def _versioned_name(fields: Fields) -> VersionedName:
    fields.require("name")
    weight = fields.whole("weight")
    return VersionedName(
        name=fields.text("name") or "",
        version=fields.text("version"),
        operator=fields.text("operator") or "Equal",
        weight=1 if weight is None else weight,
    )


def _diffusion_component(fields: Fields) -> DiffusionComponent:
    return DiffusionComponent(library=fields.text("library") or "", type=fields.text("type") or "")


def _diffusion_pipeline(fields: Fields) -> DiffusionPipeline:
    return DiffusionPipeline(
        class_name=fields.text("className"),
        scheduler=_optional(fields.within("scheduler"), _diffusion_component),
        text_encoder=_optional(fields.within("textEncoder"), _diffusion_component),
        tokenizer=_optional(fields.within("tokenizer"), _diffusion_component),
        transformer=_optional(fields.within("transformer"), _diffusion_component),
        vae=_optional(fields.within("vae"), _diffusion_component),
        additional_components=fields.named("additionalComponents", _diffusion_component),
    )


def _accelerator_config(fields: Fields) -> AcceleratorConfig:
    parallelism = fields.within("tensorParallelismOverride") or Fields({}, (), fields.note)
    return AcceleratorConfig(
        runtime_args_override=fields.texts("runtimeArgsOverride"),
        tensor_parallel_size=parallelism.whole("tensorParallelSize", minimum=0),
        pipeline_parallel_size=parallelism.whole("pipelineParallelSize", minimum=0),
        data_parallel_size=parallelism.whole("dataParallelSize", minimum=0),
        environment_override=fields.text_map("environmentOverride"),
    )


def _entry(fields: Fields) -> SupportedModelFormat:
    fields.require("modelFormat")
    fields.recommend("modelFramework")
    return SupportedModelFormat(
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


def _size_range(fields: Fields) -> ModelSizeRange:
    return ModelSizeRange(min=fields.text("min"), max=fields.text("max"))


def _constraints(fields: Fields) -> AcceleratorConstraints:
    return AcceleratorConstraints(
        min_memory=fields.whole("minMemory"),
        max_memory=fields.whole("maxMemory"),
        min_compute_performance_tflops=fields.whole("minComputePerformanceTFLOPS"),
        min_architecture_version=fields.text("minArchitectureVersion"),
        required_features=fields.texts("requiredFeatures"),
        excluded_classes=fields.texts("excludedClasses"),
        architecture_families=fields.texts("architectureFamilies"),
        preferred_precisions=fields.texts("preferredPrecisions"),
    )


def _selector(fields: Fields) -> AcceleratorSelector:
    return AcceleratorSelector(
        accelerator_class=fields.text("acceleratorClass"),
        policy=fields.one_of("policy", "BestFit", "Cheapest", "MostCapable", "FirstAvailable"),
        constraints=_optional(fields.within("constraints"), _constraints),
    )


def _runner_image(fields: Fields) -> str | None:
    runner = fields.within("runner")
    return None if runner is None else runner.text("image")


def _pod_group(fields: Fields) -> PodGroup:
    return PodGroup(runner_image=_runner_image(fields), size=fields.whole("size"))


def _component(fields: Fields) -> Component:
    runner = fields.within("runner") or Fields({}, (), fields.note)
    return Component(
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


@dataclass(frozen=True, kw_only=True, slots=True)
class Head:
    """What every object has: its kind, and what its metadata says."""

    kind: Any
    name: str
    namespace: str | None
    annotations: Mapping[str, str]
    origin: Origin | None
    is_deleting: bool


def _runtime(head: Head, spec: Fields) -> ServingRuntime:
    requirements = spec.within("acceleratorRequirements")
    return ServingRuntime(
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


def _model(head: Head, spec: Fields) -> BaseModel:
    spec.require("storage")
    storage = spec.within("storage")
    if storage is not None:
        storage.require("storageUri")
    return BaseModel(
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


def _model_ref(fields: Fields) -> ModelRef:
    fields.require("name")
    return ModelRef(name=fields.text("name") or "", kind=fields.text("kind") or "ClusterBaseModel")


def _runtime_ref(fields: Fields) -> RuntimeRef:
    fields.require("name")
    auto_sync = fields.flag("autoSync")
    return RuntimeRef(
        name=fields.text("name") or "",
        kind=fields.text("kind") or "ClusterServingRuntime",
        auto_sync=True if auto_sync is None else auto_sync,
        revision=fields.text("revision"),
    )


def _service(head: Head, spec: Fields) -> InferenceService:
    return InferenceService(
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


def _performance(fields: Fields) -> Performance:
    return Performance(
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


def _cost(fields: Fields) -> Cost:
    return Cost(
        per_hour=_quantity(fields, "perHour"),
        spot_per_hour=_quantity(fields, "spotPerHour"),
        per_million_tokens=_quantity(fields, "perMillionTokens"),
        tier=fields.text("tier"),
    )


def _accelerator_class(head: Head, spec: Fields) -> AcceleratorClass:
    capabilities = spec.within("capabilities") or Fields({}, (), spec.note)
    return AcceleratorClass(
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


DEFAULT_NAMESPACE = "default"
"""Where a namespaced object without a namespace counts, as in kubectl with an unset context."""

READERS: Mapping[str, tuple[bool, Callable[[Head, Fields], Resource]]] = {
    "ServingRuntime": (True, _runtime),
    "ClusterServingRuntime": (False, _runtime),
    "BaseModel": (True, _model),
    "ClusterBaseModel": (False, _model),
    "InferenceService": (True, _service),
    "AcceleratorClass": (False, _accelerator_class),
}
"""The kinds that selection reads: whether they live in a namespace, and how their `spec` is read."""


def is_read(value: Mapping[str, Any]) -> bool:
    """Whether an object is of a kind that selection reads."""
    group = str(value.get("apiVersion", "")).partition("/")[0]
    return group == API_GROUP and value.get("kind") in READERS


def describe(value: Mapping[str, Any], index: int | None = None) -> str:
    """An object as messages name it: `KIND/NAME`, `KIND/NAMESPACE/NAME`, or its place where it has no name."""
    metadata = value.get("metadata")
    metadata = metadata if isinstance(metadata, Mapping) else {}
    kind, name, namespace = value.get("kind"), metadata.get("name"), metadata.get("namespace")
    kind = kind if isinstance(kind, str) and kind else "object"
    if not isinstance(name, str) or not name:
        return f"{kind} without a name" if index is None else f"{kind} number {index + 1}"
    return f"{kind}/{namespace}/{name}" if isinstance(namespace, str) else f"{kind}/{name}"


def decode(
    value: Mapping[str, Any],
    *,
    index: int | None = None,
    locate: Callable[[Path], Origin | None] = lambda path: None,
    written: Callable[[Path], str | None] = lambda path: None,
) -> tuple[Resource | None, list[Problem]]:
    """Read one Kubernetes object.

    Args:
        value: the object as a plain dict.
        index: its place in the input, for messages about an object without a name.
        locate: gives the place of the field at a path, where it is known.
        written: gives the text of the field at a path as it stands in the file, where it is known.

    Returns:
        The resource and its problems. The resource is None where a problem is an `error`, and also, without a problem,
        for an object of a kind that selection does not read.
    """
    problems: list[Problem] = []
    shown = describe(value, index) if isinstance(value, Mapping) else f"object number {(index or 0) + 1}"

    def note(severity: Severity, kind: str, path: Path, message: str, advice: str) -> None:
        origin = locate(path)
        problems.append(
            Problem(
                severity=severity, kind=kind, object=shown, path=path, message=message, advice=advice, origin=origin
            )
        )

    if not isinstance(value, Mapping):
        message = f"found {type_name(value)} where a Kubernetes object belongs"
        note("error", "no-object", (), message, "write an object: a map with apiVersion, kind and metadata")
        return None, problems
    top = Fields(value, (), note, written)
    kind, api_version = top.text("kind"), top.text("apiVersion")
    for name, found in (("apiVersion", api_version), ("kind", kind)):
        if not found and not problems:
            note("error", "no-kind", (name,), "is missing", f"add {name}")
    if problems or not is_read(value):
        return None, problems
    assert kind is not None
    namespaced, read = READERS[kind]
    metadata = top.within("metadata") or Fields({}, ("metadata",), note, written)
    name_text = metadata.text("name")
    if not name_text and not problems:
        note("error", "no-name", ("metadata", "name"), "is missing", "give the object a name")
    head = Head(
        kind=kind,
        name=name_text or "",
        namespace=(metadata.text("namespace") or DEFAULT_NAMESPACE) if namespaced else None,
        annotations=metadata.text_map("annotations"),
        origin=locate(()),
        is_deleting=metadata.has("deletionTimestamp"),
    )
    resource = read(head, top.within("spec") or Fields({}, ("spec",), note, written))
    return (None if any(problem.severity == "error" for problem in problems) else resource), problems
