"""List the exact texts of docs/rules.md against the tests that hold them: `python tests/spec_texts.py`.

A text is held when a string of a test has it, whatever stands in place of its `<…>`. Texts that no test can produce are
named below, each with the reason.

Exit status: 0 every text is held or explained; 1 otherwise.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "docs" / "rules.md"
SECTIONS = (*range(10, 17), 21)

NO_MESSAGE = "this is no message"
NO_FIELD = "the rules do not say which field it is about"
NEEDS_API = "only a failing API server gives it, and files never fail to be fetched"

UNTESTED = {
    "kubectl ome runtime explain": NO_MESSAGE,
    "kubectl ome runtime effective": NO_MESSAGE,
    "explain (--model NAME | --isvc NAME) [-n NAMESPACE]": NO_MESSAGE,
    "ome.io/inherit-from: <parent name>": NO_MESSAGE,
    "serving-runtime: <rt name>": NO_MESSAGE,
    "resources[].{name,quantity (default 1)}": NO_MESSAGE,
    "--tp-size=8 --pp-size=1 --mem-frac=0.9": NO_MESSAGE,
    "--tp-size=4 --pp-size=2 --mem-frac=0.85": NO_MESSAGE,
    "fetch parent %q: %w": NEEDS_API,
    "fetch cluster parent %q: %w": NEEDS_API,
    "merge %s onto effective: %w": NEEDS_API,
    "the target utilization percentage should be a [1-100] integer": NO_FIELD,
    'overlay "<o>" not found in namespace "<ns>": ...': NO_FIELD,
    "overlay name cannot be empty": NO_FIELD,
    'overlay "<o>" must not reference the primary model of the same kind/apiGroup': NO_FIELD,
    'overlay "<o>" is declared more than once': NO_FIELD,
    (
        "model reference is required when runtime is not specified and engine does not have complete runner "
        "configuration"
    ): "step 9 denies such a service first",
    "failed to resolve model <m>: %w": "step 11 denies a service without its model first",
    "chainsaw inject annotation is not allowed": "it cannot occur",
}
"""Texts that no test holds, and why."""

# What stands for something else: `<name>`, Go's verbs, dots, and the single letters of the examples.
_PLACEHOLDER = re.compile(r"<[^<>]*>|%[a-z]|\.\.\.|(?<![\w'])[abcdN](?![\w'])")


@dataclass(frozen=True, slots=True)
class Text:
    """An exact text, and the line of docs/rules.md that has it."""

    section: int
    line: int
    text: str

    def is_in(self, strings: Iterable[str]) -> bool:
        """Whether a string has the text, with something, or nothing, in place of each placeholder."""
        parts = _PLACEHOLDER.split(self.text)
        pattern = re.compile(".*?".join(map(re.escape, parts)), re.DOTALL)
        # Most strings have not even the longest part, which is found out much faster.
        longest = max(parts, key=len)
        return any(longest in string and pattern.search(string) is not None for string in strings)


def texts() -> Iterator[Text]:
    """Every text of at least three words that docs/rules.md marks as exact."""
    section, line = 0, 0
    for token in MarkdownIt("commonmark").enable("table").parse(RULES.read_text(encoding="utf-8")):
        line = token.map[0] + 1 if token.map else line
        if token.type == "inline" and (number := re.match(r"(\d+)\. ", token.content)) and token.level == 1:
            section = int(number[1])
        if section not in SECTIONS:
            continue
        if token.type == "fence":
            yield from (Text(section, line, row) for row in token.content.splitlines() if ". Checked " in row)
        for child in token.children or ():
            if child.type == "code_inline" and len(child.content.split()) >= 3:
                yield Text(section, line, child.content)


def strings(path: Path) -> Iterator[str]:
    """Every string in a Python file, joined where it goes over several lines; what is filled in shows as `…`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(part.value if isinstance(part, ast.Constant) else "…" for part in node.values)


# These name messages that nothing here produces.
_HOLD_NOTHING = ("test_spec_texts.py", "test_reworded_messages.py")


@cache
def holders() -> dict[Text, list[str]]:
    """Each text with the test files that hold it."""
    files = [path for path in sorted((ROOT / "tests").rglob("test_*.py")) if path.name not in _HOLD_NOTHING]
    held = {path.relative_to(ROOT).as_posix(): set(strings(path)) for path in files}
    return {text: [name for name, found in held.items() if text.is_in(found)] for text in texts()}


def main() -> int:
    found = holders()
    for text, files in found.items():
        print(f"{text.section:>2}  line {text.line:<4} {text.text}")
        print(f"    {', '.join(files) or UNTESTED.get(text.text) or 'NO TEST HOLDS THIS'}")
    open_ends = [text for text, files in found.items() if not files and text.text not in UNTESTED]
    tested = sum(bool(files) for files in found.values())
    explained = len(found) - tested - len(open_ends)
    print(f"\n{len(found)} texts: {tested} tested, {explained} explained, {len(open_ends)} open")
    return 1 if open_ends else 0


if __name__ == "__main__":
    sys.exit(main())
