"""What can be wrong with an object or with the file that it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from ome_select.resources import Origin

Severity = Literal["error", "refused", "warning"]
Path = tuple[str | int, ...]


_LONGEST = 1000
"""How many characters each part of a problem shows at most."""


class Problem(NamedTuple):
    """One fault of one object.

    Attributes:
        severity: `error`: the object cannot be used; `refused`: it can be read, but the API server would refuse it;
            `warning`: it is probably not what was meant.
        kind: what sort of problem it is; docs/problems.md lists them all.
        object: the object as `KIND/NAME` or `KIND/NAMESPACE/NAME`, or its place in the input where it has no name.
        path: the field, from the object's root; empty where the whole object is meant.
        message: what was found and what belongs there.
        advice: what to do.
        origin: the file, line and column, where they are known.
    """

    severity: Severity
    kind: str
    object: str
    message: str
    advice: str = ""
    path: Path = ()
    origin: Origin | None = None

    @property
    def field(self) -> str:
        """The field's path as the API server writes it, such as `spec.supportedModelFormats[0].priority`."""
        return path_text(self.path)

    def __str__(self) -> str:
        place = f"{self.origin.file}:{self.origin.line}:{self.origin.column}: " if self.origin else ""
        field = f": {shortened(self.field)}" if self.path else ""
        advice = f" ({shortened(self.advice)})" if self.advice else ""
        return f"{place}{shortened(self.object)}{field}: {shortened(self.message)}{advice}"


def shortened(text: str) -> str:
    """The text without its middle, where a value from a file makes it longer than anyone wants to read."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]} … {text[-_LONGEST // 2 :]}"


def path_text(path: Path) -> str:
    """A field's path as the API server writes it; a key that holds a dot or a slash stands in brackets."""
    text = ""
    for step in path:
        if isinstance(step, int) or "." in step or "/" in step:
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
    return text


def type_name(value: object, written: str | None = None) -> str:
    """What a value is, in the words of the messages; `written` is what stands in the file."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        meant = "true" if value else "false"
        return meant if written in (None, meant) else f"{written}, which is {meant},"
    if isinstance(value, int | float):
        return f"the number {value if written is None else written}"
    if isinstance(value, str):
        return f'the text "{value}"'
    return "a list" if isinstance(value, list | tuple) else "a map" if isinstance(value, Mapping) else repr(value)


def wrong_type(found: object, wanted: str, written: str | None = None) -> tuple[str, str]:
    """Message and advice for a value of a wrong type; `written` is what stands in the file."""
    advice = f"write {wanted}"
    if wanted == "a text" and isinstance(found, int | float):
        shown = str(found).lower() if isinstance(found, bool) else str(found)
        advice = f'quote it: "{shown if written is None else written}"'
    return f"found {type_name(found, written)} where {wanted} belongs", advice
