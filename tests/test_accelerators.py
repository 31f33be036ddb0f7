"""The class that a component gets (docs/rules.md, sections 16, 20 and 21)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ome_select as ome
from ome_select.accelerator_config import class_arguments
from ome_select.accelerators import component_class
from ome_select.class_choice import NIL_CONSTRAINTS_BUG, ComponentClass
from ome_select.class_constraints import exclusion
from ome_select.class_policies import POLICIES
from ome_select.cluster import Cluster
from ome_select.errors import NotFoundError, ParentNotFoundError, RuntimeNotFoundError, UsageError
from ome_select.resources import (
    AcceleratorClass,
    AcceleratorConfig,
    AcceleratorConstraints,
    AcceleratorSelector,
    Component,
    Cost,
    ModelRef,
    Performance,
    RuntimeRef,
)
from tests.builders import csr, entry, model, named, service, sr
from tests.vectors_io import recorded

Limits = AcceleratorConstraints
NO_LIMITS = Limits()


def gpu(name: str, **fields: Any) -> AcceleratorClass:
    return AcceleratorClass(name=name, **fields)


def selector(name: str | None = None, policy: str | None = None, limits: Limits | None = None) -> AcceleratorSelector:
    return AcceleratorSelector(accelerator_class=name, policy=policy, constraints=limits)


def choose(
    classes: list[AcceleratorClass],
    policy: str | None = None,
    limits: Limits | None = NO_LIMITS,
    *,
    listed: tuple[str, ...] | None = None,
    release: Any = "v1.3",
    component: Any = "engine",
    **fields: Any,
) -> ComponentClass:
    """The class under a policy of the service, with the runtime listing every class unless `listed` says otherwise."""
    fields = {"engine": Component(), "accelerator_selector": selector(policy=policy, limits=limits), **fields}
    names = tuple(cls.name for cls in classes) if listed is None else listed
    runtime = csr("rt", accelerator_classes=names)
    return component_class(
        Cluster(classes), isvc=service(**fields), runtime=runtime, component=component, release=release
    )


# The two pairs of classes of section 21.
H100 = gpu(
    "nvidia-h100",
    memory_gb="80Gi",
    memory_bandwidth_gbps="3350",
    performance=Performance(fp16_tflops=989),
    cost=Cost(per_hour="10"),
)
H200 = gpu(
    "nvidia-h200",
    memory_gb="141Gi",
    memory_bandwidth_gbps="4800",
    performance=Performance(fp16_tflops=989),
    cost=Cost(per_hour="12"),
)
BIG = gpu(
    "nvidia-h100",
    memory_gb="80Gi",
    memory_bandwidth_gbps="3350",
    performance=Performance(fp16_tflops=989, int8_tops=1979),
    cost=Cost(per_hour="4.5", spot_per_hour="2.1", tier="high"),
)
L40S = gpu(
    "nvidia-l40s",
    memory_gb="48Gi",
    memory_bandwidth_gbps="864",
    performance=Performance(fp16_tflops=362, int8_tops=733),
    cost=Cost(per_hour="1.8", spot_per_hour="0.8", tier="medium"),
)


def test_recorded_answers():
    """Every recorded choice, by name, as anybody would ask."""
    for case in recorded("classes.jsonl.gz"):
        runtime = {
            "apiVersion": "ome.io/v1beta1",
            "kind": "ClusterServingRuntime",
            "metadata": {"name": "rt"},
            "spec": case["runtime"],
        }
        cluster = ome.Cluster.from_objects([*case["classes"], case["isvc"], runtime])
        answer: dict[str, Any] = {}
        for component in ("engine", "decoder"):
            found = ome.component_class(cluster, isvc="svc", runtime="rt", component=component, namespace="default")
            if found.name is not None:
                answer[component] = found.name
            if found.missing:
                answer[f"{component}Missing"] = True
        assert answer == case["expect"], case["id"]


class TestPrecedence:
    """Rule 16.1: the runtime's list, then a name, then a policy, then nothing."""

    def test_a_runtime_without_classes_gives_none(self):
        found = choose([H100], listed=(), accelerator_selector=selector("nvidia-h100"))
        assert (found.name, found.why) == (None, "The runtime lists no accelerator classes.")

    @pytest.mark.parametrize(
        ("override", "general", "expected", "source"),
        [
            (selector("a"), selector("b"), "a", "spec.engine.acceleratorOverride.acceleratorClass"),
            (None, selector("b"), "b", "spec.acceleratorSelector.acceleratorClass"),
            # A name of the service beats a policy of the override.
            (selector(policy="FirstAvailable"), selector("b"), "b", "spec.acceleratorSelector.acceleratorClass"),
            (selector(policy="FirstAvailable"), None, "a", "spec.engine.acceleratorOverride.policy"),
            (selector(), selector(policy="FirstAvailable"), "a", "spec.acceleratorSelector.policy"),
            (
                selector(policy="Nope"),
                selector(policy="FirstAvailable"),
                None,
                "spec.engine.acceleratorOverride.policy",
            ),
            # Constraints alone choose nothing, and there is no default policy.
            (None, selector(limits=Limits(min_memory=1)), None, None),
            (None, None, None, None),
        ],
    )
    def test_table(self, override, general, expected, source):
        found = choose(
            [gpu("a"), gpu("b")],
            engine=Component(accelerator_override=override),
            accelerator_selector=general,
        )
        assert (found.name, found.source) == (expected, source)

    def test_the_annotation_gives_no_class(self):
        found = choose([H100], accelerator_selector=None, annotations={"ome.io/accelerator-class": "nvidia-h100"})
        assert (found.name, found.why) == (None, "Nothing names a class or a policy for the engine.")

    def test_a_named_class_needs_no_listing_and_no_constraint(self):
        found = choose(
            [H100, H200],
            listed=("nvidia-h200",),
            accelerator_selector=selector("nvidia-h100", "Cheapest", Limits(excluded_classes=("nvidia-h100",))),
        )
        assert (found.name, found.missing, found.error) == ("nvidia-h100", False, None)
        assert found.why == "spec.acceleratorSelector.acceleratorClass names it, though the runtime does not list it."

    @pytest.mark.parametrize("component", ["engine", "decoder"])
    def test_a_named_class_that_does_not_exist(self, component):
        found = choose(
            [H100],
            component=component,
            decoder=Component(),
            accelerator_selector=selector("nvidia-b200"),
        )
        assert (found.name, found.missing) == ("nvidia-b200", True)
        assert found.error == (
            f"Failed to get accelerator class for {component}: accelerator class nvidia-b200 not found at cluster scope"
        )
        assert found.why == (
            "spec.acceleratorSelector.acceleratorClass names it, but no such AcceleratorClass exists; "
            "the runtime does not list it."
        )

    def test_a_listed_class_that_does_not_exist(self):
        found = choose([], listed=("gone",), accelerator_selector=selector("gone"))
        assert found.missing
        assert found.why == "spec.acceleratorSelector.acceleratorClass names it, but no such AcceleratorClass exists."

    def test_engine_and_decoder_on_their_own(self):
        """The worked example of section 21."""
        declared = {
            "accelerator_selector": selector(),
            "engine": Component(accelerator_override=selector(policy="Cheapest")),
            "decoder": Component(accelerator_override=selector("nvidia-h200")),
        }
        assert choose([H100, H200], **declared).name == "nvidia-h100"
        assert choose([H100, H200], component="decoder", **declared).name == "nvidia-h200"

    def test_a_component_that_is_not_declared(self):
        found = choose([H100], "FirstAvailable", component="decoder")
        assert (found.name, found.why) == (None, "The service declares no decoder.")

    def test_an_unknown_policy(self):
        found = choose([H100], "Fastest")
        assert (found.name, found.why) == (None, "OME knows no policy Fastest.")

    def test_the_router_is_refused(self):
        with pytest.raises(UsageError, match='only an engine and a decoder get an accelerator class, not "router"'):
            choose([H100], component="router")


