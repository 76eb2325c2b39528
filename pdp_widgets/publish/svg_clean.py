"""SVG from anywhere as a drawing and nothing else: no script, no handler, no address outside the file."""

from __future__ import annotations

import re
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from pdp_widgets.publish.svg_expansion import Expansion

__all__ = ["SvgError", "clean_svg"]

_SVG, _XLINK, _XML = (
    "http://www.w3.org/2000/svg",
    "http://www.w3.org/1999/xlink",
    "http://www.w3.org/XML/1998/namespace",
)
#: What draws, and what describes a drawing. Animations are not among it: they can change an address later.
_DRAWS = (
    "svg g defs symbol use image switch a view title desc style path rect circle ellipse line polyline "
    "polygon text tspan textPath linearGradient radialGradient stop pattern clipPath mask marker filter "
    "feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting "
    "feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur "
    "feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile "
    "feTurbulence"
)
_ELEMENTS = frozenset(_DRAWS.split())
_PREFIXES = {_XLINK: "xlink:", _XML: "xml:"}
_NAME = re.compile(r"[A-Za-z_][\w.-]*\Z")
#: A place in the file itself, or a picture of pixels within it.
_WITHIN = r"#|data:image/(?:png|jpeg|gif|webp);base64,"
_ADDRESS = re.compile(_WITHIN, re.IGNORECASE)
#: What may load in a style; a backslash could hide it.
_LOADS = re.compile(
    r"\\|@import|image-set|\b(?:src|image)\(|"
    rf"url\((?!\s*+[\"']?+\s*+(?:{_WITHIN}|data:(?:font/|application/(?:x-)?font)))",
    re.IGNORECASE,
)
_IMPORTS = re.compile(r"@import\b[^;]*;?", re.IGNORECASE)
#: These are no styles, and may say what they like.
_TEXTS = re.compile(r"(?:aria-|data-|id$|class$|role$|lang$)")


class SvgError(ValueError):
    """It is no SVG that can be made safe."""


def clean_svg(data: bytes) -> str:
    """Return a drawing with nothing in it that acts or loads.

    Parameters
    ----------
    data
        A file: XML in any encoding that it names.

    Raises
    ------
    SvgError
        It is no XML, no SVG, brings declarations of its own, or uses its parts so often that drawing it would
        not end.

    Examples
    --------
    >>> clean_svg(b'<svg xmlns="http://www.w3.org/2000/svg" onload="go()"><script>go()</script><g/></svg>')
    '<svg xmlns="http://www.w3.org/2000/svg"><g></g></svg>'
    """
    return _Cleaning().of(data)


class _Cleaning:
    """One pass over a file; what is left out is left out with all that stands in it."""

    def __init__(self) -> None:
        self._out: list[str] = []
        self._open: list[str] = []
        self._dropped = 0
        self._linked = False
        self._style: list[str] | None = None
        self._expansion = Expansion()
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._entity
        self._parser = parser

    def of(self, data: bytes) -> str:
        try:
            self._parser.Parse(data, True)
        except expat.ExpatError as error:
            raise SvgError(f"line {error.lineno} of it is no sound XML") from None
        except (LookupError, ValueError) as error:
            # An encoding that nobody knows.
            raise error if isinstance(error, SvgError) else SvgError("its encoding is unknown") from None
        if self._expansion.too_large:
            raise SvgError("it uses its own parts again and again, and would be drawn without end")
        linked = f' xmlns:xlink="{_XLINK}"' if self._linked else ""
        return "".join([self._out[0], linked, *self._out[1:]])

    def _start(self, name: str, given: dict[str, str]) -> None:
        space, _, local = name.rpartition(" ")
        root = not self._open and not self._dropped
        # Jupyter shows drawings without a namespace too.
        if root and (local != "svg" or space not in ("", _SVG)):
            raise SvgError(f"it begins with <{local[:20]}>, not with <svg>")
        # A style sheet is text alone; what stands between its parts would hide one from the check of all.
        within_style = self._style is not None
        if self._dropped or within_style or space not in ("", _SVG) or local not in _ELEMENTS:
            self._dropped += 1
            return
        self._open.append(local)
        kept = dict(pair for pair in map(_kept, given.items()) if pair)
        self._expansion.open(local, kept)
        self._linked = self._linked or any(key.startswith("xlink:") for key in kept)
        self._out.append(f'<svg xmlns="{_SVG}"' if root else f"<{local}")
        self._out.append(f"{''.join(f' {key}={quoteattr(value)}' for key, value in kept.items())}>")
        self._style = [] if local == "style" else None

    def _end(self, name: str) -> None:
        if self._dropped:
            self._dropped -= 1
            return
        local = self._open.pop()
        self._expansion.close()
        if local == "style" and self._style is not None:
            rules = _IMPORTS.sub("", "".join(self._style))
            self._style = None
            if not _LOADS.search(rules):
                self._expansion.rules(rules)
                self._out.append(escape(rules))
        self._out.append(f"</{local}>")

    def _text(self, text: str) -> None:
        if self._dropped:
            return
        if self._style is not None:
            self._style.append(text)
        else:
            self._out.append(escape(text))

    def _doctype(self, name: str, system: str | None, public: str | None, own: int) -> None:
        # An attribute that is declared once stands in every element.
        if own:
            raise SvgError("it has declarations of its own; save it as plain SVG")

    def _entity(self, *_: object) -> None:
        raise SvgError("it declares entities")


def _kept(attribute: tuple[str, str]) -> tuple[str, str] | None:
    """Return an attribute as it is written, or None when it acts, loads, or belongs to another program."""
    name, value = attribute
    space, _, local = name.rpartition(" ")
    if space and space not in _PREFIXES:
        return None
    if local.lower().startswith("on") or not _NAME.match(local):
        return None
    if local.lower() in ("href", "src", "base") and not _ADDRESS.match(value.strip()):
        return None
    if not _TEXTS.match(local) and _LOADS.search(value):
        return None
    return f"{_PREFIXES.get(space, '')}{local}", value
