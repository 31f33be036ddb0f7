"""The register of documented scenarios as a page, with a link from each claim to the notebook cell that shows it.

`{scenario-register}` renders fixtures/scenarios.yaml. Every notebook cell that is tagged `scenario:<id>` gets the
anchor `scenario-<id>`, which stays the same wherever the cell moves within its notebook.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import yaml
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).resolve().parents[2]
REGISTER = ROOT / "fixtures" / "scenarios.yaml"
NOTEBOOKS = ROOT / "notebooks"
TAG = "scenario:"


def scenario_ids(metadata: dict[str, Any]) -> list[str]:
    """The scenarios that a cell's tags name."""
    return [tag.removeprefix(TAG) for tag in metadata.get("tags", []) if tag.startswith(TAG)]


def shown_in() -> dict[str, str]:
    """Scenario id: the notebook (its file name without suffix) whose cell shows it first."""
    found: dict[str, str] = {}
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for scenario in scenario_ids(cell["metadata"]):
                found.setdefault(scenario, path.stem)
    return found


class ScenarioRegister(SphinxDirective):
    """Counts on top, then every scenario by page and heading, in the register's order."""

    def run(self) -> list[nodes.Node]:
        """The nodes that the page gets."""
        self.env.note_dependency(str(REGISTER))
        for path in NOTEBOOKS.glob("*.ipynb"):
            self.env.note_dependency(str(path))
        register = yaml.safe_load(REGISTER.read_text(encoding="utf-8"))
        cells = shown_in()
        pages = [
            (register["pages"][page]["title"], list(scenarios))
            for page, scenarios in groupby(register["scenarios"], key=lambda scenario: scenario["page"])
        ]
        result: list[nodes.Node] = [counts(pages)]
        for title, scenarios in pages:
            section = self.section(title)
            for heading, group in groupby(scenarios, key=lambda scenario: scenario["heading"]):
                # The page's name makes the anchor of a heading that several pages have unambiguous.
                part = self.section(heading, f"{title} {heading}")
                part += nodes.bullet_list("", *(self.item(scenario, cells) for scenario in group))
                section += part
            result.append(section)
        return result

    def section(self, title: str, name: str | None = None) -> nodes.section:
        """A heading; `name` makes its anchor where the title alone would not do."""
        return nodes.section("", nodes.title(title, title), ids=[nodes.make_id(f"register {name or title}")])

    def item(self, scenario: dict[str, Any], cells: dict[str, str]) -> nodes.list_item:
        """One claim: a link to its cell, or why there is none yet."""
        claim, identifier = scenario["claim"], scenario["id"]
        notebook = cells.get(identifier)
        if notebook is None:
            reason = scenario.get("pending", "no cell shows it")
            text: list[nodes.Node] = [nodes.Text(f"{claim} "), nodes.emphasis("", f"Pending: {reason}.")]
        else:
            # The address is known to the builder alone: `fill_links` puts it in.
            text = [nodes.reference("", claim, notebook=notebook, scenario=identifier, internal=True)]
        return nodes.list_item("", nodes.paragraph("", "", *text), ids=[f"claim-{identifier}"])


def counts(pages: list[tuple[str, list[dict[str, Any]]]]) -> nodes.table:
    """How many claims each page makes, and how many of them a cell shows."""
    rows = [("page", "claims", "shown", "pending")]
    everything = [scenario for _, scenarios in pages for scenario in scenarios]
    for title, scenarios in [*pages, ("all", everything)]:
        pending = sum("pending" in scenario for scenario in scenarios)
        rows.append((title, *map(str, (len(scenarios), len(scenarios) - pending, pending))))
    group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in rows[0]), cols=len(rows[0]))
    group += nodes.thead("", row(rows[0]))
    group += nodes.tbody("", *map(row, rows[1:]))
    return nodes.table("", group)


def row(cells: tuple[str, ...]) -> nodes.row:
    """One row of a table."""
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", text)) for text in cells))


def fill_links(app: Sphinx, doctree: nodes.document) -> None:
    """Let the register's claims lead to their cells."""
    for link in doctree.findall(nodes.reference):
        if notebook := link.get("notebook"):
            page = app.builder.get_relative_uri(app.env.docname, f"notebooks/{notebook}")
            link["refuri"] = f"{page}#scenario-{link['scenario']}"


def mark_cells(app: Sphinx, doctree: nodes.document) -> None:
    """Put a line above each cell that shows scenarios: their anchors, with links back to the claims in the register."""
    register = app.builder.get_relative_uri(app.env.docname, "scenarios")
    # The list is complete before the first line goes in, because inserting moves what is still to be found.
    for cell in list(scenario_cells(doctree)):
        links: list[nodes.Node] = []
        for identifier in scenario_ids(cell["cell_metadata"]):
            link = nodes.reference("", identifier, refuri=f"{register}#claim-{identifier}", internal=True)
            links += [
                nodes.Text(" · " if links else "Shows "),
                nodes.inline("", "", link, ids=[f"scenario-{identifier}"]),
            ]
        cell.parent.insert(cell.parent.index(cell), nodes.paragraph("", "", *links, classes=["scenario"]))


def scenario_cells(doctree: nodes.document) -> Iterator[nodes.container]:
    """The notebook cells of a page that show a scenario."""
    for cell in doctree.findall(nodes.container):
        if scenario_ids(cell.get("cell_metadata", {})):
            yield cell


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx what is here."""
    app.add_directive("scenario-register", ScenarioRegister)
    app.connect("doctree-read", fill_links)
    app.connect("doctree-read", mark_cells)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
