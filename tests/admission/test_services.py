"""What the webhook for InferenceServices answers."""

from itertools import pairwise

import pytest

import ome_select as ome
from tests.manifests import MODE, NAMESPACE, accelerator_class, base_model, cluster, csr, entry, isvc, model, sr

PREFIX = 'admission webhook "inferenceservice.ome-webhook-server.validator" denied the request: '
LLAMA = csr("vllm-llama", supportedModelFormats=[entry()])
CLASSES = ("nvidia-h100", "nvidia-h200", "nvidia-a100")


def answer(service, *objects, **options):
    """The reason of the denial, in a cluster with the model `llama` unless the objects hold one."""
    return ask(service, *objects, **options).message


def ask(service, *objects, **options):
    if not any("Model" in item["kind"] for item in objects):
        objects = (model(), *objects)
    return ome.admit(cluster(*objects), service, **options)


class TestShape:
    """Rule 13, steps 2 to 10: what is checked of the service alone."""

    @pytest.mark.parametrize("name", ["chat", "c", "c-2", "c--2"])
    def test_name(self, name):
        assert answer(isvc(name), LLAMA) is None

    @pytest.mark.parametrize("name", ["Chat", "2chat", "chat-", "-chat", "chat.v1", "chät", "chat\n"])
    def test_name_refused(self, name):
        assert answer(isvc(name), LLAMA) == (
            f'invalid InferenceService name "{name}", must match "[a-z]([-a-z0-9]*[a-z0-9])?"'
        )

    def test_the_prefix_of_a_denial(self):
        refused = ask(isvc("chat", engine=None, decoder={}))
        assert refused.denial == f"{PREFIX}decoder cannot be specified without engine"
        assert (refused.allowed, refused.warnings) == (False, ())

    @pytest.mark.parametrize(
        ("component", "spec"), [("engine", {"leader": {}}), ("engine", {"worker": {}}), ("decoder", {"leader": {}})]
    )
    def test_leader_and_worker_come_in_pairs(self, component, spec):
        service = isvc(**({"engine": {}} | {component: spec}))
        refused = ask(service, LLAMA)
        assert refused.message.startswith("InvalidLeaderWorkerPairing")
        assert refused.notes == ("of this message, the rules give the first word only",)

    @pytest.mark.parametrize(
        ("engine", "decoder", "spec", "shown"),
        [
            ("OMENative", None, None, ("OMENative", "")),
            ("RawDeployment", "OMENative", None, ("RawDeployment", "OMENative")),
            ("MultiNode", None, "OMENative", ("MultiNode", "OMENative")),
            ("OMENative", "OMENative", None, None),
            ("OMENative", None, "OMENative", None),
            ("MultiNode", "RawDeployment", None, None),
            (None, None, "OMENative", None),
            (None, None, None, None),
        ],
    )
    def test_mode_pair(self, engine, decoder, spec, shown):
        def annotated(mode):
            return {"annotations": {MODE: mode}} if mode else {}

        service = isvc(engine=annotated(engine), decoder=annotated(decoder), deploymentMode=spec)
        expected = shown and (
            f'InvalidDeploymentModeCombination: engine deploymentMode="{shown[0]}" does not match decoder '
            f'deploymentMode="{shown[1]}"; when either is OMENative, both must use the same value'
        )
        assert answer(service, LLAMA) == expected

    @pytest.mark.parametrize("component", ["engine", "decoder", "router"])
    def test_replicas_of_each_component(self, component):
        service = isvc(**({"engine": {}} | {component: {"minReplicas": -1}}))
        assert answer(service, LLAMA) == f"spec.{component}.minReplicas must be >= 0"
        service["spec"][component]["minReplicas"] = 0
        assert answer(service, LLAMA) is None

    def test_replicas(self):
        assert answer(isvc(engine={"minReplicas": -1}), LLAMA) == "spec.engine.minReplicas must be >= 0"

    def test_mode_pair_to_the_letter(self):
        service = isvc(engine={"annotations": {MODE: "OMENative"}}, decoder={})
        assert answer(service, LLAMA) == (
            'InvalidDeploymentModeCombination: engine deploymentMode="OMENative" does not match decoder '
            'deploymentMode=""; when either is OMENative, both must use the same value'
        )

    def test_a_model_or_a_runtime(self):
        text = "at least one of spec.model or spec.runtime must be set"
        assert answer(isvc(model=None)) == text
        assert answer(isvc(model="", runtime="")) == text
        assert answer(isvc(model=None, runtime="vllm-llama"), LLAMA) is None

    def test_the_first_failure_ends_the_review(self):
        assert "invalid InferenceService name" in answer(isvc("Chat", engine=None, decoder={}, model=None))

    @pytest.mark.parametrize(
        ("applied", "update", "checked"), [(True, True, False), (True, False, True), (False, True, True)]
    )
    def test_an_update_of_a_service_that_is_being_deleted_is_admitted(self, applied, update, checked):
        service = isvc(model="gone")
        if applied:
            service["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
        there = cluster(isvc(model="gone"))
        assert ome.admit(there, service, update=update).allowed is not checked


class TestDeploymentStrategy:
    """Rule 13, step 8."""

    @staticmethod
    def warning(component, mode):
        return (
            f'{component}.deploymentStrategy is set but deploymentMode is "{mode}"; deploymentStrategy applies only to '
            f"RawDeployment and is ignored here — use {component}.lifecycle.updateStrategy.rollingUpdate for rollout "
            "pacing"
        )

    def test_one_warning_for_each_component(self):
        strategy = {"deploymentStrategy": {"type": "Recreate"}}
        runtime = csr("r", supportedModelFormats=[entry()])
        service = isvc(engine=strategy, decoder={}, router=strategy, deploymentMode="OMENative", runtime="r")
        admitted = ask(service, runtime)
        assert admitted.allowed
        assert admitted.warnings == (self.warning("engine", "OMENative"), self.warning("router", "OMENative"))

    def test_the_services_own_annotation_comes_first(self):
        strategy = {"deploymentStrategy": {}}
        service = isvc(engine=strategy, annotations={MODE: "MultiNode"}, deploymentMode="RawDeployment", runtime="r")
        runtime = csr("r", supportedModelFormats=[entry()])
        assert ask(service, runtime).warnings == (self.warning("engine", "MultiNode"),)

    @pytest.mark.parametrize("mode", [None, "RawDeployment"])
    def test_none_where_it_counts(self, mode):
        service = isvc(engine={"deploymentStrategy": {}}, deploymentMode=mode, runtime="vllm-llama")
        assert ask(service, LLAMA).warnings == ()

    def test_warnings_come_in_order_and_stay_with_a_denial(self):
        service = isvc(engine={"deploymentStrategy": {}}, deploymentMode="OMENative")
        assert ask(service, LLAMA).warnings == (
            self.warning("engine", "OMENative"),
            "Runtime vllm-llama will be auto-selected for model llama",
        )
        refused = ask(service)
        assert not refused.allowed
        assert refused.warnings == (self.warning("engine", "OMENative"),)


class TestPin:
    """Rule 13, step 10."""

    @pytest.mark.parametrize(
        ("runtime", "text"),
        [
            (
                {"name": "rt", "revision": "cr-rt-0123abcd"},
                (
                    "spec.runtime.revision requires spec.runtime.autoSync=false; "
                    "AutoSync=true would silently ignore the pin"
                ),
            ),
            ({"name": "rt", "revision": "cr-rt-0123abcd", "autoSync": False}, None),
            ({"name": "rt", "revision": "", "autoSync": True}, None),
            (
                {"name": "rt", "revision": "cr-rt-0123ABCD", "autoSync": False},
                (
                    'spec.runtime.revision "cr-rt-0123ABCD" does not match the expected naming convention for runtime '
                    '"rt" (ClusterServingRuntime); expected the form cr-rt-<8 lowercase hex chars>'
                ),
            ),
            (
                {"name": "rt", "revision": "cr-rt-0123abcd", "autoSync": False, "kind": "ServingRuntime"},
                (
                    'spec.runtime.revision "cr-rt-0123abcd" does not match the expected naming convention for runtime '
                    '"rt" (ServingRuntime); expected the form r-llama-demo-rt-<8 lowercase hex chars>'
                ),
            ),
            ({"name": "rt", "revision": "r-llama-demo-rt-0123abcd", "autoSync": False, "kind": "ServingRuntime"}, None),
        ],
    )
    def test_table(self, runtime, text):
        assert answer(isvc(runtime=runtime), csr("rt", supportedModelFormats=[entry()]), sr("rt")) == text


class TestModel:
    """Rule 13, steps 11 and 12."""

    def test_it_must_exist(self):
        assert answer(isvc(model="gone")) == (
            'referenced model "gone" not found in namespace "llama-demo": ensure a BaseModel exists in this namespace '
            "or a ClusterBaseModel exists cluster-wide with this name"
        )

    def test_also_without_an_engine(self):
        assert answer(isvc(model="gone", engine=None)) is not None
        assert answer(isvc(engine=None)) is None

    @pytest.mark.parametrize("kind", ["BaseModel", "ClusterBaseModel", "Anything"])
    def test_its_kind_is_ignored(self, kind):
        service = isvc()
        service["spec"]["model"]["kind"] = kind
        assert answer(service, base_model(), LLAMA) is None
        assert answer(service, model(), LLAMA) is None

    @pytest.mark.parametrize(
        ("uri", "refused"),
        [
            ("pvc://elsewhere:claim/llama", True),
            ("pvc://llama-demo:claim/llama", False),
            ("pvc://claim/llama", False),
            ("hf://elsewhere:claim/llama", False),
        ],
    )
    def test_volume_claims_of_other_namespaces(self, uri, refused):
        answered = ask(isvc(), model(storage={"storageUri": uri}), LLAMA)
        assert answered.allowed is not refused
        if refused:
            assert answered.message.startswith(
                'ClusterBaseModel "llama" references PVC in namespace "elsewhere", '
                'but InferenceService is in namespace "llama-demo"; '
            )
            assert answered.notes == ("of this message, the rules give the start only",)

    def test_a_base_model_names_a_claim_of_its_own_namespace(self):
        assert answer(isvc(), base_model(storage={"storageUri": "pvc://elsewhere:claim/x"}), LLAMA) is None


class TestWithoutEngine:
    """Rule 13, step 13: without an engine section nothing about the runtime is checked."""

    @pytest.mark.parametrize("fields", [{}, {"runtime": "gone"}])
    @pytest.mark.parametrize("disabled", [True, False])
    def test_nothing_is_checked(self, fields, disabled):
        admitted = ask(isvc(engine=None, **fields), model(disabled=disabled))
        assert admitted.allowed
        assert admitted.warnings == ()


class TestRuntimeAlone:
    """Rule 13, step 13b: a runtime without a model."""

    def test_a_missing_runtime_is_admitted(self):
        assert answer(isvc(model=None, runtime="gone")) is None

    def test_a_disabled_runtime(self):
        assert (
            answer(isvc(model=None, runtime="rt"), csr("rt", disabled=True)) == "cluster-scoped runtime rt is disabled"
        )
        assert answer(isvc(model=None, runtime="rt"), sr("rt", disabled=True)) == (
            "namespace-scoped runtime rt is disabled"
        )

    def test_a_broken_chain(self):
        assert answer(isvc(model=None, runtime="rt"), csr("rt", parent="gone")) == (
            'inherit-from parent "gone" not found (chain so far: [rt])'
        )

    @pytest.mark.parametrize("runtime", [csr("rt", disabled=True), csr("rt", parent="gone")])
    def test_without_auto_sync_nothing_is_checked(self, runtime):
        assert answer(isvc(model=None, runtime={"name": "rt", "autoSync": False}), runtime) is None

    def test_what_it_supports_does_not_matter(self):
        admitted = ask(isvc(model=None, runtime="rt", acceleratorSelector={"acceleratorClass": "a"}), csr("rt"))
        assert admitted.allowed
        assert admitted.warnings == ()


IMAGE = {"runner": {"image": "i"}}


class TestFullRunner:
    """Rule 13, step 13c: an engine that brings its own images."""

    @pytest.mark.parametrize(
        ("engine", "full"),
        [
            (IMAGE, True),
            ({"leader": IMAGE, "worker": IMAGE}, True),
            ({"leader": IMAGE, "worker": {}}, False),
            ({"leader": {}, "worker": IMAGE}, False),
            ({"runner": {"image": ""}}, False),
            ({"runner": {}}, False),
            ({}, False),
        ],
    )
    def test_it_leaves_auto_selection_until_later(self, engine, full):
        assert ask(isvc(engine=engine)).allowed is full

    def test_nothing_else_is_checked_either(self):
        admitted = ask(isvc(engine=IMAGE), model(disabled=True))
        assert admitted.allowed
        assert admitted.warnings == ()

    def test_a_named_runtime_is_checked_all_the_same(self):
        assert answer(isvc(engine=IMAGE, runtime="gone")) == (
            "runtime gone does not support model llama: "
            "runtime gone not found in namespace llama-demo or at cluster scope"
        )


class TestNamed:
    """Rule 13, step 13d: a runtime that is named, for a model."""

    def test_a_runtime_that_supports_the_model_gives_no_warning(self):
        assert ask(isvc(runtime="vllm-llama"), LLAMA).warnings == ()

    def test_it_needs_no_auto_select(self):
        admitted = ask(isvc(runtime="rt"), csr("rt", supportedModelFormats=[entry(autoSelect=False)]))
        assert admitted.warnings == ()

    @pytest.mark.parametrize(
        ("runtime", "there", "reason"),
        [
            ("rt", [], "runtime rt not found in namespace llama-demo or at cluster scope"),
            (
                {"name": "rt", "kind": "ClusterServingRuntime"},
                [],
                "runtime rt not found in namespace llama-demo or at cluster scope",
            ),
            (
                {"name": "rt", "kind": "ServingRuntime"},
                [csr("rt")],
                "ServingRuntime rt not found in namespace llama-demo",
            ),
            ("rt", [csr("rt", disabled=True)], "cluster-scoped runtime rt is disabled"),
            ("rt", [sr("rt", disabled=True)], "namespace-scoped runtime rt is disabled"),
            (
                "rt",
                [csr("rt", parent="profile", supportedModelFormats=[entry()]), csr("profile", disabled=True)],
                "cluster-scoped runtime rt is disabled",
            ),
            (
                "rt",
                [csr("rt", supportedModelFormats=[entry()]), model(format_name=None)],
                "invalid model specification: modelFormat.name: model format name is required",
            ),
            ("rt", [csr("rt", parent="gone")], 'inherit-from parent "gone" not found (chain so far: [rt])'),
            ("rt", [csr("rt", parent="rt")], "inheritance cycle detected: [rt rt]"),
            (
                "rt",
                [csr("rt", parent="a"), *(csr(child, parent=parent) for child, parent in pairwise("abcdef")), csr("f")],
                "inheritance chain exceeds max depth 5 (chain: [rt a b c d])",
            ),
            (
                "rt",
                [csr("rt", supportedModelFormats=[entry()]), model(distribution="Sharded")],
                (
                    "runtime rt does not support model safetensors: model format 'mt:safetensors' not in supported "
                    "formats: no model cache provider is configured for sharded model loading"
                ),
            ),
        ],
    )
    def test_denied(self, runtime, there, reason):
        assert answer(isvc(runtime=runtime), *there) == f"runtime rt does not support model llama: {reason}"

    def test_a_disabled_model_comes_before_the_runtime(self):
        assert answer(isvc(runtime="gone"), model(disabled=True)) == "model llama is disabled"

    def test_pinned_and_gone(self):
        service = isvc(
            model="llama-3-2-3b-instruct",
            runtime={"name": "sglang-llama-3-2-3b", "kind": "ServingRuntime", "autoSync": False},
        )
        assert answer(service, model("llama-3-2-3b-instruct")) == (
            "runtime sglang-llama-3-2-3b does not support model llama-3-2-3b-instruct: "
            "ServingRuntime sglang-llama-3-2-3b not found in namespace llama-demo"
        )

    def warning(self, inner):
        return (
            f'runtime "rt" does not declare support for model "llama" (runtime rt does not support model {inner}); '
            "proceeding because the runtime was named explicitly"
        )

    @pytest.mark.parametrize(
        ("service", "there", "inner"),
        [
            (
                isvc(runtime="rt", acceleratorSelector={"acceleratorClass": "a"}),
                csr("rt"),
                ": runtime does not support the required accelerator class",
            ),
            (
                isvc(runtime="rt", deploymentMode="OMENative"),
                csr("rt", engineConfig={"annotations": {MODE: "MultiNode"}}),
                ": runtime engine deployment mode MultiNode does not match requested engine deployment mode OMENative",
            ),
            (
                isvc(runtime="rt", decoder={"annotations": {MODE: "MultiNode"}}),
                csr("rt", decoderConfig={"annotations": {MODE: "RawDeployment"}}),
                (
                    ": runtime decoder deployment mode RawDeployment does not match requested decoder deployment mode "
                    "MultiNode"
                ),
            ),
            (
                isvc(runtime="rt"),
                csr("rt"),
                "safetensors: model format 'mt:safetensors' not in supported formats: no supported formats defined",
            ),
            (
                isvc(runtime="rt"),
                csr("rt", supportedModelFormats=[entry("gguf")]),
                (
                    "safetensors: model format 'mt:safetensors' not in supported formats: "
                    "format name mismatch (model=safetensors, runtime=gguf)"
                ),
            ),
        ],
    )
    def test_what_it_does_not_declare_is_a_warning(self, service, there, inner):
        admitted = ask(service, there)
        assert admitted.allowed
        assert admitted.warnings == (self.warning(inner),)

    def test_the_size_is_a_warning_too(self):
        runtime = csr("rt", supportedModelFormats=[entry()], modelSizeRange={"min": "500M", "max": "2B"})
        admitted = ask(isvc(runtime="rt"), model(modelParameterSize="3.21B"), runtime)
        assert admitted.warnings == (
            self.warning("safetensors: model size 3.21B is outside supported range [500M, 2B]"),
        )

    def test_an_unlisted_class(self):
        """Rule 21, to the letter."""
        service = isvc(
            model="llama-3-3-70b-instruct",
            runtime="srt-llama-3-3-70b-instruct",
            acceleratorSelector={"acceleratorClass": "nvidia-h100"},
        )
        runtime = csr("srt-llama-3-3-70b-instruct", supportedModelFormats=[entry()])
        assert ask(service, model("llama-3-3-70b-instruct"), runtime).warnings == (
            (
                'runtime "srt-llama-3-3-70b-instruct" does not declare support for model "llama-3-3-70b-instruct" '
                "(runtime srt-llama-3-3-70b-instruct does not support model : runtime does not support the required "
                "accelerator class); proceeding because the runtime was named explicitly"
            ),
        )

    def test_a_framework_that_drifted(self):
        """Rule 21, to the letter."""
        drifted = model(
            "llama-3-2-1b-instruct",
            modelFormat={"name": "safetensors", "version": "1.0.0"},
            modelFramework={"name": "transformers", "version": "4.46.0"},
            modelArchitecture="LlamaForCausalLM",
        )
        runtime = csr(
            "srt-llama-3-2-1b-instruct",
            supportedModelFormats=[
                {
                    "modelFormat": {"name": "safetensors", "version": "1.0.0"},
                    "modelFramework": {"name": "transformers", "version": "4.45.0.dev0"},
                    "modelArchitecture": "LlamaForCausalLM",
                }
            ],
        )
        service = isvc(model="llama-3-2-1b-instruct", runtime="srt-llama-3-2-1b-instruct")
        assert ask(service, drifted, runtime).warnings == (
            (
                'runtime "srt-llama-3-2-1b-instruct" does not declare support for model "llama-3-2-1b-instruct" '
                "(runtime srt-llama-3-2-1b-instruct does not support model safetensors: model format "
                "'mt:safetensors:1.0.0:LlamaForCausalLM:transformers:4.46.0' not in supported formats: "
                "framework version mismatch (model=4.46.0, runtime=4.45.0.dev0)); "
                "proceeding because the runtime was named explicitly"
            ),
        )

    def test_what_is_inherited_counts(self):
        """Rule 12.5: a named runtime is checked as merged, for its formats, its classes and its modes."""
        profile = csr(
            "profile",
            disabled=True,
            supportedModelFormats=[entry()],
            acceleratorRequirements={"acceleratorClasses": ["nvidia-h100"]},
            engineConfig={"annotations": {MODE: "OMENative"}},
        )
        child = sr("rt", parent="profile", disabled=False)
        service = isvc(runtime="rt", acceleratorSelector={"acceleratorClass": "nvidia-h100"})
        assert ask(service, profile, child).warnings == ()
        service["spec"]["deploymentMode"] = "RawDeployment"
        assert ask(service, profile, child).warnings == (
            self.warning(
                ": runtime engine deployment mode OMENative does not match requested engine deployment mode "
                "RawDeployment"
            ),
        )


class TestAutomatic:
    """Rule 13, step 13d: auto-selection at admission."""

    @pytest.mark.parametrize(
        ("runtime", "name", "warning"),
        [
            (
                "vllm-llama-3-2-1b-instruct",
                "llama-3-2-1b-instruct",
                "Runtime vllm-llama-3-2-1b-instruct will be auto-selected for model llama-3-2-1b-instruct",
            ),
            (
                "sglang-llama-3-2-3b",
                "llama-3-2-3b-instruct",
                "Runtime sglang-llama-3-2-3b will be auto-selected for model llama-3-2-3b-instruct",
            ),
        ],
    )
    def test_success_is_a_warning(self, runtime, name, warning):
        admitted = ask(isvc(model=name), model(name), csr(runtime, supportedModelFormats=[entry()]))
        assert admitted.allowed
        assert admitted.warnings == (warning,)

    @pytest.mark.parametrize(
        ("pipeline", "reason"),
        [
            (
                None,
                (
                    "srt-qwen-image-pipeline (model format 'mt:diffusers:0.34.0.dev0:QwenImagePipeline:diffusers:"
                    "0.34.0.dev0' not in supported formats: "
                    "diffusion pipeline required by runtime but not specified in model)"
                ),
            ),
            (
                {"className": "QwenImageEditPipeline"},
                "pipeline class mismatch (model=QwenImageEditPipeline, runtime=QwenImagePipeline)",
            ),
            (
                {"className": "QwenImagePipeline", "transformer": {"library": "transformers"}},
                "transformer library mismatch (model=transformers, runtime=diffusers)",
            ),
            (
                {"className": "QwenImagePipeline", "scheduler": {"type": "EulerDiscreteScheduler"}},
                "scheduler type mismatch (model=EulerDiscreteScheduler, runtime=FlowMatchEulerDiscreteScheduler)",
            ),
            (
                {
                    "className": "QwenImagePipeline",
                    "scheduler": {"type": "FlowMatchEulerDiscreteScheduler"},
                    "transformer": {"library": "diffusers", "type": "QwenImageTransformer2DModel"},
                },
                None,
            ),
        ],
    )
    def test_diffusion(self, pipeline, reason):
        """Rule 21: the pipelines of Qwen-Image."""
        version = {"name": "diffusers", "version": "0.34.0.dev0"}
        required = {"className": "QwenImagePipeline", "transformer": {"library": "diffusers"}}
        if pipeline and "scheduler" in pipeline:
            required["scheduler"] = {"type": "FlowMatchEulerDiscreteScheduler"}
        supported = {
            "modelFormat": version,
            "modelFramework": version,
            "modelArchitecture": "QwenImagePipeline",
            "diffusionPipeline": required,
            "autoSelect": True,
        }
        image = model(
            "qwen-image",
            modelFormat=version,
            modelFramework=version,
            modelArchitecture="QwenImagePipeline",
            diffusionPipeline=pipeline,
        )
        runtime = csr("srt-qwen-image-pipeline", supportedModelFormats=[supported])
        refusal = answer(isvc(model="qwen-image"), image, runtime)
        assert reason is None if refusal is None else reason in refusal

    @pytest.mark.parametrize(
        ("bounds", "reason"),
        [
            ({"min": "22B", "max": "40B"}, "vllm-llama (model size 7.62B is outside supported range [22B, 40B])"),
            ({"min": "22B"}, "vllm-llama (model size 7.62B is outside supported range [22B, inf))"),
            ({"max": "4B"}, "vllm-llama (model size 7.62B is outside supported range (-inf, 4B])"),
        ],
    )
    def test_size(self, bounds, reason):
        runtime = csr("vllm-llama", supportedModelFormats=[entry()], modelSizeRange=bounds)
        assert answer(isvc(), model(modelParameterSize="7.62B"), runtime).endswith(f". Excluded runtimes: {reason}")

    def test_no_runtime(self):
        service = isvc(model="llama-3-3-70b-instruct", acceleratorSelector={"acceleratorClass": "nvidia-a100"})
        hopper = csr(
            "llama-3-3-70b-hopper",
            supportedModelFormats=[entry()],
            acceleratorRequirements={"acceleratorClasses": ["nvidia-h100", "nvidia-h200"]},
        )
        refused = ask(service, model("llama-3-3-70b-instruct"), hopper, *map(accelerator_class, CLASSES))
        assert refused.denial == (
            f"{PREFIX}no supporting runtime found for model llama-3-3-70b-instruct and engine does not have complete "
            "runner configuration: no runtime found to support model safetensors with format safetensors in namespace "
            "llama-demo. Checked 1 runtimes (0 namespace-scoped, 1 cluster-scoped). Excluded runtimes: "
            "llama-3-3-70b-hopper (runtime does not support the required accelerator class)"
        )

    def test_an_empty_cluster(self):
        assert answer(isvc()) == (
            "no supporting runtime found for model llama and engine does not have complete runner configuration: "
            "no runtime found to support model safetensors with format safetensors in namespace llama-demo"
        )

    def test_no_match_by_mode(self):
        """Rule 21: the second runtime passes every check and has no entry for auto-selection, so it is only counted."""
        multi_node = csr(
            "srt-llama-3-3-70b-instruct-multinode",
            supportedModelFormats=[entry()],
            engineConfig={"annotations": {MODE: "MultiNode"}},
        )
        plain = csr("srt-llama-3-3-70b-instruct", supportedModelFormats=[entry(autoSelect=False)])
        service = isvc(model="llama-3-3-70b-instruct", deploymentMode="OMENative")
        assert answer(service, model("llama-3-3-70b-instruct"), multi_node, plain).endswith(
            "no runtime found to support model safetensors with format safetensors in namespace llama-demo. Checked 2 "
            "runtimes (0 namespace-scoped, 2 cluster-scoped). Excluded runtimes: srt-llama-3-3-70b-instruct-multinode "
            "(runtime engine deployment mode MultiNode does not match requested engine deployment mode OMENative)"
        )

    def test_a_model_without_a_format(self):
        assert answer(isvc(), model(format_name=None), LLAMA) == (
            "no supporting runtime found for model llama and engine does not have complete runner configuration: "
            "invalid model specification: modelFormat.name: model format name is required"
        )

    def test_a_disabled_model(self):
        assert answer(isvc(), model(disabled=True), LLAMA) == "model llama is disabled"

    def test_inheritance_does_not_count(self):
        """Rule 12.5: a child whose entries live in its parent is not selected."""
        profile = csr("profile", disabled=True, supportedModelFormats=[entry()])
        child = csr("child", parent="profile", disabled=False)
        assert "child (model format 'mt:safetensors' not in supported formats: no supported formats defined)" in answer(
            isvc(), profile, child
        )


class TestV122:
    """Rule 20: what the webhook of v1.2.2 does differently."""

    def test_a_model_is_needed(self):
        with pytest.raises(ome.OmeSelectError, match=r"v1\.2\.2 needs spec\.model"):
            ask(isvc(model=None, runtime="vllm-llama"), LLAMA, release="v1.2.2")

    @pytest.mark.parametrize("runtime", ["gone", "off", "other"])
    def test_a_named_runtime_is_not_checked(self, runtime):
        there = (csr("off", disabled=True), csr("other", supportedModelFormats=[entry("gguf")]))
        admitted = ask(isvc(runtime=runtime), *there, release="v1.2.2")
        assert admitted.allowed
        assert admitted.warnings == ()
        assert f"Runtime {runtime} is valid for model llama" in admitted.notes[0]

    def test_the_model_is_checked(self):
        assert answer(isvc(runtime="gone"), model(disabled=True), release="v1.2.2") == "model llama is disabled"

    def test_auto_selection_is_checked(self):
        assert ask(isvc(), LLAMA, release="v1.2.2").warnings == (
            "Runtime vllm-llama will be auto-selected for model llama",
        )

    def test_there_is_no_pair_of_modes(self):
        service = isvc(engine={"annotations": {MODE: "OMENative"}}, decoder={})
        assert ask(service, LLAMA, release="v1.2.2").allowed
        assert not ask(service, LLAMA).allowed

    def test_an_unknown_release(self):
        with pytest.raises(ome.UsageError, match='release "v9"'):
            ask(isvc(), release="v9")


class TestBadInput:
    def test_a_kind_of_runtime_that_does_not_exist(self):
        with pytest.raises(ome.UsageError, match=r'spec\.runtime\.kind "Runtime" is no kind of runtime'):
            ask(isvc(runtime={"name": "rt", "kind": "Runtime"}), LLAMA)

    def test_an_object_of_no_known_kind(self):
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}}
        with pytest.raises(ome.UsageError, match="Pod/p is of no kind that is known here"):
            ome.admit(cluster(), pod)

    def test_an_object_that_cannot_be_read(self):
        with pytest.raises(ome.InvalidObjectError, match=r"spec\.model: found the text"):
            ome.admit(cluster(), {**isvc(), "spec": {"model": "llama"}})

    def test_models_and_classes_have_no_webhook_that_objects(self):
        there = cluster()
        assert ome.admit(there, model(modelParameterSize="4b")).allowed
        assert ome.admit(there, accelerator_class("a")).allowed

    def test_a_resource_will_do(self):
        service = cluster(isvc()).services[0]
        assert ome.admit(cluster(model(), LLAMA), service).allowed
        assert service.namespace == NAMESPACE
