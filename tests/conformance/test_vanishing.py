"""Nothing vanishes: what carries the marks of a fact and nobody understands is counted as not checked."""

import random
import re
from collections import Counter
from pathlib import Path

import pytest

from ome_select.conformance.markdown import read_page
from ome_select.conformance.runner import check

PAGES = sorted((Path(__file__).parent / "pages").glob("*.md"))
UNREAD = "sentence"
FIELDS = "| Field | Default | Notes |\n| --- | --- | --- |\n"
RANGES = "| Field | On | Effect |\n| --- | --- | --- |\n"


def unread(source):
    facts = check([read_page("page.md", source)]).facts
    return [fact for fact in facts if fact.kind == UNREAD]


class TestClauses:
    @pytest.mark.parametrize(
        ("source", "claim"),
        [
            # The other half of the cell is understood.
            (f"{FIELDS}| `autoSelect` | Not set | `false` removes it; unset counts. |", "`false` removes"),
            (f"{FIELDS}| `modelFormat.weight` | 1 | `weight: 0` acts as 10. |", "`weight: 0`"),
            (f"{FIELDS}| `priority` | 1 | Never less than 1. |", "Never less than 1"),
            # The same characters stand in another cell of the row, which is understood.
            (f"{FIELDS}| `modelFormat.weight` | 1 | Weighs 1 by itself. |", "Weighs 1 by"),
            ("- A runtime needs `autoSelect: true` everywhere\n- it isn't disabled\n", "A runtime needs"),
            ("1. `priority` is a matter of taste\n2. Go on\n", "`priority` is"),
            ("A bigger `modelParameterSize` costs more.", "A bigger"),
            ("OME likes `3.21B` best.", "OME likes"),
            ("Its mode is usually `MultiNode`.", "Its mode"),
            ("Ties go to the larger of the two.", "Ties go"),
            ("The winner has 12 points.", "The winner"),
            ("The bounds are inclusive; it is above `min` by a margin.", "it is above"),
            ("The bounds are inclusive, and `max` is only advice.", "and `max` is"),
        ],
    )  # fmt: skip
    def test_what_nobody_understands_is_counted_once(self, source, claim):
        (fact,) = [fact for fact in unread(f"Notes.\n\n{source}\n") if fact.claim.startswith(claim)]
        assert fact.verdict == "not checked"
        assert fact.reason == "no checker understands this"

    @pytest.mark.parametrize(
        "source",
        [
            "| `modelFormat.weight` | 10 |\n| --- | --- |\n",
            "See the table below, or the one above.",
            "Write it in lower case; the lower bound may be left out.",
            "Since v1.3, step 4 of rule 5 and section 6 say so.",
            "A plain sentence about `kubectl` and `my-cluster`.",
            "## `priority` above 7\n",
            f"{FIELDS}| `autoSelect` | Not set | `false` leaves the entry out of the score; unset counts. |",
            f"{FIELDS}| `modelFormat.weight` | 1 | `weight: 0` counts as 10. |",
            f"{RANGES}| `spec.modelSizeRange.min` | ServingRuntime | – |\n",
        ],
    )
    def test_headers_labels_and_what_is_understood_are_not(self, source):
        assert [fact.claim for fact in unread(source)] == []


class TestCells:
    def test_a_cell_without_marks_counts_where_its_column_is_understood(self):
        row = "| `spec.modelSizeRange.{}` | ServingRuntime | {} |\n"
        rows = row.format("min", "Rejects a model whose size is below it.") + row.format("max", "Keeps big models out.")
        (fact,) = unread(RANGES + rows)
        assert fact.claim == "Keeps big models out."
        assert fact.reason == "no checker understands this; it understands the other cells of the column"

    @pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
    def test_no_fact_of_a_cell_vanishes(self, page):
        text = page.read_text(encoding="utf-8")
        facts = Counter(fact.line for fact in check([read_page(page.name, text)]).facts)
        lines = text.split("\n")
        cells = [
            (index, column)
            for index, line in enumerate(lines)
            if line.startswith("|") and index and lines[index - 1].startswith("|") and "---" not in line
            for column in range(1, line.count("|"))
        ]
        for index, column in random.Random(5).sample(cells, 30):
            parts = re.split(r"(?<!\\)\|", lines[index])
            parts[column] = " `true` does this instead "
            source = "\n".join([*lines[:index], "|".join(parts), *lines[index + 1 :]])
            now = [fact for fact in check([read_page(page.name, source)]).facts if fact.line == index + 1]
            # Where the new text can stand for what was there before, all still holds.
            seen = any(fact.verdict != "holds" for fact in now) or len(now) >= facts[index + 1]
            assert seen, f"{index + 1}: {'|'.join(parts)}"


class TestRankings:
    def test_a_list_with_one_strange_item_is_not_checked_and_not_lost(self):
        items = "1. Namespace runtimes come before the others.\n2. {}\n3. A closer size range.\n4. Names.\n"
        for item, verdict in (("A higher score comes first.", "holds"), ("The nicer one comes first.", "not checked")):
            facts = check([read_page("page.md", f"The order:\n\n{items.format(item)}")]).facts
            assert [fact.verdict for fact in facts if fact.kind == "ranking"] == [verdict] * 4
