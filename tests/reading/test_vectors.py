"""kubectl's recorded answers: the same objects, the same values, and an error where kubectl has one."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

import ome_select as ome
from ome_select.reading.nodes import compose
from ome_select.reading.values import UnusualError, value_of

VECTORS = Path(__file__).parent.parent / "vectors"
HEAD = "apiVersion: ome.io/v1beta1\nkind: ClusterServingRuntime\nmetadata:\n  name: a\nspec:\n"


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (VECTORS / name).read_text(encoding="utf-8").splitlines()]


SCALARS = lines("yaml-scalars.jsonl")
DOCUMENTS = lines("yaml-documents.jsonl")


def test_the_vectors_are_there() -> None:
    assert len(SCALARS) == 90
    assert len(DOCUMENTS) == 22


@pytest.mark.parametrize("case", SCALARS, ids=[case["scalar"] for case in SCALARS])
def test_scalars(case: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "scalar.yaml"
    file.write_text(f"{HEAD}  v: {case['scalar']}\n", encoding="utf-8")
    reading = ome.read(file)
    if "error" in case:
        assert reading.objects == []
        [problem] = reading.problems
        assert problem.severity == "error"
        assert problem.advice
        assert problem.origin is not None
        assert problem.origin.file == str(file)
        assert problem.origin.line >= 5
        return
    [value] = reading.objects
    # The types count, too: 1 is neither 1.0 nor true.
    assert json.dumps(value["spec"]["v"]) == json.dumps(case["json"])


@pytest.mark.parametrize("case", DOCUMENTS, ids=[case["case"] for case in DOCUMENTS])
def test_documents(case: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "document.yaml"
    file.write_bytes(base64.b64decode(case["base64"]) if "base64" in case else case["text"].encode())
    reading = ome.read(file)
    assert [value["metadata"]["name"] for value in reading.objects] == case["names"]
    assert [value.get("spec") for value in reading.objects] == case.get("spec", [])
    read_errors = [problem for problem in reading.problems if problem.severity == "error"]
    assert bool(read_errors) == ("error" in case)
    for problem in read_errors:
        assert problem.advice
        assert problem.origin is not None


@pytest.mark.parametrize("case", SCALARS, ids=[case["scalar"] for case in SCALARS])
def test_the_fast_way_gives_what_the_thorough_way_gives(case: dict[str, Any]) -> None:
    text = f"{HEAD}  v: {case['scalar']}\n"
    try:
        value, at_end = value_of(text)
    except UnusualError:
        return
    root, thorough_at_end = compose(text)
    assert root is not None
    assert json.dumps(value) == json.dumps(root.value)
    assert at_end == thorough_at_end
