"""Rule 11: the table of `kubectl ome runtime explain`, to the character."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ome_select.cluster import Cluster
from ome_select.reporting.table import (
    GAP,
    HEADERS,
    NO_RUNTIMES,
    cells,
    column_widths,
    explain_table,
    layout,
    visible,
    wide_table,
    wrap,
)
from ome_select.selection import Selector
from tests.builders import csr, decide, entry, model, named, sizes, sr
from tests.strategies import clusters

# Letters, the marks at which words are cut, white space of several kinds, a wide character, an emoji, a combining mark,
# a control character and a mark that turns the direction of text.
texts = st.text(alphabet="ab-_/.: \u00a0\u3000名🚀\u0301\x1b\t\n\u202e", max_size=60)
widths = st.integers(2, 40)


def inked(*shown: str) -> Counter[str]:
    """How often each character occurs that is not white space."""
    return Counter(character for text in shown for character in text if not character.isspace())


EXAMPLE = """\
RUNTIME        SCOPE        COMPATIBLE   PRIORITY   WEIGHT   REASON
team-llama     Namespaced   Yes          1          2        -
vllm-llama     Cluster      Yes          2          6        -
srt-llama-1b   Cluster      No           -          -        model size 3.21B is
                                                             outside supported
                                                             range [500M, 2B]
vllm-base      Cluster      No           -          -        supports the model
                                                             but has no
                                                             supportedModelForma
                                                             ts[].
                                                             autoSelect=true
                                                             entry, so automatic
                                                             selection skips it
                                                             (pin it explicitly
                                                             via
                                                             spec.runtime.name
                                                             instead)
vllm-legacy    Cluster      No           -          -        runtime is disabled"""


class TestExamples:
    """The tables that the rules show."""

    asked = model(named(), named("transformers"), model_parameter_size="3.21B")

    def supports(self, weight: int = 1, **fields: object) -> object:
        return entry(named(weight=weight), named("transformers"), **fields)

    def test_section_11(self) -> None:
        decision = decide(
            csr("vllm-legacy", self.supports(), disabled=True),
            csr("vllm-base", self.supports(auto_select=None)),
            csr("srt-llama-1b", self.supports(), model_size_range=sizes("500M", "2B")),
            csr("vllm-llama", self.supports(2, priority=2)),
            sr("team-llama", self.supports()),
            asked=self.asked,
        )
        assert str(decision) == EXAMPLE

    def test_section_9(self) -> None:
        """The worked example of the scoring page."""
        decision = decide(
            csr("srt-llama-large", self.supports(priority=3), model_size_range=sizes("1B", "70B")),
            csr("srt-llama-small", self.supports(priority=3), model_size_range=sizes("1B", "8B")),
            csr("vllm-llama", self.supports(2, priority=2)),
            sr("team-llama", self.supports()),
            asked=self.asked,
        )
        assert str(decision).splitlines() == [
            "RUNTIME           SCOPE        COMPATIBLE   PRIORITY   WEIGHT   REASON",
            "team-llama        Namespaced   Yes          1          2        -",
            "vllm-llama        Cluster      Yes          2          6        -",
            "srt-llama-small   Cluster      Yes          3          6        -",
            "srt-llama-large   Cluster      Yes          3          6        -",
        ]

    def test_weight_is_not_always_the_score(self) -> None:
        """PRIORITY and WEIGHT are the first matching entry's, and a weight of 0 is left out, not counted as 10."""
        runtime = csr("r", entry(named(weight=0), priority=2), entry(named(weight=9), priority=9))
        decision = decide(runtime)
        assert str(decision).splitlines()[1] == "r         Cluster   Yes          2          0        -"
        assert decision.row("r").score == 81

    def test_no_runtimes(self) -> None:
        text = "No serving runtimes found in the selected namespace or at cluster scope."
        assert str(decide()) == NO_RUNTIMES == text

    @pytest.mark.parametrize("asked", [model(None), model(named(""))])
    def test_a_model_without_a_format(self, asked: object) -> None:
        text = "invalid model specification: modelFormat.name: model format name is required"
        assert str(decide(csr("r"), asked=asked)) == text


