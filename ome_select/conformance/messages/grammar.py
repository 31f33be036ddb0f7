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
INNER: Mapping[str, tuple[str, ...]] = {
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
        elif name in INNER:
            parsed = [parse(value, INNER[name])]
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
def parse_any(text: str) -> Parsed | None:
    """As `parse`, and also for one excluded runtime or several, as they stand inside a message."""
    if (parsed := parse(text)) is not None:
        return parsed
    listed = _excluded(text) if text.endswith(")") else None
    return Parsed(template=_EXCLUDED, values={}, inner=listed) if listed else None
