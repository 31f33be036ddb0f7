"""Which fields selection reads of each kind, and which name was probably meant by one that nobody reads.

The fields are found by watching the readers of `objects` read, so that they are the one place that names them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, TypeVar

from ome_select.fields import Fields, Note
from ome_select.readers import READERS, Head

_Read = TypeVar("_Read")

_CLOSE = 0.8
"""How alike two names must be for one to be a slip of the other, from 0 to 1."""

_LONG_ENOUGH = 8
"""From how many letters on the beginning or the end of a name stands for all of it: `modelArch`, `sizeRange`."""

EACH = "*"
"""Stands for every item of a list and every key of a map."""

# Real fields of the API whose names are close to one that selection reads. They are no slips.
_OTHER_FIELDS = frozenset(
    {
        "containers",
        "initContainers",
        "labels",
        "modelType",
        "nodeSelector",
        "runnerImage",
        "schedulerName",
        "scheduling",
        "storageKey",
        "volumes",
    }
)


class Tree(dict[str, "Tree"]):
    """The names of the fields that are read of a map, each with those within it; `EACH` stands for any item or key."""

    def __init__(self, *names: str) -> None:
        super().__init__((name, Tree()) for name in names)
        self._unwatched: list[Callable[[Fields], object]] = []
        self._meant: dict[str, str | None] = {}

    def add(self, read: Callable[[Fields], object]) -> None:
        """Add what a reader reads, which is found out only when the names are asked for: many are never met."""
        self._unwatched.append(read)

    def opened(self) -> Tree:
        """The tree with all of its names."""
        while self._unwatched:
            self._unwatched.pop()(_Watched(self))
        return self

    def meant(self, name: str) -> str | None:
        """The field that was probably meant by a name that is none; None where it is like no field."""
        if name not in self._meant:
            self._meant[name] = _nearest(name, self)
        return self._meant[name]


class _Watched(Fields):
    """Fields that hold nothing, and remember what is asked of them in a tree of names."""

    __slots__ = ("_tree",)

    def __init__(self, tree: Tree) -> None:
        super().__init__({}, (), lambda *problem: None)
        self._tree = tree

    def _seen(self, name: str) -> Tree:
        return self._tree.setdefault(name, Tree())

    def _get(self, name: str, kind: Any, wanted: str) -> Any:
        self._seen(name)

    def whole(self, name: str, *, minimum: int | None = None, bits: int = 64) -> int | None:
        self._seen(name)
        return None

    def text_map(self, name: str) -> dict[str, str]:
        # The keys of such a map are the user's own.
        self._seen(name).setdefault(EACH, Tree())
        return {}

    def has(self, name: str) -> bool:
        self._seen(name)
        return False

    def is_whole(self, name: str) -> bool:
        self._seen(name)
        return False

    def within(self, name: str) -> Fields | None:
        return _Watched(self._seen(name))

    def part(self, name: str, read: Callable[[Fields], _Read]) -> _Read | None:
        self._seen(name).add(read)
        return None

    def each(self, name: str) -> Iterator[Fields]:
        yield _Watched(self._seen(name).setdefault(EACH, Tree()))

    def named(self, name: str, read: Callable[[Fields], _Read]) -> dict[str, _Read] | None:
        self._seen(name).setdefault(EACH, Tree()).add(read)
        return None


@cache
def fields_of(kind: str) -> Tree:
    """The fields that are read of an object of this kind."""
    namespaced, read = READERS[kind]
    head = Head(
        kind=kind,
        name="any",
        namespace="any" if namespaced else None,
        annotations={},
        is_deleting=False,
        origin=None,
    )
    tree = Tree("apiVersion", "kind", "metadata", "spec")
    tree["metadata"].update(Tree("name", "namespace", "annotations"))
    tree["metadata"]["annotations"][EACH] = Tree()
    read(head, _Watched(tree["spec"]))
    return tree


def _may_be_close(name: str, other: str) -> bool:
    """Whether two names share so many letters that comparing them is worth the time."""
    enough = _CLOSE * (len(name) + len(other)) / 2
    # Most are already too different in length.
    return (
        min(len(name), len(other))
        >= enough
        <= sum(min(name.count(letter), other.count(letter)) for letter in set(name))
    )


def _nearest(name: str, known: Iterable[str]) -> str | None:
    if name in _OTHER_FIELDS:
        return None
    if len(name) >= _LONG_ENOUGH:
        lowered = name.lower()
        for other in known:
            if other.lower().startswith(lowered) or other.lower().endswith(lowered):
                return other
    if not any(_may_be_close(name, other) for other in known):
        return None
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, known, n=1, cutoff=_CLOSE)), None)


def note_slips(value: dict[str, Any] | list[Any], tree: Tree, note: Note, path: tuple[str | int, ...] = ()) -> None:
    """Note each field whose name is close to one that is read, and that is read by nobody.

    Args:
        value: the object, or the part of it at the path.
        tree: what is read of it.
        note: takes each problem.
        path: where the part is.
    """
    every = tree.opened().get(EACH)
    if isinstance(value, list):
        for index, item in enumerate(value):
            if every is not None and type(item) in (dict, list):
                note_slips(item, every, note, (*path, index))
    else:
        for name, part in value.items():
            inner = tree.get(name, every)
            if inner is None:
                if (meant := tree.meant(name)) and meant not in value:
                    message = "is no field that selection reads"
                    note("warning", "unknown-field", (*path, name), message, f"did you mean {meant}?")
            elif type(part) in (dict, list):
                note_slips(part, inner, note, (*path, name))
