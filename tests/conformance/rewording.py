"""The same page in other clothes: columns in another order, other headings, prose between, links around cells."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

_FILLER = (
    "This part was moved here from another page, and nothing in it has changed.",
    "People who run several clusters read this once and come back to it when a choice surprises them.",
    "!!! tip\n    Keep this page open while you write manifests.",
)


def _tables(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Where tables begin and end."""
    start: int | None = None
    fenced = False
    for index, line in enumerate([*lines, ""]):
        fenced ^= line.lstrip().startswith("```")
        is_row = line.startswith("|") and not fenced
        if is_row and start is None:
            start = index
        elif not is_row and start is not None:
            yield start, index
            start = None


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def _each_table(source: str, change: Callable[[list[list[str]]], list[list[str]]]) -> str:
    lines = source.split("\n")
    for start, end in _tables(lines):
        rows = change([_cells(line) for line in lines[start:end]])
        lines[start:end] = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines)


def permuted(source: str, chance: random.Random) -> str:
    """Every table with its columns in another order."""

    def change(rows: list[list[str]]) -> list[list[str]]:
        order = list(range(len(rows[0])))
        chance.shuffle(order)
        return [[row[index] for index in order] for row in rows]

    return _each_table(source, change)


def with_a_column(source: str, chance: random.Random) -> str:
    """Every table with one more column of prose."""

    def change(rows: list[list[str]]) -> list[list[str]]:
        place = chance.randint(0, len(rows[0]))
        words = ["Since", "---", *(["see the notes", "all releases", "common", "rare"] * len(rows))]
        return [[*row[:place], words[index], *row[place:]] for index, row in enumerate(rows)]

    return _each_table(source, change)


def with_links(source: str, chance: random.Random) -> str:
    """Code spans in tables as links, and plain words in cells emphasised."""

    def change(rows: list[list[str]]) -> list[list[str]]:
        head, rule, *body = rows
        linked = [[re.sub(r"(?<!\[)(`[^`]+`)", r"[\1](https://example.com/x)", cell) for cell in row] for row in body]
        strong = [[f"**{cell}**" if re.fullmatch(r"(?i)yes|no", cell) else cell for cell in row] for row in linked]
        return [head, rule, *strong]

    return _each_table(source, change)


def with_other_headings(source: str, chance: random.Random) -> str:
    """All headings renamed; links to them lead nowhere afterwards, so they go too."""
    unlinked = re.sub(r"\[([^\[\]]+)\]\([^)\s]*#[^)\s]*\)", r"\1", source)
    count = iter(range(1000))
    return re.sub(r"(?m)^(#+) .*$", lambda found: f"{found[1]} Part {chr(65 + next(count) % 26)}", unlinked)


def with_prose_between(source: str, chance: random.Random) -> str:
    """A paragraph of no consequence before every heading and at the end."""
    lines = []
    fenced = False
    for line in source.split("\n"):
        fenced ^= line.lstrip().startswith("```")
        if line.startswith("#") and not fenced and lines:
            lines += [chance.choice(_FILLER), ""]
        lines.append(line)
    return "\n".join([*lines, "", _FILLER[0], ""])


CHANGES: tuple[Callable[[str, random.Random], str], ...] = (
    permuted,
    with_a_column,
    with_links,
    with_other_headings,
    with_prose_between,
)
