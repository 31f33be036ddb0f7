"""From files to objects and resources: values, places, lists, folders, encodings."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ome_select as ome
from ome_select.known import Tree, fields_of
from ome_select.readers import READERS
from ome_select.reading import folding, read_resources
from ome_select.reading.nodes import compose
from ome_select.reading.values import UnusualError, value_of

RUNTIME = """\
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata:
  name: demo
spec:
  supportedModelFormats:
  - modelFormat:
      name: safetensors
      version: "1.0.0"
    modelFramework:
      name: transformers
"""
MODEL = """\
apiVersion: ome.io/v1beta1
kind: BaseModel
metadata:
  name: model
spec:
  modelFormat:
    name: safetensors
  storage:
    storageUri: hf://a/b
"""


def problems(text: str, tmp_path: Path, name: str = "x.yaml") -> list[str]:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return [str(problem).removeprefix(f"{file}:") for problem in ome.read(file).problems]


class TestFaults:
    def test_all_the_faults_of_a_file_at_once(self, tmp_path: Path) -> None:
        text = (
            RUNTIME.replace('"1.0.0"', "1.10") + "      version: y\n    priority: '2'\n    autoSelect: \"true\"\n---\n"
        )
        text += MODEL.replace("name: safetensors", "name: 017")
        assert problems(text, tmp_path) == [
            (
                "9:16: ClusterServingRuntime/demo: spec.supportedModelFormats[0].modelFormat.version: "
                'found the number 1.10 where a text belongs (quote it: "1.10")'
            ),
            (
                "12:16: ClusterServingRuntime/demo: spec.supportedModelFormats[0].modelFramework.version: "
                'found y, which is true, where a text belongs (quote it: "y")'
            ),
            (
                "14:17: ClusterServingRuntime/demo: spec.supportedModelFormats[0].autoSelect: "
                'found the text "true" where true or false belongs (leave out the quotes: true)'
            ),
            (
                "13:15: ClusterServingRuntime/demo: spec.supportedModelFormats[0].priority: "
                'found the text "2" where a whole number belongs (leave out the quotes: 2)'
            ),
            (
                "22:11: BaseModel/model: spec.modelFormat.name: found the number 017 where a text belongs "
                '(quote it: "017")'
            ),
        ]

    def test_one_bad_document_costs_only_itself(self, tmp_path: Path) -> None:
        file = tmp_path / "x.yaml"
        file.write_text(f"{RUNTIME}---\na: [\n---\n{MODEL}", encoding="utf-8")
        reading = ome.read(file)
        assert [value["metadata"]["name"] for value in reading.objects] == ["demo", "model"]
        [problem] = reading.problems
        assert problem.origin is not None
        assert problem.origin.line == 14

    def test_load_raises_all_that_is_more_than_a_warning(self, tmp_path: Path) -> None:
        (tmp_path / "x.yaml").write_text(f"{MODEL}  modelParameterSize: 7\n---\na: 1\n", encoding="utf-8")
        with pytest.raises(ome.InvalidObjectError) as caught:
            ome.load(tmp_path)
        assert len(caught.value.problems) == 2
        assert 'quote it: "7"' in str(caught.value)

    def test_two_models_of_one_name_are_an_error_with_both_places(self, tmp_path: Path) -> None:
        (tmp_path / "a.yaml").write_text(MODEL, encoding="utf-8")
        (tmp_path / "b.yaml").write_text(f"\n{MODEL}", encoding="utf-8")
        [problem] = ome.read(tmp_path).problems
        assert problem.severity == "error"
        assert problem.message == f"is there twice: at {tmp_path}/a.yaml:1 and at {tmp_path}/b.yaml:1"
        with pytest.raises(ome.InvalidObjectError):
            ome.load(tmp_path)

    def test_of_two_runtimes_the_first_counts(self, tmp_path: Path) -> None:
        (tmp_path / "a.yaml").write_text(RUNTIME, encoding="utf-8")
        (tmp_path / "b.yaml").write_text(RUNTIME.replace("safetensors", "onnx"), encoding="utf-8")
        [runtime] = ome.load(tmp_path).runtimes
        assert runtime.supported_model_formats[0].model_format is not None
        assert runtime.supported_model_formats[0].model_format.name == "safetensors"

    def test_status_and_parts_of_pods_make_no_noise(self, tmp_path: Path) -> None:
        pod = "  engineConfig:\n    labels: {a: b}\n    runner:\n      name: c\n      image: x\n      env:\n"
        pod += "      - {name: A, value: b}\nstatus:\n  conditions: []\n"
        assert problems(RUNTIME + pod, tmp_path) == []

    def test_the_default_namespace(self, tmp_path: Path) -> None:
        (tmp_path / "x.yaml").write_text(MODEL, encoding="utf-8")
        [model] = ome.load(tmp_path).models
        assert model.namespace == "default"

    def test_places_behind_an_alias_and_a_merge(self, tmp_path: Path) -> None:
        text = RUNTIME + "  modelSizeRange: &range\n    min: 1\n    max: 7B\n"
        assert problems(text, tmp_path) == [
            (
                "13:10: ClusterServingRuntime/demo: spec.modelSizeRange.min: found the number 1 where a text belongs "
                '(quote it: "1")'
            )
        ]

    @pytest.mark.parametrize(
        "merge",
        ["<<: {~: 1}", "<<: [{~: 1}]", "<<: [{b: 1}, {null: 1}]", "<<: {<<: {~: 1}}", "<<: {b: 1, ~: 3}", "~: 1"],
    )
    def test_a_key_that_json_cannot_hold_is_refused_when_it_is_merged(self, merge: str, tmp_path: Path) -> None:
        [problem] = problems(f"{RUNTIME}  a: {{{merge}}}\n", tmp_path)
        assert "is no key that JSON can hold (quote it)" in problem

    def test_json_has_places_too(self, tmp_path: Path) -> None:
        text = '{\n\t"apiVersion": "ome.io/v1beta1", "kind": "ClusterServingRuntime",\n\t"metadata": {"name": "demo"},'
        text += '\n\t"spec": {"disabled": "yes"}}\n'
        assert problems(text, tmp_path, "x.json") == [
            (
                '4:23: ClusterServingRuntime/demo: spec.disabled: found the text "yes" where true or false belongs '
                "(write true or false)"
            )
        ]


class TestLists:
    def names(self, text: str, tmp_path: Path) -> tuple[list[tuple[str, str]], int]:
        file = tmp_path / "x.yaml"
        file.write_text(text, encoding="utf-8")
        reading = ome.read(file)
        found = [(value["kind"], value["metadata"]["name"]) for value in reading.objects]
        return found, sum(problem.severity == "error" for problem in reading.problems)

    def test_items_take_the_kind_of_their_list(self, tmp_path: Path) -> None:
        items = "items:\n- metadata: {name: a}\n- {apiVersion: v9, kind: Bar, metadata: {name: b}}\n"
        items += "- {kind: Bar, metadata: {name: c}}\n- ~\n"
        assert self.names(f"apiVersion: v1\nkind: FooList\n{items}", tmp_path) == ([("Foo", "a"), ("Bar", "b")], 2)
        assert self.names(f"apiVersion: v1\nkind: Foo\n{items}", tmp_path) == ([("Foo", "a"), ("Bar", "b")], 2)
        assert self.names(f"apiVersion: v1\nkind: List\n{items}", tmp_path) == ([("Bar", "b")], 3)

    def test_a_list_of_nothing(self, tmp_path: Path) -> None:
        assert self.names("apiVersion: v1\nkind: List\nitems:\n", tmp_path) == ([], 0)
        assert self.names("apiVersion: v1\nkind: List\nitems: {}\n", tmp_path) == ([], 1)

    def test_places_within_a_list(self, tmp_path: Path) -> None:
        text = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: ome.io/v1beta1\n  kind: BaseModel\n"
        text += "  metadata: {name: a}\n  spec: {modelArchitecture: 1, storage: {storageUri: x}}\n"
        [problem] = problems(text, tmp_path)
        assert problem.startswith("7:29: BaseModel/a: spec.modelArchitecture: found the number 1 ")

    def test_json_documents_one_after_the_other(self, tmp_path: Path) -> None:
        document = '{"apiVersion": "v1", "kind": "X", "metadata": {"name": "%s"}, "n": %s}'
        text = document % ("a", 1) + document % ("b", "1e400") + document % ("c", 3) + "\n---\n" + document % ("d", 4)
        assert self.names(text, tmp_path) == ([("X", "a"), ("X", "c"), ("X", "d")], 2)


class TestFolders:
    def test_only_its_own_level_and_only_manifests(self, tmp_path: Path) -> None:
        (tmp_path / "inner").mkdir()
        for name in ("a.yaml", "b.yml", "c.json", "d.txt", "inner/e.yaml"):
            (tmp_path / name).write_text(RUNTIME.replace("demo", name[-6:-5] if "inner" in name else name[0]))
        (tmp_path / "c.json").write_text(
            json.dumps(ome.read(tmp_path / "a.yaml").objects[0] | {"metadata": {"name": "c"}})
        )
        assert [value["metadata"]["name"] for value in ome.read(tmp_path).objects] == ["a", "b", "c"]
        assert [value["metadata"]["name"] for value in ome.read(tmp_path, recursive=True).objects] == [
            "a",
            "b",
            "c",
            "e",
        ]
        assert len(ome.read(tmp_path / "d.txt").objects) == 1

    def test_files_and_folders_are_read_in_one_order(self, tmp_path: Path) -> None:
        (tmp_path / "b").mkdir()
        for name in ("a.yaml", "b/x.yaml", "c.yaml"):
            (tmp_path / name).write_text(MODEL.replace("name: model", f"name: {name[0]}"))
        reading = ome.read(tmp_path, recursive=True)
        assert [value["metadata"]["name"] for value in reading.objects] == ["a", "b", "c"]

    def test_a_pattern(self, tmp_path: Path) -> None:
        for name in ("a1.yaml", "a2.yaml", "b.yaml"):
            (tmp_path / name).write_text(MODEL.replace("name: model", f"name: {name[:-5]}"))
        reading = ome.read(f"{tmp_path}/a*.yaml")
        assert [value["metadata"]["name"] for value in reading.objects] == ["a1", "a2"]

    def test_what_is_skipped_is_counted(self, tmp_path: Path) -> None:
        (tmp_path / "x.yaml").write_text("---\n".join(["apiVersion: v1\nkind: Service\nmetadata: {name: a}\n"] * 3))
        reading = ome.read(tmp_path)
        assert reading.problems == []
        assert reading.skipped_text == "skipped what selection does not read: 3 × Service (v1)"
        assert len(reading.objects) == 3
        assert repr(reading) == "<Reading: 0 resources, 0 problems>"


class TestEncodings:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
    def test_they_read_the_same(self, encoding: str, tmp_path: Path) -> None:
        file = tmp_path / "x.yaml"
        file.write_bytes((RUNTIME.replace("\n", "\r\n") + "  # é\r\n").encode(encoding))
        assert ome.read(file).objects == ome.read(self.plain(tmp_path)).objects

    def plain(self, folder: Path) -> Path:
        file = folder / "plain.yaml"
        file.write_text(RUNTIME)
        return file


class TestAliases:
    def test_a_bomb_stays_small_and_is_refused(self, tmp_path: Path) -> None:
        levels = "".join(f"  l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]\n" for n in range(1, 40))
        [text] = problems(RUNTIME + "  l0: &l0 [x]\n" + levels, tmp_path)
        assert "aliases repeat each other so often" in text

    def test_an_anchor_may_be_used_again(self, tmp_path: Path) -> None:
        file = tmp_path / "x.yaml"
        file.write_text(RUNTIME + "  a: &a 1\n  b: *a\n  c: &a 2\n  d: *a\n")
        spec = ome.read(file).objects[0]["spec"]
        assert [spec[name] for name in "abcd"] == [1, 1, 2, 2]

    def test_deep_nesting_is_refused(self, tmp_path: Path) -> None:
        for text in (f"{RUNTIME}  a: {'[' * 5000}{']' * 5000}\n", '{"a":' * 5000 + "1" + "}" * 5000):
            assert len(problems(text, tmp_path)) == 1


SKIPPED = [
    "command: [a, b]",
    "command:\n  - a\n  - --x=1",
    "env:\n  - name: A\n    value: b",
    "command:\n  - sh\n  - |\n    a\n    b",
    "env: &e\n  - a",
    "command:\n  - &x a\nports:\n  - *x",
    "command:\n  - .inf",
    "command:\n  - 'a\n    b'",
    'command:\n  - "a\n b"',
    "command:\n- a\n- b",
    "volumes:\n    # c\n  - a",
    "volumes:\n\n  - a",
    "command:\n  - {a: b}\n  - [c,\n    d]",
    "command:\n  - {[a]: b}",
    "env:\n  {{ .x }}",
    "env:\n  a: 1\n  a: 2",
    "note: |\n  command:\n    - a",
    'note: "x\n  command:\n    y"',
    "env:\n  ? a\n  : b",
    "env:\n  null: a",
    "command:\n  - a:\n",
    'command:\n   - "it\'s"\n',
    "command:\n  - a\n b: c",
    "command:\n\t- a",
    "env:\n  !!int a: b",
    "annotations:\n  command:\n    - a",
    "resources:\n  limits:\n    cpu: 1\n    command:\n      - x",
    "env:\n- name: A\nports:\n- name: B",
    "env:\n  - a\nports:\n  - b\nenv:\n  - c",
    "env:\n  - a\nminReplicas: 5\nenv:\n  - c",
    "env:\n  - a\nminReplicas: 5\nports:\n  - b\nenv:\n  - c",
    "env:\n  - a\n# b\n  - c",
    "env:\n  - a\n\n  - b\n\nports:\n\n\n  - c\n",
    "env:\n",
    "env:\n  # a",
    "env:\n\nports:\n  - a",
    "runner: {\n  env:\n    a,\n  image: 1\n  }",
    "runner: {\n  env:\n    a\n  }",
    "env:\n  - a\rimage: 1",
    "env:\n  - a\u2028runner: 1",
    "env:\n  - a\u0085runner: 1",
    "runner: {image: 'a\n  env:\n    b', name: c}",
    "runner:\n  image: a\n  env:\n    b: c\n      d",
    "runner:\n  env:\n    - 'a\n  image: b'\n",
    "runner:\n  env:\n    - [a,\n  image: b]\n",
    "runner:\n  env:\n    {a: b}: c\n  image: 5",
    "runner:\n  env:\n    - a: b\n     - c\n  image: 5",
    "runner:\n  env:\n     a: b\n    c: d\n  image: 5",
    "runner:\n  ports:\n  - a\n  -\n  - - b\n  image: 5",
    "runner:\n- env:\n  - a\n- ports:\n    b: c",
    "runner:\n  image: |\n    env:\n      - a\n  env:\n    - b",
    "runner:\n  env:\n    a\n    b: c",
    "runner:\n  env: \n    - a\n  image: 5",
    "env ports: x\nenv:\n  - a\nports:\n  - b",
    "status:\n  a: |\n    env:\n   b",
    'env:\n  - "a\\/b"',
    'env:\n  - "a\\"b\n  c"',
    "env:\n  - ~: a",
    "env:\n  - ~ : a",
    "env:\n  - a : b",
    "env:\n  - null : a",
    "env:\n  - .nan",
    "env:\n  - .NaN",
    "env:\n  - {a: [b]}",
    "env:\n  - [{a: b}]",
    "env:\n  - [? a]",
    "env:\n  - {a: b} : c",
    "env:\n  - [a] : c",
    "env:\n  - {a: b}: c",
    "env:\n  - [a]: c",
    "env:\n  - [a]:\n      c",
    "env:\n  - -&a b",
    "env:\n  - [&a b]",
    "env:\n  - 'a\n  b'",
    'env:\n  - "a\n  image: b"',
    "env:\n  - a: 'b\n  image: c'",
    "env:\n  - {a: *b}",
    "env:\n  - a,!b",
]


def test_no_name_that_is_skipped_is_read_of_any_kind() -> None:
    for kind in READERS:
        assert not folding.NAMES & names(fields_of(kind))


def names(tree: Tree) -> set[str]:
    """Every name of a field in a tree of them."""
    return set(tree.opened()).union(*(names(inner) for inner in tree.values()))


@pytest.mark.parametrize("part", SKIPPED)
def test_skipping_changes_nothing(part: str, tmp_path: Path) -> None:
    """What is skipped is never read, so the resources and the problems are the same with it and without it."""
    lines = "".join(f"    {line}\n" for line in part.split("\n"))
    file = tmp_path / "x.yaml"
    text = f"{RUNTIME}  engineConfig:\n    minReplicas: 1\n{lines}    maxReplicas: 2\n"
    file.write_text(text, encoding="utf-8", newline="")
    whole, needed = ome.read(file), read_resources(file)
    assert needed.resources == whole.resources
    assert [str(problem) for problem in needed.problems if problem.kind != "duplicate-key"] == [
        str(problem) for problem in whole.problems if problem.kind != "duplicate-key"
    ]


@pytest.mark.parametrize(
    "part",
    [
        "env:\n  - name: A\n    value: b",
        "env:\n- name: A\nports:\n- name: B",
        "command:\n  - sh\n  - |\n    a && b > c 2>&1\n    x=5*3 # !",
        "command:\n  - a&b\n  - c*d\n  - e!\n  - 'f'\n  - \"g\"\n  - h -> i",
        "volumes:\n  - {a: b, c: d}\n  - [e, f]\n\n  - g",
        "resources:\n  limits:\n    cpu: 1\n\nstatus:\n  a: ~",
    ],
)
def test_what_is_plain_is_skipped(part: str) -> None:
    """Nothing else would show that no part is skipped any more: everything would be right, and slow."""
    value, at_end = folding.folded_value_of(f"a:\n  b: |\n    c\n{part}\nd: e\n")
    assert at_end
    assert value["a"] == {"b": "c\n"}
    assert value["d"] == "e"
    skipped = {line[:-1] for line in part.split("\n") if line[:-1] in folding.NAMES and line.endswith(":")}
    assert skipped
    assert {name: value[name] for name in skipped} == dict.fromkeys(skipped, folding.FOLDED)


LINES = (
    "env:|ports:|status:|runner:|image:|labels:|args:|leader:|env: >-|image: a|minReplicas: 1|- env:|"
    '- ports:|- a|- a: b|-|- - b|- - env:|a|b: c|"q"|\'|"|# c||[a, b]|[a|b]|{a: b}|{|}|? a|: b|&x|*x|!!int 5|\ta|- |'
    '- "a|b"|- \'a|b\'|<<: *x|null: a|.inf|~: a|- env: 5|image: "a|image: [a|env: &x|env: {a: b}|env:  # c|runner: {|'
    "...|---|\ra|\u2028a"
)
line = st.sampled_from([*LINES.split("|"), "env: |", "- |", "runner: >", *["env:", "ports:", "runner:"] * 5])
step = st.sampled_from([0, 0, 0, 2, 2, 1, -1, -2, -4])


@given(lines=st.lists(st.tuples(step, line), min_size=2, max_size=9))
def test_skipping_random_lines_changes_nothing(lines: list[tuple[int, str]]) -> None:
    text, indent = RUNTIME + "  engineConfig:\n", 4
    for more, content in lines:
        indent = max(2, indent + more)
        text += " " * indent + content + "\n"
    with TemporaryDirectory() as folder:
        file = Path(folder, "x.yaml")
        file.write_bytes(text.encode())
        whole, needed = ome.read(file), read_resources(file)
    assert needed.resources == whole.resources
    assert needed.skipped == whole.skipped
    assert [str(problem) for problem in needed.problems if problem.kind != "duplicate-key"] == [
        str(problem) for problem in whole.problems if problem.kind != "duplicate-key"
    ]


@pytest.mark.parametrize("part", SKIPPED)
def test_the_fast_way_gives_what_the_thorough_way_gives(part: str) -> None:
    try:
        value: Any = value_of(part)
    except UnusualError:
        return
    root, at_end = compose(part)
    assert root is not None
    assert value == (root.value, at_end)
