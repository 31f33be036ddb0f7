"""The parameter count of dense families whose config.json alone gives it exactly.

A family belongs here only if its every checkpoint has the parameters that its configuration says, neither more nor
less. Quantized checkpoints carry scales as well, and a checkpoint with code of its own may hold anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True, slots=True)
class _Family:
    """What sets one dense decoder apart from another.

    Attributes:
        qkv_bias: whether the projections of query, key and value always have a bias.
        optional_bias: whether `attention_bias` adds a bias to all four projections, and `mlp_bias` one to each of the
            three of the feed-forward part.
        head_norms: whether queries and keys are normalised for each head.
        only_tied: whether the count is exact only with tied embeddings, because there are embedding models under the
            same architecture whose files leave out the output layer.
    """

    qkv_bias: bool = False
    optional_bias: bool = False
    head_norms: bool = False
    only_tied: bool = False


_FAMILIES: Mapping[tuple[str, str], _Family] = {
    ("llama", "LlamaForCausalLM"): _Family(optional_bias=True),
    ("mistral", "MistralForCausalLM"): _Family(),
    ("qwen2", "Qwen2ForCausalLM"): _Family(qkv_bias=True),
    ("qwen3", "Qwen3ForCausalLM"): _Family(head_norms=True, optional_bias=True, only_tied=True),
}


def parameters_of(config: Mapping[str, Any], architecture: str, *, is_quantized: bool) -> int | str:
    """The parameter count of a model by its config.json alone, or the reason why that does not give it."""
    family = _FAMILIES.get((str(config.get("model_type")), architecture))
    if family is None:
        return f"config.json alone does not give the count of a {architecture or 'model without an architecture'}"
    if is_quantized:
        return "config.json alone does not give the count of a quantized model"
    if config.get("auto_map") is not None:
        return "config.json alone does not give the count of a model with code of its own (auto_map)"
    # All these families leave the embeddings untied unless the configuration says otherwise.
    tied = config.get("tie_word_embeddings") is True
    if family.only_tied and not tied:
        return f"config.json alone does not tell whether the files of a {architecture} hold an output layer"
    try:
        return _count(config, family, tied=tied)
    except _FieldError as error:
        return f"config.json alone does not give the count: {error}"


class _FieldError(Exception):
    """A field that the count needs is missing or is no count."""


def _whole(config: Mapping[str, Any], name: str, default: int | None = None) -> int:
    value = config.get(name)
    if value is None:
        value = default
    if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
        raise _FieldError(f"{name} is no whole number above 0")
    return value


def _count(config: Mapping[str, Any], family: _Family, *, tied: bool) -> int:
    hidden = _whole(config, "hidden_size")
    inner = _whole(config, "intermediate_size")
    layers = _whole(config, "num_hidden_layers")
    vocabulary = _whole(config, "vocab_size")
    heads = _whole(config, "num_attention_heads")
    queries = heads * _whole(config, "head_dim", hidden // heads)
    keys = queries // heads * _whole(config, "num_key_value_heads", heads)

    attention = hidden * queries + 2 * hidden * keys + queries * hidden
    if family.qkv_bias:
        attention += queries + 2 * keys
    elif family.optional_bias and config.get("attention_bias") is True:
        attention += queries + 2 * keys + hidden
    if family.head_norms:
        attention += 2 * (queries // heads)
    feed_forward = 3 * hidden * inner
    if family.optional_bias and config.get("mlp_bias") is True:
        feed_forward += 2 * inner + hidden
    norms = 2 * hidden

    embeddings = vocabulary * hidden * (1 if tied else 2)
    return embeddings + layers * (attention + feed_forward + norms) + hidden
