"""One changed fact at a time on the project's own pages: nearly every change is reported, on its line."""

import random
import re
from collections import Counter
from pathlib import Path

import pytest

from ome_select.conformance.markdown import read_page
from ome_select.conformance.runner import check
from tests.conformance.mutating import Mutation, mutations

PAGES = sorted((Path(__file__).parent / "pages").glob("*.md"))
SEED = 20261130
OF_EACH_KIND = 32
RATE = 0.97

_SCALES = {"M": 1e6, "B": 1e9, "T": 1e12}


def size(text: str) -> float | None:
    """A count as a person reads it; None for one that is not set, 0 for one that nobody can read."""
    found = re.fullmatch(r"`?([\d.]+)([A-Za-z]?)`?", text)
    if not found:
        return None
    return float(found[1]) * _SCALES.get(found[2], 0.0 if found[2] else 1.0)


def alters_a_fact(mutation: Mutation) -> bool:
    """Whether the page says something else that is not true any more; what stays true is no fault.

    A row of size examples stays true when its outcome and its remark do; an example of a size may be any size.
    """
    line = mutation.after
    cells = [cell.strip() for cell in line.split("|")[1:-1]]
    if len(cells) == 5 and cells[0] in ("Yes", "No") and mutation.what in ("number", "suffix"):
        return _row_is_wrong(cells)
    if re.search(r"such as `[\d.]+[MBT]`|for example `\(|as in `\[", line) and mutation.what in ("number", "suffix"):
        before, after = (re.findall(r"(?:such as|for example|as in) `[^`]*`", text) for text in (mutation.before, line))
        return before == after
    if re.search(r"`\d+[MBT]` model (passes|fails)", line) and mutation.what in ("number", "suffix"):
        return not _claims_hold(line)
    if len(cells) == 4 and cells[3] in ("yes", "no") and mutation.what in ("operator", "version", "number"):
        return _match(cells) != cells[3]
    if mutation.what in ("version", "number") and re.search(r"^These parse|\bhas the format\b", line):
        # Another version parses as well, or as badly; and a model may be any model that its runtimes fit.
        return False
    if mutation.what == "yaml value":
        # Selection reads none of these; and a wider range still holds the model.
        return not re.match(r"\s*(minReplicas|maxReplicas|storageUri|min):", line)
    return True


def _match(cells: list[str]) -> str:
    """Whether versions of three plain numbers match; with a suffix, only equal ones do."""
    model, entry = (cell.strip("`") for cell in cells[:2])
    if not all(re.fullmatch(r"\d+(\.\d+)*", text) for text in (model, entry)):
        return "yes" if model == entry else "no"
    one, two = ([int(part) for part in text.split(".")] for text in (entry, model))
    return "yes" if {"`Equal`": one == two, "`GreaterThan`": one > two}.get(cells[2], one >= two) else "no"


def _row_is_wrong(cells: list[str]) -> bool:
    outcome, (model, low, high) = cells[0] == "Yes", map(size, cells[1:4])
    passes = model is None or not ((low is not None and model < low) or (high is not None and model > high))
    unreadable = 0.0 in (model, low, high)
    upside_down = low is not None and high is not None and low > high
    at_bound = "inclusive" not in cells[4] or model in (low, high)
    between = "between" not in cells[4] or cells[1:4] == ["`8B`", "`7B`", "`9B`"]
    above = "above" not in cells[4] or (model is not None and high is not None and model > high)
    below = "below" not in cells[4] or (model is not None and low is not None and model < low)
    differ = "differ" not in cells[4] or len({cell[-2] for cell in cells[1:4] if cell.startswith("`")}) > 1
    return outcome != passes or unreadable or upside_down or not (at_bound and between and above and below and differ)


