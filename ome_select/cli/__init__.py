"""The command line: one module for each verb, which is imported only when it is called."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from typing import Any

import click

from ome_select import __version__
from ome_select.cli.status import BAD, GOOD, INTERRUPTED, UNANSWERED
from ome_select.errors import OmeSelectError

VERBS = ("explain", "select", "admit", "validate", "conform", "completion", "version")
"""Each verb is the name of a module in this package whose `command` is a click command."""


class _Verbs(click.Group):
    def list_commands(self, context: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            return None
        command: click.Command = importlib.import_module(f"ome_select.cli.{name.replace('-', '_')}").command
        return command


@click.group(
    cls=_Verbs,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit status: 0 a good answer, 1 a bad one (no runtime, or findings), 2 the question could not be asked.",
)
@click.version_option(__version__, message="ome-select %(version)s")
def application() -> None:
    """Which serving runtime OME picks for a model, and why the others are not picked.

    Answers come from manifest files alone; no cluster is needed.
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit status."""
    # Python has no stream where the shell has closed one.
    is_closed = sys.stdout is None
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: PTH123, SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: PTH123, SIM115
    status = run(arguments)
    if is_closed and status in (GOOD, BAD):
        _error("the answer cannot be written: standard output is closed")
        status = UNANSWERED
    # All has been written, and taking everything apart that was made would only take time.
    os._exit(status)


def run(arguments: list[str] | None = None) -> int:
    """Run the command line; whatever goes wrong is told on stderr and becomes an exit status."""
    is_plugin = "kubectl-" in sys.argv[0]
    name = "kubectl ome-select" if is_plugin else "ome-select"
    if not (sys.argv[1:] if arguments is None else arguments):
        # Who asks nothing wants to know what there is to ask.
        arguments = ["--help"]
    try:
        result: Any = application.main(arguments, prog_name=name, standalone_mode=False)
        sys.stdout.flush()
        sys.stderr.flush()
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as problem:
        # A list of choices comes with tabs and line ends, which would be shown as escapes.
        _error(" ".join(problem.format_message().split()), _usage(problem))
        return UNANSWERED
    except OmeSelectError as problem:
        _error(str(problem), getattr(problem, "hint", ""))
        return UNANSWERED
    except BrokenPipeError:
        # Whoever read the output has seen enough. Python must not try to write the rest when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return GOOD
    except OSError as problem:
        # Whatever could not be read is a problem of its file and has been told, so this is about the output.
        _error(f"the answer cannot be written: {(problem.strerror or str(problem)).lower()}")
        return UNANSWERED
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    return result if isinstance(result, int) else GOOD


def _usage(problem: click.ClickException) -> str:
    """Where to look for what was typed wrong; empty where that is not the trouble."""
    context = problem.ctx if isinstance(problem, click.UsageError) else None
    return f"See '{context.command_path} --help' for usage." if context else ""


def _error(text: str, hint: str = "") -> None:
    # Most calls end without an error, and the module that says it takes time to import.
    from ome_select.cli.messages import error, note

    # Where it cannot be said, the exit status has to do.
    with contextlib.suppress(OSError):
        error(text)
        if hint:
            note(hint)
        sys.stderr.flush()
