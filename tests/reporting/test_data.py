"""The whole record as plain data, as YAML and as a DataFrame."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import ome_select as ome
from ome_select.reading.nodes import compose
from ome_select.reporting.data import to_data, to_yaml
from ome_select.reporting.schema import DECISION_SCHEMA, schema_text

ROOT = Path(__file__).parent.parent.parent
FIXTURES = ROOT / "fixtures"


@pytest.fixture(scope="module")
def decisions() -> list[ome.Decision]:
    scoring = ome.load(FIXTURES / "scoring")
    catalog = ome.load(FIXTURES / "catalog")
    found = [ome.explain(scoring, model="llama-3-2-3b-instruct", namespace="llama-demo")]
    found += [ome.explain(catalog, model=model.name) for model in catalog.models[:5]]
    service = ome.load(FIXTURES / "accelerator")
    return [*found, ome.explain(service, isvc=service.services[0].name, namespace=service.services[0].namespace)]


def test_every_record_has_the_documented_shape(decisions: list[ome.Decision]) -> None:
    jsonschema.Draft202012Validator.check_schema(DECISION_SCHEMA)
    for decision in decisions:
        jsonschema.validate(json.loads(json.dumps(to_data(decision))), DECISION_SCHEMA)


def test_the_schema_names_every_field(decisions: list[ome.Decision]) -> None:
    data = to_data(decisions[0])
    assert data.keys() == DECISION_SCHEMA["properties"].keys()
    assert data["rows"][0].keys() == DECISION_SCHEMA["properties"]["rows"]["items"]["properties"].keys()
    assert data["model"].keys() == DECISION_SCHEMA["properties"]["model"]["properties"].keys()


def test_the_schema_s_file_is_up_to_date() -> None:
    written = (ROOT / "docs" / "decision-schema.json").read_text(encoding="utf-8")
    assert written == schema_text(), "run: python -m ome_select.reporting.schema > docs/decision-schema.json"


def test_checks_that_were_not_evaluated_are_there(decisions: list[ome.Decision]) -> None:
    rows = [row for decision in decisions for row in to_data(decision)["rows"]]
    assert {len(row["checks"]) for row in rows} == {7}
    assert {check["status"] for row in rows for check in row["checks"]} == {"passed", "failed", "not evaluated"}


def test_a_size_without_bounds_is_a_text() -> None:
    objects = [
        {"apiVersion": "ome.io/v1beta1", "kind": kind, "metadata": {"name": "a"}, "spec": spec}
        for kind, spec in (
            ("ClusterBaseModel", {"modelFormat": {"name": "x"}, "modelParameterSize": "1B"}),
            (
                "ClusterServingRuntime",
                {
                    "supportedModelFormats": [{"modelFormat": {"name": "x"}, "autoSelect": True}],
                    "modelSizeRange": {"min": "0B", "max": "infinity"},
                },
            ),
        )
    ]
    data = to_data(ome.explain(ome.Cluster.from_objects(objects), model="a"))
    assert data["rows"][0]["distance"] == "+Inf"
    json.dumps(data, allow_nan=False)


def test_yaml_reads_back_as_it_is(decisions: list[ome.Decision]) -> None:
    for decision in decisions:
        data = to_data(decision)
        root, _ = compose(to_yaml(data))
        assert root is not None
        assert root.value == data


@pytest.mark.parametrize("text", ["y", "017", "1e3", "1.0", "null", "~", "22:22", "a: b", "\x1b[31m", "é", "0o17", ""])
def test_yaml_quotes_what_kubectl_would_take_for_something_else(text: str) -> None:
    root, _ = compose(to_yaml({"text": text}))
    assert root is not None
    assert root.value == {"text": text}


def test_the_frame(decisions: list[ome.Decision]) -> None:
    pandas = pytest.importorskip("pandas")
    frame = decisions[0].to_frame()
    assert list(frame.columns) == [
        "runtime", "scope", "compatible", "priority", "weight", "score", "distance", "decided_by", "reason",
    ]  # fmt: skip
    assert list(frame["runtime"]) == [row.name for row in decisions[0].rows]
    assert frame["score"].dtype == pandas.Int64Dtype()
    assert frame.loc[0, "decided_by"] == "scope"
    assert len(decisions[1].to_frame()) == 203
