"""Settings of the documentation site; `python scripts/docs.py` builds it."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# The sources beside this folder are what the site is about, whatever else is installed.
sys.path[:0] = [str(HERE.parent), str(HERE)]

from extension.values import substitutions  # noqa: E402

import pdp_widgets  # noqa: E402
from pdp_widgets.publish.sheet import TOKENS  # noqa: E402

project = "pdp_widgets"
author = "The pdp_widgets developers"
version = release = pdp_widgets.__version__
# Without a year: the site of one version stays the same.
copyright = author

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "extension",
]
exclude_patterns = ["_build", "extension", "README.md"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}

myst_enable_extensions = ["dollarmath", "colon_fence", "substitution", "deflist"]
myst_heading_anchors = 3
myst_substitutions = substitutions()

# Docstrings are numpydoc; a word in single backticks is a public name where there is one.
default_role = "py:obj"
# extension/reference.py writes the pages that the lists of names lead to.
autosummary_generate = False
autodoc_member_order = "groupwise"
autodoc_typehints = "signature"
autodoc_class_signature = "mixed"
napoleon_numpy_docstring = True
napoleon_google_docstring = False
napoleon_use_rtype = False
# Attributes are listed as parameters are: one entry may name several.
napoleon_custom_sections = [("Attributes", "params_style")]
add_module_names = False
python_use_unqualified_type_names = True
toc_object_entries = False

html_theme = "furo"
html_title = "pdp_widgets"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_math_renderer = "mathml"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_permalinks_icon = "#"


def _colours(side: int) -> dict[str, str]:
    """The colours of the pictures, for the pages around them."""
    of = {name: pair[side] for name, pair in TOKENS.items()}
    return {
        "color-background-primary": of["bg"],
        "color-background-secondary": of["bg"],
        "color-background-border": of["line"],
        "color-background-hover": of["tint"],
        "color-foreground-primary": of["ink"],
        "color-foreground-secondary": of["ink2"],
        "color-foreground-muted": of["ink2"],
        "color-foreground-border": of["line2"],
        "color-sidebar-background": of["bg"],
        "color-sidebar-item-background--current": of["sel"],
        "color-code-background": of["tint"],
        "color-api-name": of["ink"],
        "color-api-pre-name": of["ink2"],
        "color-inline-code-background": of["tint"],
        "color-api-background": of["bg"],
        "color-brand-primary": of["a"],
        "color-brand-content": of["a"],
        "color-brand-visited": of["a"],
        "color-highlight-on-target": of["sel"],
        "pdp-ink": of["ink"],
        "pdp-quiet": of["ink2"],
        "pdp-line": of["line2"],
        "pdp-tint": of["tint"],
        "pdp-paper": of["paper"],
        "pdp-over": of["over"],
    }


html_theme_options = {
    "light_css_variables": _colours(0),
    "dark_css_variables": _colours(1),
    "navigation_with_keys": False,
    "top_of_page_buttons": [],
}
