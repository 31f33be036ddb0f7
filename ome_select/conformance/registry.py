"""The kinds of fact that the checker knows: one small module in `facts/` for each (docs/adding-a-fact.md)."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from ome_select.conformance.fact import Finding
from ome_select.conformance.page import Page
from ome_select.conformance.world import World

Checker = Callable[[Page, World], Iterator[Finding]]
"""Reads the facts of one kind from a page and says of each whether it holds in the page's world."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """One kind of fact: its name in reports, and what finds and evaluates it."""

    name: str
    check: Checker


_KINDS: list[Kind] = []


def kind_of_fact(name: str) -> Callable[[Checker], Checker]:
    """Register a checker for a kind of fact."""

    def register(check: Checker) -> Checker:
        _KINDS.append(Kind(name=name, check=check))
        return check

    return register


@cache
def kinds() -> tuple[Kind, ...]:
    """Every kind of fact, in the order of the names of their modules."""
    from ome_select.conformance import facts

    for module in sorted(found.name for found in pkgutil.iter_modules(facts.__path__)):
        importlib.import_module(f"{facts.__name__}.{module}")
    return tuple(_KINDS)
