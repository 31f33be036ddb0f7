"""What kubectl reads of generated scalars and documents, this reader reads, and it refuses what kubectl refuses."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ome_select as ome
from tests.reading import kubectl

pytestmark = pytest.mark.skipif(kubectl.KUBECTL is None, reason=kubectl.MISSING)

HEAD = "apiVersion: ome.io/v1beta1\nkind: ClusterServingRuntime\nmetadata:\n  name: a\nspec:\n"

ATOMS = [
    "0",
    "1",
    "7",
    "8",
    "9",
    "_",
    ".",
    "e",
    "E",
    "+",
    "-",
    "x",
    "o",
    "b",
    "0x",
    "0o",
    "0b",
    "y",
    "n",
    "true",
    "no",
    "on",
    "off",
    "null",
    "~",
    ".inf",
    ".nan",
    "inf",
    "a",
    "F",
    "'",
    '"',
    "''",
    ":",
    "#",
    "!",
    "&a",
    "*a",
    "[",
    "]",
    "{",
    "}",
    ",",
    "|",
    ">",
    "%",
    "@",
    "`",
    "?",
    "<<",
    "=",
    "\\",
    "/",
    "é",
    "日",
    "2024",
    "-01",
    "T10:00:00Z",
    "1e3",
    "1_0",
    "\\n",
    "\\x41",
    "\\/",
    "9223372036854775807",
    "18446744073709551616",
    "e400",
    " ",
    " #",
    "? ",
    ": ",
    "- ",
    "!!str ",
    "!!int ",
    "!!float ",
    "!!bool ",
    "!!binary ",
    "\t",
    "\n    ",
]

scalars = st.lists(st.sampled_from(ATOMS), min_size=1, max_size=7).map("".join)

simple = st.sampled_from(
    [
        "1",
        "a",
        "'b'",
        "1.5",
        "y",
        "~",
        "&x 1",
        "*x",
        "!!str 1",
        "&y [1]",
        "*y",
        "{a: 1}",
        "[1, 2]",
        "{<<: *z}",
        "&z {q: 1}",
        "{a: 1, a: 2}",
        "a b",
        "# c",
    ]
)
keys = st.sampled_from(["a", "b", "1", "y", "'k'", "<<", "~", "1.5", "&x k", "*x", "0x1"])
values = st.recursive(
    simple,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.lists(st.tuples(keys, inner), max_size=3).map(
            lambda pairs: "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"
        ),
    ),
    max_leaves=6,
)
documents = st.lists(st.tuples(st.sampled_from("abcd"), values), min_size=1, max_size=4).map(
    lambda pairs: "".join(f"  {key}: {value}\n" for key, value in pairs)
)

OBJECT = HEAD + "  v: 1\n"
PIECES = [
    OBJECT,
    OBJECT.replace("name: a", "name: b"),
    "---\n",
    "--- \n",
    "--- # c\n",
    "...\n",
    "\n",
    "# c\n",
    "null\n",
    "{}\n",
    "--- x\n",
    "----\n",
    "%YAML 1.1\n",
    " ---\n",
    "---\r\n",
    OBJECT.replace("\n", "\r\n"),
    "a: [\n",
    "text\n",
    "- l\n",
    "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: X\n  metadata: {name: z}\n",
    "apiVersion: v1\nkind: XList\nitems:\n- metadata: {name: z}\n",
    "\t\n",
    "~\n",
    '{"apiVersion": "v1", "kind": "X", "metadata": {"name": "j"}, "spec": {"v": [1.0, -0, "\\/"]}}\n',
]
streams = st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join)


def compare(texts: list[str], *, one_each: bool = True) -> None:
    """Both read the same objects; where kubectl stops at an error, they agree up to there, and here is one, too."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for text, (expected, failed) in zip(
            texts, kubectl.answers([text.encode() for text in texts], folder, one_each=one_each), strict=True
        ):
            file = folder / "one.yaml"
            file.write_bytes(text.encode())
            reading = ome.read(file)
            found: list[dict[str, Any]] = reading.objects[: len(expected)] if failed else reading.objects
            assert json.dumps(found, sort_keys=True) == json.dumps(expected, sort_keys=True), text
            assert not (failed and reading.complete), text


batches = settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))


@batches
@given(st.lists(scalars, min_size=1, max_size=16))
def test_scalars(batch: list[str]) -> None:
    compare([f"{HEAD}  v: {scalar}\n" for scalar in batch])


@batches
@given(st.lists(documents, min_size=1, max_size=16))
def test_documents(batch: list[str]) -> None:
    compare([HEAD + document for document in batch])


@batches
@given(st.lists(streams, min_size=1, max_size=12))
def test_streams(batch: list[str]) -> None:
    compare(batch, one_each=False)
