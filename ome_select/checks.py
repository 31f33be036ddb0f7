"""The checks that every candidate runtime must pass, in OME's order (docs/rules.md, section 2, steps 1 to 5)."""

from __future__ import annotations

from collections.abc import Callable

from ome_select.compiled import CompiledModel, CompiledRuntime, Requirements
from ome_select.matching import differences, label


class Question:
    """What is asked about every runtime: a model and what its service requires."""

    __slots__ = ("_label", "asked", "model", "required")

    def __init__(self, model: CompiledModel, required: Requirements) -> None:
        self.model = model
        self.required = required
        self.asked = tuple((index, check.passes) for index, check in enumerate(CHECKS) if check.applies(self))
        self._label: str | None = None

    @property
    def label(self) -> str:
        """The model as reasons name it, made on first use."""
        if self._label is None:
            self._label = label(self.model)
        return self._label


class Check:
    """One check: whether a runtime passes, and the reason to give when it does not.

    `first_match` is the index of the runtime's first entry that matches the model, or None. It is found once for all
    runtimes, through the index of the `Selector`. `reason` is called only for a runtime that failed, and only when
    somebody asks.
    """

    __slots__ = ("applies", "name", "passes", "reason")

    def __init__(
        self,
        *,
        name: str,
        passes: Callable[[CompiledRuntime, Question, int | None], bool],
        reason: Callable[[CompiledRuntime, Question], str],
        applies: Callable[[Question], bool] = lambda question: True,
    ) -> None:
        self.name = name
        self.passes = passes
        self.reason = reason
        self.applies = applies
        """Whether the question asks anything of this check; where it does not, every runtime passes."""


def _is_enabled(runtime: CompiledRuntime, question: Question, first_match: int | None) -> bool:
    return not runtime.runtime.disabled


def _lists_classes(runtime: CompiledRuntime, question: Question, first_match: int | None) -> bool:
    """Every class that the service names must be on the runtime's list (rule 3)."""
    return question.required.accelerator_classes <= runtime.accelerator_classes


def _mode_clashes(own: str | None, requested: str | None) -> bool:
    """Rejected only when both sides have a mode and they differ (rule 4)."""
    return own is not None and requested is not None and own != requested


def _modes_agree(runtime: CompiledRuntime, question: Question, first_match: int | None) -> bool:
    required = question.required
    return not (
        _mode_clashes(runtime.engine_mode, required.engine_mode)
        or _mode_clashes(runtime.decoder_mode, required.decoder_mode)
    )


def _mode_reason(runtime: CompiledRuntime, question: Question) -> str:
    """The engine is checked before the decoder (rule 2, step 3)."""
    component, own, requested = "decoder", runtime.decoder_mode, question.required.decoder_mode
    if _mode_clashes(runtime.engine_mode, question.required.engine_mode):
        component, own, requested = "engine", runtime.engine_mode, question.required.engine_mode
    return f"runtime {component} deployment mode {own} does not match requested {component} deployment mode {requested}"


def _entry_matches(runtime: CompiledRuntime, question: Question, first_match: int | None) -> bool:
    return first_match is not None


def _format_reason(runtime: CompiledRuntime, question: Question) -> str:
    """All the differences of all the entries (rule 5)."""
    entries = "; ".join([", ".join(differences(entry, question.model)) for entry in runtime.entries])
    return f"model format '{question.label}' not in supported formats: {entries or 'no supported formats defined'}"


def _size_fits(runtime: CompiledRuntime, question: Question, first_match: int | None) -> bool:
    """A model without a size, and a runtime without a range, pass (rule 7)."""
    size = question.model.size
    return size is None or runtime.size_bounds is None or runtime.size_bounds.contains(size)


def _size_reason(runtime: CompiledRuntime, question: Question) -> str:
    size = question.model.written.model_parameter_size
    return f"model size {size} is outside supported range {runtime.size_bounds}"


CLASS_CHECK = "accelerator class"
MODE_CHECK = "deployment mode"
SIZE_CHECK = "model size"

CHECKS: tuple[Check, ...] = (
    Check(name="enabled", passes=_is_enabled, reason=lambda runtime, question: "runtime is disabled"),
    Check(
        name=CLASS_CHECK,
        passes=_lists_classes,
        reason=lambda runtime, question: "runtime does not support the required accelerator class",
        applies=lambda question: bool(question.required.accelerator_classes),
    ),
    Check(
        name=MODE_CHECK,
        passes=_modes_agree,
        reason=_mode_reason,
        applies=lambda question: bool(question.required.engine_mode or question.required.decoder_mode),
    ),
    Check(name="model format", passes=_entry_matches, reason=_format_reason),
    Check(name=SIZE_CHECK, passes=_size_fits, reason=_size_reason),
)
"""Every check in order: the first one that a runtime fails is its reason."""


def first_failure(runtime: CompiledRuntime, question: Question, first_match: int | None) -> int | None:
    """The index in `CHECKS` of the first check that the runtime fails; None when it supports the model."""
    for index, passes in question.asked:
        if not passes(runtime, question, first_match):
            return index
    return None
