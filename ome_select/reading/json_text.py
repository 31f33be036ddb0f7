"""JSON documents, one after the other, as Go reads them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ome_select.reading.faults import TextError
from ome_select.reading.scalars import ScalarError, json_value

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_SPACE = re.compile(r"[ \t\n\r]*")
_SEPARATOR = re.compile(r"^---", re.MULTILINE)


def _number(text: str) -> Any:
    return json_value(float(text))


def _whole(text: str) -> Any:
    # Python refuses to read a number of thousands of digits; as a float it is infinite, and refused.
    return json_value(int(text)) if len(text) < 20 else _number(text)


def _refuse(text: str) -> Any:
    raise ScalarError("that JSON does not have", f'quote it: "{text}"')


_LENIENT = json.JSONDecoder(parse_int=float)
_DECODER = json.JSONDecoder(parse_float=_number, parse_int=_whole, parse_constant=_refuse)


def values(text: str) -> Iterator[tuple[Any, int, int] | TextError]:
    """The value of each document with its first and last position, or the error in its place.

    An error of syntax ends the stream.
    """
    position = _SPACE.match(text).end()  # type: ignore[union-attr]
    while position < len(text):
        try:
            value, end = _DECODER.raw_decode(text, position)
        except json.JSONDecodeError as error:
            yield _error(text, error.pos, error.msg)
            return
        except ScalarError as error:
            # The text is JSON all the same, so the next document can be found.
            fault = _error(text, position, f"a number {error}", error.advice, kind="json-number")
            its_end = _end(text, position)
            if its_end is None:
                fault.kind = "json-syntax"
            yield fault
            if its_end is None:
                return
            position = _SPACE.match(text, its_end).end()  # type: ignore[union-attr]
            continue
        except RecursionError:
            yield _error(text, position, "lists and maps are nested too deeply", "write it flatter")
            return
        yield _without_surrogates(value) if _SURROGATE.search(text, position, end) else value, position, end
        position = _SPACE.match(text, end).end()  # type: ignore[union-attr]


def _end(text: str, position: int) -> int | None:
    """Where a document ends whose numbers do not matter; None where it is no JSON otherwise."""
    try:
        return _LENIENT.raw_decode(text, position)[1]
    except (json.JSONDecodeError, RecursionError):
        return None


def rest_as_yaml(text: str, position: int) -> int | None:
    """Where a stream that is no JSON any more can be read on as YAML: at the next separator."""
    match = _SEPARATOR.search(text, position)
    return match.start() if match else None


def _without_surrogates(value: Any) -> Any:
    """Replace half of a surrogate pair by U+FFFD, as Go does."""
    text = json.dumps(value, ensure_ascii=False)
    return json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def place(text: str, position: int) -> tuple[int, int]:
    """Line and column of a position in a text, counted from 1."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


def _error(
    text: str, position: int, message: str, advice: str = "correct the JSON at this place", kind: str = "json-syntax"
) -> TextError:
    line, column = place(text, position)
    error = TextError(kind, message[0].lower() + message[1:], advice, line, column)
    error.position = position
    return error
