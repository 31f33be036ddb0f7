"""What objects of several kinds have in common."""

from __future__ import annotations

import ome_select.resources as resources
from ome_select.fields import Fields, nearest
from ome_select.sizes import is_size
from ome_select.versions import OPERATORS


def versioned_name(fields: Fields) -> resources.VersionedName:
    """A `modelFormat` or a `modelFramework`."""
    fields.require("name")
    weight = fields.whole("weight")
    operator = fields.text("operator")
    if operator and operator not in OPERATORS:
        message = f'"{operator}" is none of {", ".join(OPERATORS)}, and counts as Equal'
        fields.doubt("operator", "field-operator", message, f"write {nearest(operator, OPERATORS)}")
    return resources.VersionedName(
        name=fields.text("name") or "",
        version=fields.text("version"),
        operator=operator or "Equal",
        weight=1 if weight is None else weight,
    )


def size(fields: Fields, name: str) -> str | None:
    """A parameter count as it is written (section 7)."""
    text = fields.text(name)
    if text is not None and not is_size(text):
        message = f'"{text}" is no size that OME can read, and counts as 0'
        fields.doubt(name, "field-size", message, "write a number with M, B or T, such as 7B")
    return text


def _diffusion_component(fields: Fields) -> resources.DiffusionComponent:
    return resources.DiffusionComponent(library=fields.text("library") or "", type=fields.text("type") or "")


def diffusion_pipeline(fields: Fields) -> resources.DiffusionPipeline:
    """A `diffusionPipeline` (section 6)."""
    return resources.DiffusionPipeline(
        class_name=fields.text("className"),
        scheduler=fields.part("scheduler", _diffusion_component),
        text_encoder=fields.part("textEncoder", _diffusion_component),
        tokenizer=fields.part("tokenizer", _diffusion_component),
        transformer=fields.part("transformer", _diffusion_component),
        vae=fields.part("vae", _diffusion_component),
        additional_components=fields.named("additionalComponents", _diffusion_component),
    )


def _constraints(fields: Fields) -> resources.AcceleratorConstraints:
    return resources.AcceleratorConstraints(
        min_memory=fields.whole("minMemory"),
        max_memory=fields.whole("maxMemory"),
        min_compute_performance_tflops=fields.whole("minComputePerformanceTFLOPS"),
        min_architecture_version=fields.text("minArchitectureVersion"),
        required_features=fields.texts("requiredFeatures"),
        excluded_classes=fields.texts("excludedClasses"),
        architecture_families=fields.texts("architectureFamilies"),
        preferred_precisions=fields.texts("preferredPrecisions"),
    )


def selector(fields: Fields) -> resources.AcceleratorSelector:
    """An `acceleratorSelector` or an `acceleratorOverride` (sections 3 and 16.1)."""
    return resources.AcceleratorSelector(
        accelerator_class=fields.text("acceleratorClass"),
        policy=fields.one_of("policy", "BestFit", "Cheapest", "MostCapable", "FirstAvailable"),
        constraints=fields.part("constraints", _constraints),
    )


def _runner_image(fields: Fields) -> str | None:
    runner = fields.within("runner")
    return None if runner is None else runner.text("image")


def _pod_group(fields: Fields) -> resources.PodGroup:
    return resources.PodGroup(runner_image=_runner_image(fields), size=fields.whole("size"))


def component(fields: Fields) -> resources.Component:
    """A service's `engine` and the like, or a runtime's `engineConfig` and the like."""
    runner = fields.within("runner") or Fields({}, (), fields.note)
    return resources.Component(
        annotations=fields.text_map("annotations"),
        accelerator_override=fields.part("acceleratorOverride", selector),
        runner_image=runner.text("image"),
        runner_args=runner.texts("args"),
        leader=fields.part("leader", _pod_group),
        worker=fields.part("worker", _pod_group),
        has_deployment_strategy=fields.has("deploymentStrategy"),
        has_autoscaler_policy_ref=fields.has("autoscalerPolicyRef"),
        min_replicas=fields.whole("minReplicas"),
        max_replicas=fields.whole("maxReplicas"),
    )
