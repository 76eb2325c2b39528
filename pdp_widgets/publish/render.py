"""The drawings' engine: what the front end draws on a screen, drawn without one.

Every picture is drawn once, by the front end's own code. Here it runs in a small JavaScript engine
(quickjs-ng), or in the browser's own where Python itself runs in one. It sees JSON and gives JSON: labels are
data to it, never code.
"""

from __future__ import annotations

import json
import os
import re
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

__all__ = [
    "Drawing",
    "EngineError",
    "Panel",
    "Picture",
    "Row",
    "Theme",
    "charts_picture",
    "in_tags",
    "picture",
]

_SCRIPT = Path(__file__).resolve().parent.parent / "static" / "still.js"
#: A drawing that takes longer, in seconds of processor time, or needs more memory, in bytes, is given up.
_SECONDS = 20.0
_MEMORY = 1 << 30
_NAME = "pdpDraw"
Theme: TypeAlias = Literal["screen", "light", "print"]
_Draw: TypeAlias = Callable[[str, float, str], str]
#: The cells of a row of a table: text, whether it is a heading, and how many columns it spans.
Row: TypeAlias = tuple[tuple[str, bool, int], ...]
#: Width in px that pictures in notebooks are drawn for.
WIDTH = 1000


class EngineError(RuntimeError):
    """Nothing can be drawn: the engine or its script is missing, or a drawing failed in it."""


@dataclass(frozen=True)
class Drawing:
    """One drawing: SVG with the rules and colours it needs, its size in px, its name and what it says."""

    name: str
    title: str
    svg: str
    width: float
    height: float


@dataclass(frozen=True)
class Panel:
    """A part of a widget."""

    title: str
    facts: tuple[tuple[str, str], ...]
    words: tuple[str, ...]
    drawings: tuple[Drawing, ...]
    tables: tuple[tuple[str, tuple[Row, ...]], ...]


@dataclass(frozen=True)
class Picture:
    """All that a widget shows: title, leading sentences, the numbers of its foot in a line, and its parts."""

    title: str
    lead: str
    foot: str
    panels: tuple[Panel, ...]

    @property
    def foot_line(self) -> str:
        """The numbers of the foot as sentences in one line."""
        return " ".join(line if line.endswith(".") else f"{line}." for line in self.foot.split("\n") if line)

    def named(self, name: str) -> Panel | None:
        """Return the drawings of the part of that name, with its tables and what they are about, or None."""
        for panel in self.panels:
            found = tuple(drawing for drawing in panel.drawings if drawing.name == name)
            if found:
                return Panel(panel.title, (), (self.lead,) if self.lead else (), found, panel.tables)
        return None


def picture(state: Mapping[str, Any], width: float = WIDTH, theme: Theme = "screen") -> Picture:
    """Draw a widget from its saved state."""
    return _read(_drawn(state, width, theme))


def charts_picture(
    charts: Sequence[Mapping[str, Any]], width: float = WIDTH, theme: Theme = "screen"
) -> Picture:
    """Draw declared charts, each as a part of its own."""
    return _read(_drawn({"charts": list(charts)}, width, theme))


def _read(made: Any) -> Picture:
    try:
        panels = tuple(_panel(part) for part in made["panels"])
        return Picture(made["title"], made["lead"], made["foot"], panels)
    except (KeyError, TypeError) as error:
        raise EngineError(f"The drawing has another shape than expected: {error!r}") from None


def _panel(part: Mapping[str, Any]) -> Panel:
    tables = (
        (
            table["caption"],
            tuple(tuple((c["text"], c["head"], c["span"]) for c in row) for row in table["rows"]),
        )
        for table in part["tables"]
    )
    return Panel(
        part["title"],
        tuple((term, value) for term, value in part["facts"]),
        tuple(part["words"]),
        tuple(Drawing(**drawing) for drawing in part["drawings"]),
        tuple(tables),
    )


#: What XML forbids, and what would turn the text beside it around.
_UNSEEN = dict.fromkeys(
    (
        *(*range(9), 11, 12, *range(14, 32), *range(127, 160)),
        *(*range(0x202A, 0x202F), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF),
    )
)
_TAG = re.compile(r"<[^>]*>")
_NAME_OF = re.compile(r'(?<= id=")[^"]+')
_REFERENCE = re.compile(r'( id="|url\(#|href="#)([^")]+)')


def in_tags(svg: str, change: Callable[[str], str]) -> str:
    """Return a drawing with its tags changed: what stands between them is data, whatever it says."""
    return _TAG.sub(lambda found: change(found[0]), svg)


