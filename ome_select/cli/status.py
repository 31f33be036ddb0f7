"""Exit statuses."""

from __future__ import annotations

GOOD = 0
"""The question has a good answer."""
BAD = 1
"""It has a bad one: no runtime, or findings."""
UNANSWERED = 2
"""It could not be asked, or not of everything: wrong usage, or input that cannot be read."""
INTERRUPTED = 130
"""The user stopped it; shells expect 128 and the number of the signal."""
