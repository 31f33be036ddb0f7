from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ome_select.compiled import CompiledRuntime
from ome_select.resources import BaseModel, ServingRuntime, SupportedModelFormat, VersionedName
from ome_select.scoring import EntryScore, score_entry, score_runtime, shown_weight
from tests.builders import compiled_entry, compiled_model, compiled_runtime, csr, entry, model, named, verdict
from tests.strategies import entries, models, runtimes


def weighted(model_format: int = 1, framework: int | None = None, **fields: object) -> SupportedModelFormat:
    return entry(named(weight=model_format), None if framework is None else named("f", weight=framework), **fields)


def scored(written: SupportedModelFormat, asked: BaseModel) -> int | None:
    result = score_entry(0, compiled_entry(written), compiled_model(asked))
    return None if result is None else result.total


class TestEntryScore:
    """Rule 8: (format part + framework part) × priority."""

    @pytest.mark.parametrize(
        ("weights", "priority", "score"),
        [
            ((2, 1), 2, 6),
            ((2, 1), None, 3),  # an unset priority is 1
            ((5, None), 3, 15),  # a framework absent on both sides adds 0
            ((0, None), 1, 10),  # a weight of exactly 0 is the default
            ((0, 0), 1, 15),
            ((1, 0), 2, 12),
            ((0, 1), 1, 11),
            ((-1, 3), 2, 4),
            ((-3, 1), 2, -4),
            ((1, -1), 5, 0),
        ],
    )
    def test_table(self, weights: tuple[int, int | None], priority: int | None, score: int) -> None:
        asked = model(framework=None if weights[1] is None else named("f"))
        assert scored(weighted(*weights, priority=priority), asked) == score

    def test_the_parts(self) -> None:
        written = compiled_entry(weighted(0, 4, priority=3))
        assert score_entry(7, written, compiled_model(model(framework=named("f")))) == EntryScore(7, 10, 4, 3)

    @pytest.mark.parametrize(("auto_select", "score"), [(False, None), (None, 1), (True, 1)])
    def test_only_auto_select_false_leaves_an_entry_out(self, auto_select: bool | None, score: int | None) -> None:
        assert scored(entry(auto_select=auto_select), model()) == score

    SIDES: ClassVar[list[Any]] = [
        (named("x"), named("x"), True),
        (named("x"), named("y"), False),
        (named("x"), named("X"), False),
        (named("x", "1.0"), named("x", "1.0.0"), True),
        (named("x", "1.0"), named("x", "2.0"), False),
        (named("x", "2.0", "GreaterThan"), named("x", "1.0"), True),
        (named("x", "2.0", "GreaterThan"), named("x", "2.0"), False),
        (named("x", "bad"), named("x", "bad"), False),
        (named("x", "1.0"), named("x"), True),  # a version on one side only does not zero the score
        (named("x"), named("x", "1.0"), True),
    ]

    @pytest.mark.parametrize(("wanted", "given", "counts"), SIDES)
    def test_format(self, wanted: VersionedName, given: VersionedName, counts: bool) -> None:
        assert scored(entry(wanted), model(given)) == (1 if counts else None)

    @pytest.mark.parametrize(
        ("wanted", "given", "counts"), [*SIDES, (named("x"), None, False), (None, named("x"), False)]
    )
    def test_framework(self, wanted: VersionedName | None, given: VersionedName | None, counts: bool) -> None:
        assert scored(entry(framework=wanted), model(framework=given)) == (2 if counts else None)

    def test_an_entry_without_a_format_has_a_format_part_of_0(self) -> None:
        assert scored(entry(None), model()) == 0
        assert scored(entry(None, named("f", weight=4)), model(framework=named("f"))) == 4

    @given(entries(), models(), models())
    def test_architecture_quantization_and_pipeline_do_not_count(
        self, written: SupportedModelFormat, asked: BaseModel, other: BaseModel
    ) -> None:
        changed = replace(
            asked,
            model_architecture=other.model_architecture,
            quantization=other.quantization,
            diffusion_pipeline=other.diffusion_pipeline,
        )
        assert scored(written, changed) == scored(written, asked)

    @given(entries(), models(), st.integers(1, 9))
    def test_the_priority_multiplies(self, written: SupportedModelFormat, asked: BaseModel, priority: int) -> None:
        once = scored(replace(written, priority=1), asked)
        assert scored(replace(written, priority=priority), asked) == (None if once is None else once * priority)


