"""A Kubernetes object as a plain dict → a resource, with every fault of it (docs/rules.md, sections 1 and 19).

Each kind has one small reader. A reader never raises: it notes a `Problem` with the path of the field and goes on, so
that all the faults of an object are told at once. Nothing is coerced: `priority: "2"` is a text, and a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from ome_select.quantities import parse_quantity
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

API_GROUP = "ome.io"

Severity = Literal["error", "refused", "warning"]
Path = tuple[str | int, ...]
_Read = TypeVar("_Read")


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """One fault of one object.

    Attributes:
        severity: `error`: the object cannot be used; `refused`: it can be read, but the API server would refuse it;
            `warning`: it is probably not what was meant.
        object: the object as `KIND/NAME` or `KIND/NAMESPACE/NAME`, or its place in the input where it has no name.
        path: the field, from the object's root; empty where the whole object is meant.
        message: what was found and what belongs there.
        advice: what to do.
        origin: the file, line and column, where they are known.
    """

    severity: Severity
    object: str
    message: str
    advice: str = ""
    path: Path = ()
    origin: Origin | None = None

    @property
    def field(self) -> str:
        """The field's path as the API server writes it: `spec.supportedModelFormats[0].priority`."""
        return path_text(self.path)

    def __str__(self) -> str:
        place = f"{self.origin}: " if self.origin else ""
        field = f": {self.field}" if self.path else ""
        advice = f" ({self.advice})" if self.advice else ""
        return f"{place}{self.object}{field}: {self.message}{advice}"


def path_text(path: Path) -> str:
    """A field's path as the API server writes it; a key that holds a dot or a slash stands in brackets."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif "." in step or "/" in step:
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
    return text


def type_name(value: object) -> str:
    """What a value is, in the words of the messages."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, str):
        return f'the text "{value}"'
    return "a list" if isinstance(value, list | tuple) else "a map" if isinstance(value, Mapping) else repr(value)


