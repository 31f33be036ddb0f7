"""The world of a page: the cluster that its manifests, tables and prose describe, and the pages around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import Any

from ome_select.cluster import Cluster
from ome_select.conformance.described import Statement, statements
from ome_select.conformance.manifests import Document, Unreadable, documents, is_manifest, is_template
from ome_select.conformance.page import Page
from ome_select.conformance.words import NAME
from ome_select.objects import decode
from ome_select.problems import Path
from ome_select.reading import files, load
from ome_select.resources import BaseModel, ServingRuntime

_ROLES = {
    "ServingRuntime": "runtime",
    "ClusterServingRuntime": "runtime",
    "BaseModel": "model",
    "ClusterBaseModel": "model",
    "InferenceService": "service",
}
_NAMED = re.compile(rf"`({NAME})`")
# A part that shows how to change an object says nothing about what the object is.
_CHANGE = re.compile(
    r"\b(change|raise|lower|set|add|remove|widen|replace|update|override|instead|to make|fix|edit|increase|reduce)\b",
    re.IGNORECASE,
)


@cache
def catalog() -> Cluster:
    """OME's public catalog of runtimes and models, which pages refer to by name."""
    return load(files.catalog())


@dataclass(frozen=True, kw_only=True, eq=False)
class World:
    """What is known around one page.

    Attributes:
        page: the page.
        pages: all the pages given, by path.
    """

    page: Page
    pages: Mapping[str, Page]

    @cached_property
    def documents(self) -> tuple[Document, ...]:
        """The documents of the page's YAML blocks."""
        return tuple(document for document in self.blocks if isinstance(document, Document))

    @cached_property
    def blocks(self) -> tuple[Document | Unreadable, ...]:
        """The documents of the page's YAML blocks, and the blocks that are no YAML; templates are left out."""
        fences = (fence for fence in self.page.fences if is_manifest(fence) and not is_template(fence))
        return tuple(document for fence in fences for document in documents(fence))

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """All that the page says about runtimes and models outside whole manifests."""
        return (*statements(self.page), *self._parts())

    def _parts(self) -> Iterable[Statement]:
        for document in self.documents:
            subject = self.subject_of(document)
            if document.is_part and subject and not self.is_change(document):
                role, name = subject
                for leaf in document.leaves:
                    value = _value_at(document.value, leaf.path)
                    yield Statement(
                        page=self.page.path, role=role, name=name, path=leaf.path, value=value, line=leaf.line
                    )

    def is_change(self, document: Document) -> bool:
        """Whether a part of a manifest is shown as a change to make, rather than as what an object says."""
        intro = document.fence.intro
        return bool(intro and intro.sentences and _CHANGE.search(_NAMED.sub("", intro.sentences[-1].marked)))

    def subject_of(self, document: Document) -> tuple[str, str] | None:
        """The object that a document is about, as role and name: its own name, or the one that its intro gives."""
        role = _ROLES.get(document.kind or "")
        if role is None:
            return None
        if not document.is_part:
            return role, str(document.value.get("metadata", {}).get("name"))
        intro = document.fence.intro
        if intro is None:
            return None
        known = self._names(role, intro.marked)
        for sentence in reversed(intro.sentences):
            if names := [name for name in _NAMED.findall(sentence.marked) if name in known]:
                return role, names[0]
        return None

    def _names(self, role: str, near: str) -> frozenset[str]:
        """The names that can stand for an object of a role near a text."""
        words = {"runtime": r"[Rr]untime|[Ee]ntry", "model": r"[Mm]odel", "service": r"[Ss]ervice"}[role]
        told = re.findall(rf"(?:{words})[^`.]*`({NAME})`", near) + re.findall(rf"`({NAME})`[^`.]*(?:{words})", near)
        return frozenset(told) | {name for its_role, name in self._described if its_role == role}

    @cached_property
    def _described(self) -> frozenset[tuple[str, str]]:
        described = {(statement.role, statement.name) for statement in statements(self.page)}
        whole = {
            (_ROLES.get(document.kind or "", ""), str(document.value.get("metadata", {}).get("name")))
            for document in self.documents
            if not document.is_part
        }
        return frozenset(described | whole)

    @cached_property
    def cluster(self) -> Cluster:
        """The page's cluster: whole manifests, then what tables, prose and parts say about runtimes and models."""
        objects: dict[tuple[str, str], dict[str, Any]] = {}
        for document in self.documents:
            subject = self.subject_of(document)
            if not document.is_part and document.kind and subject and not document.problems:
                objects[subject] = dict(document.value)
        others = [
            document.value
            for document in self.documents
            if not document.is_part and document.kind and not self.subject_of(document)
        ]
        drafts: dict[tuple[str, str], dict[str, Any]] = {}
        for statement in self.statements:
            subject = (statement.role, statement.name)
            if subject not in objects:
                _set(drafts.setdefault(subject, {}), statement.path, statement.value)
        for (role, name), draft in drafts.items():
            if "kind" in draft or role == "model":
                objects[role, name] = _whole(role, name, draft)
        model = self._model_for_tables(objects)
        for (role, _), value in objects.items():
            if role == "runtime" and (role, str(value["metadata"]["name"])) in drafts and model:
                _match(value, model)
        resources = [decode(value)[0] for value in [*objects.values(), *others]]
        return Cluster({id(r): r for r in resources if r is not None}.values())

    def _model_for_tables(self, objects: Mapping[tuple[str, str], dict[str, Any]]) -> dict[str, Any] | None:
        """The model that the runtimes of a table match: the page's only one."""
        models = [value for (role, _), value in objects.items() if role == "model" and "modelFormat" in value["spec"]]
        return models[0] if len(models) == 1 else None

    @cached_property
    def models(self) -> tuple[BaseModel, ...]:
        """The models that the page describes."""
        return self.cluster.models

    def runtime(self, name: str) -> ServingRuntime | None:
        """The runtime of this name on the page, or None."""
        return next((runtime for runtime in self.cluster.runtimes if runtime.name == name), None)

    def catalog_runtime(self, name: str) -> ServingRuntime | None:
        """The runtime of this name in OME's public catalog, or None."""
        return next((runtime for runtime in catalog().runtimes if runtime.name == name), None)

    @cached_property
    def spans(self) -> frozenset[str]:
        """Every text that stands in a code span or a manifest of any page: what the pages talk about."""
        told: set[str] = set()
        for page in self.pages.values():
            told |= {code.text for text in page.texts for code in text.codes}
            told |= {
                str(leaf.value)
                for fence in page.fences
                if is_manifest(fence)
                for document in documents(fence)
                if isinstance(document, Document)
                for leaf in document.leaves
            }
        return frozenset(told)


