"""Loading the recorded answers of OME (tests/vectors/README.md)."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).parent / "vectors"


def recorded(name: str) -> list[dict[str, Any]]:
    """Every case of one file. A file without cases is an error: a comparison with nothing would always pass."""
    path = VECTORS / name
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    cases = [json.loads(line) for line in text.splitlines() if line.strip()]
    if not cases:
        raise ValueError(f"{path} holds no cases")
    return cases
