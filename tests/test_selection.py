from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

import ome_select as ome
from ome_select.cluster import Cluster
from ome_select.compiled import CompiledRuntime
from ome_select.matching import matches
from ome_select.resources import BaseModel, RuntimeRef, ServingRuntime
from ome_select.selection import Selector
from ome_select.sizes import parse_size
from tests.builders import compiled_model, csr, decide, entry, model, named, service, sizes, sr
from tests.strategies import NAMESPACE, clusters
from tests.vectors_io import recorded

TARGETS = st.sampled_from([{"model": "m"}, {"isvc": "svc"}])


def names(decision: ome.Decision) -> list[str]:
    return [f"{row.scope}/{row.name}" for row in decision.ranked]


def best(ask: Any) -> tuple[str, str] | str:
    """Scope and name of what `select` picks, or the text with which it ends."""
    try:
        winner = ask()
    except ome.NoRuntimeFoundError as error:
        return str(error)
    return winner.scope, winner.name


class TestRecordedAnswers:
    """What OME's own selector answered, to the letter."""

    def test_selection(self) -> None:
        differing = []
        for case in recorded("selection.jsonl.gz"):
            selector = Selector(Cluster.from_objects(case["objects"]), case["namespace"])
            decision = selector.explain(**case["target"])
            expected = {"selected": None, "error": None, **case["expect"]}
            winner = expected["rows"][0] if expected["selected"] else None
            picked = (winner["scope"], winner["name"]) if winner else expected["error"]
            if decision.to_dict() != expected or best(partial(selector.select, **case["target"])) != picked:
                differing.append(case["id"])
        assert differing == []

    def test_both_outcomes_are_recorded(self) -> None:
        """Otherwise the comparison above would say little."""
        expected = [case["expect"] for case in recorded("selection.jsonl.gz")]
        assert sum(bool(answer.get("selected")) for answer in expected) > 100
        assert sum(bool(answer.get("error")) for answer in expected) > 100


class TestCandidates:
    """Rule 2: every ServingRuntime of the namespace and every ClusterServingRuntime, each by its own spec."""

    def test_other_namespaces_take_no_part(self) -> None:
        cluster = Cluster([sr("here"), sr("there", namespace="other"), csr("everywhere"), model()])
        assert names(ome.explain(cluster, model="m")) == ["Namespaced/here", "Cluster/everywhere"]
        assert names(ome.explain(cluster, model="m", namespace="other")) == ["Namespaced/there", "Cluster/everywhere"]
        assert names(ome.explain(cluster, model="m", namespace="third")) == ["Cluster/everywhere"]

    def test_nothing_is_inherited(self) -> None:
        child = replace(sr("child"), supported_model_formats=(), annotations={"ome.io/inherit-from": "parent"})
        assert names(decide(child, csr("parent"))) == ["Cluster/parent"]

    @given(clusters(), TARGETS)
    def test_every_candidate_has_one_row(self, cluster: Cluster, target: dict[str, str]) -> None:
        rows = Selector(cluster).explain(**target).rows
        shown = sorted((row.runtime.namespace or "", row.name) for row in rows)
        candidates = [runtime for runtime in cluster.runtimes if runtime.namespace in (None, NAMESPACE)]
        assert shown == sorted((runtime.namespace or "", runtime.name) for runtime in candidates)

    @given(clusters(), TARGETS)
    def test_runtimes_of_other_namespaces_change_nothing(self, cluster: Cluster, target: dict[str, str]) -> None:
        others = [f"{r.kind}/{r.namespace}/{r.name}" for r in cluster.runtimes if r.namespace == "other"]
        kept = cluster.without(*others)
        assert Selector(kept).explain(**target).to_dict() == Selector(cluster).explain(**target).to_dict()

    @given(clusters(), TARGETS, st.randoms(use_true_random=False))
    def test_the_order_of_the_input_changes_nothing(
        self, cluster: Cluster, target: dict[str, str], random: Any
    ) -> None:
        objects = list(cluster)
        random.shuffle(objects)
        assert Selector(Cluster(objects)).explain(**target).to_dict() == Selector(cluster).explain(**target).to_dict()


