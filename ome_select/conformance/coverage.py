"""What carries the marks of a fact and no checker understands: it is counted, so that no fact can vanish from a report.

A sentence or a cell is looked at clause by clause, because a fact that is understood says nothing about the next one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache

from ome_select.compiled import DEPLOYMENT_MODES
from ome_select.conformance.fact import Finding, unchecked
from ome_select.conformance.fields import all_names
from ome_select.conformance.page import Page, Text
from ome_select.conformance.words import looks_like_size
from ome_select.versions import OPERATORS

UNREAD = "sentence"
"""The kind of what carries a fact's marks and no checker understands."""

_CLAUSE_END = re.compile(r";\s+|\s[–—]\s|,\s+(?=(?:and|but|so|or|while|whereas|which|because|unless|even though)\b)")
_MOST = 0.5
"""A column of which this part of the cells is understood holds facts; what the others say is one, too."""
# Release numbers, and the numbers of steps and rules, are no facts about selection.
_NO_NUMBER = re.compile(r"`[^`]*`|\bv\d[\d.]*|\b(?:steps?|rules?|sections?|pages?) \d+", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.])\d")
# "Lower case" and "the lower bound" compare nothing, and "the table below" is a place on the page.
_COMPARISON = re.compile(
    r"\b(?:(?:high|low|small|larg|great|clos|narrow|wid)(?:er|est)(?![- ](?:case|bound|limit))|farther|farthest|"
    r"at (?:least|most)|(?:more|less|fewer|higher|lower) than|exceeds?|equals?|(?:is|are|be) (?:above|below)|"
    r"(?:above|below) (?:`|\d|its?\b|(?:the|a) (?:min|max|bound|range|limit|model|size|score|priority|weight)))|"
    r"(?<![-\w])[<>≤≥]=?(?= )",
    re.IGNORECASE,
)


def unread(page: Page, findings: Sequence[Finding]) -> Iterator[Finding]:
    """What no finding was read from: clauses with the marks of a fact, and cells in a column that is understood."""
    read: dict[int, list[Text]] = defaultdict(list)
    for finding in findings:
        if finding.source is not None:
            read[id(finding.source.root)].append(finding.source)

    def is_read(text: Text) -> bool:
        return any(source.overlaps(text) for source in read[id(text.root)])

    told: set[int] = set()
    for text in page.texts:
        for clause in clauses(text):
            if carries_a_fact(clause) and not is_read(clause):
                told.add(id(clause.root))
                yield _unread(clause, "no checker understands this")
    for table in page.tables:
        # The first cell of a row only says what the row is about, unless it has marks of its own.
        for column in range(1, len(table.headers)):
            for cell in table.cells(column):
                others = [other for other in table.cells(column) if other is not cell]
                if not re.search(r"\w", cell.plain) or is_read(cell) or id(cell) in told or not others:
                    continue
                if sum(map(is_read, others)) >= len(others) * _MOST:
                    yield _unread(cell, "no checker understands this; it understands the other cells of the column")


def _unread(text: Text, reason: str) -> Finding:
    return unchecked(text.line, " ".join(text.marked.split()), reason, text)


def clauses(text: Text) -> Iterator[Text]:
    """The pieces of a sentence that can be true or false on their own."""
    hidden = re.sub(r"`[^`]*`", lambda found: "x" * len(found[0]), text.marked)
    start = 0
    for found in _CLAUSE_END.finditer(hidden):
        yield text.part(start, found.start())
        start = found.end()
    yield text.part(start, len(text.marked))


def carries_a_fact(text: Text) -> bool:
    """Whether a text looks like a fact: it has a field, a value, a number or a comparison."""
    if any(_names_a_field(code.text) or is_value(code.text) for code in text.codes):
        return True
    prose = _NO_NUMBER.sub(lambda found: "`" if found[0][0] == "`" else " ", text.marked)
    return _NUMBER.search(prose) is not None or _COMPARISON.search(prose) is not None


def _names_a_field(code: str) -> bool:
    return bool(set(re.findall(r"\w+", code)) & _fields())


@cache
def _fields() -> frozenset[str]:
    """The names of fields, without those that every object has and that say nothing of selection."""
    return all_names() - {"name", "kind", "spec"}


def is_value(code: str) -> bool:
    """Whether a code span is a value that a field can have: a switch, a number, a size, an operator, a mode."""
    text = code.strip("\"'")
    return text in {"true", "false", *OPERATORS, *DEPLOYMENT_MODES} or looks_like_size(text)
