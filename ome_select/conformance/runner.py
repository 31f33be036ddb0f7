"""Pages in, facts out: every checker over every page, and what no checker understood."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ome_select.conformance.coverage import UNREAD, unread
from ome_select.conformance.fact import Fact, Finding, Verdict
from ome_select.conformance.markdown import read_page
from ome_select.conformance.page import Page
from ome_select.conformance.registry import kinds
from ome_select.conformance.world import World
from ome_select.errors import UsageError

_LARGEST = 10_000_000
"""A page of more bytes than this is no page that people read."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """All the facts of some pages, page by page and line by line."""

    pages: tuple[str, ...]
    facts: tuple[Fact, ...]

    def count(self, verdict: Verdict) -> int:
        """How many facts have this verdict."""
        return sum(fact.verdict == verdict for fact in self.facts)

    @property
    def contradicted(self) -> tuple[Fact, ...]:
        """The facts that do not hold."""
        return tuple(fact for fact in self.facts if fact.verdict == "contradicted")

    @property
    def by_kind(self) -> dict[str, Counter[Verdict]]:
        """How many facts of each kind have each verdict."""
        counts: dict[str, Counter[Verdict]] = {}
        for fact in self.facts:
            counts.setdefault(fact.kind, Counter())[fact.verdict] += 1
        return dict(sorted(counts.items()))


def load_page(path: str | Path) -> Page:
    """Read a page from a file.

    Raises:
        UsageError: when it cannot be read, or is no text.
    """
    file = Path(path)
    try:
        if file.stat().st_size > _LARGEST:
            raise UsageError(f"{path}: is larger than {_LARGEST // 1_000_000} MB; name a Markdown page")
        source = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as problem:
        raise UsageError(f"{path}: is no text in UTF-8 (byte {problem.start}); name a Markdown page") from None
    except (OSError, ValueError) as problem:
        told = getattr(problem, "strerror", None) or str(problem)
        raise UsageError(f"{path}: cannot be read: {told}") from None
    if "\0" in source:
        raise UsageError(f"{path}: holds binary data; name a Markdown page")
    return read_page(str(path), source)


def check_pages(paths: Iterable[str | Path]) -> Report:
    """Check the facts of some pages against the selector; links between these pages are followed.

    Raises:
        UsageError: when a page cannot be read, or none was named.
    """
    named = list(dict.fromkeys(str(path) for path in paths))
    if not named:
        raise UsageError("name at least one Markdown page")
    return check([load_page(path) for path in named])


def check(pages: Sequence[Page]) -> Report:
    """Check the facts of pages that were read already."""
    by_path = {page.path: page for page in pages}
    facts = [fact for page in pages for fact in _facts(World(page=page, pages=by_path))]
    return Report(pages=tuple(by_path), facts=tuple(facts))


def _facts(world: World) -> list[Fact]:
    page = world.page
    found: list[tuple[str, Finding]] = []
    for kind in kinds():
        found += ((kind.name, finding) for finding in kind.check(page, world))
    found += ((UNREAD, finding) for finding in unread(page, [finding for _, finding in found]))
    facts = (
        Fact(
            page=page.path,
            line=finding.line,
            kind=kind,
            claim=finding.claim,
            actual=finding.actual,
            verdict=finding.verdict,
            reason=finding.reason,
        )
        for kind, finding in found
    )
    return sorted(dict.fromkeys(facts), key=lambda fact: (fact.line, fact.kind))