class TestRuntimeInUse:
    """Rules 12.5 and 13: which runtime's list counts."""

    ASKED = service(engine=Component(), accelerator_selector=selector(policy="FirstAvailable"))
    CLASSES = (gpu("a"), gpu("b"), gpu("c"))

    def ask(self, *resources, isvc=ASKED, runtime=None, **options):
        return component_class(Cluster([*self.CLASSES, *resources]), isvc=isvc, runtime=runtime, **options).name

    def test_a_name_is_a_cluster_runtime_first(self):
        both = (csr("rt", accelerator_classes=("a",)), sr("rt", accelerator_classes=("b",)))
        assert self.ask(*both, runtime="rt") == "a"
        assert self.ask(both[1], runtime="rt") == "b"
        assert self.ask(*both, runtime="rt", release="v1.2.2") == "b"

    @pytest.mark.parametrize(("kind", "expected"), [("ServingRuntime", "b"), ("ClusterServingRuntime", "a")])
    def test_the_kind_that_the_service_says(self, kind, expected):
        both = (csr("rt", accelerator_classes=("a",)), sr("rt", accelerator_classes=("b",)))
        asked = service(
            engine=Component(),
            accelerator_selector=selector(policy="FirstAvailable"),
            runtime=RuntimeRef(name="rt", kind=kind),
        )
        assert self.ask(*both, isvc=asked) == expected
        assert self.ask(*both, isvc=asked, runtime="rt") == expected

    def test_another_name_than_the_services_is_looked_up_without_its_kind(self):
        asked = service(
            engine=Component(),
            accelerator_selector=selector(policy="FirstAvailable"),
            runtime=RuntimeRef(name="rt", kind="ServingRuntime"),
        )
        assert self.ask(csr("other", accelerator_classes=("c",)), isvc=asked, runtime="other") == "c"

    def test_a_named_runtime_inherits_its_list(self):
        parent = csr("parent", accelerator_classes=("c",))
        child = csr("child", annotations={"ome.io/inherit-from": "parent"})
        assert self.ask(parent, child, runtime="child") == "c"
        assert self.ask(parent, child, runtime="child", release="v1.2.2") is None
        with pytest.raises(ParentNotFoundError):
            self.ask(child, runtime="child")

    def test_without_a_name_auto_selection_picks_it(self):
        chosen = csr("chosen", entry(priority=2), accelerator_classes=("b",))
        assert self.ask(model(), csr("other", accelerator_classes=("a",)), chosen) == "b"

    def test_names_are_looked_up(self):
        cluster = Cluster([*self.CLASSES, self.ASKED, csr("rt", accelerator_classes=("a",))])
        assert component_class(cluster, isvc="svc", runtime="rt").name == "a"

    def test_what_does_not_exist(self):
        with pytest.raises(
            RuntimeNotFoundError, match="runtime gone not found in namespace default or at cluster scope"
        ):
            self.ask(runtime="gone")
        asked = service(runtime=RuntimeRef(name="gone", kind="ServingRuntime"))
        with pytest.raises(RuntimeNotFoundError, match="ServingRuntime gone not found in namespace default"):
            self.ask(isvc=asked)
        with pytest.raises(NotFoundError, match=r'inferenceservices\.ome\.io "gone" not found'):
            self.ask(isvc="gone")

    def test_neither_model_nor_runtime(self):
        with pytest.raises(UsageError, match='InferenceService "svc" names neither a model nor a runtime'):
            self.ask(isvc=service(model=None))

    def test_an_unknown_release(self):
        with pytest.raises(UsageError, match=r'"v2" are not known here; write one of: v1\.3, v1\.2\.2'):
            self.ask(runtime="rt", release="v2")


