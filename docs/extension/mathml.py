"""Formulae of the pages, drawn as those of published notebooks are."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from pdp_widgets.publish.formulae import line_of_its_own, mathml

__all__ = ["setup"]


def _inline(page: HTML5Translator, node: nodes.math) -> None:
    page.body.append(mathml(node.astext()))
    raise nodes.SkipNode


def _block(page: HTML5Translator, node: nodes.math_block) -> None:
    page.body.append(f"{line_of_its_own(mathml(node.astext(), block=True))}\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Register the renderer that ``html_math_renderer`` names."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
