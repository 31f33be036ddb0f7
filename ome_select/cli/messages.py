"""What goes to stderr, and how it looks."""

from __future__ import annotations

import click

from ome_select.reporting.table import visible

_COLORS = {"error": "red", "refused": "red", "warning": "yellow"}


def label(severity: str) -> str:
    """A severity with its colour; what the API server would refuse is an error to the reader of a message."""
    shown = "error" if severity == "refused" else severity
    return click.style(shown, fg=_COLORS[severity], bold=True)


def error(text: str) -> None:
    """Say why there is no good answer."""
    _say("error", text)


def warning(text: str) -> None:
    """Say what is probably not meant."""
    _say("warning", text)


def note(text: str) -> None:
    """Say something that is worth knowing."""
    click.echo(visible(text), err=True)


def _say(severity: str, text: str) -> None:
    # Each line of a text with several is a message of its own. Names from files send no control sequences.
    for line in text.split("\n"):
        click.echo(f"{label(severity)}: {visible(line)}", err=True)
