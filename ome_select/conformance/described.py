"""What pages say about objects outside whole manifests: in parts of manifests, in tables, and in prose.

Each saying is a `Statement`: object, field, value, line. They make up the page's cluster, and two of them about one
field of one object must agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ome_select.conformance.page import Page, Table, Text
from ome_select.conformance.words import NAME, WHOLE, is_name, is_size, is_unset, kind_of_runtime, value_of
from ome_select.problems import Path

FORMAT = ("spec", "supportedModelFormats", 0, "modelFormat")
FRAMEWORK = ("spec", "supportedModelFormats", 0, "modelFramework")
PRIORITY = ("spec", "supportedModelFormats", 0, "priority")
RANGE = ("spec", "modelSizeRange")
SIZE = ("spec", "modelParameterSize")

PRODUCT = re.compile(rf"\((?P<format>{WHOLE})\s*\+\s*(?P<framework>{WHOLE})\)\s*[×x*·]\s*(?P<priority>{WHOLE})")
"""A score as pages write it: `(2 + 1) × 2`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Statement:
    """One thing that a page says about one object.

    Attributes:
        role: `runtime` or `model`.
        name: the object's name.
        path: the field, from the object's root.
        value: what it is said to be.
        line: the line of the page.
        source: the sentence or cell, or None for a line of YAML.
    """

    page: str
    role: str
    name: str
    path: Path
    value: Any
    line: int
    source: Text | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class RuntimeRow:
    """A row of a table that describes runtimes. What a cell says is None where it says nothing of the kind."""

    name: str
    line: int
    name_cell: Text
    kind_cell: Text | None
    range_cell: Text | None
    score_cell: Text | None
    distance_cell: Text | None
    kind: str | None
    namespace: str | None
    bounds: tuple[str | None, str | None] | None
    product: re.Match[str] | None


def runtime_rows(table: Table) -> list[RuntimeRow]:
    """The rows of a table that describes runtimes by kind, range and score; empty for any other table."""
    names = table.column(r"\bruntime\b|\bname\b")
    kind, score = table.column(r"\bkind\b|\bscope\b|\btype\b"), table.column(r"\bscore\b")
    size_range = table.column(r"range|\bbounds\b|\bsizes?\b", avoid="distance|model ?parameter")
    distance = table.column(r"distance|how far")
    if names is None or not {kind, score, size_range} - {None}:
        return []
    if any(len(row.cells[names].codes) != 1 or not is_name(row.cells[names].codes[0].text) for row in table.rows):
        return []
    if score is None and (kind is None or size_range is None):
        return []

    def cell(row_cells: tuple[Text, ...], column: int | None) -> Text | None:
        return None if column is None else row_cells[column]

    rows = []
    for row in table.rows:
        kind_cell, range_cell, score_cell = (cell(row.cells, column) for column in (kind, size_range, score))
        rows.append(
            RuntimeRow(
                name=value_of(row.cells[names]),
                line=row.line,
                name_cell=row.cells[names],
                kind_cell=kind_cell,
                range_cell=range_cell,
                score_cell=score_cell,
                distance_cell=cell(row.cells, distance),
                kind=kind_of_runtime(kind_cell.plain) if kind_cell else None,
                namespace=next((code.text for code in kind_cell.codes if is_name(code.text)), None)
                if kind_cell
                else None,
                bounds=bounds_of(range_cell) if range_cell else None,
                product=PRODUCT.search(score_cell.plain) if score_cell else None,
            )
        )
    return rows


_BOUNDS = re.compile(
    r"^[\[(]?\s*(?P<min>-inf|[\w.+]+)\s*(?:,|to|–|—|-|and|up to)\s*(?P<max>[\w.+]+)\s*[\])]?$", re.IGNORECASE
)


def bounds_of(text: Text) -> tuple[str | None, str | None] | None:
    """The range that a cell shows: `1B` to `8B`, `1B–8B`, `[1B, 8B]`; None where it shows none."""
    if is_unset(text):
        return (None, None)
    found = _BOUNDS.match(text.plain)
    if not found:
        return None
    low, high = (None if bound.lower() in ("-inf", "inf", "any") else bound for bound in (found["min"], found["max"]))
    return low, high


