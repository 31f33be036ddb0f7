"""The errors of this package. `str()` of one that OME also has is OME's message to the letter."""

from __future__ import annotations

from collections.abc import Sequence


class OmeSelectError(Exception):
    """Whatever this package raises on purpose; its text is meant for people."""


class UsageError(OmeSelectError):
    """The question was put in a way that cannot be answered, such as both `model` and `isvc` at once."""


class NotFoundError(OmeSelectError):
    """An object that the question names does not exist (docs/rules.md, section 11).

    The text is the API server's: `clusterbasemodels.ome.io "NAME" not found`.
    """

    def __init__(self, resource: str, name: str) -> None:
        super().__init__(f'{resource}.ome.io "{name}" not found')
        self.resource = resource
        self.name = name


class NoModelError(OmeSelectError):
    """The InferenceService has no `spec.model`, so there is nothing to explain (docs/rules.md, section 11)."""

    def __init__(self, service: str) -> None:
        super().__init__(f'InferenceService "{service}" has no spec.model; pass --model instead')
        self.service = service


class InvalidModelError(OmeSelectError):
    """The model has no `modelFormat.name` (docs/rules.md, section 2)."""

    def __init__(self) -> None:
        super().__init__("invalid model specification: modelFormat.name: model format name is required")


class NoRuntimeFoundError(OmeSelectError):
    """No runtime can be selected (docs/rules.md, section 10).

    Attributes:
        checked: how many candidates there were, the namespace's and the cluster's.
        excluded: name and reason of each runtime that failed one of the first five checks, sorted by name.
    """

    def __init__(
        self, *, model_format: str, namespace: str, checked: tuple[int, int], excluded: Sequence[tuple[str, str]]
    ) -> None:
        text = f"no runtime found to support model {model_format} with format {model_format} in namespace {namespace}"
        namespaced, cluster = checked
        if namespaced + cluster:
            text += f". Checked {namespaced + cluster} runtimes"
            text += f" ({namespaced} namespace-scoped, {cluster} cluster-scoped)"
        if excluded:
            text += ". Excluded runtimes: " + "; ".join(f"{name} ({reason})" for name, reason in excluded)
        super().__init__(text)
        self.checked = checked
        self.excluded = tuple(excluded)


class InvalidObjectError(OmeSelectError):
    """Objects that cannot be read as what they say they are. `problems` names each fault and its place."""

    def __init__(self, problems: Sequence[object]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = tuple(problems)
