"""`ome-select explain`: every runtime with the reason why it is chosen or not."""

from __future__ import annotations

import click

from ome_select.cli import options
from ome_select.cli.inputs import read_cluster
from ome_select.cli.messages import error, note
from ome_select.cli.output import show
from ome_select.releases import Release
from ome_select.reporting.table import NO_RUNTIMES, visible
from ome_select.resources import BaseModel
from ome_select.selection import Selector


@click.command()
@options.inputs
@options.target
@click.option(
    "--model-files",
    type=click.Path(),
    metavar="FOLDER",
    help="Choose for the model in this folder, by its own files, in place of --model; also one config.json alone.",
)
@options.release
@click.option(
    "-o",
    "--output",
    type=click.Choice(["table", "wide", "json", "yaml"]),
    default="table",
    show_default=True,
    help="wide never wraps and adds what decided; json and yaml hold the whole record.",
)
def command(
    files: tuple[str, ...],
    recursive: bool,
    model: str | None,
    isvc: str | None,
    model_files: str | None,
    namespace: str,
    release: Release,
    output: str,
) -> int:
    """Show every runtime, and why OME picks it or not, as `kubectl ome runtime explain` does.

    \b
    ome-select explain --model llama-3-2-1b-instruct
    ome-select explain -R -f manifests/ -n llama-demo --isvc chat
    kubectl get csr,sr,cbm,bm,isvc -A -o yaml | ome-select explain -f - --model NAME
    ome-select explain --model-files downloads/my-model -f runtimes/
    """
    target: str | BaseModel | None = model
    if model_files is None:
        options.require_one_target(model, isvc)
    elif model is None and isvc is None:
        target = _learned(model_files)
    else:
        raise click.UsageError("--model-files names the model: leave out --model and --isvc")
    cluster, complete = read_cluster(files, recursive)
    decision = Selector(cluster, namespace, release).explain(target, isvc=isvc)
    if decision.note:
        note(decision.note)
    if decision.rows or output not in ("table", "wide"):
        show(decision, output)
    elif decision.model.model_format and decision.model.model_format.name:
        # An empty cluster is no failure of the question (rule 11).
        note(NO_RUNTIMES)
        return 0 if complete else 2
    if decision.error:
        error(decision.error)
    return 2 if not complete else 1 if decision.error else 0


def _learned(folder: str) -> BaseModel:
    """The model that a folder's files describe; what they leave open is told."""
    from ome_select.modelfiles import model_from_files

    facts = model_from_files(folder)
    for text in facts.notes:
        note(visible(f"{facts.name}: {text}"))
    return facts.to_model()
