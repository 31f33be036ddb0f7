"""What shows up after admission: every row of the table in docs/rules.md, section 15, that files can produce."""

import pytest

import ome_select as ome
from ome_select.errors import NotStatedError
from ome_select.modes import component_mode
from tests.manifests import (
    MODE,
    NAMESPACE,
    accelerator_class,
    base_model,
    cluster,
    csr,
    entry,
    isvc,
    manifest,
    model,
    sr,
)

LLAMA = csr("vllm-llama", supportedModelFormats=[entry(priority=2)])
NOT_FOUND = "Runtime not found; awaiting runtime creation (ISVC left unchanged)"


def after(service, *objects, **options):
    """What follows in a cluster with the model `llama`, unless the objects hold one."""
    if not any("Model" in item["kind"] for item in objects):
        objects = (model(), *objects)
    return ome.after_admission(cluster(*objects), service, **options)


def shown(aftermath):
    """Event as type, reason and message; and the log messages."""
    events = [(event.type, event.reason, event.message) for event in aftermath.events]
    return events, [line.message for line in aftermath.logs]


class TestModel:
    @pytest.mark.parametrize(
        ("kind", "there", "log"),
        [
            ("ClusterBaseModel", base_model(), "Failed to get referenced ClusterBaseModel"),
            (None, base_model(), "Failed to get referenced ClusterBaseModel"),
            ("BaseModel", model(), "Failed to get referenced BaseModel"),
        ],
    )
    def test_no_model_of_the_kind(self, kind, there, log):
        service = isvc()
        service["spec"]["model"]["kind"] = kind
        aftermath = after(service, there, LLAMA)
        assert shown(aftermath) == ([], [log])
        assert (aftermath.effect, aftermath.conditions, aftermath.labels) == ("retries", (), {})

    def test_the_namespaces_model_is_used_where_both_exist(self):
        """Rule 17.3: the object of the kind has to exist, and the BaseModel's spec counts all the same."""
        aftermath = after(isvc(), model(format_name="gguf"), base_model(), LLAMA)
        assert aftermath.serving_runtime == "vllm-llama"

    def test_disabled(self):
        aftermath = after(isvc(), model(disabled=True), LLAMA)
        assert shown(aftermath) == (
            [("Warning", "ModelReconcileError", "specified base model llama is disabled")],
            ["Failed to reconcile base model"],
        )
        assert aftermath.effect == "retries"

    def test_sharded_and_not_ready(self):
        aftermath = after(isvc(), model(distribution="Sharded"), LLAMA)
        assert shown(aftermath) == (
            [("Normal", "ModelNotReady", "sharded BaseModel is not ready")],
            ["Waiting for sharded BaseModel to become ready"],
        )
        assert aftermath.effect == "requeues"

    def test_a_kind_that_does_not_exist(self):
        service = isvc()
        service["spec"]["model"]["kind"] = "Model"
        with pytest.raises(ome.UsageError, match=r'spec\.model\.kind "Model" is no kind of model'):
            after(service, LLAMA)


