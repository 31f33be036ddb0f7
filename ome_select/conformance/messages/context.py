"""What the objects of a page make OME say, and which values of a message the page knows."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from ome_select.admission import admit
from ome_select.cluster import Cluster
from ome_select.conformance.page import Text
from ome_select.conformance.words import NAME, is_name, is_size
from ome_select.conformance.world import World, catalog
from ome_select.errors import OmeSelectError
from ome_select.resources import AcceleratorSelector, BaseModel, InferenceService, RuntimeRef, ServingRuntime
from ome_select.selection import Selector

_VARIES = re.compile(r"\b(instead|also (?:sets?|names?|asks?))\b", re.IGNORECASE)
RANGE = re.compile(r"`([\w.+]+)`\s*(?:to|–|-|and)\s*`([\w.+]+)`")
_VALUE = re.compile(rf"(?:[\w.]+:\s*)?({NAME})$")


def names_in(text: Text | None) -> list[str]:
    """The names in the code spans of a text; of `spec.runtime.name: NAME`, the name."""
    found = (_VALUE.search(code.text) for code in text.codes) if text else iter(())
    return [match[1] for match in found if match and is_name(match[1])]


def filled(world: World, service: InferenceService | None) -> Cluster:
    """The page's cluster, with the model that a service names from OME's public catalog where the page lacks it."""
    cluster = world.cluster
    if service is None or service.model is None:
        return cluster
    if any(model.name == service.model.name for model in cluster.models):
        return cluster
    found = catalog().find("ClusterBaseModel", service.model.name)
    return cluster.with_resources(found) if found else cluster


def _variations(
    world: World, service: InferenceService, intro: Text | None
) -> Iterator[tuple[Cluster, InferenceService]]:
    """A service of the page as it is, and as the text before a message changes it: another class, a named runtime."""
    cluster = filled(world, service)
    yield cluster, service
    if intro is None or not _VARIES.search(intro.plain):
        return
    for name in names_in(intro):
        selector = AcceleratorSelector(accelerator_class=name)
        yield cluster, dataclasses.replace(service, accelerator_selector=selector)
        runtime = world.runtime(name) or world.catalog_runtime(name)
        if runtime is not None:
            yield cluster.with_resources(runtime), dataclasses.replace(service, runtime=RuntimeRef(name=name))


def possible(world: World, intro: Text | None) -> frozenset[str]:
    """Every text that the page's objects make OME say, also with the changes that the text before it tells of."""
    texts: set[str] = set()
    spaces = _namespaces(world) or {"default"}
    for service in world.cluster.services:
        for cluster, varied in _variations(world, service, intro):
            texts |= _said(cluster, varied)
    for model in world.models:
        for namespace in spaces:
            texts |= _decided(Selector(world.cluster, namespace), model)
    for runtime in world.cluster.runtimes:
        answer = admit(world.cluster, runtime)
        texts |= {text for text in (answer.message, answer.denial, *answer.warnings) if text}
    return frozenset(texts)


def _said(cluster: Cluster, service: InferenceService) -> set[str]:
    try:
        answer = admit(cluster.with_resources(service), service)
        texts = {text for text in (answer.message, answer.denial, *answer.warnings) if text}
        decision = Selector(cluster.with_resources(service), service.namespace).explain(isvc=service)
    except OmeSelectError as problem:
        return {str(problem)}
    return texts | {text for text in (decision.error, *(row.reason for row in decision.rows)) if text}


def _decided(selector: Selector, model: BaseModel) -> set[str]:
    decision = selector.explain(model)
    return {text for text in (decision.error, *(row.reason for row in decision.rows)) if text}


def stranger(world: World, values: Mapping[str, str], intro: Text | None) -> tuple[str, str] | None:
    """The slot of a value of a message that does not fit what the page says, and why; None where all fit."""
    for slot, value in values.items():
        if not value or value.startswith("<"):
            continue
        fault = _STRANGE[slot](world, value, intro) if slot in _STRANGE else None
        if fault:
            return slot, fault
    low, high = values.get("min"), values.get("max")
    told = RANGE.search(intro.marked) if intro else None
    if told and "size" in values and (low, high) != (told[1], told[2]):
        return "range", f"the text before it has the range {told[1]} to {told[2]}"
    return None


def _namespaces(world: World) -> set[str]:
    """The namespaces that objects of the page are in."""
    found = (getattr(resource, "namespace", None) for resource in world.cluster)
    return {namespace for namespace in found if namespace}


def _has_manifests(world: World) -> bool:
    """Whether the page shows its objects whole; a page that only tells of some may speak of others, too."""
    return any(not document.is_part and document.kind for document in world.documents)


def _is_slip(name: str, known: set[str]) -> bool:
    return bool(get_close_matches(name, known, n=1, cutoff=0.8))


def _runtime(world: World, name: str, intro: Text | None) -> str | None:
    described = {runtime.name for runtime in world.cluster.runtimes}
    told = {code.text for text in world.page.texts for code in text.codes}
    if name not in described and not world.catalog_runtime(name) and _is_slip(name, described - told):
        # A manifest whose name stands nowhere else is the one that this message is about.
        return f"the page's runtime is {', '.join(sorted(described - told))}"
    if name in world.spans or not world.cluster.runtimes or world.catalog_runtime(name):
        return None
    if not _has_manifests(world) and not _is_slip(name, {runtime.name for runtime in world.cluster.runtimes}):
        return None
    return f"the page has no runtime {name}; it has {_listed(world.cluster.runtimes)}"


def _model(world: World, name: str, intro: Text | None) -> str | None:
    if name in world.spans or not (world.models or world.cluster.services):
        return None
    if not _has_manifests(world) and not _is_slip(name, {model.name for model in world.models}):
        return None
    return f"the page has no model {name}"


def _namespace(world: World, name: str, intro: Text | None) -> str | None:
    spaces = _namespaces(world)
    if name in world.spans or name in spaces or not spaces:
        return None
    return f"the page has no namespace {name}; it has {', '.join(sorted(spaces))}"


def _format(world: World, name: str, intro: Text | None) -> str | None:
    formats = {model.model_format.name for model in world.models if model.model_format}
    formats |= {
        entry.model_format.name
        for runtime in world.cluster.runtimes
        for entry in runtime.supported_model_formats
        if entry.model_format
    }
    if name in world.spans or name in formats or not formats:
        return None
    return f"the page has no format {name}; it has {', '.join(sorted(formats))}"


def _size(world: World, size: str, intro: Text | None) -> str | None:
    sizes = {model.model_parameter_size for model in world.models if model.model_parameter_size}
    if size in sizes or not sizes or (intro and size in {code.text for code in intro.codes}):
        return None
    told = {text for text in world.spans if is_size(text)}
    return None if size in told and len(sizes) > 1 else f"the page's model has {' or '.join(sorted(sizes))}, not {size}"


def _listed(runtimes: tuple[ServingRuntime, ...]) -> str:
    return ", ".join(sorted(runtime.name for runtime in runtimes))


def _names(world: World, names: str, intro: Text | None) -> str | None:
    missing = [
        name for name in names.split() if name not in world.spans and "<" not in name and name not in ("...", "…")
    ]
    listed = {name for runtime in world.cluster.runtimes for name in runtime.accelerator_classes}
    return f"no runtime of the page lists {', '.join(missing)}" if missing and listed else None


_STRANGE = {
    "runtime": _runtime,
    "model": _model,
    "namespace": _namespace,
    "format": _format,
    "size": _size,
    "names": _names,
}
