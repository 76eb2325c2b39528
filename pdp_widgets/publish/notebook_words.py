"""Markdown of a notebook as safe HTML: words, formulae as MathML, pictures that become part of the page."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from html import escape
from typing import Any
from urllib.parse import unquote

from pdp_widgets.publish.formulae import FormulaError, line_of_its_own, mathml
from pdp_widgets.publish.notebook_clean import clean, missing_packages
from pdp_widgets.publish.notebook_pictures import saved_picture

__all__ = ["words"]

#: Formulae in the text, those set large among it, and those on lines of their own.
_INLINE, _DISPLAYED, _BLOCK = {"math_inline"}, {"math_inline_double"}, {"math_block", "amsmath"}
_ELEMENT = r'<(?:[^">]|"[^"]*")*>'


def words(
    source: str,
    attachments: Mapping[str, Any] | None = None,
    picture: Callable[[str], str | None] | None = None,
) -> str:
    r"""Return Markdown as HTML that is safe to stand in a page.

    Parameters
    ----------
    source
        What was typed. ``$...$`` and ``$$...$$`` are formulae in LaTeX; one that cannot be drawn stays as it
        was typed.
    attachments
        Pictures that came with the cell: by name, then by media type.
    picture
        Returns the data address of a picture that is linked relatively, or None to leave it out.

    Raises
    ------
    ImportError
        A package that this needs is not installed.

    Examples
    --------
    >>> words("See [the next](02-next.ipynb): *one* of $n$.").startswith('<p>See <a href="02-next.ipynb"')
    True
    >>> words(r"$\unheard{x}$ costs \$5")
    '<p><code>$\\unheard{x}$</code> costs $5</p>\n'
    """
    try:
        from markdown_it import MarkdownIt
        from mdit_py_plugins.amsmath import amsmath_plugin
        from mdit_py_plugins.dollarmath import dollarmath_plugin
    except ImportError as error:
        raise missing_packages(error) from None
    # Raw HTML is let through here: the sanitiser takes away what may not stay.
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    # As in Jupyter: a dollar that is none stands behind a backslash.
    reader.use(dollarmath_plugin, double_inline=True, allow_labels=False).use(amsmath_plugin)
    # The sanitiser knows no formulae. They wait outside, and nobody can write the sign that stands for one.
    sign = f"formula{secrets.token_hex(16)}n"
    formulae: list[str] = []

    def waiting(drawn: str) -> str:
        formulae.append(drawn)
        return f"{sign}{len(formulae) - 1}n"

    tokens = reader.parse(source)
    for token in tokens:
        if token.type in _BLOCK:
            token.content = f"{waiting(line_of_its_own(_formula(token.content, True)))}\n"
            token.type = "html_block"
        for inner in token.children or ():
            if inner.type == "image":
                inner.attrSet("src", _attached(str(inner.attrGet("src")), attachments or {}))
                # What a picture shows is told in words alone.
                for told in inner.children or ():
                    told.type = "text" if told.type in _INLINE | _DISPLAYED else told.type
            elif inner.type in _INLINE | _DISPLAYED:
                inner.content = waiting(_formula(inner.content, inner.type in _DISPLAYED))
                inner.type = "text"
    safe = clean(reader.renderer.render(tokens, reader.options, {}), picture)
    # Within a tag the sign stays a word: an attribute is no place for a formula.
    return re.sub(
        rf"{_ELEMENT}|{sign}(\d+)n", lambda found: formulae[int(found[1])] if found[1] else found[0], safe
    )


def _formula(latex: str, block: bool) -> str:
    try:
        return mathml(latex, block=block)
    except FormulaError:
        mark = "$$" if block else "$"
        return f"<code>{escape(f'{mark}{latex.strip()}{mark}')}</code>"


def _attached(source: str, attachments: Mapping[str, Any]) -> str:
    """Return the address of a picture: one that came with the cell becomes part of the page."""
    place, _, name = source.partition(":")
    held = attachments.get(unquote(name)) if place == "attachment" else None
    return (saved_picture(held) if isinstance(held, Mapping) else None) or source
