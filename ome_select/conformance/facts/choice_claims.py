"""What prose says about which runtimes qualify and which one is chosen (docs/rules.md, sections 2, 11 and 14)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ome_select.admission import admit
from ome_select.cluster import Cluster
from ome_select.conformance.claims import Answer, Claims, Site
from ome_select.conformance.fact import Finding
from ome_select.conformance.page import Page
from ome_select.conformance.probes import decide, entry, first, judge, model, runtime, score
from ome_select.conformance.registry import kind_of_fact
from ome_select.conformance.words import says
from ome_select.conformance.world import World

claims = Claims()


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


@kind_of_fact("choice in prose")
def choice_claims(page: Page, world: World) -> Iterator[Finding]:
    yield from claims.check(page, world)
