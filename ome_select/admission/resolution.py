"""The webhook's check of runtime and model together (docs/rules.md, section 13, step 13)."""

from __future__ import annotations

from ome_select.admission.answer import Request
from ome_select.errors import (
    InheritanceError,
    InvalidModelError,
    NoRuntimeFoundError,
    RuntimeDisabledError,
    RuntimeMismatchError,
    RuntimeNotFoundError,
)
from ome_select.naming import enabled_runtime, require_support
from ome_select.resources import BaseModel, Component, InferenceService, RuntimeRef
from ome_select.selection import Selector


def resolution(request: Request, service: InferenceService) -> str | None:
    """A service with an engine gets a runtime that may be used; without an engine nothing is checked."""
    if service.engine is None:
        return None
    runtime = service.runtime if service.runtime and service.runtime.name else None
    if service.model is None or not service.model.name:
        # The step before makes sure that there is a model or a runtime.
        assert runtime is not None
        return _runtime_alone(request, service, runtime)
    if runtime is None and has_full_runner(service.engine):
        # Such a service leaves auto-selection until after admission.
        return None
    model = request.cluster.model(service.model.name, service.namespace)
    if model.disabled:
        return f"model {model.name} is disabled"
    if runtime is None:
        return _automatic(request, service, model)
    if request.release == "v1.2.2":
        # Rule 20: v1.2.2 does not check a runtime that is named.
        request.notes.append(
            "v1.2.2 does not check a runtime that is named: problems show as events; its warning for one that is "
            f"fine, Runtime {runtime.name} is valid for model {model.name}, is known, and not when it shows"
        )
        return None
    return _named(request, service, model, runtime)


def has_full_runner(engine: Component) -> bool:
    """Whether an engine brings its own image, or those of both its leader and its worker (step 13c)."""
    if engine.runner_image:
        return True
    return all(group is not None and bool(group.runner_image) for group in (engine.leader, engine.worker))


def _runtime_alone(request: Request, service: InferenceService, runtime: RuntimeRef) -> str | None:
    """A runtime without a model is not asked what it supports (step 13b)."""
    if not runtime.auto_sync:
        return None
    try:
        enabled_runtime(request.cluster, runtime, service.namespace)
    except RuntimeNotFoundError:
        return None
    except (RuntimeDisabledError, InheritanceError) as error:
        return str(error)
    return None


def _named(request: Request, service: InferenceService, model: BaseModel, runtime: RuntimeRef) -> str | None:
    """A runtime that is named has to exist and be enabled; what it does not declare is a warning (step 13d).

    The live runtime is checked, also when the service is pinned to a revision.
    """
    try:
        require_support(enabled_runtime(request.cluster, runtime, service.namespace), model, service)
    except RuntimeMismatchError as error:
        # A sharded model is never served by a runtime that does not say that it can.
        if model.distribution != "Sharded":
            request.warnings.append(
                f'runtime "{runtime.name}" does not declare support for model "{model.name}" ({error}); '
                "proceeding because the runtime was named explicitly"
            )
            return None
        reason = str(error)
    except (RuntimeNotFoundError, RuntimeDisabledError, InheritanceError, InvalidModelError) as error:
        reason = str(error)
    else:
        return None
    return f"runtime {runtime.name} does not support model {model.name}: {reason}"


def _automatic(request: Request, service: InferenceService, model: BaseModel) -> str | None:
    """Without a runtime, auto-selection has to find one (step 13d)."""
    try:
        chosen = Selector(request.cluster, service.namespace, request.release).select(isvc=service)
    except (NoRuntimeFoundError, InvalidModelError) as error:
        return (
            f"no supporting runtime found for model {model.name} and engine does not have complete runner "
            f"configuration: {error}"
        )
    request.warnings.append(f"Runtime {chosen.name} will be auto-selected for model {model.name}")
    return None
