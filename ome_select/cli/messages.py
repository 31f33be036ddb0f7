"""What goes to stderr, and how it looks."""

from __future__ import annotations

import click


def error(text: str) -> None:
    """Say why there is no good answer."""
    _say("error", text, "red")


def warning(text: str) -> None:
    """Say what is probably not meant."""
    _say("warning", text, "yellow")


def note(text: str) -> None:
    """Say something that is worth knowing."""
    click.echo(text, err=True)


def _say(kind: str, text: str, color: str) -> None:
    from ome_select.reporting.table import visible

    for line in text.split("\n"):
        # click drops the colour where stderr is no terminal.
        click.echo(f"{click.style(kind, fg=color)}: {visible(line)}", err=True)