def _claims_hold(line: str) -> bool:
    """The claims of the sentence about models and bounds, one by one."""
    told = re.findall(r"`([\d.]+[A-Za-z]?)` model (passes|fails) `(min|max): ([\d.]+[A-Za-z]?)`", line)
    equal = re.findall(r"`([\d.]+[A-Za-z]?)` equals `([\d.]+[A-Za-z]?)`", line)
    fine = [size(one) == size(two) for one, two in equal]
    for model, word, bound, value in told:
        count, limit = size(model), size(value)
        assert count is not None
        assert limit is not None
        passes = count >= limit if bound == "min" else count <= limit
        fine.append(passes == (word == "passes") and 0.0 not in (count, limit))
    return all(fine)


def all_mutations() -> list[tuple[Path, Mutation]]:
    return [
        (page, mutation)
        for page in PAGES
        for mutation in mutations(page.read_text(encoding="utf-8"))
        if alters_a_fact(mutation)
    ]


@pytest.fixture(scope="module")
def sample() -> list[tuple[Path, Mutation]]:
    """As many changes of each kind as there is time for, the same ones each time."""
    chance = random.Random(SEED)
    by_kind: dict[str, list[tuple[Path, Mutation]]] = {}
    for page, mutation in all_mutations():
        by_kind.setdefault(mutation.what, []).append((page, mutation))
    return [change for kind in by_kind.values() for change in chance.sample(kind, min(len(kind), OF_EACH_KIND))]


class TestMutations:
    def test_the_pages_hold_as_they_are(self):
        report = check([read_page(str(page), page.read_text(encoding="utf-8")) for page in PAGES])
        assert [fact.told for fact in report.contradicted] == []
        assert report.count("holds") > 200

    def test_there_are_changes_of_every_kind(self, sample):
        assert len(sample) >= 200
        kinds = Counter(mutation.what for _, mutation in sample)
        assert {
            "number", "suffix", "yes or no", "word", "message", "message in other words", "message number",
            "yaml value", "operator", "ranks", "printed cell", "kind",
        } <= set(kinds)  # fmt: skip

    def test_nearly_all_changes_are_reported_on_their_line(self, sample):
        pages = {page: read_page(str(page), page.read_text(encoding="utf-8")) for page in PAGES}
        missed = []
        for page, mutation in sample:
            changed = read_page(str(page), mutation.text)
            # Only an anchor is about other pages; without them a check takes a third of the time.
            others = [other for path, other in pages.items() if path != page] if mutation.what == "anchor" else []
            lines = {fact.line for fact in check([changed, *others]).contradicted if fact.page == str(page)}
            if not lines & set(mutation.lines):
                missed.append(f"{page.name}:{mutation.lines[0]} {mutation.what}: {mutation.after.strip()[:120]}")
        rate = 1 - len(missed) / len(sample)
        assert rate >= RATE, f"{rate:.1%} reported; missed:\n" + "\n".join(missed)


class TestMutator:
    """The changes are what they say they are; otherwise the rate would say nothing."""

    def test_each_changes_only_its_lines(self):
        source = PAGES[0].read_text(encoding="utf-8")
        before = source.split("\n")
        for mutation in mutations(source):
            after = mutation.text.split("\n")
            changed = {index + 1 for index, (one, two) in enumerate(zip(before, after, strict=True)) if one != two}
            assert changed
            assert changed <= set(mutation.lines)

    @pytest.mark.parametrize(
        ("row", "wrong"),
        [
            ("| Yes | `8B` | `7B` | `9B` | |", False),
            ("| No | `8B` | `7B` | `9B` | |", True),
            ("| Yes | `8B` | `9B` | `9B` | |", True),
            ("| Yes | `8b` | not set | `9B` | |", True),
            ("| No | `8B` | `9B` | `7B` | |", True),
            ("| Yes | `8B` | `7B` | `9B` | The bounds are inclusive. |", True),
            ("| Yes | `9B` | `7B` | `9B` | The bounds are inclusive. |", False),
        ],
    )
    def test_rows_that_stay_true(self, row, wrong):
        assert _row_is_wrong([cell.strip() for cell in row.split("|")[1:-1]]) == wrong
