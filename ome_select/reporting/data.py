"""A whole decision as plain data, for JSON and YAML. `schema` describes it; docs/decision-schema.md explains it."""

from __future__ import annotations

import math
from typing import Any

from ome_select.decision import Decision, Verdict
from ome_select.resources import BaseModel, InferenceService, ServingRuntime

SCHEMA_VERSION = 1
"""Grows when a field is taken away or changes its meaning; new fields may come without notice."""


def to_data(decision: Decision) -> dict[str, Any]:
    """Everything that the decision knows, the checks that were not evaluated included."""
    namespaced, cluster = decision.checked
    return {
        "schemaVersion": SCHEMA_VERSION,
        "release": decision.release,
        "namespace": decision.namespace,
        "model": _model(decision.model),
        "service": None if decision.service is None else _identity(decision.service, "InferenceService"),
        "selected": decision.selected,
        "selectedScope": decision.winner.scope if decision.winner else None,
        "error": decision.error,
        "note": decision.note,
        "checked": {"namespaced": namespaced, "cluster": cluster},
        "rows": [_row(verdict) for verdict in decision.rows],
    }


def _identity(resource: ServingRuntime | BaseModel | InferenceService, kind: str) -> dict[str, Any]:
    origin = resource.origin
    return {
        "kind": kind,
        "namespace": resource.namespace,
        "name": resource.name,
        "file": None if origin is None else origin.file,
        "line": None if origin is None else origin.line,
    }


def _model(model: BaseModel) -> dict[str, Any]:
    model_format, framework = model.model_format, model.model_framework
    return _identity(model, model.kind) | {
        "format": None if model_format is None else {"name": model_format.name, "version": model_format.version},
        "framework": None if framework is None else {"name": framework.name, "version": framework.version},
        "architecture": model.model_architecture,
        "quantization": model.quantization,
        "parameterSize": model.model_parameter_size,
    }


def _row(verdict: Verdict) -> dict[str, Any]:
    return _identity(verdict.runtime, verdict.runtime.kind) | {
        "scope": verdict.scope,
        "compatible": verdict.compatible,
        "supportsModel": verdict.supports_model,
        "reason": verdict.reason,
        "score": verdict.score,
        "formatPart": verdict.format_part,
        "frameworkPart": verdict.framework_part,
        "scoringEntry": verdict.scoring_entry,
        "firstMatch": verdict.first_match,
        "priority": verdict.priority,
        "weight": verdict.weight,
        "distance": _number(verdict.distance),
        "decidedBy": verdict.decided_by,
        "checks": [
            {"check": outcome.check, "status": outcome.status, "reason": outcome.reason} for outcome in verdict.checks
        ],
    }


def _number(value: float | None) -> float | int | str | None:
    """A number as JSON can hold it: a whole one without a point, one without bounds as the text that Go writes."""
    if value is None or (math.isfinite(value) and not value.is_integer()):
        return value
    if math.isfinite(value):
        return int(value)
    return "NaN" if math.isnan(value) else "+Inf" if value > 0 else "-Inf"


def to_yaml(data: dict[str, Any]) -> str:
    """The data as YAML that kubectl reads back as it is."""
    import yaml

    from ome_select.reading.scalars import plain

    class Dumper(yaml.SafeDumper):
        """Quotes each text that Go's YAML library would take for something else."""

    def text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
        style = None if plain(value) == value else '"'
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)

    Dumper.add_representer(str, text)
    dumped: str = yaml.dump(data, Dumper=Dumper, sort_keys=False, width=120)
    return dumped
