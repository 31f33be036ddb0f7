from __future__ import annotations

from itertools import combinations
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ome_select.checks import CHECKS
from ome_select.cluster import Cluster
from ome_select.compiled import ACCELERATOR_CLASS
from ome_select.resources import AcceleratorConstraints, AcceleratorSelector, Component, ServingRuntime
from ome_select.selection import Selector
from tests.builders import component, csr, entry, model, named, service, sizes, verdict
from tests.strategies import clusters

NO_CLASS = "runtime does not support the required accelerator class"
CLASSES = ("nvidia-h100", "nvidia-h200")


def mode_reason(part: str, own: str, requested: str) -> str:
    return f"runtime {part} deployment mode {own} does not match requested {part} deployment mode {requested}"


def chosen(name: str | None) -> AcceleratorSelector:
    return AcceleratorSelector(accelerator_class=name)


def overridden(name: str | None) -> Component:
    return Component(accelerator_override=chosen(name))


class TestOrder:
    """Rule 2: five checks in order; the first failure is the reason."""

    FAULTS: ClassVar[dict[str, tuple[dict[str, Any], dict[str, Any], str]]] = {
        "enabled": ({"disabled": True}, {}, "runtime is disabled"),
        "accelerator class": ({}, {"accelerator_selector": chosen("h100")}, NO_CLASS),
        "deployment mode": (
            {"engine": component("MultiNode"), "decoder": component("MultiNode")},
            {"deployment_mode": "OMENative", "engine": component(), "decoder": component()},
            mode_reason("engine", "MultiNode", "OMENative"),
        ),
        "model format": (
            {"supported_model_formats": (entry(named("onnx")),)},
            {},
            (
                "model format 'mt:safetensors' not in supported formats: "
                "format name mismatch (model=safetensors, runtime=onnx)"
            ),
        ),
        "model size": (
            {"model_size_range": sizes("500M", "2B")},
            {},
            "model size 3.21B is outside supported range [500M, 2B]",
        ),
    }

    def test_every_check_has_a_fault_here(self) -> None:
        assert [check.name for check in CHECKS] == list(self.FAULTS)

    @pytest.mark.parametrize("names", [*combinations(FAULTS, 1), *combinations(FAULTS, 2), tuple(FAULTS)])
    def test_the_first_failure_is_the_reason(self, names: tuple[str, ...]) -> None:
        of_runtime: dict[str, Any] = {"supported_model_formats": (entry(),)}
        of_service: dict[str, Any] = {}
        for name in names:
            of_runtime |= self.FAULTS[name][0]
            of_service |= self.FAULTS[name][1]
        runtime = ServingRuntime(kind="ClusterServingRuntime", name="r", **of_runtime)
        row = verdict(runtime, model(model_parameter_size="3.21B"), service(**of_service))
        assert not row.supports_model
        assert not row.compatible
        assert row.reason == self.FAULTS[names[0]][2]
        statuses = [outcome.status for outcome in row.checks]
        failed = list(self.FAULTS).index(names[0])
        assert statuses == ["passed"] * failed + ["failed"] + ["not evaluated"] * (6 - failed)
        assert [outcome.reason for outcome in row.checks if outcome.reason] == [row.reason]

    @pytest.mark.parametrize("disabled", [None, False])
    def test_only_true_disables(self, disabled: bool | None) -> None:
        assert verdict(csr("r", disabled=disabled)).compatible

    @given(clusters())
    def test_asking_for_a_model_asks_nothing_of_classes_and_modes(self, cluster: Cluster) -> None:
        for row in Selector(cluster).explain("m").rows:
            assert [outcome.status for outcome in row.checks[1:3]] in (["passed"] * 2, ["not evaluated"] * 2)


