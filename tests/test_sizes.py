from __future__ import annotations

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ome_select.sizes import SizeBounds, format_size, parse_size
from tests.builders import sizes
from tests.strategies import size_texts
from tests.vectors_io import recorded


def same(left: float, right: float) -> bool:
    """Equal, where a NaN equals a NaN and the sign of a zero counts."""
    return (math.isnan(left) and math.isnan(right)) or (
        left == right and math.copysign(1, left) == math.copysign(1, right)
    )


def bounds(low: str | None, high: str | None) -> SizeBounds:
    read = SizeBounds.of(sizes(low, high))
    assert read is not None
    return read


class TestRecordedAnswers:
    def test_parse(self) -> None:
        cases = recorded("sizes.jsonl")
        assert [case for case in cases if not same(parse_size(case["size"]), float(case["parameters"]))] == []

    def test_format(self) -> None:
        cases = recorded("size-texts.jsonl")
        assert [case for case in cases if format_size(case["parameters"]) != case["text"]] == []


class TestParse:
    """Rule 7: a number as Go's ParseFloat reads it, times one suffix; what cannot be read is 0."""

    @pytest.mark.parametrize(
        ("text", "count"),
        [
            ("500M", 5e8),
            ("3.21B", 3.21e9),
            ("1T", 1e12),
            ("1000", 1000.0),
            ("+3B", 3e9),
            ("-3B", -3e9),
            (".5B", 5e8),
            ("5.B", 5e9),
            ("1e3M", 1e9),
            ("0x1p4B", 16e9),
            ("0x.8p1B", 1e9),
            ("0x_1p0M", 1e6),
            ("1_000M", 1e9),
            ("inf", math.inf),
            ("-Infinity", -math.inf),
            ("infB", math.inf),
            ("NaN", math.nan),
        ],
    )
    def test_numbers(self, text: str, count: float) -> None:
        assert same(parse_size(text), count)

    @pytest.mark.parametrize(
        "text",
        [
            "4b",
            "3 B",
            " 3B",
            "3B ",
            "3.21BB",
            "524K",
            "8x7B",
            "",
            "B",
            ".B",
            "1e",
            "_1B",
            "1_B",
            "1__0B",
            "0x1B",
            "0b1B",
            "infi",
            "+nan",
            "3B\n",
            "٣B",
            "1e400",
            "1e309B",
            "0x1p1024",
            "-1e999M",
        ],
    )
    def test_what_cannot_be_read_is_0(self, text: str) -> None:
        assert same(parse_size(text), 0.0)

    def test_half_a_billion_is_500_million(self) -> None:
        assert parse_size("0.5B") == parse_size("500M")

    @given(st.text())
    def test_any_text_is_a_number(self, text: str) -> None:
        assert isinstance(parse_size(text), float)

    @given(st.floats(allow_nan=False, allow_infinity=False))
    def test_what_python_writes_is_read_back(self, number: float) -> None:
        assert same(parse_size(repr(number)), number)

    @given(st.floats(allow_nan=False, allow_infinity=False))
    def test_hexadecimal(self, number: float) -> None:
        assert same(parse_size(number.hex()), number)


class TestFormat:
    """Rule 17.2: the largest unit, two decimals, and OME's quirk that two decimals may round to one."""

    @pytest.mark.parametrize(
        ("count", "text"),
        [
            (0, "0"),
            (999, "999"),
            (1000, "1K"),
            (92564, "92.56K"),
            (10**6, "1M"),
            (1_500_000, "1.5M"),
            (999_999_999, "1000.00M"),
            (10**9, "1B"),
            (1_100_000_000, "1.10B"),
            (1_250_000_000, "1.2B"),
            (1_500_000_000, "1.5B"),
            (3_210_000_000, "3.2B"),
            (3_212_749_824, "3.21B"),
            (7 * 10**9, "7B"),
            (685 * 10**9, "685B"),
            (10**12, "1T"),
            (1_026_470_731_056, "1.03T"),
        ],
    )
    def test_table(self, count: int, text: str) -> None:
        assert format_size(count) == text

    def test_a_count_is_not_negative(self) -> None:
        with pytest.raises(ValueError, match=r"^a parameter count is at least 0, not -1$"):
            format_size(-1)

    @given(st.integers(min_value=0, max_value=10**16))
    @example(1_250_000_000)
    def test_parse_reads_what_format_writes(self, count: int) -> None:
        """Within what one decimal leaves out; OME cannot read the `K` that it writes, so thousands are 0."""
        read = parse_size(format_size(count))
        if 1000 <= count < 10**6:
            assert read == 0
        else:
            assert read == pytest.approx(count, rel=0.05)

    @given(st.integers(min_value=1, max_value=999), st.sampled_from([(10**6, "M"), (10**9, "B"), (10**12, "T")]))
    def test_whole_counts_agree_exactly(self, number: int, unit: tuple[int, str]) -> None:
        factor, suffix = unit
        assert format_size(number * factor) == f"{number}{suffix}"
        assert parse_size(f"{number}{suffix}") == number * factor


