"""What the notebooks print: manifests as they are written, and the numbers behind a decision."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import yaml
from wcwidth import wcswidth

from ome_select.decision import Decision, Verdict

_SEPARATOR = re.compile(r"^---[ \t]*\n", re.MULTILINE)
_UNITS = ((1e12, "T"), (1e9, "B"), (1e6, "M"))


def manifest(path: str | Path, *names: str) -> str:
    """The text of a manifest file, or of the documents in it that have one of these names.

    Args:
        path: a file of one or several YAML documents.
        names: values of `metadata.name`; without any, the whole file.

    Returns:
        The text as it is written, comments included.

    Raises:
        ValueError: when the file has no object of one of the names.
    """
    text = Path(path).read_text(encoding="utf-8")
    if not names:
        return text.rstrip()
    found: dict[str, list[str]] = {name: [] for name in names}
    for document in _SEPARATOR.split(text):
        value = yaml.safe_load(document)
        if isinstance(value, dict) and value["metadata"]["name"] in found:
            found[value["metadata"]["name"]].append(document.rstrip())
    if missing := [name for name in names if not found[name]]:
        raise ValueError(f"{path} has no object named {', '.join(missing)}: look at the names in the file")
    return "\n---\n".join(document for documents in found.values() for document in documents)


def _cell(value: object) -> str:
    """A value as a table shows it: yes or no, a list with commas, and `-` for what is not set."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value)) or "-"
    return "-" if value is None else str(value)


def text_table(headers: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as plain text, its columns as wide as their widest cells and three spaces apart.

    True and False show as yes and no, a list with commas, and None or an empty list as `-`.
    """
    lines = [[_cell(cell) for cell in line] for line in (headers, *rows)]
    widths = [max(wcswidth(cell) for cell in column) for column in zip(*lines, strict=True)]
    return "\n".join(
        "   ".join(cell + " " * (width - wcswidth(cell)) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def count_text(parameters: float) -> str:
    """A parameter count for people: `7B`, `9.79B`, `210M`."""
    for unit, suffix in _UNITS:
        if parameters >= unit:
            return f"{parameters / unit:.6g}{suffix}"
    return f"{parameters:.6g}"


def range_text(verdict: Verdict) -> str:
    """A runtime's size range as its manifest writes it, a missing bound as `…`; `-` without a range."""
    written = verdict.runtime.model_size_range
    return "-" if written is None else f"{written.min or '…'} to {written.max or '…'}"


def score_text(verdict: Verdict) -> str:
    """A runtime's score with the numbers that it comes from: `(2 + 1) × 2 = 6`; 0 where no entry scores."""
    best = verdict.scoring
    return "0" if best is None else f"({best.format_part} + {best.framework_part}) × {best.priority} = {best.total}"


def ranking(decision: Decision) -> str:
    """The runtimes that can be chosen, best first, with what puts each one ahead of the next (rule 9)."""
    return text_table(
        ("RUNTIME", "SCOPE", "RANGE", "SCORE", "DISTANCE", "AHEAD BY"),
        (
            (
                verdict.name,
                verdict.scope,
                range_text(verdict),
                score_text(verdict),
                None if verdict.distance is None else count_text(verdict.distance),
                verdict.decided_by,
            )
            for verdict in decision.ranked
        ),
    )


def reasons(decision: Decision) -> str:
    """The runtimes that cannot be chosen, each with its reason on one line (rule 11)."""
    return text_table(("RUNTIME", "REASON"), ((row.name, row.reason) for row in decision.rows if not row.compatible))
