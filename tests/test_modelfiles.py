"""What OME learns from a model's own files (docs/rules.md, sections 17, 18.3 and 21)."""

from __future__ import annotations

import dataclasses
import importlib.util
import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ome_select as ome
from ome_select.cluster import Cluster
from ome_select.errors import ModelFilesError
from ome_select.modelfiles import ModelFacts, model_from_files
from ome_select.modelfiles.families import parameters_of
from ome_select.modelfiles.jsonfile import parse_object
from ome_select.modelfiles.quantization import from_algorithm, from_config, raw_type
from ome_select.modelfiles.safetensors import count_file
from ome_select.objects import decode
from ome_select.resources import BaseModel, DiffusionComponent, VersionedName
from tests.vectors_io import recorded

FILES = Path(__file__).parent.parent / "fixtures" / "model-files"
LLAMA_3B = json.loads((FILES / "llama-3-2-3b-instruct" / "config.json").read_text(encoding="utf-8"))

# Families whose own configurations name no architecture, in the recorded answers.
WITHOUT_ARCHITECTURES = {"deepseek_vl_v2", "multi_modality"}


def write(folder: Path, name: str = "config.json", **config: Any) -> Path:
    """A JSON file in a folder; gives the folder."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(json.dumps(config), encoding="utf-8")
    return folder


def facts_of(folder: Path, **config: Any) -> ModelFacts:
    """The facts of a folder with this config.json; a Llama unless the fields say otherwise."""
    return model_from_files(write(folder, **{"model_type": "llama", "architectures": ["LlamaForCausalLM"], **config}))


def tensor(*shape: int, dtype: str = "BF16", start: int = 0, width: int = 2) -> dict[str, Any]:
    return {"dtype": dtype, "shape": list(shape), "data_offsets": [start, start + math.prod(shape) * width]}


def weights(path: Path, data: int | None = None, **tensors: Any) -> Path:
    """A safetensors file with these tensors, and as many zeros as they need unless `data` says otherwise."""
    header = json.dumps(tensors).encode()
    if data is None:
        data = max((entry["data_offsets"][1] for entry in tensors.values()), default=0)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(data))
    return path


class TestRecordedAnswers:
    """Every configuration that OME's own tests use, written anew from the recorded facts."""

    def config(self, case: dict[str, str]) -> dict[str, Any]:
        config: dict[str, Any] = {"text_config": {"architectures": ["Inner"], "transformers_version": "1.0.0"}}
        if case["model_type"] not in WITHOUT_ARCHITECTURES:
            config["architectures"] = [case["architecture"], "Other"]
        if case["transformers_version"]:
            config["transformers_version"] = case["transformers_version"]
        if case["quantization_type"] == "float-quantized":
            config["quantization_config"] = {"quant_method": "compressed-tensors", "format": "float-quantized"}
        elif case["quantization_type"]:
            config["quantization_config"] = {"quant_method": case["quantization_type"]}
        return config | {"model_type": case["model_type"]}

    def test_all(self, tmp_path):
        compared = 0
        for case in recorded("model-files.jsonl"):
            path = tmp_path / case["file"]
            if "error" in case:
                path.write_text('{"prompts": {}}', encoding="utf-8")
                with pytest.raises(ModelFilesError, match=case["error"]):
                    model_from_files(path)
            else:
                path.write_text(json.dumps(self.config(case)), encoding="utf-8")
                facts = model_from_files(path)
                answer = {name: getattr(facts, name) for name in case if name != "file"}
                assert answer | {"file": case["file"]} == case
                compared += 1
        assert compared > 60

    def test_sizes_as_ome_writes_them(self):
        for case in recorded("size-texts.jsonl"):
            assert ome.format_size(int(case["parameters"])) == case["text"]


