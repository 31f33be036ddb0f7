"""What the controller does with an InferenceService that was admitted, step by step (docs/rules.md, section 15)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from ome_select.aftermath import Aftermath, Condition, Effect, Event, Journal, StoppedError
from ome_select.cluster import Cluster
from ome_select.errors import (
    InheritanceError,
    InvalidModelError,
    InvalidObjectError,
    NoRuntimeFoundError,
    NotStatedError,
    RuntimeDisabledError,
    RuntimeMismatchError,
    RuntimeNotFoundError,
    UsageError,
)
from ome_select.naming import enabled_runtime, require_support
from ome_select.objects import decode, describe
from ome_select.releases import DEFAULT_RELEASE, Release, check_release
from ome_select.resources import BaseModel, InferenceService, RuntimeRef, ServingRuntime
from ome_select.selection import Selector
from ome_select.workload import deploy


def after_admission(
    cluster: Cluster,
    isvc: str | InferenceService | Mapping[str, Any],
    *,
    namespace: str = "default",
    release: Release = DEFAULT_RELEASE,
    had_runtime_ready: bool = False,
    sharded_model_ready: bool = False,
) -> Aftermath:
    """What OME does with an InferenceService once it is in the cluster, and where a person sees it.

    Args:
        cluster: what there is at that time; at admission it may have been something else.
        isvc: the service, as a name in the namespace, a resource, or a plain dict.
        namespace: where a name is looked up.
        release: whose rules count.
        had_runtime_ready: whether the service's status already has the condition `RuntimeReady`; only then a good
            choice sets it.
        sharded_model_ready: whether a model with `distribution: Sharded` is ready, which its manifest does not say.

    Raises:
        NotFoundError: when no service has the name.
        InvalidObjectError: when the dict cannot be read.
        UsageError: for an object of another kind, an unknown release, or an unknown kind of model or runtime.
        NotStatedError: where the rules do not say what v1.2.2 does.
    """
    run = _Run(
        cluster=cluster,
        service=_service(cluster, isvc, namespace),
        release=check_release(release),
        had_runtime_ready=had_runtime_ready,
        sharded_model_ready=sharded_model_ready,
    )
    effect: Effect = "continues"
    try:
        run.reconcile()
    except StoppedError as stopped:
        effect = stopped.effect
    return Aftermath(
        service=run.service,
        runtime=run.runtime,
        effect=effect,
        events=tuple(run.journal.events),
        conditions=tuple(run.journal.conditions),
        logs=tuple(run.journal.logs),
        labels=run.journal.labels,
        modes=tuple(run.journal.modes),
        classes=tuple(run.journal.classes),
        notes=tuple(run.journal.notes),
    )


def _service(cluster: Cluster, isvc: str | InferenceService | Mapping[str, Any], namespace: str) -> InferenceService:
    if isinstance(isvc, str):
        return cluster.service(isvc, namespace)
    if isinstance(isvc, InferenceService):
        return isvc
    resource, problems = decode(isvc)
    if isinstance(resource, InferenceService):
        return resource
    if errors := [problem for problem in problems if problem.severity == "error"]:
        raise InvalidObjectError(errors)
    raise UsageError(f"{describe(isvc)} is no InferenceService: give one, or its name")


@dataclass(kw_only=True, slots=True)
class _Run:
    """One run over one service; each step notes what shows up, and may stop the run."""

    cluster: Cluster
    service: InferenceService
    release: Release
    had_runtime_ready: bool
    sharded_model_ready: bool
    model: BaseModel | None = None
    runtime: ServingRuntime | None = None
    journal: Journal = field(default_factory=Journal)

    def reconcile(self) -> None:
        """The steps, in OME's order."""
        self.find_model()
        reference = self.service.runtime
        if reference is not None and reference.name:
            self.runtime = self.named(reference)
        elif self.model is not None:
            self.runtime = self.selected(self.model)
        else:
            message = "InferenceService must specify spec.runtime when spec.model is omitted"
            self.journal.fail("RuntimeSelectionError", message)
        # Rule 15: a condition that says otherwise from before is put right; a new one is not made.
        if self.had_runtime_ready and self.release != "v1.2.2":
            self.journal.conditions.append(Condition(type="RuntimeReady", status=True, reason="RuntimeResolved"))
        deploy(self.cluster, self.service, self.model, self.runtime, self.journal, self.release)

    @property
    def is_sharded(self) -> bool:
        """Whether the model is sharded, which v1.2.2 does not know (rule 20)."""
        return self.model is not None and self.model.distribution == "Sharded" and self.release != "v1.2.2"

    def find_model(self) -> None:
        """An object of the kind that the service says has to exist; then the namespace's comes first (rule 17.3)."""
        reference = self.service.model
        if reference is None or not reference.name:
            if self.release == "v1.2.2":
                raise NotStatedError(
                    "v1.2.2 needs spec.model, and the rules do not say what it does without: add it, or ask for v1.3"
                )
            return
        if reference.kind not in ("BaseModel", "ClusterBaseModel"):
            raise UsageError(
                f'spec.model.kind "{reference.kind}" is no kind of model: write BaseModel or ClusterBaseModel'
            )
        namespace = self.service.namespace if reference.kind == "BaseModel" else None
        if self.cluster.find(reference.kind, reference.name, namespace) is None:
            self.journal.log(f"Failed to get referenced {reference.kind}")
            raise StoppedError("retries")
        self.model = self.cluster.model(reference.name, self.service.namespace)
        if self.model.disabled:
            message = f"specified base model {self.model.name} is disabled"
            self.journal.fail("ModelReconcileError", message, log="Failed to reconcile base model")
        if self.is_sharded and not self.sharded_model_ready:
            self.journal.events.append(
                Event(type="Normal", reason="ModelNotReady", message="sharded BaseModel is not ready")
            )
            self.journal.log("Waiting for sharded BaseModel to become ready")
            raise StoppedError("requeues")

    def selected(self, model: BaseModel) -> ServingRuntime:
        """The runtime that auto-selection picks, by its own spec (rule 12.5)."""
        decision = Selector(self.cluster, self.service.namespace, self.release).explain(isvc=self.service)
        error = decision.exception
        if isinstance(error, InvalidModelError):
            message = f"Failed to find runtime for model {model.name}: {error}"
            self.journal.fail("RuntimeSelectionError", message, log="Failed to auto-select runtime")
        if isinstance(error, NoRuntimeFoundError):
            if self.release == "v1.2.2":
                # Rule 20: RuntimeReady and RuntimeNotFound are new in v1.3.
                self.journal.notes.append("what v1.2.2 records when no runtime is found is not in the rules")
                raise StoppedError("retries")
            self.journal.park(str(error))
        assert decision.winner is not None
        assert model.model_format is not None
        self.journal.log(
            "Selected runtime",
            runtime=decision.winner.name,
            score=decision.winner.score,
            isCluster=decision.winner.scope == "Cluster",
            model=model.model_format.name,
            namespace=self.service.namespace,
            candidates=len(decision.ranked),
        )
        self.journal.log("Auto-selected runtime", runtime=decision.winner.name, model=model.name)
        return decision.winner.runtime

    def named(self, reference: RuntimeRef) -> ServingRuntime:
        """The runtime that the service names, with what it inherits."""
        pinned = not reference.auto_sync
        try:
            runtime = enabled_runtime(self.cluster, reference, self.service.namespace, release=self.release)
        except RuntimeNotFoundError as error:
            self.named_is_missing(error, pinned=pinned)
        except RuntimeDisabledError as error:
            if self.model is None or pinned:
                message = f"Runtime {reference.name} failed validation: {error}"
                self.journal.fail("RuntimeValidationError", message, log="Runtime validation failed")
            self.unsupported(reference.name, self.model, error)
        except InheritanceError as error:
            if pinned:
                self.journal.fail("RuntimePinError", str(error))
            if self.model is None:
                self.journal.fail("RuntimeFetchError", str(error), log="Failed to get runtime spec")
            self.unsupported(reference.name, self.model, error)
        if pinned:
            self.journal.notes.append(
                "autoSync is false: OME keeps the revision that it recorded, which no manifest holds; "
                "this answer takes the runtime as it is now"
            )
        elif self.model is not None:
            self.check_support(runtime, self.model)
        return runtime

    def named_is_missing(self, error: RuntimeNotFoundError, *, pinned: bool) -> NoReturn:
        if self.release == "v1.2.2":
            self.journal.notes.append("the message of this event in v1.2.2 is not in the rules")
            self.journal.fail("RuntimePinError" if pinned else "RuntimeValidationError", None)
        if not pinned:
            self.journal.park(str(error))
        # Rule 20: once a revision is recorded, the service goes on with it, although nothing more can come of it.
        self.journal.conditions.append(Condition(type="RuntimeDrifted", status=True, reason="SourceRuntimeMissing"))
        self.journal.notes.append(
            "this holds for a service that was pinned while the runtime existed; a first pin ends in RuntimePinError"
        )
        raise StoppedError("continues")

    def check_support(self, runtime: ServingRuntime, model: BaseModel) -> None:
        """A runtime that does not declare support is used all the same, unless the model is sharded."""
        try:
            require_support(runtime, model, self.service, release=self.release)
        except InvalidModelError as error:
            self.unsupported(runtime.name, model, error)
        except RuntimeMismatchError as error:
            if self.is_sharded:
                self.unsupported(runtime.name, model, error)
            self.journal.warn(
                "RuntimeCompatibilityAdvisory",
                f"Runtime {runtime.name} does not declare support for model {model.name} ({error}); "
                "proceeding because the runtime was named explicitly",
            )
            self.journal.log("Runtime named explicitly; proceeding despite declared-format mismatch")

    def unsupported(self, runtime: str, model: BaseModel, error: Exception) -> NoReturn:
        message = f"Runtime {runtime} does not support model {model.name}: {error}"
        self.journal.fail("RuntimeValidationError", message, log="Runtime validation failed")