class TestAutomatic:
    def test_success(self):
        aftermath = after(isvc(), LLAMA, csr("other", supportedModelFormats=[entry()]))
        assert aftermath.effect == "continues"
        assert (aftermath.events, aftermath.conditions) == ((), ())
        selected, auto_selected = aftermath.logs
        assert selected.message == "Selected runtime"
        assert selected.fields == {
            "runtime": "vllm-llama",
            "score": 2,
            "isCluster": True,
            "model": "safetensors",
            "namespace": NAMESPACE,
            "candidates": 2,
        }
        assert str(selected) == (
            "Selected runtime   runtime=vllm-llama   score=2   isCluster=true   model=safetensors   "
            "namespace=llama-demo   candidates=2"
        )
        assert str(auto_selected) == "Auto-selected runtime   runtime=vllm-llama   model=llama"
        assert aftermath.serving_runtime == "vllm-llama"

    def test_a_serving_runtime_is_not_of_the_cluster(self):
        aftermath = after(isvc(), LLAMA, sr("team", supportedModelFormats=[entry()]))
        assert aftermath.logs[0].fields["isCluster"] is False
        assert aftermath.serving_runtime == "team"

    def test_runtime_ready_is_put_right_where_it_is_there(self):
        condition = after(isvc(), LLAMA, had_runtime_ready=True).condition("RuntimeReady")
        assert (condition.status, condition.reason) == (True, "RuntimeResolved")
        assert str(condition) == "RuntimeReady=True (RuntimeResolved)"

    def test_no_runtime(self):
        text = (
            "no runtime found to support model safetensors with format safetensors in namespace llama-demo. Checked 1 "
            "runtimes (0 namespace-scoped, 1 cluster-scoped). Excluded runtimes: vllm-llama (runtime is disabled)"
        )
        aftermath = after(isvc(), csr("vllm-llama", disabled=True))
        assert shown(aftermath) == ([("Warning", "RuntimeNotFound", text)], [NOT_FOUND])
        condition = aftermath.condition("RuntimeReady")
        assert (condition.status, condition.reason, condition.message) == (False, "RuntimeNotFound", text)
        assert aftermath.effect == "waits"
        assert aftermath.serving_runtime is None

    def test_a_model_without_a_format(self):
        aftermath = after(isvc(), model(format_name=None), LLAMA)
        assert shown(aftermath) == (
            [
                (
                    "Warning",
                    "RuntimeSelectionError",
                    (
                        "Failed to find runtime for model llama: invalid model specification: modelFormat.name: model "
                        "format name is required"
                    ),
                )
            ],
            ["Failed to auto-select runtime"],
        )
        assert (aftermath.conditions, aftermath.effect) == ((), "retries")

    def test_its_own_spec_is_used(self):
        """Rule 12.5: what a selected runtime inherits counts neither for the choice nor for what it gives."""
        profile = csr("profile", disabled=True, engineConfig={"annotations": {MODE: "MultiNode"}})
        child = csr("child", parent="profile", supportedModelFormats=[entry()])
        aftermath = after(isvc(), profile, child)
        assert aftermath.serving_runtime == "child"
        assert aftermath.modes[0].mode == "RawDeployment"
        assert (
            after(
                isvc(runtime={"name": "child"}),
                csr("profile", engineConfig={"annotations": {MODE: "MultiNode"}}),
                child,
            )
            .modes[0]
            .mode
            == "MultiNode"
        )

    def test_an_engine_with_its_own_image_gets_a_runtime_too(self):
        """Rule 13: the webhook leaves this choice until after admission."""
        assert after(isvc(engine={"runner": {"image": "i"}}), LLAMA).serving_runtime == "vllm-llama"

    def test_neither_model_nor_runtime(self):
        aftermath = after(isvc(model=None))
        assert shown(aftermath)[0] == [
            (
                "Warning",
                "RuntimeSelectionError",
                "InferenceService must specify spec.runtime when spec.model is omitted",
            )
        ]
        assert aftermath.effect == "retries"


