"""Names of a package that are imported when they are first used."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any


def importer(package: str, names: dict[str, Any], modules: Mapping[str, tuple[str, ...]]) -> Callable[[str], Any]:
    """Make a package's `__getattr__`.

    Args:
        package: its name.
        names: its `globals()`, which remember each name that was imported.
        modules: the names that each of its modules has.
    """

    def import_name(name: str) -> Any:
        for module, its_names in modules.items():
            if name in its_names:
                names[name] = getattr(importlib.import_module(f"{package}.{module}"), name)
                return names[name]
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return import_name
