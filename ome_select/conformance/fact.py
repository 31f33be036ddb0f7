"""A fact: something that a page says and that OME either does or does not do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ome_select.conformance.page import Text

Verdict = Literal["holds", "contradicted", "not checked"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """What a checker says about one place of a page.

    Attributes:
        line: the line of the page, counted from 1.
        claim: what the page says there.
        actual: what OME does.
        verdict: `holds`, `contradicted` or `not checked`.
        reason: why it was not checked; empty otherwise.
        source: the sentence or cell that the claim was read from, so that coverage knows it was understood.
    """

    line: int
    claim: str
    actual: str = ""
    verdict: Verdict
    reason: str = ""
    source: Text | None = field(default=None, compare=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Fact:
    """A finding with the page that it was made on and the kind of fact that it is."""

    page: str
    line: int
    kind: str
    claim: str
    actual: str
    verdict: Verdict
    reason: str

    @property
    def told(self) -> str:
        """The fact in one line, for people."""
        if self.verdict == "contradicted":
            return f"{self.claim}: {self.actual}"
        return f"{self.claim}: {self.reason}" if self.reason else self.claim


def judged(holds: bool, line: int, claim: str, actual: object, source: Text | None = None) -> Finding:
    """A finding about a claim that was evaluated: it holds, or it is contradicted by what OME does."""
    return Finding(
        line=line, claim=claim, actual=str(actual), verdict="holds" if holds else "contradicted", source=source
    )


def unchecked(line: int, claim: str, reason: str, source: Text | None = None) -> Finding:
    """A finding about a claim that cannot be evaluated, with the reason."""
    return Finding(line=line, claim=claim, verdict="not checked", reason=reason, source=source)