class TestFits:
    """A table that fits is as wide as its widest cells."""

    def test_to_the_last_column(self) -> None:
        assert layout(("A", "B"), [("x" * 4, "y" * 3)], 10) == "A      B\nxxxx   yyy"
        assert layout(("A", "B"), [("x" * 4, "y" * 3)], 9) == "A     B\nxxx   yyy\nx"

    def test_in_80_columns(self) -> None:
        rows = [("x" * 38, "y" * 39)]
        assert layout(("A", "B"), rows).splitlines()[1] == "x" * 38 + GAP + "y" * 39
        assert len(layout(("A", "B"), [("x" * 38, "y" * 40)]).splitlines()) == 3

    def test_lines_end_at_their_last_visible_character(self) -> None:
        assert layout(("A", "LONG"), [("x", ""), ("y", " ")]) == "A   LONG\nx\ny"

    def test_without_a_width_it_never_wraps(self) -> None:
        assert (
            layout(("A", "B"), [("x" * 90, "y z " * 30)], None).splitlines()[1]
            == f"{'x' * 90}   {'y z ' * 30}".rstrip()
        )

    def test_without_rows_the_headers_are_left(self) -> None:
        assert layout(("A", "B"), []) == "A   B"


class TestColumnWidths:
    """What the headers leave of the width is given out one at a time, in turn, to columns still too narrow."""

    @pytest.mark.parametrize(
        ("width", "expected"),
        [
            (9, None),  # not even the headers fit
            (10, [1, 2, 1]),
            (11, [2, 2, 1]),
            (12, [2, 3, 1]),
            (13, [2, 3, 2]),
            (14, [3, 3, 2]),
            (15, [3, 4, 2]),  # the third column is done
            (16, [4, 4, 2]),
            (17, [4, 5, 2]),
            (18, [4, 6, 2]),  # the first one as well
            (19, [4, 7, 2]),  # the table fits
            (99, [4, 7, 2]),
        ],
    )
    def test_in_turn(self, width: int, expected: list[int] | None) -> None:
        assert column_widths(("A", "BB", "C"), [("xxxx", "y" * 7, "zz")], width) == expected

    @given(st.lists(st.tuples(texts, texts, texts), max_size=4), st.integers(0, 60))
    def test_they_use_the_width_and_no_more(self, rows: list[tuple[str, str, str]], width: int) -> None:
        headers = ("A", "BB", "CCC")
        shown = [[visible(cell) for cell in row] for row in rows]
        found = column_widths(headers, shown, width)
        room = width - 2 * len(GAP)
        if found is None:
            assert room < sum(map(len, headers))
            return
        widest = [max(map(cells, column)) for column in zip(headers, *shown, strict=True)]
        assert all(len(header) <= got <= most for header, got, most in zip(headers, found, widest, strict=True))
        assert sum(found) == min(room, sum(widest))


class TestWrap:
    """Cells wrap at white space, which is dropped; long words are cut after marks, and then hard."""

    @pytest.mark.parametrize(
        ("text", "width", "lines"),
        [
            ("", 3, [""]),
            ("abc", 3, ["abc"]),
            (" a ", 3, [" a "]),  # what fits stays as it is
            ("a b c", 3, ["a b", "c"]),
            ("ab cd", 4, ["ab", "cd"]),  # a word that does not fit goes to the next line
            ("ab cd", 3, ["ab", "cd"]),  # white space at the break is dropped
            ("ab    cd", 3, ["ab", "cd"]),
            ("a  b cd", 4, ["a  b", "cd"]),  # and stays within a line
            ("ab cd   ", 5, ["ab cd"]),
            ("  ab cd", 5, ["ab cd"]),
            ("a\u3000b c", 4, ["a\u3000b", "c"]),
            ("     ", 2, [""]),
            ("one two-three", 8, ["one", "two-", "three"]),  # words that are too long start on a line of their own
            ("ab one-two", 7, ["ab", "one-two"]),
            ("aa-bb-cc", 5, ["aa-", "bb-cc"]),
            ("aa-bb-cc", 6, ["aa-bb-", "cc"]),  # pieces fill lines
            ("aa_bb/cc.dd:ee", 3, ["aa_", "bb/", "cc.", "dd:", "ee"]),
            ("aa=bb,cc", 4, ["aa=b", "b,cc"]),  # other marks are none
            ("--------", 3, ["---", "---", "--"]),
            ("abcdefgh", 3, ["abc", "def", "gh"]),  # cut hard
            ("abcdef", 3, ["abc", "def"]),
            ("abcdefgh-ij k", 5, ["abcde", "fgh-", "ij k"]),  # what a hard cut leaves is filled up
            ("abcdefg-i j", 5, ["abcde", "fg-i", "j"]),
            ("x abcdefgh", 4, ["x", "abcd", "efgh"]),
            ("a.abcdef", 4, ["a.", "abcd", "ef"]),
            ("abcdefgh ij", 5, ["abcde", "fgh", "ij"]),
            ("名前名前", 5, ["名前", "名前"]),  # a wide character takes two cells
            ("a名前", 4, ["a名", "前"]),
            ("e\u0301e\u0301e\u0301", 2, ["e\u0301e\u0301", "e\u0301"]),  # a combining mark takes none
        ],
    )
    def test_table(self, text: str, width: int, lines: list[str]) -> None:
        assert wrap(text, width) == lines

    @given(texts, widths)
    @example("名" * 5, 3)
    @example("\u0301" * 5 + "ab", 2)
    def test_no_visible_character_is_lost_and_no_line_too_wide(self, text: str, width: int) -> None:
        shown = visible(text)
        lines = wrap(shown, width)
        assert inked(*lines) == inked(shown)
        assert "".join("".join(lines).split()) == "".join(shown.split())
        assert all(cells(line) <= width for line in lines)

    @given(texts, widths)
    def test_only_what_does_not_fit_is_wrapped(self, text: str, width: int) -> None:
        lines = wrap(visible(text), width)
        assert (lines == [visible(text)]) == (cells(visible(text)) <= width or lines == [visible(text)])
        assert len(lines) == 1 or all(lines)

    @given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30), widths)
    def test_any_text(self, text: str, width: int) -> None:
        shown = visible(text)
        assert inked(*wrap(shown, width)) == inked(shown)


