"""What the notebooks print about manifests and decisions."""

from __future__ import annotations

from pathlib import Path

import pytest

import ome_select as ome
from ome_select.reporting.notebook import count_text, manifest, ranking, reasons, text_table

MODEL = "llama-3-2-3b-instruct"


@pytest.fixture
def decision(root: Path) -> ome.Decision:
    return ome.explain(ome.load(root / "fixtures/scoring"), model=MODEL, namespace="llama-demo")


class TestManifest:
    """Documents come as they are written."""

    TEXT = (
        "# first\nkind: A\nmetadata: {name: a}\n---\n# second, twice\nmetadata:\n  name: b\n---\nmetadata: {name: b}\n"
    )

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        path = tmp_path / "objects.yaml"
        path.write_text(self.TEXT, encoding="utf-8")
        return path

    def test_without_names_it_is_the_file(self, path: Path) -> None:
        assert manifest(path) == self.TEXT.rstrip()

    def test_comments_are_kept(self, path: Path) -> None:
        assert manifest(path, "a") == "# first\nkind: A\nmetadata: {name: a}"

    def test_all_documents_of_a_name_come(self, path: Path) -> None:
        assert manifest(path, "b") == "# second, twice\nmetadata:\n  name: b\n---\nmetadata: {name: b}"

    def test_names_decide_the_order(self, path: Path) -> None:
        assert manifest(path, "b", "a").endswith("---\n# first\nkind: A\nmetadata: {name: a}")

    def test_an_unknown_name_is_an_error(self, path: Path) -> None:
        with pytest.raises(ValueError, match="has no object named c, d"):
            manifest(path, "a", "c", "d")


class TestTextTable:
    """Columns align by what a terminal shows."""

    def test_columns(self) -> None:
        assert text_table(("A", "LONG"), [("longer", 1), ("x", 22)]) == "A        LONG\nlonger   1\nx        22"

    def test_wide_characters_count_twice(self) -> None:
        assert text_table(("A", "B"), [("名前", 1), ("four", 2)]) == "A      B\n名前   1\nfour   2"

    def test_values_that_are_no_texts(self) -> None:
        assert text_table(("A",), [(True,), (False,), (None,), (("a", "b"),), ([],), (0,)]).splitlines() == [
            "A", "yes", "no", "-", "a, b", "-", "0",
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0"), (999, "999"), (2.1e8, "210M"), (7e9, "7B"), (9.79e9, "9.79B"), (1.5e12, "1.5T")],
)
def test_counts_read_as_people_write_them(count: float, text: str) -> None:
    assert count_text(count) == text


def test_the_ranking_shows_where_each_place_comes_from(decision: ome.Decision) -> None:
    assert ranking(decision).splitlines() == [
        "RUNTIME           SCOPE        RANGE       SCORE             DISTANCE   AHEAD BY",
        "team-llama        Namespaced   -           (1 + 1) × 1 = 2   0          scope",
        "vllm-llama        Cluster      -           (2 + 1) × 2 = 6   0          size distance",
        "srt-llama-small   Cluster      1B to 8B    (1 + 1) × 3 = 6   7B         size distance",
        "srt-llama-large   Cluster      1B to 70B   (1 + 1) × 3 = 6   69B        -",
    ]


def test_a_missing_bound_shows_as_an_ellipsis(root: Path) -> None:
    ties = ome.explain(ome.load(root / "fixtures/scoring/tie-breaks"), model=MODEL, namespace="llama-demo")
    ranges = {line.split()[0]: line for line in ranking(ties).splitlines()}
    assert " 3B to … " in ranges["from-3b"]
    assert " … to 13B " in ranges["up-to-13b"]


def test_reasons_are_those_of_the_record(root: Path) -> None:
    cluster = ome.load(root / "fixtures/size/passing")
    assert reasons(ome.explain(cluster, model=MODEL, namespace="llama-demo")).splitlines() == [
        "RUNTIME        REASON",
        "srt-llama-1b   model size 3.21B is outside supported range [500M, 2B]",
    ]
