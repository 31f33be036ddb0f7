"""Manifests → objects → a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from ome_select.cluster import Cluster


def _documents(path: Path) -> Iterator[dict[str, Any]]:
    files = sorted(p for p in path.iterdir() if p.suffix in {".yaml", ".yml", ".json"}) if path.is_dir() else [path]
    for file in files:
        with file.open(encoding="utf-8") as stream:
            yield from (document for document in yaml.load_all(stream, Loader=yaml.CSafeLoader) if document)


def load(*paths: str | Path) -> Cluster:
    """Read manifests from files and folders into a cluster."""
    return Cluster.from_objects(document for path in paths for document in _documents(Path(path)))
