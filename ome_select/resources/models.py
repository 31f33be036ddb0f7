"""BaseModels and ClusterBaseModels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ome_select.resources.common import NOTHING

if TYPE_CHECKING:
    from ome_select.resources.common import Origin
    from ome_select.resources.diffusion import DiffusionPipeline
    from ome_select.resources.formats import VersionedName

ModelKind = Literal["BaseModel", "ClusterBaseModel"]


@dataclass(frozen=True, kw_only=True, slots=True)
class BaseModel:
    """A BaseModel, or a ClusterBaseModel (then `namespace` is None)."""

    kind: ModelKind
    name: str
    namespace: str | None = None
    annotations: Mapping[str, str] = field(default_factory=lambda: NOTHING)
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
