"""Applying objects: one to ask what the webhooks say, or many in order, as `kubectl apply` does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ome_select.admission import runtimes, services
from ome_select.admission.answer import Admission, Request
from ome_select.cluster import Cluster, Identity, identity
from ome_select.errors import InvalidObjectError, UsageError
from ome_select.objects import decode, describe
from ome_select.problems import Problem
from ome_select.readers import READERS
from ome_select.releases import DEFAULT_RELEASE, Release, check_release
from ome_select.resources import InferenceService, Resource, ServingRuntime

Change = Literal["created", "configured", "unchanged"]


def admit(
    cluster: Cluster,
    applied: Mapping[str, Any] | Resource,
    *,
    update: bool = False,
    release: Release = DEFAULT_RELEASE,
) -> Admission:
    """What the webhooks answer when one object is applied to this cluster.

    Of an InferenceService's steps (section 13), these are answered: the name, a decoder without an engine, leader and
    worker, the pair of modes, negative replicas, the warning on deployment strategies, a model or a runtime at all, the
    shape of a pin, the model's existence, its volume claim, and all of step 13. Of a runtime's (section 14): all but
    the shape of autoscaler blocks. Models and accelerator classes have no webhook that looks at what they say.

    What files cannot tell is left out: autoscalers, placement, traffic, rollouts, model overlays, misspelt annotations,
    quotas, other webhooks, permissions, and whatever else the API server's schema refuses beyond what is read here.

    Args:
        cluster: what is already there.
        applied: the object as a plain dict, or a resource; a resource is not checked against the API's schema.
        update: whether the object is there already. Then, what did not change is partly not checked again, and a
            service that is being deleted is admitted unchecked.
        release: whose rules count.

    Raises:
        InvalidObjectError: when the object cannot be read; every fault is named.
        NotStatedError: where the rules do not say what v1.2.2 does.
        UsageError: for an object of another kind, an unknown release, or a kind of runtime that does not exist.
    """
    resource, refusals = _read(applied)
    if resource is None:
        assert isinstance(applied, Mapping)  # Whatever is a resource already is of a kind that is known.
        raise UsageError(f"{describe(applied)} is of no kind that is known here: the kinds are {', '.join(READERS)}")
    return _answer(cluster, resource, refusals, update=update, release=check_release(release))


def _read(applied: Mapping[str, Any] | Resource) -> tuple[Resource | None, list[Problem]]:
    """The object, or None for one of another kind, and what the API server's schema refuses of it."""
    if not isinstance(applied, Mapping):
        return applied, []
    resource, problems = decode(applied)
    if any(problem.severity == "error" for problem in problems):
        raise InvalidObjectError([problem for problem in problems if problem.severity == "error"])
    return resource, [problem for problem in problems if problem.severity == "refused"]


def _answer(
    cluster: Cluster, resource: Resource, refusals: list[Problem], *, update: bool, release: Release
) -> Admission:
    if refusals:
        return Admission(resource=resource, allowed=False, message=_schema_message(refusals))
    kind, namespace, name = identity(resource)
    old = cluster.find(kind, name, namespace) if update else None
    request = Request(cluster=cluster, old=old, release=release)
    reason: str | None = None
    if isinstance(resource, InferenceService):
        reason = services.review(request, resource)
    elif isinstance(resource, ServingRuntime):
        reason = runtimes.review(request, resource)
    return Admission(
        resource=resource,
        allowed=reason is None,
        warnings=tuple(request.warnings),
        message=reason,
        webhook=None if reason is None else f"{kind.lower()}.ome-webhook-server.validator",
        notes=tuple(request.notes),
    )


