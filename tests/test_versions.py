from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ome_select.versions import parse_version, version_accepts
from tests.strategies import version_texts
from tests.vectors_io import recorded

OPERATORS = ["Equal", "GreaterThan", "GreaterThanOrEqual", "LessThan", None]
plain_versions = st.lists(st.integers(0, 20), min_size=3, max_size=3)


def dotted(numbers: list[int]) -> str:
    return ".".join(map(str, numbers))


class TestRecordedAnswers:
    def test_parse(self) -> None:
        cases = recorded("versions-parse.jsonl")
        assert [case for case in cases if (parse_version(case["version"]) is not None) != case["parses"]] == []

    def test_match(self) -> None:
        def answer(case: dict[str, str]) -> bool:
            return version_accepts(entry=case["entry"], operator=case["operator"], model=case["model"])

        cases = recorded("versions-match.jsonl.gz")
        assert [case for case in cases if answer(case) != case["matches"]] == []


class TestGrammar:
    """Rule 5: one to three numbers, then build, pre-release and dev; what does not parse never matches."""

    @pytest.mark.parametrize(
        "text",
        ["1", "v1.12", "0.6.0", "v0.8.0", "4.51.3-SAM-HQ-preview", "4.43.0+build", "4.45.0.dev0", "1.2.3.4", "0"],
    )
    def test_these_parse(self, text: str) -> None:
        assert parse_version(text) is not None

    @pytest.mark.parametrize(
        "text", [f"{2**64 - 1}", "1.0.0-a.b", "1.0.0+a-b", "1.0.0.a+b", "v1", "1.2.3.4.5", "4.45.0.dev0-a.b+c.d"]
    )
    def test_and_these(self, text: str) -> None:
        assert parse_version(text) is not None

    @pytest.mark.parametrize(
        "text",
        [
            "1.08.0",
            "V1.0.0",
            "1.2-beta",
            "1.0.0-",
            "",
            "v",
            "vv1",
            "1.",
            ".1",
            "1..0",
            "1.0.0+",
            "1.0.0.",
            "1.0.0-a..b",
        ],
    )
    def test_these_do_not(self, text: str) -> None:
        assert parse_version(text) is None

    @pytest.mark.parametrize(
        "text",
        [
            "1.0.0+.a",
            "1.0.0.a..b",
            " 1",
            "1 ",
            "1\n",
            "00",
            "1.0.٣",
            "-1",
            "+1",
            "1_0",
            "1+a",
            f"{2**64}",
            "9" * 5000,
        ],
    )
    def test_nor_do_these(self, text: str) -> None:
        assert parse_version(text) is None

    def test_the_parts(self) -> None:
        parsed = parse_version("v4.5.6.d.e-p.q-r+b-1.c+2")
        assert parsed is not None
        assert parsed.numbers == (4, 5, 6)
        assert parsed.prefixed
        assert parsed.dev == ("d", "e")
        assert parsed.prerelease == ("p", "q-r")
        assert parsed.build == ("b-1", "c+2")
        assert parsed.has_suffix

    @pytest.mark.parametrize("operator", OPERATORS)
    @pytest.mark.parametrize("text", ["1.08.0", "", "x"])
    def test_what_does_not_parse_matches_nothing(self, text: str, operator: str | None) -> None:
        assert not version_accepts(entry=text, operator=operator, model=text)
        assert not version_accepts(entry=text, operator=operator, model="1.0.0")
        assert not version_accepts(entry="1.0.0", operator=operator, model=text)

    @given(st.text(alphabet="v0123.+-a٣ "))
    def test_any_text_parses_or_not_without_an_error(self, text: str) -> None:
        parsed = parse_version(text)
        assert parsed is None or 1 <= len(parsed.numbers) <= 3


