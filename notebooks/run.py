"""Run notebooks with papermill and say which documented scenarios held.

    python notebooks/run.py                                        every notebook
    python notebooks/run.py notebooks/01-*.ipynb -p model my-model one notebook, with a parameter of its own

The executed copies go to build/notebooks; a source is never written over. A scenario is a documented claim: the cells
tagged `scenario:<id>` show it, and fixtures/scenarios.yaml lists all of them.

Exit status: 0 everything held; 1 a notebook or a scenario failed; 2 the question could not be asked.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# The kernel is this interpreter's own, whatever kernels the user has installed, and neither Jupyter's move to other
# folders nor the debugger's note on frozen modules is of interest to a reader. Jupyter reads these on import.
os.environ.setdefault("JUPYTER_PREFER_ENV_PATH", "1")
os.environ.setdefault("JUPYTER_PLATFORM_DIRS", "1")
os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")

import click
import nbformat
import papermill
import yaml
from papermill.engines import NBClientEngine, NotebookExecutionManager, papermill_engines

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = ROOT / "notebooks"
OUTPUT = ROOT / "build" / "notebooks"
REGISTER = ROOT / "fixtures" / "scenarios.yaml"
TAG = "scenario:"
SECONDS_PER_CELL = 120
REASON_LINES = 12


@dataclass(frozen=True, kw_only=True, slots=True)
class Scenario:
    """One documented claim, as fixtures/scenarios.yaml lists it."""

    id: str
    page: str
    heading: str
    claim: str
    pending: str | None = None
    """Why no cell shows it yet; None when one does."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """What became of one notebook."""

    name: str
    scenarios: Mapping[str, bool]
    """Scenario id: whether all its cells ran and held."""
    failure: str | None = None
    """What went wrong first, ready to print; None when the whole notebook ran."""


class RunError(Exception):
    """The notebooks cannot be run as asked; the message says what to do."""


class SavesOnce(NBClientEngine):  # type: ignore[misc]  # papermill has no types
    """Papermill's own engine, except that it writes the notebook at the end, not twice a cell: most of the time."""

    @classmethod
    def execute_managed_notebook(cls, nb_man: NotebookExecutionManager, kernel_name: str, **options: Any) -> None:
        """Execute the cells, whatever happens, with nowhere to save to; papermill saves once more afterwards."""
        output, nb_man.output_path = nb_man.output_path, None
        try:
            super().execute_managed_notebook(nb_man, kernel_name, **options)
        finally:
            nb_man.output_path = output


papermill_engines.register("saves-once", SavesOnce)


def load_register(path: Path = REGISTER) -> list[Scenario]:
    """The documented scenarios, in the register's order.

    Raises RunError when the file cannot be read or an entry has other fields than a Scenario.
    """
    try:
        entries = yaml.safe_load(path.read_text(encoding="utf-8"))["scenarios"]
        return [Scenario(**entry) for entry in entries]
    except (OSError, yaml.YAMLError, KeyError, TypeError) as error:
        expected = "a list `scenarios` of id, page, heading, claim and perhaps pending"
        raise RunError(f"{shown(path)} is not {expected}: {first_line(error)}") from None


def scenario_ids(cell: Mapping[str, Any]) -> list[str]:
    """The scenarios that a cell shows, from its tags."""
    return [tag.removeprefix(TAG) for tag in cell["metadata"].get("tags", []) if tag.startswith(TAG)]


def read_notebook(path: Path) -> Any:
    """The notebook at `path`; raises RunError when it is none."""
    try:
        return nbformat.read(path, as_version=4)
    except OSError as error:
        raise RunError(f"cannot read {shown(path)}: {error.strerror}") from None
    # nbformat has one exception per way of being no notebook, and some of them are plain KeyErrors.
    except Exception as error:
        raise RunError(f"{shown(path)} is not a notebook: {first_line(error)}") from None


