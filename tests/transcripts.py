"""The commands that pages show, with what they print.

`python -m tests.transcripts` (`make pages`) runs them and stores what they print; read the diff before you commit it.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_RUN = re.compile(r"<!-- not run: (?P<reason>.+) -->\n\n?\Z")
ANY_LINES = re.compile(r"^\.\.\.\n", re.MULTILINE)
"""A line of three dots stands for any lines."""


class Block(NamedTuple):
    """A fenced block of a page; `not_run` is the reason that the comment above it gives, if there is one."""

    page: Path
    line: int
    language: str
    text: str
    not_run: str | None

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT).as_posix()}:{self.line}"


def blocks(language: str) -> list[Block]:
    """All blocks of one language, page by page."""
    found = []
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        for match in FENCE.finditer(text):
            if match["language"] == language:
                reason = NOT_RUN.search(text[: match.start()])
                line = text.count("\n", 0, match.start()) + 2
                found.append(Block(path, line, language, match["text"], reason and reason["reason"]))
    return found


def script(transcript: str) -> str:
    """A shell script that prints the transcript's prompts and runs its commands; `$?` is what it is at a terminal."""
    lines = ["status=0", "exec 2>&1"]
    for line in transcript.splitlines():
        if line.startswith("$ "):
            command = line.removeprefix("$ ")
            lines += [f"printf '%s\\n' {shlex.quote(line)}", "(exit $status)", command, "status=$?"]
    return "\n".join(lines)


def run(transcript: str) -> str:
    """The same commands, from the project's root, with what they print now."""
    # Pages call the project's own program, whether they name it alone or with its folder.
    search = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", script(transcript.replace("$ .venv/bin/", "$ "))],
        cwd=ROOT,
        env={**os.environ, "PATH": search, "COLUMNS": "80"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
    prompts = iter([line for line in transcript.splitlines(keepends=True) if line.startswith("$ ")])
    return re.sub(r"^\$ .*\n", lambda _: next(prompts), done.stdout, flags=re.MULTILINE)


def matches(written: str, printed: str) -> bool:
    """Whether a page shows what was printed."""
    return re.fullmatch("(?:.*\n)*?".join(map(re.escape, ANY_LINES.split(written))), printed) is not None


def main() -> None:
    """Store what the commands print now, where a page shows something else."""
    for block in blocks("console"):
        if block.not_run or matches(block.text, printed := run(block.text)):
            continue
        if ANY_LINES.search(block.text):
            print(f"{block}: prints something else; it leaves out lines, so change it by hand")
            continue
        text = block.page.read_text(encoding="utf-8")
        block.page.write_text(
            text.replace(f"```console\n{block.text}```", f"```console\n{printed}```"), encoding="utf-8"
        )
        print(f"{block}: stored")


if __name__ == "__main__":
    main()
