"""How many parameters a model has, by the surest of its files (docs/rules.md, section 17.1).

First the headers of the safetensors files, then their index, then config.json where it is exact for the family.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ome_select.errors import ModelFilesError
from ome_select.modelfiles.diffusion import folders_of
from ome_select.modelfiles.facts import CountSource
from ome_select.modelfiles.families import parameters_of
from ome_select.modelfiles.safetensors import TensorCount, count_files, count_index, find_index, weight_files

_BYTES = {"float64": 8, "float32": 4, "float16": 2, "bfloat16": 2}


@dataclass(frozen=True, kw_only=True, slots=True)
class Count:
    """A count of parameters, where it comes from, and what to know about it."""

    parameters: int | None = None
    source: CountSource | None = None
    notes: tuple[str, ...] = ()


def count_weights(folder: Path | None, config: Mapping[str, Any], architecture: str, *, is_quantized: bool) -> Count:
    """The parameters of one model; `folder` is None where only its configuration is at hand."""
    notes: list[str] = []
    if folder is not None:
        try:
            if (total := _by_headers(folder, notes)) is not None:
                return Count(parameters=total, source="safetensors headers", notes=tuple(notes))
            if (total := count_index(folder, None if is_quantized else _bytes_each(config))) is not None:
                return Count(parameters=total, source="safetensors index", notes=tuple(notes))
        except ModelFilesError as error:
            notes.append(f"{error}.")
    found = parameters_of(config, architecture, is_quantized=is_quantized)
    if isinstance(found, int):
        return Count(parameters=found, source="config.json", notes=tuple(notes))
    return Count(notes=(*notes, f"The size is not known: {found}."))


def _bytes_each(config: Mapping[str, Any]) -> int | None:
    """The bytes of one parameter by the type that the configuration names; None where it names none."""
    named = config.get("torch_dtype") or config.get("dtype")
    return _BYTES.get(named) if isinstance(named, str) else None


def _by_headers(folder: Path, notes: list[str]) -> int | None:
    """The elements of all tensors, or None where not all the files are there."""
    files = weight_files(folder)
    missing = [path.name for path in files if not path.exists()]
    if missing or not files:
        if missing and len(missing) < len(files):
            notes.append(f"{len(missing)} of {len(files)} weight files are missing, such as {missing[0]}.")
        return None
    count = count_files(files)
    notes += _packing_notes(count)
    return count.elements


def _packing_notes(count: TensorCount) -> list[str]:
    if not count.packed:
        return []
    share = f"{count.packed} of the {count.elements} elements are whole numbers"
    return [f"{share}: buffers, or parameters of which a quantized model packs several into one."]


def count_pipeline(folder: Path | None, index: Mapping[str, Any]) -> Count:
    """The parameters of a diffusion pipeline: those of its components, each in its own folder (inferred)."""
    if folder is None:
        return Count(notes=("The size is not known: the weights of a pipeline are in its folder.",))
    notes: list[str] = []
    total = 0
    counted = 0
    for name in folders_of(index):
        component = folder / name
        if not component.is_dir() or not (find_index(component) or any(component.glob("*.safetensors"))):
            continue
        try:
            found = _by_headers(component, notes)
        except ModelFilesError as error:
            found = None
            notes.append(f"{error}.")
        if found is None:
            return Count(notes=(*notes, f"The size is not known: the weights of {name} cannot be counted."))
        total += found
        counted += 1
    if not counted:
        return Count(notes=("The size is not known: no component has safetensors files here.",))
    return Count(parameters=total, source="safetensors headers", notes=tuple(notes))