def _schema_message(refusals: list[Problem]) -> str:
    """The faults as the API server words them (section 19); several make a list, as kubectl prints them."""
    texts = [
        f"{problem.field}: {problem.message.replace(': must be', f': {problem.field} in body should be')}"
        for problem in refusals
    ]
    return texts[0] if len(texts) == 1 else "\n".join(("", *(f"* {text}" for text in texts)))


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What became of one object of many.

    Attributes:
        admission: the webhooks' answer.
        change: what kubectl says of an object that got in: `created`, `configured` or `unchanged`.
        updates: whether the object was there before.
    """

    admission: Admission
    change: Change | None
    updates: bool

    def lines(self, file: str) -> tuple[list[str], list[str]]:
        """What `kubectl apply` prints for the object of this file: the lines on stderr, and those on stdout.

        For an update that is denied, kubectl also shows the patch; that is left out here.
        """
        errors = [f"Warning: {warning}" for warning in self.admission.warnings]
        if self.change is not None:
            kind, _, name = identity(self.admission.resource)
            return errors, [f"{kind.lower()}.ome.io/{name} {self.change}"]
        denial = self.admission.denial or ""
        if self.admission.webhook is not None:
            doing = "patching" if self.updates else "creating"
            denial = f'Error from server (Forbidden): error when {doing} "{file}": {denial}'
        return [*errors, denial], []

    def __str__(self) -> str:
        """The lines of `kubectl apply`, as for an object from its own file or from stdin."""
        origin = self.admission.resource.origin
        errors, output = self.lines(origin.file if origin else "STDIN")
        return "\n".join((*errors, *output))


class Session:
    """A cluster that objects are applied to, one after another; each one that is admitted joins it.

    Attributes:
        cluster: the cluster as it is now.

    Raises:
        UsageError: for an unknown release.
    """

    def __init__(self, cluster: Cluster, *, release: Release = DEFAULT_RELEASE) -> None:
        self.cluster = cluster
        self._release = check_release(release)
        # A resource leaves out much of an object, so only what was written tells whether anything changed.
        self._written: dict[Identity, Mapping[str, Any] | Resource] = {}

    def apply(self, applied: Mapping[str, Any] | Resource) -> Outcome | None:
        """Apply one object; one that is there already is updated. None for an object of another kind.

        Raises:
            InvalidObjectError, NotStatedError, UsageError: as for `admit`.
        """
        resource, refusals = _read(applied)
        if resource is None:
            return None
        kind, namespace, name = key = identity(resource)
        exists = self.cluster.find(kind, name, namespace) is not None
        answer = _answer(self.cluster, resource, refusals, update=exists, release=self._release)
        if not answer.allowed:
            return Outcome(admission=answer, change=None, updates=exists)
        change: Change = "created"
        if exists:
            change = "unchanged" if self._written.get(key) == applied else "configured"
        self._written[key] = applied
        self.cluster = self.cluster.with_resources(resource)
        return Outcome(admission=answer, change=change, updates=exists)


@dataclass(frozen=True, kw_only=True, slots=True)
class Applied:
    """What became of many objects, and the cluster with those that got in.

    Attributes:
        cluster: the cluster with the objects that got in.
        outcomes: what became of each object, in order.
        skipped: the objects of kinds that are not read here, by kind and name.
    """

    cluster: Cluster
    outcomes: tuple[Outcome, ...]
    skipped: tuple[str, ...] = ()

    @property
    def allowed(self) -> bool:
        """Whether every object got in."""
        return all(outcome.admission.allowed for outcome in self.outcomes)

    def __str__(self) -> str:
        """What `kubectl apply` prints, errors and warnings included."""
        return "\n".join(str(outcome) for outcome in self.outcomes)


def apply(
    cluster: Cluster, objects: Iterable[Mapping[str, Any] | Resource], *, release: Release = DEFAULT_RELEASE
) -> Applied:
    """Apply objects in their order, as `kubectl apply` does: each one that is admitted joins the cluster.

    An object that is already there is updated. One that is denied is left out, and the next ones are tried all the
    same.

    Raises:
        InvalidObjectError, NotStatedError, UsageError: as for `admit`, but objects of other kinds are skipped.
    """
    session = Session(cluster, release=release)
    outcomes: list[Outcome] = []
    skipped: list[str] = []
    for applied in objects:
        outcome = session.apply(applied)
        if outcome is None:
            assert isinstance(applied, Mapping)  # Whatever is a resource already is of a kind that is known.
            skipped.append(describe(applied))
        else:
            outcomes.append(outcome)
    return Applied(cluster=session.cluster, outcomes=tuple(outcomes), skipped=tuple(skipped))
