"""Versions that parse, and those that do not (docs/rules.md, section 5)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ome_select.conformance.fact import Finding, judged
from ome_select.conformance.page import Page, Text
from ome_select.conformance.registry import kind_of_fact
from ome_select.conformance.words import value_of, yes_or_no
from ome_select.conformance.world import World
from ome_select.versions import parse_version

_ABOUT = re.compile(r"\bpars(?:e|es|ed|able)\b|\bvalid versions?\b|\breads? as a version\b", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|never|cannot|can't|don't|doesn't|invalid|none|refused)\b", re.IGNORECASE)
_GOES_ON = re.compile(r"^(?:These|Those|The following|The others|Others)\b")
# A lone number with a letter behind it, such as `4b`, is a size.
_VERSION = re.compile(r"^(?!\d+[A-Za-z]$)[vV]?\d[\w.+-]*$")


@kind_of_fact("version")
def versions(page: Page, world: World) -> Iterator[Finding]:
    for paragraph in page.paragraphs:
        about = False
        for sentence in paragraph.text.sentences:
            # "These do not: ..." goes on with what the sentence before it is about.
            about = bool(_ABOUT.search(sentence.plain)) or (about and bool(_GOES_ON.match(sentence.plain)))
            codes = [code for code in sentence.codes if code.text]
            if about and codes and all(_VERSION.match(code.text) for code in codes):
                expected = not _NOT.search(sentence.plain)
                for code in codes:
                    yield _judged(code.text, expected, code.line, sentence)
                if "empty text" in sentence.plain:
                    yield _judged("", expected, sentence.line, sentence)
    for table in page.tables:
        version, outcome = table.column(r"\bversion\b|\btext\b"), table.column(r"pars|valid|reads")
        if version is None or outcome is None or version == outcome:
            continue
        for row in table.rows:
            told = yes_or_no(row.cells[outcome])
            if told is not None and row.cells[version].codes:
                yield _judged(value_of(row.cells[version]), told, row.line, row.cells[version])


def _judged(version: str, expected: bool, line: int, source: Text) -> Finding:
    actual = parse_version(version) is not None
    claim = f"version {version or '(empty)'} {'parses' if expected else 'does not parse'}"
    return judged(expected == actual, line, claim, "parses" if actual else "does not parse", source)
