"""Change one fact of a page at a time: a number, a yes, a rank, a word of a message."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_ANTONYMS = {
    "above": "below", "below": "above", "before": "after", "after": "before", "higher": "lower", "lower": "higher",
    "highest": "lowest", "lowest": "highest", "closer": "farther", "closest": "farthest", "smaller": "larger",
    "smallest": "largest", "narrowest": "widest", "narrower": "wider", "raises": "lowers", "lowers": "raises",
    "raise": "lower", "first": "last", "inclusive": "exclusive", "rejects": "accepts", "upper": "lower",
    "uppercase": "lowercase", "ascending": "descending", "true": "false", "false": "true", "optional": "required",
    "passes": "fails", "equals": "does not equal", "wins": "loses", "inside": "outside",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Mutation:
    """One change: what it is, the lines that it touches (from 1), and the text of the whole page afterwards."""

    what: str
    lines: tuple[int, ...]
    before: str
    after: str
    text: str


class _Lines:
    """The lines of a page, with what each is part of."""

    def __init__(self, source: str) -> None:
        self.lines = source.split("\n")
        self.fence: list[str | None] = []
        language: str | None = None
        for line in self.lines:
            if found := re.match(r"^\s*```+\s*(\S*)", line):
                language = None if language is not None else (found[1] or "text")
                self.fence.append("mark")
            else:
                self.fence.append(language)

    def changed(self, what: str, index: int, start: int, end: int, new: str) -> Mutation:
        line = self.lines[index]
        after = line[:start] + new + line[end:]
        text = "\n".join([*self.lines[:index], after, *self.lines[index + 1 :]])
        return Mutation(what=what, lines=(index + 1,), before=line, after=after, text=text)

    def swapped(self, what: str, one: int, two: int, new_one: str, new_two: str) -> Mutation:
        lines = list(self.lines)
        before = f"{lines[one]} | {lines[two]}"
        lines[one], lines[two] = new_one, new_two
        return Mutation(
            what=what, lines=(one + 1, two + 1), before=before, after=f"{new_one} | {new_two}", text="\n".join(lines)
        )


def _without_links(line: str) -> str:
    """The line with the targets of its links blanked out, at the same offsets."""
    return re.sub(r"\]\([^)]*\)", lambda found: "]" + " " * (len(found[0]) - 1), line)


def _other_number(digits: str) -> str:
    return str(int(digits) + 1)


def mutations(source: str) -> Iterator[Mutation]:
    """Every change of one fact that this module knows."""
    page = _Lines(source)
    for index, line in enumerate(page.lines):
        fence = page.fence[index]
        if fence == "mark" or line.startswith("#") or re.match(r"^(\||\s|:|-)*$", line):
            continue
        if fence is None:
            yield from _prose(page, index, line)
        elif fence in ("yaml", "yml"):
            yield from _yaml(page, index, line)
        elif fence not in ("bash", "sh") and not line.startswith("$"):
            yield from _printed(page, index, line)
    yield from _ranks(page)
    yield from _anchors(page)


def _prose(page: _Lines, index: int, line: str) -> Iterator[Mutation]:
    shown = re.sub(r"\bv\d+(\.\d+)+|\b[Ss]tep \d+|^\s*\d+\.\s", lambda found: " " * len(found[0]), _without_links(line))
    is_table = line.startswith("|")
    for found in re.finditer(r"(?<![\w.])\d+(?![\w]*\.\w)(?=[^\w]|[MBT]\b|$)", shown):
        yield page.changed("number", index, *found.span(), _other_number(found[0]))
    for found in re.finditer(r"(?<=[\d])([MBT])(?![\w])", shown):
        for other in {"M": "Bm", "B": "Mb", "T": "Bt"}[found[0]]:
            yield page.changed("suffix", index, *found.span(), other)
    for found in re.finditer(r"\b(two|three|four|five)\b", shown):
        yield page.changed(
            "number", index, *found.span(), {"two": "three", "three": "two", "four": "five", "five": "six"}[found[0]]
        )
    for found in re.finditer(r"\b(Greater\w+|Equal)\b", shown):
        yield page.changed(
            "operator", index, *found.span(), "GreaterThan" if found[0] != "GreaterThan" else "GreaterThanOrEqual"
        )
    if is_table:
        for found in re.finditer(r"(?<=\| )(Yes|No|yes|no|candidate|rejected|passes)(?= \|)", shown):
            other = {
                "Yes": "No",
                "No": "Yes",
                "yes": "no",
                "no": "yes",
                "candidate": "rejected",
                "rejected": "candidate",
                "passes": "rejected",
            }[found[0]]
            yield page.changed("yes or no", index, *found.span(), other)
        for found in re.finditer(r"\b(Cluster)?ServingRuntime\b(?= \||\b in )", shown):
            yield page.changed("kind", index, *found.span(), "ServingRuntime" if found[1] else "ClusterServingRuntime")
        for found in re.finditer(r"(?<=\| )(Not set|None|–)(?= \|)", shown):
            yield page.changed("unset", index, *found.span(), "`1B`" if "B`" in line else "7")
    for found in re.finditer(r"`([^`]*)`", shown):
        if len(found[1]) >= 20 and not re.search(r"[:=×]|kubectl|http", found[1]) and len(found[1].split()) > 3:
            yield from _words(page, index, found.start(1), found[1])
    for found in re.finditer(r"`([^`]*)`", shown):
        yield from _span(page, index, found.start(1), found[1])
    for found in re.finditer(r"\b[A-Za-z]+\b", shown):
        if found[0] in _ANTONYMS:
            is_case = shown[found.end() :].startswith(" case")
            other = "upper" if is_case and found[0] == "lower" else _ANTONYMS[found[0]]
            yield page.changed("word", index, *found.span(), other)


def _span(page: _Lines, index: int, start: int, code: str) -> Iterator[Mutation]:
    """A version, a field or a word of OME's in a code span, misspelt."""
    if found := re.fullmatch(r"v?(\d+)\.\d+[\w.+-]*(?<![MBT])", code):
        yield page.changed("version", index, start + found.start(1), start + found.end(1), _other_number(found[1]))
    elif re.fullmatch(r"[a-z]+[A-Z]\w*|[a-z]\w*(\.\w+)+", code) and len(code) > 6:
        middle = start + len(code) - 3
        yield page.changed("field", index, middle, middle + 1, "")
    elif re.fullmatch(r"[A-Z][a-z]+([A-Z][a-z]+)+", code):
        middle = start + len(code) - 4
        yield page.changed("field", index, middle, middle + 1, "x")