class TestAcceleratorClass:
    """Rule 3: every class that the service names, in four places, is on the runtime's list."""

    @pytest.mark.parametrize(
        ("asked", "listed", "candidate"),
        [
            ({}, CLASSES, True),
            ({}, (), True),
            ({"accelerator_selector": chosen("nvidia-h100")}, CLASSES, True),
            ({"accelerator_selector": chosen("nvidia-h100")}, (), False),
            ({"accelerator_selector": chosen("nvidia-a100")}, CLASSES, False),
            ({"engine": overridden("nvidia-h100"), "decoder": overridden("nvidia-h200")}, CLASSES, True),
            ({"engine": overridden("nvidia-h100"), "decoder": overridden("nvidia-a100")}, CLASSES, False),
            ({"engine": overridden("nvidia-a100"), "decoder": overridden("nvidia-h100")}, CLASSES, False),
            ({"annotations": {ACCELERATOR_CLASS: "nvidia-h100"}}, CLASSES, True),
            ({"annotations": {ACCELERATOR_CLASS: "nvidia-a100"}}, CLASSES, False),
            ({"accelerator_selector": chosen("Nvidia-H100")}, CLASSES, False),  # case counts
            ({"accelerator_selector": chosen("")}, CLASSES, False),  # an empty text is a class, which nobody lists
            ({"engine": overridden("")}, (), False),
            ({"accelerator_selector": chosen(None), "engine": overridden(None)}, (), True),
            ({"router": overridden("nvidia-a100")}, CLASSES, True),  # the router is not read
            ({"engine": component(), "decoder": component()}, (), True),
        ],
    )
    def test_table(self, asked: dict[str, Any], listed: tuple[str, ...], candidate: bool) -> None:
        row = verdict(csr("r", accelerator_classes=listed), isvc=service(**asked))
        assert row.reason == (None if candidate else NO_CLASS)

    def test_classes_of_all_places_are_pooled(self) -> None:
        asked = service(
            annotations={ACCELERATOR_CLASS: "a"},
            accelerator_selector=chosen("b"),
            engine=overridden("c"),
            decoder=overridden("d"),
        )
        assert verdict(csr("r", accelerator_classes=("d", "c", "b", "a")), isvc=asked).compatible
        for missing in "abcd":
            listed = tuple(set("abcd") - {missing})
            assert verdict(csr("r", accelerator_classes=listed), isvc=asked).reason == NO_CLASS

    def test_policy_and_constraints_require_nothing(self) -> None:
        selector = AcceleratorSelector(policy="BestFit", constraints=AcceleratorConstraints(min_memory=80))
        assert verdict(csr("r"), isvc=service(accelerator_selector=selector)).compatible


class TestDeploymentMode:
    """Rule 4: rejected only when both sides have a mode for one component and they differ."""

    @pytest.mark.parametrize(
        ("requested", "own", "passes"),
        [
            (None, "MultiNode", True),
            ("OMENative", None, True),
            ("OMENative", "OMENative", True),
            ("OMENative", "MultiNode", False),
            ("RawDeployment", "OMENative", False),
            ("VirtualDeployment", "RawDeployment", False),
            ("MultiNode", "MultiNode", True),
            ("multinode", "OMENative", True),  # no mode, as if absent
            ("OMENative", "Serverless", True),
            ("", "OMENative", True),
        ],
    )
    @pytest.mark.parametrize("part", ["engine", "decoder"])
    def test_table(self, part: str, requested: str | None, own: str | None, passes: bool) -> None:
        runtime, asked = csr("r", **{part: component(own)}), service(**{part: component(requested)})
        expected = None if passes else mode_reason(part, str(own), str(requested))
        assert verdict(runtime, isvc=asked).reason == expected

    @pytest.mark.parametrize(
        ("asked", "mode"),
        [
            ({"deployment_mode": "OMENative", "engine": component()}, "OMENative"),
            ({"deployment_mode": "OMENative", "engine": component("RawDeployment")}, "RawDeployment"),
            ({"deployment_mode": "OMENative", "engine": component("no mode")}, "OMENative"),
            ({"deployment_mode": "no mode", "engine": component()}, None),
            ({"deployment_mode": "OMENative"}, None),  # the engine is not declared
            ({"deployment_mode": "OMENative", "decoder": component(), "router": component()}, None),
            ({"annotations": {"ome.io/deploymentMode": "OMENative"}, "engine": component()}, None),
        ],
    )
    def test_what_a_service_requests_for_its_engine(self, asked: dict[str, Any], mode: str | None) -> None:
        row = verdict(csr("r", engine=component("MultiNode")), isvc=service(**asked))
        assert row.reason == (None if mode is None else mode_reason("engine", "MultiNode", mode))

    def test_the_engine_comes_before_the_decoder(self) -> None:
        runtime = csr("r", engine=component("MultiNode"), decoder=component("RawDeployment"))
        both = {"engine": component(), "decoder": component()}
        native = service(deployment_mode="OMENative", **both)
        assert verdict(runtime, isvc=native).reason == mode_reason("engine", "MultiNode", "OMENative")
        multi = service(deployment_mode="MultiNode", **both)
        assert verdict(runtime, isvc=multi).reason == mode_reason("decoder", "RawDeployment", "MultiNode")

    @pytest.mark.parametrize(
        "where", [{"annotations": {"ome.io/deploymentMode": "MultiNode"}}, {"router": component("MultiNode")}]
    )
    def test_what_of_a_runtime_counts_for_nothing(self, where: dict[str, Any]) -> None:
        asked = service(deployment_mode="OMENative", engine=component(), decoder=component(), router=component())
        assert verdict(csr("r", **where), isvc=asked).compatible


