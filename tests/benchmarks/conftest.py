"""What benchmarks share: targets, which are printed beside what was measured."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

MEASURED = pytest.StashKey[list[tuple[str, float, float, float, str]]]()
"""Of each benchmark with a target: its name, its fastest round, the target, how long something else took, and what."""


class Target(Protocol):
    """Says how many seconds the fastest round may take, and, for a ratio, how many something else took, and what."""

    def __call__(self, seconds: float, other: float = 0, whose: str = "") -> None: ...


@pytest.fixture
def target(request: pytest.FixtureRequest, benchmark: BenchmarkFixture) -> Iterator[Target]:
    """Say how many seconds the fastest round may take, which other work disturbs least; nothing is asserted."""
    targets: list[tuple[float, float, str]] = []

    def add(seconds: float, other: float = 0, whose: str = "") -> None:
        targets.append((seconds, other, whose))

    yield add
    # Without --benchmark-disable, and where the test got as far as to measure something.
    if benchmark.enabled and benchmark.stats is not None:
        name = request.node.nodeid.rpartition("/")[2]
        measured = request.config.stash.setdefault(MEASURED, [])
        measured += [(name, benchmark.stats.stats.min, *each) for each in targets]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    measured = terminalreporter.config.stash.get(MEASURED, [])
    if not measured:
        return
    terminalreporter.section("targets")
    width = max(len(name) for name, *_ in measured)
    for name, fastest, seconds, other, whose in measured:
        outcome = "met" if fastest <= seconds else "MISSED"
        terminalreporter.line(
            f"{name:{width}}   fastest {fastest * 1e6:10,.1f} µs   target {seconds * 1e6:10,.1f} µs   {outcome}"
            + (f"   {fastest / other:.2f} of {whose}" if other else "")
        )
