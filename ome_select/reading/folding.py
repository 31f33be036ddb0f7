"""Skipping what selection never reads, without a Python object for any of it.

A key such as `env:`, whose value is never read, gets a `|` put behind it. To libyaml the value is then one literal
text instead of hundreds of events. The text as it was is parsed, too, but inside libyaml alone, so that its syntax is
checked all the same. Where anything in a skipped part could matter outside of it, or could be refused for its meaning
(an anchor, a tag, a key that is a map), nothing is skipped: the document is read the usual way.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from yaml._yaml import CParser
from yaml.error import YAMLError

from ome_select.reading.values import UnusualError, build

MARK = "| #folded"
# What ends the line of a key whose value stands on the lines below.
_END = ":\n"
_MARKED_END = f": {MARK}\n"

# Parts of a pod, and what tools write. No field of these names is read of any kind, at any depth.
NAMES = frozenset(
    {
        "affinity",
        "args",
        "command",
        "containers",
        "env",
        "envFrom",
        "imagePullSecrets",
        "initContainers",
        "lifecycle",
        "livenessProbe",
        "nodeSelector",
        "ports",
        "readinessProbe",
        "resources",
        "securityContext",
        "startupProbe",
        "status",
        "tolerations",
        "topologySpreadConstraints",
        "volumeMounts",
        "volumes",
    }
)
# These begin with the character that they are about, and look back from there, which lets them search fast.
_REFERENCE = re.compile(r"[&*!](?<![^\s\[{,-].)(?:(?<=!)\S|(?<=[&*])[\w-])", re.DOTALL)
_BRACKET = re.compile(r"[\[{](?:[^\]}\n]*\n|\s*[\[{?])|[\]}]\s*:")
_SIGNS = ("? ", "<<", '\\"', "\\/", " : ", "~:", "~ :")
_WORDS = (".inf", ".nan", "null:", "null :")


class Folded:
    """Stands in an object for a part that was skipped: neither a text, nor a list, nor a map."""

    def __repr__(self) -> str:
        return "what was not read"


FOLDED = Folded()


def folded_value_of(text: str) -> tuple[Any, bool]:
    """The value of the first document of a text, without the parts that selection never reads.

    Raises:
        UnusualError: when nothing can be skipped, or the document is not plain enough.
    """
    folded, count = _fold(text)
    if not count or "\\/" in text:
        raise UnusualError
    parts: list[str] = []

    def literal(event: Any) -> Any:
        if not folded.startswith(MARK, event.start_mark.index):
            return event.value
        parts.append(event.value)
        return FOLDED

    try:
        value, at_end = build(CParser(folded).get_event, literal)
        # What looked like a key within a text was none: then there are fewer parts than marks.
        if len(parts) != count or not _is_harmless("\n".join(parts)):
            raise UnusualError
        CParser(text).raw_parse()
    except YAMLError:
        raise UnusualError from None
    return value, at_end


def _fold(text: str) -> tuple[str, int]:
    """The text with a mark behind each key to skip, and how many there are."""
    pieces = text.split(_END)
    joined = [pieces[0]]
    count = 0
    # How far the key is indented within whose value everything is skipped already.
    inside: int | None = None
    for piece, following in pairwise(pieces):
        line = piece[piece.rfind("\n") + 1 :]
        name = line.lstrip(" ")
        indent = len(line) - len(name)
        end = _END
        if inside is None or indent <= inside:
            inside = None
            # The lines below must be indented deeper: a list may also stand at the key's own indentation.
            if name in NAMES and following.startswith(" " * (indent + 1)):
                end, inside = _MARKED_END, indent
                count += 1
        joined += (end, following)
    return "".join(joined), count


def _is_harmless(text: str) -> bool:
    """Whether skipped lines end where they seem to, and hold nothing but values that kubectl takes."""
    if any(sign in text for sign in _SIGNS):
        return False
    lowered = text.lower()
    if any(word in lowered for word in _WORDS):
        return False
    if ("&" in text or "*" in text or "!" in text) and _REFERENCE.search(text):
        return False
    if ("[" in text or "{" in text) and ("?" in text or _BRACKET.search(text)):
        return False
    # A quoted text that runs over the end of its line could end at any indentation.
    return not any("\n" in quoted for quote in "\"'" for quoted in text.split(quote)[1::2])
