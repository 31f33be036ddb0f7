"""The fields that selection reads, found by watching the readers read: objects.py stays the one place for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from functools import cache
from typing import TypeVar

from ome_select.fields import Fields
from ome_select.objects import READERS, Head

_Read = TypeVar("_Read")

_HEAD = frozenset({"apiVersion", "kind", "metadata", "metadata.name", "metadata.namespace", "metadata.annotations"})
_CLOSE = 0.8
"""How alike two names are when one is probably a slip of the other, from 0 to 1."""


class _Watched(Fields):
    """Fields that hold nothing, and note what is asked of them."""

    def __init__(self, path: str, seen: set[str]) -> None:
        super().__init__({}, (), lambda *problem: None)
        self._at, self._seen = path, seen

    def _note(self, name: str) -> str:
        path = f"{self._at}.{name}"
        self._seen.add(path)
        return path

    def text(self, name: str) -> str | None:
        self._note(name)
        return None

    def flag(self, name: str) -> bool | None:
        self._note(name)
        return None

    def whole(self, name: str, *, minimum: int | None = None, bits: int = 64) -> int | None:
        self._note(name)
        return None

    def texts(self, name: str) -> tuple[str, ...]:
        self._note(name)
        return ()

    def text_map(self, name: str) -> dict[str, str]:
        self._note(name)
        return {}

    def has(self, name: str) -> bool:
        self._note(name)
        return False

    def within(self, name: str) -> Fields | None:
        return _Watched(self._note(name), self._seen)

    def each(self, name: str) -> Iterator[Fields]:
        # One item shows what is read of each.
        yield _Watched(self._note(name), self._seen)

    def named(self, name: str, read: Callable[[Fields], _Read]) -> dict[str, _Read] | None:
        read(_Watched(self._note(name), self._seen))
        return None


@cache
def fields_of(kind: str) -> frozenset[str]:
    """The paths of all the fields that are read of an object of this kind, such as `spec.modelSizeRange.min`."""
    seen = {"spec"}
    namespaced, read = READERS[kind]
    head = Head(
        kind=kind,
        name="any",
        namespace="any" if namespaced else None,
        annotations={},
        is_deleting=False,
        origin=None,
    )
    read(head, _Watched("spec", seen))
    return frozenset(seen) | _HEAD


@cache
def all_fields() -> frozenset[str]:
    """The paths of the fields of every kind."""
    return frozenset().union(*(fields_of(kind) for kind in READERS))


@cache
def all_names() -> frozenset[str]:
    """The names of all fields, without their paths."""
    return frozenset(name for path in all_fields() for name in path.split("."))


def kinds_with(path: str) -> frozenset[str]:
    """The kinds that have a field whose path ends so, such as `modelSizeRange.min`."""
    return frozenset(kind for kind in READERS if any(_ends(known, path) for known in fields_of(kind)))


def _ends(known: str, path: str) -> bool:
    return known == path or known.endswith(f".{path}")


def is_field(path: str) -> bool:
    """Whether some kind has a field whose path ends so; indexes such as `[0]` or `[]` do not count."""
    return bool(kinds_with(path))


def slip_of(path: str) -> str | None:
    """The field that an unknown path is probably a slip of, or None: only one name of it is misspelt."""
    names = path.split(".")
    for index, name in enumerate(names):
        if name not in all_names():
            for meant in get_close_matches(name, all_names(), n=3, cutoff=_CLOSE):
                repaired = ".".join([*names[:index], meant, *names[index + 1 :]])
                if is_field(repaired) and meant[0] == name[0]:
                    return repaired
    return None


def children(kind: str, path: str) -> frozenset[str]:
    """The names of the fields right under a path, for one kind."""
    start = f"{path}."
    return frozenset(known[len(start) :].split(".")[0] for known in fields_of(kind) if known.startswith(start))
