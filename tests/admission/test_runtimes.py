"""What the webhooks for ServingRuntimes and ClusterServingRuntimes answer."""

import pytest

import ome_select as ome
from ome_select.admission.runtimes import priority_clash
from tests.manifests import MODE, NAMESPACE, accelerator_class, cluster, csr, entry, sr

PROFILE = {"ome.io/runtime-profile": "true"}
CLUSTER_PREFIX = 'admission webhook "clusterservingruntime.ome-webhook-server.validator" denied the request: '
NAMESPACED_PREFIX = 'admission webhook "servingruntime.ome-webhook-server.validator" denied the request: '


def answer(runtime, *objects, **options):
    return ome.admit(cluster(*objects), runtime, **options).message


class TestAdmitted:
    def test_a_plain_runtime(self):
        answered = ome.admit(cluster(), csr(supportedModelFormats=[entry()]))
        assert answered.allowed
        assert (answered.warnings, answered.message, answered.denial, answered.notes) == ((), None, None, ())

    def test_sizes_are_not_checked(self):
        """Rule 7 reads them, and no webhook does."""
        assert answer(csr(supportedModelFormats=[entry()], modelSizeRange={"min": "2B", "max": "4b"})) is None


class TestInheritance:
    """Rule 14, steps 1 and 2."""

    profile_text = 'runtimes carrying ome.io/runtime-profile="true" must also set spec.disabled: true'

    @pytest.mark.parametrize("make", [csr, sr])
    def test_a_profile_must_be_disabled(self, make):
        assert answer(make(annotations=PROFILE)) == self.profile_text
        assert answer(make(annotations=PROFILE, disabled=True)) is None

    def test_what_is_inherited_does_not_count_for_the_profile(self):
        parent = csr("parent", disabled=True)
        assert answer(csr("child", parent="parent", annotations=PROFILE), parent) == self.profile_text

    @pytest.mark.parametrize(
        ("applied", "others", "text"),
        [
            (
                sr("sglang-llama-3-2-3b", parent="sglang-profile"),
                [],
                'inherit-from parent "sglang-profile" not found (chain so far: [sglang-llama-3-2-3b])',
            ),
            (csr("a", parent="a"), [], "inheritance cycle detected: [a a]"),
            (csr("a", parent="b"), [csr("b", parent="a")], "inheritance cycle detected: [a b a]"),
            (
                csr("a", parent="b"),
                [csr("b", parent="c"), csr("c", parent="d"), csr("d", parent="e"), csr("e", parent="f"), csr("f")],
                "inheritance chain exceeds max depth 5 (chain: [a b c d e])",
            ),
        ],
    )
    def test_the_chain_must_resolve(self, applied, others, text):
        answered = ome.admit(cluster(*others), applied)
        assert answered.message == text
        prefix = NAMESPACED_PREFIX if applied["kind"] == "ServingRuntime" else CLUSTER_PREFIX
        assert answered.denial == prefix + text

    def test_the_profile_comes_before_the_chain(self):
        assert answer(csr("child", parent="gone", annotations=PROFILE)) == self.profile_text

    def test_a_broken_chain_is_refused_of_a_disabled_runtime_too(self):
        assert "not found" in answer(csr("child", parent="gone", disabled=True))


class TestScaling:
    """Rule 14, step 3."""

    def test_only_independent(self):
        assert answer(csr(scalingPolicy={"mode": "Independent"})) is None
        refused = ome.admit(cluster(), csr(scalingPolicy={"mode": "Ratio"}))
        assert "ScalingModeNotImplemented" in refused.message
        assert refused.notes == ("the rules give one word of this message, ScalingModeNotImplemented",)

    def test_on_update_only_when_it_changes(self):
        there = cluster(csr(scalingPolicy={"mode": "Ratio"}))
        assert ome.admit(there, csr(scalingPolicy={"mode": "Ratio"}), update=True).allowed
        assert not ome.admit(there, csr(scalingPolicy={"mode": "Other"}), update=True).allowed
        assert not ome.admit(there, csr(scalingPolicy={"mode": "Ratio"})).allowed

    @pytest.mark.parametrize("component", ["engineConfig", "decoderConfig", "routerConfig"])
    def test_policy_references_belong_on_the_service(self, component):
        runtime = csr(disabled=True, **{component: {"autoscalerPolicyRef": {"name": "p"}}})
        assert answer(runtime) == (
            f"{component}: autoscalerPolicyRef is not supported on serving runtimes; "
            "policy refs attach on the InferenceService only"
        )


