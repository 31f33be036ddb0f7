"""What `to_data` gives, as a JSON Schema; docs/decision-schema.json is this.

Run `python -m ome_select.reporting.schema > docs/decision-schema.json` after a change.
"""

from __future__ import annotations

import json
from typing import Any

from ome_select.reporting.data import SCHEMA_VERSION


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _described(description: str, *types: str, **more: Any) -> dict[str, Any]:
    return {"description": description, "type": list(types) if len(types) > 1 else types[0], **more}


_IDENTITY = {
    "kind": _described("The object's kind.", "string"),
    "namespace": _described("Its namespace; null at cluster scope.", "string", "null"),
    "name": _described("Its name.", "string"),
    "file": _described("The file that it was read from; null where there is none.", "string", "null"),
    "line": _described("The line that its document begins on, from 1.", "integer", "null"),
}

_VERSIONED = _object(
    {"name": _described("Its name.", "string"), "version": _described("Its version as written.", "string", "null")}
) | {"type": ["object", "null"]}

_CHECK = _object(
    {
        "check": _described("The check's name, in OME's order.", "string"),
        "status": {
            "description": "Checks after the first failure are not evaluated.",
            "enum": [
                "passed",
                "failed",
                "not evaluated",
            ],
        },
        "reason": _described("Why it failed.", "string", "null"),
    }
)

_ROW = _object(
    {
        **_IDENTITY,
        "scope": {"description": "The SCOPE column.", "enum": ["Namespaced", "Cluster"]},
        "compatible": _described("The COMPATIBLE column: whether auto-selection can choose it.", "boolean"),
        "supportsModel": _described("Whether it passes the checks that say whether it can run the model.", "boolean"),
        "reason": _described("The REASON column; null where it is compatible.", "string", "null"),
        "score": _described("The score; 0 where it does not support the model.", "integer"),
        "formatPart": _described("What the format adds to the score of the scoring entry.", "integer", "null"),
        "frameworkPart": _described("What the framework adds to it.", "integer", "null"),
        "scoringEntry": _described("The index of the entry that gives the score, from 0.", "integer", "null"),
        "firstMatch": _described("The index of the first entry that matches the model, from 0.", "integer", "null"),
        "priority": _described("The PRIORITY column, of the first matching entry.", "integer", "null"),
        "weight": _described("The WEIGHT column, of the first matching entry.", "integer", "null"),
        "distance": _described(
            "How far the size range is from the model's size, in parameters; a text where it is no finite number.",
            "number",
            "string",
            "null",
        ),
        "decidedBy": {
            "description": "What puts it ahead of the next row that is compatible.",
            "enum": ["scope", "score", "size distance", "name", None],
        },
        "checks": {"description": "Every check with its outcome.", "type": "array", "items": _CHECK},
    }
)

DECISION_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A decision of ome-select",
    **_object(
        {
            "schemaVersion": {
                "description": "The version of this schema. It grows when a field goes or changes its meaning.",
                "const": SCHEMA_VERSION,
            },
            "release": _described("Whose rules were applied.", "string"),
            "namespace": _described("The namespace whose ServingRuntimes are candidates.", "string"),
            "model": _object(
                {
                    **_IDENTITY,
                    "format": _VERSIONED,
                    "framework": _VERSIONED,
                    "architecture": _described("Its architecture.", "string", "null"),
                    "quantization": _described("Its quantization.", "string", "null"),
                    "parameterSize": _described("Its size as written, such as 8B.", "string", "null"),
                }
            ),
            "service": _object(_IDENTITY)
            | {
                "description": "The InferenceService that was asked about; null when a model was.",
                "type": ["object", "null"],
            },
            "selected": _described("The name of the runtime that OME picks.", "string", "null"),
            "selectedScope": {"description": "Its scope.", "enum": ["Namespaced", "Cluster", None]},
            "error": _described("OME's message when it picks none.", "string", "null"),
            "note": _described("What is worth knowing about the answer.", "string", "null"),
            "checked": {
                "description": "How many runtimes there were.",
                **_object(
                    {
                        "namespaced": _described("ServingRuntimes of the namespace.", "integer"),
                        "cluster": _described("ClusterServingRuntimes.", "integer"),
                    }
                ),
            },
            "rows": {"description": "Every runtime, in the order of the table.", "type": "array", "items": _ROW},
        }
    ),
}


def schema_text() -> str:
    """The text of docs/decision-schema.json."""
    return json.dumps(DECISION_SCHEMA, indent=2) + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")
