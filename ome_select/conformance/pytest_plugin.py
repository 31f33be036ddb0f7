"""`pytest --ome-conform PAGE...`: one test for each fact of the pages.

Nothing but pytest is imported until the option is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from ome_select.conformance.fact import Fact

OPTION = "--ome-conform"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    group = parser.getgroup("ome-select")
    group.addoption(
        OPTION,
        action="store_true",
        default=False,
        help="test each fact of the Markdown pages among the arguments against OME's runtime selection",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Take the Markdown pages, where the option is given."""
    if file_path.suffix == ".md" and parent.config.getoption(OPTION):
        return ConformancePage.from_parent(parent, path=file_path)
    return None


class ConformancePage(pytest.File):
    """A page, whose tests are its facts."""

    def collect(self) -> Iterator[pytest.Item]:
        """One test for each fact. Pages that are collected together know of each other."""
        from ome_select.errors import OmeSelectError

        try:
            facts = _facts(self.session, self.path)
        except OmeSelectError as problem:
            raise self.CollectError(str(problem)) from None
        for fact in facts:
            yield ConformanceFact.from_parent(self, name=f"{fact.line}: {fact.kind}: {fact.claim}", fact=fact)


class ConformanceFact(pytest.Item):
    """A fact of a page: it passes where it holds, and is skipped where it was not checked."""

    def __init__(self, *, fact: Fact, **rest: object) -> None:
        super().__init__(**rest)  # type: ignore[arg-type]  # What pytest passes on to itself.
        self.fact = fact

    def runtest(self) -> None:
        """Fail where OME does something else."""
        if self.fact.verdict == "not checked":
            pytest.skip(self.fact.reason)
        if self.fact.verdict == "contradicted":
            raise ContradictedError(self.fact.told)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        """What the page says and what OME does, without a traceback."""
        if isinstance(excinfo.value, ContradictedError):
            fact = self.fact
            return f"{fact.page}:{fact.line}\nthe page: {fact.claim}\nOME:      {fact.actual}"
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the fact stands, for pytest, which counts lines from 0; the last part heads a failure."""
        return self.path, self.fact.line - 1, f"{self.path.name}, line {self.fact.line}: {self.fact.kind}"


class ContradictedError(Exception):
    """A fact does not hold."""


def _facts(session: pytest.Session, path: Path) -> list[Fact]:
    """The facts of one page, read together with the other pages among pytest's arguments."""
    from ome_select.conformance.runner import check, load_page

    pages = [path]
    for argument in session.config.args:
        named = (session.config.invocation_params.dir / argument.partition("::")[0]).resolve()
        found = sorted(named.rglob("*.md")) if named.is_dir() else [named]
        pages += (page for page in found if page.suffix == ".md" and page not in pages)
    report = check([load_page(page) for page in pages])
    return [fact for fact in report.facts if fact.page == str(path)]
