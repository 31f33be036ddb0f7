"""Every kind of problem, with what it means; docs/problems.md is made of it.

Run `python -m ome_select.reading.kinds > docs/problems.md` after a change.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ome_select.reading.reading import read

_RUNTIME = "apiVersion: ome.io/v1beta1\nkind: ClusterServingRuntime\nmetadata:\n  name: demo\nspec:\n"
_ENTRY = (
    _RUNTIME
    + "  supportedModelFormats:\n  - modelFormat:\n      name: safetensors\n"
    + "    modelFramework:\n      name: transformers\n"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """A kind of problem.

    Attributes:
        title: what happened, in a few words.
        meaning: what it means for the answer.
        example: a file that has the problem; empty where it is not the text that has it.
        file: the example's name.
    """

    title: str
    meaning: str
    example: str = ""
    file: str = "runtime.yaml"


KINDS = {
    "file-missing": Kind(
        title="A path leads nowhere",
        meaning="Nothing has this name, and no file matches it as a pattern. Addresses of web pages are not read.",
    ),
    "file-unreadable": Kind(
        title="A file cannot be opened",
        meaning="It may be a link to nothing, a file without permission, or no file at all. The others are read.",
    ),
    "folder-empty": Kind(
        title="A folder holds no manifest",
        meaning="Files that end in `.yaml`, `.yml` or `.json` are read; with `-R` those of inner folders, too.",
    ),
    "folder-link": Kind(
        title="A link to a folder",
        meaning="As in kubectl, links to folders are not followed, so that no folder is read for ever.",
    ),
    "stdin-twice": Kind(title="`-` is named twice", meaning="Standard input can be read once."),
    "yaml-syntax": Kind(
        title="No YAML",
        meaning="The document is left out; the others of its file are read.",
        example=_RUNTIME + "  modelSizeRange: {min: 1B\n",
    ),
    "yaml-separator": Kind(
        title="Text on the line of a separator",
        meaning="kubectl takes nothing but a comment behind `---`. The document that the line ends is left out.",
        example=_RUNTIME + "  disabled: true\n--- {apiVersion: v1, kind: Namespace, metadata: {name: b}}\n",
    ),
    "yaml-alias": Kind(
        title="An alias that cannot be used",
        meaning="It has no anchor, contains itself, or repeats so much that kubectl refuses the document.",
        example=_RUNTIME + "  modelSizeRange: *range\n",
    ),
    "yaml-key": Kind(
        title="A key that JSON cannot hold",
        meaning="Keys are texts; kubectl turns numbers and booleans into texts, and refuses the rest.",
        example=_RUNTIME + "  modelSizeRange: {[min]: 1B}\n",
    ),
    "yaml-merge": Kind(
        title="A merge of something that is no map",
        meaning="`<<` takes a map, an alias of one, or a list of those.",
        example=_RUNTIME + "  modelSizeRange: {<<: 1B}\n",
    ),
    "yaml-scalar": Kind(
        title="A value that kubectl refuses",
        meaning="`.inf` and `.nan` have no place in JSON; a value with a tag must be what the tag says.",
        example=_RUNTIME + "  modelSizeRange: {min: .inf}\n",
    ),
    "text-after-end": Kind(
        title="Text behind the end of a document",
        meaning="kubectl reads one document up to `...` or its last line, and ignores the rest without a word.",
        example=_RUNTIME + "  disabled: true\n...\nmore: text\n",
    ),
    "duplicate-key": Kind(
        title="A key that is there twice",
        meaning="The last one counts, as in kubectl, which does not say so.",
        example=_RUNTIME + "  disabled: false\n  disabled: true\n",
    ),
    "json-syntax": Kind(
        title="No JSON",
        meaning="A file that begins with `{` is JSON to kubectl. It is read up to here, and on from the next `---`.",
        example='{"apiVersion": "ome.io/v1beta1", "kind": "ClusterServingRuntime",}\n',
        file="runtime.json",
    ),
    "json-number": Kind(
        title="A number that JSON cannot hold",
        meaning="The document is left out; the others of its file are read.",
        example='{"apiVersion": "ome.io/v1beta1", "kind": "ClusterServingRuntime", "spec": {"x": 1e400}}\n',
        file="runtime.json",
    ),
    "helm-template": Kind(
        title="A Helm template",
        meaning="It holds `{{ … }}` and is no YAML before Helm has filled it in. It is skipped and counted.",
        example=_RUNTIME + "  modelSizeRange:\n    min: {{ .Values.min }}\n",
    ),
    "helm-chart": Kind(
        title="A file of a Helm chart",
        meaning="`Chart.yaml` and `values.yaml` hold no objects. They are skipped and counted.",
        example="apiVersion: v2\nname: demo\nversion: 1.0.0\n",
        file="Chart.yaml",
    ),
    "kustomization": Kind(
        title="A kustomization",
        meaning="It changes other manifests, so that the ones in the folder may not be what a cluster gets. It is "
        "skipped and counted.",
        example="resources:\n- runtime.yaml\n",
        file="kustomization.yaml",
    ),
    "no-object": Kind(
        title="No Kubernetes object",
        meaning="The document, or an item of a list, is no map with `apiVersion`, `kind` and `metadata`.",
        example="just text\n",
    ),
    "no-kind": Kind(
        title="`kind` or `apiVersion` is missing",
        meaning="Without them, nobody knows what the object is.",
        example="apiVersion: ome.io/v1beta1\nmetadata:\n  name: demo\n",
    ),
    "no-name": Kind(
        title="The object has no name",
        meaning="It cannot be chosen, asked for or told from others.",
        example="apiVersion: ome.io/v1beta1\nkind: ClusterServingRuntime\nmetadata: {}\n",
    ),
    "name-form": Kind(
        title="A name that the API server does not take",
        meaning="Names are lower-case letters, digits, `-` and `.`, and begin and end with a letter or a digit.",
        example=_RUNTIME.replace("demo", "My_Llama") + "  disabled: true\n",
    ),
    "unknown-version": Kind(
        title="A version of the API that OME does not have",
        meaning="The API server refuses the object.",
        example=_RUNTIME.replace("v1beta1", "v1"),
    ),
    "unknown-kind": Kind(
        title="A kind that is probably misspelt",
        meaning="Objects of other kinds are skipped and counted; the name of this one is close to one that is read.",
        example=_RUNTIME.replace("ClusterServingRuntime", "ClusterServingRuntimes"),
    ),
    "other-group": Kind(
        title="A kind of OME's name from another group",
        meaning="KServe, for one, has kinds of the same names. The object is skipped and counted.",
        example=_RUNTIME.replace("ome.io/v1beta1", "serving.kserve.io/v1alpha1"),
    ),
    "field-type": Kind(
        title="A value of the wrong type",
        meaning="The API server refuses it. An unquoted `1.0` is a number and `y` is true, where a text was meant.",
        example=_ENTRY.replace("name: safetensors\n", "name: safetensors\n      version: 1.0\n"),
    ),
    "field-required": Kind(
        title="A required field is missing",
        meaning="The API server refuses the object, so it is left out.",
        example=_RUNTIME + "  supportedModelFormats:\n  - modelFramework:\n      name: transformers\n",
    ),
    "field-recommended": Kind(
        title="A field is missing that the API reference asks for",
        meaning="Selection works without it: an entry without a framework matches models without one.",
        example=_RUNTIME + "  supportedModelFormats:\n  - modelFormat:\n      name: safetensors\n",
    ),
    "field-minimum": Kind(
        title="A number is too small",
        meaning="The API server refuses the object, so it is left out.",
        example=_ENTRY + "    priority: 0\n",
    ),
    "field-enum": Kind(
        title="A text that is none of the allowed ones",
        meaning="The API server refuses the object, so it is left out.",
        example="apiVersion: ome.io/v1beta1\nkind: InferenceService\nmetadata:\n  name: demo\nspec:\n"
        "  acceleratorSelector:\n    policy: cheapest\n",
        file="service.yaml",
    ),
    "field-size": Kind(
        title="A size that OME cannot read",
        meaning="It counts as 0, and no message of OME says so (rule 7). Only `M`, `B` and `T` are suffixes.",
        example=_RUNTIME + "  modelSizeRange: {max: 13b}\n",
    ),
    "field-range": Kind(
        title="A range that holds nothing",
        meaning="`min` is above `max`, so every model that has a size is rejected (rule 7).",
        example=_RUNTIME + "  modelSizeRange: {min: 13B, max: 7B}\n",
    ),
    "field-operator": Kind(
        title="An operator that OME does not know",
        meaning="It counts as `Equal`, and no message of OME says so (rule 19).",
        example=_ENTRY.replace("      name: safetensors\n", "      name: safetensors\n      operator: AtLeast\n"),
    ),
    "unknown-field": Kind(
        title="A field whose name is close to one that is read",
        meaning="Since 1.25, `kubectl apply` asks the API server to be strict and is refused (`strict decoding error: "
        "unknown field`). For other clients the server drops the field, and the one that was meant stays unset.",
        example=_RUNTIME + "  modelSizeRanges:\n    min: 1B\n",
    ),
    "duplicate-object": Kind(
        title="The same object twice",
        meaning="Of two runtimes the first counts. Two models or services of one name are an error.",
        example=_RUNTIME + "---\n" + _RUNTIME,
    ),
}
"""Every kind, in the order of docs/problems.md: from the file to the object."""


def example_messages(kind: str) -> list[str]:
    """What is said about a kind's example, each message with its severity before it."""
    with TemporaryDirectory() as folder:
        path = Path(folder, KINDS[kind].file)
        path.write_text(KINDS[kind].example, encoding="utf-8")
        return [
            f"{problem.severity}: {problem}".replace(f"{folder}/", "")
            for problem in read(path).problems
            if problem.kind == kind
        ]


_INTRODUCTION = """\
# Problems

What can be wrong with manifests, by the `kind` that `ome-select validate -o json` gives. An *error* makes an object
unreadable, and *refused* means that the API server would not take it: both leave the object out, and the exit status
is 2 (1 for `validate`). A *warning* is probably not what was meant. `ome_select.load` raises the first two.
"""


def page() -> str:
    """The text of docs/problems.md."""
    parts = [_INTRODUCTION]
    for name, kind in KINDS.items():
        parts.append(f"## `{name}`\n\n{kind.title}. {kind.meaning}\n")
        if kind.example:
            messages = "\n".join(example_messages(name))
            parts.append(f"In `{kind.file}`:\n\n```text\n{kind.example}```\n\n```text\n{messages}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    print(page(), end="")
