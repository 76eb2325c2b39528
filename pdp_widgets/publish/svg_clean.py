"""SVG from anywhere as a drawing and nothing else: no script, no handler, no address outside the file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

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

#: Where an element names another one that is drawn for it.
_NAMED = re.compile(r"url\(\s*[\"']?\s*#([^\"')]*)", re.IGNORECASE)
_RULE = re.compile(r"([^{}]*)\{([^{}]*)\}")
#: What stands between the elements that lead to the chosen one.
_STEPS = re.compile(r"[\s>+~]+")
_WORD = re.compile(r"[\w-]+")
#: A link leads to another part and does not draw it.
_LINK = "a"
#: Elements that are drawn by references beyond those that are written, whatever the file's size.
_MOST = 20_000
_PER_ELEMENT = 4


class SvgError(ValueError):
    """It is no SVG that can be made safe."""


def clean_svg(data: bytes) -> str:
    """Return a drawing, XML in any encoding that it names, with nothing in it that acts or loads."""
    # SvgError says that it is no XML, no SVG, brings declarations of its own, or uses its parts so often that
    # drawing it would not end.
    return _Cleaning().of(data)


class _Cleaning:
    """One pass over a file; what is left out is left out with all that stands in it."""

    def __init__(self) -> None:
        self._out: list[str] = []
        self._open: list[str] = []
        self._dropped = 0
        self._linked = False
        self._style: list[str] | None = None
        self._expansion = _Expansion()
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


class _Part:
    """An element with a name, or the whole: what is drawn with it."""

    def __init__(self) -> None:
        self.elements = 0
        self.named: list[str] = []
        self.within: list[_Part] = []


class _Expansion:
    """Counts the elements of a drawing as often as they are drawn: a few lines can stand for millions."""

    def __init__(self) -> None:
        self._whole = _Part()
        self._open: list[_Part] = [self._whole]
        #: By name; of several with one name the first is meant.
        self._parts: dict[str, _Part] = {}
        self._written = 0
        #: Parts by the words that a rule of a style sheet may choose their elements by.
        self._by_word: dict[str, list[_Part]] = {}
        self._rules: list[tuple[frozenset[str] | None, list[str]]] = []

    def open(self, element: str, attributes: Mapping[str, str]) -> None:
        """Count an element that begins."""
        self._written += 1
        part = self._open[-1]
        name = attributes.get("id")
        if name:
            made = _Part()
            part.within.append(made)
            self._parts.setdefault(name, made)
            part = made
        self._open.append(part)
        part.elements += 1
        for key, value in attributes.items():
            if key in ("href", "xlink:href"):
                if element != _LINK and value.strip().startswith("#"):
                    part.named.append(value.strip()[1:])
            elif "#" in value:
                part.named += map(str.strip, _NAMED.findall(value))
        words = {element.lower(), (name or "").lower(), *attributes.get("class", "").lower().split()}
        for word in words:
            self._by_word.setdefault(word, []).append(part)

    def close(self) -> None:
        """End the element that began last."""
        self._open.pop()

    def rules(self, sheet: str) -> None:
        """Count what the rules of a style sheet name, for every element that they may be about."""
        if not _NAMED.search(sheet):
            return
        # In comments and in quoted text a bracket is none: such a sheet is about everything.
        plain = re.sub(r"\"[^\"{}]*\"|'[^'{}]*'", lambda found: found[0][1:-1], sheet)
        if "/*" in plain or '"' in plain or "'" in plain:
            self._rules.append((None, [name.strip() for name in _NAMED.findall(plain)]))
            return
        for chosen, said in _RULE.findall(plain):
            named = [name.strip() for name in _NAMED.findall(said)]
            if named:
                self._rules.append((_chosen_words(chosen.lower()), named))
        beside = _NAMED.findall(_RULE.sub("", plain))
        if beside:
            self._rules.append((None, [name.strip() for name in beside]))

    @property
    def too_large(self) -> bool:
        """Whether far more is drawn than is written, or a part is drawn within itself."""
        drawn = self.drawn()
        return drawn is None or drawn > _MOST + _PER_ELEMENT * self._written

    def drawn(self) -> int | None:
        """Return how many elements are drawn, as far as they may be; None when one is drawn within itself."""
        limit = _MOST + _PER_ELEMENT * self._written
        styled = self._styled(limit)
        if styled is None:
            return limit + 1
        counts: dict[int, int] = {}
        waiting = [self._whole]
        entered: set[int] = set()
        while waiting:
            part = waiting[-1]
            if id(part) in counts:
                waiting.pop()
                continue
            named = [*part.named, *styled.get(id(part), ())]
            beneath = [*part.within, *(self._parts[name] for name in named if name in self._parts)]
            unknown = {id(made): made for made in beneath if id(made) not in counts}
            if not unknown:
                drawn = part.elements + sum(counts[id(made)] for made in beneath)
                counts[id(part)] = min(drawn, limit + 1)
                waiting.pop()
            elif entered & unknown.keys():
                return None
            else:
                entered.add(id(part))
                waiting += unknown.values()
        return counts[id(self._whole)]

    def _styled(self, limit: int) -> dict[int, list[str]] | None:
        """Return what style sheets name for each part; None when that alone is too much."""
        found: dict[int, list[str]] = {}
        made = 0
        for words, named in self._rules:
            for part in self._chosen(words):
                found.setdefault(id(part), []).extend(named)
                made += len(named)
                if made > limit:
                    return None
        return found

    def _chosen(self, words: frozenset[str] | None) -> Iterable[_Part]:
        chosen = self._by_word if words is None else words & self._by_word.keys()
        return (part for word in chosen for part in self._by_word[word])


def _chosen_words(selectors: str) -> frozenset[str] | None:
    """Return words of which an element that is chosen has one; None where it may be any element."""
    words: set[str] = set()
    for selector in selectors.split(","):
        found = _WORD.findall(_STEPS.split(selector.strip())[-1])
        if not found or any(sign in selector for sign in "*[:&"):
            return None
        words.update(found)
    return frozenset(words)
