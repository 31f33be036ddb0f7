"""docs/adding-a-fact.md shows a whole module: it works as it stands."""

import re

import pytest

from ome_select.conformance import registry
from ome_select.conformance.markdown import read_page
from ome_select.conformance.runner import check


@pytest.fixture
def example(root, monkeypatch):
    """The module that the page shows, registered as one more kind."""
    known = list(registry.kinds())
    monkeypatch.setattr(registry, "_KINDS", known)
    registry.kinds.cache_clear()
    page = read_page("adding-a-fact.md", (root / "docs" / "adding-a-fact.md").read_text(encoding="utf-8"))
    code = next(fence.text for fence in page.fences if fence.language == "python" and "kind_of_fact" in fence.text)
    exec(compile(code, "adding-a-fact.md", "exec"), {"__name__": "example"})
    yield
    registry.kinds.cache_clear()


@pytest.mark.usefixtures("example")
class TestTheExample:
    @pytest.mark.parametrize(
        ("sentence", "verdict"),
        [
            ("OME writes 685000000000 as `685B`.", "holds"),
            ("OME writes 685000000000 as `686B`.", "contradicted"),
            ("OME writes 1100000000 as `1.10B`.", "holds"),
        ],
    )
    def test_it_evaluates_the_claim(self, sentence, verdict):
        facts = [fact for fact in check([read_page("page.md", sentence)]).facts if fact.kind == "written size"]
        assert [fact.verdict for fact in facts] == [verdict]


def test_the_names_that_the_page_mentions_exist(root):
    text = (root / "docs" / "adding-a-fact.md").read_text(encoding="utf-8")
    folder = root / "ome_select"
    for path in re.findall(r"`(conformance/[\w/.]+)`", text):
        assert (folder / path).exists(), path