class TestNamed:
    def test_success(self):
        aftermath = after(isvc(runtime="vllm-llama"), LLAMA)
        assert shown(aftermath) == ([], [])
        assert (aftermath.effect, aftermath.conditions) == ("continues", ())
        assert aftermath.serving_runtime == "vllm-llama"

    def test_runtime_ready_is_put_right(self):
        condition = after(isvc(runtime="vllm-llama"), LLAMA, had_runtime_ready=True).condition("RuntimeReady")
        assert (condition.status, condition.reason) == (True, "RuntimeResolved")

    def test_mismatch(self):
        runtime = csr("rt", supportedModelFormats=[entry()], modelSizeRange={"min": "500M", "max": "2B"})
        aftermath = after(isvc(runtime="rt"), model(modelParameterSize="3.21B"), runtime)
        assert shown(aftermath) == (
            [
                (
                    "Warning",
                    "RuntimeCompatibilityAdvisory",
                    (
                        "Runtime rt does not declare support for model llama (runtime rt does not support model "
                        "safetensors: model size 3.21B is outside supported range [500M, 2B]); proceeding because the "
                        "runtime was named explicitly"
                    ),
                )
            ],
            ["Runtime named explicitly; proceeding despite declared-format mismatch"],
        )
        assert aftermath.effect == "continues"
        assert aftermath.serving_runtime == "rt"

    @pytest.mark.parametrize(
        ("kind", "text"),
        [
            (None, "runtime gone not found in namespace llama-demo or at cluster scope"),
            ("ServingRuntime", "ServingRuntime gone not found in namespace llama-demo"),
        ],
    )
    @pytest.mark.parametrize("name", ["llama", None])
    def test_missing(self, kind, text, name):
        aftermath = after(isvc(model=name, runtime={"name": "gone", "kind": kind}))
        assert shown(aftermath) == ([("Warning", "RuntimeNotFound", text)], [NOT_FOUND])
        assert str(aftermath.condition("RuntimeReady")) == f"RuntimeReady=False (RuntimeNotFound): {text}"
        assert aftermath.effect == "waits"

    @pytest.mark.parametrize(
        ("there", "error"),
        [
            ([csr("rt", disabled=True)], "cluster-scoped runtime rt is disabled"),
            ([sr("rt", disabled=True)], "namespace-scoped runtime rt is disabled"),
            ([csr("rt", parent="p"), csr("p", disabled=True)], "cluster-scoped runtime rt is disabled"),
            ([csr("rt", parent="gone")], 'inherit-from parent "gone" not found (chain so far: [rt])'),
            (
                [csr("rt"), model(format_name=None)],
                "invalid model specification: modelFormat.name: model format name is required",
            ),
            (
                [csr("rt", supportedModelFormats=[entry()]), model(distribution="Sharded")],
                (
                    "runtime rt does not support model safetensors: model format 'mt:safetensors' not in supported "
                    "formats: no model cache provider is configured for sharded model loading"
                ),
            ),
        ],
    )
    def test_unusable(self, there, error):
        aftermath = after(isvc(runtime="rt"), *there, sharded_model_ready=True)
        assert shown(aftermath) == (
            [("Warning", "RuntimeValidationError", f"Runtime rt does not support model llama: {error}")],
            ["Runtime validation failed"],
        )
        assert (aftermath.conditions, aftermath.effect) == ((), "retries")

    def test_disabled_without_a_model(self):
        aftermath = after(isvc(model=None, runtime="rt"), csr("rt", disabled=True))
        assert shown(aftermath) == (
            [
                (
                    "Warning",
                    "RuntimeValidationError",
                    "Runtime rt failed validation: cluster-scoped runtime rt is disabled",
                )
            ],
            ["Runtime validation failed"],
        )

    def test_a_broken_chain_without_a_model(self):
        aftermath = after(isvc(model=None, runtime="rt"), csr("rt", parent="rt"))
        assert shown(aftermath) == (
            [("Warning", "RuntimeFetchError", "inheritance cycle detected: [rt rt]")],
            ["Failed to get runtime spec"],
        )

    def test_without_a_model_nothing_is_compared(self):
        aftermath = after(isvc(model=None, runtime="rt"), csr("rt"))
        assert shown(aftermath) == ([], [])
        assert aftermath.serving_runtime == "rt"

    def test_what_it_inherits_is_used(self):
        profile = csr(
            "profile",
            disabled=True,
            supportedModelFormats=[entry()],
            acceleratorRequirements={"acceleratorClasses": ["h100"]},
            engineConfig={"annotations": {MODE: "MultiNode"}},
        )
        child = sr("child", parent="profile", disabled=False)
        service = isvc(runtime="child", acceleratorSelector={"acceleratorClass": "h100"})
        aftermath = after(service, profile, child, accelerator_class("h100"))
        assert shown(aftermath) == ([], [])
        assert aftermath.modes[0].mode == "MultiNode"
        assert aftermath.classes[0].name == "h100"


