"""Messages in other words: what clearly wants to be a message of OME's and is none is contradicted."""

import random
import re

import pytest

from ome_select.conformance.markdown import read_page
from ome_select.conformance.messages.grammar import parse_any, templates
from ome_select.conformance.messages.likeness import is_fragment, meant
from ome_select.conformance.runner import check

# A reworded message, and words of the one that OME has.
REWORDED = [
    ("model size 3.21B is out of supported range [500M, 2B]", "is outside supported range"),
    ("the model size 3.21B is outside of the supported range [500M, 2B]", "is outside supported range"),
    ("model size <size> is out of supported range <range>", "is outside supported range"),
    ("size of 3.21B is outside supported range (-inf, 2B]", "model size <size>"),
    ("runtime does not have the required accelerator class", "does not support the required accelerator class"),
    ("the runtime is disabled now", "runtime is disabled"),
    ("no runtime was found to support model safetensors with format safetensors in namespace demo", "no runtime found"),
    ("no runtimes found for the model safetensors with format safetensors in namespace demo", "no runtime found"),
    (
        "no runtime found to support model a with format a in namespace b. Checked 3 runtimes (1 namespaced, 2 in all)",
        "namespace-scoped",
    ),
    ("one of spec.model or spec.runtime has to be set", "at least one of spec.model or spec.runtime must be set"),
    ("Runtime vllm will be selected for model llama", "will be auto-selected for model"),
    ("decoder can't be specified without an engine", "decoder cannot be specified without engine"),
    ("does not declare any support for model", "does not declare support for model"),
]
PLACES = {
    "output block": "OME gives this reason:\n\n```text\n{}\n```\n",
    "output of a command": "```console\n$ kubectl apply -f service.yaml\n{}\n```\n",
    "after what kubectl says": "```\nError from server (Forbidden): {}\n```\n",
    "prose": "The webhook gives `{}` as the reason.\n",
    "list item": "- `{}`: shows up when nothing fits.\n",
    "table cell": "| When | Message |\n| --- | --- |\n| Nothing fits | `{}` |\n",
}


def reported(source):
    return check([read_page("page.md", source)]).contradicted


class TestPlaces:
    @pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
    @pytest.mark.parametrize(("text", "right"), REWORDED, ids=[text[:30] for text, _ in REWORDED])
    def test_it_is_contradicted_with_the_nearest_message(self, place, text, right):
        facts = [fact for fact in reported(place.format(text)) if fact.kind.startswith("message")]
        assert [text in fact.claim for fact in facts] == [True]
        assert right in facts[0].actual

    def test_it_is_reported_on_its_line(self):
        (fact,) = reported("A reason:\n\n```text\n\nmodel size 3.21B is out of supported range [500M, 2B]\n```\n")
        assert fact.line == 5
        assert fact.actual == "OME says: model size <size> is outside supported range [<min>, <max>]"

    def test_what_kubectl_puts_before_a_message_is_no_part_of_it(self):
        assert reported("It warns `Warning: Runtime vllm will be auto-selected for model llama`.\n") == ()


class TestOthers:
    @pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
    @pytest.mark.parametrize(
        "text",
        [
            # What other programs say, and what OME says elsewhere than in selection.
            'overlay "other" not found in namespace "demo"',
            'runtime format does not support model cache provider "P"',
            "Runtime vllm is valid for model llama",
            "failed to resolve model llama: not found",
            "model reference is required when runtime is not specified and engine does not have complete runner",
            "model server is ready on port 8080",
            "pod has unbound immediate PersistentVolumeClaims",
            "the runtime supports the model",
            "0/3 nodes are available: 3 Insufficient nvidia.com/gpu",
            'deployments.apps "vllm" not found',
            "failed to pull image: manifest unknown",
            "(format weight + framework weight) × priority",
        ],
    )
    def test_they_are_no_reworded_messages(self, place, text):
        assert reported(place.format(text)) == ()


VALUES = {"size": "3.21B", "min": "500M", "max": "2B", "n": "3", "a": "1", "b": "2", "reason": "runtime is disabled"}
ENOUGH = 0.9


def changes():
    """Each message that is long enough to be known again, with a word changed, dropped, added, or made two."""
    chance = random.Random(20261201)
    for shown in dict.fromkeys(template.shown for template in templates()):
        words = re.sub(r"<([^<>]*)>", lambda found: VALUES.get(found[1], f"some-{found[1]}"), shown).split()
        fixed = [index for index, word in enumerate(words) if re.fullmatch(r"[A-Za-z]{2,}", word)]
        for index in chance.sample(fixed, 1) if len(fixed) >= 5 else ():
            for instead in chance.sample([["different"], [], [words[index], "any"], ["out", "of"]], 2):
                changed = " ".join([*words[:index], *instead, *words[index + 1 :]])
                if parse_any(changed) is None and not is_fragment(changed):
                    yield changed


class TestEveryMessage:
    def test_nearly_all_changes_are_seen(self):
        changed = list(changes())
        assert len(changed) > 100
        missed = [text for text in changed if meant(text) is None]
        assert len(missed) <= len(changed) * (1 - ENOUGH), "\n".join(missed)
