"""Markdown of a notebook as safe HTML: words, formulae as MathML, pictures that become part of the page."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from pdp_widgets.errors import PdpError
from pdp_widgets.publish.notebook_clean import clean, missing_packages
from pdp_widgets.publish.notebook_pictures import PageRoom, saved_picture

if TYPE_CHECKING:
    from markdown_it.rules_core import StateCore
    from markdown_it.token import Token

__all__ = ["FormulaError", "line_of_its_own", "mathml", "words"]

#: Formulae in the text, those set large among it, and those on lines of their own.
_INLINE, _DISPLAYED, _BLOCK = {"math_inline"}, {"math_inline_double"}, {"math_block", "amsmath"}
#: Signs of one cell that are read as Markdown, pictures in it aside: the reader's time may grow with their
#: square. The rest stands as it was typed.
_MOST_READ = 50_000
#: Environments of formulae in one cell: each that begins is looked for to the end.
_MOST_ENVIRONMENTS = 500
#: Lists and quotes within one another; the reader leaves out what lies deeper.
_DEEPEST = 100
#: Signs within brackets of one paragraph, counted for each bracket: the reader looks through all of them.
_MOST_WITHIN_BRACKETS = 1_000_000
_TOO_LONG = "This text is longer than what is laid out here; from here on it stands as it was typed."
_TOO_DEEP = (
    "The lists or quotes of this text lie too deep within one another to be laid out; it stands as it \
was typed."
)
#: A picture in the text itself.
_PACKED = re.compile(r"(?<=;base64,)[A-Za-z0-9+/=]{500,}")
#: Environments of whole formulae, which the converter knows only inside of one.
_LINES = re.compile(r"\\(begin|end)\{(?:align|gather|eqnarray|flalign|multline)\*?\}")
_ALONE = re.compile(r"\\(?:begin|end)\{(?:equation|displaymath|math)\*?\}|\\label\{[^{}]*\}|\\nonumber\b")
_ELEMENT = r'<(?:[^">]|"[^"]*")*>'


def words(
    source: str,
    attachments: Mapping[str, Any] | None = None,
    picture: Callable[[str], str | None] | None = None,
    room: PageRoom | None = None,
) -> str:
    """Return Markdown as HTML that is safe to stand in a page."""
    # A formula that cannot be drawn stays as it was typed. Attachments are held by name and media type;
    # ``picture`` returns the data address of one that is linked relatively, or None to leave it out.
    try:
        from markdown_it import MarkdownIt
        from mdit_py_plugins.amsmath import amsmath_plugin
        from mdit_py_plugins.dollarmath import dollarmath_plugin
    except ImportError as error:
        raise missing_packages(error) from None
    # Raw HTML is let through here: the sanitiser takes away what may not stay.
    reader = MarkdownIt("commonmark", {"html": True, "maxNesting": _DEEPEST}).enable(
        ["table", "strikethrough"]
    )
    # As in Jupyter: a dollar that is none stands behind a backslash.
    reader.use(dollarmath_plugin, double_inline=True, allow_labels=False)
    # The sanitiser knows no formulae, and the reader need not see pictures. They wait outside, and nobody can
    # write the signs that stand for them.
    secret = secrets.token_hex(16)
    sign, packed_sign = f"formula{secret}n", f"packed{secret}n"
    formulae: list[str] = []
    packed: list[str] = []
    attached: dict[str, str] = {}

    def waiting(drawn: str) -> str:
        formulae.append(drawn)
        return f"{sign}{len(formulae) - 1}n"

    def packing(found: re.Match[str]) -> str:
        packed.append(found[0])
        return f"{packed_sign}{len(packed) - 1}n"

    def unpacked(text: str) -> str:
        return re.sub(rf"{packed_sign}(\d+)n", lambda found: packed[int(found[1])], text)

    read, rest = _divided(_PACKED.sub(packing, source))
    if read.count("\\begin{") <= _MOST_ENVIRONMENTS:
        reader.use(amsmath_plugin)
    reader.core.ruler.before("inline", "long_brackets", _leave_long_brackets)
    tokens = reader.parse(read)
    if any(token.nesting == 1 and token.level >= _DEEPEST - 1 for token in tokens):
        return _typed(_TOO_DEEP, source)
    for token in tokens:
        if token.type in _BLOCK:
            token.content = f"{waiting(line_of_its_own(_formula(token.content, True)))}\n"
            token.type = "html_block"
        for inner in token.children or ():
            if inner.type == "image":
                address = str(inner.attrGet("src"))
                if address not in attached:
                    attached[address] = _attached(address, attachments or {})
                inner.attrSet("src", attached[address])
                # What a picture shows is told in words alone.
                for told in inner.children or ():
                    told.type = "text" if told.type in _INLINE | _DISPLAYED else told.type
            elif inner.type in _INLINE | _DISPLAYED:
                inner.content = waiting(_formula(inner.content, inner.type in _DISPLAYED))
                inner.type = "text"
    room = PageRoom() if room is None else room
    # What is told once may be shown a thousand times: it is counted before it is copied.
    room.check(_size(tokens))
    drawn = reader.renderer.render(tokens, reader.options, {})
    room.check(len(drawn) + sum(len(packed[int(k)]) for k in re.findall(rf"{packed_sign}(\d+)n", drawn)))
    safe = clean(unpacked(drawn), picture)
    # Within a tag the sign stays a word: an attribute is no place for a formula.
    shown = re.sub(
        rf"{_ELEMENT}|{sign}(\d+)n", lambda found: formulae[int(found[1])] if found[1] else found[0], safe
    )
    return shown + (_typed(_TOO_LONG, unpacked(rest)) if rest.strip() else "")


def _leave_long_brackets(state: StateCore) -> None:
    """Let paragraphs whose brackets do not close be text."""
    for token in state.tokens:
        if token.type == "inline" and _within_brackets(token.content) > _MOST_WITHIN_BRACKETS:
            token.type = "text"


def _within_brackets(text: str) -> int:
    opened: list[int] = []
    signs = 0
    for found in re.finditer(r"[\[\]]", text):
        if found[0] == "[":
            opened.append(found.start())
        elif opened:
            signs += found.start() - opened.pop()
    return signs + sum(len(text) - start for start in opened)


def _divided(source: str) -> tuple[str, str]:
    """Return what is read as Markdown, and the rest: between lines, or at least between words."""
    if len(source) <= _MOST_READ:
        return source, ""
    ends = (source.rfind(sign, _MOST_READ // 2, _MOST_READ) + 1 for sign in "\n ")
    end = next((end for end in ends if end), _MOST_READ)
    return source[:end], source[end:]


def _typed(why: str, text: str) -> str:
    """Return a text that is not laid out."""
    return f'<p class="pdp-note">{why}</p><pre tabindex="0" aria-label="Text">{escape(text)}</pre>\n'


def _size(tokens: Iterable[Token]) -> int:
    """Return how many signs are shown, at least."""
    return sum(
        len(token.content)
        + sum(len(str(held)) for held in token.attrs.values())
        + _size(token.children or ())
        for token in tokens
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


class FormulaError(PdpError):
    """A formula in LaTeX holds something that cannot be drawn."""


def mathml(latex: str, *, block: bool = False) -> str:
    """Return a formula as one `<math>` element; no text of the formula is markup."""
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