class TestFields:
    """Rule 17.1: which field comes from where."""

    def test_a_dense_model(self):
        facts = model_from_files(FILES / "llama-3-2-3b-instruct")
        assert facts.model_format == VersionedName(name="safetensors", version="1.0.0")
        assert facts.model_framework == VersionedName(name="transformers", version="4.45.0.dev0")
        assert (facts.architecture, facts.quantization, facts.parameter_size) == ("LlamaForCausalLM", None, "3.21B")
        assert (facts.parameters, facts.parameters_from) == (3212749824, "config.json")
        assert facts.notes == ()

    def test_a_nested_configuration_does_not_count(self):
        facts = model_from_files(FILES / "multimodal")
        assert (facts.architecture, facts.transformers_version) == ("LlavaForConditionalGeneration", "4.36.0.dev0")

    def test_a_new_family_gives_what_can_be_known(self):
        facts = model_from_files(FILES / "new-family")
        assert (facts.model_type, facts.architecture) == ("brand_new", "BrandNewForCausalLM")
        assert facts.model_framework == VersionedName(name="transformers")
        assert facts.parameter_size is None
        assert facts.notes == (
            "config.json names no transformers_version, so the framework has no version.",
            "The size is not known: config.json alone does not give the count of a BrandNewForCausalLM.",
        )

    def test_without_an_architecture_it_is_stored_empty(self, tmp_path):
        facts = facts_of(tmp_path, architectures=[], transformers_version="4.0.0")
        assert facts.architecture == ""
        assert facts.to_model().model_architecture == ""
        assert facts.notes == (
            "config.json names no architecture: OME stores an empty one, which no runtime lists.",
            "The size is not known: config.json alone does not give the count of a model without an architecture.",
        )

    @pytest.mark.parametrize(
        ("field", "value", "found"),
        [
            ("architectures", "LlamaForCausalLM", "architectures is a text where a list of texts belongs"),
            ("architectures", [1], "architectures is a list where a list of texts belongs"),
            ("transformers_version", 4.5, "transformers_version is a number where a text belongs"),
            ("quantization_config", True, "quantization_config is true or false where an object belongs"),
        ],
    )
    def test_a_field_of_another_type_is_told(self, tmp_path, field, value, found):
        notes = facts_of(tmp_path, **{field: value}).notes
        assert f"config.json: {found}, and is passed over." in notes
        assert len(set(notes)) == len(notes)

    @pytest.mark.parametrize(
        ("folder", "name"),
        [("Llama-3.2_3B", "llama-3.2-3b"), ("-Ünïcode-", "n-code"), ("___", "model")],
    )
    def test_the_models_name(self, tmp_path, folder, name):
        assert facts_of(tmp_path / folder).name == name

    def test_a_single_file_is_named_by_its_folder_or_by_itself(self, tmp_path):
        assert model_from_files(FILES / "fp8" / "config.json").name == "fp8"
        write(tmp_path, "My_Model.json", model_type="llama")
        assert model_from_files(tmp_path / "My_Model.json").name == "my-model"