FAMILY = {"vendor": "nvidia", "family": "hopper"}


class TestConstraints:
    """Rule 16.2: the checks in order, each with OME's internal reason."""

    @pytest.mark.parametrize(
        ("cls", "limits", "reason"),
        [
            (gpu("a"), Limits(), None),
            (gpu("a"), Limits(excluded_classes=("a",), min_memory=1), "explicitly excluded"),
            (gpu("a"), Limits(excluded_classes=("A",)), None),
            (gpu("a", **FAMILY), Limits(architecture_families=("hopper",)), None),
            (gpu("a", **FAMILY), Limits(architecture_families=("nvidia-hopper",)), None),
            (gpu("a", **FAMILY), Limits(architecture_families=("NVIDIA-Hopper",)), None),
            (gpu("a", **FAMILY), Limits(architecture_families=("ada", "HOPPER")), None),
            (
                gpu("a", **FAMILY),
                Limits(architecture_families=("amd-hopper", "ada")),
                "architecture family hopper not in allowed list",
            ),
            (gpu("a"), Limits(architecture_families=("ada",)), "architecture family  not in allowed list"),
            (gpu("a"), Limits(min_memory=0), "missing memory specification for memory check"),
            (gpu("a"), Limits(max_memory=80), "missing memory specification for memory check"),
            (gpu("a", memory_gb="80Gi"), Limits(min_memory=80, max_memory=80), None),
            (gpu("a", memory_gb="80G"), Limits(min_memory=80), "memory 74GB < required 80GB"),
            (gpu("a", memory_gb="80"), Limits(min_memory=80), "memory 0GB < required 80GB"),
            (gpu("a", memory_gb="141Gi"), Limits(max_memory=80), "memory 141GB > max allowed 80GB"),
            (gpu("a", features=("NVLink",)), Limits(required_features=("nvlink",)), None),
            (
                gpu("a", features=("nvlink",)),
                Limits(required_features=("NVLINK", "mig", "fp8")),
                "missing required feature: mig",
            ),
            (
                gpu("a"),
                Limits(min_architecture_version="9.0"),
                "missing compute capability for architecture version check",
            ),
            (gpu("a", compute_capability="9.0"), Limits(min_architecture_version="9.0"), None),
            # Texts are compared, so 10.0 is below 9.0.
            (
                gpu("a", compute_capability="10.0"),
                Limits(min_architecture_version="9.0"),
                "compute capability 10.0 < required 9.0",
            ),
            (gpu("a"), Limits(min_compute_performance_tflops=10**6, preferred_precisions=("fp8",)), None),
        ],
    )
    def test_table(self, cls, limits, reason):
        assert exclusion(cls, limits) == reason

    def test_order(self):
        """Each check is asked only when the ones before it pass."""
        limits = Limits(
            excluded_classes=("x",),
            architecture_families=("hopper",),
            min_memory=80,
            max_memory=80,
            required_features=("mig",),
            min_architecture_version="9.0",
        )
        cls = {"name": "a", **FAMILY, "memory_gb": "80Gi", "features": ("mig",), "compute_capability": "8.9"}
        reasons = [
            exclusion(AcceleratorClass(**(cls | changes)), limits)
            for changes in (
                {"name": "x", "family": "", "memory_gb": None, "features": ()},
                {"family": "", "memory_gb": None, "features": ()},
                {"memory_gb": None, "features": ()},
                {"features": ()},
                {},
            )
        ]
        assert reasons == [
            "explicitly excluded",
            "architecture family  not in allowed list",
            "missing memory specification for memory check",
            "missing required feature: mig",
            "compute capability 8.9 < required 9.0",
        ]

    def test_those_of_an_override_are_ignored(self):
        found = choose(
            [gpu("a"), gpu("b")],
            engine=Component(
                accelerator_override=selector(policy="FirstAvailable", limits=Limits(excluded_classes=("a",)))
            ),
            accelerator_selector=None,
        )
        assert found.name == "a"