class TestAcceleratorClasses:
    """Rule 14, steps 4 and 6."""

    listed = ("nvidia-h100", "nvidia-h200")

    def test_missing_classes(self):
        refused = ome.admit(cluster(), csr(acceleratorRequirements={"acceleratorClasses": [*self.listed]}))
        assert refused.denial == (
            'admission webhook "clusterservingruntime.ome-webhook-server.validator" denied the request: '
            "unknown accelerator classes referenced in AcceleratorRequirements: [nvidia-h100 nvidia-h200]"
        )

    def test_in_list_order_with_duplicates(self):
        runtime = sr(acceleratorRequirements={"acceleratorClasses": ["b", "a", "there", "b"]})
        assert answer(runtime, accelerator_class("there")) == (
            "unknown accelerator classes referenced in AcceleratorRequirements: [b a b]"
        )

    def test_all_there(self):
        runtime = csr(acceleratorRequirements={"acceleratorClasses": [*self.listed]})
        assert answer(runtime, *map(accelerator_class, self.listed)) is None

    def test_a_disabled_runtime_is_admitted(self):
        runtime = csr(disabled=True, acceleratorRequirements={"acceleratorClasses": [*self.listed]})
        assert answer(runtime) is None

    def test_disabled_by_what_it_inherits_does_not_count(self):
        child = csr("child", parent="parent", acceleratorRequirements={"acceleratorClasses": ["gone"]})
        assert answer(child, csr("parent", disabled=True)) is not None

    def test_inherited_classes_do_not_count(self):
        parent = csr("parent", acceleratorRequirements={"acceleratorClasses": ["gone"]})
        assert answer(csr("child", parent="parent"), parent) is None


def prioritised(*names_and_priorities, auto_select=True):
    return [
        entry(**({} if name is None else {"name": name}), autoSelect=auto_select, priority=priority)
        for name, priority in names_and_priorities
    ]


class TestPrioritiesWithin:
    """Rule 14, step 7."""

    @pytest.mark.parametrize(
        ("entries", "refused_name"),
        [
            (prioritised(("vllm", 1), ("vllm", 2)), "vllm"),
            (prioritised((None, 1), (None, 2)), ""),
            (prioritised(("", 1), (None, 2)), ""),
            (prioritised(("vllm", 1), ("vllm", 1)), None),
            (prioritised(("vllm", 1), ("sglang", 2)), None),
            (prioritised(("vllm", 1), ("VLLM", 2)), None),
            (prioritised(("vllm", 1), ("vllm", None)), None),
            # The first one sets the measure; without a priority, nothing is compared.
            (prioritised(("vllm", None), ("vllm", 1), ("vllm", 2)), None),
            (prioritised(("vllm", 1), ("vllm", None), ("vllm", 2)), "vllm"),
            (prioritised(("vllm", 1), ("vllm", 2), auto_select=False), None),
            (prioritised(("vllm", 1), ("vllm", 2), auto_select=None), None),
        ],
    )
    def test_table(self, entries, refused_name):
        text = f"different priorities assigned for the model format {refused_name} under the clusterservingruntime rt"
        assert answer(csr("rt", supportedModelFormats=entries)) == (None if refused_name is None else text)

    def test_of_a_serving_runtime(self):
        assert answer(sr("rt", supportedModelFormats=prioritised((None, 1), (None, 2)))) == (
            "different priorities assigned for the model format  under the servingruntime rt"
        )

    def test_different_formats_without_names_are_one_group(self):
        entries = [entry("safetensors", priority=1), entry("gguf", priority=2)]
        assert answer(csr("rt", supportedModelFormats=entries)) is not None

    def test_a_disabled_runtime_is_not_checked(self):
        assert answer(csr("rt", disabled=True, supportedModelFormats=prioritised((None, 1), (None, 2)))) is None

    def test_missing_classes_come_first(self):
        runtime = csr(
            supportedModelFormats=prioritised((None, 1), (None, 2)),
            acceleratorRequirements={"acceleratorClasses": ["gone"]},
        )
        assert "unknown accelerator classes" in answer(runtime)


def claiming(make=sr, name="new", *, disabled=None, size=None, protocols=("openAI",), **fields):
    return make(
        name,
        disabled=disabled,
        modelSizeRange=size,
        protocolVersions=list(protocols),
        supportedModelFormats=[entry("vllm", **{"name": "vllm", "priority": 1, **fields})],
    )


