"""The notebook runner reports honestly, refuses what it cannot do, and leaves its sources alone."""

from pathlib import Path

import nbformat
import pytest
from click.testing import CliRunner, Result
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from notebooks import run


def write_notebook(path: Path, *cells: tuple[str, str]) -> Path:
    """A notebook of (source, tag) cells under a heading."""
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    code = [new_code_cell(source, metadata={"tags": [tag] if tag else []}) for source, tag in cells]
    nbformat.write(new_notebook(metadata=metadata, cells=[new_markdown_cell("# A page"), *code]), path)
    return path


@pytest.fixture(scope="module")
def mixed(tmp_path_factory) -> tuple[Result, dict[str, bytes], Path]:
    """A run of four notebooks of which three fail, each in its own way; the sources' bytes; the output folder."""
    folder, output = tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("executed")
    sources = [
        write_notebook(
            folder / "fails.ipynb",
            ("size = 3", ""),
            ("assert size == 3", "scenario:page.part.before"),
            ("low = 1\nassert size == 4, f'size is {size}'", "scenario:page.part.fails"),
            ("print('never')", "scenario:page.part.after"),
        ),
        write_notebook(folder / "leaves.ipynb", ("import os\nos._exit(3)", "scenario:page.part.dies")),
        write_notebook(
            folder / "stops.ipynb",
            ("raise SystemExit(0)", "scenario:page.part.stops"),
            ("print('never')", "scenario:page.part.skipped"),
        ),
        write_notebook(
            folder / "works.ipynb",
            ("size = 3", "parameters"),
            ("assert size < 9", "scenario:page.part.works"),
            # A scenario of two cells holds when both do, in whichever notebook.
            ("print(size)", "scenario:page.part.fails"),
        ),
    ]
    before = {path.name: path.read_bytes() for path in sources}
    result = CliRunner().invoke(run.main, [*map(str, sources), "--output", str(output)])
    assert {path.name: path.read_bytes() for path in sources} == before
    return result, before, output


class TestFailures:
    """A failing cell is a result: it is named, and the other notebooks still run."""

    def test_exit_status_is_one(self, mixed):
        assert mixed[0].exit_code == 1

    def test_the_failure_names_notebook_cell_scenario_and_reason(self, mixed):
        assert (
            "FAILED fails, In [3] (page.part.fails)\n"
            "----> 2 assert size == 4, f'size is {size}'\n"
            "AssertionError: size is 3\n"
        ) in mixed[0].output

    def test_a_kernel_that_dies_fails_its_notebook(self, mixed):
        assert "FAILED leaves, In [1] (page.part.dies)\nDeadKernelError: Kernel died\n" in mixed[0].output

    def test_a_notebook_that_ends_early_has_not_passed(self, mixed):
        assert "FAILED stops, In [1] (page.part.stops)\nSystemExit: 0\n" in mixed[0].output

    def test_no_traceback(self, mixed):
        assert "Traceback" not in mixed[0].output
        assert mixed[0].exception is None or isinstance(mixed[0].exception, SystemExit)

    def test_the_table_counts_cells_that_did_not_run_as_failed(self, mixed):
        table = mixed[0].output[mixed[0].output.index("notebook  scenarios") :].splitlines()
        assert table[:5] == [
            "notebook  scenarios  passed  failed  result",
            "fails             3       1       2  failed",
            "leaves            1       0       1  failed",
            "stops             2       0       2  failed",
            "works             2       2       0  passed",
        ]

    def test_a_scenario_failed_when_it_failed_anywhere(self, mixed):
        assert mixed[0].output.splitlines()[-2:] == ["notebooks: 1 passed, 3 failed", "scenarios: 2 passed, 5 failed"]

    def test_executed_copies_are_written_for_all(self, mixed):
        _, sources, output = mixed
        assert sorted(path.name for path in output.iterdir()) == sorted(sources)


