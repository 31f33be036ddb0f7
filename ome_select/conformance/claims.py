"""Claims in prose: a pattern, and what OME does about the words that it caught.

A pattern leaves a gap wherever a page could say something else: a number, a name, `first` or `last`. What the gap holds
is then evaluated. A sentence that is worded otherwise matches nothing and shows up in the coverage.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ome_select.conformance.fact import Finding, judged, unchecked
from ome_select.conformance.page import Page, Text
from ome_select.conformance.world import World


@dataclass(frozen=True, kw_only=True, slots=True)
class Site:
    """Where a claim was found: the sentence, the world of its page, and for a cell the other cells of its row."""

    sentence: Text
    world: World
    row: tuple[Text, ...] = ()
    before: tuple[Text, ...] = ()


Answer = tuple[bool, str] | None
"""Whether the claim holds and what OME does; None where the page does not give enough to tell."""

Evaluate = Callable[[re.Match[str], Site], Answer]


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """One way to say something, and how to evaluate it."""

    pattern: re.Pattern[str]
    evaluate: Evaluate
    needs: str


class Claims:
    """The claims of one kind of fact."""

    def __init__(self) -> None:
        self._claims: list[Claim] = []

    def says(self, pattern: str, *, needs: str = "") -> Callable[[Evaluate], Evaluate]:
        """Register how to evaluate what a pattern catches; `needs` says what is missing where nothing can be told."""

        def register(evaluate: Evaluate) -> Evaluate:
            self._claims.append(Claim(pattern=re.compile(pattern, re.IGNORECASE), evaluate=evaluate, needs=needs))
            return evaluate

        return register

    def check(self, page: Page, world: World) -> Iterator[Finding]:
        """Every claim on a page."""
        for site in _sites(page, world):
            yield from self._at(site)

    def _at(self, site: Site) -> Iterator[Finding]:
        sentence = site.sentence
        for claim in self._claims:
            for match in claim.pattern.finditer(sentence.marked):
                said = " ".join(match[0].split())
                line = sentence.line_at(match.start())
                # Only what was caught is understood; the rest of the sentence may say more.
                caught = sentence.part(*match.span())
                answer = claim.evaluate(match, site)
                if answer is not None:
                    yield judged(*_ordered(answer, line, said), caught)
                elif claim.needs:
                    yield unchecked(line, said, claim.needs, caught)


def _ordered(answer: tuple[bool, str], line: int, said: str) -> tuple[bool, int, str, str]:
    return answer[0], line, said, answer[1]


def _sites(page: Page, world: World) -> Iterable[Site]:
    for paragraph in page.paragraphs:
        for sentence in paragraph.text.sentences:
            yield Site(sentence=sentence, world=world, before=paragraph.before)
    for table in page.tables:
        for row in table.rows:
            for cell in row.cells:
                for sentence in cell.sentences:
                    yield Site(sentence=sentence, world=world, row=row.cells, before=table.before)
