"""Cases of reading with a second process. Each runs in a process of its own, because one with threads is not copied.

`python -m tests.reading.ahead_cases CASE FOLDER`; `test_ahead.py` runs them all.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from ome_select.reading import Reading, ahead, read, read_resources
from ome_select.reading.files import Source

send = ahead._send


def same(reading: Reading, folder: str) -> None:
    """Nothing depends on who read what: resources, problems and what was skipped are those of the thorough way."""
    whole = read(folder, recursive=True)
    assert reading.resources == whole.resources
    assert [str(problem) for problem in reading.problems] == [str(problem) for problem in whole.problems]
    assert reading.skipped == whole.skipped
    assert len(reading.resources) > 100
    assert len(reading.problems) > 3


def read_here() -> list[str]:
    """Note the names of the sources that this process reads while it waits."""
    names: list[str] = []
    values, process = ahead._values, os.getpid()

    def noted(source: Source) -> ahead.Values:
        if os.getpid() == process:
            names.append(source.name)
        return values(source)

    ahead._values = noted
    return names


def waits_for_the_copy(folder: str) -> None:
    names = read_here()
    same(read_resources(folder, recursive=True, meanwhile=lambda: time.sleep(1)), folder)
    assert names == []


def both_read(folder: str) -> None:
    def slow(sources: Sequence[Source], writing_end: int) -> None:
        # The first sources are handed over at once, and the others never.
        send(sources[:5], os.dup(writing_end))
        time.sleep(60)

    ahead._send = slow
    names = read_here()
    same(read_resources(folder, recursive=True, meanwhile=lambda: time.sleep(0.5)), folder)
    assert names == sorted(names, reverse=True)
    assert len(names) > 100


def the_copy_fails(folder: str) -> None:
    def fail(sources: Sequence[Source], writing_end: int) -> None:
        raise MemoryError

    ahead._send = fail
    names = read_here()
    same(read_resources(folder, recursive=True), folder)
    assert len(names) > 100


def the_copy_stops_within_a_value(folder: str) -> None:
    def stop(sources: Sequence[Source], writing_end: int) -> None:
        os.write(writing_end, (10_000).to_bytes(8) + b"[")

    ahead._send = stop
    same(read_resources(folder, recursive=True), folder)


def nothing_is_left(folder: str) -> None:
    opened = Path("/proc/self/fd")
    before = len(list(opened.iterdir())) if opened.is_dir() else 0
    read_resources(folder, recursive=True)
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        pass
    else:
        raise AssertionError("a process is left")
    assert not before or len(list(opened.iterdir())) == before


def in_batches(folder: str) -> None:
    from ome_select.reading import reading

    reading._TOGETHER = 150_000
    same(read_resources(folder, recursive=True), folder)


def no_copy(folder: str) -> None:
    def fail(sources: Sequence[Source]) -> None:
        raise AssertionError("a process with threads, or a small input, or no second processor: nothing to copy")

    ahead._Copy = fail  # type: ignore[assignment,misc]
    thread = threading.Thread(target=time.sleep, args=(1,))
    thread.start()
    same(read_resources(folder, recursive=True), folder)
    thread.join()
    read_resources(f"{folder}/broken.yaml")
    cpu_count, os.cpu_count = os.cpu_count, lambda: 1
    same(read_resources(folder, recursive=True), folder)
    os.cpu_count = cpu_count
    del os.fork
    same(read_resources(folder, recursive=True), folder)


CASES: dict[str, Callable[[str], None]] = {
    case.__name__: case
    for case in (
        waits_for_the_copy,
        both_read,
        the_copy_fails,
        the_copy_stops_within_a_value,
        nothing_is_left,
        in_batches,
        no_copy,
    )
}

if __name__ == "__main__":
    # The cases are about two processes, on a machine of one processor, too.
    os.cpu_count = lambda: 2
    CASES[sys.argv[1]](sys.argv[2])
