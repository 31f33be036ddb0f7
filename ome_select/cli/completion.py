"""`ome-select completion`: what makes a shell complete verbs and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the completion script for a shell.

    \b
    Examples:
      source <(ome-select completion bash)
      ome-select completion zsh > "${fpath[1]}/_ome-select"
      ome-select completion fish | source
    """
    completion = get_completion_class(shell)
    assert completion is not None  # The choices are those that click knows.
    application = context.find_root().command
    click.echo(completion(application, {}, "ome-select", "_OME_SELECT_COMPLETE").source())
