"""What can be wrong with a text, with the place where it is wrong."""

from __future__ import annotations


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
