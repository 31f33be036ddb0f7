"""From a service and its runtime to what its components get: modes, classes, labels (docs/rules.md, section 15)."""

from __future__ import annotations

from typing import get_args

from ome_select.accelerators import component_class
from ome_select.aftermath import Journal
from ome_select.class_choice import AcceleratedComponent
from ome_select.cluster import Cluster
from ome_select.modes import ComponentName, component_mode
from ome_select.releases import Release
from ome_select.resources import BaseModel, InferenceService, ServingRuntime

MODEL_CATEGORY = "models.ome.io/category"


def deploy(
    cluster: Cluster,
    service: InferenceService,
    model: BaseModel | None,
    runtime: ServingRuntime,
    journal: Journal,
    release: Release,
) -> None:
    """Note what each component of the service gets, or the error that stops the controller there."""
    if service.engine is None:
        journal.notes.append("the message of DeploymentModeError is not in the rules")
        journal.fail("DeploymentModeError", None)
    names: tuple[ComponentName, ...] = get_args(ComponentName)
    for name in names:
        if mode := component_mode(service, runtime, name, release=release):
            journal.modes.append(mode)
    accelerated: tuple[AcceleratedComponent, ...] = get_args(AcceleratedComponent)
    for component in accelerated:
        if getattr(service, component) is None:
            continue
        chosen = component_class(cluster, isvc=service, runtime=runtime, component=component, release=release)
        journal.classes.append(chosen)
        if chosen.error is not None:
            journal.fail("AcceleratorClassError", chosen.error)
    for mode in journal.modes:
        journal.labels[mode.component] = labels(service, model, runtime, mode.component)


def labels(
    service: InferenceService, model: BaseModel | None, runtime: ServingRuntime, component: str
) -> dict[str, str]:
    """The labels of a component's pods that tell the runtime, the service and the model.

    Its workload has `serving-runtime`, too: the runtime's name, without its kind.
    """
    found = {
        "serving-runtime": runtime.name,
        "ome.io/inferenceservice": service.name,
        "component": component,
    }
    if model is not None:
        found["base-model-name"] = model.name
        found["base-model-size"] = model.annotations.get(MODEL_CATEGORY, "SMALL")
        found["base-model-type"] = "Serving"
    return found
