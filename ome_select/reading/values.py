"""The fast way from a document to its value: for the plain YAML that nearly every manifest is.

Whatever needs more than that (an anchor, a tag, a merge, a duplicate key, an odd key or number, an error) is left to
`nodes`, which gives the same values, and knows where each one stands. Tests compare the two.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from yaml._yaml import CParser
from yaml.error import YAMLError
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from ome_select.reading.scalars import MAX_INT64, Scalar, json_value, key, plain


class UnusualError(Exception):
    """The document needs the thorough way."""


class _Values(dict[str, Scalar]):
    """The values of unquoted scalars by their text: manifests repeat the same few."""

    def __missing__(self, text: str) -> Scalar:
        value = plain(text)
        # Within brackets Go's parser reads a question mark in its own way.
        if "?" in text or text == "<<" or (isinstance(value, float) and not math.isfinite(value)):
            raise UnusualError
        kept: Scalar = _keep(self, text, json_value(value))
        return kept


class _Keys(dict[str, str]):
    """The names of unquoted keys by their text."""

    def __missing__(self, text: str) -> str:
        value = plain(text)
        is_usual = isinstance(value, str) or (isinstance(value, int) and value <= MAX_INT64)
        if not is_usual or "?" in text or text == "<<":
            raise UnusualError
        kept: str = _keep(self, text, key(value))
        return kept


_LIMIT = 20_000
"""How many texts are remembered; then the memory begins anew."""


def _keep(memory: dict[str, Any], text: str, value: Any) -> Any:
    if len(memory) >= _LIMIT:
        memory.clear()
    memory[text] = value
    return value


_VALUES = _Values()
_KEYS = _Keys()


def value_of(text: str) -> tuple[Any, bool]:
    """The value of the first document of a text, and whether the text ends with it.

    Raises:
        UnusualError: when the document is not plain enough, or no YAML at all.
    """
    if "\\/" in text:
        raise UnusualError
    try:
        return build(CParser(text).get_event)
    except YAMLError:
        raise UnusualError from None


def _put(event: Any, around: dict[str, Any], name: str) -> None:
    around[name] = event.value


def build(
    next_event: Callable[[], Any], put_literal: Callable[[Any, dict[str, Any], str], None] = _put
) -> tuple[Any, bool]:
    """Put the events of one document together.

    This loop is where reading spends its time, so it is written out, with the commonest events first.

    Args:
        next_event: gives the events.
        put_literal: puts a literal text, the one that begins with `|`, into the map around it, by its name.

    Raises:
        UnusualError: as for `value_of`.
    """
    values, keys = _VALUES, _KEYS
    # What is being filled, and the key that waits for its value. Lists have none.
    around: Any = None
    name: str | None = None
    is_map = False
    enclosing: list[tuple[Any, bool]] = []
    while True:
        event = next_event()
        kind = type(event)
        if kind is ScalarEvent:
            if event.tag is not None or event.anchor is not None:
                raise UnusualError
            text = event.value
            if is_map:
                if name is None:
                    name = keys[text] if event.implicit[0] else text
                    if name in around:
                        raise UnusualError
                else:
                    if event.implicit[0]:
                        around[name] = values[text]
                    elif event.style == "|":
                        put_literal(event, around, name)
                    else:
                        around[name] = text
                    name = None
            elif around is not None:
                around.append(values[text] if event.implicit[0] else text)
            else:
                return (values[text] if event.implicit[0] else text), _ended(next_event)
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            if event.tag is not None or event.anchor is not None:
                raise UnusualError
            starts_map = kind is MappingStartEvent
            inner: Any = {} if starts_map else []
            if is_map:
                if name is None:
                    raise UnusualError
                around[name] = inner
                name = None
            elif around is not None:
                around.append(inner)
            enclosing.append((around, is_map))
            around, is_map = inner, starts_map
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            ended = around
            around, is_map = enclosing.pop()
            if around is None:
                return ended, _ended(next_event)
        elif kind is StreamEndEvent or kind is DocumentEndEvent:
            return None, True
        elif kind is AliasEvent:
            raise UnusualError


def _ended(next_event: Callable[[], Any]) -> bool:
    """Whether nothing follows the document; a syntax error behind it counts as something."""
    next_event()
    try:
        return isinstance(next_event(), StreamEndEvent)
    except YAMLError:
        return False