class TestQuantization:
    """Rule 17.1: the names that OME knows; everything else stays unset."""

    @pytest.mark.parametrize(
        ("block", "raw", "stored"),
        [
            ({"quant_method": "fp8"}, "fp8", "fp8"),
            ({"quant_method": "fbgemm_fp8"}, "fbgemm_fp8", "fbgemm_fp8"),
            ({"quant_method": "mxfp4"}, "mxfp4", "mxfp4"),
            ({"quant_method": "nvfp4"}, "nvfp4", "nvfp4"),
            ({"quant_method": "int4"}, "int4", "int4"),
            ({"quant_method": "gptq", "bits": 4}, "gptq", "int4"),
            ({"quant_method": "AWQ", "bits": 4}, "AWQ", "int4"),
            ({"quant_method": "gptq", "bits": 8}, "gptq", None),
            ({"quant_method": "awq"}, "awq", None),
            (
                {"quant_method": "compressed-tensors", "format": "float-quantized"},
                "float-quantized",
                "compressed-tensors",
            ),
            ({"quant_method": "modelopt", "quant_algo": "NVFP4"}, "modelopt", "nvfp4"),
            ({"quant_method": "bitsandbytes"}, "bitsandbytes", None),
            ({"quant_method": 7}, "", None),
            ({}, "", None),
        ],
    )
    def test_table(self, block, raw, stored):
        assert (raw_type(block), from_config(block)) == (raw, stored)

    @pytest.mark.parametrize(
        ("algorithm", "stored"),
        [("FP8", "fp8"), ("NVFP4", "nvfp4"), ("W4A16_AWQ", "int4"), ("W4A8_AWQ", "int4"), ("W8A8_SQ", None)],
    )
    def test_model_opt(self, algorithm, stored):
        assert from_algorithm(algorithm) == stored

    def test_its_own_file_beats_the_configuration(self):
        facts = model_from_files(FILES / "nvfp4")
        assert (facts.quantization_type, facts.quantization) == ("NVFP4", "nvfp4")
        assert model_from_files(FILES / "nvfp4" / "config.json").quantization == "fp8"

    @pytest.mark.parametrize("content", [{}, {"quantization": None}, {"quantization": {"quant_algo": None}}])
    def test_a_file_that_says_nothing_leaves_it_to_the_configuration(self, tmp_path, content):
        write(tmp_path, "hf_quant_config.json", **content)
        assert facts_of(tmp_path, quantization_config={"quant_method": "fp8"}).quantization == "fp8"

    def test_one_without_a_name_is_told(self, tmp_path):
        facts = facts_of(tmp_path, quantization_config={"quant_method": "bitsandbytes"})
        assert facts.quantization is None
        assert "OME has no name for the quantization bitsandbytes, so the model's stays unset." in facts.notes

    @pytest.mark.parametrize(("folder", "stored"), [("fp8", "fp8"), ("gptq-int4", "int4")])
    def test_fixtures(self, folder, stored):
        facts = model_from_files(FILES / folder)
        assert facts.to_model().quantization == stored
        assert facts.notes == (
            "The size is not known: config.json alone does not give the count of a quantized model.",
        )


class TestFamilies:
    """A count from config.json alone: the published counts of well-known checkpoints."""

    @pytest.mark.parametrize(
        ("architecture", "config", "parameters"),
        [
            ("LlamaForCausalLM", LLAMA_3B, 3212749824),
            (
                "LlamaForCausalLM",
                LLAMA_3B | {"hidden_size": 2048, "num_hidden_layers": 16, "num_attention_heads": 32, "head_dim": 64},
                1235814400,
            ),
            (
                "LlamaForCausalLM",
                {
                    "model_type": "llama",
                    "hidden_size": 8192,
                    "intermediate_size": 28672,
                    "num_hidden_layers": 80,
                    "num_attention_heads": 64,
                    "num_key_value_heads": 8,
                    "vocab_size": 128256,
                },
                70553706496,
            ),
            (
                "MistralForCausalLM",
                {
                    "model_type": "mistral",
                    "hidden_size": 4096,
                    "intermediate_size": 14336,
                    "num_hidden_layers": 32,
                    "num_attention_heads": 32,
                    "num_key_value_heads": 8,
                    "vocab_size": 32000,
                },
                7241732096,
            ),
            (
                "Qwen2ForCausalLM",
                {
                    "model_type": "qwen2",
                    "num_key_value_heads": 2,
                    "vocab_size": 151936,
                    "tie_word_embeddings": True,
                    "hidden_size": 896,
                    "intermediate_size": 4864,
                    "num_hidden_layers": 24,
                    "num_attention_heads": 14,
                },
                494032768,
            ),
            (
                "Qwen3ForCausalLM",
                {
                    "model_type": "qwen3",
                    "hidden_size": 2560,
                    "intermediate_size": 9728,
                    "num_hidden_layers": 36,
                    "num_attention_heads": 32,
                    "num_key_value_heads": 8,
                    "head_dim": 128,
                    "vocab_size": 151936,
                    "tie_word_embeddings": True,
                },
                4022468096,
            ),
        ],
    )
    def test_published_counts(self, architecture, config, parameters):
        assert parameters_of(config, architecture, is_quantized=False) == parameters

    def test_biases_that_are_switched_on(self):
        plain = parameters_of(LLAMA_3B, "LlamaForCausalLM", is_quantized=False)
        with_bias = LLAMA_3B | {"attention_bias": True, "mlp_bias": True}
        # Per layer: query 3072, key and value 1024 each, output 3072; gate and up 8192 each, down 3072.
        added = 28 * (3072 + 2 * 1024 + 3072 + 2 * 8192 + 3072)
        assert parameters_of(with_bias, "LlamaForCausalLM", is_quantized=False) == plain + added

    @pytest.mark.parametrize(
        ("changes", "reason"),
        [
            ({"model_type": "llama4"}, "config.json alone does not give the count of a LlamaForCausalLM"),
            (
                {"auto_map": {"AutoModel": "x"}},
                "config.json alone does not give the count of a model with code of its own (auto_map)",
            ),
            (
                {"hidden_size": None},
                "config.json alone does not give the count: hidden_size is no whole number above 0",
            ),
            ({"vocab_size": 1.5}, "config.json alone does not give the count: vocab_size is no whole number above 0"),
            (
                {"num_attention_heads": 0},
                "config.json alone does not give the count: num_attention_heads is no whole number above 0",
            ),
        ],
    )
    def test_what_is_not_exact(self, changes, reason):
        assert parameters_of(LLAMA_3B | changes, "LlamaForCausalLM", is_quantized=False) == reason

    def test_embedding_models_look_the_same_where_nothing_is_tied(self):
        config = LLAMA_3B | {"model_type": "qwen3", "tie_word_embeddings": False}
        assert parameters_of(config, "Qwen3ForCausalLM", is_quantized=False) == (
            "config.json alone does not tell whether the files of a Qwen3ForCausalLM hold an output layer"
        )


