"""The options that several verbs share; they are named as in kubectl."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from ome_select.releases import DEFAULT_RELEASE, RELEASES

FORMS = ("table", "wide", "json", "yaml")
"""In which forms a decision can be printed."""

_Command = TypeVar("_Command", bound=Callable[..., Any])


def inputs(command: _Command) -> _Command:
    """`-f` and `-R` of a question: without files, OME's public catalog answers."""
    text = "A manifest file, a folder, or - for stdin; repeatable. Without it, OME's public catalog is read."
    return _files(text, required=False)(command)


def named_files(text: str) -> Callable[[_Command], _Command]:
    """`-f` and `-R` where files must be named."""
    return _files(text, required=True)


def _files(text: str, *, required: bool) -> Callable[[_Command], _Command]:
    recursive = click.option("-R", "--recursive", is_flag=True, help="Read the folders inside the given folders, too.")
    files = click.option("-f", "--filename", "files", multiple=True, required=required, metavar="PATH", help=text)
    return lambda command: files(recursive(command))


def target(command: _Command) -> _Command:
    """`--model`, `--isvc` and `-n`."""
    command = click.option(
        "-n",
        "--namespace",
        default="default",
        show_default=True,
        metavar="NAME",
        help="Where the model or service is looked up, and whose ServingRuntimes count beside the cluster's.",
    )(command)
    command = click.option("--isvc", metavar="NAME", help="The InferenceService to choose a runtime for.")(command)
    return click.option("--model", metavar="NAME", help="The model to choose a runtime for.")(command)


release = click.option(
    "--release",
    type=click.Choice(RELEASES),
    default=DEFAULT_RELEASE,
    show_default=True,
    help="The release of OME whose rules count.",
)
"""`--release`."""


def _set_color(context: click.Context, parameter: click.Parameter, value: str) -> None:
    if value != "auto":
        context.color = value == "always"
    elif os.environ.get("NO_COLOR"):
        context.color = False


color = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    expose_value=False,
    is_eager=True,
    callback=_set_color,
    help="auto colours only what goes to a terminal.",
)
"""`--color`; NO_COLOR in the environment switches it off."""


def require_one_target(model: str | None, isvc: str | None) -> None:
    """Ask about one of the two; the text is OME's (rule 11)."""
    if (model is None) == (isvc is None):
        raise click.UsageError("exactly one of --model or --isvc is required")
