"""Formulae as MathML, which browsers draw themselves: no script and no font has to be loaded."""

from __future__ import annotations

import re

from pdp_widgets.errors import PdpError
from pdp_widgets.publish.notebook_clean import missing_packages

__all__ = ["FormulaError", "line_of_its_own", "mathml"]

#: Environments of whole formulae, which the converter knows only inside of one.
_LINES = re.compile(r"\\(begin|end)\{(?:align|gather|eqnarray|flalign|multline)\*?\}")
_ALONE = re.compile(r"\\(?:begin|end)\{(?:equation|displaymath|math)\*?\}|\\label\{[^{}]*\}|\\nonumber\b")


class FormulaError(PdpError):
    """A formula in LaTeX holds something that cannot be drawn."""


def mathml(latex: str, *, block: bool = False) -> str:
    r"""Return a formula as MathML.

    Parameters
    ----------
    latex
        What stands between the dollar signs.
    block
        Whether it is a line of its own.

    Returns
    -------
    str
        One ``<math>`` element; no text of the formula is markup.

    Raises
    ------
    FormulaError
        It is no LaTeX, or uses a command that is not known here.
    ImportError
        The converter is not installed.

    Examples
    --------
    >>> mathml(r"\log x < 1")[:6]
    '<math '
    >>> mathml(r"\privacy{x}")
    Traceback (most recent call last):
        ...
    pdp_widgets.publish.formulae.FormulaError: \privacy{x} cannot be drawn: Unknown LaTeX command "\privacy".
    """
    try:
        from docutils.utils.math.latex2mathml import tex2mathml
    except ImportError as error:
        raise missing_packages(error) from None
    plain = _ALONE.sub("", _LINES.sub(r"\\\1{aligned}", latex)).strip()
    try:
        drawn = str(tex2mathml(plain, as_block=block))
    # The converter was written for sound LaTeX: of other text it may stumble over anything.
    except Exception as error:
        why = str(error) if isinstance(error, ValueError) and str(error) else "this is no sound LaTeX."
        said = latex.strip() if len(latex.strip()) <= 60 else f"{latex.strip()[:59]}…"
        raise FormulaError(f"{said} cannot be drawn: {why}") from None
    return drawn


def line_of_its_own(drawn: str) -> str:
    """Return a formula in a block that is scrolled where it is too wide, with the keyboard too."""
    return f'<div class="math" tabindex="0">{drawn}</div>'
