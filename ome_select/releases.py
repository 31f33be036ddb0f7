"""The releases of OME whose rules this package knows (docs/rules.md, section 20)."""

from __future__ import annotations

from typing import Literal, get_args

from ome_select.errors import UsageError

Release = Literal["v1.3", "v1.2.2"]
"""A release by its name; where the rules differ, functions take `release`, which is `v1.3` unless given."""

RELEASES: tuple[Release, ...] = get_args(Release)
"""Every release that is known, the newest first."""

DEFAULT_RELEASE: Release = "v1.3"


def check_release(release: str) -> Release:
    """The release of this name.

    Raises:
        UsageError: when the rules of that release are not known.
    """
    for known in RELEASES:
        if release == known:
            return known
    raise UsageError(f'the rules of release "{release}" are not known here; write one of: {", ".join(RELEASES)}')
