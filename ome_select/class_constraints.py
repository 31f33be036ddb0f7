"""Which accelerator classes the constraints rule out (docs/rules.md, section 16.2)."""

from __future__ import annotations

from ome_select.class_policies import amount
from ome_select.quantities import whole_gibibytes
from ome_select.resources import AcceleratorClass, AcceleratorConstraints


def exclusion(cls: AcceleratorClass, constraints: AcceleratorConstraints) -> str | None:
    """The first constraint that rules a class out, in OME's order and words; None where it passes (rule 16.2).

    `minComputePerformanceTFLOPS` and `preferredPrecisions` never rule out a class.
    """
    if cls.name in constraints.excluded_classes:
        return "explicitly excluded"
    if constraints.architecture_families and not any(
        _is_family(cls, family) for family in constraints.architecture_families
    ):
        return f"architecture family {cls.family} not in allowed list"
    if constraints.min_memory is not None or constraints.max_memory is not None:
        memory = amount(cls.memory_gb)
        if memory is None:
            return "missing memory specification for memory check"
        gib = whole_gibibytes(memory)
        if constraints.min_memory is not None and gib < constraints.min_memory:
            return f"memory {gib}GB < required {constraints.min_memory}GB"
        if constraints.max_memory is not None and gib > constraints.max_memory:
            return f"memory {gib}GB > max allowed {constraints.max_memory}GB"
    features = {feature.lower() for feature in cls.features}
    for feature in constraints.required_features:
        if feature.lower() not in features:
            return f"missing required feature: {feature}"
    if constraints.min_architecture_version is not None:
        if not cls.compute_capability:
            return "missing compute capability for architecture version check"
        # OME compares texts, so "10.0" is below "9.0".
        if cls.compute_capability < constraints.min_architecture_version:
            return f"compute capability {cls.compute_capability} < required {constraints.min_architecture_version}"
    return None


def _is_family(cls: AcceleratorClass, family: str) -> bool:
    """A family with a hyphen is compared with vendor and family together, another one with the family alone."""
    own = f"{cls.vendor}-{cls.family}" if "-" in family else cls.family
    return own.lower() == family.lower()
