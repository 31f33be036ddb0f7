"""What the admission webhooks answer when an object is applied (docs/rules.md, sections 13 and 14)."""

from ome_select.admission.answer import Admission
from ome_select.admission.session import Applied, Outcome, Session, admit, apply

__all__ = ["Admission", "Applied", "Outcome", "Session", "admit", "apply"]
