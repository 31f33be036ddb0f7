"""Services and runtimes that the webhooks and the controller have something to say about (sections 13 to 15)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from ome_select.compiled import DEPLOYMENT_MODE
from ome_select.conformance import probes
from ome_select.conformance.messages.stand_ins import FORMAT, MODEL, NAMES, NAMESPACE, OTHER, RUNTIME, SERVICE
from ome_select.resources import (
    AcceleratorSelector,
    BaseModel,
    Component,
    InferenceService,
    ModelRef,
    PodGroup,
    RuntimeRef,
    ServingRuntime,
    VersionedName,
)

_ENGINE = Component()
SERVICE_FOR_MODEL = InferenceService(name=SERVICE, namespace=NAMESPACE, engine=_ENGINE, model=ModelRef(name=MODEL))


def model(**fields: Any) -> BaseModel:
    """The model of all situations."""
    return dataclasses.replace(
        probes.MODEL, name=MODEL, model_format=VersionedName(name=FORMAT, version="1.0.0"), **fields
    )


def runtime(*, is_cluster: bool = True, **fields: Any) -> ServingRuntime:
    """The runtime of all situations, which supports that model."""
    made = probes.runtime(
        RUNTIME,
        cluster=is_cluster,
        supported_model_formats=(probes.entry(model_format=VersionedName(name=FORMAT, version="1.0.0")),),
    )
    return dataclasses.replace(made, namespace=None if is_cluster else NAMESPACE, **fields)


def services() -> Iterator[tuple[list[Any], InferenceService]]:
    """A service, and what is in the cluster, for each answer of the webhook (section 13)."""

    def but(**changes: Any) -> InferenceService:
        return dataclasses.replace(SERVICE_FOR_MODEL, **changes)

    yield [], but(name=SERVICE.upper())
    yield [], but(engine=None, decoder=_ENGINE)
    for alone in (Component(leader=PodGroup()), Component(worker=PodGroup())):
        yield [], but(engine=alone)
    native, other = (Component(annotations={DEPLOYMENT_MODE: mode}) for mode in ("OMENative", OTHER))
    yield [], but(engine=native, decoder=_ENGINE)
    yield [], but(engine=_ENGINE, decoder=native)
    yield [], but(engine=native, decoder=other)
    yield [], but(engine=other, decoder=native)
    for part in ("engine", "decoder", "router"):
        yield [], but(**{part: Component(min_replicas=-1)})
        yield [model(), runtime()], but(**{part: Component(has_deployment_strategy=True)}, deployment_mode=OTHER)
    yield [], but(model=None)
    yield [], but(runtime=RuntimeRef(name=RUNTIME, revision=OTHER))
    for kind in ("ClusterServingRuntime", "ServingRuntime"):
        yield [], but(runtime=RuntimeRef(name=RUNTIME, kind=kind, auto_sync=False, revision=OTHER))
    yield [], but()
    yield [model(storage_uri=f"pvc://{OTHER}:claim/path")], but()
    yield [model(disabled=True)], but()
    yield [model(), runtime()], but()
    yield [model()], but()
    yield [model()], but(runtime=RuntimeRef(name=RUNTIME))
    unlisted = {"ome.io/accelerator-class": "other"}
    yield [model(), runtime()], but(runtime=RuntimeRef(name=RUNTIME), annotations=unlisted)
    # What only the controller sees: objects of the wrong kind, models that are not ready, runtimes alone.
    yield [], but(model=ModelRef(name=MODEL, kind="BaseModel"))
    yield [model(distribution="Sharded")], but()
    yield [dataclasses.replace(model(), model_format=None)], but()
    yield [model(), runtime(disabled=True)], but(runtime=RuntimeRef(name=RUNTIME))
    yield [runtime(disabled=True)], but(model=None, runtime=RuntimeRef(name=RUNTIME))
    orphan = runtime(annotations={"ome.io/inherit-from": OTHER})
    for sync in (True, False):
        yield [orphan], but(model=None, runtime=RuntimeRef(name=RUNTIME, auto_sync=sync))
        yield [model()], but(runtime=RuntimeRef(name=RUNTIME, auto_sync=sync))
    component = Component(accelerator_override=AcceleratorSelector(accelerator_class=OTHER))
    for part in ("engine", "decoder"):
        listed = runtime(accelerator_classes=("listed", OTHER))
        yield [model(), listed], but(**{part: component}, runtime=RuntimeRef(name=RUNTIME))


def runtimes() -> Iterator[ServingRuntime]:
    """A runtime for each answer of its webhook (section 14)."""
    yield runtime(accelerator_classes=(NAMES,))
    yield runtime(engine=Component(has_autoscaler_policy_ref=True))
    yield runtime(decoder=Component(has_autoscaler_policy_ref=True))
    for is_cluster in (True, False):
        entries = (probes.entry(name=OTHER, priority=1), probes.entry(name=OTHER, priority=2))
        yield dataclasses.replace(runtime(is_cluster=is_cluster), supported_model_formats=entries)
        nameless = (probes.entry(priority=1), probes.entry(priority=2))
        yield dataclasses.replace(runtime(is_cluster=is_cluster), supported_model_formats=nameless)
