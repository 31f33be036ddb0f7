"""What values can stand together in a message: each check gives the reason why OME cannot have said so, or None.

A check gets the values of the message's slots (placeholders left out), the keys of the messages inside it, and the
values of all of those.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ome_select.compiled import DEPLOYMENT_MODES
from ome_select.conformance.probes import passes_size
from ome_select.conformance.words import whole
from ome_select.versions import OPERATORS, version_accepts

Values = Mapping[str, str]
Check = Callable[[Values, Sequence[str], Sequence[Values]], str | None]


def _counts(values: Values, keys: Sequence[str], inner: Sequence[Values]) -> str | None:
    numbers = {name: found for name in ("n", "a", "b") if (found := whole(values.get(name, ""))) is not None}
    if len(numbers) < 3:
        return None
    if numbers["n"] != numbers["a"] + numbers["b"]:
        return f"{numbers['a']} and {numbers['b']} runtimes are {numbers['a'] + numbers['b']}, not {numbers['n']}"
    if numbers["n"] == 0:
        return "without a candidate, the message ends after the namespace"
    named = [given["runtime"] for given in inner if "runtime" in given]
    if len(named) > numbers["n"]:
        return f"it excludes {len(named)} of {numbers['n']} runtimes"
    return "it excludes a runtime twice" if len(set(named)) < len(named) else None


def _size(values: Values, keys: Sequence[str], inner: Sequence[Values]) -> str | None:
    if "size" not in values:
        return None
    bounds = values.get("min"), values.get("max")
    return f"a model of {values['size']} is inside this range" if passes_size(bounds, values["size"]) else None


def _differ(values: Values, keys: Sequence[str], inner: Sequence[Values]) -> str | None:
    if "m" in values and values["m"] == values.get("r"):
        return f"both sides are {values['m']}, which is no mismatch"
    return None


def _versions(values: Values, keys: Sequence[str], inner: Sequence[Values]) -> str | None:
    if "m" not in values or "r" not in values:
        return None
    if all(version_accepts(entry=values["r"], operator=operator, model=values["m"]) for operator in OPERATORS):
        return f"an entry with {values['r']} accepts {values['m']} whatever its operator"
    return None


def _modes(values: Values, keys: Sequence[str], inner: Sequence[Values]) -> str | None:
    for mode in values.values():
        if mode not in DEPLOYMENT_MODES:
            return f"{mode} is no deployment mode and counts as none"
    return "both sides have the same mode" if len(values) == 2 and len(set(values.values())) == 1 else None


def _label(values: Values, keys: Sequence[str], inner: Sequence[Values]) -> str | None:
    label = values.get("label", "")
    if not label:
        return None
    if not label.startswith("mt:"):
        return f"a label begins with mt:, not {label}"
    for given in inner:
        # What the model has and the runtime has not is part of the model's label.
        if given.get("m", "") and "r" in given and given["m"] not in label and "<" not in given["m"]:
            return None if "/" in given["m"] else f"the model {label} does not have {given['m']}"
    return None


def _subject(values: Values, keys: Sequence[str], inner: Sequence[Values]) -> str | None:
    if keys and not set(keys) & {"label", "size"}:
        return "this reason names no model: nothing stands between `model` and the colon"
    return None


def _no_subject(values: Values, keys: Sequence[str], inner: Sequence[Values]) -> str | None:
    return "this reason names the model's format before the colon" if set(keys) & {"label", "size"} else None


CHECKS: Mapping[str, Check] = {
    "counts": _counts,
    "size": _size,
    "differ": _differ,
    "versions": _versions,
    "modes": _modes,
    "label": _label,
    "subject": _subject,
    "no subject": _no_subject,
}
