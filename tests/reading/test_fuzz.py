"""A short run of the fuzzer; CONTRIBUTING says how to run a long one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests import fuzz

ROOT = Path(__file__).parent.parent.parent


def test_a_thousand_cases() -> None:
    """In a process of its own, so that its memory is that of the reader."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", "1000", "7"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout.startswith("1000 cases, at most ")


def test_the_cases_are_of_every_sort() -> None:
    found = list(fuzz.cases(200, 1))
    assert any(b"ClusterServingRuntime" in case for case in found)
    assert any(b"&a0" in case for case in found)
    assert any(case.startswith(b"{") for case in found)
