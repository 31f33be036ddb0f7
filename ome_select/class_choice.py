"""Choosing the accelerator class of a component, and the record of it (docs/rules.md, sections 16.1, 16.2 and 20)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from ome_select.class_constraints import exclusion
from ome_select.class_policies import POLICIES, Basis
from ome_select.releases import DEFAULT_RELEASE, Release
from ome_select.resources import (
    AcceleratorClass,
    AcceleratorConstraints,
    AcceleratorSelector,
    Component,
    InferenceService,
)

AcceleratedComponent = Literal["engine", "decoder"]

NIL_CONSTRAINTS_BUG = (
    "OME v1.3 fails here: BestFit without spec.acceleratorSelector.constraints panics over two or more classes "
    "(invalid memory address or nil pointer dereference), and no workload is created. Later releases take missing "
    "constraints as none, and so does this answer."
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """One class of the runtime's list, as a policy sees it.

    Attributes:
        reason: why the class is out, in OME's words where OME logs them; None for one that the policy values.
        value: the score, the cost or the place by which the policy compares; None where it compares nothing.
        basis: what the value is: `score`, `place`, or the field of `cost` that it comes from.
    """

    name: str
    reason: str | None = None
    value: float | None = None
    basis: Basis | None = None

    @property
    def kept(self) -> bool:
        """Whether the class passes the constraints and the policy can use it."""
        return self.reason is None


@dataclass(frozen=True, kw_only=True, slots=True)
class ComponentClass:
    """The accelerator class of one component, and all that decided it.

    Attributes:
        name: the class, or None.
        missing: whether the class that is named does not exist.
        why: what decided, in one sentence.
        source: the field that names the class or the policy, or None.
        policy: the policy that was applied, or None.
        candidates: every class of the runtime's list, in its order, where a policy was applied; else empty.
        note: a fault of OME that this case would meet, or None.
    """

    component: str
    name: str | None = None
    missing: bool = False
    why: str
    source: str | None = None
    policy: str | None = None
    candidates: tuple[Candidate, ...] = ()
    note: str | None = None

    @property
    def error(self) -> str | None:
        """The message of OME's `AcceleratorClassError` event where the class is missing, else None (section 15)."""
        if not self.missing:
            return None
        return (
            f"Failed to get accelerator class for {self.component}: "
            f"accelerator class {self.name} not found at cluster scope"
        )

    def __str__(self) -> str:
        """The class and the reasons, as text for people."""
        lines = [f"{self.component}: {self.name or 'no class'}{' (missing)' if self.missing else ''}", self.why]
        width = max((len(candidate.name) for candidate in self.candidates), default=0)
        for candidate in self.candidates:
            shown = candidate.reason or ""
            if candidate.value is not None:
                shown = f"{candidate.basis} {candidate.value:.6g}"
            elif candidate.kept:
                shown = "kept"
            lines.append(f"  {candidate.name.ljust(width)}  {shown}")
        return "\n".join([*lines, self.note] if self.note else lines)


def choose_class(
    service: InferenceService,
    listed: tuple[str, ...],
    find: Callable[[str], AcceleratorClass | None],
    component: AcceleratedComponent,
    *,
    release: Release = DEFAULT_RELEASE,
) -> ComponentClass:
    """Choose the class of a component (rule 16.1).

    Args:
        service: the InferenceService.
        listed: the classes that the runtime in use lists.
        find: gives the class of a name, or None where there is none.
        component: `engine` or `decoder`.
        release: whose rules count.
    """
    declared: Component | None = getattr(service, component)
    if declared is None:
        return ComponentClass(component=component, why=f"The service declares no {component}.")
    # 1. A runtime without classes gives none, whatever the service names.
    if not listed:
        return ComponentClass(component=component, why="The runtime lists no accelerator classes.")
    asked = tuple(
        (place, selector)
        for place, selector in (
            (f"spec.{component}.acceleratorOverride", declared.accelerator_override),
            ("spec.acceleratorSelector", service.accelerator_selector),
        )
        if selector is not None
    )
    # 2. A name beats every policy: it is used whether or not the runtime lists it, and constraints do not count.
    for place, selector in asked:
        if (name := selector.accelerator_class) is not None:
            return _named(component, name, f"{place}.acceleratorClass", is_missing=find(name) is None, listed=listed)
    # 3. A policy.
    for place, selector in asked:
        if (policy := selector.policy) is not None:
            constraints = _constraints(service.accelerator_selector)
            outcome = ComponentClass(component=component, policy=policy, source=f"{place}.policy", why="")
            return _by_policy(outcome, listed, find, constraints, release)
    # 4. There is no default policy; the annotation and constraints alone choose nothing.
    return ComponentClass(component=component, why=f"Nothing names a class or a policy for the {component}.")


