"""What a manifest says, as records (docs/rules.md, sections 1, 16.4 and 19).

Nothing is computed here: a text stays the text that was written, and `None` means that the field was not set.
Field names are those of the API in snake case, and API defaults that count as set (section 1) are the defaults here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

RuntimeKind = Literal["ServingRuntime", "ClusterServingRuntime"]
ModelKind = Literal["BaseModel", "ClusterBaseModel"]

_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True, slots=True)
class Origin:
    """Where an object was written: a file's name, and line and column counted from 1."""

    file: str
    line: int
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, kw_only=True, slots=True)
class VersionedName:
    """A `modelFormat` or a `modelFramework`, of a model or of a runtime's entry."""

    name: str
    version: str | None = None
    operator: str = "Equal"
    weight: int = 1


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


@dataclass(frozen=True, kw_only=True, slots=True)
class AcceleratorConfig:
    """What an entry's `acceleratorConfig` changes for one accelerator class (section 16.4)."""

    runtime_args_override: tuple[str, ...] = ()
    tensor_parallel_size: int | None = None
    pipeline_parallel_size: int | None = None
    data_parallel_size: int | None = None
    environment_override: Mapping[str, str] = field(default_factory=lambda: _NOTHING)


@dataclass(frozen=True, kw_only=True, slots=True)
class SupportedModelFormat:
    """One entry of a runtime's `supportedModelFormats`.

    `name` and `version` are the entry's own, which matching ignores (section 5). `priority` unset counts as 1 for the
    score (section 8), but not for the webhook (section 14), so it stays unset here.
    """

    name: str | None = None
    version: str | None = None
    model_format: VersionedName | None = None
    model_framework: VersionedName | None = None
    model_architecture: str | None = None
    quantization: str | None = None
    diffusion_pipeline: DiffusionPipeline | None = None
    model_cache_providers: tuple[str, ...] = ()
    auto_select: bool | None = None
    priority: int | None = None
    accelerator_config: Mapping[str, AcceleratorConfig] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelSizeRange:
    """A runtime's `modelSizeRange`: both bounds are parameter counts as written, such as `2B` (section 7)."""

    min: str | None = None
    max: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class AcceleratorConstraints:
    """`spec.acceleratorSelector.constraints`; memory is in GiB (section 16.2)."""

    min_memory: int | None = None
    max_memory: int | None = None
    min_compute_performance_tflops: int | None = None
    min_architecture_version: str | None = None
    required_features: tuple[str, ...] = ()
    excluded_classes: tuple[str, ...] = ()
    architecture_families: tuple[str, ...] = ()
    preferred_precisions: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class AcceleratorSelector:
    """A service's `acceleratorSelector`, or a component's `acceleratorOverride` (sections 3 and 16.1)."""

    accelerator_class: str | None = None
    policy: str | None = None
    constraints: AcceleratorConstraints | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class PodGroup:
    """A component's `leader` or `worker`: its runner's image, and a worker's `size` (sections 13 and 20)."""

    runner_image: str | None = None
    size: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Component:
    """A service's `engine`, `decoder` or `router`, or a runtime's `engineConfig` and the like."""

    annotations: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    accelerator_override: AcceleratorSelector | None = None
    runner_image: str | None = None
    runner_args: tuple[str, ...] = ()
    leader: PodGroup | None = None
    worker: PodGroup | None = None
    has_deployment_strategy: bool = False
    has_autoscaler_policy_ref: bool = False
    min_replicas: int | None = None
    max_replicas: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ServingRuntime:
    """A ServingRuntime, or a ClusterServingRuntime (then `namespace` is None)."""

    kind: RuntimeKind
    name: str
    namespace: str | None = None
    annotations: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    supported_model_formats: tuple[SupportedModelFormat, ...] = ()
    model_size_range: ModelSizeRange | None = None
    disabled: bool | None = None
    scaling_mode: str | None = None
    accelerator_classes: tuple[str, ...] = ()
    protocol_versions: tuple[str, ...] = ()
    engine: Component | None = None
    decoder: Component | None = None
    router: Component | None = None
    origin: Origin | None = field(default=None, compare=False)

    @property
    def is_cluster(self) -> bool:
        """Whether this is a ClusterServingRuntime."""
        return self.kind == "ClusterServingRuntime"


@dataclass(frozen=True, kw_only=True, slots=True)
class BaseModel:
    """A BaseModel, or a ClusterBaseModel (then `namespace` is None)."""

    kind: ModelKind
    name: str
    namespace: str | None = None
    annotations: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    model_format: VersionedName | None = None
    model_framework: VersionedName | None = None
    model_architecture: str | None = None
    quantization: str | None = None
    diffusion_pipeline: DiffusionPipeline | None = None
    model_parameter_size: str | None = None
    disabled: bool | None = None
    distribution: str | None = None
    storage_uri: str | None = None
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelRef:
    """An InferenceService's `spec.model`."""

    name: str
    kind: str = "ClusterBaseModel"


@dataclass(frozen=True, kw_only=True, slots=True)
class RuntimeRef:
    """An InferenceService's `spec.runtime`."""

    name: str
    kind: str = "ClusterServingRuntime"
    auto_sync: bool = True
    revision: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class InferenceService:
    """An InferenceService: what selection, admission and class choice read of it.

    `is_deleting` says that the object has a `metadata.deletionTimestamp`.
    """

    name: str
    namespace: str
    is_deleting: bool = False
    annotations: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    model: ModelRef | None = None
    runtime: RuntimeRef | None = None
    deployment_mode: str | None = None
    accelerator_selector: AcceleratorSelector | None = None
    engine: Component | None = None
    decoder: Component | None = None
    router: Component | None = None
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Performance:
    """An AcceleratorClass's `capabilities.performance`: whole numbers of teraflops or tera-operations a second."""

    fp32_tflops: int = 0
    fp16_tflops: int = 0
    int8_tops: int = 0
    int4_tops: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Cost:
    """An AcceleratorClass's `cost`; the amounts are Kubernetes quantities as written."""

    per_hour: str | None = None
    spot_per_hour: str | None = None
    per_million_tokens: str | None = None
    tier: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class AcceleratorClass:
    """An AcceleratorClass (section 16.4); memory and bandwidth are Kubernetes quantities as written."""

    name: str
    vendor: str = ""
    family: str = ""
    memory_gb: str | None = None
    memory_bandwidth_gbps: str | None = None
    compute_capability: str = ""
    features: tuple[str, ...] = ()
    performance: Performance | None = None
    cost: Cost | None = None
    origin: Origin | None = field(default=None, compare=False)


Resource = ServingRuntime | BaseModel | InferenceService | AcceleratorClass
"""Every kind of object that a cluster holds here."""
