"""How a policy ranks the accelerator classes that are left (docs/rules.md, section 16.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from ome_select.quantities import gibibytes, parse_quantity, whole
from ome_select.resources import AcceleratorClass, AcceleratorConstraints, Performance

Basis = str
"""What a value is: `score`, or the field of `cost` that it comes from."""

Values = Sequence[tuple[float, Basis] | None]
"""Each class's value under a policy; None for a class that the policy cannot use."""

_TIERS = {"low": 1, "medium": 2, "high": 3}
_UNKNOWN_TIER = 2


def amount(quantity: str | None) -> Fraction | None:
    """A quantity as a number; None where it is not set."""
    return None if quantity is None else parse_quantity(quantity)


def _memory(cls: AcceleratorClass) -> float:
    """A class's memory in GiB; 0 where it is not set."""
    return gibibytes(amount(cls.memory_gb) or Fraction(0))


def throughput(performance: Performance | None, precision: str) -> int:
    """What a class reaches in a precision, whatever its case; 0 for a precision that OME does not know."""
    if performance is None:
        return 0
    return {
        "fp32": performance.fp32_tflops,
        "fp16": performance.fp16_tflops,
        "fp8": performance.int8_tops,
        "int8": performance.int8_tops,
        "int4": performance.int4_tops,
    }.get(precision.lower(), 0)


def _memory_fit(cls: AcceleratorClass, minimum: int | None) -> float:
    """The M of BestFit: the closer the memory is to what is asked for, the better.

    Without `minMemory` it is 1 for every class, those without `memoryGB` included: the recorded answers say so, against
    the order of the cases in rule 16.3.
    """
    if minimum is None:
        return 1.0
    memory = _memory(cls)
    if memory == minimum:
        return 1.0
    return minimum / memory if memory > 0 else 0.0


def _performance_fit(performance: Performance | None, constraints: AcceleratorConstraints) -> float:
    """The P of BestFit: the preferred precision counts full, each later one on the list half of the one before."""
    if performance is None:
        return 0.0
    required = constraints.min_compute_performance_tflops or 0

    def fit(reached: int) -> float:
        if reached == 0:
            return 0.0
        return 1.0 if required == 0 else min(1.0, reached / required)

    preferred = constraints.preferred_precisions
    if not preferred:
        return fit(max(throughput(performance, precision) for precision in ("fp32", "fp16", "int8", "int4")))
    for index, precision in enumerate(preferred):
        reached = throughput(performance, precision)
        if reached > 0:
            return fit(reached) * 0.5**index
    # None of the list is reached: fp16 stands in. Where the list holds fp16, it is 0 here, and so is what it adds.
    return fit(performance.fp16_tflops) * 0.5 ** len(preferred)


def _best_fit(classes: Sequence[AcceleratorClass], constraints: AcceleratorConstraints) -> Values:
    return [
        (
            0.70 * _memory_fit(cls, constraints.min_memory) + 0.30 * _performance_fit(cls.performance, constraints),
            "score",
        )
        for cls in classes
    ]


def _reached(performance: Performance | None, constraints: AcceleratorConstraints) -> int:
    """The first preferred precision that the class reaches at all; fp16 where none is preferred."""
    preferred = constraints.preferred_precisions or ("fp16",)
    return next((found for precision in preferred if (found := throughput(performance, precision)) > 0), 0)


def _most_capable(classes: Sequence[AcceleratorClass], constraints: AcceleratorConstraints) -> Values:
    memory = [_memory(cls) for cls in classes]
    bandwidth = [float(whole(amount(cls.memory_bandwidth_gbps) or Fraction(0))) for cls in classes]
    reached = [float(_reached(cls.performance, constraints)) for cls in classes]

    def share(of: list[float], index: int) -> float:
        largest = max(of)
        return of[index] / largest if largest > 0 else 0.0

    return [
        (0.5 * share(memory, index) + 0.3 * share(bandwidth, index) + 0.2 * share(reached, index), "score")
        for index in range(len(classes))
    ]


def _hourly(cls: AcceleratorClass) -> tuple[float, Basis] | None:
    """The spot price where there is one, else the price (group 1 of Cheapest)."""
    if cls.cost is not None:
        for price, basis in ((cls.cost.spot_per_hour, "spotPerHour"), (cls.cost.per_hour, "perHour")):
            if (found := amount(price)) is not None:
                return float(found), basis
    return None


def _per_tokens(cls: AcceleratorClass) -> tuple[float, Basis] | None:
    found = amount(cls.cost.per_million_tokens) if cls.cost is not None else None
    return None if found is None else (float(found), "perMillionTokens")


def _tier(cls: AcceleratorClass) -> tuple[float, Basis] | None:
    if cls.cost is None or not cls.cost.tier:
        return None
    return float(_TIERS.get(cls.cost.tier.lower(), _UNKNOWN_TIER)), "tier"


def _cheapest(classes: Sequence[AcceleratorClass], constraints: AcceleratorConstraints) -> Values:
    """The first kind of cost that any class has decides; classes without it are out."""
    groups = ([cost(cls) for cls in classes] for cost in (_hourly, _per_tokens, _tier))
    return next((group for group in groups if any(group)), [None] * len(classes))


def _first_available(classes: Sequence[AcceleratorClass], constraints: AcceleratorConstraints) -> Values:
    return [(float(place), "place") for place in range(1, len(classes) + 1)]


_Valuing = Callable[[Sequence[AcceleratorClass], AcceleratorConstraints], Values]

POLICIES: Mapping[str, tuple[_Valuing, bool]] = {
    "BestFit": (_best_fit, True),
    "Cheapest": (_cheapest, False),
    "MostCapable": (_most_capable, True),
    "FirstAvailable": (_first_available, False),
}
"""Each policy: how it values the classes, and whether the highest value wins (else the lowest). Ties keep list order.

OME sorts BestFit and MostCapable with a sort that keeps list order only up to 12 classes; beyond that, its order of
ties is not documented, and list order is what this project takes (inferred).
"""
