"""How runtimes rank: numbered lists of runtimes, lists of what decides, and prose (docs/rules.md, section 9)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ome_select.conformance.claims import Answer, Claims, Site
from ome_select.conformance.fact import Finding, judged, unchecked
from ome_select.conformance.facts.worked_example import decision_for_tables
from ome_select.conformance.page import OrderedList, Page, Text
from ome_select.conformance.probes import decide, distance, entry, first, model, runtime
from ome_select.conformance.registry import kind_of_fact
from ome_select.conformance.words import NUMBER, number
from ome_select.conformance.world import World
from ome_select.resources import ServingRuntime

claims = Claims()

_DECIDERS = (
    ("scope", r"namespace|ServingRuntimes?\b"),
    ("score", r"\bscores?\b"),
    ("size distance", r"\bsize|range|distance|close"),
    ("name", r"\bnames?\b|alphabet"),
)


def decider_in(text: str) -> str | None:
    """What decides, as a text words it; the words of scope come first, because the others may follow them."""
    return next((name for name, words in _DECIDERS if re.search(words, text, re.IGNORECASE)), None)


def _pair(ahead: str, behind: str) -> tuple[ServingRuntime, ServingRuntime]:
    """Two runtimes: the first is better by one decider, the second by the other."""
    better = {"scope": (False, True), "score": (9, 1), "size distance": ("4B", "9B"), "name": ("a", "b")}

    def made(mine: str, theirs: str) -> ServingRuntime:
        def pick(decider: str) -> object:
            # Where neither of the two is about this decider, both runtimes are alike in it, but for their names.
            return better[decider][0 if decider == mine else 1]

        name = str(pick("name")) if "name" in (mine, theirs) else ("x" if mine == ahead else "y")
        return runtime(
            name,
            cluster=bool(pick("scope")) if "scope" in (mine, theirs) else True,
            bounds=("1B", str(pick("size distance"))),
            supported_model_formats=(entry(weight=int(str(pick("score")))),),
        )

    return made(ahead, behind), made(behind, ahead)


def decides_before(ahead: str, behind: str) -> bool:
    """Whether one decider counts before another: the runtime that is better by it ranks first."""
    one, two = _pair(ahead, behind)
    return decide(one, two, of=model("3.21B")).rows[0].name == one.name


def _order_of(deciders: list[str]) -> list[str]:
    return sorted(deciders, key=lambda name: sum(decides_before(other, name) for other in deciders if other != name))


@kind_of_fact("ranking")
def ranked_lists(page: Page, world: World) -> Iterator[Finding]:
    decision = None
    for block in page.lists:
        names = [next((code.text for code in item.codes), "") for item in block.items]
        known = {found.name for found in world.cluster.runtimes}
        if (
            len(names) > 1
            and sum(name in known for name in names) >= 2
            and re.search(
                r"rank|order|first|comes?|prefer|pick|choos",
                block.intro.plain if block.intro else "rank",
                re.IGNORECASE,
            )
        ):
            decision = decision or decision_for_tables(world)
            if decision is None:
                yield unchecked(block.line, f"ranking {', '.join(names)}", "the page describes no one model for it")
                continue
            ranked = [verdict.name for verdict in decision.ranked]
            expected = [name for name in ranked if name in names]
            for index, (item, name) in enumerate(zip(block.items, names, strict=True)):
                place = expected[index] if index < len(expected) else "nothing"
                said = item.sentences[0] if item.sentences else item
                yield judged(name == place, item.line, f"rank {index + 1}: {name}", f"OME ranks {place} here", said)
            continue
        yield from _criteria(block)
    for sentence in page.prose:
        yield from _in_prose(sentence)


def _criteria(block: OrderedList) -> Iterator[Finding]:
    """A list of what decides, the most important first."""
    named = [(item, decider_in(item.plain)) for item in block.items]
    deciders = [name for _, name in named if name is not None]
    if len(deciders) < 3 or len(set(deciders)) < len(deciders) or len(deciders) < len(named) - 1:
        return
    if len(deciders) < len(named):
        # With one item that nobody understands, it is not sure that this is such a list at all.
        strange = next(item.plain for item, name in named if name is None)
        for item, _ in named:
            yield unchecked(item.line, f"what decides here: {item.plain}", f"no checker understands: {strange}", item)
        return
    for (item, name), wanted in zip(named, _order_of(deciders), strict=True):
        yield judged(name == wanted, item.line, f"what decides here: {name}", f"what decides here is {wanted}", item)


_IN_PROSE = re.compile(r"(?P<list>\bnamespaces? runtimes? (?:first|last), then by [^.;]*)", re.IGNORECASE)


def _in_prose(sentence: Text) -> Iterator[Finding]:
    """`namespace runtimes first, then by score, size range and name`."""
    if found := _IN_PROSE.search(sentence.plain):
        last = re.search(r"\blast, then", found["list"], re.IGNORECASE)
        pieces = re.split(r",? then by |, | and ", found["list"])
        deciders = [name for piece in pieces if (name := decider_in(piece))]
        if len(set(deciders)) == len(deciders) > 1:
            expected = _order_of(deciders)
            yield judged(
                deciders == expected and not last,
                sentence.line,
                found[0],
                f"the order is {', '.join(expected)}",
                sentence,
            )


_CSR, _SR = r"ClusterServingRuntimes?|CSRs?", r"(?<!Cluster)(?:ServingRuntimes?|SRs?)\b"


@claims.says(
    rf"(?P<one>{_CSR}|{_SR})(?P<between>[^.;`]*?)\b(?P<word>before|after|ahead of|behind)\b (?:any |all "
    rf"|the |every )?(?P<two>{_CSR}|{_SR})"
)
def scopes(match: re.Match[str], site: Site) -> Answer:
    one, two = (re.match(_CSR, match[name], re.IGNORECASE) is not None for name in ("one", "two"))
    if one == two:
        return None
    cluster_first = decide(runtime("a"), runtime("b", cluster=False)).rows[0].scope == "Cluster"
    said = one == (match["word"].lower() in ("before", "ahead of"))
    return said == cluster_first, "ServingRuntimes of the namespace come before ClusterServingRuntimes"


@claims.says(
    r"\b(?P<word>higher|highest|lower|lowest) (?:\[?scores?\]?|numbers?)(?: comes?)? (?P<end>first|last|wins|loses)"
)
def scores(match: re.Match[str], site: Site) -> Answer:
    highest = first(runtime("a"), runtime("b", supported_model_formats=(entry(weight=9),))) == "b"
    said = match["word"].lower().startswith("high") == (match["end"].lower() in ("first", "wins"))
    return said == highest, "the higher score comes first"


_NEAR = (
    r"(?P<word>closer|closest|nearer|nearest|smaller|smallest|narrower|narrowest|"
    r"farther|farthest|larger|largest|wider|widest|bigger|greater)"
)


@claims.says(rf"\b{_NEAR}(?: (?:to the model's size|distance|range|one))*,? (?:comes?|is) (?P<end>first|last)")
@claims.says(rf"\bprefers the range (?P<end>){_NEAR} to")
def distances(match: re.Match[str], site: Site) -> Answer:
    narrow_first = first(runtime("a", bounds=("1B", "9B")), runtime("b", bounds=("1B", "4B")), of=model("3B")) == "b"
    near = re.match(r"clos|near|small|narrow", match["word"], re.IGNORECASE) is not None
    return near == ((match["end"] or "first").lower() == "first") == narrow_first, "the smaller distance comes first"


@claims.says(r"runtime without a (?:size )?range counts as (?P<word>closest|nearest|farthest|last)")
@claims.says(
    rf"runtime without a `modelSizeRange` has a distance of (?P<number>{NUMBER})(?:, the (?P<word>smallest|largest))?"
)
def no_range(match: re.Match[str], site: Site) -> Answer:
    groups = match.groupdict()
    closest = first(runtime("a", bounds=("1B", "4B")), runtime("b"), of=model("3B")) == "b"
    says_closest = (groups["word"] or "smallest").lower() in ("closest", "nearest", "smallest")
    actual = distance((None, None), "3B")
    right = groups.get("number") is None or number(groups["number"]) == actual
    return right and says_closest == closest, f"its distance is {actual:g}, the smallest there is"


@claims.says(r"\bwith (?P<which>both|two|one|no) bounds?, the distance is the range's (?P<what>\w+)")
def width(match: re.Match[str], site: Site) -> Answer:
    is_width = all(distance(("1B", "8B"), size) == 7e9 for size in ("1B", "3B", "8B"))
    said = match["which"].lower() in ("both", "two") and match["what"].lower() == "width"
    return said == is_width, "with both bounds, it is the range's width"


@claims.says(
    r"range with (?P<which>one|a single|two|both|no) bounds? counts the distance to (?P<what>that|the "
    r"other|both) bounds?"
)
def one_bound(match: re.Match[str], site: Site) -> Answer:
    actual = distance(("1B", None), "3B") == 2e9 and distance((None, "4B"), "3B") == 1e9
    return (match["which"].lower() in ("one", "a single") and match["what"].lower() == "that") == actual, (
        "the distance is that to the one bound"
    )


@claims.says(r"in (?P<word>ascending|descending|alphabetical|reverse) order of (?:their )?names?")
@claims.says(r"so `(?P<one>[a-z0-9.-]+)` comes (?P<side>before|after) `(?P<two>[a-z0-9.-]+)`")
def names(match: re.Match[str], site: Site) -> Answer:
    groups = match.groupdict()
    one, two = groups.get("one") or "a", groups.get("two") or "b"
    if site.world.runtime(one) and site.world.runtime(two):
        return None
    ahead = decide(runtime(two), runtime(one)).rows[0].name == one
    if groups.get("word"):
        return (groups["word"].lower() in ("ascending", "alphabetical")) == ahead, "names come in ascending order"
    return (groups["side"].lower() == "before") == ahead, f"`{one}` comes {'before' if ahead else 'after'} `{two}`"


@claims.says(
    r"\b(?:adds? up|sums?(?: up)?) how far (?P<which>each|one) bound|\bdistance adds up \|bound [−-] "
    r"size\| over the bounds"
)
def sum_of_bounds(match: re.Match[str], site: Site) -> Answer:
    actual = distance(("1B", "8B"), "3B") == 7e9
    return actual and (match["which"] or "each").lower() == "each", "the distances to both bounds are added up"


@claims.says(r"\b(?:runtimes? (?:of|with) the same kind|same kind tie) (?:on|by) (?P<what>\w+), OME prefers the range")
def tie_on(match: re.Match[str], site: Site) -> Answer:
    return match["what"].lower() == "score" and decides_before("score", "size distance"), "score comes before the range"


@claims.says(r"\bpicks the (?P<word>first|last) runtime in this order")
def picks_first(match: re.Match[str], site: Site) -> Answer:
    decision = decide(runtime("a"), runtime("b"))
    return (match["word"].lower() == "first") == (
        decision.selected == decision.ranked[0].name
    ), "it picks the first one"


@kind_of_fact("ranking in prose")
def ranking_claims(page: Page, world: World) -> Iterator[Finding]:
    yield from claims.check(page, world)
