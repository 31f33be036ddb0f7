"""What benchmarks share."""

from collections.abc import Callable

import pytest
from pytest_benchmark.fixture import BenchmarkFixture


@pytest.fixture
def at_most(benchmark: BenchmarkFixture) -> Callable[[float], None]:
    """Assert that the median time of the benchmark is at most so many seconds; nothing when nothing is measured."""

    def check(seconds: float) -> None:
        if benchmark.enabled:
            median = benchmark.stats.stats.median
            assert median <= seconds, f"the median is {median:.3g} s and may be {seconds:.3g} s"

    return check