class TestCandidates:
    """Rule 16.2: the runtime's list without repetitions, less what is missing and what the constraints rule out."""

    def test_duplicates_and_missing_classes(self):
        found = choose([gpu("a"), gpu("b")], "FirstAvailable", listed=("gone", "b", "b", "a"))
        assert found.name == "b"
        assert [(candidate.name, candidate.reason) for candidate in found.candidates] == [
            ("gone", "no AcceleratorClass of this name"),
            ("b", None),
            ("a", None),
        ]

    def test_a_missing_class_in_v122(self):
        """Rule 20: the older release gives no class at all."""
        found = choose([gpu("a")], "FirstAvailable", listed=("a", "gone"), release="v1.2.2")
        assert (found.name, found.why) == (None, "The runtime lists a class that does not exist (gone).")
        assert choose([gpu("a")], "FirstAvailable", release="v1.2.2").name == "a"

    @pytest.mark.parametrize("policy", sorted(POLICIES))
    def test_a_sole_survivor_wins(self, policy):
        found = choose([gpu("a"), gpu("b")], policy, Limits(excluded_classes=("b",)))
        assert (found.name, found.why) == ("a", f"It is the only class that passes, so {policy} has no choice.")

    @pytest.mark.parametrize("policy", sorted(POLICIES))
    def test_no_survivor(self, policy):
        found = choose([gpu("a"), gpu("b")], policy, Limits(excluded_classes=("a", "b")))
        assert (found.name, found.why) == (None, f"No class of the runtime's list is left for {policy}.")


