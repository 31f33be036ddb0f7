"""Manifests → objects → a cluster, as kubectl reads them."""

from __future__ import annotations

from ome_select.reading.reading import Reading, load, read, read_resources

__all__ = ["Reading", "load", "read", "read_resources"]