class TestPinned:
    def pinned(self, **fields):
        return isvc(runtime={"name": "rt", "autoSync": False}, **fields)

    def test_no_advisory(self):
        aftermath = after(self.pinned(), csr("rt"))
        assert shown(aftermath) == ([], [])
        assert aftermath.effect == "continues"
        assert aftermath.serving_runtime == "rt"
        assert "keeps the revision that it recorded" in aftermath.notes[0]

    def test_a_disabled_runtime(self):
        aftermath = after(self.pinned(), csr("rt", disabled=True))
        assert shown(aftermath) == (
            [
                (
                    "Warning",
                    "RuntimeValidationError",
                    "Runtime rt failed validation: cluster-scoped runtime rt is disabled",
                )
            ],
            ["Runtime validation failed"],
        )

    def test_a_broken_chain(self):
        aftermath = after(self.pinned(), csr("rt", parent="gone"))
        assert shown(aftermath) == (
            [("Warning", "RuntimePinError", 'inherit-from parent "gone" not found (chain so far: [rt])')],
            [],
        )

    def test_the_runtime_is_gone(self):
        aftermath = after(self.pinned())
        condition = aftermath.condition("RuntimeDrifted")
        assert (condition.status, condition.reason) == (True, "SourceRuntimeMissing")
        assert aftermath.effect == "continues"
        assert "a first pin ends in RuntimePinError" in aftermath.notes[0]


class TestWorkload:
    def test_no_engine(self):
        aftermath = after(isvc(engine=None), LLAMA)
        assert shown(aftermath)[0] == [("Warning", "DeploymentModeError", None)]
        assert str(aftermath.events[0]) == "Warning DeploymentModeError: (message not known)"
        assert aftermath.serving_runtime is None

    @pytest.mark.parametrize("component", ["engine", "decoder"])
    def test_a_missing_class(self, component):
        override = {component: {"acceleratorOverride": {"acceleratorClass": "nvidia-h200"}}}
        runtime = csr(
            "rt",
            supportedModelFormats=[entry()],
            acceleratorRequirements={"acceleratorClasses": ["nvidia-h100", "nvidia-h200"]},
        )
        aftermath = after(isvc(**({"engine": {}} | override)), runtime, accelerator_class("nvidia-h100"))
        assert shown(aftermath)[0] == [
            (
                "Warning",
                "AcceleratorClassError",
                (
                    f"Failed to get accelerator class for {component}: accelerator class nvidia-h200 "
                    "not found at cluster scope"
                ),
            )
        ]
        assert (aftermath.effect, aftermath.conditions, aftermath.labels) == ("retries", (), {})

    def test_a_missing_class_to_the_letter(self):
        runtime = csr("rt", supportedModelFormats=[entry()], acceleratorRequirements={"acceleratorClasses": ["a"]})
        events, _ = shown(after(isvc(acceleratorSelector={"acceleratorClass": "a"}), runtime))
        assert events[0][2] == (
            "Failed to get accelerator class for engine: accelerator class a not found at cluster scope"
        )

    def test_a_fault_of_omes_is_noted(self):
        """Rule 16.3: OME v1.3 panics where BestFit has no constraints and two classes to choose from."""
        listed = {"acceleratorClasses": ["a", "b"]}
        runtime = csr("rt", supportedModelFormats=[entry()], acceleratorRequirements=listed)
        service = isvc(acceleratorSelector={"policy": "BestFit"})
        aftermath = after(service, runtime, accelerator_class("a"), accelerator_class("b"))
        assert "invalid memory address or nil pointer dereference" in aftermath.classes[0].note

    def test_labels(self):
        labels = after(isvc(decoder={}, router={}), LLAMA).labels
        assert list(labels) == ["engine", "decoder", "router"]
        assert labels["decoder"] == {
            "serving-runtime": "vllm-llama",
            "ome.io/inferenceservice": "chat",
            "component": "decoder",
            "base-model-name": "llama",
            "base-model-size": "SMALL",
            "base-model-type": "Serving",
        }

    def test_the_size_label_is_the_models_category(self):
        large = manifest("ClusterBaseModel", "llama", None, {"models.ome.io/category": "LARGE"}, model()["spec"])
        assert after(isvc(), large, LLAMA).labels["engine"]["base-model-size"] == "LARGE"

    def test_without_a_model_there_is_no_label_for_it(self):
        labels = after(isvc(model=None, runtime="vllm-llama"), LLAMA).labels["engine"]
        assert not any(name.startswith("base-model") for name in labels)


