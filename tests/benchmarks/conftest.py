"""What benchmarks share: targets, which are printed beside what was measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

MEASURED = pytest.StashKey[list[tuple[str, float, float]]]()
"""The name, the fastest round and the target of each benchmark that has one, in seconds."""


@pytest.fixture
def target(request: pytest.FixtureRequest, benchmark: BenchmarkFixture) -> Iterator[Callable[[float], None]]:
    """Say how many seconds the fastest round may take, which other work disturbs least; nothing is asserted."""
    targets: list[float] = []
    yield targets.append
    # Without --benchmark-disable, and where the test got as far as to measure something.
    if benchmark.enabled and benchmark.stats is not None:
        name = request.node.nodeid.rpartition("/")[2]
        measured = request.config.stash.setdefault(MEASURED, [])
        measured += [(name, benchmark.stats.stats.min, seconds) for seconds in targets]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    measured = terminalreporter.config.stash.get(MEASURED, [])
    if not measured:
        return
    terminalreporter.section("targets")
    width = max(len(name) for name, _, _ in measured)
    for name, fastest, seconds in measured:
        outcome = "met" if fastest <= seconds else "MISSED"
        terminalreporter.line(
            f"{name:{width}}   fastest {fastest * 1e6:10,.1f} µs   target {seconds * 1e6:10,.1f} µs   {outcome}"
        )
