"""How pages word values: yes and no, "not set", numbers, sizes, kinds and names."""

from __future__ import annotations

import math
import re

from ome_select.conformance.page import Text
from ome_select.sizes import parse_size

_YES = re.compile(
    r"^(yes|passes|pass|passed|true|candidate|stays a candidate|accepted|accepts|matches|match|matched|supported|"
    r"allowed|kept|keeps|eligible|ok|fits|✓|✔|✅|y)\b|^[✓✔✅]",
    re.IGNORECASE,
)
_NO = re.compile(
    r"^(no|fails?|failed|false|rejected|rejects|reject|excluded|refused|skipped|mismatch|not |does not|doesn't|isn't|"
    r"ruled out|ineligible|✗|✘|❌|n)\b|^[✗✘❌]",
    re.IGNORECASE,
)
_UNSET = re.compile(
    r"^(not set|unset|none|no|absent|missing|omitted|left out|empty|nothing|"
    r"no (limit|range|size|bound|value|class|mode|suffix)|any|–|—|-|n/?a)?$",
    re.IGNORECASE,
)
_SIZE = re.compile(r"^[+-]?\d[\d_]*(\.\d+)?[A-Za-z]?$")
NAME = r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?"
"""What a name of a Kubernetes object looks like."""
_NAME = re.compile(rf"^{NAME}$")
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBER_WORDS = {word: value for value, word in enumerate(_WORDS)}
NUMBER = r"-?\d{1,15}(?:,\d{3}){0,9}(?:\.\d{1,15})?(?!\d)|" + "|".join(_NUMBER_WORDS)
"""A number in digits, or a small one in words."""
WHOLE = r"-?[0-9]{1,9}(?![0-9])"
"""A whole number as short as pages have them."""
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
SCALE = "|".join(_SCALES)


def says(pattern: str, text: str) -> bool:
    """Whether a text holds what a pattern says, in whatever case."""
    return re.search(pattern, text, re.IGNORECASE) is not None


def yes_or_no(text: Text) -> bool | None:
    """Whether a cell means yes or no; None where it means neither."""
    plain = text.plain
    if _NO.match(plain):
        return False
    return True if _YES.match(plain) else None


def is_outcome(text: Text) -> bool:
    """Whether a cell means yes or no."""
    return yes_or_no(text) is not None


def is_unset(text: Text) -> bool:
    """Whether a cell says that nothing is set."""
    return bool(_UNSET.match(text.plain))


def value_of(text: Text) -> str:
    """The value that a cell shows: its only code span, or its plain text."""
    return text.codes[0].text if len(text.codes) == 1 else text.plain


def looks_like_size(text: str) -> bool:
    """Whether a text is written like a parameter count, readable or not: `3.21B`, `4b`, `524K`."""
    return bool(_SIZE.match(text))


def is_size(text: str) -> bool:
    """Whether a text is a parameter count with a suffix that OME reads."""
    return looks_like_size(text) and text[-1].isalpha() and parse_size(text) > 0


def is_name(text: str) -> bool:
    """Whether a text can be the name of an object; a size or a version cannot."""
    return bool(_NAME.match(text)) and not looks_like_size(text) and not re.fullmatch(r"v?\d[\d.]*", text)


def number(text: str) -> float:
    """A number in digits or in words."""
    plain = text.strip().lower()
    return float(_NUMBER_WORDS[plain]) if plain in _NUMBER_WORDS else float(plain.replace(",", ""))


def scaled(digits: str, scale: str | None) -> float:
    """A number with a scale in words, such as `3.21 billion`."""
    return number(digits) * _SCALES[scale.lower()] if scale else number(digits)


def kind_of_runtime(text: str) -> str | None:
    """The kind of runtime that a text names, or None."""
    if re.search(r"\b(ClusterServingRuntimes?|CSR|cluster(-scoped)?)\b", text, re.IGNORECASE):
        return "ClusterServingRuntime"
    return (
        "ServingRuntime" if re.search(r"\b(ServingRuntimes?|SR|namespaced?(-scoped)?)\b", text, re.IGNORECASE) else None
    )


def whole(text: str) -> int | None:
    """The whole number that a text is, or None."""
    return int(text) if re.fullmatch(WHOLE, text) else None


def compact(value: float) -> str:
    """A number as people write it: without a fraction that is 0."""
    return str(int(value)) if math.isfinite(value) and value == int(value) else str(value)