class TestModes:
    """Rule 21: the mode of a component, from what the service and the runtime say."""

    def mode(self, service, runtime=None, component="engine"):
        made = cluster(service, runtime or csr("rt"))
        return component_mode(made.services[0], made.runtimes[0], component).mode

    def test_the_routers_mode_is_not_the_engines(self):
        service = isvc(engine={"annotations": {MODE: "OMENative"}}, router={})
        assert self.mode(service) == "OMENative"
        assert self.mode(service, component="router") == "RawDeployment"

    def test_a_named_runtimes_annotation_comes_before_the_spec(self):
        runtime = csr("rt", supportedModelFormats=[entry()], engineConfig={"annotations": {MODE: "MultiNode"}})
        service = isvc(deploymentMode="OMENative")
        aftermath = after({**service, "spec": {**service["spec"], "runtime": {"name": "rt"}}}, runtime)
        assert aftermath.modes[0].mode == "MultiNode"
        # Auto-selection would not take that runtime.
        assert after(service, runtime).effect == "waits"


class TestV122:
    """Rule 20: what v1.2.2 shows instead."""

    @pytest.mark.parametrize(("auto_sync", "reason"), [(True, "RuntimeValidationError"), (False, "RuntimePinError")])
    def test_missing(self, auto_sync, reason):
        aftermath = after(isvc(runtime={"name": "gone", "autoSync": auto_sync}), release="v1.2.2")
        assert shown(aftermath) == ([("Warning", reason, None)], [])
        assert aftermath.conditions == ()
        assert aftermath.notes == ("the message of this event in v1.2.2 is not in the rules",)

    def test_no_runtime(self):
        aftermath = after(isvc(), release="v1.2.2")
        assert (aftermath.events, aftermath.conditions) == ((), ())
        assert aftermath.notes == ("what v1.2.2 records when no runtime is found is not in the rules",)

    def test_runtime_ready_is_absent(self):
        assert after(isvc(), LLAMA, release="v1.2.2", had_runtime_ready=True).conditions == ()

    def test_a_model_is_needed(self):
        with pytest.raises(NotStatedError, match=r"v1\.2\.2 needs spec\.model"):
            after(isvc(model=None, runtime="vllm-llama"), LLAMA, release="v1.2.2")

    def test_a_sharded_model_is_like_any_other(self):
        assert after(isvc(), model(distribution="Sharded"), LLAMA, release="v1.2.2").effect == "continues"

    def test_the_advisory_is_the_same(self):
        events, _ = shown(after(isvc(runtime="rt"), csr("rt"), release="v1.2.2"))
        assert events[0][1] == "RuntimeCompatibilityAdvisory"


class TestInput:
    def test_by_name(self):
        there = cluster(model(), LLAMA, isvc())
        assert ome.after_admission(there, "chat", namespace=NAMESPACE).serving_runtime == "vllm-llama"
        assert ome.after_admission(there, there.services[0]).serving_runtime == "vllm-llama"
        with pytest.raises(ome.NotFoundError, match=r'inferenceservices\.ome\.io "chat" not found'):
            ome.after_admission(there, "chat")

    def test_what_is_no_service(self):
        with pytest.raises(ome.UsageError, match="ClusterBaseModel/llama is no InferenceService"):
            ome.after_admission(cluster(), model())
        with pytest.raises(ome.InvalidObjectError, match="kind: is missing"):
            ome.after_admission(cluster(), {"apiVersion": "ome.io/v1beta1"})

    def test_as_text(self):
        waiting, *_ = str(after(isvc(), csr("vllm-llama", disabled=True))).splitlines()
        assert waiting == "chat: running pods keep serving, and OME waits for a runtime"
        assert str(after(isvc(runtime={"name": "vllm-llama", "autoSync": False}), LLAMA)).splitlines() == [
            "chat: OME makes or updates the workload",
            "label      serving-runtime: vllm-llama",
            (
                "note       autoSync is false: OME keeps the revision that it recorded, which no manifest holds; "
                "this answer takes the runtime as it is now"
            ),
        ]
