"""Examples in the help of a verb look like commands.

Click keeps the lines of a marked paragraph as they are, and sphinx-click shows them as verse: lines that begin with a
bar. In this project they are commands to type, under a line that says "Examples:".
"""

from __future__ import annotations

import click
from sphinx.application import Sphinx

BAR = "| "
TITLE = "| Examples:"


def as_commands(app: Sphinx, context: click.Context, lines: list[str]) -> None:
    """Turn each verse of a help text into a block of code."""
    result: list[str] = []
    inside = False
    for line in lines:
        if line == TITLE:
            result += ["Examples:", ""]
            continue
        if line.startswith(BAR) and not inside:
            result += [".. code-block:: bash", ""]
        inside = line.startswith(BAR)
        result.append(f"   {line.removeprefix(BAR).strip()}" if inside else line)
    lines[:] = result


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx what is here."""
    app.connect("sphinx-click-process-description", as_commands)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
