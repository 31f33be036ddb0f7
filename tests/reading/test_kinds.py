"""Every kind of problem: its text, its place, its advice; and the page that lists them all."""

from __future__ import annotations

import os
import re
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

import ome_select as ome
from ome_select.reading.kinds import KINDS, example_messages, page

ROOT = Path(__file__).parent.parent.parent

# What is said about each kind's example: the severity, the place, what was found, and what to do.
MESSAGES = {
    "yaml-syntax": "error: runtime.yaml:7:1: document: did not find expected ',' or '}' (correct the YAML at this "
    "place; the cause may be the indentation or a quote in the lines above)",
    "yaml-separator": 'error: runtime.yaml:7:1: document: "{apiVersion: v1, kind: Namespace, metadata: {name: b}}" '
    "stands on the line of a document separator (put --- on a line of its own)",
    "yaml-alias": "error: runtime.yaml:6:19: document: no anchor &range stands before *range (define it)",
    "yaml-key": "error: runtime.yaml:6:20: document: a map or a list cannot be a key (use a text as the key)",
    "yaml-merge": "error: runtime.yaml:6:24: document: <<: merges something else than a map or a list of maps "
    "(merge a map, such as *anchor)",
    "yaml-scalar": "error: runtime.yaml:6:25: document: .inf is beyond what JSON can hold "
    "(quote it, or write a smaller number)",
    "text-after-end": "warning: runtime.yaml:8:1: document: text after the end of the document is not read "
    "(put --- on a line of its own between documents)",
    "duplicate-key": 'warning: runtime.yaml:7:3: document: the key "disabled" is there twice, first on line 6; '
    "the last one counts (keep one of the two)",
    "json-syntax": "error: runtime.json:1:66: document: expecting property name enclosed in double quotes "
    "(correct the JSON at this place)",
    "json-number": "error: runtime.json:1:1: document: a number is beyond what JSON can hold "
    "(quote it, or write a smaller number)",
    "helm-template": "error: runtime.yaml:7:11: document: is a Helm template and no manifest yet "
    "(render it first: helm template FOLDER)",
    "helm-chart": "warning: Chart.yaml:1:1: document: belongs to a Helm chart, which makes manifests, and is none "
    "(render it first: helm template FOLDER)",
    "kustomization": "warning: kustomization.yaml:1:1: document: is a kustomization, which makes manifests and is none "
    "(render it first: kubectl kustomize FOLDER)",
    "no-object": 'error: runtime.yaml:1:1: document: found the text "just text" where a Kubernetes object belongs '
    "(write an object: a map with apiVersion, kind and metadata)",
    "no-kind": "error: runtime.yaml:1:1: object/demo: kind: is missing (add kind)",
    "no-name": "error: runtime.yaml:3:11: ClusterServingRuntime without a name: metadata.name: is missing "
    "(give the object a name)",
    "name-form": 'refused: runtime.yaml:4:3: ClusterServingRuntime/My_Llama: metadata.name: Invalid value: "My_Llama": '
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    "end with an alphanumeric character (rename it)",
    "unknown-version": "refused: runtime.yaml:1:13: ClusterServingRuntime/demo: apiVersion: "
    "OME has no version ome.io/v1 (write ome.io/v1beta1)",
    "unknown-kind": "warning: runtime.yaml:2:7: ClusterServingRuntimes/demo: kind: "
    "OME has no kind of this name that selection reads (did you mean ClusterServingRuntime?)",
    "other-group": "warning: runtime.yaml:1:13: ClusterServingRuntime/demo: apiVersion: "
    "belongs to serving.kserve.io, not to OME (OME's has apiVersion: ome.io/v1beta1)",
    "field-type": "error: runtime.yaml:9:16: ClusterServingRuntime/demo: "
    "spec.supportedModelFormats[0].modelFormat.version: found the number 1.0 where a text belongs "
    '(quote it: "1.0")',
    "field-required": "refused: runtime.yaml:7:5: ClusterServingRuntime/demo: "
    "spec.supportedModelFormats[0].modelFormat: Required value (add modelFormat)",
    "field-recommended": "warning: runtime.yaml:7:5: ClusterServingRuntime/demo: "
    "spec.supportedModelFormats[0].modelFramework: is missing, and the API reference marks it as required "
    "(add modelFramework)",
    "field-minimum": "refused: runtime.yaml:11:15: ClusterServingRuntime/demo: spec.supportedModelFormats[0].priority: "
    "Invalid value: 0: must be greater than or equal to 1 (write 1 or more, or leave it out)",
    "field-enum": "refused: service.yaml:7:13: InferenceService/demo: spec.acceleratorSelector.policy: "
    'Unsupported value: "cheapest": supported values: "BestFit", "Cheapest", "MostCapable", "FirstAvailable" '
    "(write Cheapest)",
    "field-size": "warning: runtime.yaml:6:25: ClusterServingRuntime/demo: spec.modelSizeRange.max: "
    '"13b" is no size that OME can read, and counts as 0 (write a number with M, B or T, such as 7B)',
    "field-range": "warning: runtime.yaml:6:25: ClusterServingRuntime/demo: spec.modelSizeRange.min: "
    "13B is above max, 7B, so every size is rejected (swap the two)",
    "field-operator": "warning: runtime.yaml:9:17: ClusterServingRuntime/demo: "
    'spec.supportedModelFormats[0].modelFormat.operator: "AtLeast" is none of Equal, GreaterThan, GreaterThanOrEqual, '
    "and counts as Equal (write Equal)",
    "unknown-field": "warning: runtime.yaml:6:3: ClusterServingRuntime/demo: spec.modelSizeRanges: "
    "is no field that selection reads (did you mean modelSizeRange?)",
    "duplicate-object": "warning: runtime.yaml:7:1: ClusterServingRuntime/demo: is there twice: "
    "at runtime.yaml:1 and at runtime.yaml:7; the first one counts (keep one of the two, or give one another name)",
}
OF_FILES = {"file-missing", "file-unreadable", "folder-empty", "folder-link", "stdin-twice"}