class TestBestFit:
    """Rule 16.3: 0.70 for memory, 0.30 for performance."""

    @pytest.mark.parametrize(
        ("classes", "limits", "expected"),
        [
            ([H100, H200], Limits(min_memory=80), {"nvidia-h100": 1.0, "nvidia-h200": 0.697163}),
            ([BIG, L40S], Limits(min_memory=40), {"nvidia-h100": 0.65, "nvidia-l40s": 0.883333}),
            (
                [BIG, L40S],
                Limits(min_memory=40, min_compute_performance_tflops=1000),
                {"nvidia-h100": 0.65, "nvidia-l40s": 0.803233},
            ),
        ],
    )
    def test_worked_examples(self, classes, limits, expected):
        found = choose(classes, "BestFit", limits)
        assert {candidate.name: round(candidate.value, 6) for candidate in found.candidates} == expected
        assert found.name == max(expected, key=expected.__getitem__)

    def test_only_one_has_the_memory(self):
        found = choose([BIG, L40S], "BestFit", Limits(min_memory=80))
        assert found.name == "nvidia-h100"
        assert found.candidates[1].reason == "memory 48GB < required 80GB"

    def score(self, cls: AcceleratorClass, limits: Limits) -> float:
        value = choose([cls, gpu("other", memory_gb="1Ti")], "BestFit", limits).candidates[0].value
        assert value is not None
        return value

    @pytest.mark.parametrize(
        ("performance", "limits", "expected"),
        [
            # Without minMemory, M is 1 for every class.
            (None, Limits(), 0.7),
            (Performance(), Limits(), 0.7),
            (Performance(int4_tops=5), Limits(), 1.0),
            (Performance(int4_tops=5), Limits(min_compute_performance_tflops=10), 0.85),
            (Performance(fp32_tflops=20), Limits(min_compute_performance_tflops=10), 1.0),
            # The first precision that the class reaches counts, half as much for each place on the list.
            (Performance(fp16_tflops=5), Limits(preferred_precisions=("FP16", "int4")), 1.0),
            (Performance(int4_tops=5), Limits(preferred_precisions=("fp16", "int4")), 0.85),
            (Performance(int8_tops=5), Limits(preferred_precisions=("fp8",)), 1.0),
            # None of the list: fp16 stands in, after the whole list; and adds nothing where it was on the list.
            (Performance(fp16_tflops=5), Limits(preferred_precisions=("bf16", "int4")), 0.775),
            (Performance(fp32_tflops=5), Limits(preferred_precisions=("bf16", "int4")), 0.7),
            (Performance(fp32_tflops=5), Limits(preferred_precisions=("fp16",)), 0.7),
        ],
    )
    def test_performance(self, performance, limits, expected):
        assert self.score(gpu("a", performance=performance), limits) == pytest.approx(expected)

    def test_memory_of_nothing(self):
        """A minimum below nothing is no reason to divide by it."""
        assert self.score(gpu("a", memory_gb="0"), Limits(min_memory=-1)) == 0.0

    def test_ties_keep_the_lists_order(self):
        assert choose([gpu("b"), gpu("a")], "BestFit").name == "b"

    def test_missing_constraints_count_as_none_and_the_fault_is_told(self):
        found = choose([gpu("a"), gpu("b")], "BestFit", None)
        assert (found.name, found.note) == ("a", NIL_CONSTRAINTS_BUG)
        assert str(found).endswith(NIL_CONSTRAINTS_BUG)
        override = Component(accelerator_override=selector(policy="BestFit"))
        assert choose([gpu("a"), gpu("b")], engine=override, accelerator_selector=None).note == NIL_CONSTRAINTS_BUG
        # One class alone never reaches the comparison, and other policies read no constraints there.
        assert choose([gpu("a")], "BestFit", None).note is None
        assert choose([gpu("a"), gpu("b")], "MostCapable", None).note is None
        assert choose([gpu("a"), gpu("b")], "BestFit").note is None


