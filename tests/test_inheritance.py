"""The merged spec of a runtime with parents, and the errors of a broken chain."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ome_select as ome
from ome_select.errors import InheritanceError
from ome_select.inheritance import inheritance_chain, inheritance_status, merge, profile_fault
from ome_select.resources import (
    Component,
    ModelSizeRange,
    PodGroup,
    ServingRuntime,
    SupportedModelFormat,
    VersionedName,
)

NAMESPACE = "llama-demo"


def runtime(name, *, parent=None, namespace=None, annotations=None, **spec):
    metadata = {"name": name, "annotations": {**(annotations or {})}}
    if parent is not None:
        metadata["annotations"]["ome.io/inherit-from"] = parent
    if namespace:
        metadata["namespace"] = namespace
    kind = "ServingRuntime" if namespace else "ClusterServingRuntime"
    return {"apiVersion": "ome.io/v1beta1", "kind": kind, "metadata": metadata, "spec": spec}


def entry(format_name="safetensors", **fields):
    return {"modelFormat": {"name": format_name}, **fields}


def chain_of(*names):
    """A cluster in which each name's parent is the next one; the last has none unless the list closes a loop."""
    parents = dict(pairwise(names))
    return ome.Cluster.from_objects(runtime(name, parent=parents.get(name)) for name in dict.fromkeys(names))


def merged(*objects, name="child"):
    return ome.effective(ome.Cluster.from_objects(objects), f"ClusterServingRuntime/{name}")


class TestChain:
    """Rules 12.1 to 12.3: which runtimes a chain has."""

    def test_without_a_parent_the_chain_is_the_runtime_itself(self):
        cluster = chain_of("a")
        assert inheritance_status(cluster, "ClusterServingRuntime/a").chain == ("a",)

    def test_an_empty_annotation_names_no_parent(self):
        cluster = ome.Cluster.from_objects([runtime("a", parent="")])
        assert [link.name for link in inheritance_chain(cluster, cluster.runtimes[0])] == ["a"]

    def test_five_runtimes_are_fine(self):
        status = inheritance_status(chain_of("a", "b", "c", "d", "e"), "ClusterServingRuntime/a")
        assert status.ready
        assert status.reason == "Resolved"
        assert status.chain == ("e", "d", "c", "b", "a")
        assert inheritance_status(chain_of("a", "b"), chain_of("a", "b").runtimes[0]).chain == ("b", "a")

    def test_the_status_lists_the_root_first(self):
        cluster = ome.Cluster.from_objects(
            [
                runtime("sglang-profile", annotations={"ome.io/runtime-profile": "true"}, disabled=True),
                runtime("sglang-llama-3-2-3b", parent="sglang-profile", namespace=NAMESPACE, disabled=False),
            ]
        )
        status = inheritance_status(cluster, f"ServingRuntime/{NAMESPACE}/sglang-llama-3-2-3b")
        assert ",".join(status.chain) == "sglang-profile,sglang-llama-3-2-3b"

    def test_metadata_is_not_inherited(self):
        cluster = ome.Cluster.from_objects(
            [
                runtime("profile", annotations={"ome.io/runtime-profile": "true", "team": "a"}, disabled=True),
                runtime("child", parent="profile"),
            ]
        )
        assert dict(ome.effective(cluster, "ClusterServingRuntime/child").annotations) == {
            "ome.io/inherit-from": "profile"
        }


class TestScope:
    """Rule 12.2: where each parent is looked up."""

    both = (
        runtime("parent", protocolVersions=["cluster"]),
        runtime("parent", namespace=NAMESPACE, protocolVersions=["namespace"]),
        runtime("parent", namespace="elsewhere", protocolVersions=["elsewhere"]),
    )

    def test_a_serving_runtime_looks_in_its_namespace_first(self):
        cluster = ome.Cluster.from_objects([*self.both, runtime("child", parent="parent", namespace=NAMESPACE)])
        assert ome.effective(cluster, "ServingRuntime/child").protocol_versions == ("namespace",)

    def test_and_in_the_cluster_then(self):
        cluster = ome.Cluster.from_objects([self.both[0], runtime("child", parent="parent", namespace=NAMESPACE)])
        assert ome.effective(cluster, "ServingRuntime/child").protocol_versions == ("cluster",)

    def test_a_cluster_serving_runtime_looks_in_the_cluster_only(self):
        cluster = ome.Cluster.from_objects([*self.both, runtime("child", parent="parent")])
        assert ome.effective(cluster, "ClusterServingRuntime/child").protocol_versions == ("cluster",)
        with pytest.raises(InheritanceError):
            ome.effective(cluster.without("ClusterServingRuntime/parent"), "ClusterServingRuntime/child")

    def test_every_hop_of_a_serving_runtime_looks_in_its_namespace_first(self):
        """Also the hop after one that landed on a ClusterServingRuntime."""
        cluster = ome.Cluster.from_objects(
            [
                *self.both,
                runtime("middle", parent="parent"),
                runtime("child", parent="middle", namespace=NAMESPACE),
            ]
        )
        assert ome.effective(cluster, "ServingRuntime/child").protocol_versions == ("namespace",)

    def test_another_namespace_counts_for_nothing(self):
        cluster = ome.Cluster.from_objects([self.both[2], runtime("child", parent="parent", namespace=NAMESPACE)])
        with pytest.raises(InheritanceError, match="not found"):
            ome.effective(cluster, "ServingRuntime/child")


