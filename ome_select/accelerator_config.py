"""What an entry's `acceleratorConfig` changes for the class that a component gets (docs/rules.md, section 16.4)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ome_select.class_choice import AcceleratedComponent
from ome_select.compiled import CompiledEntry, CompiledModel, CompiledRuntime
from ome_select.matching import matches
from ome_select.resources import AcceleratorConfig, BaseModel, Component, ServingRuntime
from ome_select.scoring import score_entry

# The spellings of SGLang and vLLM. A flag that the arguments do not hold is not added: its spelling is not known.
_PARALLELISM = (
    ("tensor_parallel_size", frozenset({"--tp-size", "--tp", "--tensor-parallel-size", "-tp"})),
    ("pipeline_parallel_size", frozenset({"--pp-size", "--pp", "--pipeline-parallel-size", "-pp"})),
    ("data_parallel_size", frozenset({"--dp-size", "--dp", "--data-parallel-size", "-dp"})),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class ClassArguments:
    """A component's arguments on its accelerator class.

    Attributes:
        args: the arguments, the class's own in place of the runtime's.
        environment: the variables that the class sets or replaces.
        entry: the index of the entry whose `acceleratorConfig` was applied; None where nothing was.
    """

    args: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    entry: int | None = None


def class_arguments(
    runtime: ServingRuntime,
    model: BaseModel,
    accelerator_class: str | None,
    *,
    component: AcceleratedComponent = "engine",
    auto_selected: bool = False,
) -> ClassArguments:
    """The arguments of a component on the accelerator class that it gets.

    Args:
        runtime: the runtime in use, merged if it was named.
        model: the model that it serves.
        accelerator_class: the component's class, exactly as the keys of `acceleratorConfig` are written, or None.
        component: whose arguments.
        auto_selected: whether OME chose the runtime: then only entries with `autoSelect: true` count.

    Source: docs/rules.md, section 16.4 and the example in section 21. How an argument finds its place, and that the
    best-matching entry is the matching one with the highest score, is inferred.
    """
    own: Component | None = getattr(runtime, component)
    args = own.runner_args if own else ()
    found = _best_match(runtime, model, auto_selected=auto_selected)
    if found is None or accelerator_class is None:
        return ClassArguments(args=args)
    index, entry = found
    config = (entry.written.accelerator_config or {}).get(accelerator_class)
    if config is None:
        return ClassArguments(args=args)
    return ClassArguments(args=_overridden(args, config), environment=config.environment_override, entry=index)


def _best_match(runtime: ServingRuntime, model: BaseModel, *, auto_selected: bool) -> tuple[int, CompiledEntry] | None:
    """The matching entry with the highest score, the first of equals; None where no entry matches."""
    if model.model_format is None:
        return None
    compiled = CompiledModel(model, model.model_format)
    scores: dict[int, int] = {}
    entries = CompiledRuntime(runtime).entries
    for index, entry in enumerate(entries):
        if (entry.written.auto_select or not auto_selected) and matches(entry, compiled):
            # Where the runtime was named, `autoSelect` plays no part, so it must not keep the entry from scoring.
            counted = CompiledEntry(dataclasses.replace(entry.written, auto_select=True))
            score = score_entry(index, counted, compiled)
            assert score is not None, "an entry that matches has a score"
            scores[index] = score.total
    best = max(scores, key=scores.__getitem__, default=None)
    return None if best is None else (best, entries[best])


def _arguments(args: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each argument with its flag: `--tp-size=8` is one text, `--tp-size 8` are two; other texts are their own flag."""
    position = 0
    while position < len(args):
        flag, equals, _ = args[position].partition("=")
        takes_next = (
            flag.startswith("-") and not equals and position + 1 < len(args) and not args[position + 1].startswith("-")
        )
        end = position + (2 if takes_next else 1)
        yield flag, args[position:end]
        position = end


def _overridden(args: tuple[str, ...], config: AcceleratorConfig) -> tuple[str, ...]:
    """An argument of the class stands in the place of the runtime's of the same flag, or else at the end."""
    overrides = dict(_arguments(config.runtime_args_override))
    result: list[str] = []
    for flag, texts in _arguments(args):
        result += overrides.pop(flag) if flag in overrides else _parallel(flag, texts, config)
    for texts in overrides.values():
        result += texts
    return tuple(result)


def _parallel(flag: str, texts: tuple[str, ...], config: AcceleratorConfig) -> tuple[str, ...]:
    """An argument with the class's degree of parallelism, if it is one that sets it; written as it was."""
    for name, spellings in _PARALLELISM:
        size: int | None = getattr(config, name)
        if flag in spellings and size is not None:
            return (flag, str(size)) if len(texts) == 2 else (f"{flag}={size}",)
    return texts
