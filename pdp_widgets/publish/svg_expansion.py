"""How much is drawn of an SVG whose parts are used again and again: a few lines can stand for millions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

__all__ = ["Expansion"]

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


class _Part:
    """An element with a name, or the whole: what is drawn with it."""

    def __init__(self) -> None:
        self.elements = 0
        self.named: list[str] = []
        self.within: list[_Part] = []


class Expansion:
    """Counts the elements of a drawing as often as they are drawn.

    Examples
    --------
    >>> drawing = Expansion()
    >>> drawing.open("svg", {})
    >>> drawing.open("use", {"href": "#dot"})
    >>> drawing.close()
    >>> drawing.open("path", {"id": "dot"})
    >>> drawing.close()
    >>> drawing.close()
    >>> drawing.drawn()
    4
    >>> drawing.too_large
    False
    """

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