class TestParameters:
    """A parameter changes the run; one that a notebook does not declare is an error before anything runs."""

    def test_a_declared_one_reaches_the_notebook(self, tmp_path):
        source = write_notebook(
            tmp_path / "sized.ipynb", ("size = 3", "parameters"), ("assert size == 4", "scenario:page.part.size")
        )
        result = CliRunner().invoke(run.main, [str(source), "--output", str(tmp_path / "out"), "-p", "size", "4"])
        assert result.exit_code == 0, result.output

    def test_an_unknown_one_is_named(self, tmp_path):
        source = write_notebook(tmp_path / "sized.ipynb", ("size = 3", "parameters"))
        result = CliRunner().invoke(run.main, [str(source), "--output", str(tmp_path / "out"), "-p", "sise", "4"])
        assert result.exit_code == 2
        assert "sized.ipynb does not declare the parameter 'sise'; its parameters are: size" in result.stderr
        assert not (tmp_path / "out").exists()

    def test_a_notebook_without_any_says_so(self, tmp_path):
        source = write_notebook(tmp_path / "plain.ipynb", ("size = 3", ""))
        result = CliRunner().invoke(run.main, [str(source), "--output", str(tmp_path / "out"), "-p", "size", "4"])
        assert result.exit_code == 2
        assert "it has no parameters" in result.stderr

    @pytest.mark.parametrize(("text", "value"), [("4", 4), ("'4'", "4"), ("llama-3", "llama-3"), ("[1, 2]", [1, 2])])
    def test_values_are_yaml(self, text, value):
        assert run.read_parameters([("name", text)]) == {"name": value}

    def test_a_value_that_is_no_yaml_is_named(self):
        with pytest.raises(run.RunError, match="the value of parameter 'name' is not YAML"):
            run.read_parameters([("name", "[1")])


class TestQuestionsThatCannotBeAsked:
    """Exit status 2, one line on stderr, nothing executed, nothing overwritten."""

    def refused(self, *arguments: object) -> str:
        result = CliRunner().invoke(run.main, [str(argument) for argument in arguments])
        assert result.exit_code == 2
        assert result.stdout == ""
        return result.stderr

    def test_a_notebook_that_is_not_there(self, tmp_path):
        message = self.refused(tmp_path / "none.ipynb", "--output", tmp_path / "out")
        assert message.endswith("none.ipynb: No such file or directory\n")

    @pytest.mark.parametrize("text", ["", "{}", "not json", '{"nbformat": 4}'])
    def test_a_file_that_is_no_notebook(self, tmp_path, text):
        broken = tmp_path / "broken.ipynb"
        broken.write_text(text)
        assert "broken.ipynb is not a notebook" in self.refused(broken, "--output", tmp_path / "out")

    def test_a_copy_on_top_of_its_source(self, tmp_path):
        source = write_notebook(tmp_path / "mine.ipynb", ("size = 3", ""))
        before = source.read_bytes()
        assert "would overwrite it" in self.refused(source, "--output", tmp_path)
        assert source.read_bytes() == before

    def test_two_notebooks_of_one_name(self, tmp_path):
        (tmp_path / "other").mkdir()
        sources = [write_notebook(folder / "same.ipynb", ("1", "")) for folder in (tmp_path, tmp_path / "other")]
        assert "have one name" in self.refused(*sources, "--output", tmp_path / "out")

    def test_a_register_with_a_field_too_many(self, tmp_path):
        register = tmp_path / "scenarios.yaml"
        register.write_text("scenarios: [{id: a, page: b, heading: c, claim: d, peding: typo}]")
        with pytest.raises(run.RunError, match="peding"):
            run.load_register(register)


class TestSummary:
    """The closing table, without running anything."""

    waiting = run.Scenario(id="p.h.waits", page="p", heading="h", claim="c", pending="needs a cluster")
    promised = run.Scenario(id="p.h.shown", page="p", heading="h", claim="c")

    def test_a_promised_scenario_without_a_cell_fails_a_full_run(self):
        lines, good = run.summary([run.Result(name="one", scenarios={})], [self.promised, self.waiting], complete=True)
        assert not good
        assert "1 failed because no cell shows them: p.h.shown" in lines
        assert lines[-1] == "scenarios: 0 passed, 1 failed"

    def test_it_does_not_fail_a_run_of_some_notebooks(self):
        lines, good = run.summary([run.Result(name="one", scenarios={})], [self.promised], complete=False)
        assert good
        assert lines[-1] == "scenarios: 0 passed, 0 failed"

    def test_a_notebook_may_fail_outside_its_scenarios(self):
        result = run.Result(name="one", scenarios={"p.h.shown": True}, failure="one, In [1]\nNameError")
        lines, good = run.summary([result], [self.promised], complete=True)
        assert not good
        assert lines[-2] == "notebooks: 0 passed, 1 failed"