class TestVisible:
    """Control characters and bidirectional controls print as escapes."""

    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("plain, ünïcode 名 🚀 e\u0301", "plain, ünïcode 名 🚀 e\u0301"),
            ("\t\n\r", r"\t\n\r"),
            ("\x1b[31m", r"\u001b[31m"),
            ("\x00\x07\x1f\x7f\x80\x9f", r"\u0000\u0007\u001f\u007f\u0080\u009f"),
            ("\u061c\u200e\u200f", r"\u061c\u200e\u200f"),
            ("\u202a\u202b\u202c\u202d\u202e", r"\u202a\u202b\u202c\u202d\u202e"),
            ("\u2066\u2067\u2068\u2069", r"\u2066\u2067\u2068\u2069"),
            ("\u2028\u2029", r"\u2028\u2029"),
            (" ~\u00a0\u200d", " ~\u00a0\u200d"),
        ],
    )
    def test_table(self, text: str, shown: str) -> None:
        assert visible(text) == shown

    @given(st.text())
    def test_nothing_is_hidden_twice(self, text: str) -> None:
        assert visible(visible(text)) == visible(text)

    def test_in_a_table(self) -> None:
        decision = decide(csr("r", entry(named("a\x1b[2J\u202e\n")), disabled=True), csr("\tr"))
        assert str(decision).splitlines()[1].startswith(r"\tr ")
        reason = explain_table(decide(csr("r", entry(named("a\x1b\n")))), None).splitlines()[1]
        assert reason.endswith(r"format name mismatch (model=safetensors, runtime=a\u001b\n)")


class TestCells:
    """Widths are terminal cells, not characters."""

    @pytest.mark.parametrize(
        ("text", "width"), [("", 0), ("abc", 3), ("é", 1), ("e\u0301", 1), ("名前", 4), ("🚀", 2), ("a\u200bb", 2)]
    )
    def test_table(self, text: str, width: int) -> None:
        assert cells(text) == width

    def test_a_character_of_unknown_width_takes_none(self) -> None:
        assert cells("名\x1b") == 2

    def test_wide_characters_align(self) -> None:
        assert layout(("A", "B"), [("名前", "x"), ("four", "y")]) == "A      B\n名前   x\nfour   y"

    def test_a_character_wider_than_its_column_keeps_the_gap(self) -> None:
        assert layout(("A", "B"), [("名", "xx")], 5) == "A   B\n名   x\n    x"