def test_every_kind_is_tested() -> None:
    assert KINDS.keys() == MESSAGES.keys() | OF_FILES


def test_every_kind_in_the_code_is_listed() -> None:
    quoted = re.compile(r'"((?:yaml|json|field|file|folder|no|unknown|other|duplicate|stdin|helm|text|name)-[a-z-]+)"')
    package = ROOT / "ome_select"
    sources = [path for path in (package / "reading").glob("*.py") if path.name != "kinds.py"]
    sources += (package / "readers").glob("*.py")
    sources += [package / f"{name}.py" for name in ("objects", "fields", "known", "cluster")]
    used = {kind for source in sources for kind in quoted.findall(source.read_text(encoding="utf-8"))}
    assert used | {"kustomization"} == KINDS.keys()


@pytest.mark.parametrize("kind", MESSAGES)
def test_the_message_of_an_example(kind: str) -> None:
    assert example_messages(kind) == [MESSAGES[kind]]


def test_the_page_is_up_to_date() -> None:
    written = (ROOT / "docs" / "problems.md").read_text(encoding="utf-8")
    assert written == page(), "run: python -m ome_select.reading.kinds > docs/problems.md"


def only(path: str, **options: bool) -> tuple[str, str, str]:
    [problem] = ome.read(path, **options).problems
    return problem.severity, problem.kind, str(problem).replace(f"{Path(path).parent}/", "")


class TestSlips:
    @pytest.mark.parametrize(
        "kind", ["clusterservingruntime", "CLUSTERSERVINGRUNTIME", "clusterServingRuntimes", "ClusterServingRuntme"]
    )
    def test_of_a_kind(self, kind: str, tmp_path: Path) -> None:
        (tmp_path / "x.yaml").write_text(f"apiVersion: ome.io/v1beta1\nkind: {kind}\nmetadata:\n  name: demo\n")
        severity, sort, text = only(f"{tmp_path}/x.yaml")
        assert (severity, sort) == ("warning", "unknown-kind")
        assert text.endswith("(did you mean ClusterServingRuntime?)")

    @pytest.mark.parametrize("size", ["1b", "10Gi", "8x7B", "524K", "", "3 B", "B"])
    def test_of_a_size(self, size: str, tmp_path: Path) -> None:
        (tmp_path / "x.yaml").write_text(f"{RUNTIME}  modelSizeRange: {{min: '{size}'}}\n")
        assert only(f"{tmp_path}/x.yaml")[:2] == ("warning", "field-size")

    @pytest.mark.parametrize("bounds", ["min: 1B, max: 1B", "min: 500M, max: 0.5B", "min: inf", "max: NaN", "min: '0'"])
    def test_no_slip_of_a_size(self, bounds: str, tmp_path: Path) -> None:
        (tmp_path / "x.yaml").write_text(f"{RUNTIME}  modelSizeRange: {{{bounds}}}\n")
        assert ome.read(tmp_path / "x.yaml").problems == []

    @pytest.mark.parametrize("name", ["a", "a-b", "a.b", "1", "0a.b-c.d", "a" * 253])
    def test_a_name_that_is_taken(self, name: str, tmp_path: Path) -> None:
        (tmp_path / "x.yaml").write_text(f"{RUNTIME}  disabled: true\n".replace("demo", f'"{name}"'))
        assert ome.read(tmp_path / "x.yaml").problems == []

    @pytest.mark.parametrize("name", ["A", "a_b", "-a", "a-", "a..b", ".a", "a.", "ä", "a b", "a/b", "a" * 254, "a.-b"])
    def test_a_name_that_is_not_taken(self, name: str, tmp_path: Path) -> None:
        (tmp_path / "x.yaml").write_text(f"{RUNTIME}  disabled: true\n".replace("demo", f'"{name}"'))
        assert only(f"{tmp_path}/x.yaml")[:2] == ("refused", "name-form")


