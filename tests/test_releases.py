"""Where v1.2.2 differs from v1.3 (docs/rules.md, section 20): every row that files can show."""

import pytest

import ome_select as ome
from ome_select.errors import NotStatedError
from ome_select.releases import check_release
from tests.manifests import MODE, NAMESPACE, cluster, csr, entry, isvc, model, sr

V12, V13 = "v1.2.2", "v1.3"
BOTH = (csr("rt", supportedModelFormats=[entry()]), sr("rt", disabled=True))


def explain(*objects, release, **target):
    return ome.explain(cluster(*objects), namespace=NAMESPACE, release=release, **(target or {"model": "llama"}))


class TestNames:
    def test_known(self):
        assert check_release("v1.2.2") == "v1.2.2"

    @pytest.mark.parametrize("release", ["1.3", "v1.4", ""])
    def test_unknown(self, release):
        with pytest.raises(ome.UsageError, match=r"write one of: v1\.3, v1\.2\.2"):
            ome.Selector(cluster(), release=release)


class TestSizeRanges:
    """Rules 7 and 20: v1.2.2 breaks on a range of one bound; what comes of it is not known."""

    sized = model(modelParameterSize="3.21B")

    @pytest.mark.parametrize(("bounds", "shown"), [({"min": "1B"}, "[1B, inf)"), ({"max": "1B"}, "(-inf, 1B]")])
    def test_one_bound(self, bounds, shown):
        runtime = csr("rt", supportedModelFormats=[entry()], modelSizeRange=bounds)
        for ask in (ome.explain, ome.select):
            with pytest.raises(NotStatedError, match=r"ClusterServingRuntime rt: .* set both bounds"):
                ask(cluster(self.sized, runtime), model="llama", release=V12)
        assert explain(self.sized, runtime, release=V13).rows[0].compatible is (shown == "[1B, inf)")

    def test_both_bounds(self):
        runtime = csr("rt", supportedModelFormats=[entry()], modelSizeRange={"min": "1B", "max": "4B"})
        assert explain(self.sized, runtime, release=V12).selected == "rt"

    @pytest.mark.parametrize(
        ("runtime", "made"),
        [
            (csr("rt", supportedModelFormats=[entry("gguf")], modelSizeRange={"min": "1B"}), sized),
            (csr("rt", disabled=True, supportedModelFormats=[entry()], modelSizeRange={"min": "1B"}), sized),
            (csr("rt", supportedModelFormats=[entry()], modelSizeRange={"min": "1B"}), model()),
            (csr("rt", supportedModelFormats=[entry()], modelSizeRange={}), sized),
        ],
    )
    def test_a_range_that_is_not_reached_does_no_harm(self, runtime, made):
        other = csr("other", supportedModelFormats=[entry()])
        assert explain(made, runtime, other, release=V12).selected is not None


class TestModes:
    """OMENative is new in v1.3; MultiNodeRayVLLM is a mode in v1.2.2 only."""

    @pytest.mark.parametrize(
        ("mode", "release", "passes"),
        [
            ("OMENative", V13, False),
            ("OMENative", V12, True),
            ("MultiNodeRayVLLM", V13, True),
            ("MultiNodeRayVLLM", V12, False),
            ("MultiNode", V12, False),
            ("MultiNode", V13, False),
        ],
    )
    @pytest.mark.parametrize("component", ["engine", "decoder"])
    def test_table(self, component, mode, release, passes):
        runtime = csr("rt", supportedModelFormats=[entry()], **{f"{component}Config": {"annotations": {MODE: mode}}})
        service = isvc(**({"engine": {}} | {component: {"annotations": {MODE: "RawDeployment"}}}))
        decision = explain(model(), runtime, service, release=release, isvc="chat")
        assert (decision.selected == "rt") is passes

    def test_leader_and_worker(self):
        service = isvc(engine={"leader": {}, "worker": {}}, runtime="rt")
        there = cluster(model(), csr("rt", supportedModelFormats=[entry()]))
        modes = [ome.after_admission(there, service, release=release).modes[0].mode for release in (V13, V12)]
        assert modes == ["OMENative", "MultiNode"]


