"""The runtime that a service names: where it is found, and whether it declares support."""

import pytest

import ome_select as ome
from ome_select.errors import (
    InvalidModelError,
    ParentNotFoundError,
    RuntimeDisabledError,
    RuntimeMismatchError,
    RuntimeNotFoundError,
)
from ome_select.naming import enabled_runtime, find_runtime, require_support
from ome_select.resources import RuntimeRef
from tests.manifests import MODE, NAMESPACE, cluster, csr, entry, isvc, model, sr

BOTH, CLUSTER, NAMESPACED = (csr("rt"), sr("rt")), (csr("rt"),), (sr("rt"),)
ELSEWHERE = (sr("rt", namespace="elsewhere"),)


class TestLookup:
    """Rules 13 and 20: by `spec.runtime.kind`."""

    @pytest.mark.parametrize(
        ("there", "kind", "release", "found"),
        [
            (BOTH, "ClusterServingRuntime", "v1.3", "ClusterServingRuntime"),
            (CLUSTER, "ClusterServingRuntime", "v1.3", "ClusterServingRuntime"),
            (NAMESPACED, "ClusterServingRuntime", "v1.3", "ServingRuntime"),
            (BOTH, "ServingRuntime", "v1.3", "ServingRuntime"),
            (BOTH, "ClusterServingRuntime", "v1.2.2", "ServingRuntime"),
            (CLUSTER, "ServingRuntime", "v1.2.2", "ClusterServingRuntime"),
            (NAMESPACED, "Anything", "v1.2.2", "ServingRuntime"),
        ],
    )
    def test_table(self, there, kind, release, found):
        reference = RuntimeRef(name="rt", kind=kind)
        assert find_runtime(cluster(*there), reference, NAMESPACE, release=release).kind == found

    def test_an_unset_kind_is_the_clusters(self):
        """Rule 1: the API's default counts as set."""
        assert cluster(isvc(runtime="rt")).services[0].runtime.kind == "ClusterServingRuntime"

    @pytest.mark.parametrize(
        ("there", "kind", "text"),
        [
            (ELSEWHERE, "ClusterServingRuntime", "runtime rt not found in namespace llama-demo or at cluster scope"),
            (ELSEWHERE, "ServingRuntime", "ServingRuntime rt not found in namespace llama-demo"),
            (CLUSTER, "ServingRuntime", "ServingRuntime rt not found in namespace llama-demo"),
        ],
    )
    def test_missing(self, there, kind, text):
        with pytest.raises(RuntimeNotFoundError) as caught:
            find_runtime(cluster(*there), RuntimeRef(name="rt", kind=kind), NAMESPACE)
        assert str(caught.value) == text

    def test_a_kind_that_does_not_exist(self):
        with pytest.raises(ome.UsageError, match="write ServingRuntime or ClusterServingRuntime"):
            find_runtime(cluster(*BOTH), RuntimeRef(name="rt", kind="Runtime"), NAMESPACE)


class TestEnabled:
    """Rule 12.5: the merged spec counts."""

    @pytest.mark.parametrize(
        ("own", "parents", "usable"),
        [(None, None, True), (None, True, False), (False, True, True), (True, False, False), (True, None, False)],
    )
    def test_disabled(self, own, parents, usable):
        there = cluster(csr("rt", parent="parent", disabled=own), csr("parent", disabled=parents))
        if usable:
            assert enabled_runtime(there, RuntimeRef(name="rt"), NAMESPACE).name == "rt"
            return
        with pytest.raises(RuntimeDisabledError, match=r"^cluster-scoped runtime rt is disabled$"):
            enabled_runtime(there, RuntimeRef(name="rt"), NAMESPACE)

    def test_of_a_namespace(self):
        with pytest.raises(RuntimeDisabledError, match=r"^namespace-scoped runtime rt is disabled$"):
            enabled_runtime(cluster(sr("rt", disabled=True)), RuntimeRef(name="rt"), NAMESPACE)

    def test_a_broken_chain(self):
        broken = cluster(csr("rt", parent="gone", disabled=True))
        with pytest.raises(ParentNotFoundError):
            enabled_runtime(broken, RuntimeRef(name="rt"), NAMESPACE)
        # Rule 20: v1.2.2 knows no parents.
        with pytest.raises(RuntimeDisabledError):
            enabled_runtime(broken, RuntimeRef(name="rt"), NAMESPACE, release="v1.2.2")


class TestSupport:
    """Rule 13: the inner error names the model's format, or nothing where the check is not about the model."""

    def check(self, runtime, service, made=None):
        there = cluster(runtime, service, made or model())
        require_support(there.runtimes[0], there.models[0], there.services[0])

    def test_a_runtime_that_supports_the_model(self):
        self.check(csr("rt", supportedModelFormats=[entry(autoSelect=None)]), isvc())

    @pytest.mark.parametrize(
        ("runtime", "service", "made", "text"),
        [
            (
                csr("rt", supportedModelFormats=[entry("gguf")]),
                isvc(),
                model(),
                (
                    "runtime rt does not support model safetensors: model format 'mt:safetensors' not in supported "
                    "formats: format name mismatch (model=safetensors, runtime=gguf)"
                ),
            ),
            (
                csr("rt", supportedModelFormats=[entry()], modelSizeRange={"max": "2B"}),
                isvc(),
                model(modelParameterSize="3B"),
                "runtime rt does not support model safetensors: model size 3B is outside supported range (-inf, 2B]",
            ),
            (
                csr("rt", supportedModelFormats=[entry()]),
                isvc(annotations={"ome.io/accelerator-class": "h100"}),
                model(),
                "runtime rt does not support model : runtime does not support the required accelerator class",
            ),
            (
                csr("rt", supportedModelFormats=[entry()], engineConfig={"annotations": {MODE: "MultiNode"}}),
                isvc(deploymentMode="RawDeployment"),
                model(),
                (
                    "runtime rt does not support model : runtime engine deployment mode MultiNode does not match "
                    "requested engine deployment mode RawDeployment"
                ),
            ),
        ],
    )
    def test_mismatch(self, runtime, service, made, text):
        with pytest.raises(RuntimeMismatchError) as caught:
            self.check(runtime, service, made)
        assert str(caught.value) == text
        assert text.endswith(caught.value.reason)

    def test_a_model_without_a_format(self):
        with pytest.raises(InvalidModelError):
            self.check(csr("rt", supportedModelFormats=[entry()]), isvc(), model(format_name=None))
