"""Versions of formats and frameworks: their grammar and operators (docs/rules.md, section 5)."""

from __future__ import annotations

from functools import lru_cache

_LARGEST_NUMBER = 2**64 - 1

OPERATORS = ("Equal", "GreaterThan", "GreaterThanOrEqual")
"""The operators that an entry can have; any other text counts as `Equal` (section 19)."""


class Version:
    """A version that parsed: its numbers as written, whether it has the `v`, and its suffixes."""

    __slots__ = ("build", "canonical", "dev", "has_suffix", "numbers", "prefixed", "prerelease")

    def __init__(
        self,
        numbers: tuple[int, ...],
        *,
        prefixed: bool,
        prerelease: tuple[str, ...],
        build: tuple[str, ...],
        dev: tuple[str, ...],
    ) -> None:
        self.numbers = numbers
        self.prefixed = prefixed
        self.prerelease = prerelease
        self.build = build
        self.dev = dev
        # Both are compared for every entry of every runtime, so they are made once.
        self.has_suffix = bool(prerelease or build or dev)
        padded = numbers + (0,) * (3 - len(numbers))
        self.canonical: tuple[tuple[int | str, ...], ...] = (padded, prerelease, build, dev)
        """What `Equal` compares: all three numbers, a missing one 0, and the suffixes, without the `v` (rule 5)."""


def _is_number(text: str) -> bool:
    """Whether a text is a number of a version: ASCII digits, and no leading zero unless it is 0 (rule 5)."""
    return text.isascii() and text.isdecimal() and (text[0] != "0" or text == "0")


def _cut(text: str, mark: str) -> tuple[str, tuple[str, ...] | None]:
    """Cut the text at the first mark: what stands before it, and the dot-separated texts after it.

    None stands for texts of which one is empty, which the grammar refuses.
    """
    before, found, after = text.partition(mark)
    if not found:
        return before, ()
    texts = tuple(after.split("."))
    return before, texts if all(texts) else None


@lru_cache(maxsize=4096)
def parse_version(text: str) -> Version | None:
    """Read a version such as `4.45.0.dev0`; None for what does not parse, which never matches anything.

    Source: docs/rules.md, section 5.
    """
    rest = text.removeprefix("v")
    # Rule 5: split at the first two dots only, so that `1.2.3.4` has the third part `3.4`.
    parts = rest.split(".", 2)
    prerelease: tuple[str, ...] | None = ()
    build: tuple[str, ...] | None = ()
    dev: tuple[str, ...] | None = ()
    if len(parts) == 3:
        parts[2], build = _cut(parts[2], "+")
        parts[2], prerelease = _cut(parts[2], "-")
        parts[2], dev = _cut(parts[2], ".")
    if prerelease is None or build is None or dev is None:
        return None
    if not all(_is_number(part) for part in parts):
        return None
    # A number of more than 20 digits is out of range, and Python refuses to convert one of thousands.
    if any(len(part) > 20 for part in parts):
        return None
    numbers = tuple(int(part) for part in parts)
    if max(numbers) > _LARGEST_NUMBER:
        return None
    return Version(numbers, prefixed=text.startswith("v"), prerelease=prerelease, build=build, dev=dev)


def accepts(entry: Version, operator: str, model: Version) -> bool:
    """Whether an entry's version accepts a model's under the entry's operator (docs/rules.md, section 5).

    Mind the direction: the entry's version is an upper limit for the model's.
    """
    # A suffix on either side makes every operator mean Equal.
    if operator == "Equal" or entry.has_suffix or model.has_suffix:
        return entry.canonical == model.canonical
    # Every other operator, an unknown one included, needs the same count of numbers, and the `v` on both or on neither.
    if len(entry.numbers) != len(model.numbers) or entry.prefixed != model.prefixed:
        return False
    if operator == "GreaterThan":
        return entry.numbers > model.numbers
    if operator == "GreaterThanOrEqual":
        return entry.numbers >= model.numbers
    return entry.canonical == model.canonical


def version_accepts(*, entry: str, operator: str | None = None, model: str) -> bool:
    """Whether an entry's version accepts a model's version.

    Args:
        entry: the version of the runtime's entry, such as `4.50.0`.
        operator: `Equal`, `GreaterThan` or `GreaterThanOrEqual`; None and any other text count as `Equal`.
        model: the version of the model.

    Returns:
        True when both parse and the operator accepts them. The entry's version is the upper limit, so `4.50.0` with
        `GreaterThanOrEqual` accepts `4.36.2`.

    Source: docs/rules.md, section 5.
    """
    entry_version, model_version = parse_version(entry), parse_version(model)
    if entry_version is None or model_version is None:
        return False
    return accepts(entry_version, "Equal" if operator is None else operator, model_version)
