"""How well a text can be laid over a message, word by word: what is in its place, and what has to be edited.

A word that is changed, left out or put in is one edit. What stands in a slot says nothing for or against, unless it is
of a form that hardly anything else has: a size where a size belongs, a count where a count belongs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from ome_select.conformance.messages.expansions import SLOT, bare, same_word
from ome_select.conformance.messages.grammar import INNER

_SIZE = r"[\d.]+[a-z]?"
_FORMS: Mapping[str, str] = {
    **dict.fromkeys(("size", "min", "max"), rf"{_SIZE}|-?inf"),
    **dict.fromkeys(("n", "a", "b"), r"\d+"),
    "label": r"mt:.+",
}
_MESSAGES = frozenset({*INNER, "excluded", "entries"})
# A step of the way through both texts is one whole number, which is quick to compare: words in place less edits, then
# words in place, which fit into the lower digits. The more, the better.
_BETTER = 1 << 20
_SAME = _BETTER + 1
_EDIT = -_BETTER


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class Fit:
    """How well a text fits a message: the part of the words that are in place, from 0 to 1, and how many these are."""

    likeness: float
    in_place: int
    edits: int


@cache
def _slot(known: str) -> str | None:
    """The name of the slot that a word of a message is, or None."""
    return known[known.index("<") + 1 : known.index(">")] if SLOT.fullmatch(known) else None


@cache
def _laid(known: str, word: str) -> int:
    """What it adds to lay a word over another: a word in place, an edit, or nothing for most of what is in a slot."""
    slot = _slot(known)
    if slot is None:
        return _SAME if same_word(known, word) or bare(known) == bare(word) else _EDIT
    if slot in _MESSAGES and "<" not in word:
        # Another message belongs here, and no single word is one.
        return _EDIT
    if slot in _FORMS:
        if "<" in word:
            return 0
        return _SAME if re.fullmatch(_FORMS[slot], bare(word)) else _EDIT
    # A slot before a colon or a comma ends there.
    return 0 if not known.endswith((":", ",")) or word.endswith(known[-1]) else _EDIT


def fit(known: Sequence[str], words: Sequence[str], *, whole: bool) -> Fit:
    """The best way to lay a text over a message; `whole` is over all of it, and otherwise over any stretch of it."""
    row = [left_out * _EDIT if whole else 0 for left_out in range(len(known) + 1)]
    for word in words:
        above = row
        last = above[0] + _EDIT
        row = [last]
        for index, one in enumerate(known):
            last = max(above[index] + _laid(one, word), above[index + 1] + _EDIT, last + _EDIT)
            row.append(last)
    best = row[-1] if whole else max(row)
    in_place = best % _BETTER
    edits = in_place - best // _BETTER
    # What a text is about comes first: a first word that the message lacks makes it another message more often than a
    # wrong one.
    edits += not (any(_laid(one, words[0]) == _SAME for one in known) or _slot(known[0]))
    return Fit(likeness=in_place / (in_place + edits) if in_place else 0.0, in_place=in_place, edits=edits)
