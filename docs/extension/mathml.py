"""Formulae of the pages, drawn as those of published notebooks are."""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.writers.html5 import HTML5Translator

from extension.files import write
from pdp_widgets.publish.notebook_words import line_of_its_own, mathml
from pdp_widgets.publish.page_frame import FORMULA_STYLE

__all__ = ["setup"]

_STYLE = "formulae.css"


def _inline(page: HTML5Translator, node: nodes.math) -> None:
    page.body.append(mathml(node.astext()))
    raise nodes.SkipNode


def _block(page: HTML5Translator, node: nodes.math_block) -> None:
    page.body.append(f"{line_of_its_own(mathml(node.astext(), block=True))}\n")
    raise nodes.SkipNode


def _write_style(app: Sphinx, config: Config) -> None:
    folder = Path(app.doctreedir) / "formulae"
    write(folder / _STYLE, FORMULA_STYLE)
    config.html_static_path.append(str(folder))


def setup(app: Sphinx) -> None:
    """Register the renderer that ``html_math_renderer`` names, and the style of formulae."""
    app.connect("config-inited", _write_style)
    app.add_css_file(_STYLE)
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