class TestNamedRuntimes:
    def test_the_kind_is_ignored_in_v122(self):
        there = cluster(model(), *BOTH)
        assert ome.after_admission(there, isvc(runtime="rt"), release=V13).runtime.kind == "ClusterServingRuntime"
        events = ome.after_admission(there, isvc(runtime="rt"), release=V12).events
        assert events[0].message == ("Runtime rt does not support model llama: namespace-scoped runtime rt is disabled")

    def test_the_webhook_checks_them_since_v13(self):
        there = cluster(model())
        assert not ome.admit(there, isvc(runtime="gone"), release=V13).allowed
        assert ome.admit(there, isvc(runtime="gone"), release=V12).allowed

    def test_a_missing_one_shows_differently(self):
        there = cluster(model())
        new, old = (ome.after_admission(there, isvc(runtime="gone"), release=release) for release in (V13, V12))
        assert [event.reason for event in new.events] == ["RuntimeNotFound"]
        assert new.condition("RuntimeReady").reason == "RuntimeNotFound"
        assert [event.reason for event in old.events] == ["RuntimeValidationError"]
        assert old.conditions == ()

    def test_a_pinned_one_too(self):
        there = cluster(model())
        service = isvc(runtime={"name": "gone", "autoSync": False})
        new, old = (ome.after_admission(there, service, release=release) for release in (V13, V12))
        assert new.condition("RuntimeDrifted").reason == "SourceRuntimeMissing"
        assert [event.reason for event in old.events] == ["RuntimePinError"]


class TestTheRest:
    def test_spec_model_is_optional_since_v13(self):
        there = cluster(csr("rt"))
        assert ome.admit(there, isvc(model=None, runtime="rt"), release=V13).allowed
        with pytest.raises(NotStatedError, match=r"add spec\.model"):
            ome.admit(there, isvc(model=None, runtime="rt"), release=V12)

    def test_runtime_resolved_is_new(self):
        there = cluster(model(), csr("rt", supportedModelFormats=[entry()]))
        new, old = (
            ome.after_admission(there, isvc(), release=release, had_runtime_ready=True) for release in (V13, V12)
        )
        assert new.condition("RuntimeReady").reason == "RuntimeResolved"
        assert old.conditions == ()

    def test_inheritance_is_new(self):
        there = cluster(csr("rt", parent="gone"))
        assert ome.effective(there, "ClusterServingRuntime/rt", release=V12).name == "rt"
        assert ome.admit(there, csr("rt", parent="gone"), release=V12).allowed
        assert not ome.admit(there, csr("rt", parent="gone"), release=V13).allowed

    def test_profiles_are_new(self):
        profile = csr("rt", annotations={"ome.io/runtime-profile": "true"})
        assert [ome.admit(cluster(), profile, release=release).allowed for release in (V13, V12)] == [False, True]

    def test_distribution_is_new(self):
        objects = (model(distribution="Sharded"), csr("rt", supportedModelFormats=[entry()]))
        assert explain(*objects, release=V12).selected == "rt"
        assert explain(*objects, release=V13).selected is None

    def test_the_runtime_webhooks_checks(self):
        runtime = csr("rt", engineConfig={"annotations": {MODE: "RawDeployment"}, "leader": {}})
        assert [ome.admit(cluster(), runtime, release=release).allowed for release in (V13, V12)] == [True, False]

    def test_same_name_priorities(self):
        runtime = csr("rt", supportedModelFormats=[entry(priority=1), entry(priority=2)])
        assert [ome.admit(cluster(), runtime, release=release).allowed for release in (V13, V12)] == [False, True]

    def test_the_success_warning_is_gone(self):
        there = cluster(model(), csr("rt", supportedModelFormats=[entry()]))
        new, old = (ome.admit(there, isvc(runtime="rt"), release=release) for release in (V13, V12))
        assert (new.warnings, new.notes) == ((), ())
        assert "Runtime rt is valid for model llama" in old.notes[0]

    def test_explain_is_a_command_since_v13(self):
        objects = (model(), csr("rt", supportedModelFormats=[entry()]), isvc(runtime="rt"))
        assert explain(*objects, release=V13).release_note is None
        assert explain(*objects, release=V12).release_note == (
            "Note: kubectl ome runtime explain exists since v1.3; this is what v1.2.2 would choose, in its form."
        )