def _of_rows(page: Page) -> Iterator[Statement]:
    for table in page.tables:
        for row in runtime_rows(table):

            def said(path: Path, value: Any, cell: Text | None, row: RuntimeRow = row) -> Statement:
                return Statement(
                    page=page.path, role="runtime", name=row.name, path=path, value=value, line=row.line, source=cell
                )

            if row.kind:
                yield said(("kind",), row.kind, row.kind_cell)
            if row.kind == "ServingRuntime" and row.namespace:
                yield said(("metadata", "namespace"), row.namespace, row.kind_cell)
            for bound, value in zip(("min", "max"), row.bounds or (None, None), strict=True):
                if value is not None:
                    yield said((*RANGE, bound), value, row.range_cell)
            if row.product:
                yield said((*FORMAT, "weight"), int(row.product["format"]), row.score_cell)
                yield said((*FRAMEWORK, "weight"), int(row.product["framework"]), row.score_cell)
                yield said(PRIORITY, int(row.product["priority"]), row.score_cell)


_MODEL = re.compile(rf"\b(?P<kind>ClusterBaseModel|BaseModel|[Mm]odel)\s+`(?P<name>{NAME})`")
_PAIR = re.compile(
    r"(?P<role>format|framework)?\s*`(?P<name>[a-z][\w-]*)`\s+(?:version\s+)?`(?P<version>v?\d[\w.+-]*)`"
)
_NAMESPACE = re.compile(rf"\b(?:in|namespace)\s+(?:the\s+)?(?:namespace\s+)?`(?P<name>{NAME})`")
_SIZE_FIELD = re.compile(r"^modelParameterSize:\s*[\"']?(?P<size>[^\"']+)[\"']?$")
_ARCHITECTURE = re.compile(r"^[A-Z][A-Za-z0-9]*(?:LM|Model|Generation|Classification|Pipeline|Transformer\w*)$")


def _of_prose(page: Page) -> Iterator[Statement]:
    """A paragraph that names a model and at least two of its facts describes it."""
    for paragraph in page.paragraphs:
        text = paragraph.text
        found = _MODEL.search(text.marked)
        if found is None:
            continue
        facts: list[tuple[Path, str, int]] = []
        for pair in _PAIR.finditer(text.marked):
            if is_name(pair["name"]) and pair["name"] != found["name"]:
                seen = {path[1] for path, _, _ in facts}
                role = {"format": "modelFormat", "framework": "modelFramework"}.get(pair["role"] or "")
                role = role or ("modelFramework" if "modelFormat" in seen else "modelFormat")
                facts.append((("spec", role, "name"), pair["name"], pair.start("name")))
                facts.append((("spec", role, "version"), pair["version"], pair.start("version")))
        for code in text.codes:
            if _ARCHITECTURE.match(code.text):
                facts.append((("spec", "modelArchitecture"), code.text, code.start))
            elif field := _SIZE_FIELD.match(code.text):
                facts.append((SIZE, field["size"], code.start))
            elif is_size(code.text) and len(facts) > 1 and all(path != SIZE for path, _, _ in facts):
                facts.append((SIZE, code.text, code.start))
        if len(facts) < 2:
            continue
        kind = found["kind"]
        namespace = _NAMESPACE.search(text.marked, found.end())
        if namespace and kind != "ClusterBaseModel":
            facts.append((("metadata", "namespace"), namespace["name"], namespace.start("name")))
            kind = "BaseModel"
        facts.append((("kind",), "BaseModel" if kind == "BaseModel" else "ClusterBaseModel", found.start()))
        for path, value, offset in facts:
            sentence = next((part for part in text.sentences if value in part.marked), text)
            line = text.line_at(offset)
            yield Statement(
                page=page.path, role="model", name=found["name"], path=path, value=value, line=line, source=sentence
            )


def statements(page: Page) -> tuple[Statement, ...]:
    """Everything that a page's tables and prose say about runtimes and models."""
    return (*_of_rows(page), *_of_prose(page))
