"""How a model is quantized (docs/rules.md, section 17.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# The names that OME writes into `quantization`; anything else stays unset.
_KNOWN = frozenset({"fp8", "fbgemm_fp8", "int4", "nvfp4", "mxfp4", "compressed-tensors"})
# These count as int4 where they pack four bits.
_BY_BITS = frozenset({"gptq", "awq"})


def _text(block: Mapping[str, Any], key: str) -> str:
    value = block.get(key)
    return value if isinstance(value, str) else ""


def raw_type(block: Mapping[str, Any]) -> str:
    """What OME reads as the type of a `quantization_config`: its format, else its method; empty without either."""
    return _text(block, "format") or _text(block, "quant_method")


def from_config(block: Mapping[str, Any]) -> str | None:
    """The model's `quantization` by the block `quantization_config` of config.json; None where it stays unset."""
    method = _text(block, "quant_method").lower()
    if method == "modelopt":
        return from_algorithm(_text(block, "quant_algo"))
    if method in _BY_BITS:
        return "int4" if block.get("bits") == 4 else None
    return method if method in _KNOWN else None


def from_algorithm(algorithm: str) -> str | None:
    """The model's `quantization` by a `quant_algo` of ModelOpt, such as `NVFP4`; None where it stays unset.

    That the four-bit AWQ of ModelOpt counts as int4, as AWQ does, is inferred.
    """
    name = algorithm.lower()
    if name.startswith("w4") and name.endswith("_awq"):
        return "int4"
    return name if name in _KNOWN else None


def algorithm_of(quant_config: Mapping[str, Any]) -> str:
    """The `quant_algo` of a hf_quant_config.json; empty where it has none."""
    block = quant_config.get("quantization")
    return _text(block, "quant_algo") if isinstance(block, Mapping) else ""
