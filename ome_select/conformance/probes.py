"""Small questions to the selector: objects with just the fields that a claim is about, and what OME does with them."""

from __future__ import annotations

import dataclasses
from typing import Any

from ome_select.cluster import Cluster
from ome_select.decision import Decision, Verdict
from ome_select.resources import (
    BaseModel,
    InferenceService,
    ModelRef,
    ModelSizeRange,
    ServingRuntime,
    SupportedModelFormat,
    VersionedName,
)
from ome_select.selection import Selector

NAMESPACE = "demo"
_FORMAT = VersionedName(name="safetensors", version="1.0.0")
_FRAMEWORK = VersionedName(name="transformers", version="4.45.0")

MODEL = BaseModel(kind="ClusterBaseModel", name="model", model_format=_FORMAT, model_framework=_FRAMEWORK)
"""A model that `entry()` matches."""


def model(size: str | None = None, **fields: Any) -> BaseModel:
    """The model of all probes, with a size."""
    return dataclasses.replace(MODEL, model_parameter_size=size, **fields)


def entry(*, weight: int = 1, framework_weight: int = 1, **fields: Any) -> SupportedModelFormat:
    """An entry that matches the model of all probes and sets `autoSelect: true`."""
    written: dict[str, Any] = {
        "model_format": dataclasses.replace(_FORMAT, weight=weight),
        "model_framework": dataclasses.replace(_FRAMEWORK, weight=framework_weight),
        "auto_select": True,
    }
    return SupportedModelFormat(**(written | fields))


def runtime(
    name: str = "runtime", *, cluster: bool = True, bounds: tuple[str | None, str | None] | None = None, **fields: Any
) -> ServingRuntime:
    """A runtime with one matching entry and, unless both bounds are None, a size range."""
    written: dict[str, Any] = {"supported_model_formats": (entry(),)}
    if bounds is not None and bounds != (None, None):
        written["model_size_range"] = ModelSizeRange(min=bounds[0], max=bounds[1])
    return ServingRuntime(
        kind="ClusterServingRuntime" if cluster else "ServingRuntime",
        name=name,
        namespace=None if cluster else NAMESPACE,
        **(written | fields),
    )


def service(**fields: Any) -> InferenceService:
    """An InferenceService for the model of all probes."""
    return InferenceService(name="service", namespace=NAMESPACE, model=ModelRef(name=MODEL.name), **fields)


def decide(*runtimes: ServingRuntime, of: BaseModel = MODEL, isvc: InferenceService | None = None) -> Decision:
    """What OME decides in a cluster with these runtimes and this model."""
    selector = Selector(Cluster([*runtimes, of]), NAMESPACE)
    return selector.explain(of) if isvc is None else selector.explain(isvc=isvc)


def judge(candidate: ServingRuntime, of: BaseModel = MODEL, isvc: InferenceService | None = None) -> Verdict:
    """What OME says about one runtime on its own."""
    return decide(candidate, of=of, isvc=isvc).rows[0]


def passes_size(bounds: tuple[str | None, str | None], size: str | None) -> bool:
    """Whether a runtime with these bounds supports a model of this size."""
    return judge(runtime(bounds=bounds), model(size)).supports_model


def score(**fields: Any) -> int:
    """The score of a runtime whose only entry has these fields."""
    return judge(runtime(supported_model_formats=(entry(**fields),))).score


def distance(bounds: tuple[str | None, str | None], size: str) -> float:
    """The distance of a range from a size that it holds."""
    found = judge(runtime(bounds=bounds), model(size)).distance
    return 0.0 if found is None else found


def first(*runtimes: ServingRuntime, of: BaseModel = MODEL) -> str | None:
    """The runtime that OME picks among these."""
    return decide(*runtimes, of=of).selected
