"""Every message written out, as words: what texts that are parts of messages, or nearly messages, are held against."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property

from ome_select.conformance.messages.grammar import INNER, templates

STOPS = ".,:;"
"""Marks at the end of a word that do not make it another word."""
SLOT = re.compile(r"[^\w<]*<[^<>]*>[^\w<]*")
"""A word that is a slot, with the marks around it."""

# `<m or <nil>>`, `<model's format name>`: a place to fill in is one word.
_NESTED = re.compile(r"<[^<>]*(?:<[^<>]*>[^<>]*)?>")
# Within quotes, dots stand for a value; elsewhere for what is left out. `%w` and the like are places to fill in, too.
_VALUE = re.compile(r"(?<=['\"])(?:\.\.\.|…)(?=['\"])|%[a-z]\b")
_LEFT_OUT = re.compile(r"\.\.\.|…")
# Go prints a list with spaces between its items; it is one value.
_LISTED = re.compile(r"\[[^\[\],]* [^\[\],]*\]")


@dataclass(frozen=True, kw_only=True)
class Expansion:
    """One message with the messages in its slots written out; slots stand in angle brackets."""

    shown: str

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The message as words."""
        return tuple(self.shown.split())

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The words that it always has, bare: what a text that is like it has most of."""
        return vocabulary(self.words)


@cache
def expansions() -> tuple[Expansion, ...]:
    """Every message, with the messages in its slots written out in each way."""
    shown: list[str] = []
    for template in templates():
        texts = [template.shown]
        for _ in range(2):
            texts = [longer for text in texts for longer in _expand(text)]
        shown += texts
    return tuple(Expansion(shown=text) for text in dict.fromkeys(shown))


def _expand(text: str) -> list[str]:
    found = re.search(r"<(reason|mismatch|error|fault|excluded|entries)>", text)
    if found is None:
        return [text]
    slot = found[1]
    if slot == "excluded":
        one = "<runtime> (<reason>)"
        return [text, *(text.replace("<excluded>", some, 1) for some in (one, f"{one}; {one}"))]
    families = ("difference",) if slot == "entries" else INNER[slot]
    inner = [template.shown for template in templates() if template.family in families]
    return [text, *(text.replace(found[0], one, 1) for one in inner)]


def words_of(text: str) -> tuple[str, ...]:
    """A text of a page as words; every place to fill in is `<x>`, and what dots leave out is gone."""
    marked = _VALUE.sub("<x>", _NESTED.sub("<x>", _LISTED.sub("[<x>]", text.lstrip(". "))))
    return tuple(_LEFT_OUT.sub(" ", marked).split())


def bare(word: str) -> str:
    """A word without the marks around it, in lower case."""
    return word.strip(STOPS + "\"'[]()").lower()


def vocabulary(words: tuple[str, ...]) -> frozenset[str]:
    """The words that are no slots, bare."""
    return frozenset(bare(word) for word in words if "<" not in word) - {""}


@cache
def _wild(text: str) -> re.Pattern[str]:
    """What a word stands for when parts of it are in angle brackets."""
    return re.compile(".*".join(re.escape(piece) for piece in re.split(r"<[^<>]*>", text)))


def same_word(known: str, word: str) -> bool:
    """Whether a word of a text stands for a word of a message; a place to fill in stands for any."""
    if known.rstrip(STOPS) == word.rstrip(STOPS):
        return True
    if "<" in known and _wild(known).fullmatch(word):
        return True
    return "<" in word and _wild(word).fullmatch(known) is not None
