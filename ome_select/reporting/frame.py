"""A decision as a DataFrame. pandas is an extra and slow to import, so nothing else imports this module."""

from __future__ import annotations

import pandas

from ome_select.decision import Decision

_COLUMNS = {
    "runtime": "name",
    "scope": "scope",
    "compatible": "compatible",
    "priority": "priority",
    "weight": "weight",
    "score": "score",
    "distance": "distance",
    "decided_by": "decided_by",
    "reason": "reason",
}
_WHOLE = ("priority", "weight", "score")


def to_frame(decision: Decision) -> pandas.DataFrame:
    """One row for each runtime, in the table's order; numbers stay numbers, and what is not there is missing.

    The columns are runtime, scope, compatible, priority, weight, score, distance (in parameters), decided_by, reason.
    """
    rows = [[getattr(verdict, attribute) for attribute in _COLUMNS.values()] for verdict in decision.rows]
    frame = pandas.DataFrame(rows, columns=list(_COLUMNS))
    kinds = dict.fromkeys(_WHOLE, "Int64") | {"compatible": "bool", "distance": "float64"}
    return frame.astype(kinds)