class TestModelWithoutFormat:
    """Rule 2: it fails before anything else."""

    @pytest.mark.parametrize("asked", [model(None), model(named(""))])
    def test_it_is_invalid(self, asked: BaseModel) -> None:
        text = "invalid model specification: modelFormat.name: model format name is required"
        cluster = Cluster([csr("r"), asked, service()])
        for target in ({"model": "m"}, {"isvc": "svc"}):
            decision = ome.explain(cluster, **target)
            assert (decision.rows, decision.selected, decision.error) == ((), None, text)
            with pytest.raises(ome.InvalidModelError, match=f"^{text}$"):
                ome.select(cluster, **target)


class TestIndex:
    """Entries are found by what must be equal; that finds what comparing with every entry finds."""

    @given(clusters())
    def test_it_finds_what_a_full_scan_finds(self, cluster: Cluster) -> None:
        asked = compiled_model(cluster.model("m", NAMESPACE))
        scanned = {}
        for runtime in cluster.candidates(NAMESPACE):
            entries = CompiledRuntime(runtime).entries
            first = next((index for index, written in enumerate(entries) if matches(written, asked)), None)
            scanned[runtime.kind, runtime.name] = first
        rows = Selector(cluster).explain("m").rows
        assert {(row.runtime.kind, row.name): row.first_match for row in rows} == scanned
        event(f"{sum(first is not None for first in scanned.values())} runtimes match")

    @pytest.mark.parametrize(
        ("written", "asked"),
        [
            (named("x", "v1.0"), named("x", "1.0.0")),
            (named("x", "1"), named("x", "v1.0")),
            (named("x", "2.0.0", "GreaterThan"), named("x", "1.0.0")),
            (named("x", "1.0.0-a", "GreaterThan"), named("x", "1.0.0-a")),
            (named("x", "1.0.0", "no operator"), named("x", "1.0.0")),
        ],
    )
    def test_versions_that_are_written_differently(self, written: Any, asked: Any) -> None:
        assert decide(csr("r", entry(written)), asked=model(asked)).selected == "r"

    def test_the_first_match_counts_wherever_it_was_indexed(self) -> None:
        """One entry is indexed with its version and the other, with an operator, without."""
        exact, ordering = (
            entry(named("x", "1.0"), priority=1),
            entry(named("x", "1.0", "GreaterThanOrEqual"), priority=2),
        )
        for entries in ([exact, ordering], [ordering, exact]):
            (row,) = decide(csr("r", *entries), asked=model(named("x", "1.0"))).rows
            assert row.first_match == 0
            assert row.priority == entries[0].priority


class TestSelect:
    """`select` answers as `explain` does, from fewer runtimes."""

    @given(clusters(), TARGETS)
    def test_it_agrees_with_explain(self, cluster: Cluster, target: dict[str, str]) -> None:
        selector = Selector(cluster)
        decision = selector.explain(**target)
        winner = decision.winner
        assert best(lambda: selector.select(**target)) == ((winner.scope, winner.name) if winner else decision.error)
        event("selected" if winner else "nothing selected")

    @given(clusters())
    def test_the_functions_agree_with_the_selector(self, cluster: Cluster) -> None:
        assert ome.explain(cluster, isvc="svc").to_dict() == Selector(cluster).explain(isvc="svc").to_dict()
        assert best(lambda: ome.select(cluster, model="m")) == best(lambda: Selector(cluster).select("m"))

    def test_the_whole_record_of_the_winner(self) -> None:
        cluster = Cluster([csr("b"), csr("a"), model(model_parameter_size="1B")])
        picked, explained = ome.select(cluster, model="m"), ome.explain(cluster, model="m").winner
        assert explained is not None
        for field in ("name", "scope", "score", "distance", "decided_by", "first_match", "scoring", "checks"):
            assert getattr(picked, field) == getattr(explained, field)

    def test_a_model_need_not_be_in_the_cluster(self) -> None:
        selector = Selector(Cluster([csr("r")]))
        assert selector.select(model()).name == "r"


