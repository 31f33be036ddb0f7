"""Texts that are a part of a message, or nearly one: whole words in their order, with places to fill in."""

from __future__ import annotations

import re
from functools import cache

from ome_select.conformance.messages.alignment import Fit, fit
from ome_select.conformance.messages.expansions import SLOT, expansions, same_word, vocabulary, words_of
from ome_select.conformance.messages.grammar import templates


def _aligned(known: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Whether a message begins with these words; a place to fill in may stand for several words of it."""
    if not words:
        return True
    if not known:
        return False
    if same_word(known[0], words[0]) and _aligned(known[1:], words[1:]):
        return True
    # `<range>` stands for `[<min>, <max>]`, and for no word that a message always has.
    longest = next((index for index, word in enumerate(known) if "<" not in word), len(known))
    return bool(re.match(r"^[\"'(\[]*<", words[0])) and any(
        _aligned(known[length:], words[1:]) for length in range(2, min(5, longest) + 1)
    )


@cache
def is_fragment(text: str) -> bool:
    """Whether a text is a run of whole words of some message; `...` stands for what is left out."""
    words = words_of(text)
    if not any(re.search(r"[A-Za-z]{2}", word.replace("<x>", "")) for word in words):
        return False
    return any(
        any("<" not in known for known in message.words[start : start + len(words)])
        # A text that begins in the middle of a message begins with a word of it, not with a value.
        and ("<" in words[0] or not SLOT.fullmatch(message.words[start]))
        and _aligned(message.words[start:], words)
        for message in expansions()
        for start in range(len(message.words))
    )


_LIKE = 0.7
"""From here on, a text is taken for a message that is not quite right, when all of the message is considered."""
_LIKE_A_PART = 0.75
"""The same, when a text is only a part of a message: fewer words say less."""
_SHARED = 0.45
"""A text with a smaller part of its words in a message is too unlike it to be worth laying over it."""
_FEWEST_WORDS = 4
_FEWEST_IN_PLACE = 3


@cache
def nearest(text: str) -> tuple[str, Fit, bool] | None:
    """The message that a text is most like, how well it fits, and whether it is like all of it; None without any."""
    words = words_of(text)
    told = vocabulary(words)
    found: list[tuple[bool, Fit, int, str]] = []
    for message in expansions():
        if not words or len(told & message.vocabulary) < len(told) * _SHARED:
            continue
        # What a message always has and the text has not are as many edits at least.
        lacking = len(message.vocabulary - told)
        for whole in (True, False) if len(words) >= (len(words) + lacking) * _LIKE else (False,):
            fitted = fit(message.words, words, whole=whole)
            likely = fitted.likeness >= (_LIKE if whole else _LIKE_A_PART)
            found.append((likely and whole, fitted, -len(message.words), message.shown))
    if not found:
        return None
    whole, fitted, _, shown = max(found)
    return shown, fitted, whole


_WEBHOOK, _DENIED = 'admission webhook "', "denied the request: "


def meant(text: str, *, fewest: int = _FEWEST_WORDS) -> str | None:
    """The message that a text is a wrong version of, or None where it is like none.

    A text of fewer words than `fewest` is too short to tell.
    """
    head, denied, rest = text.partition(_DENIED)
    if denied and rest and is_fragment(f"{head}{denied}".strip()):
        # The webhook's name is right, so it is what it says that is not.
        return meant(rest, fewest=fewest)
    if (denied and rest) or (not denied and text.startswith(_WEBHOOK)):
        return next(template.shown for template in templates() if template.family == "denial")
    count = len(words_of(text))
    found = nearest(text) if count >= fewest else None
    if found is None:
        return None
    message, fitted, whole = found
    # One wrong word is a slip, however short the text is.
    enough = fitted.in_place >= min(_FEWEST_IN_PLACE, count - 1)
    return message if enough and fitted.likeness >= min(_LIKE if whole else _LIKE_A_PART, (count - 1) / count) else None
