"""Runtimes, models and requests with every text read once, so that nothing is parsed again while choosing.

A `Selector` compiles its runtimes when it is built; a model is compiled once for each question about it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ome_select.releases import DEFAULT_RELEASE, Release
from ome_select.sizes import SizeBounds, parse_size
from ome_select.versions import Version, parse_version

if TYPE_CHECKING:
    from ome_select.resources import (
        BaseModel,
        Component,
        DiffusionPipeline,
        InferenceService,
        ServingRuntime,
        SupportedModelFormat,
        VersionedName,
    )

DEPLOYMENT_MODE = "ome.io/deploymentMode"
ACCELERATOR_CLASS = "ome.io/accelerator-class"

# Rule 4: a mode counts when its text is exactly one of these; any other text is as if absent.
DEPLOYMENT_MODES = frozenset({"RawDeployment", "OMENative", "MultiNode", "VirtualDeployment"})

RELEASE_MODES: Mapping[Release, frozenset[str]] = {
    "v1.3": DEPLOYMENT_MODES,
    # Rule 20: OMENative is new in v1.3, and MultiNodeRayVLLM is gone since.
    "v1.2.2": DEPLOYMENT_MODES - {"OMENative"} | {"MultiNodeRayVLLM"},
}
"""The texts that name a deployment mode, by release."""


class CompiledName:
    """A `modelFormat` or `modelFramework` with its version parsed; `version` is None where it does not parse."""

    __slots__ = ("name", "operator", "version", "version_text", "weight")

    def __init__(self, written: VersionedName) -> None:
        self.name = written.name
        self.version_text = written.version
        self.version: Version | None = None if written.version is None else parse_version(written.version)
        self.operator = written.operator
        self.weight = written.weight


def _compiled(written: VersionedName | None) -> CompiledName | None:
    return None if written is None else CompiledName(written)


class CompiledEntry:
    """One entry of `supportedModelFormats`."""

    __slots__ = ("architecture", "diffusion_pipeline", "model_format", "model_framework", "quantization", "written")

    def __init__(self, written: SupportedModelFormat) -> None:
        self.written = written
        self.architecture = written.model_architecture
        self.quantization = written.quantization
        self.diffusion_pipeline: DiffusionPipeline | None = written.diffusion_pipeline
        self.model_format = _compiled(written.model_format)
        self.model_framework = _compiled(written.model_framework)


class CompiledRuntime:
    """A candidate: a runtime by its own spec, without inheritance (rule 2)."""

    __slots__ = (
        "accelerator_classes",
        "decoder_mode",
        "engine_mode",
        "entries",
        "has_auto_select",
        "is_cluster",
        "name",
        "runtime",
        "size_bounds",
    )

    def __init__(self, runtime: ServingRuntime, release: Release = DEFAULT_RELEASE) -> None:
        self.runtime = runtime
        self.name = runtime.name
        self.is_cluster = runtime.is_cluster
        self.entries = tuple(CompiledEntry(entry) for entry in runtime.supported_model_formats)
        self.size_bounds = SizeBounds.of(runtime.model_size_range)
        self.accelerator_classes = frozenset(runtime.accelerator_classes)
        self.engine_mode = _annotated_mode(runtime.engine, release)
        self.decoder_mode = _annotated_mode(runtime.decoder, release)
        # Rule 2, step 6: any entry will do, whether or not it is the one that matches.
        self.has_auto_select = any(entry.written.auto_select for entry in self.entries)


class CompiledModel:
    """A model; `size` is None where it has none (a size that cannot be read is 0, as OME reads it)."""

    __slots__ = (
        "architecture",
        "diffusion_pipeline",
        "is_sharded",
        "model_format",
        "model_framework",
        "quantization",
        "size",
        "written",
    )

    def __init__(self, written: BaseModel, model_format: VersionedName, release: Release = DEFAULT_RELEASE) -> None:
        self.written = written
        self.model_format = CompiledName(model_format)
        self.model_framework = _compiled(written.model_framework)
        self.architecture = written.model_architecture
        self.quantization = written.quantization
        self.diffusion_pipeline: DiffusionPipeline | None = written.diffusion_pipeline
        # Rule 20: v1.2.2 has no `distribution`.
        self.is_sharded = written.distribution == "Sharded" and release != "v1.2.2"
        self.size: float | None = (
            None if written.model_parameter_size is None else parse_size(written.model_parameter_size)
        )


class Requirements:
    """What an InferenceService asks of a runtime beyond its model (rules 3 and 4)."""

    __slots__ = ("accelerator_classes", "decoder_mode", "engine_mode")

    def __init__(
        self,
        *,
        accelerator_classes: frozenset[str] = frozenset(),
        engine_mode: str | None = None,
        decoder_mode: str | None = None,
    ) -> None:
        self.accelerator_classes = accelerator_classes
        self.engine_mode = engine_mode
        self.decoder_mode = decoder_mode

    @classmethod
    def of(cls, service: InferenceService | None, release: Release = DEFAULT_RELEASE) -> Requirements:
        """Read them from a service; without a service nothing is required."""
        if service is None:
            return NO_REQUIREMENTS
        return cls(
            accelerator_classes=required_classes(service),
            engine_mode=_requested_mode(service, service.engine, release),
            decoder_mode=_requested_mode(service, service.decoder, release),
        )


def required_classes(service: InferenceService) -> frozenset[str]:
    """The accelerator classes that a service names, in four places, pooled (rule 3).

    An empty text is a value like any other: no runtime lists it, so it rules all of them out.
    """
    selectors = (
        service.accelerator_selector,
        service.engine.accelerator_override if service.engine else None,
        service.decoder.accelerator_override if service.decoder else None,
    )
    named = [selector.accelerator_class for selector in selectors if selector is not None]
    named.append(service.annotations.get(ACCELERATOR_CLASS))
    return frozenset(name for name in named if name is not None)


def recognised_mode(text: str | None, release: Release = DEFAULT_RELEASE) -> str | None:
    """The deployment mode that a text names, or None when it names none (rules 4 and 20)."""
    return text if text in RELEASE_MODES[release] else None


def _annotated_mode(component: Component | None, release: Release) -> str | None:
    annotations: Mapping[str, str] = component.annotations if component is not None else {}
    return recognised_mode(annotations.get(DEPLOYMENT_MODE), release)


def _requested_mode(service: InferenceService, component: Component | None, release: Release) -> str | None:
    """The mode that a service requests for a component that it declares: the annotation's, else the spec's (rule 4)."""
    if component is None:
        return None
    return _annotated_mode(component, release) or recognised_mode(service.deployment_mode, release)


NO_REQUIREMENTS = Requirements()
