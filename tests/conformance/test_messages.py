"""The grammar of messages: what OME says is parsed, what it cannot have said is not."""

import pytest

from ome_select.conformance.messages.grammar import parse, parse_any, templates
from ome_select.conformance.messages.likeness import is_fragment, meant

SIZE = "model size 3.21B is outside supported range [500M, 2B]"
CLASS = "runtime does not support the required accelerator class"
NONE = "no runtime found to support model safetensors with format safetensors in namespace demo"
CHECKED = f"{NONE}. Checked 3 runtimes (1 namespace-scoped, 2 cluster-scoped)"
MODES = "runtime engine deployment mode MultiNode does not match requested engine deployment mode"
DRIFT = (
    "model format 'mt:safetensors:1.0.0:LlamaForCausalLM:transformers:4.46.0' not in supported formats: "
    "framework version mismatch (model=4.46.0, runtime=4.45.0.dev0)"
)
ADVISORY = (
    f'runtime "a" does not declare support for model "m" (runtime a does not support model : {CLASS}); '
    "proceeding because the runtime was named explicitly"
)
WEBHOOK = 'admission webhook "inferenceservice.ome-webhook-server.validator" denied the request: '


class TestParse:
    @pytest.mark.parametrize(
        "text",
        [
            SIZE,
            "model size 405B is outside supported range (-inf, 13B]",
            CLASS,
            DRIFT,
            f"{DRIFT}; architecture mismatch (model=LlamaForCausalLM, runtime=QwenForCausalLM), unknown mismatch",
            NONE,
            CHECKED,
            f"{CHECKED}. Excluded runtimes: a ({CLASS}); b ({SIZE})",
            f"{CHECKED}. Excluded runtimes: a ({DRIFT}; unknown mismatch); b ({CLASS})",
            ADVISORY,
            f"runtime a does not support model m: runtime a does not support model safetensors: {DRIFT}",
            f"{WEBHOOK}at least one of spec.model or spec.runtime must be set",
            "Runtime <runtime> will be auto-selected for model <model>",
            'inherit-from parent "p" not found (chain so far: [c])',
            "memory 48GB < required 80GB",
            "Failed to get accelerator class for decoder: accelerator class c not found at cluster scope",
        ],
    )
    def test_what_ome_says(self, text):
        parsed = parse(text)
        assert parsed is not None
        assert parsed.fault is None

    @pytest.mark.parametrize(
        ("text", "fault"),
        [
            (SIZE.replace("2B]", "4B]"), "inside this range"),
            (f"{NONE}. Checked 4 runtimes (1 namespace-scoped, 2 cluster-scoped)", "are 3, not 4"),
            (f"{CHECKED}. Excluded runtimes: a ({CLASS}); a ({CLASS})", "twice"),
            (DRIFT.replace("runtime=4.45.0.dev0", "runtime=4.46.0").replace("version", "name"), "no mismatch"),
            (DRIFT.replace("4.46.0'", "4.47.0'"), "does not have 4.46.0"),
            (f"{MODES} MultiNode", "same mode"),
            (f"{MODES} Other", "no deployment mode"),
            (f"runtime a does not support model safetensors: {CLASS}", "names no model"),
        ],
    )  # fmt: skip
    def test_values_that_cannot_stand_together(self, text, fault):
        parsed = parse(text)
        assert parsed is not None
        assert fault in parsed.fault

    @pytest.mark.parametrize(
        "text",
        [
            SIZE.replace("outside", "out of"),
            NONE.replace("format safetensors", "format other"),
            f"{SIZE}.",
            "",
            "some other text",
        ],
    )
    def test_what_ome_does_not_say(self, text):
        assert parse(text) is None

    def test_every_template_parses_itself(self):
        for template in templates():
            assert template.regex.fullmatch(template.shown), template.shown

    def test_excluded_runtimes_on_their_own(self):
        assert parse(f"a ({CLASS})") is None
        assert parse_any(f"a ({CLASS}); b ({SIZE})") is not None


class TestFragments:
    @pytest.mark.parametrize(
        "text",
        [
            "does not declare support for model",
            "different priorities assigned for the model format",
            "no runtime found",
            "no runtime found to support model ...",
            "... under the clusterservingruntime <rt>",
            "component <name> required by runtime but not specified in model",
            "model size <size> is outside supported range <range>",
        ],
    )
    def test_runs_of_whole_words(self, text):
        assert is_fragment(text)

    @pytest.mark.parametrize(
        "text", ["does not declare backing for model", "runtime is", "the runtime is", "<x> <y>", "..."]
    )
    def test_others(self, text):
        assert is_fragment(text) == (text == "runtime is")


class TestMeant:
    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("does not declare backing for model", "declare support for"),
            ("model size 3.21B is outside the supported range [500M, 2B]", "outside supported range"),
            ("Runtime <runtime> be auto-selected for model <model>", "will be auto-selected"),
            (f"{WEBHOOK}at least one of spec.model and spec.runtime must be set", "spec.model or spec.runtime"),
            (WEBHOOK.replace("denied", "refused") + "decoder cannot be specified without engine", "denied the request"),
        ],
    )
    def test_one_wrong_word(self, text, words):
        assert words in meant(text)

    @pytest.mark.parametrize(
        "text", ["kubectl get pods -n demo", "a text about something else", "runtime is ready", "x"]
    )
    def test_other_texts(self, text):
        assert meant(text) is None
