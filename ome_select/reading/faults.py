"""What can be wrong with a text, with the place where it is wrong."""

from __future__ import annotations

from yaml.error import MarkedYAMLError, YAMLError
from yaml.reader import ReaderError


class TextError(ValueError):
    """A document that cannot be read.

    Attributes:
        kind: the kind of problem, as docs/problems.md lists it.
        message: what is wrong.
        advice: what to do.
        line, column: where, counted from 1 within the document's text.
    """

    def __init__(self, kind: str, message: str, advice: str, line: int, column: int) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.advice = advice
        self.line = line
        self.position = 0
        self.column = column


def syntax_error(error: YAMLError, text: str) -> TextError:
    """The parser's complaint, with its place and what to do about the usual causes."""
    if isinstance(error, MarkedYAMLError) and error.problem_mark is not None:
        mark = error.problem_mark
        line, column = mark.line + 1, mark.column + 1
        message = error.problem or "is no YAML"
    elif isinstance(error, ReaderError):
        before = text[: error.position]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        message = f"the character U+{error.character:04X} is not allowed in YAML"
    else:
        line, column, message = 1, 1, str(error)
    shown = text.split("\n")[line - 1] if line <= text.count("\n") + 1 else ""
    if "\t" in shown[: len(shown) - len(shown.lstrip())] or "tab character" in message:
        advice = "indent with spaces, not with tabs"
    elif "mapping values are not allowed" in message:
        advice = "quote the text that holds a colon, or correct the indentation"
    elif "cannot start any token" in message:
        advice = "quote the text that begins with this character"
    elif "not allowed in YAML" in message:
        advice = "remove it, or write it as an escape in double quotes"
    else:
        advice = "correct the YAML at this place; the cause may be the indentation or a quote in the lines above"
    return TextError("yaml-syntax", message, advice, line, column)
