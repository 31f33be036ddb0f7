from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ome_select.cluster import Cluster, duplicate, identity
from ome_select.errors import InvalidObjectError, NotFoundError, UsageError
from ome_select.resources import AcceleratorClass, Origin
from tests.builders import csr, entry, model, service, sr

API = "ome.io/v1beta1"


def base_model(namespace: str, **fields: Any) -> Any:
    return replace(model(**fields), kind="BaseModel", namespace=namespace)


def manifest(kind: str, name: str, spec: dict[str, Any] | None = None, **metadata: str) -> dict[str, Any]:
    return {"apiVersion": API, "kind": kind, "metadata": {"name": name, **metadata}, "spec": spec or {}}


@pytest.fixture
def cluster() -> Cluster:
    return Cluster(
        [
            csr("r", entry(priority=1), entry(priority=2)),
            sr("r"),
            sr("r", namespace="other"),
            sr("own", namespace="other"),
            model(),
            base_model("default"),
            service(),
            AcceleratorClass(name="h100"),
        ],
        skipped=["Deployment/web"],
    )


class TestContents:
    """Rule 1: six kinds, each object known by kind, namespace and name."""

    def test_by_kind(self, cluster: Cluster) -> None:
        assert [runtime.name for runtime in cluster.runtimes] == ["r", "r", "r", "own"]
        assert [found.kind for found in cluster.models] == ["ClusterBaseModel", "BaseModel"]
        assert [found.name for found in cluster.services] == ["svc"]
        assert [found.name for found in cluster.accelerator_classes] == ["h100"]
        assert len(cluster) == len(list(cluster)) == 8
        assert cluster.skipped == ("Deployment/web",)

    def test_identities(self, cluster: Cluster) -> None:
        assert [identity(resource) for resource in cluster] == [
            ("ClusterServingRuntime", None, "r"),
            ("ServingRuntime", "default", "r"),
            ("ServingRuntime", "other", "r"),
            ("ServingRuntime", "other", "own"),
            ("ClusterBaseModel", None, "m"),
            ("BaseModel", "default", "m"),
            ("InferenceService", "default", "svc"),
            ("AcceleratorClass", None, "h100"),
        ]

    def test_it_may_be_empty(self) -> None:
        assert len(Cluster()) == 0
        assert Cluster().skipped == ()

    def test_candidates(self, cluster: Cluster) -> None:
        found = [(runtime.kind, runtime.name) for runtime in cluster.candidates("other")]
        assert found == [("ClusterServingRuntime", "r"), ("ServingRuntime", "r"), ("ServingRuntime", "own")]

    def test_find(self, cluster: Cluster) -> None:
        assert cluster.find("ServingRuntime", "own", "other") is cluster.runtimes[3]
        assert cluster.find("ServingRuntime", "own") is None
        assert cluster.find("ClusterServingRuntime", "r") is cluster.runtimes[0]
        assert cluster.find("Deployment", "web") is None


class TestLookup:
    """Rule 1: a BaseModel in the namespace first, then a ClusterBaseModel."""

    def test_model(self, cluster: Cluster) -> None:
        assert cluster.model("m", "default").kind == "BaseModel"
        assert cluster.model("m", "other").kind == "ClusterBaseModel"
        with pytest.raises(NotFoundError, match=r'^clusterbasemodels\.ome.io "x" not found$'):
            cluster.model("x", "default")

    @pytest.mark.parametrize(
        ("name", "namespace", "hint"),
        [
            ("svc", "other", "there is one in the namespace default"),
            ("svcs", "default", "did you mean svc?"),
            ("zzz", "default", ""),
        ],
    )
    def test_hints(self, cluster: Cluster, name: str, namespace: str, hint: str) -> None:
        with pytest.raises(NotFoundError) as caught:
            cluster.service(name, namespace)
        assert caught.value.hint == hint

    def test_service(self, cluster: Cluster) -> None:
        assert cluster.service("svc", "default").name == "svc"
        with pytest.raises(NotFoundError, match=r'^inferenceservices\.ome.io "svc" not found$'):
            cluster.service("svc", "other")


