"""Skipping what selection never reads, without a Python object for any of it.

Keys such as `env:`, whose values are never read, are taken out of the text together with the lines below them. One line
stands for all that follow each other: `env ports: |`, an empty text. Each part is parsed, too, so that its syntax is
checked all the same, but inside libyaml alone and once for all documents that repeat it. Where anything in a part could
matter outside of it, or could be refused for its meaning (an anchor, a tag, a key that is a map), nothing is skipped:
the document is read the usual way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from yaml._yaml import CParser
from yaml.error import YAMLError

from ome_select.reading.values import UnusualError, build

# Parts of a pod, and what tools write. No field of these names is read of any kind, at any depth; a test holds that.
NAMES = frozenset(
    {
        "affinity",
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
# A key with the lines that are indented deeper, and with a list at the key's own indentation.
_PART = re.compile(rf"( *)({'|'.join(NAMES)}):\n(?:(?:\1 .*|\1-(?: .*)?| *)(?:\n|\Z))++")
# What ends a line for YAML and not for the expression above.
_OTHER_LINE_ENDS = "\r\x85\u2028\u2029"
_OPEN_BRACKET = re.compile(r"[^\]}\n]*\n|\s*[\[{?]")
_COLON = re.compile(r"\s*:")
# Looking for one character is so fast that most of the longer signs need not be looked for: the first is in the second.
_SIGNS = (("?", "? "), ("<", "<<"), ("\\", '\\"'), ("\\", "\\/"), ("~", "~:"), ("~", "~ :"), (":", " : "))
_WORDS = (".inf", ".nan", "null:", "null :")


_LIMIT = 4_000
"""How many parts are remembered, and how long they are at most; then the memory begins anew."""

FOLDED = ...
"""Stands in an object for a part that was skipped: neither a text, nor a list, nor a map."""


class _Harmless(dict[str, bool]):
    """Whether each part is YAML, ends where it seems to, and holds nothing but values that kubectl takes.

    By itself it is parsed as among the lines around it: they are outside its indentation, and what could reach over its
    end (a quote, a bracket) is refused. Manifests repeat the same few parts.
    """

    def __missing__(self, part: str) -> bool:
        if len(self) >= _LIMIT:
            self.clear()
        harmless = _is_plain(part) and _is_yaml(part)
        if len(part) <= _LIMIT:
            self[part] = harmless
        return harmless


_HARMLESS = _Harmless()


def folded_value_of(text: str) -> tuple[Any, bool]:
    """The value of the first document of a text, without the parts that selection never reads.

    Raises:
        UnusualError: when nothing can be skipped, or the document is not plain enough.
    """
    folded, parts, marks = _fold(text)
    if not marks or "\\/" in folded or not all(_HARMLESS[part] for part in parts):
        raise UnusualError
    found = 0

    def put_literal(event: Any, around: dict[str, Any], name: str) -> None:
        nonlocal found
        if event.start_mark.index not in marks:
            around[name] = event.value
            return
        found += 1
        names = name.split(" ")
        # With lines below it, the mark does not stand where it seems to.
        if event.value or len(set(names)) < len(names) or not around.keys().isdisjoint(names):
            raise UnusualError
        around.update(dict.fromkeys(names, FOLDED))

    try:
        value, at_end = build(CParser(folded).get_event, put_literal)
        # What looked like a key within a text was none: then not every mark is found.
        if found != len(marks):
            raise UnusualError
    except YAMLError:
        raise UnusualError from None
    return value, at_end


def _fold(text: str) -> tuple[str, list[str], set[int]]:
    """The text without the skipped parts; those parts; and where in the text the marks are that stand for them."""
    kept: list[str] = []
    parts: list[str] = []
    marks: set[int] = set()
    # How long the kept text is, and up to where the text has been dealt with.
    length = done = 0
    end = text.find(":\n")
    while end >= 0:
        start = text.rfind("\n", done, end) + 1 or done
        part = _PART.match(text, start) if text[start:end].lstrip(" ") in NAMES else None
        if part is None:
            end = text.find(":\n", end + 2)
            continue
        indent, names = part.groups()
        parts.append(part[0])
        after = part.end()
        # Whatever follows on the same level is skipped in one.
        while (part := _PART.match(text, after)) and part[1] == indent:
            names += " " + part[2]
            parts.append(part[0])
            after = part.end()
        line = f"{indent}{names}: |\n"
        kept += (text[done:start], line)
        length += start - done + len(line)
        marks.add(length - 2)
        done = after
        end = text.find(":\n", done)
    kept.append(text[done:])
    return "".join(kept), parts, marks


def _is_yaml(text: str) -> bool:
    try:
        CParser(text).raw_parse()
    except YAMLError:
        return False
    return True


def _is_plain(text: str) -> bool:
    """Whether lines end where they seem to, and hold nothing but values that kubectl takes."""
    if any(character in text and sign in text for character, sign in _SIGNS):
        return False
    if any(end in text for end in _OTHER_LINE_ENDS) or _has_reference(text) or _has_open_bracket(text):
        return False
    lowered = text.lower()
    if any(word in lowered for word in _WORDS):
        return False
    # A quoted text that runs over the end of its line could end at any indentation.
    return not any("\n" in quoted for quote in "\"'" for quoted in text.split(quote)[1::2])


def _places(signs: str, text: str) -> Iterator[tuple[str, int]]:
    """Each of these signs in a text, with the place behind it."""
    for sign in signs:
        at = text.find(sign) + 1
        while at:
            yield sign, at
            at = text.find(sign, at) + 1


def _has_reference(text: str) -> bool:
    """Whether an anchor, an alias or a tag may be there: a sign that begins a word."""
    for sign, at in _places("&*!", text):
        before, after = text[at - 2 : at - 1], text[at : at + 1]
        begins = before.isspace() or before in "[{,-"
        if begins and (not after.isspace() if sign == "!" else after.isalnum() or after in "_-"):
            return True
    return False


def _has_open_bracket(text: str) -> bool:
    """Whether a bracket may be a key, hold another one or a key, or stay open at its line's end."""
    if any(_OPEN_BRACKET.match(text, at) for _, at in _places("[{", text)):
        return True
    return any(_COLON.match(text, at) for _, at in _places("]}", text))
