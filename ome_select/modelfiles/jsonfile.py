"""Reading a JSON file as strictly as Go does, with the place of every fault."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from ome_select.errors import ModelFilesError

# Texts are matched first, so that a NaN inside one is passed over.
_TEXT_OR_CONSTANT = re.compile(r'"(?:\\.|[^"\\])*"|(?P<constant>NaN|-?Infinity)', re.DOTALL)
# The headers of the largest models' files are far smaller; weights that are taken for a configuration are larger.
_LARGEST = 100_000_000


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in a file.

    Raises:
        ModelFilesError: when the file cannot be read or holds anything but one JSON object.
    """
    try:
        size = path.stat().st_size
        is_file = path.is_file()
        content = path.read_bytes() if is_file and size <= _LARGEST else b""
    except OSError as error:
        raise ModelFilesError(path, f"cannot be read: {error.strerror}", "check the path and its permissions") from None
    if not is_file or size > _LARGEST:
        kind = f"has {size} bytes, too many for" if is_file else "is not"
        raise ModelFilesError(path, f"{kind} a JSON file", "name a model's folder or its config.json")
    return parse_object(content, path)


def parse_object(content: bytes, path: Path) -> dict[str, Any]:
    """The JSON object in the content of a file; raises as `read_object` does."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ModelFilesError(path, f"is not UTF-8: byte {error.start} is 0x{content[error.start]:02x}") from None
    try:
        value = json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise ModelFilesError(path, f"is no JSON: {error.msg}", line=error.lineno, column=error.colno) from None
    except _ConstantError:
        raise _constant_fault(text, path) from None
    except RecursionError:
        raise ModelFilesError(path, "is nested too deeply to be a model's configuration") from None
    except ValueError:
        raise ModelFilesError(path, "holds a number with more digits than any configuration has") from None
    if "\\u" in text and _has_half_a_pair(value):
        raise ModelFilesError(path, "holds half of a surrogate pair, which is no text", "write the whole character")
    if not isinstance(value, dict):
        raise ModelFilesError(path, f"holds {json_type(value)} where a JSON object belongs")
    return value


def _has_half_a_pair(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


class _ConstantError(Exception):
    """The text holds NaN or Infinity, which Python would read and JSON does not know."""


def _refuse(constant: str) -> Any:
    raise _ConstantError


def _constant_fault(text: str, path: Path) -> ModelFilesError:
    found = next(match for match in _TEXT_OR_CONSTANT.finditer(text) if match["constant"])
    before = text[: found.start()]
    return ModelFilesError(
        path,
        f"is no JSON: {found['constant']} is not a number that JSON knows",
        "write a number or null",
        line=before.count("\n") + 1,
        column=len(before) - (before.rfind("\n") + 1) + 1,
    )


def json_type(value: object) -> str:
    """What a value is, in the words of JSON."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    return {str: "a text", int: "a number", float: "a number", list: "a list", dict: "an object"}[type(value)]
