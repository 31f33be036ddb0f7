"""Two processes read what one would, whatever happens to the second."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz import POD
from tests.reading.ahead_cases import CASES

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """More than 100 KB of runtimes, and one file of each sort that is read in another way."""
    folder = tmp_path_factory.mktemp("runtimes")
    pod = POD.decode()
    for number in range(150):
        text = pod.replace("name: pod", f"name: pod-{number}").replace("max: 9B", f"max: {number + 1}B")
        (folder / f"r{number:03}.yaml").write_text(text)
    two = pod.replace("name: pod", "name: first") + "---\n" + pod.replace("name: pod", "name: pod-7")
    (folder / "r050-two.yaml").write_text(two)
    (folder / "r060-alias.yaml").write_text(pod.replace("name: pod", "name: &a alias").replace("- sh", "- *a"))
    (folder / "r070-fault.yaml").write_text(
        pod.replace("name: pod", "name: fault").replace("minReplicas: 1", "minReplicas: x")
    )
    (folder / "r080.json").write_text('{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}}')
    (folder / "r090-empty.yaml").write_text("# nothing\n")
    (folder / "r100-end.yaml").write_text(pod.replace("name: pod", "name: end") + "...\nx: y\n")
    (folder / "broken.yaml").write_text("a: [\n")
    (folder / "link.yaml").symlink_to(folder / "nowhere")
    return folder


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system copies no processes")
@pytest.mark.parametrize("case", CASES)
def test_the_reading_is_the_same(case: str, folder: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "tests.reading.ahead_cases", case, str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
