"""The pages in docs/ and the README say what is so: their commands, their Python, and their facts about OME."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from ome_select.conformance.runner import check_pages

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
NOT_RUN = re.compile(r"<!-- not run: (?P<reason>.+) -->\n\n?\Z")
FENCE = re.compile(r"^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block of a page; `not_run` is the reason that the comment above it gives, if there is one."""

    page: str
    line: int
    language: str
    text: str
    not_run: str | None


def blocks(language: str) -> list[Block]:
    found = []
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        for match in FENCE.finditer(text):
            if match["language"] == language:
                reason = NOT_RUN.search(text[: match.start()])
                line = text.count("\n", 0, match.start()) + 2
                found.append(
                    Block(path.relative_to(ROOT).as_posix(), line, language, match["text"], reason and reason["reason"])
                )
    return found


def named(block: Block) -> str:
    return f"{block.page}:{block.line}"


def script(transcript: str) -> str:
    """A shell script that prints the transcript's prompts and runs its commands; `$?` is what it is at a terminal."""
    commands = [line.removeprefix("$ ") for line in transcript.splitlines() if line.startswith("$ ")]
    steps = [
        f"printf '%s\\n' {shlex.quote('$ ' + command)}\n(exit $status)\n{command}\nstatus=$?" for command in commands
    ]
    return "\n".join(["status=0", "exec 2>&1", *steps])


def matches(written: str, printed: str) -> bool:
    """Whether a page shows what was printed; a line of three dots stands for any lines."""
    parts = re.split(r"^\.\.\.\n", written, flags=re.MULTILINE)
    return re.fullmatch("(?:.*\n)*?".join(map(re.escape, parts)), printed) is not None


@pytest.mark.parametrize("block", [block for block in blocks("console") if not block.not_run], ids=named)
def test_a_command_prints_what_the_page_shows(block):
    search = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    # The pages call the project's own program, whether they name it alone or with its folder.
    text = block.text.replace("$ .venv/bin/", "$ ")
    assert text.startswith("$ "), "a block of the language console begins with a command"
    run = subprocess.run(
        ["bash", "-c", script(text)],
        cwd=ROOT,
        env={**os.environ, "PATH": search, "COLUMNS": "80"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
    assert matches(text, run.stdout), f"{named(block)} shows something else than this:\n{run.stdout}"


@pytest.mark.parametrize("block", blocks("pycon"), ids=named)
def test_python_prints_what_the_page_shows(block, monkeypatch):
    monkeypatch.chdir(ROOT)
    example = doctest.DocTestParser().get_doctest(block.text, {}, block.page, block.page, block.line - 1)
    said: list[str] = []
    assert doctest.DocTestRunner().run(example, out=said.append).failed == 0, "".join(said)


# Its code adds to the checker, which the other tests use; tests/conformance/test_adding_a_fact.py runs it.
ELSEWHERE = {"docs/adding-a-fact.md"}


@pytest.mark.parametrize("block", [block for block in blocks("python") if block.page not in ELSEWHERE], ids=named)
def test_python_without_a_prompt_runs_and_its_comments_hold(block, monkeypatch):
    """`expression   # value`: the comment is the value."""
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    exec(block.text, names)
    for line in block.text.splitlines():
        if found := re.fullmatch(r"(\S.*?)\s{2,}# (.+)", line):
            assert repr(eval(found[1], names)) == found[2]


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
    run = subprocess.run(["bash", "-c", script("$ false\n$ echo $?\n1\n")], capture_output=True, text=True, check=True)
    assert run.stdout == "$ false\n$ echo $?\n1\n"


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
        found = re.search(r"/work/|\.\./shared|\bTODO\b|\bFIXME\b", path.read_text(encoding="utf-8"))
        assert found is None, f"{path.name}: {found and found[0]}"
