"""Kubernetes quantities, such as `80Gi` or `4500m`, read exactly (docs/rules.md, sections 16.2 and 16.3)."""

from __future__ import annotations

import math
import re
from fractions import Fraction

_BINARY = {f"{letter}i": Fraction(2) ** (10 * power) for power, letter in enumerate("KMGTPE", start=1)}
_DECIMAL = {
    "n": Fraction(1, 10**9),
    "u": Fraction(1, 10**6),
    "m": Fraction(1, 10**3),
    "": Fraction(1),
    "k": Fraction(10**3),
    "M": Fraction(10**6),
    "G": Fraction(10**9),
    "T": Fraction(10**12),
    "P": Fraction(10**15),
    "E": Fraction(10**18),
}
_UNITS = _BINARY | _DECIMAL

# The API server's own pattern, with the exponent a whole number, as its parser wants it. `1E` is a unit, `1E3` is not.
_QUANTITY = re.compile(
    r"(?P<number>[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))(?:[eE](?P<exponent>[+-]?[0-9]{1,3})|(?P<unit>[KMGTPE]i|[numkMGTPE]?))",
    re.ASCII,
)
_NANO = 10**9
_GIBIBYTE = 2**30
_LARGEST = 2**63 - 1


def parse_quantity(text: str) -> Fraction | None:
    """Read a quantity as the API server does.

    Args:
        text: a number, then a decimal unit (`n` to `E`), a binary unit (`Ki` to `Ei`), an exponent, or nothing.

    Returns:
        The exact amount, rounded away from zero to nine decimals; None for a text that is not a quantity.
    """
    found = _QUANTITY.fullmatch(text)
    if found is None:
        return None
    factor = _UNITS[found["unit"]] if found["exponent"] is None else Fraction(10) ** int(found["exponent"])
    amount = Fraction(found["number"].rstrip(".")) * factor
    nanos = math.ceil(abs(amount) * _NANO)
    rounded = Fraction(nanos, _NANO)
    return -rounded if amount < 0 else rounded


def whole(amount: Fraction) -> int:
    """The amount rounded up to a whole number of 64 bits, as Kubernetes' `Value()` gives it."""
    return max(-_LARGEST - 1, min(math.ceil(amount), _LARGEST))


def gibibytes(amount: Fraction) -> float:
    """An amount of bytes in GiB, as the scores take it (rule 16.3)."""
    return whole(amount) / _GIBIBYTE


def whole_gibibytes(amount: Fraction) -> int:
    """An amount of bytes in whole GiB, cut down, as the memory checks take it: `80G` is 74 (rule 16.2)."""
    return whole(amount) // _GIBIBYTE
