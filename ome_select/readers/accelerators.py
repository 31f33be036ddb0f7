"""How an AcceleratorClass is read."""

from __future__ import annotations

import ome_select.resources as resources
from ome_select.fields import Fields
from ome_select.quantities import parse_quantity
from ome_select.readers import Head


def _performance(fields: Fields) -> resources.Performance:
    return resources.Performance(
        fp32_tflops=fields.whole("fp32Tflops") or 0,
        fp16_tflops=fields.whole("fp16Tflops") or 0,
        int8_tops=fields.whole("int8Tops") or 0,
        int4_tops=fields.whole("int4Tops") or 0,
    )


def _quantity(fields: Fields, name: str) -> str | None:
    """A Kubernetes quantity, which may be written as a number or as a text."""
    text = str(fields.whole(name)) if fields.is_whole(name) else fields.text(name)
    if text is not None and parse_quantity(text) is None:
        fields.fault(name, "a Kubernetes quantity", "write a number with a unit of Kubernetes, such as 80Gi or 4500m")
        return None
    return text


def _cost(fields: Fields) -> resources.Cost:
    return resources.Cost(
        per_hour=_quantity(fields, "perHour"),
        spot_per_hour=_quantity(fields, "spotPerHour"),
        per_million_tokens=_quantity(fields, "perMillionTokens"),
        tier=fields.text("tier"),
    )


def read(head: Head, spec: Fields) -> resources.AcceleratorClass:
    """Read an accelerator class's `spec`."""
    capabilities = spec.within("capabilities") or Fields({}, (), spec.note)
    return resources.AcceleratorClass(
        name=head.name,
        origin=head.origin,
        vendor=spec.text("vendor") or "",
        family=spec.text("family") or "",
        memory_gb=_quantity(capabilities, "memoryGB"),
        memory_bandwidth_gbps=_quantity(capabilities, "memoryBandwidthGBps"),
        compute_capability=capabilities.text("computeCapability") or "",
        features=capabilities.texts("features"),
        performance=capabilities.part("performance", _performance),
        cost=spec.part("cost", _cost),
    )
