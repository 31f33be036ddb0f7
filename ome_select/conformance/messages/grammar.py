"""The grammar of messages: parse a text into the rule that says it and its values, or say what OME would have said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from ome_select.conformance.messages.provoked import provoked
from ome_select.conformance.messages.stand_ins import STAND_INS
from ome_select.conformance.messages.values import CHECKS

# What a slot that holds another message may hold.
_INNER: Mapping[str, tuple[str, ...]] = {
    "reason": ("reason",),
    "mismatch": ("mismatch",),
    "fault": ("fault", "error", "mismatch"),
    "error": ("error",),
    "denied": ("message", "fault"),
}
_PLACEHOLDER = re.compile(r"^(<[^<>]*>|\.\.\.|…|\[?\.\.\.\]?)$")
_WORD = r"<[^<>\n]*>|[^\s\"'(),;\[\]<>]+"
_PATTERNS: Mapping[str, str] = {
    **dict.fromkeys(("n", "a", "b"), r"\d+|<[^<>]*>|[a-zN]"),
    **dict.fromkeys(("reason", "mismatch", "fault", "error", "denied", "entries", "excluded"), r".+"),
    "label": r"[^']+",
    "names": r"[^\]]+",
    # What a model or an entry leaves empty prints as nothing.
    **dict.fromkeys(("m", "r"), r"<[^<>\n]*>|[^\s\"'(),;\[\]<>]*"),
}


@dataclass(frozen=True, kw_only=True)
class Template:
    """One message with slots: `parts` are texts and, at odd places, the names of slots."""

    family: str
    key: str
    parts: tuple[str, ...]

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """What matches a whole text; a slot that comes twice has the same value both times."""
        seen: set[str] = set()
        pattern = ""
        for index, part in enumerate(self.parts):
            group = part.replace("-", "_")
            if index % 2 == 0:
                pattern += re.escape(part)
            elif group in seen:
                pattern += f"(?P={group})"
            else:
                seen.add(group)
                pattern += f"(?P<{group}>{_PATTERNS.get(part, _WORD)})"
        return re.compile(pattern)

    @property
    def shown(self) -> str:
        """The message as documentation writes it, with its slots in angle brackets."""
        return "".join(f"<{part}>" if index % 2 else part for index, part in enumerate(self.parts))


@dataclass(frozen=True, kw_only=True)
class Parsed:
    """A text that the rules can produce: its template, the values of the slots, and the messages inside it."""

    template: Template
    values: Mapping[str, str]
    inner: tuple[Parsed, ...] = ()

    def all(self) -> Iterator[Parsed]:
        """The message and all the messages inside it."""
        yield self
        for child in self.inner:
            yield from child.all()

    @property
    def fault(self) -> str | None:
        """Why the rules cannot produce these values together, or None."""
        for parsed in self.all():
            check = CHECKS.get(parsed.template.key)
            keys = [child.template.key for child in parsed.inner]
            given = {name: value for name, value in parsed.values.items() if not _PLACEHOLDER.match(value)}
            if check is not None and (fault := check(given, keys, [child.values for child in parsed.all()])):
                return fault
        return None


_STOPS = ".,:;"
_SLOT = re.compile(r"[^\w<]*<[^<>]*>[^\w<]*")


@cache
def templates() -> tuple[Template, ...]:
    """Every message that the rules can produce, once."""
    found: dict[Template, None] = {}
    for text in provoked():
        slots = {**STAND_INS, **text.stand_ins}
        # Longer stand-ins come first, because one may be part of another.
        stand_ins = sorted((stand_in for stand_in in slots if stand_in), key=len, reverse=True)
        pieces = re.split("(" + "|".join(map(re.escape, stand_ins)) + ")", text.text)
        parts = tuple(slots[piece] if index % 2 else piece for index, piece in enumerate(pieces))
        found[Template(family=text.family, key=text.key, parts=parts)] = None
    return tuple(found)


def parse(text: str, families: tuple[str, ...] | None = None) -> Parsed | None:
    """The rule that produces a text, word for word; None when none does."""
    for template in templates():
        if families is not None and template.family not in families:
            continue
        match = template.regex.fullmatch(text)
        if match is None:
            continue
        values = {name.replace("_", "-"): value for name, value in match.groupdict().items()}
        inner = _inner(values)
        if inner is not None:
            return Parsed(template=template, values=values, inner=inner)
    return None


def _inner(values: Mapping[str, str]) -> tuple[Parsed, ...] | None:
    """The messages inside the slots; None where one of them is none."""
    found: list[Parsed] = []
    for name, value in values.items():
        if _PLACEHOLDER.match(value):
            continue
        if name == "entries":
            parts = [part for entry in value.split("; ") for part in re.split(r", (?!runtime=)", entry)]
            parsed = [parse(part, ("difference",)) for part in parts]
        elif name == "excluded":
            listed = _excluded(value)
            parsed = [None] if listed is None else list(listed)
        elif name in _INNER:
            parsed = [parse(value, _INNER[name])]
        else:
            continue
        for child in parsed:
            if child is None:
                return None
            found.append(child)
    return tuple(found)


_EXCLUDED = Template(family="excluded", key="", parts=("", "runtime", " (", "reason", ")"))


def _excluded(text: str) -> tuple[Parsed, ...] | None:
    """`NAME (REASON); NAME (REASON)`: a reason may hold semicolons and brackets itself, so every cut is tried."""
    text = text.removesuffix("; ...").removesuffix("; …")
    cuts = [match.start() for match in re.finditer("; ", text)]
    for cut in [*cuts, len(text)]:
        match = _EXCLUDED.regex.fullmatch(text[:cut])
        inner = _inner({"reason": match["reason"]}) if match else None
        if match is None or inner is None:
            continue
        head = Parsed(template=_EXCLUDED, values=match.groupdict(), inner=inner)
        if cut == len(text):
            return (head,)
        if (rest := _excluded(text[cut + 2 :])) is not None:
            return (head, *rest)
    return None


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
    families = ("difference",) if slot == "entries" else _INNER[slot]
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


@cache
def parse_any(text: str) -> Parsed | None:
    """As `parse`, and also for one excluded runtime or several, as they stand inside a message."""
    if (parsed := parse(text)) is not None:
        return parsed
    listed = _excluded(text) if text.endswith(")") else None
    return Parsed(template=_EXCLUDED, values={}, inner=listed) if listed else None


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
