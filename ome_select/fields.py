"""The fields of an object, read by name and type; whatever is wrong with them is noted, and nothing is coerced."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from ome_select.problems import Path, Severity, wrong_type

_Read = TypeVar("_Read")

_MAP = (dict, Mapping)
"""Any map; that it is a dict, as nearly always, is found out much faster."""

Note = Callable[[Severity, str, Path, str, str], None]
"""Takes a problem's severity, kind, path, message and advice."""


class Fields:
    """The fields of one map within an object, read by name and type."""

    __slots__ = ("_path", "_value", "note", "written")

    def __init__(
        self,
        value: Mapping[str, Any],
        path: Path,
        note: Note,
        written: Callable[[Path], str | None] = lambda path: None,
    ) -> None:
        self._value = value
        self._path = path
        self.note = note
        self.written = written

    def _fault(self, path: Path, found: object, wanted: str, advice: str = "") -> None:
        """Note that a field holds something else than what belongs there."""
        message, usual_advice = wrong_type(found, wanted, self.written(path))
        self.note("error", "field-type", path, message, advice or usual_advice)

    def fault(self, name: str, wanted: str, advice: str = "") -> None:
        """Note that a field holds something else than what belongs there."""
        self._fault((*self._path, name), self._value[name], wanted, advice)

    def _get(self, name: str, kind: type[_Read] | tuple[type, ...], wanted: str) -> Any:
        """The value of a field; None where it is unset, null, or of another type (then a problem is noted)."""
        value = self._value.get(name)
        # Most fields are unset or of the right type, and this is asked many times for each object.
        if value is None or type(value) is kind:
            return value
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.fault(name, wanted, _unquote(value, kind))
            return None
        return value

    def text(self, name: str) -> str | None:
        """A text, or None where the field is unset."""
        value: str | None = self._get(name, str, "a text")
        return value

    def flag(self, name: str) -> bool | None:
        """True or false, or None where the field is unset."""
        value: bool | None = self._get(name, bool, "true or false")
        return value

    def whole(self, name: str, *, minimum: int | None = None, bits: int = 64) -> int | None:
        """A whole number, or None where the field is unset; `1.0` is one, as in JSON."""
        value = self._value.get(name)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        else:
            value = self._get(name, int, "a whole number")
        if value is None:
            return None
        if not -(2 ** (bits - 1)) <= value < 2 ** (bits - 1):
            self.fault(name, f"a whole number of {bits} bits")
            return None
        if minimum is not None and value < minimum:
            message = f"Invalid value: {value}: must be greater than or equal to {minimum}"
            self.note(
                "refused", "field-minimum", (*self._path, name), message, f"write {minimum} or more, or leave it out"
            )
        return int(value)

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts; empty where the field is unset."""
        return tuple(
            item
            for index, item in enumerate(self._get(name, (list, tuple), "a list") or ())
            if self._item(name, index, item, str, "a text")
        )

    def _item(self, name: str, index: int | str, item: object, kind: type | tuple[type, ...], wanted: str) -> bool:
        if isinstance(item, kind):
            return True
        self._fault((*self._path, name, index), item, wanted)
        return False

    def text_map(self, name: str) -> dict[str, str]:
        """A map of texts, such as annotations; empty where the field is unset."""
        return {
            key: item
            for key, item in (self._get(name, _MAP, "a map") or {}).items()
            # The API server drops a key whose value is null.
            if item is not None and self._item(name, key, item, str, "a text")
        }

    def within(self, name: str) -> Fields | None:
        """The fields of a map within this one; None where it is unset."""
        value = self._get(name, _MAP, "a map")
        return None if value is None else Fields(value, (*self._path, name), self.note, self.written)

    def part(self, name: str, read: Callable[[Fields], _Read]) -> _Read | None:
        """A map within this one, read by `read`; None where it is unset."""
        inner = self.within(name)
        return None if inner is None else read(inner)

    def each(self, name: str) -> Iterator[Fields]:
        """The fields of each map of a list."""
        for index, item in enumerate(self._get(name, (list, tuple), "a list") or ()):
            if self._item(name, index, item, _MAP, "a map"):
                yield Fields(item, (*self._path, name, index), self.note, self.written)

    def named(self, name: str, read: Callable[[Fields], _Read]) -> dict[str, _Read] | None:
        """A map of maps by name, each read by `read`; None where the field is unset."""
        inner = self.within(name)
        if inner is None:
            return None
        return {key: read(item) for key in inner._value if (item := inner.within(key)) is not None}

    def is_whole(self, name: str) -> bool:
        """Whether the field holds a whole number."""
        return isinstance(self._value.get(name), int) and not isinstance(self._value.get(name), bool)

    def has(self, name: str) -> bool:
        """Whether the field is set to anything but null."""
        return self._value.get(name) is not None

    def require(self, *names: str) -> None:
        """Note each field that is missing though the API server requires it."""
        for name in names:
            if not self.has(name):
                self.note("refused", "field-required", (*self._path, name), "Required value", f"add {name}")

    def recommend(self, *names: str) -> None:
        """Note each field that is missing though the API reference asks for it."""
        for name in names:
            if not self.has(name):
                message = "is missing, and the API reference marks it as required"
                self.note("warning", "field-recommended", (*self._path, name), message, f"add {name}")

    def doubt(self, name: str, kind: str, message: str, advice: str) -> None:
        """Note that a field is probably not what was meant."""
        self.note("warning", kind, (*self._path, name), message, advice)

    def one_of(self, name: str, *allowed: str) -> str | None:
        """A text that the API server takes only if it is one of these; None where the field is unset."""
        value = self.text(name)
        if value is not None and value not in allowed:
            supported = ", ".join(f'"{each}"' for each in allowed)
            message = f'Unsupported value: "{value}": supported values: {supported}'
            self.note("refused", "field-enum", (*self._path, name), message, f"write {nearest(value, allowed)}")
        return value


def nearest(value: str, allowed: Sequence[str]) -> str:
    """What was probably meant by a value that is none of those allowed; the first of them where it is like none."""
    from difflib import get_close_matches

    return (get_close_matches(value, allowed, n=1, cutoff=0.5) or allowed)[0]


def _unquote(value: object, kind: object) -> str:
    """What to do about a text that stands where a number, or true or false, belongs."""
    if not isinstance(value, str):
        return ""
    reads_as = plain_type(value)
    return f"leave out the quotes: {value}" if reads_as is not None and reads_as is kind else ""


def plain_type(text: str) -> type | None:
    """What a quoted text would be without its quotes: a whole number, true or false, or neither."""
    if text in ("true", "false"):
        return bool
    return int if text.removeprefix("-").isdecimal() and text.isascii() else None