class TestTarget:
    """Rule 11: exactly one of a model and a service, looked up in the namespace and then in the cluster."""

    cluster = Cluster(
        [
            csr("r"),
            model(),
            model(name="both"),
            replace(model(name="both", model_parameter_size="9B"), kind="BaseModel", namespace="default"),
            replace(model(name="own"), kind="BaseModel", namespace="default"),
            service(),
            service(name="of-nothing", model=None, runtime=RuntimeRef(name="r")),
            service(name="away", namespace="other"),
        ]
    )

    @pytest.mark.parametrize("given", ["runtimes/", ["a"], None])
    def test_something_else_than_a_cluster(self, given: Any) -> None:
        with pytest.raises(ome.UsageError, match=r"where a cluster belongs; ome\.load\(FOLDER\) makes one of files$"):
            ome.explain(given, model="m")

    @pytest.mark.parametrize("target", [{}, {"model": "m", "isvc": "svc"}])
    def test_exactly_one(self, target: dict[str, str]) -> None:
        for ask in (ome.explain, ome.select):
            with pytest.raises(ome.UsageError, match=r"^exactly one of --model or --isvc is required$"):
                ask(self.cluster, **target)

    def test_a_model_of_the_namespace_comes_first(self) -> None:
        assert ome.explain(self.cluster, model="both").model.model_parameter_size == "9B"
        assert ome.explain(self.cluster, model="both", namespace="other").model.model_parameter_size is None
        assert ome.explain(self.cluster, model="own").model.kind == "BaseModel"

    @pytest.mark.parametrize(
        ("target", "text"),
        [
            ({"model": "own", "namespace": "other"}, 'clusterbasemodels.ome.io "own" not found'),
            ({"model": "x"}, 'clusterbasemodels.ome.io "x" not found'),
            ({"isvc": "x"}, 'inferenceservices.ome.io "x" not found'),
            ({"isvc": "svc", "namespace": "other"}, 'inferenceservices.ome.io "svc" not found'),
        ],
    )
    def test_what_is_missing(self, target: dict[str, str], text: str) -> None:
        for ask in (ome.explain, ome.select):
            with pytest.raises(ome.NotFoundError) as caught:
                ask(self.cluster, **target)
            assert str(caught.value) == text

    def test_a_service_without_a_model(self) -> None:
        for ask in (ome.explain, ome.select):
            with pytest.raises(ome.NoModelError) as caught:
                ask(self.cluster, isvc="of-nothing")
            assert str(caught.value) == 'InferenceService "of-nothing" has no spec.model; pass --model instead'

    def test_a_service_as_a_record(self) -> None:
        assert Selector(self.cluster).explain(isvc=service(name="new")).selected == "r"
        assert Selector(self.cluster).select(isvc=service(name="new")).name == "r"

    @given(clusters())
    def test_a_service_that_requires_nothing_gets_what_its_model_gets(self, cluster: Cluster) -> None:
        plain, selector = service(), Selector(cluster)
        assert selector.explain(isvc=plain).to_dict() == selector.explain("m").to_dict()


