"""Choosing: checks, then score, then rank (docs/rules.md, sections 2, 8 and 9)."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING

from ome_select.checks import CHECKS, SIZE_CHECK, Question, first_failure
from ome_select.cluster import Cluster
from ome_select.compiled import CompiledEntry, CompiledModel, CompiledName, CompiledRuntime, Requirements
from ome_select.decision import Decision, Verdict
from ome_select.errors import NoModelError, NotStatedError, UsageError
from ome_select.matching import matches
from ome_select.problems import type_name
from ome_select.releases import DEFAULT_RELEASE, Release, check_release
from ome_select.resources import BaseModel
from ome_select.scoring import score_runtime

if TYPE_CHECKING:
    from ome_select.resources import InferenceService

_Key = tuple[object, ...]


def _key(model_format: CompiledName, framework: CompiledName | None, of: CompiledEntry | CompiledModel) -> _Key:
    """What must be equal, or absent on both sides, for an entry to match (rule 5)."""
    return model_format.name, framework.name if framework else None, of.architecture, of.quantization


def _versions_key(model_format: CompiledName, framework: CompiledName | None) -> _Key:
    """What must be equal as well where every operator is `Equal`: the versions without the `v` (rule 5)."""
    return tuple(name.version and name.version.canonical for name in (model_format, framework) if name)


class Selector:
    """Answers for many models about one namespace of one cluster.

    Every text of every runtime is parsed once, here, and entries are found by what must be equal, so that a choice
    touches only the few entries that can match.

    Args:
        cluster: the objects to choose from.
        namespace: the namespace whose ServingRuntimes are candidates, beside all ClusterServingRuntimes.
        release: whose rules count (section 20).

    Raises:
        UsageError: when the rules of the release are not known, or the cluster is something else.
    """

    def __init__(self, cluster: Cluster, namespace: str = "default", release: Release = DEFAULT_RELEASE) -> None:
        if not isinstance(cluster, Cluster):
            message = f"found {type_name(cluster)} where a cluster belongs; ome.load(FOLDER) makes one of files"
            raise UsageError(message)
        self.release = check_release(release)
        self.cluster = cluster
        self.namespace = namespace
        # In the order in which `explain` lists what does not rank: ServingRuntimes first, each group by name (rule 11).
        ordered = sorted(cluster.candidates(namespace), key=lambda runtime: (runtime.is_cluster, runtime.name))
        self._runtimes = tuple(CompiledRuntime(runtime, release) for runtime in ordered)
        # Entries by all that must be equal for a match; those with an ordering operator leave out the versions.
        self._entries: defaultdict[_Key, list[tuple[int, int, CompiledEntry]]] = defaultdict(list)
        for position, runtime in enumerate(self._runtimes):
            for index, entry in enumerate(runtime.entries):
                if entry.model_format is not None:
                    key = _key(entry.model_format, entry.model_framework, entry)
                    if all(name.operator == "Equal" for name in (entry.model_format, entry.model_framework) if name):
                        key += _versions_key(entry.model_format, entry.model_framework)
                    self._entries[key].append((position, index, entry))

    def explain(self, model: str | BaseModel | None = None, *, isvc: str | InferenceService | None = None) -> Decision:
        """Decide for one model, or for one InferenceService, with a verdict on every runtime.

        Args:
            model: a model, or its name, looked up in the namespace and then in the cluster.
            isvc: an InferenceService, or its name: then accelerator classes and deployment modes count too.

        Raises:
            UsageError: unless exactly one of the two is given.
            NotFoundError: when the model or the service does not exist.
            NoModelError: when the service has no `spec.model`.
            NotStatedError: when the answer depends on what v1.2.2 does with a range of one bound.
        """
        found, service = self._target(model, isvc)
        compiled = _compile(found, self.release)
        if compiled is None:
            return Decision(
                model=found, namespace=self.namespace, service=service, rows=(), ranked=0, release=self.release
            )
        question = Question(compiled, Requirements.of(service, self.release))
        matching = self._matching(compiled)
        ranked: list[Verdict] = []
        others: list[Verdict] = []
        for position, runtime in enumerate(self._runtimes):
            verdict = self._judge(runtime, question, matching.get(position))
            (ranked if verdict.compatible else others).append(verdict)
        return Decision(
            model=found,
            namespace=self.namespace,
            service=service,
            rows=(*rank(ranked), *others),
            ranked=len(ranked),
            release=self.release,
        )

    def select(self, model: str | BaseModel | None = None, *, isvc: str | InferenceService | None = None) -> Verdict:
        """The verdict on the runtime that OME picks; it looks only at runtimes that can match.

        Raises:
            NoRuntimeFoundError: when none can be selected; its text is OME's message.
            InvalidModelError: when the model has no format.
            UsageError, NotFoundError, NoModelError, NotStatedError: as for `explain`.
        """
        found, service = self._target(model, isvc)
        compiled = _compile(found, self.release)
        if compiled is not None:
            question = Question(compiled, Requirements.of(service, self.release))
            verdicts = (
                self._judge(self._runtimes[position], question, first_match)
                for position, first_match in self._matching(compiled).items()
            )
            if ranked := rank(verdict for verdict in verdicts if verdict.compatible):
                return ranked[0]
        # Only a question without a good answer needs the whole record, for its message.
        exception = self.explain(found if service is None else None, isvc=service).exception
        assert exception is not None
        raise exception

    def _target(
        self, model: str | BaseModel | None, isvc: str | InferenceService | None
    ) -> tuple[BaseModel, InferenceService | None]:
        """The model that the question is about, and the service if it is about one (rule 11)."""
        if (model is None) == (isvc is None):
            raise UsageError("exactly one of --model or --isvc is required")
        service: InferenceService | None = None
        if isvc is not None:
            service = self.cluster.service(isvc, self.namespace) if isinstance(isvc, str) else isvc
            if service.model is None:
                raise NoModelError(service.name)
            model = service.model.name
        assert model is not None
        return model if isinstance(model, BaseModel) else self.cluster.model(model, self.namespace), service

    def _matching(self, model: CompiledModel) -> dict[int, int]:
        """The position of each runtime with an entry that matches the model, and the index of the first such entry."""
        found: dict[int, int] = {}
        key = _key(model.model_format, model.model_framework, model)
        exact = key + _versions_key(model.model_format, model.model_framework)
        for position, index, entry in (*self._entries.get(exact, ()), *self._entries.get(key, ())):
            if index < found.get(position, len(self._runtimes[position].entries)) and matches(entry, model):
                found[position] = index
        return found

    def _judge(self, runtime: CompiledRuntime, question: Question, first_match: int | None) -> Verdict:
        if self.release == "v1.2.2" and _reaches_open_range(runtime, question, first_match):
            # Rule 20: that it breaks is known, and not what comes of it.
            raise NotStatedError(
                f"{runtime.runtime.kind} {runtime.name}: modelSizeRange has one bound, on which v1.2.2 breaks; "
                "set both bounds, or leave out modelSizeRange"
            )
        return _judge(runtime, question, first_match)


def _compile(model: BaseModel, release: Release) -> CompiledModel | None:
    """A model without a format name cannot be chosen for: that fails before anything else (rule 2)."""
    if model.model_format is None or not model.model_format.name:
        return None
    return CompiledModel(model, model.model_format, release)


def _judge(runtime: CompiledRuntime, question: Question, first_match: int | None) -> Verdict:
    """Everything about one runtime; what a check rejects is not scored."""
    failure = first_failure(runtime, question, first_match)
    scoring = None if failure is not None else score_runtime(runtime, question.model)
    size = question.model.size
    distance: float | None = None
    if scoring is not None and size is not None:
        distance = runtime.size_bounds.distance(size) if runtime.size_bounds else 0.0
    return Verdict(runtime, question, failure=failure, first_match=first_match, scoring=scoring, distance=distance)


def _place(verdict: Verdict) -> tuple[bool, int, float, str]:
    """Where a runtime ranks: scope, score, size distance, name (rule 9)."""
    distance = 0.0 if verdict.distance is None else verdict.distance
    # A distance that is not a number, from sizes such as NaN, is no nearer than any other.
    return verdict.scope == "Cluster", -verdict.score, math.inf if math.isnan(distance) else distance, verdict.name


def _reaches_open_range(runtime: CompiledRuntime, question: Question, first_match: int | None) -> bool:
    """Whether a range with one bound gets compared with a size: every check before that one passes."""
    bounds = runtime.size_bounds
    if bounds is None or (bounds.min is None) == (bounds.max is None) or question.model.size is None:
        return False
    failure = first_failure(runtime, question, first_match)
    return failure is None or CHECKS[failure].name == SIZE_CHECK


_DECIDERS = ("scope", "score", "size distance", "name")


def rank(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Put runtimes that qualify in OME's order, and note what puts each one ahead of the next (rule 9)."""
    ranked = sorted(((_place(verdict), verdict) for verdict in verdicts), key=itemgetter(0))
    for (place, ahead), (next_place, _) in pairwise(ranked):
        pairs = zip(_DECIDERS, place, next_place, strict=True)
        ahead.decided_by = next((decider for decider, mine, theirs in pairs if mine != theirs), None)
    return [verdict for _, verdict in ranked]


def explain(
    cluster: Cluster,
    *,
    model: str | BaseModel | None = None,
    isvc: str | InferenceService | None = None,
    namespace: str = "default",
    release: Release = DEFAULT_RELEASE,
) -> Decision:
    """Decide for one model or one InferenceService; see `Selector.explain`."""
    return Selector(cluster, namespace, release).explain(model, isvc=isvc)


def select(
    cluster: Cluster,
    *,
    model: str | BaseModel | None = None,
    isvc: str | InferenceService | None = None,
    namespace: str = "default",
    release: Release = DEFAULT_RELEASE,
) -> Verdict:
    """The runtime that OME picks for one model or one InferenceService; see `Selector.select`."""
    return Selector(cluster, namespace, release).select(model, isvc=isvc)
