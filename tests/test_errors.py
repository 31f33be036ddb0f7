from __future__ import annotations

import pytest

from ome_select.errors import (
    InvalidModelError,
    InvalidObjectError,
    NoModelError,
    NoRuntimeFoundError,
    NotFoundError,
    OmeSelectError,
)


class TestTexts:
    """`str()` of an error that OME also has is OME's message (rules 2, 10 and 11)."""

    @pytest.mark.parametrize(
        ("error", "text"),
        [
            (InvalidModelError(), "invalid model specification: modelFormat.name: model format name is required"),
            (NoModelError("svc"), 'InferenceService "svc" has no spec.model; pass --model instead'),
            (NotFoundError("clusterbasemodels", "m"), 'clusterbasemodels.ome.io "m" not found'),
            (NotFoundError("inferenceservices", "s"), 'inferenceservices.ome.io "s" not found'),
            (InvalidObjectError(["one", "two"]), "one\ntwo"),
            (
                NoRuntimeFoundError(model_format="f", namespace="n", checked=(0, 0), excluded=[]),
                "no runtime found to support model f with format f in namespace n",
            ),
            (
                NoRuntimeFoundError(model_format="f", namespace="n", checked=(1, 2), excluded=[]),
                (
                    "no runtime found to support model f with format f in namespace n. "
                    "Checked 3 runtimes (1 namespace-scoped, 2 cluster-scoped)"
                ),
            ),
            (
                NoRuntimeFoundError(
                    model_format="safetensors",
                    namespace="llama-demo",
                    checked=(0, 1),
                    excluded=[
                        ("llama-3-3-70b-hopper", "runtime does not support the required accelerator class"),
                        ("z", "runtime is disabled"),
                    ],
                ),
                (
                    "no runtime found to support model safetensors with format safetensors in namespace llama-demo. "
                    "Checked 1 runtimes (0 namespace-scoped, 1 cluster-scoped). Excluded runtimes: "
                    "llama-3-3-70b-hopper (runtime does not support the required accelerator class); "
                    "z (runtime is disabled)"
                ),
            ),
        ],
    )
    def test_table(self, error: OmeSelectError, text: str) -> None:
        assert str(error) == text
        assert isinstance(error, OmeSelectError)

    def test_what_they_hold(self) -> None:
        missing = NotFoundError("inferenceservices", "s")
        assert (missing.resource, missing.name) == ("inferenceservices", "s")
        assert NoModelError("svc").service == "svc"
        assert InvalidObjectError(["one"]).problems == ("one",)
