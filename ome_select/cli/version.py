"""`ome-select version`."""

from __future__ import annotations

import click

from ome_select import __version__


@click.command()
def command() -> None:
    """Print the version."""
    click.echo(f"ome-select {__version__}")
