"""The pages in docs/ and the README say what is so: their commands, their Python, and their facts about OME."""

from __future__ import annotations

import doctest
import re

import pytest

from ome_select.conformance.runner import check_pages
from tests.transcripts import PAGES, ROOT, blocks, matches, run


@pytest.mark.parametrize("block", [block for block in blocks("console") if not block.not_run], ids=str)
def test_a_command_prints_what_the_page_shows(block):
    assert block.text.startswith("$ "), "a block of the language console begins with a command"
    printed = run(block.text)
    assert matches(block.text, printed), f"{block} shows something else (`make pages` stores it):\n{printed}"


@pytest.mark.parametrize("block", blocks("pycon"), ids=str)
def test_python_prints_what_the_page_shows(block, monkeypatch):
    monkeypatch.chdir(ROOT)
    example = doctest.DocTestParser().get_doctest(block.text, {}, str(block), str(block.page), block.line - 1)
    said: list[str] = []
    assert doctest.DocTestRunner().run(example, out=said.append).failed == 0, "".join(said)


# Its code adds to the checker, which the other tests use; tests/conformance/test_adding_a_fact.py runs it.
ELSEWHERE = {"adding-a-fact.md"}


@pytest.mark.parametrize("block", [block for block in blocks("python") if block.page.name not in ELSEWHERE], ids=str)
def test_python_without_a_prompt_runs_and_its_comments_hold(block, monkeypatch):
    """`expression   # value`: the comment is the value."""
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    exec(block.text, names)
    for line in block.text.splitlines():
        if found := re.fullmatch(r"(\S.*?)\s{2,}# (.+)", line):
            assert repr(eval(found[1], names)) == found[2]


def test_the_manifests_to_copy_are_those_that_the_commands_read():
    example = (ROOT / "docs" / "examples" / "complete.yaml").read_text(encoding="utf-8")
    assert example in [block.text for block in blocks("yaml") if block.page.name == "your-manifests.md"]


def test_most_commands_are_run():
    everything = blocks("console")
    assert len(everything) >= 10
    assert sum(block.not_run is not None for block in everything) <= len(everything) // 4


@pytest.mark.parametrize(
    ("written", "printed", "same"),
    [
        ("$ a\none\n", "$ a\none\n", True),
        ("$ a\none\n", "$ a\ntwo\n", False),
        ("$ a\none\n...\nfour\n", "$ a\none\ntwo\nthree\nfour\n", True),
        ("$ a\none\n...\n", "$ a\none\ntwo\n", True),
        ("$ a\n...\nfour\n", "$ a\none\n", False),
        ("$ a\none\n", "$ a\none\ntwo\n", False),
    ],
)
def test_what_counts_as_the_same(written, printed, same):
    assert matches(written, printed) == same


def test_a_status_is_shown_as_at_a_terminal():
    assert run("$ false\n$ echo $?\n") == "$ false\n$ echo $?\n1\n"


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent.name == "docs"], ids=lambda page: page.name)
def test_no_fact_of_a_page_is_contradicted(page):
    report = check_pages([page])
    assert [f"{fact.line}: {fact.claim}, but {fact.actual}" for fact in report.contradicted] == []


def test_the_reference_pages_are_really_checked():
    """A page that the checker does not understand would hold whatever it says."""
    report = check_pages(page for page in PAGES if page.parent.name == "docs")
    kinds = {kind for kind, counts in report.by_kind.items() if counts["holds"]}
    assert {
        "accelerator outcome",
        "check order",
        "deployment-mode outcome",
        "explain column",
        "score default",
        "size example",
        "suffix unit",
        "version",
        "version operator",
        "worked example",
    } <= kinds


def test_pages_name_no_place_that_a_reader_does_not_have():
    for path in PAGES:
        found = re.search(r"\bTODO\b|\bFIXME\b", path.read_text(encoding="utf-8"))
        assert found is None, f"{path.name}: {found and found[0]}"
