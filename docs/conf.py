"""How Sphinx builds the site: `make docs`. Notebooks show their stored outputs and are never run here."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from ome_select import __version__

project = "ome-select"
author = "the ome-select authors"
release = __version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_click",
    "click_examples",
    "records",
    "scenarios",
    "on_site",
]
exclude_patterns = ["_build", "examples", "**/.ipynb_checkpoints"]

source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb"}

nb_execution_mode = "off"
# A widget is shown by the picture or the text that is stored with it: its own code would come from another server.
nb_ipywidgets_js = {}
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]

# Headings have the anchors that GitHub gives them, so that a link works in both places.
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_inline"]

# Docstrings write code in single backquotes.
default_role = "code"
smartquotes = False  # Two hyphens begin an option, in the claims of the register, too.
add_module_names = False
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_class_signature = "separated"  # How the package itself makes a Decision is of no interest to its users.
autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}

html_theme = "furo"
html_title = "ome-select"
html_static_path = ["_static"]
html_favicon = "_static/favicon.svg"
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
html_show_copyright = False
# A language that a block names and nobody can colour is a mistake in the page.
pygments_style = "friendly"
pygments_dark_style = "monokai"
