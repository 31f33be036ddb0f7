"""A decision on stdout, in the form that `-o` names."""

from __future__ import annotations

import os
import sys

import click

from ome_select.decision import Decision
from ome_select.reporting.table import DEFAULT_WIDTH, explain_table, wide_table


def terminal_width() -> int:
    """How wide a table may be: 80 columns, or the terminal where that is narrower (rule 11)."""
    try:
        columns = os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        # It goes to a file or a pipe, or to what a test put in its place.
        return DEFAULT_WIDTH
    # A terminal that does not know its width says 0.
    return min(DEFAULT_WIDTH, columns or DEFAULT_WIDTH)


def paint(header: str, text: str) -> str:
    """Colour what can be chosen; click takes the colours away again where they do not belong."""
    if header != "COMPATIBLE":
        return text
    return click.style(text, fg="green" if text == "Yes" else "red")


def show(decision: Decision, form: str) -> None:
    """Print a decision."""
    if form == "table":
        click.echo(explain_table(decision, terminal_width(), paint))
    elif form == "wide":
        click.echo(wide_table(decision, paint))
    else:
        import json

        from ome_select.reporting.data import to_data, to_yaml

        data = to_data(decision)
        if form == "json":
            # A text from a file reaches the terminal with its control characters as escapes, so JSON stays ASCII.
            click.echo(json.dumps(data, indent=2))
        else:
            click.echo(to_yaml(data), nl=False)
