"""The catalog's manifests say what its tables say."""

from __future__ import annotations

import csv
import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

CATALOG = Path(__file__).parent.parent / "fixtures" / "catalog"


def load_make() -> ModuleType:
    """The generator is a script and not part of the package, so it is loaded by its path."""
    spec = importlib.util.spec_from_file_location("catalog_make", CATALOG / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def objects(name: str) -> list[dict[str, Any]]:
    """The documents of one manifest file."""
    return list(yaml.load_all((CATALOG / name).read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))


def rows(name: str) -> list[dict[str, str]]:
    """The rows of one table."""
    with (CATALOG / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


@pytest.mark.parametrize("name", ["runtimes.yaml", "models.yaml"])
def test_the_committed_file_is_what_the_tables_give(name: str) -> None:
    assert (CATALOG / name).read_text(encoding="utf-8") == load_make().files()[name]


def test_every_runtime_is_there_once() -> None:
    runtimes = objects("runtimes.yaml")
    assert {item["kind"] for item in runtimes} == {"ClusterServingRuntime"}
    assert len(runtimes) == 203
    assert len({item["metadata"]["name"] for item in runtimes}) == 203


def test_every_row_is_an_entry() -> None:
    entries = [
        (item["metadata"]["name"], entry)
        for item in objects("runtimes.yaml")
        for entry in item["spec"]["supportedModelFormats"]
    ]
    table = rows("runtimes.csv")
    assert [name for name, _ in entries] == [row["runtime"] for row in table]
    for (_, entry), row in zip(entries, table, strict=True):
        assert entry["modelFormat"]["version"] == row["format_version"]
        assert entry["modelFramework"]["version"] == row["framework_version"]
        assert entry.get("quantization", "") == row["quantization"]
        assert str(entry["autoSelect"]).lower() == row["auto_select"]
        assert str(entry["priority"]) == row["priority"]


def test_an_empty_size_is_no_range() -> None:
    ranges = {item["metadata"]["name"]: item["spec"].get("modelSizeRange") for item in objects("runtimes.yaml")}
    without = {row["runtime"] for row in rows("runtimes.csv") if not row["size_min"] and not row["size_max"]}
    assert without
    assert {name for name, value in ranges.items() if value is None} == without


def test_every_model_is_there_once_with_its_size() -> None:
    models = objects("models.yaml")
    assert {item["kind"] for item in models} == {"ClusterBaseModel"}
    assert len(models) == 117
    sizes = {item["metadata"]["name"]: item["spec"].get("modelParameterSize", "") for item in models}
    assert sizes == {row["model"]: row["parameter_size"] for row in rows("models.csv")}


def test_every_model_has_the_storage_that_the_api_requires() -> None:
    uris = [item["spec"]["storage"]["storageUri"] for item in objects("models.yaml")]
    assert all(uri.startswith("hf://") and uri.count("/") == 3 for uri in uris)


def test_a_cell_that_is_no_boolean_is_refused() -> None:
    with pytest.raises(KeyError):
        load_make().boolean("yes")