class TestRuntimeScore:
    """Rule 8: the highest over the entries, and at least 0."""

    @pytest.mark.parametrize(
        ("priorities", "best"),
        [((1, 3, 2), 1), ((3, 1), 0), ((2, 2), 0), ((1,), 0), ((), None), ((0, 0), None), ((-1, 0, 1), 2)],
    )
    def test_the_best_entry(self, priorities: tuple[int, ...], best: int | None) -> None:
        runtime = compiled_runtime(*(weighted(priority=priority) for priority in priorities))
        found = score_runtime(runtime, compiled_model(model()))
        assert (None if found is None else found.entry_index) == best

    def test_it_need_not_match(self) -> None:
        """The matching entry sets `autoSelect: false`; another of the same format scores and has it set."""
        runtime = csr("r", entry(auto_select=False, priority=9), entry(quantization="fp8", priority=2))
        row = verdict(runtime)
        assert row.compatible
        assert (row.first_match, row.scoring_entry, row.score) == (0, 1, 2)
        assert (row.format_part, row.framework_part) == (1, 0)
        assert (row.priority, row.weight) == (9, 9)

    @pytest.mark.parametrize("weight", [-1, -5])
    def test_a_score_of_0_or_less_does_not_qualify(self, weight: int) -> None:
        row = verdict(csr("r", weighted(weight)))
        assert row.supports_model
        assert row.reason == "auto-select score is 0"
        assert (row.score, row.scoring_entry, row.format_part, row.framework_part) == (0, None, None, None)

    @given(runtimes(), models(), st.randoms(use_true_random=False))
    def test_the_order_of_entries_does_not_matter(
        self, runtime: ServingRuntime, asked: BaseModel, random: object
    ) -> None:
        shuffled = list(runtime.supported_model_formats)
        random.shuffle(shuffled)
        totals = []
        for written in (runtime.supported_model_formats, shuffled):
            compiled = CompiledRuntime(replace(runtime, supported_model_formats=tuple(written)))
            found = score_runtime(compiled, compiled_model(asked))
            totals.append(found.total if found else 0)
        assert totals[0] == totals[1]

    @given(runtimes(), models())
    def test_it_is_the_highest_entry_score(self, runtime: ServingRuntime, asked: BaseModel) -> None:
        found = score_runtime(CompiledRuntime(runtime), compiled_model(asked))
        scores = [scored(written, asked) or 0 for written in runtime.supported_model_formats]
        assert (found.total if found else 0) == max([0, *scores])
        if found:
            assert scores.index(found.total) == found.entry_index


class TestShownWeight:
    """Rule 11: format weight plus framework weight, leaving out those of 0 or less, times the priority."""

    @pytest.mark.parametrize(
        ("weights", "priority", "shown"),
        [
            ((2, 1), 2, 6),
            ((2, None), None, 2),
            ((0, 3), 2, 6),
            ((-4, 3), 1, 3),
            ((2, -1), 3, 6),
            ((0, 0), 3, 0),
            ((-1, None), 3, 0),
        ],
    )
    def test_table(self, weights: tuple[int, int | None], priority: int | None, shown: int) -> None:
        assert shown_weight(compiled_entry(weighted(*weights, priority=priority))) == shown

    def test_without_a_format(self) -> None:
        assert shown_weight(compiled_entry(entry(None, named("f", weight=2)))) == 2
