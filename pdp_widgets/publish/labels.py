"""Labels and names as safe, bounded pieces of text, and how wide they come out."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from pdp_widgets.models.labels import in_quotes, short

__all__ = ["clean", "fit", "graphemes", "in_quotes", "isolate", "short_names", "shorten", "width", "wrap"]

ELLIPSIS = "…"
_BIDI_CONTROLS = {0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
_NARROW = set("ijl.,:;'|!I` ‘’·")
_SLIM = set('frt()[]{}-/\\"*“”')
_BROAD = set("mwMW@%—…")
#: Longest text looked at; what lies beyond it never reaches a picture.
_LONGEST = 600
_LONGEST_BITS = 3000


def clean(text: object) -> str:
    r"""Return text without what XML forbids or what would turn the text beside it around.

    Line ends and tabs become spaces, control characters and lone surrogates the replacement character,
    direction controls go.

    Examples
    --------
    >>> clean("a\n b\x00"), clean(0), clean(True)
    ('a b\ufffd', '0', 'True')
    """
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


def shorten(text: object, most: int = 24) -> str:
    """Return at most so many visible characters, the last an ellipsis when something was cut.

    Examples
    --------
    >>> shorten("abcdefgh", 5)
    'abcd…'
    """
    cleaned = clean(text)
    parts = graphemes(cleaned)
    return cleaned if len(parts) <= most else "".join(parts[: most - 1]) + ELLIPSIS


def isolate(text: str) -> str:
    r"""Return the text, kept from reordering the words around it when it runs from right to left.

    Examples
    --------
    >>> isolate("abc"), len(isolate("\u05d0"))
    ('abc', 3)
    """
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
    """Return the width in px that the text takes in a usual sans-serif font, rather too wide than too narrow.

    Examples
    --------
    >>> round(width("1.398", 10))
    25
    """
    return sum(map(_em, text)) * size * (1.07 if bold else 1.0)


def graphemes(text: str) -> list[str]:
    """Return what a reader sees as single characters: a letter with its accents, an emoji with its modifiers.

    Examples
    --------
    >>> len(graphemes("ab")), len(graphemes("\u0065\u0301")), len(graphemes("\U0001f469\u200d\U0001f467"))
    (2, 1, 1)
    """
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


def fit(text: object, room: float, size: float = 12, bold: bool = False) -> str:
    """Return the text, cut with an ellipsis where it would be wider than `room` px.

    Examples
    --------
    >>> fit("item 5", 60), fit("a very long label indeed", 60)
    ('item 5', 'a very lo…')
    """
    cleaned = clean(text)
    if width(cleaned, size, bold) <= room:
        return isolate(cleaned)
    left = room - width(ELLIPSIS, size, bold)
    kept = ""
    for part in graphemes(cleaned):
        left -= width(part, size, bold)
        if left < 0:
            break
        kept += part
    return isolate(kept.rstrip() + ELLIPSIS)


def wrap(text: str, room: float, size: float = 12, most: int = 3) -> list[str]:
    """Return the text in lines no wider than `room` px; at most so many lines, the last cut with an ellipsis.

    Examples
    --------
    >>> wrap("one two three", 50, 12)
    ['one two', 'three']
    """
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


def short_names(names: Sequence[str]) -> tuple[tuple[str, ...], bool]:
    """Return names short enough for a card, and whether they are positions that a legend has to explain.

    Names that differ in a short end only ("item 1", "item 2") go by that end, names of up to three
    characters by themselves, all others by their position, counted from 1.

    Examples
    --------
    >>> short_names(["item 1", "item 2"]), short_names(["age", "sex"]), short_names(["class", "survived"])
    ((('1', '2'), False), (('age', 'sex'), False), (('1', '2'), True))
    """
    cleaned = [clean(name) for name in names]
    if all(0 < len(name) <= 3 for name in cleaned):
        return tuple(map(isolate, cleaned)), False
    first, last = min(cleaned), max(cleaned)
    shared = 0
    while shared < min(len(first), len(last)) and first[shared] == last[shared]:
        shared += 1
    while shared and first[shared - 1].isdigit():
        shared -= 1
    ends = [name[shared:] for name in cleaned]
    if len(names) > 1 and all(end.isascii() and end.isalnum() and len(end) <= 3 for end in ends):
        return tuple(ends), False
    return tuple(str(j + 1) for j in range(len(names))), True