class TestOperators:
    """Rule 5: the entry's version is an upper limit for the model's."""

    @pytest.mark.parametrize(
        ("entry", "operator", "model", "accepted"),
        [
            ("1.0.0", "Equal", "1.0.0", True),
            ("1.0.0", None, "1.0", True),
            ("1.8.0", "GreaterThan", "1.7.0", True),
            ("1.8.0", "GreaterThan", "1.8.0", False),
            ("1.8.0", "GreaterThanOrEqual", "1.8.0", True),
            ("4.50.0", "GreaterThanOrEqual", "4.36.2", True),
            ("4.50.0", "GreaterThanOrEqual", "4.51.0", False),
            ("1.8.0-dev", "GreaterThan", "1.8.0-dev", True),
            ("4.45.0.dev0", "GreaterThanOrEqual", "4.44.0", False),
            ("4.50.0", "GreaterThanOrEqual", "4.45.0.dev0", False),
            ("1.8", "GreaterThan", "1.7.0", False),
        ],
    )
    def test_table(self, entry: str, operator: str | None, model: str, accepted: bool) -> None:
        assert version_accepts(entry=entry, operator=operator, model=model) is accepted

    @pytest.mark.parametrize(
        ("entry", "model"), [("1", "1.0.0"), ("v1.0.0", "1.0.0"), ("1.0", "v1"), ("1.0.0+b", "1.0.0+b")]
    )
    def test_equal_fills_up_with_zeros_and_ignores_the_v(self, entry: str, model: str) -> None:
        assert version_accepts(entry=entry, model=model)
        assert version_accepts(entry=entry, operator="Equal", model=model)

    @pytest.mark.parametrize("suffix", ["-a", "+a", ".a"])
    def test_each_suffix_is_compared(self, suffix: str) -> None:
        assert version_accepts(entry=f"1.0.0{suffix}", model=f"v1.0.0{suffix}")
        assert not version_accepts(entry=f"1.0.0{suffix}", model="1.0.0")
        assert not version_accepts(entry="1.0.0", model=f"1.0.0{suffix}")
        assert not version_accepts(entry=f"1.0.0{suffix}", model=f"1.0.0{suffix}b")

    def test_the_kinds_of_suffixes_are_not_one_another(self) -> None:
        texts = ["1.0.0-a", "1.0.0+a", "1.0.0.a"]
        accepted = [(entry, model) for entry in texts for model in texts if version_accepts(entry=entry, model=model)]
        assert accepted == [(text, text) for text in texts]

    @pytest.mark.parametrize("operator", ["GreaterThan", "GreaterThanOrEqual", "LessThan", "equal", ""])
    def test_every_operator_but_equal_needs_the_same_form(self, operator: str) -> None:
        assert not version_accepts(entry="2.0", operator=operator, model="2.0.0")
        assert not version_accepts(entry="v2.0", operator=operator, model="2.0")
        assert not version_accepts(entry="2.0", operator=operator, model="v2.0")

    @pytest.mark.parametrize("operator", ["LessThan", "LessThanOrEqual", "equal", ""])
    def test_any_other_text_is_as_equal(self, operator: str) -> None:
        assert version_accepts(entry="v2.0", operator=operator, model="v2.0")
        assert not version_accepts(entry="2.0", operator=operator, model="2.1")
        assert not version_accepts(entry="2.1", operator=operator, model="2.0")

    @pytest.mark.parametrize("operator", OPERATORS)
    def test_numbers_are_numbers_and_not_texts(self, operator: str | None) -> None:
        accepted = operator in ("GreaterThan", "GreaterThanOrEqual")
        assert version_accepts(entry="1.10.0", operator=operator, model="1.9.0") is accepted

    @given(version_texts(), version_texts())
    def test_equal_is_symmetric(self, left: str, right: str) -> None:
        assert version_accepts(entry=left, model=right) == version_accepts(entry=right, model=left)

    @given(version_texts())
    def test_equal_accepts_the_same_version_if_it_parses(self, text: str) -> None:
        assert version_accepts(entry=text, model=text) == (parse_version(text) is not None)

    @given(version_texts(), version_texts())
    def test_unset_is_equal(self, left: str, right: str) -> None:
        assert version_accepts(entry=left, model=right) == version_accepts(entry=left, operator="Equal", model=right)

    @given(plain_versions, plain_versions)
    def test_of_two_plain_versions_one_is_greater_or_both_are_equal(self, left: list[int], right: list[int]) -> None:
        entry, model = dotted(left), dotted(right)
        greater = version_accepts(entry=entry, operator="GreaterThan", model=model)
        less = version_accepts(entry=model, operator="GreaterThan", model=entry)
        equal = version_accepts(entry=entry, operator="Equal", model=model)
        assert [greater, equal, less] == [left > right, left == right, left < right]
        assert version_accepts(entry=entry, operator="GreaterThanOrEqual", model=model) == (greater or equal)

    @given(st.lists(plain_versions, min_size=3, max_size=3))
    def test_a_greater_entry_accepts_what_a_smaller_one_does(self, versions: list[list[int]]) -> None:
        model, smaller, greater = map(dotted, sorted(versions))
        assert version_accepts(entry=smaller, operator="GreaterThanOrEqual", model=model)
        assert version_accepts(entry=greater, operator="GreaterThanOrEqual", model=model)

    @given(version_texts(), version_texts(), st.sampled_from(OPERATORS))
    def test_a_suffix_makes_every_operator_equal(self, left: str, right: str, operator: str | None) -> None:
        for entry, model in ((f"{left}-x", right), (left, f"{right}-x")):
            equal = version_accepts(entry=entry, operator="Equal", model=model)
            assert version_accepts(entry=entry, operator=operator, model=model) == equal
