"""`ome-select`, which `python -m ome_select` is as well."""

from __future__ import annotations

import gc

_COLLECT_AFTER = 100_000
"""New objects between two searches for those that only refer to each other."""


def main() -> None:
    """Run the command line and leave with its exit status."""
    # A run is short and makes few objects that refer to each other: looking for them takes a tenth of its time, and it
    # begins while modules are imported.
    gc.set_threshold(_COLLECT_AFTER)
    from ome_select.cli import main as run

    run()


if __name__ == "__main__":
    main()
