"""What shows up after admission: the record that the controller's steps fill in (docs/rules.md, section 15)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, NoReturn

from ome_select.class_choice import ComponentClass
from ome_select.modes import ComponentMode
from ome_select.resources import InferenceService, ServingRuntime

Effect = Literal["continues", "waits", "retries", "requeues"]
"""What the controller does with the workload.

`continues`: it makes or updates it. Otherwise pods that run keep running as they are: `waits` until a runtime changes,
`retries` as after any error, `requeues` to look again after 5 seconds.
"""

_EFFECTS: Mapping[Effect, str] = {
    "continues": "OME makes or updates the workload",
    "waits": "running pods keep serving, and OME waits for a runtime",
    "retries": "running pods keep serving, and OME tries again",
    "requeues": "running pods keep serving, and OME looks again in 5 seconds",
}

_NO_LABELS: Mapping[str, Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """A Kubernetes event on the InferenceService; `message` is None where the rules do not give it."""

    type: Literal["Normal", "Warning"]
    reason: str
    message: str | None

    def __str__(self) -> str:
        return f"{self.type} {self.reason}: {self.message or '(message not known)'}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Condition:
    """A condition in the InferenceService's status; `message` is None where the rules do not give it."""

    type: str
    status: bool
    reason: str
    message: str | None = None

    def __str__(self) -> str:
        shown = f"{self.type}={self.status} ({self.reason})"
        return shown if self.message is None else f"{shown}: {self.message}"


@dataclass(frozen=True, kw_only=True, slots=True)
class LogLine:
    """A line in the manager's log, without time and level: the message and the fields that the rules name."""

    message: str
    fields: Mapping[str, str | int | bool] = field(default_factory=dict)

    def __str__(self) -> str:
        def shown(value: str | int | bool) -> str:
            return str(value).lower() if isinstance(value, bool) else str(value)

        return "   ".join((self.message, *(f"{name}={shown(value)}" for name, value in self.fields.items())))


@dataclass(frozen=True, kw_only=True, slots=True)
class Aftermath:
    """What OME does with an InferenceService that was admitted, and where a person sees it.

    Attributes:
        service: the InferenceService.
        runtime: the runtime in use, merged if the service names it; None where there is none.
        effect: what becomes of the workload.
        events: the events on the service, in order.
        conditions: the conditions that are set in its status. The choice of a runtime is in none of them.
        logs: the manager's log lines about the runtime, in order.
        labels: by component, the labels of its workload and pods that tell the runtime and the model.
        modes: the deployment mode of each component.
        classes: the accelerator class of the engine and the decoder, where they are declared.
        notes: what this package adds: where the rules leave the answer open.
    """

    service: InferenceService
    runtime: ServingRuntime | None = None
    effect: Effect = "continues"
    events: tuple[Event, ...] = ()
    conditions: tuple[Condition, ...] = ()
    logs: tuple[LogLine, ...] = ()
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: _NO_LABELS)
    modes: tuple[ComponentMode, ...] = ()
    classes: tuple[ComponentClass, ...] = ()
    notes: tuple[str, ...] = ()

    def condition(self, name: str) -> Condition | None:
        """The condition of this type, such as `RuntimeReady`, or None where it is not set."""
        return next((condition for condition in self.conditions if condition.type == name), None)

    @property
    def serving_runtime(self) -> str | None:
        """The value of the label `serving-runtime` on the workload, or None where no workload is made or updated."""
        return next((labels["serving-runtime"] for labels in self.labels.values()), None)

    def __str__(self) -> str:
        """The record as text for people."""
        lines = [f"{self.service.name}: {_EFFECTS[self.effect]}"]
        lines += (f"condition  {condition}" for condition in self.conditions)
        lines += (f"event      {event}" for event in self.events)
        lines += (f"log        {line}" for line in self.logs)
        if self.serving_runtime is not None:
            lines.append(f"label      serving-runtime: {self.serving_runtime}")
        lines += (f"note       {note}" for note in self.notes)
        return "\n".join(lines)


class StoppedError(Exception):
    """The controller goes no further with this service for now."""

    def __init__(self, effect: Effect) -> None:
        super().__init__(effect)
        self.effect = effect


@dataclass(kw_only=True, slots=True)
class Journal:
    """What a run of the controller notes down, as the fields of `Aftermath`."""

    events: list[Event] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    logs: list[LogLine] = field(default_factory=list)
    labels: dict[str, dict[str, str]] = field(default_factory=dict)
    modes: list[ComponentMode] = field(default_factory=list)
    classes: list[ComponentClass] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def log(self, message: str, **fields: str | int | bool) -> None:
        """Note a line of the manager's log."""
        self.logs.append(LogLine(message=message, fields=fields))

    def warn(self, reason: str, message: str | None) -> None:
        """Note a Warning event on the service."""
        self.events.append(Event(type="Warning", reason=reason, message=message))

    def fail(self, reason: str, message: str | None, log: str | None = None) -> NoReturn:
        """An error, which the controller retries."""
        self.warn(reason, message)
        if log is not None:
            self.log(log)
        raise StoppedError("retries")

    def park(self, message: str) -> NoReturn:
        """Without a runtime OME waits for one; that is no error, and nothing is retried."""
        self.warn("RuntimeNotFound", message)
        self.conditions.append(Condition(type="RuntimeReady", status=False, reason="RuntimeNotFound", message=message))
        self.log("Runtime not found; awaiting runtime creation (ISVC left unchanged)")
        raise StoppedError("waits")
