"""ServingRuntimes and ClusterServingRuntimes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ome_select.resources.common import NOTHING

if TYPE_CHECKING:
    from ome_select.resources.common import Origin
    from ome_select.resources.components import Component
    from ome_select.resources.formats import ModelSizeRange, SupportedModelFormat

RuntimeKind = Literal["ServingRuntime", "ClusterServingRuntime"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ServingRuntime:
    """A ServingRuntime, or a ClusterServingRuntime (then `namespace` is None)."""

    kind: RuntimeKind
    name: str
    namespace: str | None = None
    annotations: Mapping[str, str] = field(default_factory=lambda: NOTHING)
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