class TestWeights:
    """Headers first, then the index, then config.json."""

    def make(self) -> Any:
        spec = importlib.util.spec_from_file_location("model_files_make", FILES / "make.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def test_the_committed_weights_are_what_the_script_writes(self):
        for name, content in self.make().files().items():
            assert (FILES / "tiny-llama" / name).read_bytes() == content

    def test_headers_and_configuration_agree(self):
        facts = model_from_files(FILES / "tiny-llama")
        assert (facts.parameters, facts.parameters_from) == (26784, "safetensors headers")
        alone = model_from_files(FILES / "tiny-llama" / "config.json")
        assert (alone.parameters, alone.parameters_from) == (26784, "config.json")

    @given(st.lists(st.lists(st.integers(0, 9), max_size=4), max_size=5))
    def test_every_element_counts(self, tmp_path_factory, shapes):
        path = tmp_path_factory.mktemp("weights") / "model.safetensors"
        weights(path, data=None, **{f"t{index}": tensor(*shape) for index, shape in enumerate(shapes)})
        assert count_file(path).elements == sum(math.prod(shape) for shape in shapes)

    def test_the_index_where_the_files_are_not_there(self, tmp_path):
        shard = {"x": "model-00001-of-00002.safetensors", "y": "model-00002-of-00002.safetensors"}
        write(tmp_path, "model.safetensors.index.json", metadata={"total_size": 6425499648}, weight_map=shard)
        by_type = facts_of(tmp_path, torch_dtype="bfloat16", transformers_version="4.45.0")
        assert (by_type.parameters, by_type.parameters_from) == (3212749824, "safetensors index")
        assert by_type.notes == ()
        # Bytes say nothing exact without a type, or in a quantized model.
        assert facts_of(tmp_path).parameters is None
        quantized = {"quant_method": "fp8"}
        assert facts_of(tmp_path, torch_dtype="bfloat16", quantization_config=quantized).parameters is None
        write(
            tmp_path,
            "model.safetensors.index.json",
            metadata={"total_size": 7, "total_parameters": 42},
            weight_map=shard,
        )
        assert facts_of(tmp_path, quantization_config=quantized).parameters == 42

    def test_a_missing_shard_is_told(self, tmp_path):
        shards = {"x": "a.safetensors", "y": "b.safetensors"}
        write(tmp_path, "model.safetensors.index.json", metadata=None, weight_map=shards)
        weights(tmp_path / "a.safetensors", x=tensor(2))
        facts = facts_of(tmp_path)
        assert facts.parameters is None
        assert "1 of 2 weight files are missing, such as b.safetensors." in facts.notes

    def test_the_same_weights_count_once(self, tmp_path):
        """Repositories hold other forms of the same weights beside them."""
        for name in ("model", "model.fp16", "consolidated.00", "adapter_model"):
            weights(tmp_path / f"{name}.safetensors", x=tensor(5))
        assert facts_of(tmp_path).parameters == 5
        (tmp_path / "model.safetensors").rename(tmp_path / "weights.safetensors")
        (tmp_path / "model.fp16.safetensors").unlink()
        assert facts_of(tmp_path).parameters == 5
        (tmp_path / "weights.safetensors").unlink()
        (tmp_path / "adapter_model.safetensors").unlink()
        assert facts_of(tmp_path).parameters == 5

    def test_the_plain_index_of_several(self, tmp_path):
        for name, file in (("model", "model-1"), ("model.fp16", "model.fp16-1")):
            write(tmp_path, f"{name}.safetensors.index.json", metadata={}, weight_map={"x": f"{file}.safetensors"})
        weights(tmp_path / "model-1.safetensors", x=tensor(5))
        weights(tmp_path / "model.fp16-1.safetensors", x=tensor(6))
        assert facts_of(tmp_path).parameters == 5

    def test_packed_types_are_told(self, tmp_path):
        weights(tmp_path / "model.safetensors", x=tensor(4, dtype="I32", width=4), y=tensor(2, start=16))
        facts = facts_of(tmp_path)
        assert facts.parameters == 6
        assert facts.notes[-1] == (
            "4 of the 6 elements are whole numbers: buffers, or parameters of which a quantized model packs several "
            "into one."
        )


class TestBrokenWeights:
    """A file that cannot be counted is named in a note, and the configuration still gives its facts."""

    @pytest.mark.parametrize(
        ("content", "fault"),
        [
            (b"", "is cut off or no safetensors file: a header expected, 0 found"),
            (b"\x01\x00", "is cut off or no safetensors file: a header expected, 2 found"),
            (b"\xff" * 8, "is cut off or no safetensors file: 18446744073709551623 bytes expected, 8 found"),
            (b"\x09" + b"\x00" * 7 + b"{}", "is cut off or no safetensors file: 17 bytes expected, 10 found"),
            (b"\x02" + b"\x00" * 7 + b"[]", "holds a list where a JSON object belongs"),
            (b"\x03" + b"\x00" * 7 + b"nul", "is no JSON: Expecting value"),
            (b"\x01" + b"\x00" * 7 + b"\xff", "is not UTF-8: byte 0 is 0xff"),
        ],
    )
    def test_no_header(self, tmp_path, content, fault):
        (tmp_path / "model.safetensors").write_bytes(content)
        facts = facts_of(tmp_path, **LLAMA_3B)
        assert any(fault in note for note in facts.notes)
        assert (facts.parameter_size, facts.parameters_from) == ("3.21B", "config.json")

    @pytest.mark.parametrize(
        "broken",
        [
            [],
            {"shape": [2]},
            {"shape": [2], "data_offsets": [0]},
            {"shape": [-1], "data_offsets": [0, 1]},
            {"shape": ["2"], "data_offsets": [0, 1]},
            {"shape": [True], "data_offsets": [0, 1]},
        ],
    )
    def test_no_tensor(self, tmp_path, broken):
        path = weights(tmp_path / "model.safetensors", data=9, x=broken)
        with pytest.raises(ModelFilesError, match='has no shape and data_offsets for the tensor "x"'):
            count_file(path)

    def test_cut_off_data(self, tmp_path):
        path = weights(tmp_path / "model.safetensors", data=3, x=tensor(2))
        with pytest.raises(ModelFilesError, match="is cut off: its tensors take 4 bytes, 3 found"):
            count_file(path)

    def test_a_header_longer_than_the_format_allows(self, tmp_path):
        path = tmp_path / "model.safetensors"
        with path.open("wb") as file:
            file.write((100_000_001).to_bytes(8, "little"))
            file.truncate(100_000_100)
        with pytest.raises(ModelFilesError, match="has a header of 100000001 bytes; safetensors allows 100000000"):
            count_file(path)

    def test_a_file_that_cannot_be_opened(self, tmp_path):
        with pytest.raises(ModelFilesError, match="cannot be read: Is a directory"):
            count_file(tmp_path)

    @pytest.mark.parametrize("weight_map", [None, {"x": 1}, {"x": "../secret"}, {"x": ".."}, {"x": "a\\b"}, {"x": ""}])
    def test_an_index_that_leads_nowhere(self, tmp_path, weight_map):
        write(tmp_path, "model.safetensors.index.json", weight_map=weight_map)
        assert any("has no weight_map from tensors to files" in note for note in facts_of(tmp_path).notes)


class TestDiffusion:
    """Rules 17.1, 18.3 and 21: a pipeline's model_index.json."""

    def test_the_worked_example(self):
        facts = model_from_files(FILES / "stable-diffusion")
        diffusers = VersionedName(name="diffusers", version="0.24.0")
        assert (facts.model_format, facts.model_framework) == (diffusers, diffusers)
        assert facts.architecture == facts.model_type == "StableDiffusionPipeline"
        pipeline = facts.diffusion_pipeline
        assert pipeline is not None
        assert pipeline.class_name == "StableDiffusionPipeline"
        assert pipeline.transformer == DiffusionComponent(library="diffusers", type="UNet2DConditionModel")
        assert pipeline.scheduler == DiffusionComponent(library="diffusers", type="PNDMScheduler")
        assert pipeline.text_encoder == DiffusionComponent(library="transformers", type="CLIPTextModel")
        assert pipeline.tokenizer == DiffusionComponent(library="transformers", type="CLIPTokenizer")
        assert pipeline.vae == DiffusionComponent(library="diffusers", type="AutoencoderKL")
        # What is not a component, such as a switch or a part that is left out, is none of them.
        assert pipeline.additional_components == {
            "feature_extractor": DiffusionComponent(library="transformers", type="CLIPImageProcessor"),
            "safety_checker": DiffusionComponent(library="stable_diffusion", type="StableDiffusionSafetyChecker"),
        }

    def test_a_transformer_and_nothing_else(self, tmp_path):
        index = {"_class_name": "P", "transformer": ["diffusers", "T"], "unet": ["diffusers", "U"], "vae": "x"}
        facts = model_from_files(write(tmp_path, "model_index.json", **index))
        pipeline = facts.diffusion_pipeline
        assert pipeline is not None
        assert (pipeline.transformer, pipeline.vae, pipeline.additional_components) == (
            DiffusionComponent(library="diffusers", type="T"),
            None,
            None,
        )
        assert facts.model_format == VersionedName(name="diffusers")
        assert facts.to_manifest()["spec"]["diffusionPipeline"] == {
            "className": "P",
            "transformer": {"library": "diffusers", "type": "T"},
        }

    def test_the_components_weights_add_up(self, tmp_path):
        index = {"_class_name": "P", "unet": ["diffusers", "U"], "vae": ["diffusers", "V"], "scheduler": ["d", "S"]}
        write(tmp_path, "model_index.json", **index)
        weights(tmp_path / "unet" / "diffusion_pytorch_model.safetensors", x=tensor(3))
        weights(tmp_path / "unet" / "diffusion_pytorch_model.fp16.safetensors", x=tensor(3))
        weights(tmp_path / "vae" / "diffusion_pytorch_model.safetensors", x=tensor(4))
        weights(tmp_path / "all_in_one.safetensors", x=tensor(7))
        (tmp_path / "scheduler").mkdir()
        facts = model_from_files(tmp_path)
        assert (facts.parameters, facts.parameters_from) == (7, "safetensors headers")
        (tmp_path / "vae" / "diffusion_pytorch_model.safetensors").write_bytes(b"")
        facts = model_from_files(tmp_path)
        assert facts.parameters is None
        assert facts.notes[-1] == "The size is not known: the weights of vae cannot be counted."
        assert "is cut off or no safetensors file" in facts.notes[0]

    @pytest.mark.parametrize(
        ("path", "note"),
        [
            (FILES / "stable-diffusion", "The size is not known: no component has safetensors files here."),
            (
                FILES / "stable-diffusion" / "model_index.json",
                "The size is not known: the weights of a pipeline are in its folder.",
            ),
        ],
    )
    def test_without_weights(self, path, note):
        assert model_from_files(path).notes == (note,)


class TestBadInput:
    """A clear error with the place, never a traceback."""

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"", "config.json:1:1: is no JSON: Expecting value"),
            (b"{\n  'a': 1}", "config.json:2:3: is no JSON: Expecting property name enclosed in double quotes"),
            (b'{"a": "NaN",\n "b": NaN}', "config.json:2:7: is no JSON: NaN is not a number that JSON knows"),
            (b'{"a": [-Infinity]}', "config.json:1:8: is no JSON: -Infinity is not a number that JSON knows"),
            (b"\xef\xbb\xbf{}", "config.json:1:1: is no JSON: Unexpected UTF-8 BOM"),
            (b"[1]", "config.json: holds a list where a JSON object belongs"),
            (b"null", "config.json: holds null where a JSON object belongs"),
            (b'"x"', "config.json: holds a text where a JSON object belongs"),
            (b"\xfe", "config.json: is not UTF-8: byte 0 is 0xfe"),
            (b"[" * 200_000, "config.json: is nested too deeply to be a model's configuration"),
            (b'{"a": ' + b"9" * 5000 + b"}", "config.json: holds a number with more digits than any configuration has"),
            (b'{"model_type": "\\ud800"}', "config.json: holds half of a surrogate pair, which is no text"),
            (b"{}", "config.json: model_type or _class_name is missing or empty"),
            (b'{"model_type": 3}', "config.json: model_type or _class_name is missing or empty"),
        ],
    )
    def test_table(self, tmp_path, content, message):
        (tmp_path / "config.json").write_bytes(content)
        with pytest.raises(ModelFilesError) as raised:
            model_from_files(tmp_path)
        assert message in str(raised.value)

    def test_escapes_of_whole_characters_are_fine(self):
        assert parse_object(b'{"a": "\\ud83d\\ude00"}', Path("x")) == {"a": "\U0001f600"}

    def test_a_folder_without_a_configuration(self, tmp_path):
        with pytest.raises(ModelFilesError, match=r"holds no config\.json and no model_index\.json"):
            model_from_files(tmp_path)

    def test_what_is_not_there(self, tmp_path):
        with pytest.raises(ModelFilesError, match="gone: cannot be read: No such file or directory"):
            model_from_files(tmp_path / "gone")
        with pytest.raises(ModelFilesError, match="cannot be read: File name too long"):
            model_from_files("x" * 5000)

    def test_weights_taken_for_a_configuration(self, tmp_path):
        path = tmp_path / "model.safetensors"
        with path.open("wb") as file:
            file.truncate(100_000_001)
        with pytest.raises(ModelFilesError, match="has 100000001 bytes, too many for a JSON file"):
            model_from_files(path)
        (tmp_path / "config.json").mkdir()
        with pytest.raises(ModelFilesError, match=r"config\.json: is not a JSON file"):
            model_from_files(tmp_path)

    @given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
    def test_any_bytes(self, content):
        told = ""
        try:
            parse_object(content, Path("x"))
        except ModelFilesError as error:
            told = str(error)
        assert told == "" or told.startswith("x:")

    json_values = st.recursive(
        st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=6,
    )

    @given(
        st.fixed_dictionaries(
            {"model_type": st.sampled_from(["llama", "x"])},
            optional={
                "architectures": json_values,
                "transformers_version": json_values,
                "quantization_config": json_values,
                "hidden_size": json_values,
                "torch_dtype": json_values,
            },
        )
    )
    def test_any_configuration(self, tmp_path_factory, config):
        folder = tmp_path_factory.mktemp("model")
        facts = model_from_files(write(folder, **config))
        assert facts.model_type == config["model_type"]
        resource, problems = decode(facts.to_manifest(name="m", storage_uri="hf://a/b"))
        assert problems == []
        assert resource == dataclasses.replace(facts.to_model("m"), storage_uri="hf://a/b")