class TestDuplicates:
    """Two objects of one identity are refused, and both places are named."""

    def test_both_places_are_named(self) -> None:
        first, second = (csr("r", origin=Origin(file="a.yaml", line=line)) for line in (3, 9))
        with pytest.raises(InvalidObjectError) as caught:
            Cluster([first, second])
        (problem,) = caught.value.problems
        assert problem == duplicate(first, second)
        assert problem.severity == "error"
        assert problem.object == "ClusterServingRuntime/r"
        assert problem.message == "is there twice: at a.yaml:3 and at a.yaml:9"
        assert problem.advice == "keep one of the two, or give one another name"
        assert problem.origin == second.origin

    def test_without_a_place(self) -> None:
        text = r"^ServingRuntime/default/r: is there twice \(keep one of the two, or give one another name\)$"
        with pytest.raises(InvalidObjectError, match=text):
            Cluster([sr("r"), sr("r")])

    def test_all_are_told(self) -> None:
        with pytest.raises(InvalidObjectError) as caught:
            Cluster([csr("a"), csr("a"), csr("b"), csr("b"), csr("b")])
        assert [problem.object[-1] for problem in caught.value.problems] == ["a", "b", "b"]

    def test_other_kinds_and_namespaces_may_share_a_name(self) -> None:
        assert (
            len(Cluster([csr("x"), sr("x"), sr("x", namespace="other"), model(name="x"), base_model("x", name="x")]))
            == 5
        )


class TestFromObjects:
    """Objects as a cluster holds them: what only an API server refuses is kept."""

    def test_values_that_only_an_api_server_refuses(self) -> None:
        spec = {"supportedModelFormats": [{"modelFormat": {"name": "x", "weight": 0}, "priority": 0}]}
        (runtime,) = Cluster.from_objects([manifest("ClusterServingRuntime", "r", spec)]).runtimes
        (written,) = runtime.supported_model_formats
        assert written.priority == 0
        assert written.model_format is not None
        assert written.model_format.weight == 0

    def test_other_kinds_are_passed_over_and_named(self) -> None:
        deployment = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}}
        cluster = Cluster.from_objects([deployment, manifest("ClusterServingRuntime", "r")])
        assert len(cluster) == 1
        assert cluster.skipped == ("Deployment/web",)

    def test_all_faults_of_all_objects_are_told_at_once(self) -> None:
        spec = {"supportedModelFormats": [{"modelFormat": {"name": "x"}, "priority": "2"}], "disabled": "no"}
        with pytest.raises(InvalidObjectError) as caught:
            Cluster.from_objects([manifest("ClusterServingRuntime", "r", spec), manifest("BaseModel", "")])
        lines = str(caught.value).splitlines()
        assert len(lines) == 3
        assert "spec.supportedModelFormats[0].priority" in lines[0]
        assert '"2"' in lines[0]
        assert "spec.disabled" in lines[1]
        assert "metadata.name" in lines[2]

    def test_duplicates(self) -> None:
        with pytest.raises(InvalidObjectError, match=r"^ClusterBaseModel/m: is there twice"):
            Cluster.from_objects([manifest("ClusterBaseModel", "m")] * 2)


