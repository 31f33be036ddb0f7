"""Accelerator classes, and what is said about them elsewhere (docs/rules.md, section 16)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

from ome_select.resources.common import NOTHING

if TYPE_CHECKING:
    from ome_select.resources.common import Origin


@dataclass(frozen=True, kw_only=True, slots=True)
class AcceleratorConfig:
    """What an entry's `acceleratorConfig` changes for one accelerator class (section 16.4)."""

    runtime_args_override: tuple[str, ...] = ()
    tensor_parallel_size: int | None = None
    pipeline_parallel_size: int | None = None
    data_parallel_size: int | None = None
    environment_override: Mapping[str, str] = field(default_factory=lambda: NOTHING)


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

    kind: ClassVar[Literal["AcceleratorClass"]] = "AcceleratorClass"
    namespace: ClassVar[None] = None

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