def _named(component: str, name: str, source: str, *, is_missing: bool, listed: tuple[str, ...]) -> ComponentClass:
    why = f"{source} names it"
    if is_missing:
        why += ", but no such AcceleratorClass exists"
    if name not in listed:
        why += ("; " if is_missing else ", though ") + "the runtime does not list it"
    return ComponentClass(component=component, name=name, missing=is_missing, source=source, why=f"{why}.")


def _constraints(selector: AcceleratorSelector | None) -> AcceleratorConstraints | None:
    """Only the service's own constraints count: those within an override do not (rule 16.2)."""
    return None if selector is None else selector.constraints


def _by_policy(
    outcome: ComponentClass,
    listed: tuple[str, ...],
    find: Callable[[str], AcceleratorClass | None],
    written: AcceleratorConstraints | None,
    release: Release,
) -> ComponentClass:
    """Apply a policy to the classes that exist and pass the constraints (rules 16.2 and 16.3)."""
    assert outcome.policy is not None
    if outcome.policy not in POLICIES:
        return replace(outcome, why=f"OME knows no policy {outcome.policy}.")
    found = {name: find(name) for name in dict.fromkeys(listed)}
    if release == "v1.2.2" and None in found.values():
        # Rule 20: one missing class of the list is enough.
        missing = ", ".join(name for name, cls in found.items() if cls is None)
        return replace(outcome, why=f"The runtime lists a class that does not exist ({missing}).")
    constraints = written or AcceleratorConstraints()
    reasons = {
        name: "no AcceleratorClass of this name" if cls is None else exclusion(cls, constraints)
        for name, cls in found.items()
    }
    survivors = [cls for name, cls in found.items() if cls is not None and reasons[name] is None]
    value_of, highest_wins = POLICIES[outcome.policy]
    values = {cls.name: value for cls, value in zip(survivors, value_of(survivors, constraints), strict=True)}
    winner: str | None = None
    if len(survivors) == 1:
        # A sole survivor wins under every policy, even Cheapest without a cost.
        winner = survivors[0].name
        why = f"It is the only class that passes, so {outcome.policy} has no choice."
    else:
        for name, value in values.items():
            if value is None:
                reasons[name] = "no usable cost"
        usable = {name: value[0] for name, value in values.items() if value is not None}
        # `max` and `min` keep the first of equal values, which is the earlier one on the list.
        winner = (max if highest_wins else min)(usable, key=usable.__getitem__, default=None)
        why = f"{outcome.policy} from {outcome.source} picks it."
        if winner is None:
            why = f"No class of the runtime's list is left for {outcome.policy}."
    return replace(
        outcome,
        name=winner,
        why=why,
        candidates=tuple(_candidate(name, reason, values.get(name)) for name, reason in reasons.items()),
        note=NIL_CONSTRAINTS_BUG if outcome.policy == "BestFit" and written is None and len(survivors) > 1 else None,
    )


def _candidate(name: str, reason: str | None, value: tuple[float, Basis] | None) -> Candidate:
    if value is None:
        return Candidate(name=name, reason=reason)
    return Candidate(name=name, reason=reason, value=value[0], basis=value[1])