class TestErrors:
    """Rule 12.3: the errors of a chain, to the letter, and the reason of `InheritanceReady`."""

    @pytest.mark.parametrize(
        ("cluster", "start", "text", "reason"),
        [
            (
                ome.Cluster.from_objects(
                    [runtime("sglang-llama-3-2-3b", parent="sglang-profile", namespace=NAMESPACE)]
                ),
                "ServingRuntime/sglang-llama-3-2-3b",
                'inherit-from parent "sglang-profile" not found (chain so far: [sglang-llama-3-2-3b])',
                "ParentNotFound",
            ),
            (
                ome.Cluster.from_objects([runtime("a", parent="b"), runtime("b", parent="c")]),
                "ClusterServingRuntime/a",
                'inherit-from parent "c" not found (chain so far: [a b])',
                "ParentNotFound",
            ),
            (
                chain_of("sglang-llama-3-2-3b", "sglang-llama-3-2-3b"),
                "ClusterServingRuntime/sglang-llama-3-2-3b",
                "inheritance cycle detected: [sglang-llama-3-2-3b sglang-llama-3-2-3b]",
                "InheritanceCycle",
            ),
            (
                chain_of("a", "b", "c", "a"),
                "ClusterServingRuntime/a",
                "inheritance cycle detected: [a b c a]",
                "InheritanceCycle",
            ),
            (  # A ServingRuntime whose parent is the ClusterServingRuntime of its own name.
                ome.Cluster.from_objects([runtime("a", parent="a", namespace=NAMESPACE), runtime("a")]),
                "ServingRuntime/a",
                "inheritance cycle detected: [a a]",
                "InheritanceCycle",
            ),
            (
                chain_of("self", "a", "b", "c", "d", "e"),
                "ClusterServingRuntime/self",
                "inheritance chain exceeds max depth 5 (chain: [self a b c d])",
                "MaxDepthExceeded",
            ),
            (  # A loop that would close with the sixth runtime is too deep before it is a loop.
                chain_of("a", "b", "c", "d", "e", "a"),
                "ClusterServingRuntime/a",
                "inheritance chain exceeds max depth 5 (chain: [a b c d e])",
                "MaxDepthExceeded",
            ),
            (
                chain_of("a", "b", "c", "d", "a"),
                "ClusterServingRuntime/a",
                "inheritance cycle detected: [a b c d a]",
                "InheritanceCycle",
            ),
        ],
    )
    def test_table(self, cluster, start, text, reason):
        with pytest.raises(InheritanceError) as caught:
            ome.effective(cluster, start)
        assert str(caught.value) == text
        status = inheritance_status(cluster, start)
        assert not status.ready
        assert (status.reason, status.message) == (reason, text)

    def test_whatever_else_goes_wrong_is_a_resolver_error(self):
        assert InheritanceError("anything else", ["x"]).reason == "ResolverError"

    @pytest.mark.parametrize(("disabled", "fault"), [(True, False), (False, True), (None, True)])
    def test_a_profile_must_be_disabled_by_its_own_spec(self, disabled, fault):
        profile = runtime("p", annotations={"ome.io/runtime-profile": "true"}, disabled=disabled)
        text = 'runtimes carrying ome.io/runtime-profile="true" must also set spec.disabled: true'
        assert profile_fault(ome.Cluster.from_objects([profile]).runtimes[0]) == (text if fault else None)

    def test_another_value_marks_no_profile(self):
        unmarked = runtime("p", annotations={"ome.io/runtime-profile": "True"})
        assert profile_fault(ome.Cluster.from_objects([unmarked]).runtimes[0]) is None

    def test_a_name_alone_will_do_unless_both_kinds_have_it(self):
        both = ome.Cluster.from_objects([runtime("rt"), runtime("rt", namespace=NAMESPACE), runtime("other")])
        assert ome.effective(both, "other").name == "other"
        assert ome.effective(both, "rt").is_cluster
        with pytest.raises(ome.UsageError) as caught:
            ome.effective(both, "rt", namespace=NAMESPACE)
        assert str(caught.value) == (
            'runtime "rt" is ambiguous; pass --kind ServingRuntime or --kind ClusterServingRuntime: '
            'runtime target is ambiguous: "rt" matched 2 runtimes'
        )
        with pytest.raises(ome.UsageError, match='no ClusterServingRuntime named "gone"; there is other, rt'):
            inheritance_status(both, "gone")

    def test_what_is_no_runtime_has_no_merged_spec(self):
        model = {"apiVersion": "ome.io/v1beta1", "kind": "ClusterBaseModel", "metadata": {"name": "m"}, "spec": {}}
        with pytest.raises(ome.UsageError, match='"ClusterBaseModel/m" is no runtime'):
            ome.effective(ome.Cluster.from_objects([model]), "ClusterBaseModel/m")


