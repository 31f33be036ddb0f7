"""What OME learns from a model's own files (docs/rules.md, section 17)."""

from ome_select.modelfiles.facts import ModelFacts
from ome_select.modelfiles.reader import model_from_files

__all__ = ["ModelFacts", "model_from_files"]