class TestModel:
    """Rule 17.1: the facts as a model, and what a model keeps."""

    FACTS = model_from_files(FILES / "llama-3-2-3b-instruct")

    def fill(self, facts: ModelFacts = FACTS, **fields: Any) -> BaseModel:
        return facts.fill(BaseModel(kind="ClusterBaseModel", name="m", **fields))

    def test_the_manifest_is_the_model(self):
        for folder in sorted(path for path in FILES.iterdir() if path.is_dir()):
            facts = model_from_files(folder)
            resource, problems = decode(facts.to_manifest(storage_uri="hf://a/b"))
            # OME writes a K for such tiny models, and cannot read it (rules 7 and 17.2).
            is_tiny = (facts.parameter_size or "").endswith("K")
            assert [problem.kind for problem in problems] == ["field-size"] * is_tiny
            assert resource == dataclasses.replace(facts.to_model(), storage_uri="hf://a/b")

    def test_a_namespaced_model(self):
        assert self.FACTS.to_manifest(kind="BaseModel")["metadata"] == {
            "name": "llama-3-2-3b-instruct",
            "namespace": "default",
        }
        model = self.FACTS.to_model("x", kind="BaseModel", namespace="team")
        assert (model.kind, model.namespace, model.name) == ("BaseModel", "team", "x")

    def test_an_empty_model_gets_everything(self):
        filled = self.fill()
        assert filled.model_parameter_size == "3.21B"
        assert filled.model_format == VersionedName(name="safetensors", version="1.0.0")

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("model_parameter_size", "3B"),
            ("model_parameter_size", ""),
            ("model_architecture", "Mine"),
            ("quantization", "fp8"),
            ("model_format", VersionedName(name="gguf")),
            ("model_framework", VersionedName(name="")),
        ],
    )
    def test_what_is_set_stays(self, field, value):
        filled = self.fill(**{field: value})
        assert getattr(filled, field) == value
        assert filled.model_format is not None

    def test_a_format_without_a_name_is_written_as_a_whole(self):
        filled = self.fill(model_format=VersionedName(name="", version="9.9.9"))
        assert filled.model_format == VersionedName(name="safetensors", version="1.0.0")

    @pytest.mark.parametrize(
        ("uri", "skip", "reads"),
        [
            (None, None, True),
            ("hf://a/b", None, True),
            ("vendor://a", None, False),
            ("hf://a/b", "TRUE", False),
            ("hf://a/b", "yes", True),
            ("pvc://a/b", "true", True),
        ],
    )
    def test_when_nothing_is_read(self, uri, skip, reads):
        annotations = {} if skip is None else {"ome.oracle.com/skip-config-parsing": skip}
        assert (self.fill(storage_uri=uri, annotations=annotations).model_format is not None) == reads

    def test_a_volume_gives_no_pipeline(self):
        facts = model_from_files(FILES / "stable-diffusion")
        assert self.fill(facts, storage_uri="pvc://a/b").diffusion_pipeline is None
        assert self.fill(facts).diffusion_pipeline == facts.diffusion_pipeline

    def test_which_runtime_would_ome_pick(self):
        """The model of the worked example, by its files, gets the ranking of the worked example."""
        scoring = ome.load(FILES.parent / "scoring")
        runtimes = Cluster([*scoring.runtimes, self.FACTS.to_model()])
        decision = ome.explain(runtimes, model=self.FACTS.name, namespace="llama-demo")
        assert [row.name for row in decision.rows] == [
            "team-llama",
            "vllm-llama",
            "srt-llama-small",
            "srt-llama-large",
        ]

    def test_as_text(self):
        assert str(self.FACTS).splitlines() == [
            "modelType           llama",
            "modelArchitecture   LlamaForCausalLM",
            "modelFormat         safetensors 1.0.0",
            "modelFramework      transformers 4.45.0.dev0",
            "modelParameterSize  3.21B (3212749824 by config.json)",
            "quantization        none",
        ]
        diffusion = str(model_from_files(FILES / "stable-diffusion")).splitlines()
        assert diffusion[6].startswith("diffusionPipeline   scheduler=PNDMScheduler, textEncoder=CLIPTextModel, ")
        assert diffusion[6].endswith("safety_checker=StableDiffusionSafetyChecker")
        assert diffusion[7] == "- The size is not known: no component has safetensors files here."
