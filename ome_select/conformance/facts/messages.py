"""Messages in blocks and in code spans: each must be producible, word for word (docs/rules.md, sections 2 to 14)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ome_select.conformance.blame import misnamed, not_selected
from ome_select.conformance.fact import Finding, judged, unchecked
from ome_select.conformance.manifests import is_manifest
from ome_select.conformance.messages.context import RANGE, filled, possible, stranger
from ome_select.conformance.messages.grammar import Parsed, parse_any
from ome_select.conformance.messages.likeness import is_fragment, meant
from ome_select.conformance.page import Fence, Page, Text
from ome_select.conformance.registry import kind_of_fact
from ome_select.conformance.world import World
from ome_select.decision import Decision
from ome_select.errors import OmeSelectError
from ome_select.readers import READERS
from ome_select.reporting.table import HEADERS
from ome_select.resources import InferenceService
from ome_select.selection import Selector

_LANGUAGES = frozenset({"", "text", "txt", "output", "log", "plain", "plaintext", "none"})
# What kubectl and logs put before a message.
_PREFIX = re.compile(
    r'^\s*(?:(?:Error from server \([\w ]+\)|error|Error|Warning|error when \w+ "[^"]*"|for: "[^"]*"):\s*)+'
)
_RESULT = re.compile(r"^(?P<kind>[a-z]+)\.ome\.io/(?P<name>\S+) (?P<done>\w+)$")
_DONE = ("created", "configured", "unchanged", "deleted")
_COMMAND = re.compile(r"^(kubectl|helm|git|docker|curl|make|pip|python3?|ome-select)\b")
_LEAST = 3


@kind_of_fact("message")
def message_blocks(page: Page, world: World) -> Iterator[Finding]:
    for fence in page.fences:
        if fence.language in _LANGUAGES and not is_manifest(fence) and not fence.text.lstrip().startswith(HEADERS[0]):
            yield from _block(fence, world)


def _block(fence: Fence, world: World) -> Iterator[Finding]:
    lines = [(fence.first_line + index, line.strip()) for index, line in enumerate(fence.text.splitlines())]
    lines = [(number, line) for number, line in lines if line]
    found = [finding for number, line in lines for finding in _line(line, number, fence, world)]
    if all(finding.verdict == "not checked" for finding in found) and len(lines) > 1:
        # A long message may be wrapped by hand.
        joined = list(_line(" ".join(line for _, line in lines), lines[0][0], fence, world))
        if any(finding.verdict != "not checked" for finding in joined):
            found = joined
    if all(finding.verdict == "not checked" for finding in found):
        # A block of something else altogether is one thing that was not checked, however long it is.
        found = found[:1]
    yield from found


def _line(line: str, number: int, fence: Fence, world: World) -> Iterator[Finding]:
    text = _PREFIX.sub("", line).strip()
    claim = f"OME says: {text}"
    if result := _RESULT.match(text):
        yield from _applied(result, number, claim, world)
    elif (parsed := parse_any(text)) is not None:
        yield from _judged(parsed, text, number, claim, world, fence.intro)
    elif (right := meant(text)) is not None:
        yield judged(False, number, claim, f"OME says: {right}")
    else:
        yield unchecked(number, claim, "no rule that is known here produces this text")


def _judged(
    parsed: Parsed, text: str, line: int, claim: str, world: World, intro: Text | None, source: Text | None = None
) -> Iterator[Finding]:
    if fault := parsed.fault:
        yield judged(False, line, claim, fault, source)
        return
    said = possible(world, intro)
    if text in said:
        yield judged(True, line, claim, "the page's objects make OME say this", source)
        return
    for part in parsed.all() if source is None else ():
        if (found := stranger(world, part.values, intro)) is not None:
            slot, fault = found
            yield judged(False, line, claim, fault, source)
            yield from misnamed(world, slot, part.values.get(slot, ""))
            if slot == "range" and intro is not None and (told := RANGE.search(intro.marked)):
                yield judged(
                    False,
                    intro.line_at(told.start()),
                    told[0],
                    f"the message below it is: {text}",
                    intro.part(*told.span()),
                )
            return
    wrong = list(_not_chosen(parsed, claim, line, world))
    yield from wrong
    if not wrong:
        yield judged(True, line, claim, f"the rules produce this text: {parsed.template.shown}", source)


def _not_chosen(parsed: Parsed, claim: str, line: int, world: World) -> Iterator[Finding]:
    """A runtime that is said to be auto-selected must be the one that OME picks on this page."""
    if "auto-selected" not in parsed.template.shown:
        return
    runtime, model = parsed.values.get("runtime", ""), parsed.values.get("model", "")
    if world.runtime(runtime) is None:
        return
    asking = [one for one in world.cluster.services if one.runtime is None and one.model is not None]
    decisions = [_decided(world, one) for one in asking if one.model is not None and one.model.name == model]
    if not asking:
        described = [found for found in world.models if found.name == model and found.model_format is not None]
        spaces = {found.namespace for found in described if found.namespace} or {"default"}
        decisions = [Selector(world.cluster, space).explain(found) for found in described for space in sorted(spaces)]
    if asking and not decisions:
        yield from misnamed(world, "model", model)
    made = [decision for decision in decisions if decision is not None]
    if not made or any(decision.selected == runtime for decision in made):
        return
    selected = sorted({decision.selected or "no runtime" for decision in made})
    yield judged(False, line, claim, f"OME selects {' or '.join(selected)} for {model}")
    for decision in made:
        if runtime in {row.name for row in decision.rows}:
            yield from not_selected(world, decision.row(runtime), model)


def _decided(world: World, service: InferenceService) -> Decision | None:
    """What OME decides for a service of the page; None where its model is not known."""
    try:
        return Selector(filled(world, service), service.namespace).explain(isvc=service)
    except OmeSelectError:
        return None


def _applied(result: re.Match[str], line: int, claim: str, world: World) -> Iterator[Finding]:
    """What kubectl says of an object that got in: its kind and its name."""
    kind = next((kind for kind in READERS if kind.lower() == result["kind"]), None)
    if kind is None or result["done"] not in _DONE:
        yield judged(False, line, claim, f"kinds are {', '.join(k.lower() for k in READERS)}; {', '.join(_DONE)}")
    names = {resource.name for resource in world.cluster if getattr(resource, "kind", type(resource).__name__) == kind}
    if not names:
        yield unchecked(line, claim, f"the page has no {kind}")
    yield judged(result["name"] in names, line, claim, f"the page's {kind}: {', '.join(sorted(names))}")
    if result["name"] not in names:
        yield from misnamed(world, "service" if kind == "InferenceService" else "runtime", result["name"])


@kind_of_fact("message in text")
def message_spans(page: Page, world: World) -> Iterator[Finding]:
    for sentence in page.texts:
        for code in sentence.codes:
            text = _PREFIX.sub("", code.text).strip()
            if len(text.split()) < _LEAST or _COMMAND.match(text):
                continue
            span = sentence.part(code.start, code.end)
            if (parsed := parse_any(text)) is not None:
                yield from _judged(parsed, text, code.line, f"OME says: {text}", world, sentence, span)
            elif is_fragment(text):
                yield judged(True, code.line, f"OME's messages hold: {text}", "", span)
            elif (right := meant(text, fewest=_fewest(sentence))) is not None:
                yield judged(False, code.line, f"OME's messages hold: {text}", f"OME says: {right}", span)


def _fewest(sentence: Text) -> int:
    """Three words are enough for a wrong message where the sentence says that it is one."""
    return 3 if re.search(r"→|\b(reason|message|warns|says|error)\b", sentence.plain) else 4
