"""Kubernetes objects in one line each, for tests of what starts from a manifest; the plain words are the API's own."""

from __future__ import annotations

from typing import Any

import ome_select as ome

NAMESPACE = "llama-demo"
API = "ome.io/v1beta1"
MODE = "ome.io/deploymentMode"

Manifest = dict[str, Any]


def manifest(
    kind: str, name: str, namespace: str | None, annotations: dict[str, str] | None, spec: Manifest
) -> Manifest:
    metadata: Manifest = {"name": name, "annotations": annotations or {}}
    if namespace is not None:
        metadata["namespace"] = namespace
    return {"apiVersion": API, "kind": kind, "metadata": metadata, "spec": spec}


def entry(format_name: str = "safetensors", **fields: Any) -> Manifest:
    """An entry for auto-selection that matches `model()`, unless the fields say otherwise."""
    return {"modelFormat": {"name": format_name}, "autoSelect": True, **fields}


def csr(
    name: str = "vllm", *, parent: str | None = None, annotations: dict[str, str] | None = None, **spec: Any
) -> Manifest:
    """A ClusterServingRuntime without any entries."""
    if parent is not None:
        annotations = {"ome.io/inherit-from": parent, **(annotations or {})}
    return manifest("ClusterServingRuntime", name, None, annotations, spec)


def sr(name: str = "vllm", *, namespace: str = NAMESPACE, **fields: Any) -> Manifest:
    """A ServingRuntime, else as `csr`."""
    made = csr(name, **fields)
    return manifest("ServingRuntime", name, namespace, made["metadata"]["annotations"], made["spec"])


def model(name: str = "llama", format_name: str | None = "safetensors", **spec: Any) -> Manifest:
    """A ClusterBaseModel."""
    formatted = {} if format_name is None else {"modelFormat": {"name": format_name}}
    return manifest(
        "ClusterBaseModel", name, None, None, {**formatted, "storage": {"storageUri": "hf://org/model"}, **spec}
    )


def base_model(name: str = "llama", format_name: str | None = "safetensors", **spec: Any) -> Manifest:
    """A BaseModel of the namespace."""
    return manifest("BaseModel", name, NAMESPACE, None, model(name, format_name, **spec)["spec"])


def isvc(
    name: str = "chat",
    *,
    model: str | None = "llama",
    runtime: str | Manifest | None = None,
    engine: Manifest | bool | None = True,
    annotations: dict[str, str] | None = None,
    **spec: Any,
) -> Manifest:
    """An InferenceService with an engine (`engine=None`: without one), for the model `llama`."""
    if model is not None:
        spec["model"] = {"name": model}
    if runtime is not None:
        spec["runtime"] = {"name": runtime} if isinstance(runtime, str) else runtime
    if engine is not None:
        spec["engine"] = {} if engine is True else engine
    return manifest("InferenceService", name, NAMESPACE, annotations, spec)


def accelerator_class(name: str) -> Manifest:
    return manifest("AcceleratorClass", name, None, None, {"discovery": {}, "capabilities": {}})


def cluster(*objects: Manifest) -> ome.Cluster:
    return ome.Cluster.from_objects(objects)
