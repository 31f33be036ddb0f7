"""Counting parameters by the headers of safetensors files; no weight is read.

A file begins with the header's length, 8 bytes, the lowest first; then comes the header, a JSON object with the type,
the shape and the place of each tensor.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

from ome_select.errors import ModelFilesError
from ome_select.modelfiles.jsonfile import parse_object, read_object

_LENGTH_BYTES = 8
# The format itself allows no longer header.
_LONGEST_HEADER = 100_000_000
# Whole numbers in a quantized model's files: several parameters are packed into each.
_PACKING_TYPES = frozenset({"I8", "U8", "I16", "U16", "I32", "U32", "I64", "U64"})

INDEX_SUFFIX = ".safetensors.index.json"


@dataclass(frozen=True, kw_only=True, slots=True)
class TensorCount:
    """What the headers of some files add up to: elements in all, and those in types that pack parameters."""

    elements: int = 0
    packed: int = 0

    def __add__(self, other: TensorCount) -> TensorCount:
        return TensorCount(elements=self.elements + other.elements, packed=self.packed + other.packed)


def count_file(path: Path) -> TensorCount:
    """Count the elements of all tensors of one file by its header.

    Raises:
        ModelFilesError: when the file is cut off, or its header is no header.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            start = file.read(_LENGTH_BYTES)
            length = int.from_bytes(start, "little")
            if len(start) < _LENGTH_BYTES or length > max(size - _LENGTH_BYTES, 0):
                wanted = f"{_LENGTH_BYTES + length} bytes" if len(start) == _LENGTH_BYTES else "a header"
                raise ModelFilesError(
                    path, f"is cut off or no safetensors file: {wanted} expected, {size} found", "download it again"
                )
            if length > _LONGEST_HEADER:
                raise ModelFilesError(path, f"has a header of {length} bytes; safetensors allows {_LONGEST_HEADER}")
            header = file.read(length)
    except OSError as error:
        raise ModelFilesError(path, f"cannot be read: {error.strerror}") from None
    return _count_header(parse_object(header, path), path, size - _LENGTH_BYTES - length)


def _count_header(header: dict[str, Any], path: Path, data_bytes: int) -> TensorCount:
    total = TensorCount()
    end = 0
    for name, tensor in header.items():
        if name == "__metadata__":
            continue
        shape = tensor.get("shape") if isinstance(tensor, dict) else None
        offsets = tensor.get("data_offsets") if isinstance(tensor, dict) else None
        if not _are_counts(shape) or not _are_counts(offsets) or len(offsets) != 2:
            raise ModelFilesError(path, f'has no shape and data_offsets for the tensor "{name}"')
        elements = math.prod(shape)
        end = max(end, offsets[1])
        total += TensorCount(elements=elements, packed=elements if tensor.get("dtype") in _PACKING_TYPES else 0)
    if end > data_bytes:
        raise ModelFilesError(
            path, f"is cut off: its tensors take {end} bytes, {data_bytes} found", "download it again"
        )
    return total


def _are_counts(value: Any) -> TypeGuard[list[int]]:
    return isinstance(value, list) and all(
        isinstance(item, int) and not isinstance(item, bool) and item >= 0 for item in value
    )


def count_files(paths: Iterable[Path]) -> TensorCount:
    """Count over several files; raises as `count_file` does."""
    return sum((count_file(path) for path in paths), TensorCount())


def find_index(folder: Path) -> Path | None:
    """The index of a folder's weight files; of several, the plain one: that of another precision has a longer name."""
    indexes = sorted(folder.glob(f"*{INDEX_SUFFIX}"), key=lambda path: (len(path.name), path.name))
    return indexes[0] if indexes else None


def weight_files(folder: Path) -> list[Path]:
    """The safetensors files that hold a model's weights, each weight once; some may be missing.

    Repositories often hold the same weights twice, as `consolidated.safetensors` or in another precision, such as
    `model.fp16.safetensors`. An index says which files count; without one, the plainly named file does.

    Raises:
        ModelFilesError: when the index cannot be used.
    """
    index = find_index(folder)
    if index is not None:
        weight_map = read_object(index).get("weight_map")
        if not isinstance(weight_map, dict) or not all(_is_file_name(name) for name in weight_map.values()):
            raise ModelFilesError(index, "has no weight_map from tensors to files in its folder")
        return [folder / name for name in sorted(set(weight_map.values()))]
    files = sorted(folder.glob("*.safetensors"))
    for plain in ("model.safetensors", "diffusion_pytorch_model.safetensors"):
        if folder / plain in files:
            return [folder / plain]
    shards = [path for path in files if not path.name.startswith(("consolidated", "adapter_"))]
    return shards or files


def _is_file_name(name: Any) -> bool:
    """An index never leads out of its folder."""
    return isinstance(name, str) and name not in ("", ".", "..") and "/" not in name and "\\" not in name


def count_index(folder: Path, bytes_each: int | None) -> int | None:
    """The count that a folder's index gives; None where it gives none.

    Args:
        folder: where the index is.
        bytes_each: the bytes that each parameter takes, where all take the same. The `total_size` of an index is in
            bytes; `total_parameters`, where an index has it, needs no more.
    """
    index = find_index(folder)
    metadata = read_object(index).get("metadata") if index is not None else None
    if not isinstance(metadata, dict):
        return None
    if _are_counts(total := [metadata.get("total_parameters")]):
        return total[0]
    if _are_counts(size := [metadata.get("total_size")]) and bytes_each is not None and size[0] % bytes_each == 0:
        return size[0] // bytes_each
    return None