class TestMostCapable:
    """Rule 16.3: 0.5 for memory, 0.3 for bandwidth, 0.2 for performance, each as a share of the largest."""

    @pytest.mark.parametrize(
        ("classes", "expected"),
        [
            ([H100, H200], {"nvidia-h100": 0.693063, "nvidia-h200": 1.0}),
            ([BIG, L40S], {"nvidia-h100": 1.0, "nvidia-l40s": 0.450578}),
        ],
    )
    def test_worked_examples(self, classes, expected):
        found = choose(classes, "MostCapable")
        shown = {candidate.name: candidate.value for candidate in found.candidates}
        assert shown == pytest.approx(expected, abs=1e-5)
        assert found.name == max(expected, key=expected.__getitem__)

    @pytest.mark.parametrize(
        ("preferred", "expected"),
        [
            ((), "fp16"),
            (("int4",), "int4"),
            # The next one on the list, where a class does not reach the first; nothing stands in beyond the list.
            (("bf16", "FP32"), "fp32"),
            (("bf16",), None),
        ],
    )
    def test_precision(self, preferred, expected):
        classes = [
            gpu("none"),
            gpu("fp32", performance=Performance(fp32_tflops=1)),
            gpu("fp16", performance=Performance(fp16_tflops=1)),
            gpu("int4", performance=Performance(int4_tops=1)),
        ]
        found = choose(classes, "MostCapable", Limits(preferred_precisions=preferred))
        assert {candidate.name for candidate in found.candidates if candidate.value} == ({expected} - {None})
        # All at 0: the first of the list.
        assert found.name == (expected or "none")

    def test_bandwidth_is_rounded_up(self):
        found = choose([gpu("a", memory_bandwidth_gbps="1500m"), gpu("b", memory_bandwidth_gbps="2")], "MostCapable")
        assert [candidate.value for candidate in found.candidates] == [0.3, 0.3]
        assert found.name == "a"


class TestCheapest:
    """Rule 16.3: by the first kind of cost that any class has."""

    @pytest.mark.parametrize(
        ("costs", "expected", "basis"),
        [
            ({"a": Cost(per_hour="3"), "b": Cost(per_hour="2")}, "b", "perHour"),
            ({"a": Cost(per_hour="3", spot_per_hour="1"), "b": Cost(per_hour="2")}, "a", "spotPerHour"),
            # Spot counts where it is set, even where the full price would win.
            ({"a": Cost(per_hour="1", spot_per_hour="4"), "b": Cost(per_hour="2")}, "b", "perHour"),
            # An hourly price anywhere leaves out every class without one.
            ({"a": Cost(per_million_tokens="0.1", tier="low"), "b": Cost(per_hour="99")}, "b", "perHour"),
            ({"a": Cost(per_million_tokens="500m"), "b": Cost(per_million_tokens="0.4")}, "b", "perMillionTokens"),
            ({"a": Cost(tier="low"), "b": Cost(per_million_tokens="9")}, "b", "perMillionTokens"),
            ({"a": Cost(tier="HIGH"), "b": Cost(tier="Medium"), "c": Cost(tier="high")}, "b", "tier"),
            # An unknown tier counts as medium; of equal costs, the earlier on the list.
            ({"a": Cost(tier="premium"), "b": Cost(tier="medium")}, "a", "tier"),
            ({"a": Cost(tier="high"), "b": Cost(tier="premium")}, "b", "tier"),
            ({"a": Cost(per_hour="4500m"), "b": Cost(per_hour="4.5")}, "a", "perHour"),
            ({"a": Cost(), "b": None}, None, None),
        ],
    )
    def test_table(self, costs, expected, basis):
        found = choose([gpu(name, cost=cost) for name, cost in costs.items()], "Cheapest")
        assert found.name == expected
        assert next((candidate.basis for candidate in found.candidates if candidate.name == expected), None) == basis

    def test_who_is_out(self):
        found = choose([gpu("a"), gpu("b", cost=Cost(tier="low")), gpu("c", cost=Cost(per_hour="1"))], "Cheapest")
        assert [candidate.reason for candidate in found.candidates] == ["no usable cost", "no usable cost", None]

    @pytest.mark.parametrize(("classes", "expected"), [([H100, H200], "nvidia-h100"), ([BIG, L40S], "nvidia-l40s")])
    def test_worked_examples(self, classes, expected):
        assert choose(classes, "Cheapest").name == expected


def test_first_available_is_the_lists_order():
    assert choose([H100, H200], "FirstAvailable").name == "nvidia-h100"
    assert choose([H100, H200], "FirstAvailable", listed=("nvidia-h200", "nvidia-h100")).name == "nvidia-h200"


