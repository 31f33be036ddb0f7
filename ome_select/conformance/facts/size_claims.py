"""What prose says about sizes and ranges (docs/rules.md, sections 7 and 17.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ome_select.conformance.claims import Answer, Claims, Site
from ome_select.conformance.fact import Finding
from ome_select.conformance.page import Page
from ome_select.conformance.probes import passes_size
from ome_select.conformance.registry import kind_of_fact
from ome_select.conformance.words import NUMBER, compact, is_size, looks_like_size, number, says
from ome_select.conformance.world import World
from ome_select.resources import ModelSizeRange
from ome_select.sizes import SizeBounds, format_size, parse_size

claims = Claims()

_SAMPLES = ("1M", "500M", "3.21B", "70B", "1T")
_UNREADABLE = "4b"


def _reads(text: str) -> str:
    return f"`{text}` reads as {compact(parse_size(text))}"


@claims.says(
    r"`(?P<one>[^`]+)` (?P<not>does not |doesn't )?(?:equals?|is equal to|is the same as|means) `(?P<two>[^`]+)`"
)
def equal_sizes(match: re.Match[str], site: Site) -> Answer:
    if not (looks_like_size(match["one"]) and looks_like_size(match["two"])):
        return None
    equal = parse_size(match["one"]) == parse_size(match["two"])
    return equal != bool(match["not"]), f"{_reads(match['one'])}, {_reads(match['two'])}"


@claims.says(
    r"`(?P<size>[^`]+)` model (?P<word>passes|meets|fits|fails|is rejected by|does not pass|doesn't pass) (?:a )?"
    r"`(?P<bound>min|max): *(?P<value>[^`]+)`"
)
def passes_a_bound(match: re.Match[str], site: Site) -> Answer:
    value = match["value"].strip("\"'")
    bounds = (value, None) if match["bound"].lower() == "min" else (None, value)
    if 0 in (parse_size(value), parse_size(match["size"])) and not re.search(r"read|pars", site.sentence.marked):
        return False, f"{_reads(value)}, {_reads(match['size'])}"
    passes = passes_size(bounds, match["size"])
    said = match["word"].lower() in ("passes", "meets", "fits")
    return passes == said, f"a model of {match['size']} {'passes' if passes else 'is rejected'}"


@claims.says(rf"`(?P<text>[^`]+)`,? as (?P<number>{NUMBER})\b")
def reads_as(match: re.Match[str], site: Site) -> Answer:
    if not looks_like_size(match["text"]) or not says(r"read|pars|count|treat", site.sentence.marked):
        return None
    return parse_size(match["text"]) == number(match["number"]), _reads(match["text"])


@claims.says(rf"\b(?:can't|cannot|can not) (?:parse|read)\b[^.]*?\bas (?P<number>{NUMBER})\b")
def unreadable_as(match: re.Match[str], site: Site) -> Answer:
    return number(match["number"]) == parse_size(_UNREADABLE), _reads(_UNREADABLE)


@claims.says(r"\b(?:can't|cannot|can not) (?:parse|read), such as `(?P<text>[^`]+)`")
def unreadable_example(match: re.Match[str], site: Site) -> Answer:
    return parse_size(match["text"]) == 0, _reads(match["text"])


@claims.says(
    r"`(?P<bound>min|max)` of `(?P<value>[^`]+)` (?P<word>rejects|passes|accepts|supports|allows) "
    r"(?:every|any|all|each) models?"
)
def bound_for_all(match: re.Match[str], site: Site) -> Answer:
    bounds = (match["value"], None) if match["bound"].lower() == "min" else (None, match["value"])
    passed = {passes_size(bounds, sample) for sample in _SAMPLES}
    return passed == {match["word"].lower() != "rejects"}, _reads(match["value"])


@claims.says(r"`(?P<bound>min|max)` of `(?P<value>[^`]+)` sets (?P<no>no|a|an) (?P<side>lower|upper|higher) limit")
def bound_without_effect(match: re.Match[str], site: Site) -> Answer:
    is_lower = match["bound"].lower() == "min"
    bounds = (match["value"], None) if is_lower else (None, match["value"])
    limits = not all(passes_size(bounds, sample) for sample in _SAMPLES)
    right_side = (match["side"].lower() == "lower") == is_lower
    return right_side and limits == (match["no"].lower() != "no"), _reads(match["value"])


@claims.says(r"\bbounds are (?P<word>inclusive|exclusive|included|excluded)")
def inclusive(match: re.Match[str], site: Site) -> Answer:
    inside = passes_size(("2B", "4B"), "2B") and passes_size(("2B", "4B"), "4B")
    return inside == match["word"].lower().startswith("inclu"), "a size that is equal to a bound passes"


@claims.says(r"`min` (?P<side>above|below|greater than|less than) `max` (?P<word>rejects|passes|accepts)")
def crossed_bounds(match: re.Match[str], site: Site) -> Answer:
    above = match["side"].lower() in ("above", "greater than")
    bounds = ("70B", "1M") if above else ("1M", "1T")
    passed = {passes_size(bounds, sample) for sample in _SAMPLES}
    said = match["word"].lower() != "rejects"
    return passed == {said}, "such a range " + ("passes every size" if passed == {True} else "rejects every size")


_PASSES = r"(?P<word>always passes|always fails|passes|supports|accepts|fits|never passes|rejects|fails)"


@claims.says(rf"\bruntime without (?:a|any) (?:size )?range {_PASSES} (?:every|any|all|each)")
def no_range(match: re.Match[str], site: Site) -> Answer:
    passes = passes_size((None, None), "3.21B")
    said = match["word"].lower() not in ("rejects", "fails", "never passes", "always fails")
    return passes == said, "a runtime without a range passes every model"


@claims.says(rf"\bmodel (?:without|with no|that has no) (?:a |any )?size {_PASSES}")
@claims.says(rf"\bmodel {_PASSES} (?:every|any|all) ranges? (?:until|unless) it has a `modelParameterSize`")
def no_size(match: re.Match[str], site: Site) -> Answer:
    passes = passes_size(("2B", "4B"), None)
    said = match["word"].lower() not in ("rejects", "fails", "never passes", "always fails")
    return passes == said, "a model without a size passes every range"


@claims.says(r"\b(?P<which>either|each|no|neither) bound is (?P<word>optional|required|mandatory)")
def optional_bounds(match: re.Match[str], site: Site) -> Answer:
    optional = passes_size(("1B", None), "3.21B") and passes_size((None, "4B"), "3.21B")
    said = (match["word"].lower() == "optional") == (match["which"].lower() in ("either", "each"))
    return optional == said, "a range with one bound works"


@claims.says(r"\b(?P<word>upper|lower)[ -]?case\b")
def case_of_suffixes(match: re.Match[str], site: Site) -> Answer:
    plain = site.sentence.plain
    if not re.search(r"suffix", plain, re.IGNORECASE):
        return None
    is_upper = match["word"].lower() == "upper"
    if re.search(r"\b(not|never|can't|cannot|isn't|doesn't|as 0)\b", plain):
        # "A suffix in lower case is not read"; what "not in upper case" means here is left to people.
        return None if is_upper else (parse_size("3b") == 0, _reads("3b"))
    return is_upper == (parse_size("3b") == 0), f"{_reads('3B')}, {_reads('3b')}"


@claims.says(r"\b(?:an? )?(?P<word>optional|required|mandatory) (?:upper|lower)[ -]?case suffix")
def optional_suffix(match: re.Match[str], site: Site) -> Answer:
    return (match["word"].lower() == "optional") == (parse_size("999") == 999), _reads("999")


@claims.says(r"\bsuch as ((?:`[^`]+`(?:, | or | and )?)+)")
def example_sizes(match: re.Match[str], site: Site) -> Answer:
    shown = [text for text in re.findall(r"`([^`]+)`", match[1]) if looks_like_size(text)]
    marked = site.sentence.marked
    if (
        not shown
        or not re.search(r"size|count|parameter", marked, re.IGNORECASE)
        or re.search(r"can't|cannot|not ", _near(match))
    ):
        return None
    if re.search(r"\b(writes|fills? in|fills)\b", marked):
        wrong = [text for text in shown if not _is_written(text)]
        return not wrong, f"OME does not write {', '.join(wrong)}" if wrong else "OME writes sizes like this"
    wrong = [text for text in shown if not is_size(text)]
    return not wrong, ", ".join(map(_reads, wrong or shown))


def _near(match: re.Match[str]) -> str:
    """The clause that leads to what was caught."""
    return re.split(r"[,;:]", match.string[: match.start()])[-1]


def _is_written(text: str) -> bool:
    """Whether OME writes some count this way (rule 17.2): the one it reads as, or one that rounds to it."""
    count = parse_size(text)
    step = count / 10_000
    return count > 0 and any(format_size(round(count + step * offset)) == text for offset in range(-9, 10))


@claims.says(r"`(?P<range>[\[(][^`]*)`")
@claims.says(r"`(?P<range>[^`\[(]*inf[\])])`")
def shown_ranges(match: re.Match[str], site: Site) -> Answer:
    """A range as reasons show it: `[2B, 4B]`, `[70B, inf)`, or the half of one."""
    shown = match["range"]
    bounds = [bound.strip("[]() ") for bound in shown.split(",")]
    sizes = [bound for bound in bounds if bound not in ("inf", "-inf")]
    if not all(looks_like_size(bound) and bound[-1].isalpha() for bound in sizes) or len(bounds) > 2:
        return None
    if len(bounds) == 1 and sizes:
        return None
    if len(bounds) == 1:
        halves = {half for low, high in ((None, "1B"), ("1B", None)) for half in _shown(low, high).split(", ")}
        return (
            shown in halves,
            f"a bound that is not set shows as {' or '.join(sorted(h for h in halves if 'inf' in h))}",
        )
    low, high = (None if "inf" in bound else bound for bound in bounds)
    right = _shown(low, high)
    quoted = {code.text for text in site.world.page.texts for code in text.codes}
    unreadable = [bound for bound in (low, high) if bound and parse_size(bound) == 0 and bound not in quoted]
    if unreadable:
        return False, f"OME reads {unreadable[0]} as 0"
    return shown == right, f"such a range shows as {right}"


def _shown(low: str | None, high: str | None) -> str:
    return str(SizeBounds.of(ModelSizeRange(min=low, max=high)))


@kind_of_fact("size in prose")
def size_claims(page: Page, world: World) -> Iterator[Finding]:
    yield from claims.check(page, world)
