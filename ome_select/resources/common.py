"""What all resources share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

NOTHING: Mapping[str, str] = MappingProxyType({})
"""A map that was not written."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Origin:
    """Where an object was written: a file's name, and line and column counted from 1."""

    file: str
    line: int
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"
