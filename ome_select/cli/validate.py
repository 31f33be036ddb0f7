"""`ome-select validate`: what is wrong with manifests, and nothing else."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from ome_select.cli import options
from ome_select.cli.inputs import folders_hint, read_paths
from ome_select.cli.messages import error, label, note
from ome_select.cli.status import BAD, GOOD, UNANSWERED
from ome_select.problems import Problem
from ome_select.reporting.table import visible


@click.command()
@options.named_files("What is checked: a manifest file, a folder, or - for stdin; repeatable.")
@click.option(
    "-o",
    "--output",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How to print.",
)
@click.option("--strict", is_flag=True, help="A warning is a finding, too.")
@options.color
def command(files: tuple[str, ...], recursive: bool, form: str, strict: bool) -> int:
    """Check manifests as the API server would, without one.

    Each problem is printed with its place, what was found and what to do. Warnings alone leave the exit status at 0.

    \b
    Examples:
      ome-select validate -R -f manifests/
      ome-select validate -f runtime.yaml --strict -o json
    """
    reading = read_paths(files, recursive)
    if form == "json":
        import json

        click.echo(json.dumps([_data(problem) for problem in reading.problems], indent=2))
    else:
        for problem in reading.problems:
            click.echo(f"{label(problem.severity)}: {visible(str(problem))}")
    if reading.skipped:
        note(reading.skipped_text)
    counts = Counter(problem.severity for problem in reading.problems)
    note(
        f"{_count(len(reading.objects), 'object')}, {len(reading.resources)} of them usable for selection: "
        f"{_count(counts['error'] + counts['refused'], 'error')}, {_count(counts['warning'], 'warning')}"
    )
    if not reading.objects and reading.complete:
        error(f"nothing was checked: name files or folders that hold manifests with -f{folders_hint(recursive)}")
        return UNANSWERED
    return BAD if not reading.complete or (strict and reading.problems) else GOOD


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _data(problem: Problem) -> dict[str, Any]:
    origin = problem.origin
    return {
        "severity": problem.severity,
        "kind": problem.kind,
        "file": None if origin is None else origin.file,
        "line": None if origin is None else origin.line,
        "column": None if origin is None else origin.column,
        "object": problem.object,
        "field": problem.field,
        "message": problem.message,
        "advice": problem.advice,
    }
