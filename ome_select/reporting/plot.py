"""Pictures of a decision: size ranges around the model's size, scores with their parts, and accelerator classes.

The text form of a picture says what it shows. Notebooks keep it beside the picture, for those who do not see it.
matplotlib is an extra and slow to import, so it is imported inside the functions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ome_select.class_choice import Candidate, ComponentClass
from ome_select.decision import Decision, Verdict
from ome_select.reporting.notebook import count_text, range_text, score_text
from ome_select.sizes import SizeBounds, parse_size

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PICKED, _CANDIDATE, _RULED_OUT = "#1f6feb", "#8ab4f8", "#c4ccd4"
_FRAMEWORK, _MODEL = "#f2a33a", "#c62828"
_MEANING = {_PICKED: "OME picks it", _CANDIDATE: "could be chosen", _RULED_OUT: "cannot be chosen"}
_MARGIN = 3.0
"""How far the size axis reaches beyond the smallest and the largest count, as a factor."""


def _figure(title: str, rows: Sequence[str]) -> tuple[Figure, Axes]:
    """A figure with one line of room for each row; closed, so that only its cell shows it.

    `title` and `rows` say what the figure shows; they are its text form.
    """
    from matplotlib import pyplot
    from matplotlib.figure import Figure

    class Picture(Figure):
        """A figure that says what it shows."""

        def __repr__(self) -> str:
            return f"{title}: {'; '.join(rows)}"

    size = (9, 1.2 + 0.45 * len(rows))
    figure, axes = pyplot.subplots(figsize=size, layout="constrained", FigureClass=Picture)
    pyplot.close(figure)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(axis="y", length=0)
    return figure, axes


def _label_rows(axes: Axes, verdicts: tuple[Verdict, ...]) -> None:
    """The runtimes' names from top to bottom, in the order of the decision."""
    axes.set_yticks(range(len(verdicts)), [verdict.name for verdict in verdicts])
    axes.invert_yaxis()


def _legend(axes: Axes, colors: Mapping[str, str]) -> None:
    """What the colors mean, right of the picture; `colors` holds the meaning of each color."""
    from matplotlib.patches import Patch

    handles = [Patch(color=color, label=meaning) for color, meaning in colors.items()]
    axes.legend(handles=handles, frameon=False, loc="upper left", bbox_to_anchor=(1.15, 1), fontsize=9)


def _color(decision: Decision, verdict: Verdict) -> str:
    if verdict is decision.winner:
        return _PICKED
    return _CANDIDATE if verdict.compatible else _RULED_OUT


def _range(verdict: Verdict) -> str:
    return "no range" if verdict.runtime.model_size_range is None else range_text(verdict)


def size_ranges(decision: Decision) -> Figure:
    """Each runtime's size range as a bar on a logarithmic axis, and the model's size as a line (rules 7 and 9).

    A bound that is not set runs to the edge of the picture; a runtime without a range fills it, hatched. A range whose
    `min` is above its `max` holds no size, so it has no bar.
    """
    written = decision.model.model_parameter_size
    told = [f"{row.name} {_range(row)}, {_MEANING[_color(decision, row)]}" for row in decision.rows]
    count = f"{written} parameters" if written is not None else "no size"
    figure, axes = _figure(f"Size ranges of runtimes around a model of {count}", told)
    size = parse_size(written) if written is not None else None
    all_bounds = [SizeBounds.of(verdict.runtime.model_size_range) for verdict in decision.rows]
    counts = [count for bounds in all_bounds if bounds for count in (bounds.min, bounds.max)] + [size]
    positive = [count for count in counts if count is not None and 0 < count < math.inf] or [1e9]
    left, right = min(positive) / _MARGIN, max(positive) * _MARGIN
    axes.set_xscale("log")
    axes.set_xlim(left, right)
    axes.xaxis.set_major_formatter(lambda count, _: count_text(count))
    for position, (verdict, bounds) in enumerate(zip(decision.rows, all_bounds, strict=True)):
        color = _color(decision, verdict)
        low = left if bounds is None or bounds.min is None else max(bounds.min, left)
        high = right if bounds is None or bounds.max is None else min(bounds.max, right)
        if bounds is None:
            axes.barh(position, right - left, left=left, height=0.6, facecolor="none", edgecolor=color, hatch="///")
        elif low < high:
            axes.barh(position, high - low, left=low, height=0.6, color=color)
        axes.annotate(
            _range(verdict),
            (1, position),
            xycoords=("axes fraction", "data"),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=9,
        )
    _label_rows(axes, decision.rows)
    if size is not None:
        axes.axvline(max(size, left), color=_MODEL, linewidth=2)
        axes.set_title(f"{decision.model.name} has {written} parameters", color=_MODEL, fontsize=10)
    used = {_color(decision, verdict) for verdict in decision.rows}
    _legend(axes, {color: meaning for color, meaning in _MEANING.items() if color in used})
    axes.set_xlabel("parameters (logarithmic)")
    return figure


def scores(decision: Decision) -> Figure:
    """Each ranked runtime's score as a bar, stacked of what format and framework give, times the priority (rule 8).

    A negative weight takes away: its bar runs to the left of 0.
    """
    verdicts = decision.ranked
    figure, axes = _figure("Scores of runtimes", [f"{verdict.name} {score_text(verdict)}" for verdict in verdicts])
    for position, verdict in enumerate(verdicts):
        best = verdict.scoring
        assert best is not None  # A runtime without a scoring entry does not rank.
        parts = (best.format_part * best.priority, best.framework_part * best.priority)
        # The second part begins where the first one ends, unless one of them is negative: then both begin at 0.
        start = parts[0] if min(parts) >= 0 else 0
        axes.barh(position, parts[0], height=0.6, color=_PICKED)
        axes.barh(position, parts[1], left=start, height=0.6, color=_FRAMEWORK)
        axes.annotate(
            f"{verdict.score}",
            (max(parts[0], start + parts[1]), position),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=10,
            fontweight="bold",
        )
    _label_rows(axes, verdicts)
    _legend(axes, {_PICKED: "format weight × priority", _FRAMEWORK: "framework weight × priority"})
    axes.locator_params(axis="x", integer=True)
    axes.set_xlabel("score")
    return figure


def _value(candidate: Candidate) -> str:
    if candidate.kept and candidate.value is not None:
        return f"{candidate.value:.6g}"
    return candidate.reason or ""


def class_values(answer: ComponentClass) -> Figure:
    """What a policy compares for each class of the runtime's list: scores, or costs (rule 16.3).

    A class that is out has no bar; its reason stands in its place.
    """
    values = [_value(candidate) for candidate in answer.candidates]
    told = [f"{candidate.name} {value}" for candidate, value in zip(answer.candidates, values, strict=True)]
    figure, axes = _figure(f"Accelerator classes by what {answer.policy} compares, which picks {answer.name}", told)
    for position, (candidate, value) in enumerate(zip(answer.candidates, values, strict=True)):
        if candidate.kept and candidate.value is not None:
            color = _PICKED if candidate.name == answer.name else _CANDIDATE
            axes.barh(position, candidate.value, height=0.6, color=color)
        axes.annotate(
            value,
            (candidate.value or 0 if candidate.kept else 0, position),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=10,
        )
    axes.set_yticks(range(len(answer.candidates)), [candidate.name for candidate in answer.candidates])
    axes.invert_yaxis()
    axes.set_xlabel(f"{answer.policy}: {next((c.basis for c in answer.candidates if c.basis), 'nothing to compare')}")
    return figure