def _seen(value: Any) -> Any:
    """Return what was drawn without signs that no viewer shows."""
    if isinstance(value, str):
        return value.translate(_UNSEEN)
    if isinstance(value, dict):
        return {name: _seen(part) for name, part in value.items()}
    return [_seen(part) for part in value] if isinstance(value, list) else value


def _named(made: Any) -> Any:
    """Number the names that parts of drawings refer to: the front end counts on from picture to picture."""
    drawings = [drawing for panel in made["panels"] for drawing in panel["drawings"]]
    found = (_NAME_OF.findall(tag) for drawing in drawings for tag in _TAG.findall(drawing["svg"]))
    names = {name: f"i{k}" for k, name in enumerate(dict.fromkeys(name for part in found for name in part))}

    def renamed(tag: str) -> str:
        return _REFERENCE.sub(lambda one: one[1] + names.get(one[2], one[2]), tag)

    for drawing in drawings if names else ():
        drawing["svg"] = in_tags(drawing["svg"], renamed)
    return made


_guard = threading.Lock()
_drawers: list[_Draw] = []
#: Engines of the process that this one was forked from, kept as they are: their threads stayed there.
_left_behind: list[_Draw] = []


def _begin_anew() -> None:
    """Forget, in a forked process, an engine that would be waited for without end."""
    global _guard
    _guard = threading.Lock()
    _left_behind.extend(_drawers)
    _drawers.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)


def _drawn(given: Mapping[str, Any], width: float, theme: Theme) -> Any:
    text = json.dumps(given, ensure_ascii=False, allow_nan=False)
    with _guard:
        if not _drawers:
            _drawers.append(_in_browser() if sys.platform == "emscripten" else _in_quickjs())
        draw = _drawers[0]
    try:
        return _drawn_by(draw, text, float(width), theme)
    except BaseException as error:
        # Whatever state the engine was left in, or busy with what was interrupted: the next one starts anew.
        _drawers.clear()
        if not isinstance(error, Exception):
            raise
        said = str(error).partition("\n")[0]
        limit = {
            "InternalError: interrupted": f"takes more than {_SECONDS:g} seconds",
            "InternalError: out of memory": "needs too much memory",
        }.get(said)
        if limit:
            raise EngineError(
                f"Nothing is drawn, since that {limit}: {_size_of(given)}. Draw a part of it, or take the "
                "numbers alone."
            ) from None
        raise EngineError(f"The drawing failed: {said}") from None


def _size_of(given: Mapping[str, Any]) -> str:
    """Say how much there is to draw."""
    found = []
    for one in given.get("charts", ()):
        if one["kind"] == "cells":
            size = f"{len(one['rows']):,} by {len(one['columns']):,} cells"
        else:
            size = f"{sum(len(series['x']) for series in one['series']):,} points"
            size += "".join(
                f", {len(axis['names']):,} names" for axis in (one["x"], one["y"]) if axis["names"]
            )
        found.append(f'"{one["title"]}" has {size}')
    return "; ".join(found) or "the widget shows very much"


# What a notebook shows is often saved or put into a page right after.
@lru_cache(maxsize=8)
def _drawn_by(draw: _Draw, text: str, width: float, theme: Theme) -> Any:
    return _named(_seen(json.loads(draw(text, width, theme))))


def _script() -> str:
    try:
        return f"{_SCRIPT.read_text(encoding='utf-8')}\nvar {_NAME}=pdpStill.draw;"
    except FileNotFoundError:
        raise EngineError(
            "The front end is missing: there is no pdp_widgets/static/still.js. In a clone, build it with "
            "`npm ci` and `npm run build:widgets` in the folder js."
        ) from None


def _in_quickjs() -> _Draw:
    source = _script()
    try:
        import quickjs
    except ImportError:
        raise EngineError(
            "Drawings without a browser need the package quickjs-ng, which is not installed here; sentences "
            "and tables stand in their place."
        ) from None
    # It runs on a thread of its own, whichever asks: a context belongs to one thread.
    draw = quickjs.Function(_NAME, source, own_executor=True)
    draw.set_memory_limit(_MEMORY)
    draw.set_time_limit(_SECONDS)
    # The engine looks for garbage by itself where much has gathered; after each drawing it would take longer.
    return cast(_Draw, partial(draw, run_gc=False))


def _in_browser() -> _Draw:
    from pyodide.code import run_js

    return cast(_Draw, run_js(f"(()=>{{{_script()}return {_NAME}}})()"))
