"""Parameter counts: how OME reads, compares and writes them (docs/rules.md, sections 7, 9 and 17.2)."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ome_select.resources import ModelSizeRange

_SUFFIXES = {"M": 1e6, "B": 1e9, "T": 1e12}

# Rule 7: the number is what Go's strconv.ParseFloat reads. Underscores stand between digits only, or right after `0x`;
# a hexadecimal number needs its exponent. These are compiled when they are first needed, which is seldom.
_DIGITS = r"[0-9](?:_?[0-9])*"
_HEX_DIGITS = r"[0-9a-fA-F](?:_?[0-9a-fA-F])*"
_HEXADECIMAL = rf"[+-]?0[xX]_?(?:{_HEX_DIGITS}\.?(?:{_HEX_DIGITS})?|\.{_HEX_DIGITS})[pP][+-]?{_DIGITS}"
_INFINITE = r"(?i)[+-]?inf(?:inity)?"

# Rule 17.2: the units in which OME writes a count, the largest first.
_UNITS = ((10**12, "T"), (10**9, "B"), (10**6, "M"), (10**3, "K"))


def _parse_float(text: str) -> float | None:
    """Read a number as Go's `strconv.ParseFloat(text, 64)` does; None where that reports an error."""
    # `float` reads Go's decimal numbers, and also digits of other scripts, spaces around a number and a signed NaN.
    if not text.isascii() or text != text.strip():
        return None
    try:
        value = float(text)
    except ValueError:
        return _parse_hexadecimal(text)
    if math.isinf(value):
        # A decimal too large for 64 bits is an error in Go, where Python reads infinity.
        return value if re.fullmatch(_INFINITE, text) else None
    return None if math.isnan(value) and len(text) > len("nan") else value


def _parse_hexadecimal(text: str) -> float | None:
    if not re.fullmatch(_HEXADECIMAL, text):
        return None
    try:
        return float.fromhex(text.replace("_", ""))
    except OverflowError:
        return None


def _split(text: str) -> tuple[str, float]:
    """A size's number, and what its suffix multiplies it by."""
    multiplier = _SUFFIXES.get(text[-1:])
    return (text, 1) if multiplier is None else (text[:-1], multiplier)


def is_size(text: str) -> bool:
    """Whether OME can read a parameter count; what it cannot read is 0 to it (rule 7)."""
    return _parse_float(_split(text)[0]) is not None


@lru_cache(maxsize=4096)
def parse_size(text: str) -> float:
    """Read a parameter count, such as `3.21B`, as OME reads it.

    Args:
        text: a number and at most one of the suffixes `M` (10^6), `B` (10^9) and `T` (10^12), in upper case.

    Returns:
        The count. What OME cannot read is 0, without an error, such as `4b`, `524K`, `8x7B` and the empty text.
        The texts `inf` and `NaN` are numbers, as in Go.

    Source: docs/rules.md, section 7.
    """
    number, multiplier = _split(text)
    value = _parse_float(number)
    return 0.0 if value is None else value * multiplier


def format_size(parameters: int) -> str:
    """Write a parameter count as OME writes the ones that it fills in itself, such as `3.21B` or `685B`.

    Args:
        parameters: the count, a whole number of at least 0.

    Raises:
        ValueError: when the count is negative.

    Source: docs/rules.md, section 17.2, its quirks included: two decimals may round to one.
    """
    if parameters < 0:
        raise ValueError(f"a parameter count is at least 0, not {parameters}")
    for unit, suffix in _UNITS:
        if parameters >= unit:
            value = float(parameters) / unit
            if value == int(value):
                return f"{int(value)}{suffix}"
            decimals = 1 if value * 100 == int(value * 100) else 2
            return f"{value:.{decimals}f}{suffix}"
    return str(parameters)


class SizeBounds:
    """A size range with its bounds read once: the counts, or None where a bound is not set."""

    __slots__ = ("max", "min", "written")

    def __init__(self, written: ModelSizeRange) -> None:
        self.written = written
        self.min = None if written.min is None else parse_size(written.min)
        self.max = None if written.max is None else parse_size(written.max)

    @classmethod
    def of(cls, size_range: ModelSizeRange | None) -> SizeBounds | None:
        """Read the bounds of a range; no range has no bounds."""
        return None if size_range is None else cls(size_range)

    def contains(self, size: float) -> bool:
        """Whether the size is neither below `min` nor above `max`; a NaN is neither (rule 7)."""
        return not ((self.min is not None and size < self.min) or (self.max is not None and size > self.max))

    def distance(self, size: float) -> float:
        """How far the bounds that are set are from the size, added up (rule 9)."""
        return sum(abs(bound - size) for bound in (self.min, self.max) if bound is not None)

    def __str__(self) -> str:
        """The bounds as written, as the rejection reason shows them: `[2B, 4B]`, `[70B, inf)` (rule 7)."""
        lower = "(-inf" if self.written.min is None else f"[{self.written.min}"
        upper = "inf)" if self.written.max is None else f"{self.written.max}]"
        return f"{lower}, {upper}"
