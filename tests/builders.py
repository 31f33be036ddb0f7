"""Resources in one line each, for tests: what a test does not say is as plain as it can be."""

from __future__ import annotations

from typing import Any

from ome_select.cluster import Cluster
from ome_select.compiled import CompiledEntry, CompiledModel, CompiledRuntime
from ome_select.decision import Decision, Verdict
from ome_select.resources import (
    BaseModel,
    Component,
    InferenceService,
    ModelRef,
    ModelSizeRange,
    ServingRuntime,
    SupportedModelFormat,
    VersionedName,
)
from ome_select.selection import Selector

MODE = "ome.io/deploymentMode"


def named(
    name: str = "safetensors", version: str | None = None, operator: str = "Equal", weight: int = 1
) -> VersionedName:
    return VersionedName(name=name, version=version, operator=operator, weight=weight)


SAFETENSORS = named()


def entry(
    model_format: VersionedName | None = SAFETENSORS, framework: VersionedName | None = None, **fields: Any
) -> SupportedModelFormat:
    """An entry for auto-selection, unless `auto_select` says otherwise."""
    return SupportedModelFormat(model_format=model_format, model_framework=framework, **{"auto_select": True, **fields})


def csr(name: str, *entries: SupportedModelFormat, **fields: Any) -> ServingRuntime:
    """A ClusterServingRuntime; without entries it has one that matches `model()`."""
    return ServingRuntime(
        kind="ClusterServingRuntime", name=name, supported_model_formats=entries or (entry(),), **fields
    )


def sr(name: str, *entries: SupportedModelFormat, namespace: str = "default", **fields: Any) -> ServingRuntime:
    """A ServingRuntime; without entries it has one that matches `model()`."""
    return ServingRuntime(
        kind="ServingRuntime", name=name, namespace=namespace, supported_model_formats=entries or (entry(),), **fields
    )


def model(
    model_format: VersionedName | None = SAFETENSORS, framework: VersionedName | None = None, **fields: Any
) -> BaseModel:
    return BaseModel(
        kind="ClusterBaseModel", model_format=model_format, model_framework=framework, **{"name": "m", **fields}
    )


def service(*, annotations: dict[str, str] | None = None, **fields: Any) -> InferenceService:
    """An InferenceService for the model `m`."""
    return InferenceService(
        **{
            "name": "svc",
            "namespace": "default",
            "model": ModelRef(name="m"),
            "annotations": annotations or {},
            **fields,
        }
    )


def component(mode: str | None = None, **fields: Any) -> Component:
    """A component, annotated with a deployment mode if one is given."""
    return Component(annotations={} if mode is None else {MODE: mode}, **fields)


def sizes(low: str | None = None, high: str | None = None) -> ModelSizeRange:
    return ModelSizeRange(min=low, max=high)


def compiled_entry(written: SupportedModelFormat) -> CompiledEntry:
    return CompiledEntry(written)


def compiled_model(written: BaseModel) -> CompiledModel:
    assert written.model_format is not None
    return CompiledModel(written, written.model_format)


def compiled_runtime(*entries: SupportedModelFormat, **fields: Any) -> CompiledRuntime:
    return CompiledRuntime(
        ServingRuntime(kind="ClusterServingRuntime", name="r", supported_model_formats=entries, **fields)
    )


def decide(*runtimes: ServingRuntime, asked: BaseModel | None = None, isvc: InferenceService | None = None) -> Decision:
    """The decision of a cluster that holds these runtimes, for `asked` (else `model()`), or for a service of it."""
    asked = asked or model()
    selector = Selector(Cluster((*runtimes, asked)))
    return selector.explain(asked) if isvc is None else selector.explain(isvc=isvc)


def verdict(runtime: ServingRuntime, asked: BaseModel | None = None, isvc: InferenceService | None = None) -> Verdict:
    """The verdict on one runtime alone."""
    (row,) = decide(runtime, asked=asked, isvc=isvc).rows
    return row
