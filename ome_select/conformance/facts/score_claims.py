"""What prose says about scores and entries (docs/rules.md, sections 2, 8 and 11)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ome_select.conformance.claims import Answer, Claims, Site
from ome_select.conformance.fact import Finding
from ome_select.conformance.facts.score_defaults import entry as written_entry
from ome_select.conformance.facts.score_defaults import field_of, read_entry
from ome_select.conformance.page import Page
from ome_select.conformance.probes import entry, judge, model, runtime, score
from ome_select.conformance.registry import kind_of_fact
from ome_select.conformance.words import NUMBER, WHOLE, number
from ome_select.conformance.world import World
from ome_select.resources import DiffusionPipeline

claims = Claims()

_FORMULA = (
    r"`\((?P<one>[^`()]+?)\s*(?P<plus>[-+×*/])\s*(?P<two>[^`()]+?)\)\s*(?P<times>[-+×*/])\s*(?P<three>[A-Za-z ]+)`"
)


@claims.says(_FORMULA)
def formula(match: re.Match[str], site: Site) -> Answer:
    """The score as a formula of fields: it must give what OME's score is, for several weights and priorities."""
    names = [_part(match[name]) for name in ("one", "two", "three")]
    if None in names:
        return None
    for weight, framework, priority in ((2, 1, 2), (3, 4, 5), (7, 1, 3)):
        values = {"format": weight, "framework": framework, "priority": priority}
        one, two, three = (values[name] for name in names if name)
        if _apply(match["times"], _apply(match["plus"], one, two), three) != score(
            weight=weight, framework_weight=framework, priority=priority
        ):
            return False, "the score is (format weight + framework weight) × priority"
    return True, "this is how OME scores"


def _part(name: str) -> str | None:
    return next((part for part in ("framework", "format", "priority") if part in name.lower()), None)


def _apply(sign: str, one: float, two: float) -> float:
    if sign == "+":
        return one + two
    if sign == "-":
        return one - two
    return one / two if sign == "/" else one * two


@claims.says(rf"(?<!Writing )`weight: (?P<weight>{WHOLE})` (?:counts|is read|is treated) as (?P<number>{NUMBER})")
def weight_in_a_row(match: re.Match[str], site: Site) -> Answer:
    """In a table of fields, the row says which weight this is about."""
    field = next((field for cell in site.row if (field := field_of(cell))), None)
    if field not in ("modelFormat.weight", "modelFramework.weight"):
        return None
    return _weight_counts(field.split(".")[0], int(match["weight"]), number(match["number"]))


def _weight_counts(part: str, weight: int, said: float) -> Answer:
    if part == "modelFormat":
        counts = score(weight=weight, framework_weight=1) - 1
    else:
        counts = score(weight=1, framework_weight=weight) - 1
    return counts == said, f"a {part}.weight of {weight} counts as {counts}"


@claims.says(
    rf"weight of (?:exactly )?(?P<weight>{WHOLE}) counts as (?P<format>{NUMBER}) for the format and "
    rf"(?P<framework>{NUMBER}) for the framework"
)
def weight_in_prose(match: re.Match[str], site: Site) -> Answer:
    weight = int(match["weight"])
    answers = [
        _weight_counts("modelFormat", weight, number(match["format"])),
        _weight_counts("modelFramework", weight, number(match["framework"])),
    ]
    told = [answer for answer in answers if answer is not None]
    return all(holds for holds, _ in told), "; ".join(actual for _, actual in told)


@claims.says(rf"\bwriting `weight: (?P<weight>{WHOLE})` (?P<word>raises|lowers|does not change)")
def writing_a_weight(match: re.Match[str], site: Site) -> Answer:
    change = score(weight=int(match["weight"])) - score()
    actual = "raises" if change > 0 else "lowers" if change < 0 else "does not change"
    return actual == match["word"].lower(), f"it {actual} the score"


@claims.says(r"\bweight (?P<can>can|can't|cannot|may|may not|must not) be negative(?:, which (?P<word>raises|lowers))?")
def negative_weight(match: re.Match[str], site: Site) -> Answer:
    allowed = not read_entry(written_entry(modelFormat={"weight": -1}))[1]
    lowers = score(weight=-1, framework_weight=5) < score(framework_weight=5)
    said = match["can"].lower() in ("can", "may")
    return allowed == said and (match["word"] or "lowers").lower() == ("lowers" if lowers else "raises"), (
        "a weight can be negative, which lowers the score"
    )


