"""A report as a table, JSON, JUnit XML or GitHub annotations. None of them holds a time stamp."""

from __future__ import annotations

import json
import re
from collections import Counter
from xml.etree import ElementTree

from ome_select.conformance.coverage import UNREAD
from ome_select.conformance.fact import Verdict
from ome_select.conformance.runner import Report
from ome_select.reporting.table import layout, visible

VERDICTS: tuple[Verdict, ...] = ("holds", "contradicted", "not checked")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def contradictions(report: Report) -> str:
    """Each fact that does not hold, as a few lines that an editor can jump to; empty where all hold."""
    return "\n".join(
        f"{visible(fact.page)}:{fact.line}: {fact.kind}\n    the page: {visible(fact.claim)}\n"
        f"    OME:      {visible(fact.actual)}"
        for fact in report.contradicted
    )


def unchecked(report: Report) -> str:
    """What was not checked, with the reason, as lines that an editor can jump to."""
    return "\n".join(
        f"{visible(fact.page)}:{fact.line}: {fact.kind}: {visible(fact.claim)} ({fact.reason})"
        for fact in report.facts
        if fact.verdict == "not checked"
    )


def summary(report: Report) -> str:
    """How many facts of each kind have each verdict, and in total."""
    rows = [(kind, *(str(counts[verdict]) for verdict in VERDICTS)) for kind, counts in report.by_kind.items()]
    total = Counter(fact.verdict for fact in report.facts)
    rows.append(("total", *(str(total[verdict]) for verdict in VERDICTS)))
    return layout(("KIND OF FACT", *(verdict.upper() for verdict in VERDICTS)), rows, None)


def as_table(report: Report) -> str:
    """What does not hold, and the counts."""
    wrong = contradictions(report)
    return f"{wrong}\n\n{summary(report)}" if wrong else summary(report)


def as_json(report: Report) -> str:
    """Everything, as one JSON object."""
    facts = [
        {
            "page": fact.page,
            "line": fact.line,
            "kind": fact.kind,
            "claim": fact.claim,
            "actual": fact.actual,
            "verdict": fact.verdict,
            "reason": fact.reason,
        }
        for fact in report.facts
    ]
    counts = {verdict: report.count(verdict) for verdict in VERDICTS}
    by_kind = {kind: {verdict: counted[verdict] for verdict in VERDICTS} for kind, counted in report.by_kind.items()}
    whole = {"pages": list(report.pages), "counts": counts, "kinds": by_kind, "facts": facts}
    return json.dumps(whole, indent=2, ensure_ascii=False)


def as_junit(report: Report) -> str:
    """One test case for each fact; what was not checked is skipped."""
    suites = ElementTree.Element("testsuites", name="ome-select conform")
    for page in report.pages:
        facts = [fact for fact in report.facts if fact.page == page]
        suite = ElementTree.SubElement(
            suites,
            "testsuite",
            name=_clean(page),
            tests=str(len(facts)),
            failures=str(sum(fact.verdict == "contradicted" for fact in facts)),
            errors="0",
            skipped=str(sum(fact.verdict == "not checked" for fact in facts)),
        )
        for fact in facts:
            case = ElementTree.SubElement(
                suite,
                "testcase",
                name=_clean(f"line {fact.line}: {fact.claim}"),
                classname=_clean(f"{page}: {fact.kind}"),
                file=_clean(page),
                line=str(fact.line),
            )
            if fact.verdict == "contradicted":
                failure = ElementTree.SubElement(case, "failure", message=_clean(f"OME: {fact.actual}"))
                failure.text = _clean(f"{page}:{fact.line}\nthe page: {fact.claim}\nOME: {fact.actual}")
            elif fact.verdict == "not checked":
                ElementTree.SubElement(case, "skipped", message=_clean(fact.reason))
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True)


def _clean(text: str) -> str:
    """A text without what XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)


def as_github(report: Report) -> str:
    """A workflow command for each fact that does not hold, and a notice with the counts."""
    lines = [
        f"::error file={_property(fact.page)},line={fact.line},title={_property(f'Contradicted: {fact.kind}')}::"
        + _data(f"The page: {fact.claim}\nOME: {fact.actual}")
        for fact in report.contradicted
    ]
    counts = ", ".join(f"{report.count(verdict)} {verdict}" for verdict in VERDICTS)
    lines.append(f"::notice title=Documentation conformance::{_data(counts)}")
    return "\n".join(lines)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def coverage(report: Report) -> str:
    """How much of what carries a fact's marks was understood."""
    unread = sum(fact.kind == UNREAD for fact in report.facts)
    understood = sum(fact.kind != UNREAD and fact.verdict != "not checked" for fact in report.facts)
    return f"{understood} facts checked; {unread} sentences and cells carry marks of a fact and are not understood"
