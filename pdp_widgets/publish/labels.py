"""Labels and names as safe, bounded pieces of text, and how wide they come out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence

from pdp_widgets.models.labels import short

__all__ = [
    "clean",
    "fit",
    "graphemes",
    "isolate",
    "listing",
    "shorten",
    "width",
    "wrap",
]

ELLIPSIS = "…"
_BIDI_CONTROLS = {0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
_NARROW = set("ijl.,:;'|!I` ‘’·")
_SLIM = set('frt()[]{}-/\\"*“”')
_BROAD = set("mwMW@%—…")
#: Longest text looked at; what lies beyond it never reaches a picture.
_LONGEST = 600
_LONGEST_BITS = 3000


def clean(text: object) -> str:
    """Return text without what XML forbids or what would turn the text beside it around."""
    # Line ends and tabs become spaces, control characters and lone surrogates the replacement character,
    # direction controls go.
    kept = []
    # Python does not write integers of thousands of digits.
    plain = short(text) if isinstance(text, int) and text.bit_length() > _LONGEST_BITS else str(text)
    for ch in plain[:_LONGEST]:
        code = ord(ch)
        if code in _BIDI_CONTROLS:
            continue
        if ch.isspace():
            kept.append(" ")
        elif code < 32 or 127 <= code < 160 or 0xD800 <= code < 0xE000 or code & 0xFFFE == 0xFFFE:
            kept.append("\ufffd")
        else:
            kept.append(ch)
    return " ".join("".join(kept).split())


def shorten(text: object, most: int = 24, among: Iterable[object] = ()) -> str:
    """Return at most so many visible characters, with an ellipsis where something was cut."""
    cleaned = clean(text)

    def fits(part: str) -> bool:
        return len(part) <= most or len(graphemes(part)) <= most

    return cleaned if fits(cleaned) else _cut(cleaned, fits, among)


_Fits = Callable[[str], bool]


def _most(parts: list[str], made: Callable[[int], str], fits: _Fits) -> str:
    """Return the text made of the most parts that fit, nothing where none does."""
    low, high = 0, len(parts)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(made(middle)) else (low, middle - 1)
    return made(low) if low else ""


def _beginning(text: str, fits: _Fits, before: str = "") -> str:
    if before and fits(before + text):
        return before + text
    parts = graphemes(text)
    found = _most(parts, lambda kept: before + "".join(parts[:kept]).rstrip() + ELLIPSIS, fits)
    return found or before + (parts[0] if parts and fits(before + parts[0] + ELLIPSIS) else "") + ELLIPSIS


def _both_ends(text: str, fits: _Fits, before: str = "") -> str:
    """Keep all of the last word where it has room, else three of five signs at the beginning."""
    if fits(before + text):
        return before + text
    parts = graphemes(text)
    first, word = (len(graphemes(part)) for part in _outer_words(text))

    def made(kept: int) -> str:
        tail = word if 0 < word <= 0.7 * kept else int(0.4 * kept)
        head = kept - tail
        end = "".join(parts[-tail:]) if tail else ""
        # Three letters of the first word say less than the last word alone.
        if not before and tail == word and head < 4 and head < first:
            return ELLIPSIS + end
        left = "".join(parts[:head])
        # Before a whole word no splinter of another one.
        left = re.sub(r"(\s\S{0,2})+$", "", left) if tail == word else left
        return before + left.rstrip() + ELLIPSIS + end.lstrip()

    return _most(parts, made, fits) or _beginning(text, fits, before)


def _first_parts(text: str, fits: _Fits) -> str:
    """Keep the first parts of a list: without those in the middle it would say something else."""
    parts = text.split(", ")
    return _most(parts, lambda kept: f"{', '.join(parts[:kept])}, {ELLIPSIS}", fits) or _beginning(text, fits)


def _is_list(text: str) -> bool:
    return text.count(", ") > 1


def _outer_words(text: str) -> tuple[str, str]:
    words = text.split(" ")
    return words[0], words[-1]


def _cut(text: str, fits: _Fits, among: Iterable[object]) -> str:
    """Cut a text that is too long so that it is told from the others that are shown with it."""
    # Its beginning is kept; where the last word has a number or another one begins alike, both ends; else
    # what differs. As js/src/ui/lettering.ts has it.
    first, last = _outer_words(text)
    # Of "$40k to $45k" a piece of its first number would be another number.
    numbered = re.search(r"\d", last) and (not re.search(r"\d", first) or fits(first + ELLIPSIS + last))
    begun = _first_parts if _is_list(text) else _both_ends if numbered else _beginning
    start = begun(text, fits)
    kept = start[: start.index(ELLIPSIS)]
    group = list(dict.fromkeys([text, *(one for one in map(clean, among) if one.startswith(kept))]))
    if len(group) == 1:
        return start
    same = next((k for k, signs in enumerate(zip(*group, strict=False)) if len(set(signs)) > 1), 0)
    while same and text[same - 1].isdigit():
        same -= 1
    ways: list[Callable[[str], str]] = [
        lambda one: _first_parts(one, fits) if _is_list(one) else _both_ends(one, fits),
        lambda one: one if fits(one) else _beginning(one[same:], fits, ELLIPSIS),
        lambda one: one if fits(one) else _both_ends(one[same:], fits, ELLIPSIS),
    ]
    way = next((way for way in ways if len(set(map(way, group))) == len(group)), ways[-1])
    found = way(text)
    return found if fits(found) else start


def isolate(text: str) -> str:
    """Return the text, kept from reordering the words around it when it runs from right to left."""
    if any(unicodedata.bidirectional(ch) in ("R", "AL", "AN") for ch in text):
        return f"\u2068{text}\u2069"
    return text


def _em(ch: str) -> float:
    if ch in _NARROW:
        return 0.28
    if ch in _SLIM:
        return 0.36
    if ch in _BROAD:
        return 0.92
    if ch in "\u2068\u2069\u200d" or unicodedata.category(ch) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(ch) in "WF" or ord(ch) >= 0x1F000:
        return 1.25
    if ch.isupper():
        return 0.7
    # Where letters are set on whole pixels, each may be wider than its font says.
    return 0.565 if ord(ch) < 0x250 else 0.75


def width(text: str, size: float = 12, bold: bool = False) -> float:
    """Return the width in px that the text takes in a usual sans-serif font, rather too much."""
    return sum(map(_em, text)) * size * (1.07 if bold else 1.0)


def graphemes(text: str) -> list[str]:
    """Return what a reader sees as single characters: an emoji with its modifiers is one."""
    found: list[str] = []
    for ch in text:
        joins = found and (found[-1].endswith("\u200d") or _extends(ch))
        if joins:
            found[-1] += ch
        else:
            found.append(ch)
    return found


def _extends(ch: str) -> bool:
    return ch == "\u200d" or 0x1F3FB <= ord(ch) <= 0x1F3FF or unicodedata.category(ch) in ("Mn", "Me")


def fit(text: object, room: float, size: float = 12, bold: bool = False, among: Iterable[object] = ()) -> str:
    """Return the text, cut with an ellipsis where it would be wider than `room` px."""
    cleaned = clean(text)

    def fits(part: str) -> bool:
        return width(part, size, bold) <= room

    return isolate(cleaned if fits(cleaned) else _cut(cleaned, fits, among))


def wrap(text: str, room: float, size: float = 12, most: int = 3) -> list[str]:
    """Return the text in at most so many lines of `room` px, the last cut with an ellipsis."""
    lines: list[str] = []
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and width(joined, size) <= room:
            lines[-1] = joined
        else:
            lines.append(word)
    if len(lines) > most:
        lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    return [line if width(line, size) <= room else fit(line, room, size) for line in lines]


def listing(names: Sequence[str], values: Sequence[object] | None = None, most: int = 12) -> str:
    """Return names, with their values if there are any, in one line."""
    pairs = [isolate(shorten(name)) for name in names]
    if values is not None:
        pairs = [f"{name} = {isolate(shorten(value))}" for name, value in zip(pairs, values, strict=True)]
    return ", ".join(pairs[:most]) + (f" and {len(pairs) - most} more" if len(pairs) > most else "")