def test_the_record_as_text():
    found = choose([BIG, L40S, gpu("b200", memory_gb="1Gi")], "BestFit", Limits(min_memory=40))
    assert str(found).splitlines() == [
        "engine: nvidia-l40s",
        "BestFit from spec.acceleratorSelector.policy picks it.",
        "  nvidia-h100  score 0.65",
        "  nvidia-l40s  score 0.883333",
        "  b200         memory 1GB < required 40GB",
    ]
    sole = choose([gpu("a"), gpu("b")], "Cheapest", Limits(excluded_classes=("b",)))
    assert str(sole).splitlines()[2:] == ["  a  kept", "  b  explicitly excluded"]
    assert str(choose([], listed=("x",), accelerator_selector=selector("x"))).startswith("engine: x (missing)\n")
    assert str(choose([H100], listed=())).startswith("engine: no class\n")


@st.composite
def choices(draw: st.DrawFn) -> tuple[list[AcceleratorClass], str, Limits]:
    number = st.sampled_from(["1", "2", "80Gi", "1500m"])
    cost = st.builds(
        Cost,
        per_hour=st.none() | number,
        spot_per_hour=st.none() | number,
        per_million_tokens=st.none() | number,
        tier=st.none() | st.sampled_from(["low", "High", "other"]),
    )
    reached = st.sampled_from([0, 5, 9])
    classes = [
        gpu(
            name,
            memory_gb=draw(st.sampled_from([None, "40Gi", "80Gi"])),
            memory_bandwidth_gbps=draw(st.none() | number),
            family=draw(st.sampled_from(["hopper", "ada"])),
            performance=draw(st.none() | st.builds(Performance, fp16_tflops=reached, int4_tops=reached)),
            cost=draw(st.none() | cost),
        )
        for name in draw(st.lists(st.sampled_from("abcdef"), unique=True))
    ]
    limits = Limits(
        min_memory=draw(st.sampled_from([None, 40, 80])),
        excluded_classes=tuple(draw(st.lists(st.sampled_from("ab"), max_size=1))),
        architecture_families=draw(st.sampled_from([(), (), ("ada",)])),
        preferred_precisions=draw(st.sampled_from([(), ("int4",), ("bf16", "fp16")])),
        min_compute_performance_tflops=draw(st.sampled_from([None, 7])),
    )
    return classes, draw(st.sampled_from(sorted(POLICIES))), limits


class TestProperties:
    """Rule 16.2, whatever the policy."""

    @given(choices())
    def test_never_an_excluded_class(self, case):
        classes, policy, limits = case
        found = choose(classes, policy, limits)
        passing = [cls.name for cls in classes if exclusion(cls, limits) is None]
        assert found.name is None or found.name in passing

    @given(choices())
    def test_a_sole_survivor_always_wins(self, case):
        classes, policy, limits = case
        passing = [cls.name for cls in classes if exclusion(cls, limits) is None]
        if len(passing) == 1:
            assert choose(classes, policy, limits).name == passing[0]

    @given(choices())
    def test_nothing_is_left_out_of_the_record(self, case):
        classes, policy, limits = case
        found = choose(classes, policy, limits)
        assert [candidate.name for candidate in found.candidates] == [cls.name for cls in classes]
        if found.name is not None:
            assert next(candidate for candidate in found.candidates if candidate.name == found.name).kept

    @given(choices(), st.randoms())
    def test_the_clusters_order_does_not_matter(self, case, random):
        classes, policy, limits = case
        shuffled = random.sample(classes, len(classes))
        listed = tuple(cls.name for cls in classes)
        assert choose(shuffled, policy, limits, listed=listed) == choose(classes, policy, limits, listed=listed)


CONFIG = {
    "nvidia-l40s": AcceleratorConfig(
        tensor_parallel_size=4,
        pipeline_parallel_size=2,
        runtime_args_override=("--mem-frac=0.85",),
        environment_override={"NCCL_P2P_DISABLE": "1"},
    )
}


