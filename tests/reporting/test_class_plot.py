"""The picture of a policy's choice shows what the record says."""

from __future__ import annotations

from pathlib import Path

import pytest
from matplotlib.colors import to_hex

import ome_select as ome
from ome_select.reporting import plot


@pytest.mark.parametrize(
    ("service", "bars", "texts", "label"),
    [
        ("best-fit", [0.65, 0.883333], ["0.65", "0.883333"], "BestFit: score"),
        ("cheapest", [2.1, 0.8], ["2.1", "0.8"], "Cheapest: spotPerHour"),
        ("hopper-only", [2.1], ["2.1", "architecture family ada not in allowed list"], "Cheapest: spotPerHour"),
    ],
)
def test_bars_and_reasons(root: Path, service: str, bars: list[float], texts: list[str], label: str) -> None:
    cluster = ome.load(root / "fixtures/classes/generations")
    answer = ome.component_class(cluster, isvc=service, namespace="llama-demo")
    (axes,) = plot.class_values(answer).axes
    assert [patch.get_width() for patch in axes.patches] == pytest.approx(bars, abs=1e-6)
    assert [text.get_text() for text in axes.texts] == texts
    names = [text.get_text() for text in axes.get_yticklabels()]
    assert names == ["nvidia-h100", "nvidia-l40s"]
    picked = [names[index] for index, patch in enumerate(axes.patches) if to_hex(patch.get_facecolor()) == "#1f6feb"]
    assert picked == [answer.name]
    assert axes.get_xlabel() == label


def test_nothing_to_compare(root: Path) -> None:
    cluster = ome.load(root / "fixtures/classes/hopper")
    (axes,) = plot.class_values(ome.component_class(cluster, isvc="nothing-fits", namespace="llama-demo")).axes
    assert len(axes.patches) == 0
    assert axes.get_xlabel() == "Cheapest: nothing to compare"


def test_the_text_form_says_what_the_picture_shows(root: Path) -> None:
    cluster = ome.load(root / "fixtures/classes/generations")
    answer = ome.component_class(cluster, isvc="hopper-only", namespace="llama-demo")
    assert repr(plot.class_values(answer)) == (
        "Accelerator classes by what Cheapest compares, which picks nvidia-h100: "
        "nvidia-h100 2.1; nvidia-l40s architecture family ada not in allowed list"
    )
