"""`ome-select conform`: what is printed, in every form, and the exit status."""

import json
from xml.etree import ElementTree

import pytest

from ome_select.cli import run

GOOD = "The bounds are inclusive.\n"
BAD = "# Page\n\nThe bounds are exclusive, and `(1 + 1) × 2 = 5`.\n"
EMPTY = "Nothing here is about runtimes.\n"


@pytest.fixture
def conform(tmp_path, monkeypatch, capsys):
    """Write pages, check them, and give status, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def check(*pages, options=()):
        names = []
        for index, text in enumerate(pages):
            names.append(f"{index}.md")
            (tmp_path / names[-1]).write_text(text, encoding="utf-8")
        status = run(["conform", *names, *options])
        output = capsys.readouterr()
        return status, output.out, output.err

    return check


class TestStatus:
    def test_all_hold(self, conform):
        assert conform(GOOD)[0] == 0

    def test_one_does_not(self, conform):
        assert conform(GOOD, BAD)[0] == 1

    def test_nothing_was_checked(self, conform):
        status, _, err = conform(EMPTY)
        assert status == 2
        assert "nothing was checked" in err

    def test_a_page_that_cannot_be_read(self, conform, tmp_path, capsys):
        assert run(["conform", "missing.md"]) == 2
        assert capsys.readouterr().err == "error: missing.md: cannot be read: No such file or directory\n"

    def test_no_page(self, capsys):
        assert run(["conform"]) == 2
        assert "Missing argument 'PAGE...'" in capsys.readouterr().err


class TestTable:
    def test_what_does_not_hold_and_the_counts(self, conform):
        _, out, _ = conform(BAD)
        assert out == (
            "0.md:3: arithmetic\n"
            "    the page: (1 + 1) × 2 = 5\n"
            "    OME:      (1 + 1) × 2 = 4\n"
            "0.md:3: size in prose\n"
            "    the page: bounds are exclusive\n"
            "    OME:      a size that is equal to a bound passes\n"
            "\n"
            "KIND OF FACT    HOLDS   CONTRADICTED   NOT CHECKED\n"
            "arithmetic      0       1              0\n"
            "size in prose   0       1              0\n"
            "total           0       2              0\n"
        )

    def test_coverage_lists_what_was_not_checked(self, conform):
        _, out, _ = conform(f"{GOOD}\nEach of the 3 `modelSizeRange` fields is fine.\n", options=["--coverage"])
        assert "0.md:3: sentence: Each of the 3 `modelSizeRange` fields is fine. (no checker understands this)" in out
        assert "1 sentences and cells carry marks of a fact and are not understood" in out

    def test_control_characters_of_a_page_do_not_reach_the_terminal(self, conform):
        _, out, _ = conform("`runtime is \x1b[31mdisabled by us`: the bounds are exclusive\n")
        assert "\x1b" not in out


class TestOtherForms:
    def test_json_holds_everything(self, conform):
        data = json.loads(conform(GOOD, BAD, options=["-o", "json"])[1])
        assert data["pages"] == ["0.md", "1.md"]
        assert data["counts"] == {"holds": 1, "contradicted": 2, "not checked": 0}
        assert data["kinds"]["arithmetic"] == {"holds": 0, "contradicted": 1, "not checked": 0}
        assert data["facts"][0] == {
            "page": "0.md",
            "line": 1,
            "kind": "size in prose",
            "claim": "bounds are inclusive",
            "actual": "a size that is equal to a bound passes",
            "verdict": "holds",
            "reason": "",
        }

    def test_junit_has_one_case_for_each_fact(self, conform):
        root = ElementTree.fromstring(conform(GOOD, f"{BAD}\n[x](gone.md)\n", options=["-o", "junit"])[1])
        good, bad = root.findall("testsuite")
        assert (good.get("tests"), good.get("failures"), good.get("skipped")) == ("1", "0", "0")
        assert (bad.get("tests"), bad.get("failures"), bad.get("skipped")) == ("3", "2", "1")
        case = bad.find("testcase[failure]")
        assert (case.get("file"), case.get("line")) == ("1.md", "3")
        assert "OME: " in case.find("failure").text

    def test_github_annotates_the_lines(self, conform):
        _, out, _ = conform(BAD, options=["-o", "github"])
        start = "::error file=0.md,line=3,title=Contradicted%3A"
        product = f"{start} arithmetic::The page: (1 + 1) × 2 = 5%0AOME: (1 + 1) × 2 = 4"
        bounds = f"{start} size in prose::The page: bounds are exclusive%0AOME: a size that is equal to a bound passes"
        counts = "::notice title=Documentation conformance::0 holds, 2 contradicted, 0 not checked"
        assert out.splitlines() == [product, bounds, counts]

    def test_a_page_cannot_forge_annotations(self, conform):
        _, out, _ = conform("(1 + 1) × 2 =\n5\n\n::error::forged `4b` equals `1B`\n", options=["-o", "github"])
        assert all(not line.startswith("::error::forged") for line in out.splitlines())
