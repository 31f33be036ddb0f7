"""The record of one selection. Every message and table derives from it; nothing is evaluated a second time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ome_select.checks import CHECKS, Question
from ome_select.compiled import CompiledRuntime
from ome_select.errors import InvalidModelError, NoRuntimeFoundError, OmeSelectError
from ome_select.releases import DEFAULT_RELEASE, Release
from ome_select.scoring import EntryScore, priority_of, shown_weight

if TYPE_CHECKING:
    import pandas

    from ome_select.resources import BaseModel, InferenceService, ServingRuntime

Scope = Literal["Namespaced", "Cluster"]
Status = Literal["passed", "failed", "not evaluated"]

# Rule 2, steps 6 and 7: what auto-selection needs beyond a runtime that supports the model.
AUTO_SELECT = "auto-select"
SCORE = "score"

NO_AUTO_SELECT_REASON = (
    "supports the model but has no supportedModelFormats[].autoSelect=true entry, so automatic selection skips it "
    "(pin it explicitly via spec.runtime.name instead)"
)
NO_SCORE_REASON = "auto-select score is 0"


class Outcome(NamedTuple):
    """What one check said about one runtime; `reason` is set only where it failed."""

    check: str
    status: Status
    reason: str | None = None


class Verdict:
    """All that there is to know about one runtime in one decision.

    Attributes:
        scoring: the entry that gives the score, with its parts (section 8); None where no entry scores above 0, or
            where the runtime does not support the model.
        first_match: the index of the first entry that matches the model (section 5), or None.
        distance: how far the size range is from the model's size, in parameters (section 9); None where the model has
            no size or the runtime cannot be selected.
        decided_by: what puts this runtime ahead of the next one: `scope`, `score`, `size distance` or `name`
            (section 9). None for the last runtime that ranks, and for those that do not rank.
    """

    __slots__ = ("_failure", "_question", "_reason", "_runtime", "decided_by", "distance", "first_match", "scoring")

    def __init__(
        self,
        runtime: CompiledRuntime,
        question: Question,
        *,
        failure: int | None,
        first_match: int | None,
        scoring: EntryScore | None,
        distance: float | None,
    ) -> None:
        self._runtime = runtime
        self._question = question
        self._failure = failure
        self._reason: str | None = None
        self.first_match = first_match
        self.scoring = scoring
        self.distance = distance
        self.decided_by: str | None = None

    @property
    def runtime(self) -> ServingRuntime:
        """The runtime as its manifest says it."""
        return self._runtime.runtime

    @property
    def name(self) -> str:
        """The runtime's name."""
        return self._runtime.name

    @property
    def scope(self) -> Scope:
        """`Cluster` for a ClusterServingRuntime, `Namespaced` for a ServingRuntime."""
        return "Cluster" if self._runtime.is_cluster else "Namespaced"

    @property
    def supports_model(self) -> bool:
        """Whether the runtime passes the first five checks (section 2)."""
        return self._failure is None

    @property
    def compatible(self) -> bool:
        """Whether auto-selection can choose this runtime (section 2, steps 1 to 7)."""
        return self._failure is None and self._runtime.has_auto_select and self.scoring is not None

    @property
    def score(self) -> int:
        """The runtime's score, at least 0 (section 8); 0 where the runtime does not support the model."""
        return self.scoring.total if self.scoring else 0

    @property
    def format_part(self) -> int | None:
        """What the format adds to the scoring entry's score."""
        return self.scoring.format_part if self.scoring else None

    @property
    def framework_part(self) -> int | None:
        """What the framework adds to the scoring entry's score."""
        return self.scoring.framework_part if self.scoring else None

    @property
    def scoring_entry(self) -> int | None:
        """The index of the entry that gives the score, which need not be the first one that matches."""
        return self.scoring.entry_index if self.scoring else None

    @property
    def priority(self) -> int | None:
        """PRIORITY as `explain` shows it, from the first matching entry (section 11); None without one."""
        return None if self.first_match is None else priority_of(self._runtime.entries[self.first_match])

    @property
    def weight(self) -> int | None:
        """WEIGHT as `explain` shows it, from the first matching entry; it is not always the score (section 11)."""
        return None if self.first_match is None else shown_weight(self._runtime.entries[self.first_match])

    @property
    def reason(self) -> str | None:
        """Why auto-selection cannot choose this runtime, as `explain` words it (section 11); None where it can."""
        if self._reason is None:
            if self._failure is not None:
                self._reason = CHECKS[self._failure].reason(self._runtime, self._question)
            elif not self.compatible:
                self._reason = self._unqualified()
        return self._reason

    def _unqualified(self) -> str:
        """The reason of a runtime that supports the model and yet does not qualify (section 11)."""
        if not self._runtime.has_auto_select:
            return NO_AUTO_SELECT_REASON
        assert self.first_match is not None  # A runtime that supports the model has a matching entry.
        if not self._runtime.entries[self.first_match].written.auto_select:
            return (
                f"matching format {self._question.model.model_format.name} is not autoSelect-enabled (a different "
                "supportedModelFormats entry on this runtime has autoSelect=true, but not the one that matches this "
                "model)"
            )
        return NO_SCORE_REASON

    @property
    def checks(self) -> tuple[Outcome, ...]:
        """Every check with its outcome, in OME's order; what comes after the first failure is not evaluated."""
        outcomes: list[Outcome] = []
        steps = [(check.name, index != self._failure) for index, check in enumerate(CHECKS)]
        steps += [(AUTO_SELECT, self._runtime.has_auto_select), (SCORE, self.scoring is not None)]
        for name, passed in steps:
            if outcomes and outcomes[-1].status != "passed":
                outcomes.append(Outcome(check=name, status="not evaluated"))
            elif passed:
                outcomes.append(Outcome(check=name, status="passed"))
            else:
                outcomes.append(Outcome(check=name, status="failed", reason=self.reason))
        return tuple(outcomes)

    def to_dict(self) -> dict[str, Any]:
        """The row as `explain` has it: score, priority and weight (without those that are 0), or the reason."""
        row: dict[str, Any] = {"name": self.name, "scope": self.scope, "compatible": self.compatible}
        if not self.compatible:
            return row | {"reason": self.reason}
        numbers = {"score": self.score, "priority": self.priority, "weight": self.weight}
        return row | {name: number for name, number in numbers.items() if number}

    def __repr__(self) -> str:
        return f"<Verdict {self.scope} {self.name}: {f'score {self.score}' if self.compatible else self.reason}>"


