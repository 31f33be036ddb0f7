"""Which lines of a page's manifests keep it from doing what the page shows.

When an output and the manifests of a page do not fit, either may be the wrong one; both are reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from ome_select.conformance.fact import Finding, judged
from ome_select.conformance.manifests import Document
from ome_select.conformance.world import World
from ome_select.decision import AUTO_SELECT, Verdict
from ome_select.problems import Path

_CLOSE = 0.75
_FIELDS: tuple[Path, ...] = (
    ("modelFormat", "name"),
    ("modelFormat", "version"),
    ("modelFramework", "name"),
    ("modelFramework", "version"),
    ("modelArchitecture",),
    ("quantization",),
)
_RUNTIME: dict[str, tuple[Path, ...]] = {
    "enabled": (("disabled",),),
    "accelerator class": (("acceleratorRequirements", "acceleratorClasses"),),
    "deployment mode": (("engineConfig", "annotations"), ("decoderConfig", "annotations")),
    "model format": tuple(("supportedModelFormats", 0, *path) for path in _FIELDS),
    "model size": (("modelSizeRange", "min"), ("modelSizeRange", "max")),
    AUTO_SELECT: (("supportedModelFormats", 0, "autoSelect"),),
}
_MODEL: dict[str, tuple[Path, ...]] = {"model format": _FIELDS, "model size": (("modelParameterSize",),)}


def _whole(world: World, *kinds: str) -> Iterator[Document]:
    return (document for document in world.documents if not document.is_part and document.kind in kinds)


def _named(world: World, name: str, *kinds: str) -> Document | None:
    return next((document for document in _whole(world, *kinds) if document.at("metadata", "name") == name), None)


def not_selected(world: World, verdict: Verdict, model: str) -> Iterator[Finding]:
    """The lines of the runtime and the model that the failed check reads, where they differ or do not fit."""
    failed = next((outcome.check for outcome in verdict.checks if outcome.status == "failed"), None)
    runtime = _named(world, verdict.name, "ServingRuntime", "ClusterServingRuntime")
    other = _named(world, model, "BaseModel", "ClusterBaseModel")
    if failed is None or runtime is None:
        return
    actual = f"with this, OME does not select {verdict.name}: {verdict.reason}"
    for index, path in enumerate(_RUNTIME.get(failed, ())):
        value = runtime.at("spec", *path)
        theirs = other.at("spec", *_FIELDS[index]) if failed == "model format" and other is not None else None
        if value is not None and (failed != "model format" or value != theirs):
            yield judged(False, runtime.line_of("spec", *path), f"{path[-1]}: {value}", actual)
            if theirs is not None and other is not None:
                yield judged(False, other.line_of("spec", *_FIELDS[index]), f"{path[-1]}: {theirs}", actual)
    for service in _whole(world, "InferenceService") if failed == "accelerator class" else ():
        chosen = service.at("spec", "acceleratorSelector", "acceleratorClass")
        if chosen is not None and service.at("spec", "model", "name") == model:
            line = service.line_of("spec", "acceleratorSelector", "acceleratorClass")
            yield judged(False, line, f"acceleratorClass: {chosen}", actual)
    for path in _MODEL.get(failed, ()) if other is not None and failed != "model format" else ():
        assert other is not None
        yield judged(False, other.line_of("spec", *path), f"{path[-1]}: {other.at('spec', *path)}", actual)


_PLACES: dict[str, tuple[tuple[tuple[str, ...], Path], ...]] = {
    "runtime": ((("ServingRuntime", "ClusterServingRuntime"), ("metadata", "name")),),
    "model": (
        (("BaseModel", "ClusterBaseModel"), ("metadata", "name")),
        (("InferenceService",), ("spec", "model", "name")),
    ),
    "namespace": ((("InferenceService", "ServingRuntime", "BaseModel"), ("metadata", "namespace")),),
    "service": ((("InferenceService",), ("metadata", "name")),),
    "format": (
        (("ServingRuntime", "ClusterServingRuntime"), ("spec", "supportedModelFormats", 0, "modelFormat", "name")),
        (("BaseModel", "ClusterBaseModel"), ("spec", "modelFormat", "name")),
    ),
}


def misnamed(world: World, slot: str, told: str) -> Iterator[Finding]:
    """Manifests with nearly the name that a message has."""
    for kinds, path in _PLACES.get(slot, ()):
        for document in _whole(world, *kinds):
            value = document.at(*path)
            if isinstance(value, str) and value != told and get_close_matches(told, [value], cutoff=_CLOSE):
                yield judged(
                    False, document.line_of(*path), f"{path[-1]}: {value}", f"a message of the page has {told}"
                )
