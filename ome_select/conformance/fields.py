"""The fields that selection reads, as paths and as names; `known` finds them by watching the readers read."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache

from ome_select import known
from ome_select.readers import READERS

_CLOSE = 0.8
_CLOSE_BESIDE = 0.75
"""How alike two names are when one is probably a slip of the other, from 0 to 1: anywhere, and in one object."""


def _paths(tree: known.Tree, above: str = "") -> Iterator[str]:
    for name, inner in tree.opened().items():
        # An item of a list has no name of its own in a path here.
        path = above if name == known.EACH else f"{above}.{name}".lstrip(".")
        if path:
            yield path
        yield from _paths(inner, path)


@cache
def fields_of(kind: str) -> frozenset[str]:
    """The paths of all the fields that are read of an object of this kind, such as `spec.modelSizeRange.min`."""
    return frozenset(_paths(known.fields_of(kind)))


@cache
def all_names() -> frozenset[str]:
    """The names of all fields, without their paths."""
    return frozenset(name for kind in READERS for path in fields_of(kind) for name in path.split("."))


def kinds_with(path: str) -> frozenset[str]:
    """The kinds that have a field whose path ends so, such as `modelSizeRange.min`."""
    return frozenset(kind for kind in READERS if any(_ends(field, path) for field in fields_of(kind)))


def _ends(field: str, path: str) -> bool:
    return field == path or field.endswith(f".{path}")


def is_field(path: str) -> bool:
    """Whether some kind has a field whose path ends so."""
    return bool(kinds_with(path))


def slip_of(path: str) -> str | None:
    """The field that an unknown path is probably a slip of, or None: only one name of it is misspelt."""
    names = path.split(".")
    above = ".".join(names[:-1])
    if above and is_field(above):
        # Among the few fields of one object, a short name is a slip of another one sooner than elsewhere.
        places = ((kind, field) for kind in READERS for field in fields_of(kind) if _ends(field, above))
        beside = {name for kind, field in places for name in children(kind, field)}
        if near := get_close_matches(names[-1], beside, n=1, cutoff=_CLOSE_BESIDE):
            return f"{above}.{near[0]}"
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
    return frozenset(field[len(start) :].split(".")[0] for field in fields_of(kind) if field.startswith(start))