@claims.says(rf"\b(?:must be|is) (?P<word>at least|above|greater than|at most) (?P<number>{NUMBER})\b")
def smallest_priority(match: re.Match[str], site: Site) -> Answer:
    field = next((field for cell in site.row if (field := field_of(cell))), None)
    if field != "priority" and not re.search(r"`priority`", site.sentence.marked):
        return None
    least = next(value for value in range(-2, 10) if not read_entry(written_entry(priority=value))[1])
    said = number(match["number"]) + (match["word"].lower() in ("above", "greater than"))
    return match["word"].lower() != "at most" and said == least, f"the API takes a priority of {least} and more"


@claims.says(r"`(?P<value>true|false)` (?P<word>leaves|keeps|takes|counts) the entry (?P<where>out of|in)\b")
@claims.says(r"entry with `autoSelect: (?P<value>true|false)` is (?P<word>left|kept) (?P<where>out|in)\b")
def left_out(match: re.Match[str], site: Site) -> Answer:
    flag = match["value"].lower() == "true"
    # A second entry lets auto-selection consider the runtime, and scores less.
    both = (entry(auto_select=flag, weight=50), entry())
    counts = judge(runtime(supported_model_formats=both)).score > score()
    said = match["where"].lower().startswith("in")
    return counts == said, f"an entry with {match['value']} {'counts' if counts else 'does not count'}"


@claims.says(r"\b(?:an )?unset (?:one )?(?P<word>counts|does not count|doesn't count)")
def unset_counts(match: re.Match[str], site: Site) -> Answer:
    both = (entry(auto_select=None, weight=50), entry())
    counts = judge(runtime(supported_model_formats=both)).score > score()
    return counts == (match["word"].lower() == "counts"), "an entry that does not set it counts"


_IGNORABLE: Mapping[str, dict[str, Any]] = {
    "modelArchitecture": {"model_architecture": "Other"},
    "quantization": {"quantization": "fp8"},
    "diffusionPipeline": {"diffusion_pipeline": DiffusionPipeline()},
    "priority": {"priority": 7},
}


@claims.says(
    r"\bscore (?P<word>ignores|reads|uses|counts|depends on) (?P<fields>(?:`[^`]+`(?:, | and |, and | or )?)+)"
)
def ignored_fields(match: re.Match[str], site: Site) -> Answer:
    fields = re.findall(r"`([^`]+)`", match["fields"])
    ignored = [field for field in fields if field in _IGNORABLE and _is_ignored(field)]
    if match["word"].lower() == "ignores":
        wrong = [field for field in fields if field not in ignored]
        return not wrong, f"the score depends on {', '.join(wrong)}" if wrong else "it does"
    return not ignored, f"the score ignores {', '.join(ignored)}" if ignored else "it does"


def _is_ignored(field: str) -> bool:
    """Whether an entry that differs from the model only in this field scores all the same."""
    changed = runtime(supported_model_formats=(entry(weight=50, **_IGNORABLE[field]), entry()))
    return judge(changed).score == judge(runtime(supported_model_formats=(entry(weight=50), entry()))).score


@claims.says(rf"\bscore (?:is |must be )?(?P<word>above|at least|over|below) (?P<number>{NUMBER})\b")
def score_above(match: re.Match[str], site: Site) -> Answer:
    least = next(
        value
        for value in range(-2, 9)
        if judge(
            runtime(supported_model_formats=(entry(weight=value, framework_weight=0, model_framework=None),)),
            model(model_framework=None),
        ).compatible
        and value != 0
    )
    said = number(match["number"]) + (match["word"].lower() in ("above", "over"))
    return match["word"].lower() != "below" and said == least, f"a runtime qualifies with a score of {least} and more"


@claims.says(r"score is the (?P<word>highest|lowest|sum|average)(?: score)? (?:among|over|of) (?:its|all|the)")
def highest_entry(match: re.Match[str], site: Site) -> Answer:
    total = judge(runtime(supported_model_formats=(entry(weight=5), entry(weight=9)))).score
    return (match["word"].lower() == "highest") == (total == score(weight=9)), "it is that of the best entry"


@kind_of_fact("score in prose")
def score_claims(page: Page, world: World) -> Iterator[Finding]:
    yield from claims.check(page, world)