class TestPrioritiesAcross:
    """Rule 14, step 8, and the entry pairs of rule 21."""

    text = (
        "same priority assigned for the model format vllm in the servingruntimes existing and new "
        "in namespace llama-demo"
    )

    @pytest.mark.parametrize(
        ("new", "existing", "clashes"),
        [
            (claiming(), claiming(name="existing"), True),
            (claiming(), claiming(name="existing", disabled=True), False),
            (claiming(), claiming(), False),
            (claiming(), claiming(name="existing", modelFormat={"name": "sglang"}), False),
            (claiming(autoSelect=None), claiming(name="existing"), False),
            (claiming(), claiming(name="existing", autoSelect=False), False),
            (claiming(), claiming(name="existing", priority=2), False),
            (claiming(priority=None), claiming(name="existing", priority=None), False),
            (claiming(protocols=()), claiming(name="existing", protocols=()), False),
            (claiming(protocols=("a", "b")), claiming(name="existing", protocols=("b", "c")), True),
            (claiming(size={"min": "1B"}), claiming(name="existing", size={"min": "1B"}), True),
            (claiming(size={"min": "1B"}), claiming(name="existing", size={"min": "1000M"}), False),
            (claiming(quantization="fp8"), claiming(name="existing"), False),
            (claiming(modelArchitecture="A"), claiming(name="existing", modelArchitecture="A"), True),
        ],
    )
    def test_table(self, new, existing, clashes):
        made, there = cluster(new).runtimes[0], cluster(existing).runtimes[0]
        assert priority_clash(made, there) == (self.text if clashes else None)

    def test_the_case_of_the_name_does_not_count(self):
        there = claiming(name="existing")
        there["spec"]["supportedModelFormats"][0]["name"] = "VLLM"
        assert priority_clash(cluster(claiming()).runtimes[0], cluster(there).runtimes[0]) == self.text

    def test_in_a_real_cluster_it_is_advice(self):
        answered = ome.admit(cluster(claiming(name="existing")), claiming())
        assert answered.allowed
        assert answered.notes == (
            f"{self.text} (OME means to refuse this, but its check finds nothing in a real cluster)",
        )

    def test_of_cluster_serving_runtimes(self):
        answered = ome.admit(cluster(claiming(csr, "existing"), claiming(sr, "other")), claiming(csr))
        assert len(answered.notes) == 1
        assert answered.notes[0].startswith(
            "same priority assigned for the model format vllm in the clusterservingruntimes existing and new ("
        )

    def test_other_namespaces_and_kinds_do_not_count(self):
        elsewhere = claiming(name="existing")
        elsewhere["metadata"]["namespace"] = "elsewhere"
        assert ome.admit(cluster(elsewhere, claiming(csr, "existing")), claiming()).notes == ()


class TestV122:
    """Rule 20: what the runtime webhooks of v1.2.2 do differently."""

    multi_node = (
        "invalid configuration: for MultiNode deployment, "
        "both leader and worker must be defined and worker.size must be greater than 0"
    )
    raw = "invalid configuration: for RawDeployment, leader and worker must not be defined"

    @pytest.mark.parametrize(
        ("mode", "shape", "text"),
        [
            ("MultiNode", {}, multi_node),
            ("MultiNode", {"leader": {}}, multi_node),
            ("MultiNode", {"worker": {"size": 1}}, multi_node),
            ("MultiNode", {"leader": {}, "worker": {}}, multi_node),
            ("MultiNode", {"leader": {}, "worker": {"size": 0}}, multi_node),
            ("MultiNode", {"leader": {}, "worker": {"size": 1}}, None),
            ("RawDeployment", {"leader": {}}, raw),
            ("RawDeployment", {"worker": {}}, raw),
            ("RawDeployment", {}, None),
            ("VirtualDeployment", {"leader": {}}, None),
        ],
    )
    def test_shape(self, mode, shape, text):
        runtime = csr(engineConfig={"annotations": {MODE: mode}, **shape})
        assert answer(runtime, release="v1.2.2") == text
        assert answer(runtime) is None

    def test_same_name_priorities_only_beside_other_runtimes(self):
        runtime = sr("rt", supportedModelFormats=prioritised((None, 1), (None, 2)))
        assert answer(runtime, release="v1.2.2") is None
        assert answer(runtime, csr("another"), release="v1.2.2") is None
        assert answer(runtime, sr("another"), release="v1.2.2") is not None
        assert answer(runtime) is not None

    def test_no_inheritance(self):
        assert answer(csr("child", parent="gone", annotations=PROFILE), release="v1.2.2") is None

    def test_classes_are_checked_there_too(self):
        runtime = csr(acceleratorRequirements={"acceleratorClasses": ["gone"]})
        assert answer(runtime, release="v1.2.2") == (
            "unknown accelerator classes referenced in AcceleratorRequirements: [gone]"
        )


class TestTheApi:
    """Rule 19: what the API server refuses before any webhook."""

    def test_priority_below_one(self):
        refused = ome.admit(cluster(), csr("rt", supportedModelFormats=[entry(priority=0)]))
        assert not refused.allowed
        assert refused.webhook is None
        assert refused.denial == (
            'The ClusterServingRuntime "rt" is invalid: spec.supportedModelFormats[0].priority: Invalid value: 0: '
            "spec.supportedModelFormats[0].priority in body should be greater than or equal to 1"
        )

    def test_several_faults_make_a_list(self):
        refused = ome.admit(cluster(), sr("rt", supportedModelFormats=[{}, {"modelFormat": {}}]))
        assert refused.denial == (
            'The ServingRuntime "rt" is invalid: \n'
            "* spec.supportedModelFormats[0].modelFormat: Required value\n"
            "* spec.supportedModelFormats[1].modelFormat.name: Required value"
        )

    def test_namespaces_are_kept_apart(self):
        assert cluster(sr()).runtimes[0].namespace == NAMESPACE
