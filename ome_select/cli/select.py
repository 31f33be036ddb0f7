"""`ome-select select`: the winner's name, for scripts."""

from __future__ import annotations

import click

from ome_select.cli import options
from ome_select.cli.inputs import read_cluster
from ome_select.cli.messages import error, note
from ome_select.cli.status import BAD, GOOD, UNANSWERED
from ome_select.releases import Release
from ome_select.reporting.table import visible
from ome_select.selection import Selector


@click.command()
@options.inputs
@options.target
@click.option(
    "-o", "--output", "form", type=click.Choice(["name"]), help="name puts the kind before it, as in kubectl."
)
@options.release
@options.color
def command(
    files: tuple[str, ...],
    recursive: bool,
    model: str | None,
    isvc: str | None,
    namespace: str,
    form: str | None,
    release: Release,
) -> int:
    """Print the name of the runtime that OME picks, and nothing else.

    \b
    Examples:
      ome-select select -f manifests/ --model NAME
      kubectl get -o yaml "$(ome-select select -f manifests/ --model NAME -o name)"
    """
    options.require_one_target(model, isvc)
    cluster, complete = read_cluster(files, recursive)
    decision = Selector(cluster, namespace, release).explain(model, isvc=isvc)
    if decision.note:
        note(decision.note)
    winner = decision.winner
    if winner is None:
        error(decision.error or "no runtime")
        return BAD if complete else UNANSWERED
    prefix = f"{winner.runtime.kind.lower()}.ome.io/" if form == "name" else ""
    click.echo(prefix + visible(winner.name))
    return GOOD if complete else UNANSWERED
