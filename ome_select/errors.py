"""The errors of this package. `str()` of one that OME also has is OME's message to the letter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # It takes time to import, and every run of the command line imports this module.
    from pathlib import PurePath


class OmeSelectError(Exception):
    """Whatever this package raises on purpose; its text is meant for people."""


class UsageError(OmeSelectError):
    """The question was put in a way that cannot be answered, such as both `model` and `isvc` at once."""


class NotFoundError(OmeSelectError):
    """An object that the question names does not exist (docs/rules.md, section 11).

    The text is the API server's: `clusterbasemodels.ome.io "NAME" not found`.

    Attributes:
        hint: what may help, such as a name that is much like it; empty where nothing is known.
    """

    def __init__(self, resource: str, name: str, hint: str = "") -> None:
        super().__init__(f'{resource}.ome.io "{name}" not found')
        self.hint = hint
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


class NotStatedError(OmeSelectError):
    """The rules do not say what OME does here, so there is no answer to give; the text says what to change."""


class InheritanceError(OmeSelectError):
    """A runtime's chain of parents cannot be followed (docs/rules.md, section 12.3).

    Attributes:
        reason: the reason of the runtime's condition `InheritanceReady`.
        chain: the names of the runtimes in the chain, the child first.
    """

    reason = "ResolverError"

    def __init__(self, text: str, chain: Sequence[str]) -> None:
        super().__init__(text)
        self.chain = tuple(chain)

    @staticmethod
    def listed(chain: Sequence[str]) -> str:
        """Names as Go prints a list: `[a b c]`."""
        return f"[{' '.join(chain)}]"


class ParentNotFoundError(InheritanceError):
    """A parent does not exist where it is looked for (docs/rules.md, section 12.2)."""

    reason = "ParentNotFound"

    def __init__(self, parent: str, chain: Sequence[str]) -> None:
        super().__init__(f'inherit-from parent "{parent}" not found (chain so far: {self.listed(chain)})', chain)
        self.parent = parent


class InheritanceCycleError(InheritanceError):
    """A parent's name is already in the chain; `chain` ends with it (docs/rules.md, section 12.3)."""

    reason = "InheritanceCycle"

    def __init__(self, chain: Sequence[str]) -> None:
        super().__init__(f"inheritance cycle detected: {self.listed(chain)}", chain)


class InheritanceDepthError(InheritanceError):
    """The chain has more runtimes than OME follows (docs/rules.md, section 12.3)."""

    reason = "MaxDepthExceeded"

    def __init__(self, depth: int, chain: Sequence[str]) -> None:
        super().__init__(f"inheritance chain exceeds max depth {depth} (chain: {self.listed(chain)})", chain)


class RuntimeNotFoundError(OmeSelectError):
    """The runtime that a service names does not exist (docs/rules.md, section 13)."""

    def __init__(self, runtime: str, namespace: str, *, namespaced_only: bool) -> None:
        text = f"ServingRuntime {runtime} not found in namespace {namespace}"
        if not namespaced_only:
            text = f"runtime {runtime} not found in namespace {namespace} or at cluster scope"
        super().__init__(text)
        self.runtime = runtime


class RuntimeDisabledError(OmeSelectError):
    """The runtime that a service names is disabled, by itself or by what it inherits (docs/rules.md, section 13)."""

    def __init__(self, runtime: str, *, is_cluster: bool) -> None:
        super().__init__(f"{'cluster' if is_cluster else 'namespace'}-scoped runtime {runtime} is disabled")
        self.runtime = runtime


class RuntimeMismatchError(OmeSelectError):
    """The runtime that a service names does not declare support for the service's model (docs/rules.md, section 13).

    Attributes:
        reason: the reason of the first check that failed, as `explain` shows it.
    """

    def __init__(self, runtime: str, *, subject: str, reason: str) -> None:
        super().__init__(f"runtime {runtime} does not support model {subject}: {reason}")
        self.runtime = runtime
        self.reason = reason


class InvalidObjectError(OmeSelectError):
    """Objects that cannot be read as what they say they are. `problems` names each fault and its place."""

    def __init__(self, problems: Sequence[object]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = tuple(problems)


class ModelFilesError(OmeSelectError):
    """A model's files cannot be read for what they say about the model (docs/rules.md, section 17).

    Attributes:
        path: the file or the folder.
        line, column: the place in the file, counted from 1, where it is known.
    """

    def __init__(
        self, path: PurePath, fault: str, advice: str = "", *, line: int | None = None, column: int | None = None
    ) -> None:
        place = str(path) if line is None else f"{path}:{line}:{column}"
        super().__init__(f"{place}: {fault}" + (f" ({advice})" if advice else ""))
        self.path = path
        self.line = line
        self.column = column
