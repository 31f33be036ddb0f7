"""Parameter counts: how OME reads, compares and writes them (docs/rules.md, sections 7, 9 and 17.2)."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache

from ome_select.resources import ModelSizeRange

_SUFFIXES = {"M": 1e6, "B": 1e9, "T": 1e12}

# Rule 7: the number is what Go's strconv.ParseFloat reads. Underscores stand between digits only, or right after `0x`;
# a hexadecimal number needs its exponent. `re.ASCII` keeps digits of other scripts out.
_DIGITS = r"[0-9](?:_?[0-9])*"
_DECIMAL = re.compile(rf"[+-]?(?:{_DIGITS}\.?(?:{_DIGITS})?|\.{_DIGITS})(?:[eE][+-]?{_DIGITS})?", re.ASCII)
_HEX_DIGITS = r"[0-9a-fA-F](?:_?[0-9a-fA-F])*"
_HEXADECIMAL = re.compile(
    rf"[+-]?0[xX]_?(?:{_HEX_DIGITS}\.?(?:{_HEX_DIGITS})?|\.{_HEX_DIGITS})[pP][+-]?{_DIGITS}", re.ASCII
)
_SPECIAL = re.compile(r"[+-]?inf(?:inity)?|nan", re.ASCII | re.IGNORECASE)

# Rule 17.2: the units in which OME writes a count, the largest first.
_UNITS = ((10**12, "T"), (10**9, "B"), (10**6, "M"), (10**3, "K"))


def _parse_float(text: str) -> float | None:
    """Read a number as Go's `strconv.ParseFloat(text, 64)` does; None where that reports an error."""
    if _SPECIAL.fullmatch(text):
        return float(text)
    digits = text.replace("_", "")
    if _DECIMAL.fullmatch(text):
        value = float(digits)
    elif _HEXADECIMAL.fullmatch(text):
        try:
            value = float.fromhex(digits)
        except OverflowError:
            return None
    else:
        return None
    # A decimal too large for 64 bits is an error in Go, where Python reads infinity.
    return None if math.isinf(value) else value


@lru_cache(maxsize=4096)
def parse_size(text: str) -> float:
    """Read a parameter count, such as `3.21B`, as OME reads it.

    Args:
        text: a number and at most one of the suffixes `M` (10^6), `B` (10^9) and `T` (10^12), in upper case.

    Returns:
        The count. What OME cannot read is 0, without an error: `4b`, `524K`, `8x7B` and the empty text are 0.
        The texts `inf` and `NaN` are numbers, as in Go.

    Source: docs/rules.md, section 7.
    """
    multiplier = _SUFFIXES.get(text[-1:])
    value = _parse_float(text if multiplier is None else text[:-1])
    if value is None:
        return 0.0
    return value if multiplier is None else value * multiplier


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


@dataclass(frozen=True, kw_only=True, slots=True)
class SizeBounds:
    """A size range with its bounds read once: the counts, or None where a bound is not set."""

    written: ModelSizeRange
    min: float | None
    max: float | None

    @classmethod
    def of(cls, size_range: ModelSizeRange | None) -> SizeBounds | None:
        """Read the bounds of a range; no range has no bounds."""
        if size_range is None:
            return None
        return cls(
            written=size_range,
            min=None if size_range.min is None else parse_size(size_range.min),
            max=None if size_range.max is None else parse_size(size_range.max),
        )

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
