"""Two processors for one reading: a copy of this process reads the texts from the first on, and hands over the values.

This process has more to do than that: whatever it imports, and the judging of all that was read. While it waits for the
next values, it reads from the last text backwards, until the two meet. What the copy finds are plain values, which come
in Python's own format, the fastest there is. Whatever goes wrong over there goes wrong quietly: what does not come is
read here.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from ome_select.reading.documents import FastWay, documents
from ome_select.reading.files import Source
from ome_select.reading.folding import folded_value_of
from ome_select.reading.values import UnusualError

_WORTH_IT = 100_000
"""From how many bytes on a second process saves more time than it takes to start."""
_LENGTH_BYTES = 8
_SIGKILL = 9
"""It has this number on every system that can copy a process, and the module `signal` takes time to import."""

Values = list[tuple[Any, bool] | None]
"""What the fast way gives for each text of a source; None where it cannot read the text."""


def fast_ways(sources: Sequence[Source]) -> Iterator[FastWay]:
    """For each source the way to read its texts fast: here, or by what a copy of this process has found.

    The copy begins at once, and ends when the last way has been taken or the iterator is dropped.
    """
    if sum(len(source.data) for source in sources) < _WORTH_IT or not _may_fork():
        return iter([folded_value_of] * len(sources))
    return _Copy(sources).ways()


def _may_fork() -> bool:
    """Whether a copy of this process would run, on a processor of its own; one with threads must not be copied."""
    threading = sys.modules.get("threading")
    return hasattr(os, "fork") and (os.cpu_count() or 1) > 1 and (threading is None or threading.active_count() == 1)


class _Copy:
    """A copy of this process, which reads the sources from the first to the last until it is stopped."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = sources
        self._arrived = b""
        self._found: list[Values] = []
        self._pipe, writing_end = os.pipe()
        _widen(writing_end)
        self._process = os.fork()
        if self._process == 0:
            # Nothing of the copy may be seen but what it finds: no message, and nothing that is done at an end.
            try:
                _send(sources, writing_end)
            finally:
                os._exit(0)
        os.close(writing_end)
        os.set_blocking(self._pipe, False)

    def ways(self) -> Iterator[FastWay]:
        read_here: list[Values] = []
        last = len(self._sources) - 1
        try:
            for number in range(len(self._sources)):
                self._receive()
                while number >= len(self._found) and number <= last - len(read_here):
                    read_here.append(_values(self._sources[last - len(read_here)]))
                    self._receive()
                yield _told(self._found[number] if number < len(self._found) else read_here[last - number])
        finally:
            os.close(self._pipe)
            os.kill(self._process, _SIGKILL)
            os.waitpid(self._process, 0)

    def _receive(self) -> None:
        """Take whatever has arrived, and wait for nothing."""
        try:
            while part := os.read(self._pipe, 1 << 16):
                self._arrived += part
        except BlockingIOError:
            pass
        taken = 0
        while (start := taken + _LENGTH_BYTES) <= len(self._arrived):
            end = start + int.from_bytes(self._arrived[taken:start])
            if end > len(self._arrived):
                break
            self._found.append(marshal.loads(self._arrived[start:end]))
            taken = end
        self._arrived = self._arrived[taken:]


def _widen(pipe: int) -> None:
    """Let a pipe hold as much as Linux allows anyone, so that the copy need not wait until this process takes it."""
    with contextlib.suppress(ImportError, AttributeError, OSError):
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, 1 << 20)


def _send(sources: Sequence[Source], writing_end: int) -> None:
    with open(writing_end, "wb") as pipe:
        for source in sources:
            data = marshal.dumps(_values(source))
            pipe.write(len(data).to_bytes(_LENGTH_BYTES) + data)
            pipe.flush()


def _values(source: Source) -> Values:
    values: Values = []

    def note(text: str) -> tuple[Any, bool]:
        try:
            values.append(folded_value_of(text))
        except UnusualError:
            values.append(None)
        # The document is made in the first process.
        return None, True

    for _ in documents(source.name, source.data, note):
        pass
    return values


def _told(values: Values) -> FastWay:
    left = iter(values)

    def tell(text: str) -> tuple[Any, bool]:
        value = next(left)
        if value is None:
            raise UnusualError
        return value

    return tell
