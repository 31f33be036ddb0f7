"""`ome-select explain`: every runtime with the reason why it is chosen or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ome_select.cli import options
from ome_select.cli.inputs import read_cluster
from ome_select.cli.status import BAD, GOOD, UNANSWERED
from ome_select.releases import Release

if TYPE_CHECKING:
    from ome_select.resources import BaseModel


@click.command()
@options.inputs
@options.target
@click.option(
    "--model-files",
    type=click.Path(),
    metavar="FOLDER",
    help="Choose for the model in this folder, by its own files, in place of --model; also one config.json alone.",
)
@click.option(
    "-o",
    "--output",
    "form",
    type=click.Choice(options.FORMS),
    default="table",
    show_default=True,
    help="wide never wraps and adds what decided; json and yaml hold the whole record.",
)
@options.release
@options.color
def command(
    files: tuple[str, ...],
    recursive: bool,
    model: str | None,
    isvc: str | None,
    model_files: str | None,
    namespace: str,
    form: str,
    release: Release,
) -> int:
    """Show every runtime, and why OME can pick it or not.

    The table is that of `kubectl ome runtime explain`: what can be picked comes first, best first.

    \b
    Examples:
      ome-select explain --model afm-4-5b-base
      ome-select explain -R -f manifests/ -n llama-demo --isvc chat
      kubectl get clusterservingruntimes,clusterbasemodels -o yaml | ome-select explain -f - --model NAME
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
    # By now this has been imported, in the time in which the files were read.
    from ome_select.cli.messages import error, note
    from ome_select.cli.output import show
    from ome_select.reporting.table import NO_RUNTIMES
    from ome_select.selection import Selector

    decision = Selector(cluster, namespace, release).explain(target, isvc=isvc)
    for text in (decision.note, decision.release_note):
        if text:
            note(text)
    if decision.rows or form in ("json", "yaml"):
        show(decision, form)
    if not decision.rows and decision.model.model_format is not None and decision.model.model_format.name:
        # A cluster without runtimes is no bad answer (rule 11).
        note(NO_RUNTIMES)
        return GOOD if complete else UNANSWERED
    if decision.error:
        error(decision.error)
        if not decision.model.model_format and model_files is None:
            note("OME fills in what a model is from its files, which --model-files FOLDER reads here")
    if not complete:
        return UNANSWERED
    return BAD if decision.error else GOOD


def _learned(folder: str) -> BaseModel:
    """The model that a folder's files describe; what they leave open is told."""
    from ome_select.cli.messages import note
    from ome_select.modelfiles import model_from_files

    facts = model_from_files(folder)
    for text in facts.notes:
        note(f"{facts.name}: {text}")
    return facts.to_model()
