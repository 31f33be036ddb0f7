"""The fields of the records that a cluster holds, as tables made from the records themselves.

`{record-fields}` with the name of a record of `ome_select.resources` is a table of its fields, with what each takes and
what it is unless set. `{record-parts}` is one table of several records, one a line, with the names of their fields.
"""

from __future__ import annotations

import dataclasses
import sys
from typing import Any, get_args

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from ome_select import resources


def fields_of(name: str) -> list[dataclasses.Field[Any]]:
    """The fields of a record that say something of the object; where it was read from is not among them."""
    return [field for field in dataclasses.fields(getattr(resources, name)) if field.compare]


def taken(name: str, field: dataclasses.Field[Any]) -> str:
    """What a field takes: its type, or the texts that it may be."""
    kind = str(field.type)
    texts = get_args(getattr(sys.modules[getattr(resources, name).__module__], kind, None))
    return " | ".join(map(repr, texts)) or kind


def unless_set(field: dataclasses.Field[Any]) -> str:
    """The value of a field that is not given."""
    if field.default_factory is not dataclasses.MISSING:
        return repr(dict(field.default_factory()))
    return "" if field.default is dataclasses.MISSING else repr(field.default)


def code(*texts: str) -> nodes.entry:
    """A cell with texts of code, between commas."""
    paragraph = nodes.paragraph()
    for text in filter(None, texts):
        if len(paragraph):
            paragraph += nodes.Text(", ")
        paragraph += nodes.literal(text, text)
    return nodes.entry("", paragraph)


def table(headers: tuple[str, ...], rows: list[list[nodes.entry]]) -> nodes.table:
    """A table with these headers."""
    group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in headers), cols=len(headers))
    head = nodes.row("", *(nodes.entry("", nodes.paragraph(header, header)) for header in headers))
    group += nodes.thead("", head)
    group += nodes.tbody("", *(nodes.row("", *cells) for cells in rows))
    return nodes.table("", group)


class RecordFields(SphinxDirective):
    """Every field of one record."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The nodes that the page gets."""
        name = self.arguments[0]
        rows = [[code(field.name), code(taken(name, field)), code(unless_set(field))] for field in fields_of(name)]
        return [table(("field", "takes", "unless set"), rows)]


class RecordParts(SphinxDirective):
    """Several records with the names of their fields."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """The nodes that the page gets."""
        rows = [[code(name), code(*(field.name for field in fields_of(name)))] for name in self.content]
        return [table(("record", "fields"), rows)]


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx what is here."""
    app.add_directive("record-fields", RecordFields)
    app.add_directive("record-parts", RecordParts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
