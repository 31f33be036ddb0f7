"""A decision on stdout, in the form that `-o` names."""

from __future__ import annotations

import json
import shutil
import sys

import click

from ome_select.decision import Decision
from ome_select.reporting.table import DEFAULT_WIDTH, explain_table


def terminal_width() -> int:
    """How wide a table may be: 80 columns, or the terminal where that is narrower (rule 11)."""
    if not sys.stdout.isatty():
        return DEFAULT_WIDTH
    return min(DEFAULT_WIDTH, shutil.get_terminal_size().columns)


def show(decision: Decision, form: str) -> None:
    """Print a decision."""
    if form == "table":
        click.echo(explain_table(decision, terminal_width()))
    elif form == "wide":
        from ome_select.reporting.table import wide_table

        click.echo(wide_table(decision))
    else:
        from ome_select.reporting.data import to_data, to_yaml

        data = to_data(decision)
        click.echo(
            json.dumps(data, indent=2, ensure_ascii=False) if form == "json" else to_yaml(data), nl=form == "json"
        )
