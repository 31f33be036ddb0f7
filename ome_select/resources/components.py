"""A service's or a runtime's engine, decoder and router."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ome_select.resources.common import NOTHING

if TYPE_CHECKING:
    from ome_select.resources.accelerators import AcceleratorSelector


@dataclass(frozen=True, kw_only=True, slots=True)
class PodGroup:
    """A component's `leader` or `worker`: its runner's image, and a worker's `size` (sections 13 and 20)."""

    runner_image: str | None = None
    size: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Component:
    """A service's `engine`, `decoder` or `router`, or a runtime's `engineConfig` and the like."""

    annotations: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    accelerator_override: AcceleratorSelector | None = None
    runner_image: str | None = None
    runner_args: tuple[str, ...] = ()
    leader: PodGroup | None = None
    worker: PodGroup | None = None
    has_deployment_strategy: bool = False
    has_autoscaler_policy_ref: bool = False
    min_replicas: int | None = None
    max_replicas: int | None = None