class TestMerge:
    """Rule 12.4: the child is laid over the parent, and never removes."""

    @pytest.mark.parametrize(
        ("child", "result"), [({}, True), ({"disabled": False}, False), ({"disabled": None}, True)]
    )
    def test_disabled(self, child, result):
        assert merged(runtime("parent", disabled=True), runtime("child", parent="parent", **child)).disabled is result

    @pytest.mark.parametrize(
        ("parent", "child", "result"),
        [
            ({"min": "2B", "max": "4B"}, {"max": "8B"}, ("2B", "8B")),
            ({"min": "2B", "max": "4B"}, None, ("2B", "4B")),
            ({"min": "2B", "max": "4B"}, {}, ("2B", "4B")),
            ({"min": "2B", "max": "4B"}, {"min": "", "max": "8B"}, ("2B", "8B")),
            (None, {"max": "8B"}, (None, "8B")),
        ],
    )
    def test_size_range_by_field(self, parent, child, result):
        found = merged(
            runtime("parent", modelSizeRange=parent), runtime("child", parent="parent", modelSizeRange=child)
        )
        assert (found.model_size_range.min, found.model_size_range.max) == result

    @pytest.mark.parametrize(("child", "names"), [(None, ["a", "b"]), ([], ["a", "b"]), ([entry("c")], ["c"])])
    def test_formats_replace_as_a_whole(self, child, names):
        parent = runtime("parent", supportedModelFormats=[entry("a"), entry("b")])
        found = merged(parent, runtime("child", parent="parent", supportedModelFormats=child))
        assert [item.model_format.name for item in found.supported_model_formats] == names

    @pytest.mark.parametrize(("child", "classes"), [(None, ("h100", "h200")), ([], ("h100", "h200")), (["a"], ("a",))])
    def test_classes_replace_as_a_whole(self, child, classes):
        parent = runtime("parent", acceleratorRequirements={"acceleratorClasses": ["h100", "h200"]})
        requirements = {"acceleratorClasses": child, "minMemory": 80}
        found = merged(parent, runtime("child", parent="parent", acceleratorRequirements=requirements))
        assert found.accelerator_classes == classes

    def test_component_annotations_by_key(self):
        parent = runtime("parent", engineConfig={"annotations": {"ome.io/deploymentMode": "MultiNode", "a": "1"}})
        child = runtime("child", parent="parent", engineConfig={"annotations": {"a": "2", "b": "3"}})
        assert dict(merged(parent, child).engine.annotations) == {
            "ome.io/deploymentMode": "MultiNode",
            "a": "2",
            "b": "3",
        }

    def test_the_child_may_set_another_mode(self):
        parent = runtime("parent", decoderConfig={"annotations": {"ome.io/deploymentMode": "MultiNode"}})
        child = runtime("child", parent="parent", decoderConfig={"annotations": {"ome.io/deploymentMode": "OMENative"}})
        assert merged(parent, child).decoder.annotations["ome.io/deploymentMode"] == "OMENative"

    def test_components_merge_all_the_way_down(self):
        parent = runtime(
            "parent", engineConfig={"leader": {"runner": {"image": "old"}}, "worker": {"runner": {"image": "w"}}}
        )
        child = runtime(
            "child", parent="parent", engineConfig={"leader": {"runner": {"image": "new"}}, "minReplicas": 0}
        )
        found = merged(parent, child).engine
        assert (found.leader.runner_image, found.worker.runner_image, found.min_replicas) == ("new", "w", 0)

    def test_protocols_replace(self):
        parent, child = runtime("parent", protocolVersions=["openAI"]), runtime("child", parent="parent")
        assert merged(parent, child).protocol_versions == ("openAI",)

    def test_the_documented_profile_and_child(self):
        profile = runtime(
            "sglang-profile",
            annotations={"ome.io/runtime-profile": "true"},
            disabled=True,
            supportedModelFormats=[entry()],
            engineConfig={"runner": {"image": "sglang", "args": ["--old"]}},
        )
        child = runtime(
            "child",
            parent="sglang-profile",
            disabled=False,
            engineConfig={"runner": {"args": ["--tp-size=1", "--mem-frac=0.9"]}},
        )
        found = merged(profile, child)
        assert found.disabled is False
        assert found.engine.runner_image == "sglang"
        assert found.engine.runner_args == ("--tp-size=1", "--mem-frac=0.9")
        assert len(found.supported_model_formats) == 1

    def test_v122_knows_no_inheritance(self):
        cluster = ome.Cluster.from_objects(
            [runtime("parent", disabled=True), runtime("child", parent="parent", protocolVersions=["a"])]
        )
        child = cluster.get("ClusterServingRuntime/child")
        assert ome.effective(cluster, child, release="v1.2.2") == child
        assert ome.effective(cluster, child).disabled is True


