"""The stand-ins that messages are provoked with, and the slots that they make."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

M, R = "zzmodelvalue", "zzruntimevalue"
RUNTIME, MODEL, NAMESPACE, FORMAT, SERVICE = "zzruntime", "zzmodel", "zznamespace", "zzformat", "zzservice"
REASON, KEY, NAMES, OTHER = "zzreason", "zzkey", "zznames", "zzother"

STAND_INS = {
    M: "m",
    R: "r",
    RUNTIME: "runtime",
    MODEL: "model",
    NAMESPACE: "namespace",
    FORMAT: "format",
    SERVICE: "service",
    REASON: "reason",
    KEY: "component",
    NAMES: "names",
    OTHER: "other",
}
"""The slot that each stand-in makes. A slot that comes twice in a message has the same value both times."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Provoked:
    """A text with stand-ins in it.

    Attributes:
        family: what the text is: `difference`, `reason`, `mismatch`, `excluded`, or `message`.
        text: the text.
        stand_ins: the slot of each stand-in; those of `STAND_INS` unless this says otherwise.
        key: the name of the rule that says what values can be in the slots, where there is one.
    """

    family: str
    text: str
    stand_ins: dict[str, str] = dataclasses.field(default_factory=dict)
    key: str = ""