class TestAcceleratorConfig:
    """Rule 16.4: what the best-matching entry changes for the class."""

    ARGS = ("--tp-size=8", "--pp-size=1", "--mem-frac=0.9")

    def ask(self, cls, *entries, args=ARGS, asked=None, auto_selected=False, component="engine"):
        runtime = csr("rt", *entries, engine=Component(runner_args=args))
        return class_arguments(runtime, asked or model(), cls, auto_selected=auto_selected, component=component)

    def test_the_worked_example(self):
        changed = self.ask("nvidia-l40s", entry(accelerator_config=CONFIG))
        assert changed.args == ("--tp-size=4", "--pp-size=2", "--mem-frac=0.85")
        assert (changed.environment, changed.entry) == ({"NCCL_P2P_DISABLE": "1"}, 0)

    @pytest.mark.parametrize("cls", ["nvidia-h100", "NVIDIA-L40S", None])
    def test_another_class_or_none_changes_nothing(self, cls):
        assert self.ask(cls, entry(accelerator_config=CONFIG)).args == self.ARGS
        assert self.ask(cls, entry()).entry is None

    @pytest.mark.parametrize(
        ("args", "config", "expected"),
        [
            (("--tp", "8", "-v"), AcceleratorConfig(tensor_parallel_size=2), ("--tp", "2", "-v")),
            (("--tensor-parallel-size=8",), AcceleratorConfig(tensor_parallel_size=2), ("--tensor-parallel-size=2",)),
            (("--dp-size=1",), AcceleratorConfig(data_parallel_size=3), ("--dp-size=3",)),
            # A degree of parallelism is not added where the arguments do not name one.
            (("serve", "--x"), AcceleratorConfig(tensor_parallel_size=2), ("serve", "--x")),
            (("--a", "1", "--b"), AcceleratorConfig(runtime_args_override=("--a=2", "--c")), ("--a=2", "--b", "--c")),
        ],
    )
    def test_arguments(self, args, config, expected):
        assert self.ask("x", entry(accelerator_config={"x": config}), args=args).args == expected

    def test_the_best_matching_entry(self):
        low, high = entry(accelerator_config=CONFIG), entry(priority=2)
        assert self.ask("nvidia-l40s", low, high).entry is None
        assert self.ask("nvidia-l40s", high, entry(priority=3, accelerator_config=CONFIG)).entry == 1
        # Of equals, the first.
        assert self.ask("nvidia-l40s", low, low).entry == 0
        other = entry(named("gguf"), accelerator_config=CONFIG, priority=9)
        assert self.ask("nvidia-l40s", other).args == self.ARGS

    @pytest.mark.parametrize("auto_select", [None, False])
    def test_auto_selection_needs_an_auto_select_entry(self, auto_select):
        silent = entry(auto_select=auto_select, accelerator_config=CONFIG)
        assert self.ask("nvidia-l40s", silent, auto_selected=True).entry is None
        assert self.ask("nvidia-l40s", silent).entry == 0

    def test_a_component_without_arguments_gets_the_classes_own(self):
        assert self.ask("nvidia-l40s", entry(accelerator_config=CONFIG), component="decoder").args == (
            "--mem-frac=0.85",
        )

    def test_a_model_without_a_format_matches_no_entry(self):
        assert self.ask("nvidia-l40s", asked=model(None)).args == self.ARGS

    def test_it_is_read_from_a_manifest(self):
        runtime = {
            "apiVersion": "ome.io/v1beta1",
            "kind": "ClusterServingRuntime",
            "metadata": {"name": "rt"},
            "spec": {
                "supportedModelFormats": [
                    {
                        "modelFormat": {"name": "safetensors"},
                        "acceleratorConfig": {
                            "nvidia-l40s": {
                                "tensorParallelismOverride": {"tensorParallelSize": 4, "pipelineParallelSize": 2},
                                "runtimeArgsOverride": ["--mem-frac=0.85"],
                                "environmentOverride": {"NCCL_P2P_DISABLE": "1"},
                            }
                        },
                    }
                ],
                "engineConfig": {"runner": {"args": list(self.ARGS)}},
            },
        }
        (read,) = ome.Cluster.from_objects([runtime]).runtimes
        assert read.supported_model_formats[0].accelerator_config == CONFIG
        assert ome.class_arguments(read, model(), "nvidia-l40s").args == (
            "--tp-size=4",
            "--pp-size=2",
            "--mem-frac=0.85",
        )


def test_a_service_by_reference_keeps_its_namespace():
    """Names are looked up in the service's namespace."""
    asked = service(
        namespace="team",
        engine=Component(),
        model=ModelRef(name="m"),
        accelerator_selector=selector(policy="FirstAvailable"),
    )
    cluster = Cluster([gpu("a"), asked, sr("rt", namespace="team", accelerator_classes=("a",))])
    assert component_class(cluster, isvc="svc", runtime="rt", namespace="team").name == "a"
