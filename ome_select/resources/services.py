"""InferenceServices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

from ome_select.resources.common import NOTHING

if TYPE_CHECKING:
    from ome_select.resources.accelerators import AcceleratorSelector
    from ome_select.resources.common import Origin
    from ome_select.resources.components import Component


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

    kind: ClassVar[Literal["InferenceService"]] = "InferenceService"

    name: str
    namespace: str
    is_deleting: bool = False
    annotations: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    model: ModelRef | None = None
    runtime: RuntimeRef | None = None
    deployment_mode: str | None = None
    accelerator_selector: AcceleratorSelector | None = None
    engine: Component | None = None
    decoder: Component | None = None
    router: Component | None = None
    origin: Origin | None = field(default=None, compare=False)
