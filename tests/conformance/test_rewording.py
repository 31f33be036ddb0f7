"""Pages change: columns move, headings are renamed, prose comes between. What holds must still be found, and hold."""

import random
from pathlib import Path

import pytest

from ome_select.conformance.markdown import read_page
from ome_select.conformance.runner import check
from tests.conformance.rewording import CHANGES

PAGES = sorted((Path(__file__).parent / "pages").glob("*.md"))


def counts(name, source):
    report = check([read_page(name, source)])
    assert [fact.told for fact in report.contradicted] == []
    # Links lead nowhere once their headings are renamed, and the new words are no facts.
    return {kind: counted["holds"] for kind, counted in report.by_kind.items() if kind not in ("link", "sentence")}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
class TestOtherClothes:
    @pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
    def test_one_change_loses_nothing(self, page, change):
        source = page.read_text(encoding="utf-8")
        assert counts(page.name, change(source, random.Random(7))) == counts(page.name, source)

    def test_all_changes_at_once_lose_nothing(self, page):
        source = changed = page.read_text(encoding="utf-8")
        for change in CHANGES:
            changed = change(changed, random.Random(11))
        assert changed != source
        assert counts(page.name, changed) == counts(page.name, source)


class TestOtherWords:
    @pytest.mark.parametrize(
        "text",
        [
            # Reworded so far that no checker understands it: that is no contradiction.
            "Larger priorities beat smaller ones, whatever the weights are.",
            "Some teams give every runtime 3 entries, and some give it 1.",
            "The page of version 2.0 has 14 sections.",
            "`kubectl get pods -n demo` lists the pods.",
            "The status is `Ready` after 30 seconds.",
            "Use `my-runtime` or `your-runtime`.",
            # The same facts in other words.
            "Both bounds are inclusive.",
            "A ServingRuntime ranks ahead of a ClusterServingRuntime.",
            "The lower score comes last.",
            "OME reads `4b` as zero.",
        ],
    )
    def test_nothing_is_contradicted(self, text):
        report = check([read_page("page.md", text)])
        assert [fact.told for fact in report.contradicted] == []
