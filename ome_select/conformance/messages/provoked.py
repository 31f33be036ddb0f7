"""Every message, provoked from the rules with stand-ins for names and values.

Nothing here is a copy of a text: each one is what the code says in a small situation, so that a changed rule changes
the grammar, too.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

from ome_select.compiled import DEPLOYMENT_MODE, CompiledEntry, CompiledModel
from ome_select.conformance import probes
from ome_select.conformance.messages.answers import provoked_classes, provoked_controller, provoked_webhooks
from ome_select.conformance.messages.stand_ins import (
    FORMAT,
    KEY,
    MODEL,
    NAMES,
    NAMESPACE,
    OTHER,
    REASON,
    RUNTIME,
    SERVICE,
    M,
    Provoked,
    R,
)
from ome_select.errors import (
    InheritanceCycleError,
    InheritanceDepthError,
    InvalidModelError,
    NoModelError,
    NoRuntimeFoundError,
    NotFoundError,
    ParentNotFoundError,
    RuntimeDisabledError,
    RuntimeMismatchError,
    RuntimeNotFoundError,
)
from ome_select.inheritance import MAX_DEPTH
from ome_select.matching import differences
from ome_select.reporting.table import NO_RUNTIMES
from ome_select.resources import (
    BaseModel,
    Component,
    DiffusionComponent,
    DiffusionPipeline,
    InferenceService,
    ServingRuntime,
    VersionedName,
)


def _differences(entry: Any, model: Any) -> list[str]:
    compiled = CompiledModel(model, model.model_format)
    return differences(CompiledEntry(entry), compiled)


def _but(record: Any, **changes: Any) -> Any:
    """A record with fields that are named by texts."""
    return dataclasses.replace(record, **changes)


def _pairs(field: str) -> Iterator[tuple[Any, Any]]:
    """A value on both sides, on the entry's only, and on the model's only."""
    for entry_value, model_value in ((R, M), (R, None), (None, M)):
        yield (
            _but(probes.entry(), **{field: entry_value}),
            _but(probes.MODEL, **{field: model_value}),
        )


def _named(name: str, version: str | None = None) -> VersionedName:
    return VersionedName(name=name, version=version)


def provoked_differences() -> Iterator[Provoked]:
    """Every difference between an entry and a model (docs/rules.md, sections 5, 6 and 18)."""
    cases: list[tuple[str, Any, Any]] = []
    for field in ("model_architecture", "quantization"):
        cases += [("differ", *pair) for pair in _pairs(field)]
    for field in ("model_format", "model_framework"):
        for entry_value, model_value, key in (
            (_named(R), _named(M), "differ"),
            (_named("f", R), _named("f", M), "versions"),
            (_named("f", R), _named("f"), ""),
            (_named("f"), _named("f", M), ""),
        ):
            entry = _but(probes.entry(), **{field: entry_value})
            cases.append((key, entry, _but(probes.MODEL, **{field: model_value})))
    cases.append(("", probes.entry(model_framework=_named(R)), dataclasses.replace(probes.MODEL, model_framework=None)))
    cases.append(("", probes.entry(model_framework=None), dataclasses.replace(probes.MODEL, model_framework=_named(M))))
    cases.append(("", probes.entry(model_format=None), probes.MODEL))
    cases.append(("", probes.entry(), dataclasses.replace(probes.MODEL, distribution="Sharded")))
    cases += [
        ("differ", probes.entry(diffusion_pipeline=required), probes.model(diffusion_pipeline=given))
        for required, given in _pipelines()
    ]
    for key, entry, model in cases:
        for text in _differences(entry, model):
            yield Provoked(family="difference", text=text, key=key)


def _pipelines() -> Iterator[tuple[DiffusionPipeline, DiffusionPipeline | None]]:
    empty = DiffusionPipeline()
    yield empty, None
    yield DiffusionPipeline(class_name=R), DiffusionPipeline(class_name=M)
    for part in ("scheduler", "text_encoder", "tokenizer", "transformer", "vae"):
        yield _but(empty, **{part: DiffusionComponent()}), empty
        for field in ("library", "type"):
            wanted, found = (_but(DiffusionComponent(), **{field: value}) for value in (R, M))
            yield _but(empty, **{part: wanted}), _but(empty, **{part: found})
    additional = DiffusionPipeline(additional_components={KEY: DiffusionComponent(library=R)})
    yield additional, empty
    yield additional, DiffusionPipeline(additional_components={"other": DiffusionComponent()})
    for field in ("library", "type"):
        yield (
            DiffusionPipeline(additional_components={KEY: DiffusionComponent(**{field: R})}),
            DiffusionPipeline(additional_components={KEY: DiffusionComponent(**{field: M})}),
        )


def provoked_reasons() -> Iterator[Provoked]:
    """The reason of every check, and those of a runtime that supports the model and does not qualify (section 11)."""

    def reason(candidate: ServingRuntime, of: BaseModel = probes.MODEL, isvc: InferenceService | None = None) -> str:
        return probes.judge(candidate, of, isvc).reason or ""

    asks = probes.service(annotations={"ome.io/accelerator-class": "other"})
    yield Provoked(family="reason", text=reason(probes.runtime(disabled=True)))
    yield Provoked(family="reason", text=reason(probes.runtime(), isvc=asks))
    for part in ("engine", "decoder"):
        mine, theirs = (Component(annotations={DEPLOYMENT_MODE: mode}) for mode in ("MultiNode", "OMENative"))
        text = reason(_but(probes.runtime(), **{part: mine}), isvc=probes.service(**{part: theirs}))
        yield Provoked(
            family="reason", text=text, stand_ins={"MultiNode": "r-mode", "OMENative": "m-mode"}, key="modes"
        )
    no_entry = reason(
        probes.runtime(supported_model_formats=()),
        BaseModel(kind="ClusterBaseModel", name=MODEL, model_format=_named("zzlabel")),
    )
    yield Provoked(family="reason", text=no_entry, stand_ins={"mt:zzlabel": "label"}, key="label")
    other = reason(
        probes.runtime(supported_model_formats=(probes.entry(model_framework=None, model_format=None),)),
        BaseModel(kind="ClusterBaseModel", name=MODEL, model_format=_named("zzlabel")),
    )
    unknown = _differences(
        probes.entry(model_framework=None, model_format=None),
        BaseModel(kind="ClusterBaseModel", name=MODEL, model_format=_named("zzlabel")),
    )[0]
    yield Provoked(family="reason", text=other, stand_ins={"mt:zzlabel": "label", unknown: "entries"}, key="label")
    for bounds, shown in ((("777002B", "777003B"), "size"), (("777002B", None), "size"), ((None, "777000B"), "size")):
        stand_ins = {"777001B": "size", "777002B": "min", "777003B": "max", "777000B": "max"}
        text = reason(probes.runtime(bounds=bounds), probes.model("777001B"))
        yield Provoked(family="reason", text=text, stand_ins=stand_ins, key=shown)
    yield Provoked(
        family="explain reason", text=reason(probes.runtime(supported_model_formats=(probes.entry(auto_select=None),)))
    )
    mixed = (probes.entry(auto_select=None, weight=-10), probes.entry(quantization="other"))
    unselected = dataclasses.replace(probes.MODEL, model_format=_named(FORMAT, "1.0.0"))
    entries = tuple(
        dataclasses.replace(
            entry, model_format=dataclasses.replace(entry.model_format or _named(FORMAT), name=FORMAT, weight=-10)
        )
        for entry in mixed
    )
    yield Provoked(family="explain reason", text=reason(probes.runtime(supported_model_formats=entries), unselected))
    yield Provoked(
        family="explain reason", text=reason(probes.runtime(supported_model_formats=(probes.entry(weight=-10),)))
    )


def provoked_errors() -> Iterator[Provoked]:
    """The texts of the errors that selection, naming and inheritance raise."""
    inner = RuntimeMismatchError(RUNTIME, subject=FORMAT, reason=REASON)
    yield Provoked(family="mismatch", text=str(inner), key="subject")
    yield Provoked(
        family="mismatch", text=str(RuntimeMismatchError(RUNTIME, subject="", reason=REASON)), key="no subject"
    )
    for checked, excluded in (((0, 0), []), ((771, 772), []), ((771, 772), [(RUNTIME, REASON)])):
        text = str(NoRuntimeFoundError(model_format=FORMAT, namespace=NAMESPACE, checked=checked, excluded=excluded))
        stand_ins = {"1543": "n", "771": "a", "772": "b", f"{RUNTIME} ({REASON})": "excluded"}
        yield Provoked(family="error", text=text, stand_ins=stand_ins, key="counts")
    yield Provoked(family="error", text=str(InvalidModelError()))
    for namespaced_only in (True, False):
        yield Provoked(
            family="fault", text=str(RuntimeNotFoundError(RUNTIME, NAMESPACE, namespaced_only=namespaced_only))
        )
    for is_cluster in (True, False):
        yield Provoked(family="fault", text=str(RuntimeDisabledError(RUNTIME, is_cluster=is_cluster)))
    yield Provoked(family="fault", text=str(ParentNotFoundError(OTHER, [NAMES])))
    yield Provoked(family="fault", text=str(InheritanceCycleError([NAMES])))
    yield Provoked(family="fault", text=str(InheritanceDepthError(MAX_DEPTH, [NAMES])))
    yield Provoked(family="message", text=str(NoModelError(SERVICE)))
    for resource in ("clusterbasemodels", "inferenceservices"):
        yield Provoked(family="message", text=str(NotFoundError(resource, OTHER)))
    yield Provoked(family="message", text=NO_RUNTIMES)


_SOURCES: tuple[Callable[[], Iterator[Provoked]], ...] = (
    provoked_differences,
    provoked_reasons,
    provoked_errors,
    provoked_webhooks,
    provoked_controller,
    provoked_classes,
)


def provoked() -> Iterator[Provoked]:
    """Every text that the rules can produce."""
    for source in _SOURCES:
        yield from source()
