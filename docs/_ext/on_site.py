"""What pages need on the site alone.

Links that mean the same there and in the repository, anchors of the rules that outlive a new wording, long messages
that wrap, and pictures with a text.
"""

from __future__ import annotations

import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

DOCS = Path(__file__).resolve().parents[1]
NOTEBOOKS = DOCS.parent / "notebooks"
LONGEST_LINE = 100
COLUMNS = re.compile(r"\S {3,}\S")
NUMBER = re.compile(r"(\d+(?:\.\d+)?)\.? ")


def copy_notebooks(app: Sphinx, config: Config) -> None:
    """Put the notebooks where Sphinx looks for pages: docs/notebooks, which is not kept.

    A notebook links to `../docs/page.md`, as it lies in the repository; on the site, pages are one folder up. What has
    not changed is not written, so that Sphinx does not read it again.
    """
    target = DOCS / "notebooks"
    target.mkdir(exist_ok=True)
    for old in target.glob("*.ipynb"):
        if not (NOTEBOOKS / old.name).exists():
            old.unlink()
    for path in NOTEBOOKS.glob("*.ipynb"):
        copy, text = target / path.name, path.read_text(encoding="utf-8").replace("](../docs/", "](../")
        if not copy.exists() or copy.read_text(encoding="utf-8") != text:
            copy.write_text(text, encoding="utf-8")


def rule_anchors(app: Sphinx, doctree: nodes.document) -> None:
    """Give the section that is numbered 9, or 12.3, of the rules the anchor `section-9`, or `section-12.3`."""
    if app.env.docname == "rules":
        for section in doctree.findall(nodes.section):
            if number := NUMBER.match(section.next_node(nodes.title).astext()):
                section["ids"].append(f"section-{number[1]}")


def long_messages(app: Sphinx, doctree: nodes.document) -> None:
    """Mark blocks of long sentences, which wrap; blocks with columns, or of code, keep their lines and scroll."""
    for block in doctree.findall(nodes.literal_block):
        text = block.astext()
        is_output = block.get("language") in ("text", "console", "myst-ansi")
        if is_output and max(map(len, text.splitlines()), default=0) > LONGEST_LINE and not COLUMNS.search(text):
            block["classes"].append("long-lines")


def picture_texts(app: Sphinx, doctree: nodes.document) -> None:
    """The text of a picture is what Jupyter shows in its place, where no picture can be shown."""
    for bundle in doctree.findall(nodes.container):
        if bundle.get("nb_element") == "mime_bundle":
            texts = [part.astext() for part in bundle.children if part["mime_type"] == "text/plain"]
            for picture in bundle.findall(nodes.image):
                if texts and "alt" not in picture:
                    picture["alt"] = texts[0]


def dashes(app: Sphinx, doctree: nodes.document) -> None:
    """Sphinx puts two hyphens between a parameter and what it means; a dash reads better."""
    for text in list(doctree.findall(nodes.Text)):
        if text == " -- ":
            text.parent.replace(text, nodes.Text(" – "))


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx what is here."""
    app.connect("config-inited", copy_notebooks)
    app.connect("doctree-read", rule_anchors)
    app.connect("doctree-read", long_messages)
    app.connect("doctree-read", picture_texts)
    app.connect("doctree-read", dashes)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
