"""Markdown → `Page`: GitHub's flavour, front matter, MkDocs admonitions and MyST directives.

The text is parsed, never executed, and nothing outside it is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from markdown_it.token import Token

from ome_select.conformance.markdown_parts import closing, inline, last_command, parser, slug
from ome_select.conformance.page import (
    Block,
    Fence,
    Heading,
    Link,
    OrderedList,
    Page,
    Paragraph,
    Row,
    Table,
    Text,
)

_SHELL = frozenset({"bash", "sh", "shell", "console", "shell-session", "zsh", "terminal"})
_EXPLICIT_ANCHOR = re.compile(r"\s*\{\s*[^}]*?#([\w.:-]+)[^}]*\}\s*$")
_HTML_ANCHOR = re.compile(r"""<\w+\b[^>]*\b(?:id|name)\s*=\s*["']([^"']+)["']""")
_TARGET_LINE = re.compile(r"^\(([\w.:-]+)\)=\s*$")
_DIRECTIVE = re.compile(r"^\{([\w:-]+)\}\s*(.*)$")
_CODE_DIRECTIVES = frozenset({"code", "code-block", "code-cell", "sourcecode", "literalinclude"})
_DESCRIPTION = re.compile(r"^(?:description|summary):\s*(.+)$")
_TITLE = re.compile(r"""title\s*=\s*["']([^"']*)["']""")


class _Builder:
    """Collects the blocks of one page while its tokens go by."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.headings: list[Heading] = []
        self.links: list[Link] = []
        self.anchors: set[str] = set()
        self._before: list[Text] = []
        self._slugs: dict[str, int] = {}
        self._command: tuple[str, int] | None = None

    @property
    def _heading(self) -> Heading | None:
        return self.headings[-1] if self.headings else None

    def read(self, source: str, offset: int = 0) -> None:
        """Add the blocks of a text whose first line is line `offset` + 1 of the page."""
        tokens = parser().parse(source)
        index = 0
        while index < len(tokens):
            index = self._block(tokens, index, offset)

    def _block(self, tokens: Sequence[Token], index: int, offset: int) -> int:
        token = tokens[index]
        if token.type == "heading_open":
            self._add_heading(tokens[index + 1], int(token.tag[1]), offset)
            return index + 3
        if token.type == "table_open":
            end = closing(tokens, index)
            self._add_table(tokens[index:end], offset)
            return end + 1
        if token.type == "ordered_list_open":
            # The items come as paragraphs too: this records only their order.
            self._add_list(tokens[index : closing(tokens, index)], offset)
        elif token.type == "inline":
            self._add_paragraph(token, offset)
        elif token.type == "front_matter":
            self._add_front_matter(token, offset)
        elif token.type in ("fence", "code_block"):
            self._add_code(token, offset)
        elif token.type == "html_block":
            self.anchors.update(_HTML_ANCHOR.findall(token.content))
        return index + 1

    def _note_inline(self, token: Token, offset: int) -> None:
        """Note the links and anchors of an inline token."""
        line = (token.map[0] if token.map else 0) + 1 + offset
        for child in token.children or ():
            if child.type in ("softbreak", "hardbreak"):
                line += 1
            elif child.type == "link_open":
                self.links.append(Link(target=str(child.attrs.get("href", "")), line=line))
            elif child.type == "html_inline":
                self.anchors.update(_HTML_ANCHOR.findall(child.content))

    def _add_heading(self, token: Token, level: int, offset: int) -> None:
        self._note_inline(token, offset)
        text = inline(token, offset)
        explicit = _EXPLICIT_ANCHOR.search(text.marked)
        anchors = []
        if explicit:
            text = text.part(0, explicit.start())
            anchors.append(explicit[1])
        made = slug(text.plain)
        # GitHub numbers headings of the same text; other site generators squeeze repeated dashes.
        count = self._slugs.get(made, 0)
        self._slugs[made] = count + 1
        for base in {made, re.sub(r"-+", "-", made).strip("-")}:
            anchors += [f"{base}-{count}", f"{base}_{count}"] if count else [base]
        self.headings.append(Heading(text=text, level=level, anchors=tuple(anchors)))
        self.anchors.update(anchors)
        self._before = []
        self._command = None

    def _add_table(self, tokens: Sequence[Token], offset: int) -> None:
        rows: list[Row] = []
        cells: list[Text] = []
        for token in tokens:
            if token.type == "tr_open":
                cells = []
            elif token.type == "inline":
                self._note_inline(token, offset)
                cells.append(inline(token, offset))
            elif token.type == "tr_close":
                rows.append(Row(cells=tuple(cells), line=cells[0].line if cells else 0))
        line = (tokens[0].map[0] if tokens[0].map else 0) + 1 + offset
        header, *body = rows
        self.blocks.append(
            Table(line=line, heading=self._heading, before=tuple(self._before), headers=header.cells, rows=tuple(body))
        )

    def _add_list(self, tokens: Sequence[Token], offset: int) -> None:
        level = tokens[0].level
        items: list[Text] = []
        for position, token in enumerate(tokens):
            if token.type == "list_item_open" and token.level == level + 1:
                first = next((after for after in tokens[position:] if after.type == "inline"), None)
                if first is not None:
                    items.append(inline(first, offset))
        line = (tokens[0].map[0] if tokens[0].map else 0) + 1 + offset
        self.blocks.append(
            OrderedList(line=line, heading=self._heading, before=tuple(self._before), items=tuple(items))
        )

    def _add_paragraph(self, token: Token, offset: int) -> None:
        if target := _TARGET_LINE.match(token.content):
            self.anchors.add(target[1])
            return
        self._note_inline(token, offset)
        text = inline(token, offset)
        if text.marked.strip():
            block = Paragraph(line=text.line, heading=self._heading, before=tuple(self._before), text=text)
            self.blocks.append(block)
            self._before.append(text)

    def _add_front_matter(self, token: Token, offset: int) -> None:
        """The description is prose like any other; the rest of the front matter is for the site."""
        for index, line in enumerate(token.content.splitlines()):
            if found := _DESCRIPTION.match(line):
                # The first line of the front matter is its mark.
                text = Text(marked=found[1].strip("\"' "), line=offset + index + 2)
                self.blocks.append(Paragraph(line=text.line, text=text))

    def _add_code(self, token: Token, offset: int) -> None:
        line = (token.map[0] if token.map else 0) + 1 + offset
        first_line = line + (token.type == "fence")
        info = token.info.strip()
        if directive := _DIRECTIVE.match(info):
            if directive[1] not in _CODE_DIRECTIVES:
                self.read(token.content, first_line - 1)
                return
            info = directive[2]
        language = info.split()[0].strip("{}.").lower() if info else ""
        title = _TITLE.search(info)
        self._add_fence(language, title[1] if title else "", token.content, line, first_line)

    def _add_fence(self, language: str, title: str, text: str, line: int, first_line: int) -> None:
        lines = text.splitlines()
        command, after = None, 0
        if language in _SHELL:
            command, after = last_command(lines)
        if command is not None:
            shown = "\n".join(lines[:after])
            self._append_fence(language, title, shown, line, first_line, None)
            self._command = (command, len(self._before))
            if any(rest.strip() for rest in lines[after:]):
                # A console block shows the command and, below it, what it prints.
                self._append_fence("output", title, "\n".join(lines[after:]), line, first_line + after, command)
            return
        # What a command prints follows it at once, or after one paragraph that leads over.
        follows = self._command
        printed = follows[0] if follows is not None and len(self._before) - follows[1] <= 1 else None
        if language in ("yaml", "yml", "json"):
            printed = None
        self._append_fence(language, title, text, line, first_line, printed)

    def _append_fence(
        self, language: str, title: str, text: str, line: int, first_line: int, command: str | None
    ) -> None:
        self.blocks.append(
            Fence(
                line=line,
                heading=self._heading,
                before=tuple(self._before),
                language=language,
                title=title,
                text=text,
                first_line=first_line,
                command=command,
            )
        )


def read_page(path: str, source: str) -> Page:
    """Read one page.

    Args:
        path: the page's name in reports.
        source: its text.
    """
    builder = _Builder()
    builder.read(source)
    return Page(
        path=path,
        headings=tuple(builder.headings),
        blocks=tuple(builder.blocks),
        links=tuple(builder.links),
        anchors=frozenset(builder.anchors),
    )
