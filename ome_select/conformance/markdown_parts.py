"""Small parts of reading Markdown: the parser, inline text, anchors, and the commands of shell blocks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

from ome_select.conformance.page import Text

_PROMPT = re.compile(r"^\s*[$#%>]\s+")


def parser() -> MarkdownIt:
    """A parser of Markdown as GitHub and MkDocs read it."""
    made = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    return made.use(front_matter_plugin).use(admon_plugin)


def slug(text: str) -> str:
    """A heading's anchor as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def inline(token: Token, offset: int = 0) -> Text:
    """The text of an inline token, with code between backticks and the offsets of its line breaks.

    An item of a list is read twice, as an item and as a paragraph: both times it is the same text.
    """
    known = token.meta.get("text")
    if isinstance(known, Text):
        return known
    parts: list[str] = []
    breaks: list[int] = []
    length = 0
    for child in token.children or ():
        if child.type == "code_inline":
            part = "`" + child.content.replace("`", "'") + "`"
        elif child.type in ("softbreak", "hardbreak"):
            part = " "
            breaks.append(length)
        elif child.type == "image":
            part = child.content
        else:
            part = child.content if child.type == "text" else ""
        parts.append(part)
        length += len(part)
    line = (token.map[0] if token.map else 0) + 1 + offset
    text = Text(marked="".join(parts), line=line, breaks=tuple(breaks))
    token.meta["text"] = text
    return text


def last_command(lines: Sequence[str]) -> tuple[str | None, int]:
    """The last command of a shell block, and the index of the first line after it."""
    prompted = [index for index, line in enumerate(lines) if _PROMPT.match(line) and not line.startswith("#")]
    if prompted:
        start = end = prompted[-1]
        while end < len(lines) - 1 and lines[end].rstrip().endswith("\\"):
            end += 1
        text = " ".join(line.rstrip().rstrip("\\") for line in lines[start : end + 1])
        return _PROMPT.sub("", text).strip(), end + 1
    joined = "\n".join(lines).replace("\\\n", " ")
    commands = [line.strip() for line in joined.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return (" ".join(commands[-1].split()) if commands else None), len(lines)


def closing(tokens: Sequence[Token], index: int) -> int:
    """The index of the token that closes the one at `index`."""
    wanted, level = tokens[index].type.replace("_open", "_close"), tokens[index].level
    return next(
        position
        for position in range(index + 1, len(tokens))
        if tokens[position].type == wanted and tokens[position].level == level
    )
