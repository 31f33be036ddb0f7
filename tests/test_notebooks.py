"""The notebooks show every documented scenario, and what is stored in them is what a run gives.

nbval compares the stored outputs with a fresh run (`make test` passes the notebooks to it). It lets a cell without
stored outputs pass, and has tags that switch it off: the tests here close these holes.
"""

import ast
import hashlib
import json
import re
from collections import Counter
from pathlib import Path

import nbformat
import pytest
from click.testing import CliRunner, Result

from notebooks import run

PATHS = sorted(run.NOTEBOOKS.glob("*.ipynb"))
REGISTER = run.load_register()

NOT_IN_OUTPUTS = {
    "a path of the machine that made it": re.compile(r"(?:/home/|/Users/|/tmp/|/root/|\\Users\\|site-packages)[\w.-]*"),
    "the checkout's own path": re.compile(re.escape(str(run.ROOT))),
    "a time of day": re.compile(r"\b\d{1,2}:\d{2}:\d{2}\b"),
    "the id of an object": re.compile(r"\b0x[0-9a-f]{6,}\b"),
}


def read(path: Path):
    return nbformat.read(path, as_version=4)


def code_cells(path: Path) -> list:
    return [cell for cell in read(path).cells if cell.cell_type == "code"]


def texts(cell) -> list[str]:
    """Everything in a cell's outputs that is text, pictures left out."""
    found = []
    for output in cell.outputs:
        found.append(output.get("text", ""))
        for kind, data in output.get("data", {}).items():
            if not kind.startswith("image/"):
                found.append(data if isinstance(data, str) else json.dumps(data))
    return found


def shown_scenarios() -> Counter:
    return Counter(scenario for path in PATHS for cell in code_cells(path) for scenario in run.scenario_ids(cell))


every_notebook = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


def digests() -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in PATHS}


@pytest.fixture(scope="session", autouse=True)
def notebooks_stay_as_they_are():
    """No test writes a notebook: the stored outputs are what the tests compare with."""
    before = digests()
    yield
    assert digests() == before, "a notebook in notebooks/ changed while the tests ran"


class TestRegister:
    """fixtures/scenarios.yaml and the notebooks agree, both ways."""

    def test_an_id_appears_once(self):
        ids = Counter(scenario.id for scenario in REGISTER)
        assert [name for name, times in ids.items() if times > 1] == []

    def test_ids_are_page_heading_claim(self):
        for scenario in REGISTER:
            assert re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+){2,}", scenario.id), scenario.id
            assert scenario.id.startswith(f"{scenario.page}.")

    def test_every_field_says_something(self):
        for scenario in REGISTER:
            assert scenario.heading.strip()
            assert scenario.claim.strip()
            assert scenario.pending is None or scenario.pending.strip(), f"{scenario.id} waits for nothing"

    def test_every_scenario_has_a_cell(self):
        promised = {scenario.id for scenario in REGISTER if not scenario.pending}
        assert sorted(promised - set(shown_scenarios())) == []

    def test_a_scenario_has_one_cell(self):
        """The site links each claim to the one place that shows it."""
        assert [name for name, cells in shown_scenarios().items() if cells > 1] == []

    def test_every_cell_names_a_scenario_that_exists(self):
        assert sorted(set(shown_scenarios()) - {scenario.id for scenario in REGISTER}) == []

    def test_a_pending_scenario_has_no_cell(self):
        pending = {scenario.id for scenario in REGISTER if scenario.pending}
        assert sorted(pending & set(shown_scenarios())) == []


@every_notebook
class TestStored:
    """What a reader sees without running anything."""

    def test_cells_were_run_from_top_to_bottom(self, path):
        counts = [cell.execution_count for cell in code_cells(path)]
        assert counts == list(range(1, len(counts) + 1)), "run `make store`"

    def test_no_cell_is_empty(self, path):
        assert [cell.id for cell in read(path).cells if not cell.source.strip()] == []

    def test_nothing_of_the_run_is_stored_but_its_outputs(self, path):
        kept = {"tags", "jupyter"}
        assert [cell.id for cell in read(path).cells if not cell.metadata.keys() <= kept] == [], "run `make store`"

    def test_no_error_is_stored(self, path):
        for number, cell in enumerate(code_cells(path), 1):
            assert all(output.output_type != "error" for output in cell.outputs), f"In [{number}]"
            assert all(output.get("name") != "stderr" for output in cell.outputs), f"In [{number}] warns"

    @pytest.mark.parametrize("what", NOT_IN_OUTPUTS)
    def test_outputs_are_the_same_everywhere(self, path, what):
        for number, cell in enumerate(code_cells(path), 1):
            for text in texts(cell):
                found = NOT_IN_OUTPUTS[what].search(text)
                assert not found, f"In [{number}] shows {what}: {found and found[0]}"

    def test_only_pictures_are_not_compared(self, path):
        """A tag can switch the comparison off, which is right for pictures only, or expect an error."""
        for number, cell in enumerate(code_cells(path), 1):
            tags = set(run.tags_of(cell))
            assert not tags & {"raises-exception", "nbval-raises-exception", "nbval-skip"}, f"In [{number}]"
            assert "NBVAL" not in cell.source.upper(), f"In [{number}]: use a tag"
            if "nbval-ignore-output" in tags:
                kinds = {kind for output in cell.outputs for kind in output.get("data", {})}
                assert any(kind.startswith(("image/", "application/vnd.jupyter.widget")) for kind in kinds)

    def test_a_scenario_is_asserted(self, path):
        for number, cell in enumerate(code_cells(path), 1):
            if run.scenario_ids(cell):
                asserts = [node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Assert)]
                assert asserts, f"In [{number}] asserts nothing"
                assert not any(isinstance(node.test, ast.Constant) for node in asserts), f"In [{number}]"

    def test_it_asks_for_no_kernel_of_a_user(self, path):
        assert read(path).metadata.kernelspec.name == "python3"


@pytest.fixture(scope="module")
def full_run() -> Result:
    """`make notebooks`, once for all tests of this module."""
    return CliRunner().invoke(run.main, [])


class TestFullRun:
    """Every notebook, as `make notebooks` runs it."""

    def test_everything_holds(self, full_run):
        assert full_run.exit_code == 0, full_run.output

    def test_the_closing_table_counts_everything(self, full_run):
        pending = sum(scenario.pending is not None for scenario in REGISTER)
        *_, waiting, notebooks, scenarios = full_run.output.splitlines()
        assert waiting.startswith(f"{pending} scenarios pending")
        assert notebooks == f"notebooks: {len(PATHS)} passed, 0 failed"
        assert scenarios == f"scenarios: {len(REGISTER) - pending} passed, 0 failed"

    @every_notebook
    def test_no_output_was_stripped(self, full_run, path):
        """A cell that shows something when it runs has stored outputs for nbval to compare."""
        fresh = code_cells(run.OUTPUT / path.name)
        for number, (stored, executed) in enumerate(zip(code_cells(path), fresh, strict=True), 1):
            assert bool(stored.outputs) == bool(executed.outputs), f"In [{number}]: run `make store`"


@every_notebook
def test_an_unknown_parameter_is_refused(path):
    with pytest.raises(run.RunError, match="does not declare the parameter 'no_such_parameter'"):
        run.check_parameters(path, {"no_such_parameter": 1})
