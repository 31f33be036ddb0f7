"""From a plain dict to a resource: types, required fields, minimums, defaults (docs/rules.md, sections 1 and 19)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from ome_select.known import fields_of, note_slips
from ome_select.objects import decode, describe
from ome_select.problems import Problem, path_text, type_name
from ome_select.readers import READERS
from ome_select.resources import AcceleratorClass, BaseModel, InferenceService, Origin, ServingRuntime


def value(kind: str, spec: Any = None, **metadata: Any) -> dict[str, Any]:
    return {
        "apiVersion": "ome.io/v1beta1",
        "kind": kind,
        "metadata": {"name": "demo"} | metadata,
        "spec": {} if spec is None else spec,
    }


def texts(found: Mapping[str, Any]) -> list[str]:
    return [str(problem) for problem in decode(found)[1]]


def entry(**fields: Any) -> dict[str, Any]:
    return value(
        "ClusterServingRuntime",
        {"supportedModelFormats": [{"modelFormat": {"name": "a"}, "modelFramework": {"name": "b"}} | fields]},
    )


class TestDefaults:
    """Rule 1: the API defaults that count as set."""

    def test_weight_and_operator(self) -> None:
        runtime, problems = decode(entry())
        assert problems == []
        assert isinstance(runtime, ServingRuntime)
        model_format = runtime.supported_model_formats[0].model_format
        assert model_format is not None
        assert (model_format.weight, model_format.operator) == (1, "Equal")

    def test_an_explicit_weight_of_0_stays(self) -> None:
        runtime, _ = decode(entry(modelFormat={"name": "a", "weight": 0}))
        assert isinstance(runtime, ServingRuntime)
        assert runtime.supported_model_formats[0].model_format is not None
        assert runtime.supported_model_formats[0].model_format.weight == 0

    def test_references(self) -> None:
        service, _ = decode(value("InferenceService", {"model": {"name": "m"}, "runtime": {"name": "r"}}))
        assert isinstance(service, InferenceService)
        assert service.namespace == "default"
        assert service.model is not None
        assert service.model.kind == "ClusterBaseModel"
        assert service.runtime is not None
        assert (service.runtime.kind, service.runtime.auto_sync) == ("ClusterServingRuntime", True)

    def test_null_is_unset(self) -> None:
        runtime, problems = decode(entry(priority=None, autoSelect=None, quantization=None))
        assert problems == []
        assert isinstance(runtime, ServingRuntime)
        assert runtime.supported_model_formats[0].auto_select is None


class TestTypes:
    """Rule 19: nothing is coerced, and all the faults of an object are told at once."""

    AT = "ClusterServingRuntime/demo: spec.supportedModelFormats[0]"

    @pytest.mark.parametrize(
        ("field", "found", "message"),
        [
            ("quantization", 1, 'found the number 1 where a text belongs (quote it: "1")'),
            ("quantization", True, 'found true where a text belongs (quote it: "true")'),
            ("quantization", [], "found a list where a text belongs (write a text)"),
            ("autoSelect", "true", 'found the text "true" where true or false belongs (leave out the quotes: true)'),
            ("autoSelect", "yes", 'found the text "yes" where true or false belongs (write true or false)'),
            ("autoSelect", 1, "found the number 1 where true or false belongs (write true or false)"),
            ("priority", "2", 'found the text "2" where a whole number belongs (leave out the quotes: 2)'),
            ("priority", 1.5, "found the number 1.5 where a whole number belongs (write a whole number)"),
            ("priority", True, "found true where a whole number belongs (write a whole number)"),
            (
                "priority",
                2**31,
                (
                    "found the number 2147483648 where a whole number of 32 bits belongs "
                    "(write a whole number of 32 bits)"
                ),
            ),
            ("modelFormat", "a", 'found the text "a" where a map belongs (write a map)'),
            ("modelCacheProviders", {}, "found a map where a list belongs (write a list)"),
        ],
    )
    def test_a_field(self, field: str, found: object, message: str) -> None:
        assert texts(entry(**{field: found})) == [f"{self.AT}.{field}: {message}"]

    def test_an_item(self) -> None:
        assert texts(entry(modelCacheProviders=["a", 1])) == [
            f'{self.AT}.modelCacheProviders[1]: found the number 1 where a text belongs (quote it: "1")'
        ]
        assert texts(value("ClusterServingRuntime", {"supportedModelFormats": ["a"]})) == [
            f'{self.AT}: found the text "a" where a map belongs (write a map)'
        ]

    def test_an_annotation(self) -> None:
        found = value("ServingRuntime", annotations={"ome.io/x": 1, "dropped": None})
        assert texts(found) == [
            (
                "ServingRuntime/demo: metadata.annotations[ome.io/x]: found the number 1 where a text belongs "
                '(quote it: "1")'
            )
        ]

    def test_1_0_is_a_whole_number(self) -> None:
        runtime, problems = decode(entry(priority=2.0))
        assert problems == []
        assert isinstance(runtime, ServingRuntime)
        assert runtime.supported_model_formats[0].priority == 2

    def test_a_quantity(self) -> None:
        found, problems = decode(
            value("AcceleratorClass", {"capabilities": {"memoryGB": 80}, "cost": {"perHour": "1.5"}})
        )
        assert problems == []
        assert isinstance(found, AcceleratorClass)
        assert found.memory_gb == "80"
        [text] = texts(value("AcceleratorClass", {"capabilities": {"memoryGB": "80 GB"}}))
        assert 'spec.capabilities.memoryGB: found the text "80 GB" where a Kubernetes quantity belongs' in text

    def test_what_stands_in_the_file_is_quoted(self) -> None:
        origin = Origin(file="x.yaml", line=7, column=16)
        found = value("ClusterBaseModel", {"modelParameterSize": 1, "storage": {"storageUri": "hf://a"}})
        _, [problem] = decode(found, locate=lambda path: origin, written=lambda path: "1.0")
        assert str(problem) == (
            "x.yaml:7:16: ClusterBaseModel/demo: spec.modelParameterSize: "
            'found the number 1.0 where a text belongs (quote it: "1.0")'
        )


class TestRefused:
    """Rule 19: what the API server refuses can be read all the same."""

    @pytest.mark.parametrize(
        ("found", "message"),
        [
            (
                entry(priority=0),
                "Invalid value: 0: must be greater than or equal to 1 (write 1 or more, or leave it out)",
            ),
            (entry(modelFormat=None), "Required value (add modelFormat)"),
            (entry(modelFormat={}), "Required value (add name)"),
            (value("ClusterBaseModel"), "Required value (add storage)"),
            (value("ClusterBaseModel", {"storage": {"path": "/x"}}), "Required value (add storageUri)"),
            (value("InferenceService", {"model": {}}), "Required value (add name)"),
            (
                value("ClusterBaseModel", {"storage": {"storageUri": "hf://a"}, "distribution": "Everywhere"}),
                'Unsupported value: "Everywhere": supported values: "PerNode", "Sharded" (write PerNode)',
            ),
        ],
    )
    def test_a_refusal(self, found: dict[str, Any], message: str) -> None:
        resource, [problem] = decode(found)
        assert resource is not None
        assert problem.severity == "refused"
        assert str(problem).endswith(f": {message}")

    def test_a_missing_framework_is_a_warning(self) -> None:
        _, [problem] = decode(entry(modelFramework=None))
        assert (problem.severity, problem.field) == ("warning", "spec.supportedModelFormats[0].modelFramework")


class TestHeads:
    @pytest.mark.parametrize(
        ("found", "message"),
        [
            (
                "text",
                (
                    'object number 1: found the text "text" where a Kubernetes object belongs '
                    "(write an object: a map with apiVersion, kind and metadata)"
                ),
            ),
            ({"kind": "BaseModel"}, "BaseModel without a name: apiVersion: is missing (add apiVersion)"),
            ({"apiVersion": "v1"}, "object without a name: kind: is missing (add kind)"),
            (
                value("BaseModel", name=""),
                "BaseModel without a name: metadata.name: is missing (give the object a name)",
            ),
        ],
    )
    def test_what_is_missing(self, found: Any, message: str) -> None:
        assert texts(found)[0] == message

    def test_an_object_of_another_kind_is_passed_over(self) -> None:
        assert decode({"apiVersion": "v1", "kind": "Service"}) == (None, [])

    def test_names_in_messages(self) -> None:
        assert describe(value("BaseModel")) == "BaseModel/demo"
        assert describe(value("BaseModel", namespace="team")) == "BaseModel/team/demo"
        assert describe({"kind": "BaseModel"}, 3) == "BaseModel number 4"


class TestWords:
    def test_paths(self) -> None:
        assert path_text(("spec", "a", 0, "b")) == "spec.a[0].b"
        assert path_text(("metadata", "annotations", "ome.io/x")) == "metadata.annotations[ome.io/x]"

    @pytest.mark.parametrize(
        ("found", "text"),
        [(None, "nothing"), (True, "true"), (1, "the number 1"), ("a", 'the text "a"'), ([], "a list"), ({}, "a map")],
    )
    def test_types(self, found: object, text: str) -> None:
        assert type_name(found) == text

    def test_a_boolean_as_it_was_written(self) -> None:
        assert type_name(True, "y") == "y, which is true,"
        assert type_name(False, "false") == "false"

    def test_something_that_no_file_holds(self) -> None:
        assert type_name(1j) == "1j"

    def test_a_problem_without_a_place(self) -> None:
        problem = Problem(severity="error", kind="no-name", object="BaseModel/a", message="is odd")
        assert str(problem) == "BaseModel/a: is odd"


class TestSlips:
    """A field next to a known one, whose name is close to one that is read."""

    def found(self, kind: str, spec: Any) -> list[str]:
        notes: list[str] = []
        note_slips(
            value(kind, spec),
            fields_of(kind),
            lambda severity, sort, path, message, advice: notes.append(f"{path_text(path)}: {advice}"),
        )
        return notes

    @pytest.mark.parametrize("kind", READERS)
    def test_what_is_read_is_known(self, kind: str) -> None:
        assert fields_of(kind)["spec"]

    def test_a_slip(self) -> None:
        spec = {"supportedModelFormats": [{"modelArchitectures": "x"}], "modelsizeRange": {}}
        assert self.found("ServingRuntime", spec) == [
            "spec.supportedModelFormats[0].modelArchitectures: did you mean modelArchitecture?",
            "spec.modelsizeRange: did you mean modelSizeRange?",
        ]

    @pytest.mark.parametrize(
        "spec",
        [
            {"containers": [], "nodeSelector": {}},
            {"supportedModelFormats": [{"modelType": "x", "quantization": "y"}]},
            {"modelSizeRange": {"min": "1B"}, "modelSizeRanges": {}},
            {"engineConfig": {"annotations": {"annotation": "x"}}},
            {"supportedModelFormats": "not a list", "protocolVersions": ["openAI"]},
            {"modelSizeRange": {"min": {"max": "1B"}}},
        ],
    )
    def test_no_slip(self, spec: dict[str, Any]) -> None:
        assert self.found("ServingRuntime", spec) == []

    def test_keys_of_a_user_s_own(self) -> None:
        spec = {"diffusionPipeline": {"additionalComponents": {"mine": {"librari": "x"}}}}
        assert self.found("BaseModel", spec) == [
            "spec.diffusionPipeline.additionalComponents.mine.librari: did you mean library?"
        ]


def test_a_model_is_read() -> None:
    spec = {
        "modelFormat": {"name": "diffusers", "version": "1"},
        "diffusionPipeline": {
            "className": "X",
            "vae": {"library": "l", "type": "t"},
            "additionalComponents": {"a": {}},
        },
        "storage": {"storageUri": "hf://a/b"},
        "distribution": "PerNode",
    }
    model, problems = decode(value("BaseModel", spec))
    assert problems == []
    assert isinstance(model, BaseModel)
    assert model.diffusion_pipeline is not None
    assert model.diffusion_pipeline.class_name == "X"


class TestEveryField:
    """Each field of a kind that is easily forgotten elsewhere, by the name that the API gives it."""

    def test_of_a_model(self) -> None:
        spec = {
            "modelFormat": {"name": "safetensors", "version": "1.0.0"},
            "modelFramework": {"name": "transformers", "version": "4.43.1"},
            "modelArchitecture": "LlamaForCausalLM",
            "quantization": "fp8",
            "modelParameterSize": "8B",
            "disabled": True,
            "distribution": "Sharded",
            "storage": {"storageUri": "hf://a/b"},
            "diffusionPipeline": {"className": "P", "vae": {"library": "l", "type": "t"}},
        }
        model, problems = decode(value("BaseModel", spec, namespace="team", annotations={"a": "b"}))
        assert problems == []
        assert isinstance(model, BaseModel)
        assert (model.kind, model.name, model.namespace, model.annotations) == ("BaseModel", "demo", "team", {"a": "b"})
        assert model.model_format is not None
        assert (model.model_format.name, model.model_format.version) == ("safetensors", "1.0.0")
        assert model.model_framework is not None
        assert (model.model_framework.name, model.model_framework.version) == ("transformers", "4.43.1")
        assert (model.model_architecture, model.quantization) == ("LlamaForCausalLM", "fp8")
        assert (model.model_parameter_size, model.disabled) == ("8B", True)
        assert (model.distribution, model.storage_uri) == ("Sharded", "hf://a/b")
        assert model.diffusion_pipeline is not None
        assert model.diffusion_pipeline.class_name == "P"
        assert model.diffusion_pipeline.vae is not None
        assert (model.diffusion_pipeline.vae.library, model.diffusion_pipeline.vae.type) == ("l", "t")

    def test_of_a_runtime(self) -> None:
        spec = {
            "disabled": True,
            "protocolVersions": ["openAI"],
            "modelSizeRange": {"min": "1B", "max": "2B"},
            "acceleratorRequirements": {"acceleratorClasses": ["a", "b"]},
            "scalingPolicy": {"mode": "m"},
            "engineConfig": {"annotations": {"e": "1"}, "minReplicas": 1, "runner": {"image": "i", "args": ["x"]}},
            "decoderConfig": {"maxReplicas": 2, "leader": {"runner": {"image": "l"}}, "worker": {"size": 3}},
            "routerConfig": {"annotations": {"r": "1"}},
        }
        runtime, problems = decode(value("ServingRuntime", spec))
        assert problems == []
        assert isinstance(runtime, ServingRuntime)
        assert (runtime.namespace, runtime.disabled, runtime.protocol_versions) == ("default", True, ("openAI",))
        assert runtime.model_size_range is not None
        assert (runtime.model_size_range.min, runtime.model_size_range.max) == ("1B", "2B")
        assert (runtime.accelerator_classes, runtime.scaling_mode) == (("a", "b"), "m")
        engine, decoder, router = runtime.engine, runtime.decoder, runtime.router
        assert engine is not None
        assert (engine.annotations, engine.min_replicas) == ({"e": "1"}, 1)
        assert (engine.runner_image, engine.runner_args) == ("i", ("x",))
        assert decoder is not None
        assert decoder.leader is not None
        assert decoder.worker is not None
        assert (decoder.max_replicas, decoder.leader.runner_image, decoder.worker.size) == (2, "l", 3)
        assert router is not None
        assert router.annotations == {"r": "1"}
