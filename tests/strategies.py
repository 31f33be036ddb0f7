"""Hypothesis strategies for resources and clusters.

Every text comes from a handful, so that entries and models often match and often just fail to. A record is drawn as
one number that says which of all possible records it is: that is many times as fast as one draw for each field.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

from hypothesis import strategies as st

from ome_select.cluster import Cluster
from ome_select.resources import (
    AcceleratorSelector,
    BaseModel,
    Component,
    DiffusionComponent,
    DiffusionPipeline,
    InferenceService,
    ModelRef,
    ModelSizeRange,
    ServingRuntime,
    SupportedModelFormat,
    VersionedName,
)
from tests.builders import component

NAMESPACE = "default"
VERSIONS = ["1.0.0", "1", "1.0", "v1.0.0", "1.1.0", "2.0.0", "v2.0.0", "1.0.0-dev", "1.0.0.dev0", "1.08.0", ""]
SIZES = ["1B", "500M", "0.5B", "2B", "3.21B", "8B", "70B", "8x7B", "", "NaN", "inf", "-1B"]
MODES = ["RawDeployment", "OMENative", "MultiNode", "VirtualDeployment", "multinode", ""]
CLASSES = ["h100", "h200", "H100", ""]

Record = TypeVar("Record")


def records(make: Callable[..., Record], **options: Sequence[Any]) -> st.SearchStrategy[Record]:
    """What `make` makes of one of the options for each argument; it shrinks towards the first ones."""

    def at(number: int) -> Record:
        chosen = {}
        for name, values in options.items():
            number, place = divmod(number, len(values))
            chosen[name] = values[place]
        return make(**chosen)

    return st.integers(0, math.prod(map(len, options.values())) - 1).map(at)


def version_texts() -> st.SearchStrategy[str]:
    return st.sampled_from(VERSIONS)


def size_texts() -> st.SearchStrategy[str]:
    return st.sampled_from(SIZES)


def _side(names: Sequence[str | None], prefix: str) -> dict[str, Sequence[Any]]:
    """Options for a format or a framework; most versions are the same plain one, so many match."""
    return {
        f"{prefix}_name": names,
        f"{prefix}_version": ["1.0.0"] * 3 * len(VERSIONS) + [None, *VERSIONS],
        f"{prefix}_operator": ["Equal", "GreaterThan", "GreaterThanOrEqual", "LessThan"],
        f"{prefix}_weight": [1, 1, 2, 2, 5, 0, -1, -3],
    }


def _take_side(fields: dict[str, Any], prefix: str) -> VersionedName | None:
    """Take the fields that `_side` gave; without a name there is no format or framework."""
    chosen = {field: fields.pop(f"{prefix}_{field}") for field in ("name", "version", "operator", "weight")}
    return None if chosen["name"] is None else VersionedName(**chosen)


FORMATS = ["safetensors"] * 9 + ["Safetensors"]
FRAMEWORKS = ["transformers"] * 8 + [None, "vllm"]
PART = DiffusionComponent
PARTS = [None, PART(), PART(library="diffusers"), PART(type="T"), PART(library="diffusers", type="U")]
DIMENSIONS: dict[str, Sequence[Any]] = {
    **_side(FRAMEWORKS, "framework"),
    "model_architecture": ["LlamaForCausalLM"] * 8 + [None, ""],
    "quantization": [None] * 8 + ["fp8", ""],
    "has_pipeline": [False] * 4 + [True],
    "class_name": [None, "A", "B"],
    "scheduler": PARTS,
    "vae": PARTS,
    "additional_components": [None, {}, *({key: part} for key in "xy" for part in PARTS if part)],
}


def _dimensions(fields: dict[str, Any]) -> dict[str, Any]:
    """What an entry and a model have in common, of the fields of `DIMENSIONS`."""
    model_format, framework = _take_side(fields, "format"), _take_side(fields, "framework")
    parts = ("class_name", "scheduler", "vae", "additional_components")
    pipeline = DiffusionPipeline(**{part: fields.pop(part) for part in parts})
    if not fields.pop("has_pipeline"):
        pipeline = None
    return {"model_format": model_format, "model_framework": framework, "diffusion_pipeline": pipeline, **fields}


def versioned_names() -> st.SearchStrategy[VersionedName]:
    return records(lambda **fields: _take_side(fields, "any"), **_side(["x", "y"], "any"))


@cache
def entries() -> st.SearchStrategy[SupportedModelFormat]:
    """An entry, at times with what an API server would refuse: no format, a priority of 0."""
    return records(
        lambda **fields: SupportedModelFormat(**_dimensions(fields)),
        auto_select=[True, True, True, None, False],
        priority=[None, 1, 2, 3, 0],
        **_side([*FORMATS, None], "format"),
        **DIMENSIONS,
    )


@cache
def models() -> st.SearchStrategy[BaseModel]:
    return records(
        lambda **fields: BaseModel(kind="ClusterBaseModel", name="m", **_dimensions(fields)),
        model_parameter_size=[None, *SIZES],
        distribution=[None] * 12 + ["PerNode", "Sharded"],
        **_side(FORMATS, "format"),
        **DIMENSIONS,
    )


def _component(mode: str | None, declared: bool, **fields: Any) -> Component | None:
    return component(mode, **fields) if declared else None


@cache
def runtimes(name: str = "a", scope: str | None = NAMESPACE) -> st.SearchStrategy[ServingRuntime]:
    """A runtime of this name; a scope of None makes it a ClusterServingRuntime."""

    def make(supported: list[SupportedModelFormat], **fields: Any) -> ServingRuntime:
        low, high = fields.pop("low"), fields.pop("high")
        return ServingRuntime(
            kind="ClusterServingRuntime" if scope is None else "ServingRuntime",
            name=name,
            namespace=scope,
            supported_model_formats=tuple(supported),
            model_size_range=ModelSizeRange(min=low, max=high) if fields.pop("has_range") else None,
            engine=_component(fields.pop("engine"), declared=True),
            decoder=_component(fields.pop("decoder"), declared=True),
            **fields,
        )

    rest = records(
        dict,
        has_range=[False, True],
        low=[None, None, None, *SIZES],
        high=[None, None, None, *SIZES],
        disabled=[None, None, None, False, True],
        accelerator_classes=[(), ("h100",), ("h100", "h200"), ("H100",)],
        engine=[None, None, *MODES],
        decoder=[None, None, *MODES],
    )
    return st.builds(lambda supported, rest: make(supported, **rest), st.lists(entries(), max_size=3), rest)


@cache
def services() -> st.SearchStrategy[InferenceService]:
    """A service of the model `m`; most of them require nothing, so that some runtime is left."""

    def make(asks: bool, **fields: Any) -> InferenceService:
        plain = InferenceService(name="svc", namespace=NAMESPACE, model=ModelRef(name="m"))
        return (
            InferenceService(name="svc", namespace=NAMESPACE, model=plain.model, **parts(**fields)) if asks else plain
        )

    def parts(engine: str | None, decoder: str | None, of_all: str | None, of_engine: str | None, **rest: Any) -> Any:
        return {
            "accelerator_selector": AcceleratorSelector(accelerator_class=of_all),
            "engine": _component(
                engine, rest["has_engine"], accelerator_override=AcceleratorSelector(accelerator_class=of_engine)
            ),
            "decoder": _component(decoder, rest["has_decoder"]),
            "deployment_mode": rest["deployment_mode"],
        }

    return records(
        make,
        asks=[False, False, True],
        deployment_mode=[None, None, *MODES],
        has_engine=[True, False],
        has_decoder=[True, False],
        engine=[None, None, *MODES],
        decoder=[None, None, *MODES],
        of_all=[None, None, *CLASSES],
        of_engine=[None, None, *CLASSES],
    )


@st.composite
def clusters(draw: st.DrawFn) -> Cluster:
    """The model `m`, the service `svc`, and up to six runtimes: some share a name, some are of another namespace."""
    places = [(name, scope) for name in "abc" for scope in (None, NAMESPACE, "other")]
    drawn = [
        draw(runtimes(name=name, scope=scope))
        for name, scope in draw(st.lists(st.sampled_from(places), max_size=6, unique=True))
    ]
    return Cluster([draw(models()), draw(services()), *drawn])
