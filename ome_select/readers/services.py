"""How an InferenceService is read."""

from __future__ import annotations

import ome_select.resources as resources
from ome_select.fields import Fields
from ome_select.readers import DEFAULT_NAMESPACE, Head
from ome_select.readers.parts import component, selector


def _model_ref(fields: Fields) -> resources.ModelRef:
    fields.require("name")
    return resources.ModelRef(name=fields.text("name") or "", kind=fields.text("kind") or "ClusterBaseModel")


def _runtime_ref(fields: Fields) -> resources.RuntimeRef:
    fields.require("name")
    auto_sync = fields.flag("autoSync")
    return resources.RuntimeRef(
        name=fields.text("name") or "",
        kind=fields.text("kind") or "ClusterServingRuntime",
        auto_sync=True if auto_sync is None else auto_sync,
        revision=fields.text("revision"),
    )


def read(head: Head, spec: Fields) -> resources.InferenceService:
    """Read a service's `spec`."""
    return resources.InferenceService(
        name=head.name,
        namespace=head.namespace or DEFAULT_NAMESPACE,
        is_deleting=head.is_deleting,
        annotations=head.annotations,
        origin=head.origin,
        model=spec.part("model", _model_ref),
        runtime=spec.part("runtime", _runtime_ref),
        deployment_mode=spec.text("deploymentMode"),
        accelerator_selector=spec.part("acceleratorSelector", selector),
        engine=spec.part("engine", component),
        decoder=spec.part("decoder", component),
        router=spec.part("router", component),
    )
