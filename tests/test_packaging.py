"""The wheel: what is in it, and that it works where there is neither a checkout nor Jupyter."""

import importlib.metadata
import os
import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

MODEL = "llama-3-3-70b-instruct"
HEAVY = ("IPython", "ipykernel", "jupyter_client", "matplotlib", "nbformat", "numpy", "pandas", "papermill")


def call(*command: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command without the variables that would point it back at this checkout."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV"))}
    return subprocess.run(list(map(str, command)), cwd=cwd, env=env, text=True, capture_output=True, check=False)


def base_distributions() -> set[str]:
    """The distributions that a plain `pip install ome-select` brings, without any extra."""
    found: set[str] = set()
    waiting = ["ome-select"]
    while waiting:
        for requirement in importlib.metadata.requires(waiting.pop()) or []:
            name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
            if ";" not in requirement and name not in found:
                found.add(name)
                waiting.append(name)
    return found


@pytest.fixture(scope="module")
def wheel(root, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    built = call(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, root)
    assert built.returncode == 0, built.stdout + built.stderr
    [path] = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def elsewhere(wheel, tmp_path_factory) -> Path:
    """A virtual environment with the wheel and its base dependencies and nothing else."""
    folder = tmp_path_factory.mktemp("elsewhere")
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    pip = call(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel)
    assert pip.returncode == 0, pip.stderr
    # The dependencies are the ones that are installed already: linked, so that no network and little time is needed.
    [site] = folder.glob("lib/python3*/site-packages")
    for name in base_distributions():
        distribution = importlib.metadata.distribution(name)
        for top in {file.parts[0] for file in distribution.files or [] if file.parts[0] not in {"..", "__pycache__"}}:
            (site / top).symlink_to(str(distribution.locate_file(top)))
    return folder


@pytest.fixture(scope="module")
def names(wheel) -> list[str]:
    """The files in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


class TestContents:
    def test_types_are_announced(self, names):
        assert "ome_select/py.typed" in names

    def test_every_module_is_in_it(self, root, names):
        modules = {str(path.relative_to(root)) for path in (root / "ome_select").rglob("*.py")}
        assert modules <= set(names)

    def test_the_catalog_is_in_it(self, root, names):
        catalog = {path.name for path in (root / "fixtures" / "catalog").glob("*.yaml")}
        assert catalog
        assert {Path(name).name for name in names if name.startswith("ome_select/catalog/")} == catalog

    def test_the_licence_is_in_it(self, names):
        assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)

    def test_nothing_else_is_in_it(self, names):
        tops = {name.split("/")[0] for name in names}
        assert {top for top in tops if not top.endswith(".dist-info")} == {"ome_select"}
        assert not [name for name in names if name.endswith((".pyc", ".ipynb"))]


class TestInstalled:
    """Installed away from the checkout, with the base dependencies alone."""

    def test_it_answers_from_its_own_catalog(self, root, elsewhere, tmp_path):
        answer = call(elsewhere / "bin" / "ome-select", "explain", "--model", MODEL, cwd=tmp_path)
        assert answer.returncode == 0, answer.stderr
        assert "Traceback" not in answer.stderr
        here = call(Path(sys.executable).with_name("ome-select"), "explain", "--model", MODEL, cwd=root)
        assert answer.stdout == here.stdout
        title, first, *_ = answer.stdout.splitlines()
        assert title.startswith("RUNTIME ")
        assert " Yes " in first

    def test_kubectl_finds_it_under_its_own_name(self, elsewhere, tmp_path):
        answer = call(elsewhere / "bin" / "kubectl-ome_select", "--help", cwd=tmp_path)
        assert answer.returncode == 0, answer.stderr

    def test_the_package_is_the_installed_one(self, root, elsewhere, tmp_path):
        answer = call(elsewhere / "bin" / "python", "-c", "import ome_select; print(ome_select.__file__)", cwd=tmp_path)
        assert answer.returncode == 0, answer.stderr
        assert Path(answer.stdout.strip()).is_relative_to(elsewhere.resolve())


class TestImport:
    def test_importing_the_package_imports_nothing_heavy(self):
        """pandas, Jupyter and the plots are there in this environment, and still nobody pays for them on import."""
        code = f"import ome_select, sys; print([name for name in {HEAVY!r} if name in sys.modules])"
        answer = call(sys.executable, "-c", code)
        assert (answer.stdout, answer.stderr) == ("[]\n", "")
