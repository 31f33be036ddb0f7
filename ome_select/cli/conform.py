"""`ome-select conform`: does what documentation pages say still hold?"""

from __future__ import annotations

import click

from ome_select.cli.messages import error, note
from ome_select.cli.status import BAD, GOOD, UNANSWERED


@click.command()
@click.argument("pages", nargs=-1, required=True, metavar="PAGE...")
@click.option(
    "-o",
    "--output",
    "form",
    type=click.Choice(["table", "json", "junit", "github"]),
    default="table",
    show_default=True,
    help="github prints workflow commands, which show up beside the lines of a pull request.",
)
@click.option("--coverage", is_flag=True, help="List what was not checked, with the reason.")
def command(pages: tuple[str, ...], form: str, coverage: bool) -> int:
    """Check the facts of Markdown pages about runtime selection.

    Tables, worked numbers, rankings, manifests, outputs and messages are read and compared with what OME does. Nothing
    that a page holds is executed. Name pages that link to each other together: links between them are checked, too.

    \b
    Examples:
      ome-select conform docs/*.md
      ome-select conform docs/*.md -o junit > build/conformance.xml
      ome-select conform docs/rules.md --coverage
    """
    from ome_select.conformance import report as reports
    from ome_select.conformance.runner import check_pages

    report = check_pages(pages)
    forms = {
        "table": reports.as_table,
        "json": reports.as_json,
        "junit": reports.as_junit,
        "github": reports.as_github,
    }
    click.echo(forms[form](report))
    if coverage:
        if form == "table":
            click.echo(f"\nNot checked:\n{reports.unchecked(report)}\n\n{reports.coverage(report)}")
        else:
            # The other forms list everything already.
            note(reports.coverage(report))
    if not report.count("holds") and not report.count("contradicted"):
        error("nothing was checked: the pages hold no fact that is understood (see --coverage)")
        return UNANSWERED
    return BAD if report.contradicted else GOOD
