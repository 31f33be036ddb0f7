"""Paths → the files and streams behind them, as kubectl's `-f` and `-R` find them."""

# Paths stay as they were given, `./` and `//` included, so that messages name what was typed; pathlib tidies them.
# ruff: noqa: PTH100, PTH112, PTH114, PTH115, PTH116, PTH118, PTH120, PTH123, PTH207

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ome_select.problems import Problem, Severity

SUFFIXES = (".json", ".yaml", ".yml")
STDIN = "-"


def catalog() -> str:
    """The folder of OME's public catalog: inside the package once it is installed, beside it in a checkout."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    installed = os.path.join(package, "catalog")
    return installed if os.path.isdir(installed) else os.path.join(os.path.dirname(package), "fixtures", "catalog")


class Source(NamedTuple):
    """A file with its bytes; `name` is the path as it was given, or `stdin`."""

    name: str
    data: bytes


Note = Callable[["Problem"], None]


def file_problem(severity: Severity, kind: str, name: str, message: str, advice: str) -> Problem:
    """A problem of a whole file or folder."""
    from ome_select.problems import Problem

    return Problem(severity=severity, kind=kind, object=name, message=message, advice=advice)


def sources(paths: tuple[str, ...], recursive: bool, note: Note) -> Iterator[Source]:
    """Read every file that the paths lead to, in kubectl's order; what cannot be read is noted.

    A path that is named twice is read twice, as in kubectl, except for stdin.
    """
    was_read = False
    for path in paths:
        if path == STDIN:
            if was_read:
                note(file_problem("error", "stdin-twice", "stdin", "is named twice", "name - once"))
            elif sys.stdin is None:
                note(file_problem("error", "file-unreadable", "stdin", "is closed", "pipe manifests into it"))
            else:
                yield Source("stdin", sys.stdin.buffer.read())
            was_read = True
            continue
        for found in _expand(path, note):
            yield from _walk(found, recursive, note)


def _expand(path: str, note: Note) -> list[str]:
    """The path itself, or what it matches as a pattern, or nothing."""
    if os.path.lexists(path):
        return [path]
    if path.startswith(("http://", "https://")):
        note(file_problem("error", "file-missing", path, "is an address", "download it, then name the file"))
        return []
    import glob

    found = sorted(glob.glob(path)) if glob.has_magic(path) else []
    if not found:
        note(file_problem("error", "file-missing", path, "does not exist", "check the path"))
    return found


def _walk(path: str, recursive: bool, note: Note) -> Iterator[Source]:
    if not os.path.isdir(path):
        source = _read(path, note)
        if source is not None:
            yield source
        return
    # What waits is on a stack, so that a deep tree needs no recursion; files and folders are in one order, by name.
    waiting, files = _entries(path, note), 0
    if waiting is None:
        return
    while waiting:
        entry = waiting.pop()
        if entry.is_dir(follow_symlinks=False):
            if recursive:
                waiting += _entries(entry.path, note) or ()
        elif entry.is_symlink() and entry.is_dir():
            if recursive:
                note(_linked_folder(entry.path))
        elif entry.name.endswith(SUFFIXES):
            files += 1
            source = _read(entry.path, note, is_named=False)
            if source is not None:
                yield source
    if not files:
        advice = "name the folder that holds them" if recursive else "read the folders inside it, too: -R"
        message = "holds no file that ends in .yaml, .yml or .json"
        note(file_problem("error", "folder-empty", path, message, advice))


def _entries(folder: str, note: Note) -> list[os.DirEntry[str]] | None:
    """What is in a folder, the last name first; None where it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name, reverse=True)
    except OSError as error:
        note(_unreadable(folder, error))
        return None


def _linked_folder(path: str) -> Problem:
    target = os.path.realpath(path)
    if os.path.realpath(os.path.dirname(path)).startswith(target):
        message, advice = f"is a link to {target}, the folder that it is in", "remove the link"
    else:
        message, advice = f"is a link to the folder {target} and is not followed", "name that folder with -f"
    return file_problem("warning", "folder-link", path, message, advice)


def _read(path: str, note: Note, *, is_named: bool = True) -> Source | None:
    try:
        mode = os.stat(path).st_mode
        # A pipe, as of a shell's <(command), is as good as a file when it is named; in a folder, it may be that nobody
        # ever writes into it, and other devices might never end.
        if not stat.S_ISREG(mode) and not (is_named and stat.S_ISFIFO(mode)):
            message = "is a folder" if stat.S_ISDIR(mode) else "is no file"
            note(file_problem("error", "file-unreadable", path, message, "name a file"))
            return None
        with open(path, "rb", buffering=0) as stream:
            return Source(path, stream.read())
    except OSError as error:
        note(_unreadable(path, error))
        return None


def _unreadable(path: str, error: OSError) -> Problem:
    if isinstance(error, FileNotFoundError) and os.path.islink(path):
        message, advice = f"is a link to {os.readlink(path)}, which does not exist", "remove the link or repair it"
    elif isinstance(error, PermissionError):
        message, advice = "may not be read", "give yourself permission to read it"
    else:
        message, advice = f"cannot be read: {(error.strerror or 'unknown reason').lower()}", "check the path"
    return file_problem("error", "file-unreadable", path, message, advice)
