"""`ome-select admit`: what `kubectl apply` would print, and the exit status."""

import io
import json
import sys

import pytest
import yaml

import ome_select as ome
from ome_select.cli import run
from tests.manifests import NAMESPACE, base_model, cluster, csr, entry, isvc, model

RUNTIME = csr("vllm-llama", supportedModelFormats=[entry()])
DENIED = 'admission webhook "inferenceservice.ome-webhook-server.validator" denied the request: '


@pytest.fixture
def admit(tmp_path, monkeypatch, capsys):
    """Write each list of objects to a file of its own, apply them in order, and give status, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def apply(*files, options=()):
        arguments = ["admit", *options]
        for index, objects in enumerate(files):
            name = f"{index}.yaml"
            (tmp_path / name).write_text(yaml.safe_dump_all(objects), encoding="utf-8")
            arguments += ["-f", name]
        status = run(arguments)
        output = capsys.readouterr()
        return status, output.out.splitlines(), output.err.splitlines()

    return apply


class TestOutput:
    def test_in_order(self, admit):
        assert admit([model(), RUNTIME], [isvc()]) == (
            0,
            [
                "clusterbasemodel.ome.io/llama created",
                "clusterservingruntime.ome.io/vllm-llama created",
                "inferenceservice.ome.io/chat created",
            ],
            ["Warning: Runtime vllm-llama will be auto-selected for model llama"],
        )

    def test_a_denial(self, admit):
        status, out, err = admit([isvc()], [model()])
        assert status == 1
        assert out == ["clusterbasemodel.ome.io/llama created"]
        assert err == [
            (
                f'Error from server (Forbidden): error when creating "0.yaml": {DENIED}'
                'referenced model "llama" not found '
                'in namespace "llama-demo": ensure a BaseModel exists in this namespace or a ClusterBaseModel exists '
                "cluster-wide with this name"
            )
        ]

    def test_updates(self, admit):
        status, out, _ = admit([model(), model(), model(modelParameterSize="3B")])
        assert status == 0
        assert out == [f"clusterbasemodel.ome.io/llama {change}" for change in ("created", "unchanged", "configured")]

    def test_a_denied_update(self, admit):
        status, out, err = admit([model(), RUNTIME, isvc()], [isvc(model="gone")])
        assert (status, len(out)) == (1, 3)
        assert err[-1].startswith(f'Error from server (Forbidden): error when patching "1.yaml": {DENIED}')

    def test_what_the_api_server_refuses(self, admit):
        status, out, err = admit([csr("rt", supportedModelFormats=[entry(priority=0)])])
        assert (status, out) == (1, [])
        assert err[0].startswith('The ClusterServingRuntime "rt" is invalid: spec.supportedModelFormats[0].priority: ')

    def test_notes(self, admit):
        _, _, err = admit([model(), RUNTIME, isvc(engine={"leader": {}})])
        assert err[-1] == "Note: of this message, the rules give the first word only"

    def test_stdin(self, monkeypatch, capsys):
        stream = io.TextIOWrapper(io.BytesIO(json.dumps(isvc()).encode()))
        monkeypatch.setattr(sys, "stdin", stream)
        assert run(["admit", "-f", "-"]) == 1
        assert 'error when creating "STDIN": ' in capsys.readouterr().err


class TestCluster:
    def test_what_is_there_already(self, admit, tmp_path):
        (tmp_path / "present").mkdir()
        (tmp_path / "present" / "a.yaml").write_text(yaml.safe_dump_all([model(), RUNTIME]), encoding="utf-8")
        status, out, _ = admit([isvc()], options=["--cluster", "present"])
        assert (status, out) == (0, ["inferenceservice.ome.io/chat created"])

    def test_namespace(self, admit):
        service = isvc(model="llama")
        del service["metadata"]["namespace"]
        assert admit([base_model(), RUNTIME, service], options=["-n", NAMESPACE])[0] == 0
        assert admit([base_model(), RUNTIME, service])[0] == 1

    def test_an_object_that_names_another_namespace(self, admit):
        status, out, err = admit([base_model(), RUNTIME, isvc()], options=["-n", "elsewhere"])
        assert status == 1
        assert all("inferenceservice" not in line for line in out)
        said = (
            f'error: the namespace from the provided object "{NAMESPACE}" does not match the namespace "elsewhere". '
            f"You must pass '--namespace={NAMESPACE}' to perform this operation."
        )
        # The model and the service; the runtime is in no namespace.
        assert err == [said, said]
        assert len(out) == 1

    def test_release(self, admit):
        objects = [model(), isvc(runtime="gone")]
        assert admit(objects)[0] == 1
        assert admit(objects, options=["--release", "v1.2.2"])[0] == 0


class TestSlips:
    def test_a_field_that_is_probably_a_slip(self, admit):
        status, _, err = admit([csr("a", modelSizeRang={})])
        assert status == 0
        [line] = err
        assert "spec.modelSizeRang: is no field that selection reads (did you mean modelSizeRange?)" in line
        assert line.endswith("kubectl apply refuses a field that the API does not have")


class TestBadInput:
    def test_other_kinds_are_counted(self, admit):
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}}
        status, out, err = admit([pod, model()])
        assert (status, out) == (0, ["clusterbasemodel.ome.io/llama created"])
        assert err == ["skipped what selection does not read: 1 × Pod (v1)"]

    def test_nothing_to_apply(self, admit):
        status, out, err = admit([{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}}])
        assert (status, out) == (2, [])
        assert err[-1].startswith("error: no objects of OME found")

    def test_an_object_that_cannot_be_read(self, admit):
        status, out, err = admit([{**model("broken"), "spec": {"modelParameterSize": 3}}, model()])
        assert (status, out) == (2, ["clusterbasemodel.ome.io/llama created"])
        assert "ClusterBaseModel/broken: spec.modelParameterSize" in err[0]

    def test_a_kind_of_runtime_that_does_not_exist(self, admit):
        status, out, err = admit([model(), isvc(runtime={"name": "rt", "kind": "Runtime"})])
        assert (status, len(out)) == (2, 1)
        assert err == [
            (
                'error: 0.yaml: InferenceService/llama-demo/chat: spec.runtime.kind "Runtime" is no kind of runtime: '
                "write "
                "ServingRuntime or ClusterServingRuntime"
            )
        ]

    def test_a_file_is_needed(self, capsys):
        assert run(["admit"]) == 2
        assert "Missing option '-f'" in capsys.readouterr().err


class TestApply:
    """The same from Python."""

    def test_the_cluster_afterwards(self):
        applied = ome.apply(cluster(), [model(), RUNTIME, isvc(), isvc("lost", model="gone")])
        assert not applied.allowed
        assert [outcome.change for outcome in applied.outcomes] == ["created", "created", "created", None]
        assert [service.name for service in applied.cluster.services] == ["chat"]

    def test_as_text(self):
        applied = ome.apply(cluster(model()), [RUNTIME, isvc(engine=None, decoder={})])
        assert str(applied) == (
            "clusterservingruntime.ome.io/vllm-llama created\n"
            f'Error from server (Forbidden): error when creating "STDIN": {DENIED}'
            "decoder cannot be specified without engine"
        )

    def test_what_is_there_is_configured(self):
        applied = ome.apply(cluster(model()), [model(), *cluster(RUNTIME).runtimes])
        assert [outcome.change for outcome in applied.outcomes] == ["configured", "created"]

    def test_other_kinds(self):
        applied = ome.apply(cluster(), [{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}}])
        assert (applied.outcomes, applied.skipped, applied.allowed) == ((), ("Pod/p",), True)
