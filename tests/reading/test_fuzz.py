"""A short run of the fuzzer; CONTRIBUTING says how to run a long one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests import fuzz

ROOT = Path(__file__).parent.parent.parent


def run(cases: str, seed: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own, so that its memory is that of the reader."""
    return subprocess.run(
        [sys.executable, "-m", "tests.fuzz", cases, seed], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_a_thousand_cases() -> None:
    ended = run("1000", "7")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout.startswith("1000 cases, at most ")


def test_the_memory_of_who_starts_it_does_not_count() -> None:
    ballast = bytearray(b"x" * ((fuzz.MOST_MEMORY_MIB + 50) * 2**20))
    ended = run("10", "7")
    del ballast
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_the_cases_are_of_every_sort() -> None:
    found = list(fuzz.cases(200, 1))
    assert any(b"ClusterServingRuntime" in case for case in found)
    assert any(b"&a0" in case for case in found)
    assert any(case.startswith(b"{") for case in found)
