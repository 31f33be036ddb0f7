"""What prose says about scores and entries (docs/rules.md, sections 2, 8 and 11)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ome_select.admission import admit
from ome_select.cluster import Cluster
from ome_select.conformance.claims import Answer, Claims, Site
from ome_select.conformance.fact import Finding
from ome_select.conformance.facts.score_defaults import entry as written_entry
from ome_select.conformance.facts.score_defaults import field_of, read_entry
from ome_select.conformance.page import Page
from ome_select.conformance.probes import decide, entry, first, judge, model, runtime, score
from ome_select.conformance.registry import kind_of_fact
from ome_select.conformance.words import NUMBER, WHOLE, number, says
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


@claims.says(
    r"(?:one of its entries|at least one entry[^.`]*|an entry|any entry,?) (?:that )?(?:sets?|with) "
    r"`autoSelect: (?P<value>true|false)`"
)
def needs_auto_select(match: re.Match[str], site: Site) -> Answer:
    if not any(says(r"qualif|need|must|require", text.plain) for text in (*site.before, site.sentence)):
        return None
    qualifies = {
        value: judge(runtime(supported_model_formats=(entry(auto_select=value),))).compatible for value in (True, False)
    }
    return qualifies[match["value"].lower() == "true"], "one entry has to set autoSelect: true"


@claims.says(
    r"`autoSelect: (?P<value>true|false)` on (?:an|one) entry|\binstead of setting `autoSelect: "
    r"(?P<child>true|false)` on it"
)
def sets_auto_select(match: re.Match[str], site: Site) -> Answer:
    """What makes a runtime one that auto-selection can choose."""
    value = (match["value"] or match["child"]).lower() == "true"
    return judge(
        runtime(supported_model_formats=(entry(auto_select=value),))
    ).compatible, "only true makes it selectable"


@claims.says(r"^it (?P<word>passes|fails) the [^.]*\bchecks?$")
@claims.says(r"\bruntime qualifies when it (?P<word>passes|fails) (?:them|these|all|every)")
def passes_checks(match: re.Match[str], site: Site) -> Answer:
    if not any(re.search(r"qualif", text.plain) for text in (*site.before, site.sentence)):
        return None
    return match["word"].lower() == "passes", "a runtime that fails a check does not qualify"


@claims.says(r"^it(?: is|'s)(?P<not> not|n't)? (?P<word>disabled|enabled)")
def is_enabled(match: re.Match[str], site: Site) -> Answer:
    if not any(re.search(r"qualif", text.plain) for text in site.before):
        return None
    usable = judge(runtime(disabled=True)).compatible
    said = (match["word"].lower() == "disabled") != bool(match["not"])
    return said == usable, "a disabled runtime does not qualify"


@claims.says(
    r"\bwhen another entry with the same format and framework sets `autoSelect: (?P<other>true|false)`, OME "
    r"(?P<can>can still|can't|cannot|never) picks?\b[^.]*?\bonly an `autoSelect: (?P<own>true|false)` entry matches"
)
def other_entry(match: re.Match[str], site: Site) -> Answer:
    own, other = (match[name].lower() == "true" for name in ("own", "other"))
    entries = (entry(auto_select=own, model_architecture="X"), entry(auto_select=other, model_architecture="Y"))
    picked = judge(runtime(supported_model_formats=entries), model(model_architecture="X")).compatible
    said = match["can"].lower() == "can still"
    return picked == said and not own, "the runtime is still picked" if picked else "the runtime is not picked"


@claims.says(
    r"(?:`autoSelect: (?P<flag>true|false)` )?\bentries that share an? entry "
    r"`(?P<field>[^`]+)`[^.]*?(?P<can>can't|cannot|can|may|must not) set different priorities"
)
def one_priority(match: re.Match[str], site: Site) -> Answer:
    flag = (match["flag"] or "true").lower() == "true"
    written = runtime(
        supported_model_formats=(
            entry(name="n", priority=1, auto_select=flag),
            entry(name="n", priority=2, auto_select=flag),
        )
    )
    denied = not admit(Cluster(), written).allowed
    return match["field"] == "name" and denied == (match["can"].lower() not in ("can", "may")), (
        "the webhook denies two priorities under one name"
    )


@claims.says(r"\bwebhook (?P<word>rejects|denies|refuses|accepts|admits) such a runtime with `(?P<message>[^`]+)`")
def rejects_priorities(match: re.Match[str], site: Site) -> Answer:
    written = runtime(supported_model_formats=(entry(priority=1), entry(priority=2)))
    message = admit(Cluster(), written).message or ""
    said = match["word"].lower() in ("rejects", "denies", "refuses")
    return said and match["message"] in message, f"it denies it: {message}"


@claims.says(r"\b(?:to )?(?:prefer|make)[^.]*?\b(?P<word>raise|lower|increase|decrease)s?\b[^.]*?`priority`")
@claims.says(r"^(?P<word>raise|lower|increase|decrease) the `priority` or the `weight`s")
@claims.says(r"\bgive the runtime you want a (?P<word>higher|lower) `priority`")
def prefer(match: re.Match[str], site: Site) -> Answer:
    raised = runtime("b", supported_model_formats=(entry(priority=3),))
    wins = first(runtime("a", supported_model_formats=(entry(priority=2),)), raised) == "b"
    return wins == (match["word"].lower() in ("raise", "increase", "higher")), "the higher priority wins"


@claims.says(r"\b(?P<place>first|last) `(?P<word>Yes|No)` row\b[^.]*\b(?:picks|selects|chooses|selected|picked)")
def first_row(match: re.Match[str], site: Site) -> Answer:
    decision = decide(runtime("b"), runtime("c"), runtime("a", disabled=True))
    rows = [row.name for row in decision.rows if row.compatible == (match["word"] == "Yes")]
    return rows[0 if match["place"].lower() == "first" else -1] == decision.selected, "the first Yes row is picked"


@claims.says(r"`WEIGHT` comes from the runtime's (?P<word>first|last|best) matching entry")
@claims.says(r"^(?:that )?of the (?P<word>first|last|best) (?:matching entry|entry that matches)")
def weight_column(match: re.Match[str], site: Site) -> Answer:
    shown = judge(runtime(supported_model_formats=(entry(weight=2), entry(weight=9), entry(weight=3)))).weight
    actual = {score(weight=2): "first", score(weight=9): "best", score(weight=3): "last"}.get(shown or 0, "")
    return actual == match["word"].lower(), f"it comes from the {actual} one"


@kind_of_fact("score in prose")
def score_claims(page: Page, world: World) -> Iterator[Finding]:
    yield from claims.check(page, world)