texts = st.none() | st.sampled_from(["", "1B", "2B", "4B"])
names = st.lists(st.sampled_from(["a", "b", "c"]), max_size=3).map(tuple)
components = st.none() | st.builds(
    Component,
    annotations=st.dictionaries(st.sampled_from(["x", "y", "z"]), st.sampled_from(["1", "2"])),
    runner_image=texts,
    leader=st.none() | st.builds(PodGroup, runner_image=texts),
    has_deployment_strategy=st.booleans(),
    min_replicas=st.none() | st.integers(0, 2),
)
runtimes = st.builds(
    ServingRuntime,
    kind=st.just("ClusterServingRuntime"),
    name=st.sampled_from(["p", "q", "r"]),
    annotations=st.dictionaries(st.sampled_from(["m", "n"]), st.sampled_from(["1", "2"])),
    supported_model_formats=st.lists(
        st.builds(SupportedModelFormat, model_format=st.builds(VersionedName, name=st.sampled_from(["a", "b"]))),
        max_size=2,
    ).map(tuple),
    model_size_range=st.none() | st.builds(ModelSizeRange, min=texts, max=texts),
    disabled=st.none() | st.booleans(),
    accelerator_classes=names,
    protocol_versions=names,
    engine=components,
    decoder=components,
)
SPEC = ("supported_model_formats", "model_size_range", "disabled", "accelerator_classes", "protocol_versions")


def says(value):
    """Every leaf that a value sets, by its path: what `omitempty` would drop is not there."""
    if value is None or value in ("", (), {}) or value is False:
        return {}
    if isinstance(value, dict):
        return {(key,): item for key, item in value.items()}
    if hasattr(value, "__dataclass_fields__"):
        found = {}
        for name in value.__dataclass_fields__:
            if name not in ("kind", "name", "namespace", "origin") and not (
                isinstance(value, ServingRuntime) and name == "annotations"
            ):
                found |= {(name, *path): leaf for path, leaf in says(getattr(value, name)).items()}
        return found
    return {(): value}


class TestMergeProperties:
    """Rule 12.4, for whatever parents and children there may be."""

    @given(runtimes, runtimes)
    def test_a_child_never_removes(self, parent, child):
        assert says(parent).keys() - {("disabled",)} <= says(merge(parent, child)).keys()

    @given(runtimes, runtimes)
    def test_the_leaf_wins(self, parent, child):
        result = says(merge(parent, child))
        assert all(result[path] == leaf for path, leaf in says(child).items())
        if child.disabled is not None:
            assert merge(parent, child).disabled is child.disabled

    @given(runtimes, runtimes)
    def test_nothing_comes_from_anywhere_else(self, parent, child):
        for path, leaf in says(merge(parent, child)).items():
            assert leaf in (says(child).get(path), says(parent).get(path))

    @given(runtimes)
    def test_an_empty_child_keeps_everything_but_the_metadata(self, parent):
        child = ServingRuntime(kind="ServingRuntime", name="child", namespace="ns")
        kept = replace(parent, kind="ServingRuntime", name="child", namespace="ns", annotations={})
        assert merge(parent, child) == kept

    @given(runtimes)
    def test_over_an_empty_parent_the_child_is_itself(self, child):
        assert merge(ServingRuntime(kind="ClusterServingRuntime", name="parent"), child) == child

    @given(runtimes, runtimes, runtimes)
    def test_the_order_of_merging_does_not_matter(self, root, middle, leaf):
        assert merge(merge(root, middle), leaf) == merge(root, merge(middle, leaf))
