"""The fast way from a document to its value: for the plain YAML that nearly every manifest is.

Whatever needs more than that (an anchor, a tag, a merge, a duplicate key, an odd key or number, an error) is left to
`nodes`, which gives the same values, and knows where each one stands. Tests compare the two.
"""

from __future__ import annotations

import math
from typing import Any

from yaml._yaml import CParser
from yaml.error import YAMLError
from yaml.events import (
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from ome_select.reading.scalars import Scalar, json_value, key, plain


class Unusual(Exception):
    """The document needs the thorough way."""


class _Memory(dict[str, Any]):
    """Values by their text: manifests repeat the same few. It is emptied before it grows large."""

    LIMIT = 20_000

    def keep(self, text: str, value: Any) -> Any:
        if len(self) >= self.LIMIT:
            self.clear()
        self[text] = value
        return value


class _Values(_Memory):
    def __missing__(self, text: str) -> Scalar:
        value = plain(text)
        if isinstance(value, float) and not math.isfinite(value):
            raise Unusual
        # Within brackets Go's parser reads a question mark in its own way.
        if text.startswith("<<") or "?" in text:
            raise Unusual
        return self.keep(text, json_value(value))


class _Keys(_Memory):
    def __missing__(self, text: str) -> str:
        value = plain(text)
        if not isinstance(value, str) or text == "<<" or "?" in text:
            if not isinstance(value, bool | int) or isinstance(value, int) and value.bit_length() > 63:
                raise Unusual
        return self.keep(text, key(value))


_VALUES = _Values()
_KEYS = _Keys()


def value_of(text: str) -> tuple[Any, bool]:
    """The value of the first document of a text, and whether the text ends with it.

    Raises:
        Unusual: when the document is not plain enough, or no YAML at all.
    """
    if "\\/" in text:
        raise Unusual
    next_event = CParser(text).get_event
    values, keys = _VALUES, _KEYS
    enclosing: list[tuple[Any, str | None]] = []
    # What is being filled, and the key that waits for its value; outside of a map there is none.
    around: Any = None
    name: str | None = None
    try:
        while True:
            event = next_event()
            kind = type(event)
            if kind is ScalarEvent:
                if event.tag is not None or event.anchor is not None:
                    raise Unusual
                if type(around) is dict:
                    if name is None:
                        name = keys[event.value] if event.implicit[0] else event.value
                        if name in around:
                            raise Unusual
                    else:
                        around[name] = values[event.value] if event.implicit[0] else event.value
                        name = None
                elif around is None:
                    return (values[event.value] if event.implicit[0] else event.value), _ended(next_event)
                else:
                    around.append(values[event.value] if event.implicit[0] else event.value)
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                if event.tag is not None or event.anchor is not None:
                    raise Unusual
                inner: Any = {} if kind is MappingStartEvent else []
                if type(around) is dict:
                    if name is None:
                        raise Unusual
                    around[name] = inner
                elif around is not None:
                    around.append(inner)
                enclosing.append((around, None))
                around, name = inner, None
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                ended = around
                around, name = enclosing.pop()
                if around is None:
                    return ended, _ended(next_event)
            elif kind is StreamEndEvent or kind is DocumentEndEvent:
                return None, True
            elif event is None or (kind is not DocumentStartEvent and enclosing):
                raise Unusual
    except YAMLError:
        raise Unusual from None


def _ended(next_event: Any) -> bool:
    """Whether nothing follows the document; a syntax error behind it counts as something."""
    next_event()
    try:
        return isinstance(next_event(), StreamEndEvent)
    except YAMLError:
        return False
