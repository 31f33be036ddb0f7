"""What a YAML scalar means to kubectl: the rules of Go's YAML 1.1 library, then those of JSON.

They are neither YAML 1.1's nor 1.2's to the letter: `y` and `on` are true, `017` and `0o17` are 15, `1_000` is a
number; `22:22` and `2024-01-01` are texts.
"""

from __future__ import annotations

import math
import re

Scalar = str | bool | int | float | None

_WORDS: dict[str, Scalar] = {
    "": None,
    "~": None,
    ".nan": math.nan,
    ".NaN": math.nan,
    ".NAN": math.nan,
}
for _spellings, _value in (
    ("null", None),
    ("y yes true on", True),
    ("n no false off", False),
):
    for _word in _spellings.split():
        _WORDS |= {_word: _value, _word.capitalize(): _value, _word.upper(): _value}
for _word in (".inf", ".Inf", ".INF"):
    _WORDS |= {_word: math.inf, "+" + _word: math.inf, "-" + _word: -math.inf}

# What is seldom met is compiled when it is.
_INTEGER = r"([+-]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|([1-9][0-9]*|0))"
_BASES = (16, 2, 8, 10)
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
# A number that begins with a dot keeps its underscores, so they must stand between digits.
_DOT_FLOAT = r"\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?"

_SHORT_TAG = "tag:yaml.org,2002:"
_TAG_TYPES: dict[str, type | tuple[type, ...]] = {
    "bool": bool,
    "int": int,
    "float": (int, float),
    "null": type(None),
}
_DATE = r"(?s)\d{4}-\d{1,2}-\d{1,2}(?:[Tt ].*)?"

# From this exponent on, Go writes a float in its shortest form with an exponent.
_SHORTEST_EXPONENT = 6

MAX_INT64 = 2**63 - 1
MAX_UINT64 = 2**64 - 1


class ScalarError(ValueError):
    """A scalar that kubectl refuses; the text says what is wrong, and `advice` what to do."""

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


def plain(text: str) -> Scalar:
    """The value of an unquoted scalar; infinities and not-a-numbers are floats here."""
    if text in _WORDS:
        return _WORDS[text]
    first = text[0]
    if first == ".":
        return _float(text, text) if re.fullmatch(_DOT_FLOAT, text) else text
    if first not in "+-0123456789":
        return text
    digits = text.replace("_", "")
    # No whole number of 64 bits is that long, and Python refuses to read one of thousands of digits.
    if len(digits) < 80 and (match := re.fullmatch(_INTEGER, digits)):
        sign, *by_base = match.groups()
        value = next(int(found, base) for found, base in zip(by_base, _BASES, strict=True) if found is not None)
        if sign == "-":
            value = -value
        # A sign is for the signed numbers only: `+` before a number of 64 bits makes it a float, as in Go.
        if -MAX_INT64 - 1 <= value <= (MAX_INT64 if sign else MAX_UINT64):
            return value
    return _float(digits, text) if _FLOAT.fullmatch(digits) else text


def _float(digits: str, text: str) -> float | str:
    """The number; one that is too large for 64 bits stays a text, as Go refuses to read it."""
    number = float(digits)
    return number if math.isfinite(number) else text


def tagged(tag: str, text: str) -> Scalar:
    """The value of a scalar with a tag; tags that are not YAML's own are ignored.

    Raises:
        ScalarError: when the text is not what the tag says.
    """
    name = tag.removeprefix(_SHORT_TAG)
    if tag == "!" or name == tag or name == "str":
        return text
    if name == "binary":
        import base64
        import binascii

        try:
            return base64.b64decode(text.replace("\n", "").replace("\r", ""), validate=True).decode(errors="replace")
        except binascii.Error:
            raise ScalarError("is tagged !!binary and is no base64", "correct it, or leave out the tag") from None
    if name == "timestamp":
        if re.fullmatch(_DATE, text):
            return text
        raise ScalarError("is tagged !!timestamp and is no date", "leave out the tag")
    if name not in _TAG_TYPES:
        return text
    value = plain(text)
    wanted = _TAG_TYPES[name]
    if not isinstance(value, wanted) or (isinstance(value, bool) and name != "bool"):
        raise ScalarError(f"is tagged !!{name} and is none", "leave out the tag, or write a value that fits it")
    return float(value) if name == "float" and isinstance(value, int) else value


def json_value(value: Scalar) -> Scalar:
    """The value that is left after JSON, through which kubectl sends every object.

    A whole float is a whole number there, so `1.0` is 1; a whole number beyond 64 bits is rounded like a float.

    Raises:
        ScalarError: for a number that JSON cannot write.
    """
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ScalarError("is beyond what JSON can hold", "quote it, or write a smaller number")
        from decimal import Decimal

        # Go writes a float of 1e21 and more with an exponent; a smaller one as its shortest digits.
        return int(Decimal(repr(value))) if value.is_integer() and abs(value) < 1e21 else value
    if isinstance(value, int) and value > MAX_INT64:
        return json_value(float(value))
    return value


def key(value: Scalar) -> str:
    """A scalar as a key of a JSON object.

    Raises:
        ScalarError: for a key that kubectl refuses.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _float32_text(value)
    if value is None or value > MAX_INT64:
        raise ScalarError("is no key that JSON can hold", "quote it")
    return str(value)


def _float32_text(value: float) -> str:
    """A float as Go writes it with the precision of 32 bits and as few digits as possible."""
    import struct
    from decimal import Decimal

    if math.isnan(value):
        return ".nan"
    try:
        single: float = struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        single = math.copysign(math.inf, value)
    if math.isinf(single):
        return ".inf" if single > 0 else "-.inf"
    digits = next(text for size in range(9) if _same_single(text := f"{single:.{size}e}", single))
    mantissa, _, exponent = digits.partition("e")
    if -4 <= int(exponent) < _SHORTEST_EXPONENT:
        return format(Decimal(digits), "f")
    return f"{mantissa}e{int(exponent):+03d}"


def _same_single(text: str, single: float) -> bool:
    import struct

    try:
        return bool(struct.unpack("f", struct.pack("f", float(text)))[0] == single)
    except OverflowError:
        return False
