"""kubectl itself as a judge: many files in one call, read without a cluster."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

KUBECTL = shutil.which("kubectl")
MISSING = "kubectl is not installed, so there is nothing to compare with"

_MARK = "ome-select-test"


def _read(paths: list[Path]) -> tuple[list[dict[str, Any]], bool]:
    """The objects that kubectl reads of some files, and whether it ended with an error."""
    assert KUBECTL is not None
    arguments = [argument for path in paths for argument in ("-f", str(path))]
    ended = subprocess.run(
        [KUBECTL, "annotate", "--local", *arguments, f"{_MARK}=1", "-o", "json"],
        capture_output=True,
        check=False,
        timeout=60,
    )
    objects: list[dict[str, Any]] = []
    decoder, text, position = json.JSONDecoder(), ended.stdout.decode(), 0
    while position < len(text):
        value, position = decoder.raw_decode(text, position)
        position += len(text[position:]) - len(text[position:].lstrip())
        objects.append(_without_mark(value))
    return objects, ended.returncode != 0


def _without_mark(value: dict[str, Any]) -> dict[str, Any]:
    """The object without the annotation that asking for it has put there."""
    metadata = value.get("metadata")
    if isinstance(metadata, dict) and isinstance(metadata.get("annotations"), dict):
        metadata["annotations"].pop(_MARK, None)
        if not metadata["annotations"]:
            del metadata["annotations"]
    return value


def answers(texts: list[bytes], folder: Path, *, one_each: bool = True) -> list[tuple[list[dict[str, Any]], bool]]:
    """For each text as a file: the objects that kubectl reads before any error, and whether there is one.

    kubectl stops at the first error, so a batch that fails is halved until the failing ones are alone. Texts that may
    hold no object, or several, are read one by one: nothing in the output of a batch says which file an object is from.
    """
    paths = []
    for index, text in enumerate(texts):
        path = folder / f"{index:04}.yaml"
        path.write_bytes(text)
        paths.append(path)
    return _halve(paths) if one_each else [_read([path]) for path in paths]


def _halve(paths: list[Path]) -> list[tuple[list[dict[str, Any]], bool]]:
    if len(paths) == 1:
        return [_read(paths)]
    objects, failed = _read(paths)
    if not failed and len(objects) == len(paths):
        return [([value], False) for value in objects]
    middle = len(paths) // 2
    return _halve(paths[:middle]) + _halve(paths[middle:])