def _words(page: _Lines, index: int, start: int, message: str) -> Iterator[Mutation]:
    """Another word for one of a message, one word less, and one more."""
    for found in re.finditer(r"(?<![<\w`\"'-])[a-z]{4,}(?![>\w`\"'-])", message):
        yield page.changed("message", index, start + found.start(), start + found.end(), "changed")
    if found := re.search(r" [a-z]{3,}(?= [a-z])", message):
        yield page.changed("message", index, start + found.start(), start + found.end(), "")
    for found in re.finditer(r" (?:is|not|to|be|for)(?= [a-z])", message):
        two = {" is": " is out of", " not": " not at all", " to": " so as to", " be": " always be", " for": " for any"}
        yield page.changed("message in other words", index, start + found.start(), start + found.end(), two[found[0]])


def _yaml(page: _Lines, index: int, line: str) -> Iterator[Mutation]:
    found = re.match(r"^(\s*(?:- )?)([\w./-]+):(\s*)(\S.*)?$", line)
    if not found:
        return
    if found[4]:
        value, start = found[4], found.start(4)
        quoted = value.strip("\"'")
        if re.fullmatch(r"\d+", quoted):
            new = value.replace(quoted, _other_number(quoted))
        elif quoted in ("true", "false"):
            new = "false" if quoted == "true" else "true"
        elif re.fullmatch(r"[\d.]+[MBT]", quoted):
            new = value.replace(quoted, quoted[:-1] + ("M" if quoted[-1] == "B" else "B"))
        elif re.match(r"\d", quoted):
            new = value.replace(quoted, _other_number(quoted[0]) + quoted[1:])
        else:
            new = value.replace(quoted, quoted[:2] + quoted[3:] + "x")
        yield page.changed("yaml value", index, start, found.end(4), new)


def _printed(page: _Lines, index: int, line: str) -> Iterator[Mutation]:
    if re.search(r"\s{3,}", line.strip()):
        for found in re.finditer(r"(?<= )(Yes|No|Cluster|Namespaced|\d+)(?= |$)", line):
            other = {"Yes": "No", "No": "Yes", "Cluster": "Namespaced", "Namespaced": "Cluster"}
            yield page.changed("printed cell", index, *found.span(), other.get(found[0]) or _other_number(found[0]))
        if line.startswith("RUNTIME"):
            yield page.changed("printed header", index, line.index("SCOPE"), line.index("SCOPE") + 5, "LEVEL")
        return
    for found in re.finditer(r"(?<![\w.])\d+(?=[^\w.]|[MBT]\b|\.\d+[MBT])", line):
        yield page.changed("message number", index, *found.span(), _other_number(found[0]))
    yield from _words(page, index, 0, line)
    for found in re.finditer(r"(?<=\d)[MBT](?!\w)", line):
        yield page.changed("message suffix", index, *found.span(), "M" if found[0] == "B" else "B")


def _ranks(page: _Lines) -> Iterator[Mutation]:
    """Two neighbours swapped: items of a numbered list, and printed rows."""
    for index, (one, two) in enumerate(zip(page.lines, page.lines[1:], strict=False)):
        first, second = (re.match(r"^(\d+\. )(.*)$", line) for line in (one, two))
        if first and second and page.fence[index] is None:
            yield page.swapped("ranks", index, index + 1, first[1] + second[2], second[1] + first[2])
        is_row = page.fence[index] not in (None, "mark") and page.fence[index + 1] == page.fence[index]
        if is_row and all(re.search(r"\S\s{3,}\S+\s{3,}(Yes|No)", line) for line in (one, two)):
            yield page.swapped("printed rows", index, index + 1, two, one)


def _anchors(page: _Lines) -> Iterator[Mutation]:
    for index, line in enumerate(page.lines):
        for found in re.finditer(r"\]\([^)#/]*#([a-z-]+)\)", line):
            yield page.changed("anchor", index, *found.span(1), found[1] + "x")
