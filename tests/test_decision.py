from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ome_select as ome
from ome_select.cluster import Cluster
from ome_select.resources import RuntimeRef, ServingRuntime
from ome_select.selection import Selector
from tests.builders import csr, decide, entry, model, named, service, sizes, sr, verdict
from tests.strategies import clusters

TARGETS = st.sampled_from([{"model": "m"}, {"isvc": "svc"}])
NO_AUTO_SELECT = (
    "supports the model but has no supportedModelFormats[].autoSelect=true entry, so automatic selection skips it "
    "(pin it explicitly via spec.runtime.name instead)"
)
NOT_ENABLED = (
    "matching format safetensors is not autoSelect-enabled (a different supportedModelFormats entry on this runtime "
    "has autoSelect=true, but not the one that matches this model)"
)


class TestReason:
    """Rules 2 and 11: a runtime that supports the model also needs an entry with `autoSelect: true` and a score."""

    @pytest.mark.parametrize(
        ("runtime", "reason"),
        [
            (csr("r", entry(auto_select=None)), NO_AUTO_SELECT),
            (csr("r", entry(auto_select=False)), NO_AUTO_SELECT),
            (csr("r", entry(auto_select=False), entry(named("onnx"))), NOT_ENABLED),
            (csr("r", entry(auto_select=None, priority=0), entry(named("onnx"))), NOT_ENABLED),
            (csr("r", entry(named(weight=-1))), "auto-select score is 0"),
            (csr("r", entry(named(weight=-1)), entry(named("onnx"))), "auto-select score is 0"),
            # Any entry will do: an unset one scores where another one, which does not match, is set.
            (csr("r", entry(auto_select=None), entry(named("onnx"))), None),
            (csr("r", entry(auto_select=False), entry(quantization="fp8")), None),
        ],
    )
    def test_table(self, runtime: ServingRuntime, reason: str | None) -> None:
        row = verdict(runtime)
        assert row.supports_model
        assert row.reason == reason
        assert row.compatible == (reason is None)

    def test_the_checks_beyond_support(self) -> None:
        passed = [("auto-select", "passed"), ("score", "passed")]
        failed = [("auto-select", "failed"), ("score", "not evaluated")]
        unscored = [("auto-select", "passed"), ("score", "failed")]
        for runtime, outcomes in (
            (csr("r"), passed),
            (csr("r", entry(auto_select=None)), failed),
            (csr("r", entry(named(weight=-1))), unscored),
        ):
            row = verdict(runtime)
            assert [(outcome.check, outcome.status) for outcome in row.checks[5:]] == outcomes
            assert [outcome.reason for outcome in row.checks if outcome.status == "failed"] == (
                [] if row.compatible else [row.reason]
            )

    @given(clusters(), TARGETS)
    def test_the_record_says_it_all(self, cluster: Cluster, target: dict[str, str]) -> None:
        """One failure at most, with the row's reason; and nothing is evaluated after it."""
        for row in Selector(cluster).explain(**target).rows:
            statuses = [outcome.status for outcome in row.checks]
            assert len(statuses) == 7
            failed = [outcome for outcome in row.checks if outcome.status == "failed"]
            assert [outcome.reason for outcome in failed] == ([] if row.compatible else [row.reason])
            assert statuses == sorted(statuses, key=["passed", "failed", "not evaluated"].index)
            assert row.supports_model == (statuses[:5] == ["passed"] * 5)
            assert all(outcome.reason is None for outcome in row.checks if outcome.status != "failed")


class TestMessage:
    """Rule 10: who was checked, and who was excluded by the first five checks."""

    def error(self, *runtimes: ServingRuntime, name: str = "safetensors") -> str | None:
        return decide(*runtimes, asked=model(named(name))).error

    def test_no_candidates(self) -> None:
        text = "no runtime found to support model onnx with format onnx in namespace default"
        assert self.error(name="onnx") == text
        assert self.error(sr("r", namespace="other"), name="onnx") == text

    def test_excluded_by_name(self) -> None:
        off = {"disabled": True}
        assert self.error(csr("b", **off), sr("c", **off), csr("a", model_size_range=sizes("1B"), **off)) == (
            "no runtime found to support model safetensors with format safetensors in namespace default. "
            "Checked 3 runtimes (1 namespace-scoped, 2 cluster-scoped). "
            "Excluded runtimes: a (runtime is disabled); b (runtime is disabled); c (runtime is disabled)"
        )

    def test_what_supports_the_model_is_counted_and_not_listed(self) -> None:
        text = (
            "no runtime found to support model safetensors with format safetensors in namespace default. "
            "Checked 2 runtimes (0 namespace-scoped, 2 cluster-scoped)"
        )
        skipped, unscored = csr("a", entry(auto_select=None)), csr("b", entry(named(weight=-1)))
        assert self.error(skipped, unscored) == text
        assert self.error(skipped, csr("b", disabled=True)) == text + ". Excluded runtimes: b (runtime is disabled)"

    def test_of_one_name_only_the_clusters_is_listed(self) -> None:
        own = sr("a", entry(named("onnx")))
        error = self.error(own, csr("a", disabled=True))
        assert error is not None
        assert error.endswith(
            "Checked 2 runtimes (1 namespace-scoped, 1 cluster-scoped). Excluded runtimes: a (runtime is disabled)"
        )
        # One that is not excluded does not hide the other.
        error = self.error(own, csr("a", entry(auto_select=None)))
        assert error is not None
        assert "Excluded runtimes: a (model format 'mt:safetensors' not in supported formats: " in error

    def test_the_error_is_the_message(self) -> None:
        cluster = Cluster([csr("a", disabled=True), model()])
        with pytest.raises(ome.NoRuntimeFoundError) as caught:
            ome.select(cluster, model="m")
        assert str(caught.value) == ome.explain(cluster, model="m").error
        assert caught.value.checked == (0, 1)
        assert caught.value.excluded == (("a", "runtime is disabled"),)

    @given(clusters(), TARGETS)
    def test_a_message_exactly_where_nothing_is_selected(self, cluster: Cluster, target: dict[str, str]) -> None:
        decision = Selector(cluster).explain(**target)
        assert (decision.error is None) == (decision.selected is not None) == (decision.winner is not None)
        assert sum(decision.checked) == len(decision.rows)
        excluded = {row.name: row.reason for row in decision.rows if not row.supports_model}
        assert [name for name, _ in decision.excluded] == sorted(excluded)