class TestRange:
    """Rule 7: neither below `min` nor above `max`, each only if set; the bounds are inclusive."""

    @pytest.mark.parametrize(
        ("low", "high", "size", "passes"),
        [
            ("2B", "4B", "3.21B", True),
            ("2B", "4B", "4B", True),
            ("2B", "4B", "2B", True),
            ("2B", "4B", "1.99B", False),
            ("2B", "4B", "4.01B", False),
            ("500M", "2B", "3.21B", False),
            ("1B", "4B", "1500M", True),
            ("0.5B", "500M", "500M", True),
            ("70B", None, "405B", True),
            ("70B", None, "69B", False),
            (None, "13B", "3.21B", True),
            (None, "13B", "13.1B", False),
            (None, None, "3B", True),
            ("4B", "2B", "3B", False),  # min above max rejects every size
            ("4B", "2B", "4B", False),
            ("1B", "13B", "8x7B", False),  # unreadable is 0
            (None, "13b", "3B", False),
            ("7b", None, "3B", True),
            ("2B", "4B", "NaN", True),  # neither below nor above
            ("NaN", "NaN", "3B", True),
        ],
    )
    def test_table(self, low: str | None, high: str | None, size: str, passes: bool) -> None:
        assert bounds(low, high).contains(parse_size(size)) is passes

    @pytest.mark.parametrize(
        ("low", "high", "text"),
        [
            ("500M", "2B", "[500M, 2B]"),
            ("70B", None, "[70B, inf)"),
            (None, "13B", "(-inf, 13B]"),
            (None, None, "(-inf, inf)"),
            ("7b", "", "[7b, ]"),
        ],
    )
    def test_shown_as_written(self, low: str | None, high: str | None, text: str) -> None:
        assert str(bounds(low, high)) == text

    def test_no_range_has_no_bounds(self) -> None:
        assert SizeBounds.of(None) is None

    @given(size_texts(), size_texts(), size_texts())
    def test_both_bounds_are_the_two_single_bounds_together(self, low: str, high: str, size: str) -> None:
        count = parse_size(size)
        both = bounds(low, None).contains(count) and bounds(None, high).contains(count)
        assert bounds(low, high).contains(count) == both

    @given(size_texts())
    def test_every_size_is_in_the_range_from_itself_to_itself(self, size: str) -> None:
        assert bounds(size, size).contains(parse_size(size))


class TestDistance:
    """Rule 9: |bound - size| added up over the bounds that are set."""

    @pytest.mark.parametrize(
        ("low", "high", "size", "distance"),
        [
            ("1B", "8B", "3B", 7e9),  # inside: the range's width
            ("1B", "70B", "3B", 69e9),
            ("70B", None, "405B", 335e9),  # one bound: that bound alone
            (None, "13B", "3B", 10e9),
            (None, None, "3B", 0.0),
            ("4B", "6B", "1B", 8e9),  # outside: both distances
        ],
    )
    def test_table(self, low: str | None, high: str | None, size: str, distance: float) -> None:
        assert bounds(low, high).distance(parse_size(size)) == distance

    @given(st.integers(0, 500), st.integers(0, 500), st.integers(0, 500))
    def test_inside_the_range_it_is_the_width(self, first: int, second: int, third: int) -> None:
        low, size, high = sorted((first, second, third))
        assert bounds(f"{low}B", f"{high}B").distance(parse_size(f"{size}B")) == (high - low) * 1e9
