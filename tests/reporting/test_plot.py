"""The pictures show what the record says."""

from __future__ import annotations

from pathlib import Path

import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba

import ome_select as ome
from ome_select.reporting import plot
from ome_select.resources import ModelSizeRange

MODEL = "llama-3-2-3b-instruct"


@pytest.fixture
def ranges(root: Path) -> ome.Cluster:
    return ome.load(root / "fixtures/size/ranges")


def decide(cluster: ome.Cluster) -> ome.Decision:
    return ome.explain(cluster, model=MODEL, namespace="llama-demo")


def axes_of(figure: object) -> Axes:
    [axes] = figure.axes  # type: ignore[attr-defined]
    return axes


def names(axes: Axes) -> list[str]:
    return [label.get_text() for label in axes.get_yticklabels()]


def bars(axes: Axes) -> dict[str, tuple[float, float]]:
    """Runtime: where its first bar begins and ends."""
    found: dict[str, tuple[float, float]] = {}
    for patch in axes.patches:
        row = names(axes)[round(patch.get_y() + patch.get_height() / 2)]
        found.setdefault(row, (patch.get_x(), patch.get_x() + patch.get_width()))
    return found


class TestSizeRanges:
    """Ranges as bars, the size as a line."""

    def test_rows_are_those_of_the_decision(self, ranges: ome.Cluster) -> None:
        axes = axes_of(plot.size_ranges(decide(ranges)))
        assert names(axes) == ["no-range", "from-2b-to-4b", "from-4b", "up-to-2b"]
        assert axes.yaxis_inverted()

    def test_a_bar_reaches_from_bound_to_bound(self, ranges: ome.Cluster) -> None:
        axes = axes_of(plot.size_ranges(decide(ranges)))
        assert bars(axes)["up-to-2b"] == pytest.approx((5e8, 2e9))
        assert bars(axes)["no-range"] == pytest.approx(axes.get_xlim())

    def test_an_open_bound_runs_to_the_edge(self, ranges: ome.Cluster) -> None:
        cluster = ranges.replace("ClusterServingRuntime/from-4b", model_size_range=ModelSizeRange(min="3B"))
        axes = axes_of(plot.size_ranges(decide(cluster)))
        assert bars(axes)["from-4b"] == pytest.approx((3e9, axes.get_xlim()[1]))

    def test_a_range_the_wrong_way_round_has_no_bar(self, ranges: ome.Cluster) -> None:
        cluster = ranges.replace("ClusterServingRuntime/from-4b", model_size_range=ModelSizeRange(min="4B", max="2B"))
        axes = axes_of(plot.size_ranges(decide(cluster)))
        assert "from-4b" in names(axes)
        assert "from-4b" not in bars(axes)

    def test_the_line_is_at_the_models_size(self, ranges: ome.Cluster) -> None:
        [line] = axes_of(plot.size_ranges(decide(ranges))).lines
        assert list(line.get_xdata()) == [3.21e9, 3.21e9]

    def test_a_model_without_a_size_has_no_line(self, ranges: ome.Cluster) -> None:
        cluster = ranges.replace(f"BaseModel/{MODEL}", model_parameter_size=None)
        axes = axes_of(plot.size_ranges(decide(cluster)))
        assert len(axes.lines) == 0
        assert axes.get_title() == ""

    def test_colors_tell_what_becomes_of_each(self, ranges: ome.Cluster) -> None:
        axes = axes_of(plot.size_ranges(decide(ranges)))
        colors = {names(axes)[row]: patch.get_edgecolor() for row, patch in enumerate(axes.patches)}
        legend = {
            text.get_text(): handle
            for text, handle in zip(axes.get_legend().texts, axes.get_legend().legend_handles, strict=True)
        }
        assert set(legend) == {"OME picks it", "could be chosen", "cannot be chosen"}
        assert colors["no-range"] == to_rgba(legend["OME picks it"].get_facecolor())
        facecolors = {names(axes)[row]: patch.get_facecolor() for row, patch in enumerate(axes.patches)}
        assert facecolors["from-2b-to-4b"] == to_rgba(legend["could be chosen"].get_facecolor())
        assert facecolors["up-to-2b"] == to_rgba(legend["cannot be chosen"].get_facecolor())


class TestScores:
    """Scores as bars of two parts."""

    def test_parts_are_stacked(self, root: Path) -> None:
        axes = axes_of(plot.scores(decide(ome.load(root / "fixtures/scoring"))))
        assert names(axes) == ["team-llama", "vllm-llama", "srt-llama-small", "srt-llama-large"]
        assert [(patch.get_x(), patch.get_width()) for patch in axes.patches][2:4] == [(0, 4), (4, 2)]
        assert [text.get_text() for text in axes.texts] == ["2", "6", "6", "6"]

    def test_a_negative_part_runs_to_the_left(self, root: Path) -> None:
        axes = axes_of(plot.scores(decide(ome.load(root / "fixtures/scoring/weights"))))
        row = names(axes).index("format-negative")
        assert [(patch.get_x(), patch.get_width()) for patch in axes.patches][2 * row : 2 * row + 2] == [
            (0, -1),
            (0, 5),
        ]

    def test_what_cannot_be_chosen_has_no_bar(self, root: Path) -> None:
        axes = axes_of(plot.scores(decide(ome.load(root / "fixtures/scoring/weights"))))
        assert "adds-up-to-zero" not in names(axes)


class TestText:
    """The text form of a picture says what it shows, for those who do not see it."""

    def test_size_ranges(self, ranges):
        assert repr(plot.size_ranges(decide(ranges))) == (
            "Size ranges of runtimes around a model of 3.21B parameters: no-range no range, OME picks it; "
            "from-2b-to-4b 2B to 4B, could be chosen; from-4b 4B to 8B, cannot be chosen; "
            "up-to-2b 500M to 2B, cannot be chosen"
        )

    def test_scores(self, root):
        assert repr(plot.scores(decide(ome.load(root / "fixtures/scoring")))) == (
            "Scores of runtimes: team-llama (1 + 1) × 1 = 2; vllm-llama (2 + 1) × 2 = 6; "
            "srt-llama-small (1 + 1) × 3 = 6; srt-llama-large (1 + 1) × 3 = 6"
        )

    def test_a_model_without_a_size(self, ranges):
        sizeless = ranges.replace("BaseModel/llama-3-2-3b-instruct", model_parameter_size=None)
        assert repr(plot.size_ranges(decide(sizeless))).startswith(
            "Size ranges of runtimes around a model of no size: "
        )
