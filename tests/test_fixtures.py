"""The manifests that notebooks, tests and documentation share can be used as they are."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import ome_select as ome
from ome_select.objects import decode

FIXTURES = Path(__file__).parent.parent / "fixtures"
PAGES = (
    "scoring",
    "accelerator",
    "size",
    "classes",
    "inheritance",
    "admission",
    "versions",
    "modes",
    "diffusion",
    "naming",
    "explain",
    "troubleshooting",
    "catalog",
)
EVERY_FILE = sorted(path for page in PAGES for path in (FIXTURES / page).rglob("*.yaml"))
# What an API server refuses is in folders of this name.
FILES = [path for path in EVERY_FILE if path.parent.name != "refused"]
REFUSED = [path for path in EVERY_FILE if path.parent.name == "refused"]
FOLDERS = sorted({path.parent for path in FILES} - {FIXTURES / "size/examples"})


def shown(path: Path) -> str:
    return str(path.relative_to(FIXTURES))


@pytest.mark.parametrize("path", FILES, ids=shown)
def test_an_api_server_would_accept_it(path: Path) -> None:
    for value in yaml.load_all(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader):
        resource, problems = decode(value)
        assert resource is not None
        assert [str(problem) for problem in problems if problem.severity != "warning"] == []


@pytest.mark.parametrize("path", REFUSED, ids=shown)
def test_an_api_server_would_refuse_it(path: Path) -> None:
    with pytest.raises(ome.InvalidObjectError):
        ome.load(path)


@pytest.mark.parametrize("path", EVERY_FILE, ids=shown)
def test_it_names_no_registry(path: Path) -> None:
    images = [line.split()[-1] for line in path.read_text(encoding="utf-8").splitlines() if " image: " in line]
    assert [image for image in images if "." in image.split("/")[0]] == []


@pytest.mark.parametrize("folder", FOLDERS, ids=shown)
def test_every_folder_is_a_cluster(folder: Path) -> None:
    assert len(ome.load(folder)) == sum(
        1
        for path in folder.glob("*.yaml")
        for _ in yaml.load_all(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    )


def test_the_scoring_folder_is_the_worked_example() -> None:
    cluster = ome.load(FIXTURES / "scoring")
    assert [model.name for model in cluster.models] == ["llama-3-2-3b-instruct"]
    assert sorted(runtime.name for runtime in cluster.runtimes) == [
        "srt-llama-large", "srt-llama-small", "team-llama", "vllm-llama",
    ]  # fmt: skip
