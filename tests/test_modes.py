"""The deployment mode of a component (docs/rules.md, sections 15, 18.4, 20 and 21)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ome_select.modes import component_mode
from ome_select.resources import Component, PodGroup
from tests.builders import MODE, component, csr, service

SHAPED = Component(leader=PodGroup())
WORKERS = Component(worker=PodGroup())


class TestOrder:
    """Rule 18.4: annotation of the component, spec, leader or worker, RawDeployment."""

    @pytest.mark.parametrize(
        ("declared", "provided", "spec", "expected"),
        [
            (component("OMENative"), component("MultiNode"), "RawDeployment", "OMENative (ComponentAnnotation)"),
            (component(), component("MultiNode"), "OMENative", "MultiNode (ComponentAnnotation)"),
            (component("VirtualDeployment"), None, None, "VirtualDeployment (ComponentAnnotation)"),
            (component("RawDeployment"), SHAPED, None, "RawDeployment (ComponentAnnotation)"),
            (SHAPED, None, "RawDeployment", "RawDeployment (ServiceSpec)"),
            (component(), None, "OMENative", "OMENative (ServiceSpec)"),
            # The spec may name only two modes.
            (component(), None, "MultiNode", "RawDeployment (Default)"),
            (SHAPED, None, "VirtualDeployment", "OMENative (LeaderWorkerShape)"),
            (SHAPED, None, None, "OMENative (LeaderWorkerShape)"),
            (component(), WORKERS, None, "OMENative (LeaderWorkerShape)"),
            (component(), component(), None, "RawDeployment (Default)"),
            (component(), None, None, "RawDeployment (Default)"),
            # Any other text is passed over; that of the service hides the runtime's, as annotations merge by key.
            (component("omenative"), None, "OMENative", "OMENative (ServiceSpec)"),
            (component("nope"), component("MultiNode"), None, "RawDeployment (Default)"),
            (component(), component("MultiNodeRayVLLM"), None, "RawDeployment (Default)"),
        ],
    )
    @pytest.mark.parametrize("name", ["engine", "decoder"])
    def test_table(self, name, declared, provided, spec, expected):
        asked = service(deployment_mode=spec, **{name: declared})
        runtime = csr("rt", **({name: provided} if provided else {}))
        assert str(component_mode(asked, runtime, name)) == expected

    def test_a_routers_shape_does_not_count(self):
        asked = service(engine=component("OMENative"), router=SHAPED)
        runtime = csr("rt", router=WORKERS)
        assert str(component_mode(asked, runtime, "engine")) == "OMENative (ComponentAnnotation)"
        assert str(component_mode(asked, runtime, "router")) == "RawDeployment (Default)"

    def test_the_services_annotation(self):
        """Only VirtualDeployment acts there, and on every component."""
        engine = component("OMENative")
        virtual = service(annotations={MODE: "VirtualDeployment"}, engine=engine, router=component())
        assert str(component_mode(virtual, None, "engine")) == "VirtualDeployment (ServiceAnnotation)"
        assert str(component_mode(virtual, None, "router")) == "VirtualDeployment (ServiceAnnotation)"
        other = service(annotations={MODE: "MultiNode"}, engine=component())
        assert str(component_mode(other, None, "engine")) == "RawDeployment (Default)"

    def test_a_component_that_is_not_declared(self):
        assert component_mode(service(), csr("rt", decoder=component("OMENative")), "decoder") is None


class TestOlderRelease:
    """Rule 20: v1.2.2 knows no OMENative, knows MultiNodeRayVLLM, and a leader or a worker means MultiNode."""

    @pytest.mark.parametrize(
        ("declared", "spec", "expected"),
        [
            (SHAPED, None, "MultiNode (LeaderWorkerShape)"),
            (component("MultiNodeRayVLLM"), None, "MultiNodeRayVLLM (ComponentAnnotation)"),
            (component("MultiNode"), None, "MultiNode (ComponentAnnotation)"),
            (component("OMENative"), "RawDeployment", "RawDeployment (ServiceSpec)"),
            (SHAPED, "OMENative", "MultiNode (LeaderWorkerShape)"),
        ],
    )
    def test_table(self, declared, spec, expected):
        asked = service(deployment_mode=spec, engine=declared)
        assert str(component_mode(asked, csr("rt"), "engine", release="v1.2.2")) == expected


texts = st.none() | st.sampled_from(["RawDeployment", "OMENative", "MultiNode", "VirtualDeployment", "x", ""])


@given(texts, texts, texts, st.sampled_from(["v1.3", "v1.2.2"]))
def test_a_mode_is_always_one_that_exists(own, provided, spec, release):
    asked = service(deployment_mode=spec, engine=component(own))
    found = component_mode(asked, csr("rt", engine=component(provided)), "engine", release=release)
    assert found is not None
    assert found.mode in {"RawDeployment", "OMENative", "MultiNode", "VirtualDeployment"}