def _value_at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def _set(draft: dict[str, Any], path: Path, value: Any) -> None:
    """Set the value at a path; the first statement about a field counts, and lists have one item."""
    at: Any = draft
    for step, following in pairwise(path):
        if isinstance(step, int):
            at = at[0]
            continue
        at = at.setdefault(step, [{}] if isinstance(following, int) else {})
    at.setdefault(path[-1], value)


def _whole(role: str, name: str, draft: dict[str, Any]) -> dict[str, Any]:
    """A whole object of what pages say about it."""
    kind = draft.pop("kind", "ClusterBaseModel" if role == "model" else "ClusterServingRuntime")
    metadata = {"name": name, **draft.pop("metadata", {})}
    return {"apiVersion": "ome.io/v1beta1", "kind": kind, "metadata": metadata, "spec": draft.pop("spec", {})}


def _match(runtime: dict[str, Any], model: Mapping[str, Any]) -> None:
    """Let a runtime of a table match the model: such tables list runtimes with one entry that does, with autoSelect."""
    entry = runtime["spec"].setdefault("supportedModelFormats", [{}])[0]
    for name in ("modelFormat", "modelFramework"):
        if name in model["spec"]:
            entry[name] = {**model["spec"][name], **entry.get(name, {})}
    if "modelArchitecture" in model["spec"]:
        entry.setdefault("modelArchitecture", model["spec"]["modelArchitecture"])
    if "quantization" in model["spec"]:
        entry.setdefault("quantization", model["spec"]["quantization"])
    entry.setdefault("autoSelect", True)
