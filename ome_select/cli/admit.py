"""`ome-select admit`: what `kubectl apply` would print."""

from __future__ import annotations

from typing import Any

import click

from ome_select.admission import Outcome, Session
from ome_select.cli import options
from ome_select.cli.inputs import read_cluster
from ome_select.cli.messages import error, note
from ome_select.cli.status import BAD, GOOD, UNANSWERED
from ome_select.cluster import Cluster
from ome_select.errors import InvalidObjectError, OmeSelectError
from ome_select.objects import describe, is_read
from ome_select.readers import READERS
from ome_select.reading import read
from ome_select.releases import Release
from ome_select.reporting.table import visible


@click.command()
@options.named_files("What is applied: a manifest file, a folder, or - for stdin; repeatable, in order.")
@click.option(
    "--cluster",
    "present",
    multiple=True,
    metavar="PATH",
    help="What the cluster holds already; repeatable. Without it, the cluster is empty.",
)
@click.option("-n", "--namespace", metavar="NAME", help="Where objects go that name no namespace.")
@options.release
@options.color
def command(
    files: tuple[str, ...], recursive: bool, present: tuple[str, ...], namespace: str | None, release: Release
) -> int:
    """Apply manifests in order, and print what OME's webhooks answer through `kubectl apply`.

    Each object that is admitted joins the cluster, so what a service needs comes before it. Nothing is changed
    anywhere: the cluster is the one that the files describe.

    \b
    Examples:
      ome-select admit -f runtimes/ -f models/ -f inference-service.yaml
      ome-select admit --cluster manifests/ -f inference-service.yaml -n llama-demo
    """  # The backslash is click's mark for lines that stay as they are.
    cluster, complete = read_cluster(present, recursive) if present else (Cluster(), True)
    reading = read(*files, recursive=recursive)
    # What the API server would refuse is part of its answer, further down; an object that comes twice is an update.
    # What is merely doubtful is for `validate`: kubectl says nothing of it.
    faults = [item for item in reading.problems if item.severity == "error" and item.kind != "duplicate-object"]
    for problem in faults:
        error(str(problem))
    for problem in reading.problems:
        if problem.kind == "unknown-field":
            # Which fields the API has beside those that are read is not known here, so this is no refusal.
            note(f"Note: {problem}; kubectl apply refuses a field that the API does not have")
    session = Session(cluster, release=release)
    allowed = True
    for value, file in zip(reading.objects, reading.files, strict=True):
        if namespace and (mismatch := _mismatch(value, namespace)):
            error(mismatch)
            allowed = False
            continue
        try:
            outcome = session.apply(_placed(value, namespace))
        except InvalidObjectError:
            # Reading has told what is wrong with it, and where.
            complete = False
        except OmeSelectError as unanswered:
            error(f"{file}: {describe(value)}: {unanswered}")
            complete = False
        else:
            if outcome is not None:
                _print(outcome, "STDIN" if file == "stdin" else file)
                allowed = allowed and outcome.admission.allowed
    if reading.skipped:
        note(reading.skipped_text)
    if not any(map(is_read, reading.objects)):
        error("no objects of OME found: name files or folders that hold them with -f")
        complete = False
    if not complete or faults:
        return UNANSWERED
    return GOOD if allowed else BAD


def _mismatch(value: dict[str, Any], namespace: str) -> str:
    """What kubectl says of an object that names another namespace than it was asked for; empty for any other."""
    metadata = value.get("metadata")
    stated = metadata.get("namespace") if isinstance(metadata, dict) else None
    if not stated or stated == namespace or not is_read(value) or not READERS[value["kind"]][0]:
        return ""
    return (
        f'the namespace from the provided object "{stated}" does not match the namespace "{namespace}". '
        f"You must pass '--namespace={stated}' to perform this operation."
    )


def _placed(value: dict[str, Any], namespace: str | None) -> dict[str, Any]:
    """The object in the namespace that was asked for, unless it names one itself."""
    metadata = value.get("metadata")
    if namespace is None or not isinstance(metadata, dict) or metadata.get("namespace"):
        return value
    return {**value, "metadata": {**metadata, "namespace": namespace}}


def _print(outcome: Outcome, file: str) -> None:
    errors, output = outcome.lines(file)
    # A denial may go over several lines; names from files send no control sequences.
    for text in errors:
        for line in text.split("\n"):
            click.echo(visible(line), err=True)
    for text in output:
        click.echo(visible(text))
    for text in outcome.admission.notes:
        note(f"Note: {text}")
