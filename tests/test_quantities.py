"""Kubernetes quantities (docs/rules.md, sections 16.2 and 16.3)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ome_select.cluster import Cluster
from ome_select.errors import InvalidObjectError
from ome_select.quantities import gibibytes, parse_quantity, whole, whole_gibibytes


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("80Gi", 80 * 2**30),
        ("1Ki", 1024),
        ("1Ei", 2**60),
        ("80G", 80 * 10**9),
        ("80", 80),
        ("4500m", Fraction(9, 2)),
        ("4.5", Fraction(9, 2)),
        ("250u", Fraction(1, 4000)),
        ("1.5k", 1500),
        ("1E", 10**18),
        ("1E3", 1000),
        ("1e-3", Fraction(1, 1000)),
        ("+.5", Fraction(1, 2)),
        ("5.", 5),
        ("-1", -1),
        # Below a billionth the API server rounds away from zero.
        ("1e-12", Fraction(1, 10**9)),
        ("-1e-12", Fraction(-1, 10**9)),
    ],
)
def test_parses(text, amount):
    assert parse_quantity(text) == amount


@pytest.mark.parametrize("text", ["", "Gi", "80gb", "80 Gi", "80K", "1ki", "1e", "1e1.5", ".", "٣", "1e3Gi", "NaN"])
def test_is_no_quantity(text):
    assert parse_quantity(text) is None


@pytest.mark.parametrize(
    ("text", "gib", "floored"), [("80Gi", 80.0, 80), ("80G", 74.50580596923828, 74), ("80", 80 / 2**30, 0)]
)
def test_gibibytes(text, gib, floored):
    amount = parse_quantity(text)
    assert (gibibytes(amount), whole_gibibytes(amount)) == (gib, floored)


def test_whole_rounds_up_and_stays_within_64_bits():
    assert [whole(parse_quantity(text)) for text in ("1500m", "-1500m", "16E", "-16E")] == [2, -1, 2**63 - 1, -(2**63)]


@given(st.integers(-(10**12), 10**12))
def test_a_whole_number_is_itself(number):
    assert parse_quantity(str(number)) == number


def test_what_is_no_quantity_is_told_with_its_place():
    """The API server would refuse such a class, so no cluster holds it."""
    manifest = {
        "apiVersion": "ome.io/v1beta1",
        "kind": "AcceleratorClass",
        "metadata": {"name": "a"},
        "spec": {"discovery": {}, "capabilities": {"memoryGB": "80GB"}},
    }
    with pytest.raises(InvalidObjectError) as raised:
        Cluster.from_objects([manifest])
    assert str(raised.value) == (
        'AcceleratorClass/a: spec.capabilities.memoryGB: found the text "80GB" where a Kubernetes quantity belongs '
        "(write a number with a unit of Kubernetes, such as 80Gi or 4500m)"
    )
