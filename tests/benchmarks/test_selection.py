"""How fast a choice is over the embedded catalog, and over ten and a hundred times as many runtimes.

The clock is the time that the processor spends on this process, so that other work on the machine counts little. The
targets stand beside what was measured and are not asserted: a slow machine is not a fault of the code.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import ome_select as ome
from ome_select.cluster import Cluster
from ome_select.resources import ServingRuntime
from ome_select.selection import Selector
from tests.benchmarks.conftest import Target

MODEL = "llama-3-3-70b-instruct"
MATCHING = 3
TIMES = (1, 10, 100)

pytestmark = pytest.mark.benchmark(timer=time.process_time, min_rounds=20, max_time=2)


@pytest.fixture(scope="module")
def catalog(root: Path) -> Cluster:
    return ome.load(root / "fixtures" / "catalog")


def for_others(runtime: ServingRuntime, copy: int) -> ServingRuntime:
    """The runtime under another name and for other architectures, so that it matches no model of the catalog."""
    entries = tuple(
        replace(entry, model_architecture=f"{entry.model_architecture}-{copy}")
        for entry in runtime.supported_model_formats
    )
    return replace(runtime, name=f"{runtime.name}-{copy}", supported_model_formats=entries)


@pytest.fixture(scope="module")
def selectors(catalog: Cluster) -> dict[int, Selector]:
    """By how many times as many runtimes there are; the number of matching entries stays the same."""
    found = {}
    for times in TIMES:
        more = [for_others(runtime, copy) for copy in range(1, times) for runtime in catalog.runtimes]
        found[times] = Selector(catalog.with_resources(*more))
        matching = [row for row in found[times].explain(MODEL).rows if row.first_match is not None]
        assert len(matching) == MATCHING
    return found


class TestSelect:
    """One model; the work is that of the entries that can match, however many runtimes there are."""

    @pytest.mark.parametrize("times", TIMES)
    def test_one_model(
        self, benchmark: BenchmarkFixture, target: Target, selectors: dict[int, Selector], times: int
    ) -> None:
        target(40e-6 if times == 1 else 3 * 40e-6)
        assert benchmark(selectors[times].select, MODEL).name == "srt-deepseek-r1-distill-llama-70b"


class TestExplain:
    """One model, with a reason for every runtime that is not chosen."""

    @pytest.mark.parametrize("times", TIMES)
    def test_all_reasons(
        self, benchmark: BenchmarkFixture, target: Target, selectors: dict[int, Selector], times: int
    ) -> None:
        if times == 1:
            target(0.8e-3)
        selector = selectors[times]
        reasons = benchmark(lambda: [row.reason for row in selector.explain(MODEL).rows])
        assert len(reasons) == 203 * times
        assert reasons.count(None) == 2

    def test_table(self, benchmark: BenchmarkFixture, selectors: dict[int, Selector]) -> None:
        assert benchmark(lambda: str(selectors[1].explain(MODEL))).startswith("RUNTIME ")


class TestBuild:
    """Every text of every runtime is parsed once."""

    def test_selector(self, benchmark: BenchmarkFixture, catalog: Cluster) -> None:
        assert benchmark(Selector, catalog).select(MODEL)

    def test_load(self, benchmark: BenchmarkFixture, root: Path) -> None:
        assert benchmark.pedantic(ome.load, args=(root / "fixtures" / "catalog",), rounds=3).runtimes


def children_time() -> float:
    """The time that the processor spent on the processes that this one started."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


class TestStart:
    """What a fresh process costs; the target is for what importing the package adds to Python's own start."""

    @staticmethod
    def run(code: str) -> None:
        subprocess.run([sys.executable, "-c", code], check=True)

    @pytest.mark.benchmark(timer=children_time)
    @pytest.mark.parametrize("code", ["pass", "import ome_select", "from ome_select import Cluster, Selector"])
    def test_process(self, benchmark: BenchmarkFixture, target: Target, code: str) -> None:
        if code != "pass" and benchmark.enabled:
            target(60e-3 + min(self.seconds("pass") for _ in range(5)))
        benchmark.pedantic(self.run, args=(code,), rounds=10)

    def seconds(self, code: str) -> float:
        start = children_time()
        self.run(code)
        return children_time() - start