class TestNarrow:
    """A narrower terminal counts; where not even the headers fit, rows become `HEADER:   value` lines."""

    decision = decide(sr("a-very-long-name"), csr("off", disabled=True))
    HEADERS_WIDTH = sum(map(len, HEADERS)) + len(GAP) * (len(HEADERS) - 1)

    def test_narrower(self) -> None:
        """Nine cells are left beside the headers: three each for the three columns that are too narrow."""
        assert explain_table(self.decision, 66).splitlines() == [
            "RUNTIME      SCOPE      COMPATIBLE   PRIORITY   WEIGHT   REASON",
            "a-very-      Namespac   Yes          1          1        -",
            "long-name    ed",
            "off          Cluster    No           -          -        runtime",
            "                                                         is",
            "                                                         disabled",
        ]

    def test_the_headers_just_fit(self) -> None:
        lines = explain_table(self.decision, self.HEADERS_WIDTH).splitlines()
        assert lines[0] == GAP.join(HEADERS)
        assert max(map(len, lines)) <= self.HEADERS_WIDTH

    def test_the_headers_do_not_fit(self) -> None:
        assert explain_table(self.decision, self.HEADERS_WIDTH - 1) == (
            "RUNTIME:   a-very-long-name\n"
            "SCOPE:   Namespaced\n"
            "COMPATIBLE:   Yes\n"
            "PRIORITY:   1\n"
            "WEIGHT:   1\n"
            "REASON:   -\n"
            "\n"
            "RUNTIME:   off\n"
            "SCOPE:   Cluster\n"
            "COMPATIBLE:   No\n"
            "PRIORITY:   -\n"
            "WEIGHT:   -\n"
            "REASON:   runtime is disabled"
        )

    def test_lines_end_at_their_last_visible_character(self) -> None:
        assert layout(("ONE", "TWO"), [("x ", ""), ("", "y")], 8) == "ONE:   x\nTWO:\n\nONE:\nTWO:   y"

    def test_it_never_wraps_without_a_width(self) -> None:
        assert len(explain_table(self.decision, None).splitlines()) == 3


class TestWide:
    """Beyond `kubectl`: the numbers that a runtime was ranked by, never wrapped."""

    def test_table(self) -> None:
        asked = model(model_parameter_size="3B")
        decision = decide(
            sr("own", entry(named(weight=2))),
            csr("a", model_size_range=sizes("1B", "8B")),
            csr("b", model_size_range=sizes("NaN", "inf")),
            csr("off", entry(named("onnx"), named("f")), disabled=True),
            asked=asked,
        )
        assert wide_table(decision).splitlines() == [
            "RUNTIME   SCOPE        COMPATIBLE   PRIORITY   WEIGHT   SCORE   DISTANCE   DECIDED BY      REASON",
            "own       Namespaced   Yes          1          2        2       0          scope           -",
            "a         Cluster      Yes          1          1        1       7B         size distance   -",
            "b         Cluster      Yes          1          1        1       nan        -               -",
            f"off       Cluster      No           -          -        -       -          -{'runtime is disabled':>34}",
        ]

    def test_without_a_size_there_is_no_distance(self) -> None:
        assert wide_table(decide(csr("r"))).splitlines()[1].split() == ["r", "Cluster", "Yes", *"111---"]


class TestPaint:
    """Colour goes around what a cell shows, and changes nothing else."""

    def test_cells_but_not_headers(self) -> None:
        rows = [("x y z", ""), ("", "w ")]
        painted = layout(("A", "BB"), rows, 8, paint=lambda header, text: f"<{header}:{text}>")
        assert painted == "A     BB\n<A:x y>\n<A:z>\n      <BB:w>"


class TestLayout:
    """Whatever the cells hold, a table keeps to its width and loses nothing."""

    @given(st.lists(st.tuples(texts, texts), max_size=4), st.integers(9, 60))
    def test_width_and_contents(self, rows: list[tuple[str, str]], width: int) -> None:
        headers = ("ONE", "TWO")
        lines = layout(headers, rows, width).split("\n")
        assert all(cells(line) <= width for line in lines)
        assert all(line == line.rstrip() for line in lines)
        assert inked(*lines) == inked(*headers, *(visible(cell) for row in rows for cell in row))

    @given(clusters(), st.none() | st.integers(20, 120))
    def test_decisions(self, cluster: Cluster, width: int | None) -> None:
        decision = Selector(cluster).explain("m")
        lines = explain_table(decision, width).split("\n")
        assert all(line == line.rstrip() for line in lines)
        for row in decision.rows:
            assert any(row.name in line for line in lines)
        fits = width is not None and width >= TestNarrow.HEADERS_WIDTH
        assert not fits or not decision.rows or all(cells(line) <= width for line in lines)