def read_parameters(pairs: Iterable[tuple[str, str]]) -> dict[str, object]:
    """Parameter values from the command line, each read as YAML, so that 4 is a number and '4' a text."""
    parameters: dict[str, object] = {}
    for name, value in pairs:
        try:
            parameters[name] = yaml.safe_load(value)
        except yaml.YAMLError:
            raise RunError(f"the value of parameter {name!r} is not YAML: {value}; put quotes around a text") from None
    return parameters


def check_parameters(path: Path, parameters: Mapping[str, object]) -> None:
    """Raise RunError for a parameter that the notebook does not declare: papermill itself would only warn."""
    if not parameters:
        return
    declared = sorted(papermill.inspect_notebook(str(path)))
    for name in parameters:
        if name not in declared:
            known = f"its parameters are: {', '.join(declared)}" if declared else "it has no parameters"
            raise RunError(f"{shown(path)} does not declare the parameter {name!r}; {known}")


def run_notebook(source: Path, output: Path, parameters: Mapping[str, object], *, progress: bool = False) -> Result:
    """Execute `source` into `output` and report on its scenarios; a failing cell is a result, not an exception."""
    output.parent.mkdir(parents=True, exist_ok=True)
    output.unlink(missing_ok=True)
    error: Exception | None = None
    try:
        papermill.execute_notebook(
            str(source),
            str(output),
            dict(parameters),
            engine_name="saves-once",
            kernel_name="python3",
            cwd=str(source.parent),
            progress_bar={"desc": source.stem} if progress else False,
            execution_timeout=SECONDS_PER_CELL,
            extra_arguments=["--log-level=CRITICAL"],  # A kernel's own notes on its sockets are not for readers.
        )
    # Whatever stops a notebook (an exception in a cell, a time-out, a dead kernel), the next one still runs.
    except Exception as caught:
        error = caught
    executed = read_notebook(output) if output.exists() else read_notebook(source)
    return judge(source.stem, executed, error)


def judge(name: str, executed: Any, error: Exception | None) -> Result:
    """Turn an executed notebook, and what papermill raised if anything, into a Result.

    Papermill's own `status` is of no use here: after a time-out it calls every cell completed. A cell ran when it has a
    start time; when something was raised outside a cell, the last cell that started is the one to blame.
    """
    cells = [
        cell for cell in executed.cells if not {"papermill-error-cell-tag", "injected-parameters"} & set(tags_of(cell))
    ]
    ran = [bool(cell["metadata"].get("papermill", {}).get("start_time")) for cell in cells]
    errors = {place: raised for place, cell in enumerate(cells) if (raised := raised_in(cell))}
    if error and not errors and any(ran):
        errors = {max(place for place, started in enumerate(ran) if started): first_line(error)}
    scenarios: dict[str, bool] = {}
    for place, cell in enumerate(cells):
        for scenario in scenario_ids(cell):
            scenarios[scenario] = scenarios.get(scenario, True) and ran[place] and place not in errors

    failure = None
    if errors:
        place, reason = min(errors.items())
        number = sum(cell["cell_type"] == "code" for cell in cells[: place + 1])
        scenario = f" ({', '.join(ids)})" if (ids := scenario_ids(cells[place])) else ""
        failure = f"{name}, In [{number}]{scenario}\n{reason}"
    elif error:
        failure = f"{name}\n{first_line(error)}"
    elif not all(ran):
        # sys.exit() in a cell ends a notebook without an error.
        failure = f"{name}\nonly {sum(ran)} of {len(cells)} cells ran"
    return Result(name=name, scenarios=scenarios, failure=failure)


def tags_of(cell: Mapping[str, Any]) -> list[str]:
    """The tags of a cell, none when it has no metadata for them."""
    return list(cell["metadata"].get("tags", []))


def raised_in(cell: Mapping[str, Any]) -> str | None:
    """The last lines of what a cell raised, without colours; None when it raised nothing."""
    for output in cell.get("outputs", []):
        if output["output_type"] == "error":
            trace = re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(output["traceback"])).splitlines()
            # The line that raised, which IPython marks with an arrow, and then what it raised.
            marked = [line for line in trace if re.match(r"-+>", line)]
            message = [line.rstrip() for line in f"{output['ename']}: {output['evalue']}".splitlines()]
            return "\n".join([*marked[:1], *message[-REASON_LINES:]])
    return None


