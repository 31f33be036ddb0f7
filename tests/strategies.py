"""Hypothesis strategies for resources and clusters.

Every text comes from a handful, so that entries and models often match and often just fail to.
"""

from __future__ import annotations

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
_VERSIONS = ["1", "1.0", "1.0.0", "v1.0.0", "1.1.0", "2.0.0", "v2.0.0", "1.0.0-dev", "1.0.0.dev0", "1.08.0", ""]
_SIZES = ["500M", "0.5B", "1B", "2B", "3.21B", "8B", "70B", "8x7B", "", "NaN", "inf", "-1B"]
_MODES = ["RawDeployment", "OMENative", "MultiNode", "VirtualDeployment", "multinode", ""]
_CLASSES = ["h100", "h200", "H100", ""]


def _maybe(strategy: st.SearchStrategy[object]) -> st.SearchStrategy:
    return st.none() | strategy


def version_texts() -> st.SearchStrategy[str]:
    return st.sampled_from(_VERSIONS)


def size_texts() -> st.SearchStrategy[str]:
    return st.sampled_from(_SIZES)


def versioned_names(*names: str) -> st.SearchStrategy[VersionedName]:
    """A format or a framework. A plain version is as likely as all the others together, so that many match."""
    return st.builds(
        VersionedName,
        name=st.sampled_from(names),
        version=st.just("1.0.0") | _maybe(version_texts()),
        operator=st.sampled_from(["Equal", "GreaterThan", "GreaterThanOrEqual", "LessThan"]),
        weight=st.integers(-3, 5),
    )


def formats() -> st.SearchStrategy[VersionedName]:
    return versioned_names("safetensors", "safetensors", "Safetensors")


def frameworks() -> st.SearchStrategy[VersionedName | None]:
    return _maybe(versioned_names("transformers", "transformers", "vllm"))


def architectures() -> st.SearchStrategy[str | None]:
    return st.sampled_from(["LlamaForCausalLM", "LlamaForCausalLM", None, ""])


def quantizations() -> st.SearchStrategy[str | None]:
    return st.sampled_from([None, None, "fp8"])


def pipelines() -> st.SearchStrategy[DiffusionPipeline | None]:
    part = st.builds(
        DiffusionComponent, library=st.sampled_from(["", "diffusers"]), type=st.sampled_from(["", "T", "U"])
    )
    pipeline = st.builds(
        DiffusionPipeline,
        class_name=st.sampled_from([None, "A", "B"]),
        scheduler=_maybe(part),
        transformer=_maybe(part),
        vae=_maybe(part),
        additional_components=_maybe(st.dictionaries(st.sampled_from(["x", "y"]), part)),
    )
    return st.none() | st.none() | pipeline


def entries() -> st.SearchStrategy[SupportedModelFormat]:
    """An entry, at times with what an API server would refuse: no format, a priority of 0."""
    return st.builds(
        SupportedModelFormat,
        model_format=st.sampled_from([True] * 9 + [False]).flatmap(lambda has: formats() if has else st.none()),
        model_framework=frameworks(),
        model_architecture=architectures(),
        quantization=quantizations(),
        diffusion_pipeline=pipelines(),
        auto_select=st.sampled_from([True, True, False, None]),
        priority=_maybe(st.integers(0, 4)),
    )


def size_ranges() -> st.SearchStrategy[ModelSizeRange | None]:
    bound = _maybe(size_texts())
    return _maybe(st.builds(ModelSizeRange, min=bound, max=bound))


def components() -> st.SearchStrategy[Component | None]:
    return _maybe(st.builds(component, _maybe(st.sampled_from(_MODES))))


@st.composite
def runtimes(draw: st.DrawFn, name: str = "a", scope: str | None = NAMESPACE) -> ServingRuntime:
    """A runtime of this name; a scope of None makes it a ClusterServingRuntime."""
    return ServingRuntime(
        kind="ClusterServingRuntime" if scope is None else "ServingRuntime",
        name=name,
        namespace=scope,
        supported_model_formats=tuple(draw(st.lists(entries(), max_size=3))),
        model_size_range=draw(size_ranges()),
        disabled=draw(st.sampled_from([None, None, False, True])),
        accelerator_classes=tuple(draw(st.lists(st.sampled_from(_CLASSES[:3]), max_size=3))),
        engine=draw(components()),
        decoder=draw(components()),
    )


@st.composite
def models(draw: st.DrawFn) -> BaseModel:
    return BaseModel(
        kind="ClusterBaseModel",
        name="m",
        model_format=draw(formats()),
        model_framework=draw(frameworks()),
        model_architecture=draw(architectures()),
        quantization=draw(quantizations()),
        diffusion_pipeline=draw(pipelines()),
        model_parameter_size=draw(_maybe(size_texts())),
        distribution=draw(st.sampled_from([None] * 8 + ["PerNode", "Sharded"])),
    )


@st.composite
def services(draw: st.DrawFn) -> InferenceService:
    """A service of the model `m`; every second one requires nothing, so that some runtime is left."""
    if draw(st.booleans()):
        return InferenceService(name="svc", namespace=NAMESPACE, model=ModelRef(name="m"))
    selector = _maybe(st.builds(AcceleratorSelector, accelerator_class=_maybe(st.sampled_from(_CLASSES))))
    declared = _maybe(
        st.builds(
            lambda mode, override: component(mode, accelerator_override=override),
            _maybe(st.sampled_from(_MODES)),
            selector,
        )
    )
    return InferenceService(
        name="svc",
        namespace=NAMESPACE,
        model=ModelRef(name="m"),
        deployment_mode=draw(_maybe(st.sampled_from(_MODES))),
        accelerator_selector=draw(selector),
        engine=draw(declared),
        decoder=draw(declared),
    )


@st.composite
def clusters(draw: st.DrawFn) -> Cluster:
    """The model `m`, the service `svc`, and up to six runtimes: some share a name, some are of another namespace."""
    places = st.tuples(st.sampled_from("abc"), st.sampled_from([None, None, NAMESPACE, "other"]))
    drawn = [
        draw(runtimes(name=name, scope=scope)) for name, scope in draw(st.lists(places, max_size=6, unique=True))
    ]
    return Cluster([draw(models()), draw(services()), *drawn])