class TestRanking:
    """Rule 9: scope, score, size distance, name."""

    def test_the_worked_example(self) -> None:
        asked = model(
            named("safetensors", "1.0.0"),
            named("transformers", "4.45.0.dev0"),
            name="llama-3-2-3b-instruct",
            model_architecture="LlamaForCausalLM",
            model_parameter_size="3.21B",
        )

        def supports(weight: int = 1, priority: int = 1) -> Any:
            formats = named("safetensors", "1.0.0", weight=weight), named("transformers", "4.45.0.dev0")
            return entry(*formats, model_architecture="LlamaForCausalLM", priority=priority)

        team = sr("team-llama", supports(), namespace="llama-demo")
        large = csr("srt-llama-large", supports(priority=3), model_size_range=sizes("1B", "70B"))
        small = csr("srt-llama-small", supports(priority=3), model_size_range=sizes("1B", "8B"))
        vllm = csr("vllm-llama", supports(weight=2, priority=2))
        cluster = Cluster([large, small, vllm, team, asked])
        decision = ome.explain(cluster, model=asked.name, namespace="llama-demo")
        assert [(row.name, row.score, row.distance, row.decided_by) for row in decision.rows] == [
            ("team-llama", 2, 0.0, "scope"),
            ("vllm-llama", 6, 0.0, "size distance"),
            ("srt-llama-small", 6, 7e9, "size distance"),
            ("srt-llama-large", 6, 69e9, None),
        ]
        raised = cluster.replace("ClusterServingRuntime/srt-llama-small", priority=4)
        decision = ome.explain(raised, model=asked.name, namespace="llama-demo")
        order = ["team-llama", "srt-llama-small", "vllm-llama", "srt-llama-large"]
        assert [row.name for row in decision.rows] == order
        assert decision.row("srt-llama-small").score == 8
        assert decision.row("srt-llama-small").decided_by == "score"

    @pytest.mark.parametrize(
        ("ahead", "behind", "size", "decided_by"),
        [
            (sr("b"), csr("a"), None, "scope"),
            (sr("a"), csr("a", entry(priority=9)), "1B", "scope"),
            (csr("b", entry(priority=2)), csr("a"), None, "score"),
            (csr("b", entry(priority=2), model_size_range=sizes("0B", "9B")), csr("a"), "1B", "score"),
            (csr("b"), csr("a", model_size_range=sizes("0B", "9B")), "1B", "size distance"),
            (
                csr("b", model_size_range=sizes("1B")),
                csr("a", model_size_range=sizes(None, "9B")),
                "1B",
                "size distance",
            ),
            (csr("a"), csr("b"), "1B", "name"),
            (csr("a", model_size_range=sizes("0B", "9B")), csr("b"), None, "name"),  # no size, no distance
            (csr("a-b"), csr("a.b"), None, "name"),  # by code point
            (csr("a10"), csr("a9"), None, "name"),
            (csr("Z"), csr("a"), None, "name"),
        ],
    )
    def test_table(self, ahead: ServingRuntime, behind: ServingRuntime, size: str | None, decided_by: str) -> None:
        rows = decide(behind, ahead, asked=model(model_parameter_size=size)).rows
        assert [row.runtime for row in rows] == [ahead, behind]
        assert [row.decided_by for row in rows] == [decided_by, None]

    def test_a_distance_that_is_not_a_number_is_the_greatest(self) -> None:
        odd, wide = csr("a", model_size_range=sizes("NaN")), csr("b", model_size_range=sizes("0B", "1T"))
        assert names(decide(odd, wide, asked=model(model_parameter_size="1B"))) == ["Cluster/b", "Cluster/a"]

    def test_rows_that_do_not_rank(self) -> None:
        """ServingRuntimes first, each group by name."""
        off = {"disabled": True}
        decision = decide(csr("a", **off), csr("z"), sr("z", **off), sr("b", **off), csr("c", **off), sr("c", **off))
        assert [(row.scope[0], row.name) for row in decision.rows] == [
            ("C", "z"), ("N", "b"), ("N", "c"), ("N", "z"), ("C", "a"), ("C", "c"),
        ]  # fmt: skip
        assert [row.decided_by for row in decision.rows] == [None] * 6

    @given(clusters(), TARGETS)
    def test_it_is_a_total_order(self, cluster: Cluster, target: dict[str, str]) -> None:
        decision = Selector(cluster).explain(**target)
        places = []
        for row in decision.ranked:
            distance = row.distance or 0.0
            places.append(
                (row.scope != "Namespaced", -row.score, math.inf if math.isnan(distance) else distance, row.name)
            )
        assert places == sorted(set(places))
        decided = [row.decided_by for row in decision.rows]
        count = len(decision.ranked)
        assert None not in decided[: max(count - 1, 0)]
        assert set(decided[max(count - 1, 0) :]) <= {None}
        deciders = ("scope", "score", "size distance", "name")
        for index, (ahead, behind) in enumerate(pairwise(places)):
            pairs = zip(deciders, ahead, behind, strict=True)
            assert decided[index] == next(decider for decider, mine, theirs in pairs if mine != theirs)

    @given(clusters(), TARGETS)
    def test_what_a_check_rejects_never_ranks(self, cluster: Cluster, target: dict[str, str]) -> None:
        decision = Selector(cluster).explain(**target)
        for row in decision.rows:
            assert row.compatible == (row in decision.ranked)
            assert row.compatible == all(outcome.status == "passed" for outcome in row.checks)
            assert (row.reason is None) == row.compatible
            assert row.compatible <= (row.score > 0)

    @given(clusters(), TARGETS)
    def test_a_runtime_of_the_namespace_always_wins(self, cluster: Cluster, target: dict[str, str]) -> None:
        decision = Selector(cluster).explain(**target)
        own = any(row.scope == "Namespaced" for row in decision.ranked)
        assert (decision.winner is not None and decision.winner.scope == "Namespaced") == own

    @given(clusters(), TARGETS, st.data())
    def test_removing_a_loser_never_changes_the_winner(
        self, cluster: Cluster, target: dict[str, str], data: st.DataObject
    ) -> None:
        decision = Selector(cluster).explain(**target)
        losers = [row.runtime for row in decision.rows if row is not decision.winner]
        assume(losers)
        loser = data.draw(st.sampled_from(losers))
        left = Cluster(resource for resource in cluster if resource is not loser)
        after = Selector(left).explain(**target)
        assert names(after) == [name for name in names(decision) if name != f"{scope_of(loser)}/{loser.name}"]
        if decision.winner:
            assert after.winner is not None
            assert after.winner.runtime is decision.winner.runtime

    @given(clusters(), TARGETS, st.integers(1, 9), st.data())
    def test_raising_a_priority_never_lowers_a_rank(
        self, cluster: Cluster, target: dict[str, str], more: int, data: st.DataObject
    ) -> None:
        """For an entry whose weights add up to more than 0."""
        own = [runtime for runtime in cluster.candidates(NAMESPACE) if runtime.supported_model_formats]
        assume(own)
        runtime = data.draw(st.sampled_from(own))
        entries = list(runtime.supported_model_formats)
        index = data.draw(st.integers(0, len(entries) - 1))
        sides = [entries[index].model_format, entries[index].model_framework]
        assume(sum(side.weight for side in sides if side is not None) > 0)
        priority = entries[index].priority
        entries[index] = replace(entries[index], priority=(1 if priority is None else priority) + more)
        raised = cluster.with_resources(replace(runtime, supported_model_formats=tuple(entries)))
        ranks = []
        for each in (cluster, raised):
            ranked = names(Selector(each).explain(**target))
            name = f"{scope_of(runtime)}/{runtime.name}"
            ranks.append(ranked.index(name) if name in ranked else math.inf)
        assert ranks[1] <= ranks[0]

    @given(clusters())
    def test_the_distance_is_that_of_the_range(self, cluster: Cluster) -> None:
        text = cluster.model("m", NAMESPACE).model_parameter_size
        for row in Selector(cluster).explain("m").ranked:
            if text is None:
                assert row.distance is None
                continue
            written = row.runtime.model_size_range
            bounds = [bound for bound in (written.min, written.max) if bound is not None] if written else []
            distance = sum(abs(parse_size(bound) - parse_size(text)) for bound in bounds)
            assert row.distance == distance or (math.isnan(distance) and math.isnan(row.distance or 0))


def scope_of(runtime: ServingRuntime) -> str:
    return "Namespaced" if runtime.namespace else "Cluster"
