"""What was read: the objects, and every problem on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from ome_select.cluster import Cluster
from ome_select.objects import Problem, decode


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    objects: tuple[dict[str, Any], ...]
    problems: tuple[Problem, ...] = ()
    skipped: dict[str, int] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        return not any(problem.severity != "warning" for problem in self.problems)

    def skipped_summary(self) -> str:
        return ""

    def cluster(self) -> Cluster:
        return Cluster(r for value in self.objects if (r := decode(value)[0]))


def _documents(path: Path, recursive: bool) -> Iterator[dict[str, Any]]:
    files = sorted(p for p in (path.rglob("*") if recursive else path.glob("*")) if p.suffix in {".yaml", ".yml", ".json"}) if path.is_dir() else [path]
    for file in files:
        with file.open(encoding="utf-8") as stream:
            yield from (document for document in yaml.load_all(stream, Loader=yaml.CSafeLoader) if document)


def read(*paths: str | Path, recursive: bool = False) -> Reading:
    """Read manifests from files and folders."""
    return Reading(objects=tuple(d for path in paths for d in _documents(Path(path), recursive)))


def load(*paths: str | Path, recursive: bool = False) -> Cluster:
    """Read manifests from files and folders into a cluster."""
    return read(*paths, recursive=recursive).cluster()