class Decision:
    """What OME does for one model, and why.

    Attributes:
        model: the model that the decision is about.
        namespace: the namespace whose ServingRuntimes are candidates, beside all ClusterServingRuntimes.
        service: the InferenceService that was asked about, or None.
        rows: one `Verdict` for each candidate, in the order of `explain`'s table: those that rank, best first; then
            the others, ServingRuntimes before ClusterServingRuntimes, each by name (section 11).
        release: the release whose rules decided.
    """

    __slots__ = ("_ranked", "model", "namespace", "release", "rows", "service")

    def __init__(
        self,
        *,
        model: BaseModel,
        namespace: str,
        service: InferenceService | None,
        rows: tuple[Verdict, ...],
        ranked: int,
        release: Release = DEFAULT_RELEASE,
    ) -> None:
        self.model = model
        self.namespace = namespace
        self.service = service
        self.rows = rows
        self._ranked = ranked
        self.release = release

    @property
    def ranked(self) -> tuple[Verdict, ...]:
        """The runtimes that auto-selection can choose, best first."""
        return self.rows[: self._ranked]

    @property
    def winner(self) -> Verdict | None:
        """The verdict on the runtime that auto-selection picks, or None."""
        return self.rows[0] if self._ranked else None

    @property
    def selected(self) -> str | None:
        """The name of the runtime that auto-selection picks, or None."""
        return self.rows[0].name if self._ranked else None

    @property
    def checked(self) -> tuple[int, int]:
        """How many candidates there were, first the namespace's ServingRuntimes, then the ClusterServingRuntimes."""
        cluster = sum(row.scope == "Cluster" for row in self.rows)
        return len(self.rows) - cluster, cluster

    @property
    def excluded(self) -> tuple[tuple[str, str], ...]:
        """Name and reason of each runtime that failed one of the first five checks, sorted by name (section 10).

        OME keeps them by name, so of two excluded runtimes of one name only the cluster's is listed.
        """
        # The namespace's rows come first, so a cluster's runtime of the same name replaces them.
        reasons = {row.name: row.reason or "" for row in self.rows if not row.supports_model}
        return tuple(sorted(reasons.items()))

    @property
    def exception(self) -> OmeSelectError | None:
        """The error with which OME's selection ends, or None when a runtime is selected."""
        if self.model.model_format is None or not self.model.model_format.name:
            return InvalidModelError()
        if self._ranked:
            return None
        return NoRuntimeFoundError(
            model_format=self.model.model_format.name,
            namespace=self.namespace,
            checked=self.checked,
            excluded=self.excluded,
        )

    @property
    def error(self) -> str | None:
        """OME's message when nothing is selected, else None (sections 2 and 10)."""
        exception = self.exception
        return None if exception is None else str(exception)

    @property
    def note(self) -> str | None:
        """What `explain` says beside its table when the service names a runtime (section 11)."""
        if self.service is None or self.service.runtime is None or not self.service.runtime.name:
            return None
        return "Note: spec.runtime is explicit; automatic selection below is hypothetical."

    @property
    def release_note(self) -> str | None:
        """What this package says where the release has no command that would show this table (section 20)."""
        if self.release != "v1.2.2":
            return None
        return "Note: kubectl ome runtime explain exists since v1.3; this is what v1.2.2 would choose, in its form."

    def row(self, name: str, scope: Scope | None = None) -> Verdict:
        """The verdict on the runtime of this name; with both scopes present, the first in the table's order.

        Raises:
            KeyError: when no candidate has this name.
        """
        for verdict in self.rows:
            if verdict.name == name and scope in (None, verdict.scope):
                return verdict
        raise KeyError(name)

    def to_dict(self) -> dict[str, Any]:
        """The decision as plain data: `rows` in the table's order, `selected`, and `error`."""
        return {"rows": [row.to_dict() for row in self.rows], "selected": self.selected, "error": self.error}

    def to_frame(self) -> pandas.DataFrame:
        """The decision as a table of pandas, one row for each runtime."""
        from ome_select.reporting.frame import to_frame

        return to_frame(self)

    def __str__(self) -> str:
        """The table of `kubectl ome runtime explain`, 80 columns wide (section 11)."""
        from ome_select.reporting.table import explain_table

        return explain_table(self)

    def __repr__(self) -> str:
        return f"<Decision for model {self.model.name} in {self.namespace}: {self.selected or 'no runtime'}>"
