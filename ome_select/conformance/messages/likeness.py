"""Texts that are a part of a message, or nearly one: whole words in their order, with places to fill in."""

from __future__ import annotations

import re
from functools import cache

from ome_select.conformance.messages.grammar import INNER, templates

_STOPS = ".,:;"
_SLOT = re.compile(r"[^\w<]*<[^<>]*>[^\w<]*")


@cache
def _expansions() -> tuple[tuple[str, ...], ...]:
    """Every message as words, with the messages in its slots written out; slots stand in angle brackets."""
    shown: list[str] = []
    for template in templates():
        texts = [template.shown]
        for _ in range(2):
            texts = [longer for text in texts for longer in _expand(text)]
        shown += texts
    return tuple(tuple(text.split()) for text in dict.fromkeys(shown))


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


@cache
def _wild(text: str) -> re.Pattern[str]:
    """What a word stands for when parts of it are in angle brackets."""
    return re.compile(".*".join(re.escape(piece) for piece in re.split(r"<[^<>]*>", text)))


def _word_matches(known: str, word: str) -> bool:
    if known.rstrip(_STOPS) == word.rstrip(_STOPS):
        return True
    if "<" in known and _wild(known).fullmatch(word):
        return True
    return "<" in word and _wild(word).fullmatch(known) is not None


def _aligned(known: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Whether a message begins with these words; a place to fill in may stand for several words of it."""
    if not words:
        return True
    if not known:
        return False
    if _word_matches(known[0], words[0]) and _aligned(known[1:], words[1:]):
        return True
    # `<range>` stands for `[<min>, <max>]`, and for no word that a message always has.
    longest = next((index for index, word in enumerate(known) if "<" not in word), len(known))
    return bool(re.match(r"^[\"'(\[]*<", words[0])) and any(
        _aligned(known[length:], words[1:]) for length in range(2, min(5, longest) + 1)
    )


# `<m or <nil>>`, `<model's format name>`: a place to fill in is one word.
_NESTED = re.compile(r"<[^<>]*(?:<[^<>]*>[^<>]*)?>")


# Within quotes, dots stand for a value; elsewhere for what is left out. `%w` and the like are places to fill in, too.
_VALUE = re.compile(r"(?<=['\"])(?:\.\.\.|…)(?=['\"])|%[a-z]\b")
_LEFT_OUT = re.compile(r"\.\.\.|…")


# Go prints a list with spaces between its items; it is one value.
_LISTED = re.compile(r"\[[^\[\],]* [^\[\],]*\]")


def _words(text: str) -> tuple[str, ...]:
    marked = _VALUE.sub("<x>", _NESTED.sub("<x>", _LISTED.sub("[<x>]", text)))
    return tuple(_LEFT_OUT.sub(" ", marked).split())


@cache
def is_fragment(text: str) -> bool:
    """Whether a text is a run of whole words of some message; `...` stands for what is left out."""
    words = _words(text.lstrip(". "))
    if not any(re.search(r"[A-Za-z]{2}", word.replace("<x>", "")) for word in words):
        return False
    return any(
        any("<" not in known for known in message[start : start + len(words)])
        # A text that begins in the middle of a message begins with a word of it, not with a value.
        and ("<" in words[0] or not _SLOT.fullmatch(message[start]))
        and _aligned(message[start:], words)
        for message in _expansions()
        for start in range(len(message))
    )


@cache
def nearest(text: str) -> tuple[float, str]:
    """The message that is most like a text, and how much of the text is in it in its place, from 0 to 1."""
    words = _words(text.lstrip(". "))
    best = (0.0, "")
    for message in _expansions():
        if len(set(words) & set(message)) * 3 < len(set(words)):
            continue
        for start in range(len(message)):
            likeness = _in_place(message[start : start + len(words) + 2], words)
            if likeness > best[0]:
                best = (likeness, " ".join(message))
    return best


def _in_place(known: tuple[str, ...], words: tuple[str, ...]) -> float:
    """The part of the words that stand where they belong, allowing for one that is left out or put in between.

    A word in a slot says nothing for or against.
    """
    same = [_word_matches(one, other) for one, other in zip(known, words, strict=False)]
    if not any(same[:3]) or (_SLOT.fullmatch(known[0]) and "<" not in words[0]):
        return 0.0
    neutral = sum(_SLOT.fullmatch(one) is not None for one in known[: len(words)])
    head = next((index for index, holds in enumerate(same) if not holds), len(same))
    tails = [0]
    for shift in (-1, 1) if head else ():
        rest = [(known[i + shift], words[i]) for i in range(head, len(words)) if 0 <= i + shift < len(known)]
        tails.append(next((n for n, pair in enumerate(reversed(rest)) if not _word_matches(*pair)), len(rest)))
    matched = max(sum(same), head + max(tails))
    likeness = max(matched - neutral, 0) / max(len(words) - neutral, 1)
    # What a message is about comes first: another first word makes it another message more often than a wrong one.
    return likeness if same[0] else likeness - _OTHER_START


_OTHER_START = 0.04
_LIKE = 0.78
"""From here on, a text is taken for a message that is not quite right."""
_FEWEST_WORDS = 4


_WEBHOOK, _DENIED = 'admission webhook "', "denied the request: "


def meant(text: str, *, fewest: int = _FEWEST_WORDS) -> str | None:
    """The message that a text is a wrong version of, or None where it is like none.

    A text of fewer words than `fewest` is too short to tell.
    """
    head, denied, rest = text.partition(_DENIED)
    if not denied and text.startswith(_WEBHOOK):
        return next(iter(template.shown for template in templates() if template.family == "denial"))
    if denied and rest:
        # Either the webhook's name or what it says is not right.
        right = next(iter(template.shown for template in templates() if template.family == "denial"))
        return right if not is_fragment(f"{head}{denied}".strip()) else meant(rest, fewest=fewest)
    count = len(_words(text))
    if count < fewest:
        return None
    ratio, message = nearest(text)
    # One wrong word is a slip, however short the text is.
    return message if ratio >= min(_LIKE, (count - 1) / count) else None