class TestNote:
    """Rule 11: a service that names a runtime is explained all the same, with a note."""

    @pytest.mark.parametrize("runtime", [None, RuntimeRef(name="")])
    def test_none(self, runtime: RuntimeRef | None) -> None:
        assert decide(csr("r"), isvc=service(runtime=runtime)).note is None
        assert decide(csr("r")).note is None

    def test_named(self) -> None:
        decision = decide(csr("r"), isvc=service(runtime=RuntimeRef(name="x")))
        assert decision.note == "Note: spec.runtime is explicit; automatic selection below is hypothetical."
        assert decision.selected == "r"


class TestRecord:
    """The decision as data."""

    def test_to_dict(self) -> None:
        decision = decide(csr("r", entry(named(weight=2), priority=3)), sr("off", disabled=True))
        assert decision.to_dict() == {
            "rows": [
                {"name": "r", "scope": "Cluster", "compatible": True, "score": 6, "priority": 3, "weight": 6},
                {"name": "off", "scope": "Namespaced", "compatible": False, "reason": "runtime is disabled"},
            ],
            "selected": "r",
            "error": None,
        }

    def test_numbers_that_are_0_are_left_out(self) -> None:
        (row,) = decide(csr("r", entry(named(weight=0), priority=2))).to_dict()["rows"]
        assert row == {"name": "r", "scope": "Cluster", "compatible": True, "score": 20, "priority": 2}

    def test_what_a_rejected_runtime_has(self) -> None:
        row = verdict(csr("r", entry(named("onnx"))), model(model_parameter_size="1B"))
        assert (row.first_match, row.priority, row.weight, row.score, row.distance) == (None, None, None, 0, None)

    def test_the_distance_needs_a_size_and_a_score(self) -> None:
        in_range = csr("r", model_size_range=sizes("1B", "3B"))
        assert verdict(in_range, model(model_parameter_size="2B")).distance == 2e9
        assert verdict(in_range).distance is None
        assert verdict(csr("r"), model(model_parameter_size="2B")).distance == 0.0
        unscored = csr("r", entry(named(weight=-1)), model_size_range=sizes("1B", "3B"))
        assert verdict(unscored, model(model_parameter_size="2B")).distance is None

    def test_row(self) -> None:
        decision = decide(csr("a"), sr("a"), csr("b"))
        assert decision.row("a").scope == "Namespaced"
        assert decision.row("a", "Cluster").scope == "Cluster"
        for name, scope in (("c", None), ("b", "Namespaced")):
            with pytest.raises(KeyError):
                decision.row(name, scope)

    def test_repr(self) -> None:
        decision = decide(csr("r"), sr("off", disabled=True))
        assert repr(decision) == "<Decision for model m in default: r>"
        assert list(map(repr, decision.rows)) == [
            "<Verdict Cluster r: score 1>",
            "<Verdict Namespaced off: runtime is disabled>",
        ]
        assert repr(decide()) == "<Decision for model m in default: no runtime>"

    def test_printing_gives_the_table(self) -> None:
        assert str(decide(csr("r"))).splitlines() == [
            "RUNTIME   SCOPE     COMPATIBLE   PRIORITY   WEIGHT   REASON",
            "r         Cluster   Yes          1          1        -",
        ]


class TestFrame:
    """The decision as a DataFrame: numbers stay numbers, and what is not there is missing."""

    def test_rows_and_kinds(self) -> None:
        in_range = csr("r", entry(named(weight=2), priority=3), model_size_range=sizes("1B", "3B"))
        decision = decide(in_range, csr("off", disabled=True), asked=model(model_parameter_size="2B"))
        frame = decision.to_frame()
        first = frame.drop(columns="reason").to_dict("records")[0]
        assert first == {
            "runtime": "r",
            "scope": "Cluster",
            "compatible": True,
            "priority": 3,
            "weight": 6,
            "score": 6,
            "distance": 2e9,
            "decided_by": None,
        }
        assert frame["reason"].isna().tolist() == [True, False]
        assert frame["reason"][1] == "runtime is disabled"
        assert frame["distance"].isna().tolist() == [False, True]
        assert str(frame["score"].dtype) == "Int64"

    def test_without_runtimes(self) -> None:
        assert decide().to_frame().empty
