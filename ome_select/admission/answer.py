"""What is asked of a webhook, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass, field

from ome_select.cluster import Cluster
from ome_select.releases import DEFAULT_RELEASE, Release
from ome_select.resources import Resource


@dataclass(frozen=True, kw_only=True, slots=True)
class Admission:
    """The answer to applying one object to one cluster.

    Attributes:
        resource: the object that was applied.
        allowed: whether it gets into the cluster.
        warnings: the webhook's warnings, in order; kubectl prints them whether or not the object is allowed.
        message: why it is denied, as OME words it; None when it is allowed.
        webhook: the name of the webhook that denies it; None where the API server itself refuses the object.
        notes: what this package adds: where the rules leave the answer open, and what will go wrong later on.
    """

    resource: Resource
    allowed: bool = True
    warnings: tuple[str, ...] = ()
    message: str | None = None
    webhook: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def denial(self) -> str | None:
        """The whole error as kubectl gets it, or None when the object is allowed."""
        if self.message is None:
            return None
        if self.webhook is None:
            return f'The {kind_of(self.resource)} "{self.resource.name}" is invalid: {self.message}'
        return f'admission webhook "{self.webhook}" denied the request: {self.message}'


@dataclass(kw_only=True, slots=True)
class Request:
    """One object on its way into a cluster; a webhook's steps note their warnings here.

    Attributes:
        cluster: what is there.
        old: the object that it takes the place of, when it is updated.
    """

    cluster: Cluster
    old: Resource | None = None
    release: Release = DEFAULT_RELEASE
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def kind_of(resource: Resource) -> str:
    """The kind of the object that a resource was read from."""
    kind: str = getattr(resource, "kind", type(resource).__name__)
    return kind