def first_line(error: BaseException) -> str:
    """An exception in one line."""
    return f"{type(error).__name__}: {error}".splitlines()[0].rstrip(": ")


def shown(path: Path) -> str:
    """A path as a reader would type it: from the project's root when it is inside."""
    resolved = path.resolve()
    return str(resolved.relative_to(ROOT)) if resolved.is_relative_to(ROOT) else str(path)


def summary(results: Iterable[Result], register: Iterable[Scenario], *, complete: bool) -> tuple[list[str], bool]:
    """The closing table, line by line, and whether all is well.

    With `complete` every notebook was run, so that a scenario which the register promises and no cell shows is a
    failure too.
    """
    results = list(results)
    width = max(len("notebook"), *(len(result.name) for result in results))
    lines = [f"{'notebook':<{width}}  scenarios  passed  failed  result"]
    held: dict[str, bool] = {}
    for result in results:
        passed = sum(result.scenarios.values())
        total = len(result.scenarios)
        outcome = "failed" if result.failure else "passed"
        lines.append(f"{result.name:<{width}}  {total:>9}  {passed:>6}  {total - passed:>6}  {outcome}")
        for scenario, ok in result.scenarios.items():
            held[scenario] = held.get(scenario, True) and ok
    pending = [scenario for scenario in register if scenario.pending]
    missing = [scenario.id for scenario in register if complete and not scenario.pending and scenario.id not in held]
    good = sum(result.failure is None for result in results)
    lines.append("")
    if missing:
        lines.append(f"{len(missing)} failed because no cell shows them: {', '.join(missing)}")
    lines.append(f"{len(pending)} scenarios pending: fixtures/scenarios.yaml says what each waits for")
    lines.append(f"notebooks: {good} passed, {len(results) - good} failed")
    failed = len(missing) + sum(not ok for ok in held.values())
    lines.append(f"scenarios: {sum(held.values())} passed, {failed} failed")
    return lines, good == len(results) and not failed


def plan(notebooks: Iterable[Path], output: Path, parameters: Mapping[str, object]) -> Iterator[tuple[Path, Path]]:
    """Pairs of source and executed copy; everything that can be checked before the first cell runs is checked here."""
    seen: dict[Path, Path] = {}
    for source in notebooks:
        target = output / source.name
        if target.resolve() == source.resolve():
            raise RunError(f"the executed copy of {shown(source)} would overwrite it; choose another --output")
        if target in seen:
            raise RunError(f"{shown(seen[target])} and {shown(source)} have one name; run them one after the other")
        seen[target] = source
        read_notebook(source)
        check_parameters(source, parameters)
        yield source, target


@click.command(help="Run notebooks (all of notebooks/*.ipynb unless some are named) and say which scenarios held.")
@click.argument("notebooks", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "-p",
    "--parameter",
    "pairs",
    nargs=2,
    multiple=True,
    metavar="NAME VALUE",
    help="A parameter that the notebook declares; VALUE is read as YAML.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=OUTPUT,
    help="Where the executed copies go; build/notebooks unless given.",
)
def main(notebooks: tuple[Path, ...], pairs: tuple[tuple[str, str], ...], output: Path) -> None:
    """Check what was asked, run it, print the table."""
    try:
        parameters = read_parameters(pairs)
        register = load_register()
        jobs = list(plan(notebooks or sorted(NOTEBOOKS.glob("*.ipynb")), output, parameters))
        if not jobs:
            raise RunError(f"no notebooks in {shown(NOTEBOOKS)}")
    except RunError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
    results = []
    for source, target in jobs:
        result = run_notebook(source, target, parameters, progress=sys.stderr.isatty())
        results.append(result)
        click.echo(f"\nFAILED {result.failure}\n" if result.failure else f"passed {result.name}")
    lines, good = summary(results, register, complete=not notebooks)
    click.echo("\n" + "\n".join(lines))
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