class Fields:
    """The fields of one map within an object, read by name and type."""

    def __init__(self, value: Mapping[str, Any], path: Path, note: Callable[[Severity, Path, str, str], None]) -> None:
        self._value = value
        self._path = path
        self.note = note

    def fault(self, name: str, wanted: str, advice: str = "") -> None:
        """Note that a field holds something else than what belongs there."""
        path = (*self._path, name)
        self.note("error", path, f"found {type_name(self._value[name])} where {wanted} belongs", advice)

    def _get(self, name: str, kind: type[_Read] | tuple[type, ...], wanted: str) -> Any:
        """The value of a field; None where it is unset, null, or of another type (then a problem is noted)."""
        value = self._value.get(name)
        if value is None:
            return None
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            advice = ""
            if kind is str and isinstance(value, int | float):
                advice = f'quote it: "{value}"'
            elif isinstance(value, str) and kind is not str:
                advice = "leave out the quotes" if kind in (int, bool) else ""
            self.fault(name, wanted, advice)
            return None
        return value

    def text(self, name: str) -> str | None:
        """A text, or None where the field is unset."""
        value: str | None = self._get(name, str, "a text")
        return value

    def flag(self, name: str) -> bool | None:
        """True or false, or None where the field is unset."""
        value: bool | None = self._get(name, bool, "true or false")
        return value

    def whole(self, name: str, *, minimum: int | None = None, bits: int = 64) -> int | None:
        """A whole number, or None where the field is unset; `1.0` is one, as in JSON."""
        value = self._value.get(name)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        else:
            value = self._get(name, int, "a whole number")
        if value is None:
            return None
        if not -(2 ** (bits - 1)) <= value < 2 ** (bits - 1):
            self.fault(name, f"a whole number of {bits} bits")
            return None
        if minimum is not None and value < minimum:
            message = f"Invalid value: {value}: must be greater than or equal to {minimum}"
            self.note("refused", (*self._path, name), message, f"write {minimum} or more, or leave it out")
        return int(value)

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts; empty where the field is unset."""
        return tuple(
            item
            for index, item in enumerate(self._get(name, (list, tuple), "a list") or ())
            if self._item(name, index, item, str, "a text")
        )

    def _item(self, name: str, index: int | str, item: object, kind: type, wanted: str) -> bool:
        if isinstance(item, kind):
            return True
        path = (*self._path, name, index)
        advice = f'quote it: "{item}"' if kind is str and isinstance(item, int | float) else ""
        self.note("error", path, f"found {type_name(item)} where {wanted} belongs", advice)
        return False

    def text_map(self, name: str) -> dict[str, str]:
        """A map of texts, such as annotations; empty where the field is unset."""
        return {
            key: item
            for key, item in (self._get(name, Mapping, "a map") or {}).items()  # type: ignore[type-abstract]
            if self._item(name, key, item, str, "a text")
        }

    def within(self, name: str) -> Fields | None:
        """The fields of a map within this one; None where it is unset."""
        value = self._get(name, Mapping, "a map")  # type: ignore[type-abstract]
        return None if value is None else Fields(value, (*self._path, name), self.note)

    def each(self, name: str) -> Iterator[Fields]:
        """The fields of each map of a list."""
        for index, item in enumerate(self._get(name, (list, tuple), "a list") or ()):
            if self._item(name, index, item, Mapping, "a map"):
                yield Fields(item, (*self._path, name, index), self.note)

    def named(self, name: str, read: Callable[[Fields], _Read]) -> dict[str, _Read] | None:
        """A map of maps by name, each read by `read`; None where the field is unset."""
        inner = self.within(name)
        if inner is None:
            return None
        return {key: read(item) for key in inner._value if (item := inner.within(key)) is not None}

    def is_whole(self, name: str) -> bool:
        """Whether the field holds a whole number."""
        return isinstance(self._value.get(name), int) and not isinstance(self._value.get(name), bool)

    def has(self, name: str) -> bool:
        """Whether the field is set to anything but null."""
        return self._value.get(name) is not None

    def require(self, *names: str) -> None:
        """Note each field that is missing though the API server requires it."""
        for name in names:
            if not self.has(name):
                self.note("refused", (*self._path, name), "Required value", f"add {name}")


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
        policy=fields.text("policy"),
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
    storage = spec.within("storage")
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
        distribution=spec.text("distribution"),
        storage_uri=None if storage is None else storage.text("storageUri"),
    )


def _model_ref(fields: Fields) -> ModelRef:
    return ModelRef(name=fields.text("name") or "", kind=fields.text("kind") or "ClusterBaseModel")


def _runtime_ref(fields: Fields) -> RuntimeRef:
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
    if not isinstance(name, str) or not name:
        return f"{kind or 'object'} without a name" if index is None else f"{kind or 'object'} number {index + 1}"
    return f"{kind}/{namespace}/{name}" if isinstance(namespace, str) else f"{kind}/{name}"


def decode(
    value: Mapping[str, Any],
    *,
    index: int | None = None,
    locate: Callable[[Path], Origin | None] = lambda path: None,
) -> tuple[Resource | None, list[Problem]]:
    """Read one Kubernetes object.

    Args:
        value: the object as a plain dict.
        index: its place in the input, for messages about an object without a name.
        locate: gives the place of the field at a path, where it is known.

    Returns:
        The resource and its problems. The resource is None where a problem is an `error`, and also, without a problem,
        for an object of a kind that selection does not read.
    """
    problems: list[Problem] = []
    shown = describe(value, index) if isinstance(value, Mapping) else f"object number {(index or 0) + 1}"

    def note(severity: Severity, path: Path, message: str, advice: str) -> None:
        problems.append(
            Problem(severity=severity, object=shown, path=path, message=message, advice=advice, origin=locate(path))
        )

    if not isinstance(value, Mapping):
        note("error", (), f"found {type_name(value)} where a Kubernetes object belongs", "")
        return None, problems
    top = Fields(value, (), note)
    kind, api_version = top.text("kind"), top.text("apiVersion")
    for name, found in (("apiVersion", api_version), ("kind", kind)):
        if not found and not problems:
            note("error", (name,), "is missing", f"add {name}")
    if problems or not is_read(value):
        return None, problems
    assert kind is not None
    namespaced, read = READERS[kind]
    metadata = top.within("metadata") or Fields({}, ("metadata",), note)
    name_text = metadata.text("name")
    if not name_text and not problems:
        note("error", ("metadata", "name"), "is missing", "give the object a name")
    head = Head(
        kind=kind,
        name=name_text or "",
        namespace=(metadata.text("namespace") or DEFAULT_NAMESPACE) if namespaced else None,
        annotations=metadata.text_map("annotations"),
        origin=locate(()),
        is_deleting=metadata.has("deletionTimestamp"),
    )
    resource = read(head, top.within("spec") or Fields({}, ("spec",), note))
    return (None if any(problem.severity == "error" for problem in problems) else resource), problems