class TestGet:
    """An object is named as KIND/NAME or KIND/NAMESPACE/NAME."""

    @pytest.mark.parametrize(
        ("reference", "found"),
        [
            ("ClusterServingRuntime/r", ("ClusterServingRuntime", None, "r")),
            ("ServingRuntime/own", ("ServingRuntime", "other", "own")),
            ("ServingRuntime/default/r", ("ServingRuntime", "default", "r")),
            ("ServingRuntime/other/r", ("ServingRuntime", "other", "r")),
            ("AcceleratorClass/h100", ("AcceleratorClass", None, "h100")),
        ],
    )
    def test_found(self, cluster: Cluster, reference: str, found: tuple[str, str | None, str]) -> None:
        assert identity(cluster.get(reference)) == found

    @pytest.mark.parametrize(
        ("reference", "text"),
        [
            ("r", '"r" names no object: write KIND/NAME or KIND/NAMESPACE/NAME'),
            ("", '"" names no object: write KIND/NAME or KIND/NAMESPACE/NAME'),
            ("/r", '"/r" names no object: write KIND/NAME or KIND/NAMESPACE/NAME'),
            ("A/b/c/d", '"A/b/c/d" names no object: write KIND/NAME or KIND/NAMESPACE/NAME'),
            ("ServingRuntime/x", 'no ServingRuntime named "x"; there is own, r, r'),
            ("ServingRuntime/default/own", 'no ServingRuntime named "own"; there is own, r, r'),
            ("Deployment/web", 'no Deployment named "web"'),
            ("ServingRuntime/r", 'ServingRuntime "r" is in several namespaces: write ServingRuntime/NAMESPACE/r'),
        ],
    )
    def test_not_found(self, cluster: Cluster, reference: str, text: str) -> None:
        with pytest.raises(UsageError) as caught:
            cluster.get(reference)
        assert str(caught.value) == text

    def test_only_ten_names_are_told(self) -> None:
        with pytest.raises(UsageError, match=r"there is r0, r1, r10, r11, r2, r3, r4, r5, r6, r7$"):
            Cluster(csr(f"r{number}") for number in range(12)).get("ClusterServingRuntime/x")


class TestChanges:
    """A change makes a new cluster; the old one stays as it is."""

    def test_without(self, cluster: Cluster) -> None:
        left = cluster.without("ServingRuntime/default/r", "AcceleratorClass/h100")
        assert (len(left), len(cluster)) == (6, 8)
        assert left.find("ServingRuntime", "r", "default") is None
        assert left.skipped == cluster.skipped
        with pytest.raises(UsageError):
            cluster.without("ServingRuntime/x")

    def test_with_resources(self, cluster: Cluster) -> None:
        changed = cluster.with_resources(sr("r", disabled=True), csr("new"))
        assert (len(changed), len(cluster)) == (9, 8)
        assert changed.runtimes[1].disabled
        assert not cluster.runtimes[1].disabled
        assert changed.skipped == cluster.skipped

    def test_with_objects(self, cluster: Cluster) -> None:
        changed = cluster.with_objects(manifest("ServingRuntime", "r", {"disabled": True}, namespace="default"))
        assert len(changed) == 8
        assert changed.runtimes[1].disabled
        with pytest.raises(InvalidObjectError):
            cluster.with_objects(manifest("ServingRuntime", "r", {"disabled": "yes"}))

    def test_replace_fields_of_the_object(self, cluster: Cluster) -> None:
        changed = cluster.replace("ClusterBaseModel/m", model_parameter_size="3B")
        assert changed.model("m", "other").model_parameter_size == "3B"
        assert cluster.model("m", "other").model_parameter_size is None
        assert changed.skipped == cluster.skipped

    def test_replace_fields_of_every_entry(self, cluster: Cluster) -> None:
        changed = cluster.replace("ClusterServingRuntime/r", priority=7, disabled=True)
        (runtime,) = (runtime for runtime in changed.runtimes if runtime.is_cluster)
        assert [written.priority for written in runtime.supported_model_formats] == [7, 7]
        assert runtime.disabled

    @pytest.mark.parametrize(
        ("reference", "changes", "unknown"),
        [
            ("ClusterServingRuntime/r", {"prioritty": 1, "priority": 2}, "prioritty"),
            ("ClusterServingRuntime/r", {"b": 1, "a": 2}, "a, b"),
            ("ClusterBaseModel/m", {"priority": 1}, "priority"),
            ("ClusterBaseModel/m", {"priority": 1, "weight": 1}, "priority, weight"),
        ],
    )
    def test_fields_that_do_not_exist(
        self, cluster: Cluster, reference: str, changes: dict[str, int], unknown: str
    ) -> None:
        with pytest.raises(UsageError) as caught:
            cluster.replace(reference, **changes)
        assert str(caught.value) == f"{reference} has no field {unknown}"