RUNTIME = "apiVersion: ome.io/v1beta1\nkind: ClusterServingRuntime\nmetadata:\n  name: demo\nspec:\n"


class TestFiles:
    def test_missing(self, tmp_path: Path) -> None:
        assert only(f"{tmp_path}/none.yaml") == ("error", "file-missing", "none.yaml: does not exist (check the path)")

    def test_address(self) -> None:
        [problem] = ome.read("https://example.invalid/runtime.yaml").problems
        assert (problem.kind, problem.message) == ("file-missing", "is an address")
        assert problem.advice == "download it, then name the file"

    def test_dangling_link(self, tmp_path: Path) -> None:
        (tmp_path / "link.yaml").symlink_to("gone.yaml")
        assert only(f"{tmp_path}/link.yaml") == (
            "error",
            "file-unreadable",
            "link.yaml: is a link to gone.yaml, which does not exist (remove the link or repair it)",
        )

    def test_permission(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "secret.yaml").write_text("")

        def refuse(*arguments: object, **options: object) -> None:
            raise PermissionError(13, "Permission denied")

        # The user who runs the tests may be one who may read everything.
        monkeypatch.setattr("builtins.open", refuse)
        assert only(f"{tmp_path}/secret.yaml") == (
            "error",
            "file-unreadable",
            "secret.yaml: may not be read (give yourself permission to read it)",
        )

    def test_a_folder_that_may_not_be_read(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(folder: str) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(os, "scandir", refuse)
        severity, kind, text = only(str(tmp_path))
        assert (severity, kind) == ("error", "file-unreadable")
        assert text.endswith("may not be read (give yourself permission to read it)")

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
    def test_a_pipe_in_a_folder_is_not_waited_for(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe.yaml")
        assert only(str(tmp_path)) == (
            "error",
            "file-unreadable",
            f"{tmp_path.name}/pipe.yaml: is no file (name a file)",
        )

    def test_folder_with_a_manifest_s_name(self, tmp_path: Path) -> None:
        (tmp_path / "inner").mkdir()
        (tmp_path / "inner.yaml").symlink_to("inner")
        assert ome.read(tmp_path, recursive=True).problems[0].kind == "folder-link"

    def test_empty_folder(self, tmp_path: Path) -> None:
        (tmp_path / "a" / "b").mkdir(parents=True)
        assert only(f"{tmp_path}/a") == (
            "error",
            "folder-empty",
            "a: holds no file that ends in .yaml, .yml or .json (read the folders inside it, too: -R)",
        )
        assert only(f"{tmp_path}/a", recursive=True)[2].endswith("(name the folder that holds them)")

    def test_loop(self, tmp_path: Path) -> None:
        (tmp_path / "a").mkdir()
        (tmp_path / "a" / "x.yaml").write_text("")
        (tmp_path / "a" / "again").symlink_to(tmp_path / "a")
        severity, kind, text = only(f"{tmp_path}/a", recursive=True)
        assert (severity, kind) == ("warning", "folder-link")
        assert text.endswith("the folder that it is in (remove the link)")

    def test_link_to_another_folder(self, tmp_path: Path) -> None:
        (tmp_path / "a").mkdir()
        (tmp_path / "b").mkdir()
        (tmp_path / "a" / "x.yaml").write_text("")
        (tmp_path / "a" / "b").symlink_to(tmp_path / "b")
        assert only(f"{tmp_path}/a", recursive=True)[2].endswith("and is not followed (name that folder with -f)")

    def test_stdin_twice(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(b"")))
        [problem] = ome.read("-", "-").problems
        assert str(problem) == "stdin: is named twice (name - once)"

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
    def test_device(self) -> None:
        assert only("/dev/null") == ("error", "file-unreadable", "null: is no file (name a file)")
