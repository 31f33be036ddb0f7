"""Entry score, runtime score, and the WEIGHT that `explain` shows (docs/rules.md, sections 8 and 11)."""

from __future__ import annotations

from typing import NamedTuple

from ome_select.compiled import CompiledEntry, CompiledModel, CompiledName, CompiledRuntime
from ome_select.matching import versions_match

# Rule 8: a weight of exactly 0 counts as these.
ZERO_FORMAT_WEIGHT = 10
ZERO_FRAMEWORK_WEIGHT = 5


class EntryScore(NamedTuple):
    """How one entry scores: (format part + framework part) × priority.

    `entry_index` is the entry's place in `supportedModelFormats`, from 0.
    """

    entry_index: int
    format_part: int
    framework_part: int
    priority: int

    @property
    def total(self) -> int:
        """The entry's score; it may be negative."""
        return (self.format_part + self.framework_part) * self.priority


def priority_of(entry: CompiledEntry) -> int:
    """The entry's priority; unset counts as 1 (rule 8)."""
    return 1 if entry.written.priority is None else entry.written.priority


def _part(entry: CompiledName, model: CompiledName, zero_weight: int) -> int | None:
    """What a format or a framework adds to the score; None where it zeroes the entry's score.

    Versions are compared only where both sides have one: a version on one side only fails section 5, not this one.
    """
    if entry.name != model.name:
        return None
    if entry.version_text is not None and model.version_text is not None and not versions_match(entry, model):
        return None
    return zero_weight if entry.weight == 0 else entry.weight


def _parts(entry: CompiledEntry, model: CompiledModel) -> tuple[int, int] | None:
    """What format and framework add; None where the entry scores 0 (rule 8)."""
    format_part: int | None = 0
    if entry.model_format is not None:
        format_part = _part(entry.model_format, model.model_format, ZERO_FORMAT_WEIGHT)
    framework_part: int | None = 0
    if entry.model_framework is not None and model.model_framework is not None:
        framework_part = _part(entry.model_framework, model.model_framework, ZERO_FRAMEWORK_WEIGHT)
    elif entry.model_framework is not model.model_framework:
        # A framework on one side only.
        return None
    return None if format_part is None or framework_part is None else (format_part, framework_part)


def score_entry(index: int, entry: CompiledEntry, model: CompiledModel) -> EntryScore | None:
    """The score of one entry, or None for an entry that counts nothing (rule 8).

    Architecture, quantization and diffusion pipeline play no part.
    """
    if entry.written.auto_select is False:
        return None
    parts = _parts(entry, model)
    return None if parts is None else EntryScore(index, *parts, priority_of(entry))


def score_runtime(runtime: CompiledRuntime, model: CompiledModel) -> EntryScore | None:
    """The entry that gives the runtime its score, the first of the best; None when none scores above 0 (rule 8)."""
    best: EntryScore | None = None
    for index, entry in enumerate(runtime.entries):
        scored = score_entry(index, entry, model)
        if scored is not None and scored.total > (best.total if best else 0):
            best = scored
    return best


def shown_weight(entry: CompiledEntry) -> int:
    """The WEIGHT that `explain` shows, of a runtime's first matching entry: it may differ from the score (rule 11)."""
    names = (entry.model_format, entry.model_framework)
    return sum(name.weight for name in names if name is not None and name.weight > 0) * priority_of(entry)