class TestModelFormat:
    """Rule 5: the reason names all the differences of all the entries."""

    def test_one_part_for_each_entry(self) -> None:
        runtime = csr("r", entry(named("onnx"), named("f")), entry(quantization="q"), entry(None))
        assert verdict(runtime).reason == (
            "model format 'mt:safetensors' not in supported formats: "
            "format name mismatch (model=safetensors, runtime=onnx), model has no framework but runtime requires f; "
            "model has no quantization but runtime requires q; unknown mismatch"
        )

    def test_no_entries(self) -> None:
        runtime = ServingRuntime(kind="ClusterServingRuntime", name="r")
        assert verdict(runtime, model(named("a", "1"))).reason == (
            "model format 'mt:a:1' not in supported formats: no supported formats defined"
        )

    def test_one_entry_that_matches_is_enough(self) -> None:
        assert verdict(csr("r", entry(named("onnx")), entry())).first_match == 1

    def test_the_first_of_several_matches(self) -> None:
        row = verdict(csr("r", entry(quantization="q"), entry(priority=2), entry(priority=3)))
        assert row.first_match == 1
        assert row.priority == 2


class TestModelSize:
    """Rule 7: the reason shows the texts as written."""

    @pytest.mark.parametrize(
        ("low", "high", "size", "reason"),
        [
            ("2B", "4B", "3.21B", None),
            ("2B", "4B", "4B", None),
            ("500M", "2B", "3.21B", "model size 3.21B is outside supported range [500M, 2B]"),
            ("1B", "4B", "1500M", None),
            ("70B", None, "405B", None),
            ("70B", None, "8B", "model size 8B is outside supported range [70B, inf)"),
            (None, "13B", "3.21B", None),
            (None, "13B", "70B", "model size 70B is outside supported range (-inf, 13B]"),
            ("2B", "4B", None, None),
            ("1B", "13B", "8x7B", "model size 8x7B is outside supported range [1B, 13B]"),
            ("1B", None, "", "model size  is outside supported range [1B, inf)"),
        ],
    )
    def test_table(self, low: str | None, high: str | None, size: str | None, reason: str | None) -> None:
        runtime = csr("r", model_size_range=sizes(low, high))
        assert verdict(runtime, model(model_parameter_size=size)).reason == reason

    @pytest.mark.parametrize("size", [None, "1B", "8x7B"])
    def test_no_range_takes_every_size(self, size: str | None) -> None:
        assert verdict(csr("r"), model(model_parameter_size=size)).compatible

    @given(st.text())
    def test_any_text_can_be_a_size(self, size: str) -> None:
        row = verdict(csr("r", model_size_range=sizes("1T", "0M")), model(model_parameter_size=size))
        assert row.reason in (None, f"model size {size} is outside supported range [1T, 0M]")
