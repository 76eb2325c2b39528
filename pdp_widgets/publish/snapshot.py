"""A picture that stands in a saved notebook: a sentence, drawings, tables of numbers, and plain text."""

from __future__ import annotations

import base64
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from typing import Any

import numpy as np

from pdp_widgets.core.chart import number
from pdp_widgets.publish.render import EngineError, Panel, Picture, Row, picture
from pdp_widgets.publish.sheet import columns, open_tables, sheet, without_blanks
from pdp_widgets.version import __version__

__all__ = ["LAYOUT", "Snapshot", "computed_on", "figure_css", "snapshot_of", "snapshot_of_picture"]

#: Rules for any page that holds pictures.
LAYOUT = (
    ".pdp-static{margin:0;max-width:1200px;overflow-x:auto;font-size:12px;line-height:18px}"
    "figure.pdp-static img{max-width:none;height:auto;vertical-align:top}"
    "figure.pdp-static p{margin:4px 0;max-width:120ch}"
    "figure.pdp-static>p+p{font-size:16px;line-height:24px;max-width:84ch}"
    "figure.pdp-static>p+p+p{font-size:12px;line-height:18px;max-width:none}"
    # Parts stand beside each other, each as wide as its drawing.
    ".pdp-static>div{display:flex;flex-wrap:wrap;gap:16px 32px}"
    ".pdp-static>div>div{width:min-content;min-width:284px}.pdp-static>div>div>div{white-space:nowrap}"
    ".pdp-static figcaption{margin:4px 0}"
    ".pdp-static summary{cursor:pointer}"
    ".pdp-static table{border-collapse:collapse;margin:4px 0 12px;"
    "font-size:12px;font-variant-numeric:tabular-nums}"
    "figure.pdp-static th,figure.pdp-static td{padding:1px 16px 1px 0;text-align:left!important}"
    ".pdp-static caption{text-align:left;font-weight:600;padding:2px 0;caption-side:top}"
    "@media print{figure.pdp-static img{max-width:100%}}"
)
_STATIC = (
    f"{LAYOUT}"
    # A drawing asks for its scheme; these say what the notebook's own theme is, which it cannot see.
    '[data-jp-theme-light="true"] .pdp-static img{color-scheme:light}'
    '[data-jp-theme-light="false"] .pdp-static img{color-scheme:dark}'
    "@media print{figure.pdp-static img{color-scheme:light!important}}"
)
#: Where a live view gave way to its picture: the values that it shows may be old ones.
_REFRESH = "A static picture. Run the cell again to bring it up to date."
#: Of drawings that are narrower, px, two stand beside each other.
_NARROW = 300
#: Longer words are cut: nobody reads them in a table, and pictures are kept small.
_LONGEST = 160
#: Longer lists are not told one by one.
_MOST_LISTED = 16
#: What a view says of itself rather than of what it shows.
_SILENT = frozenset(
    {
        *("revision", "since", "ack", "fault", "disabled", "current", "running", "stopped", "kept"),
        *("cost", "search", "automatic", "loaded", "locks", "sound", "support", "symbols", "key"),
    }
)


def figure_css(token: str) -> str:
    """Return rules that show either the picture or the live view that follows it in the same output area."""
    # The picture carries the class ``pdps-<token>``, the root of the live view ``pdpl-<token>``. On screen a
    # live view hides the picture; on paper the picture hides the view. What a notebook writes in place of a
    # view it cannot draw ("Loading widget...") is hidden too. Notebooks and pages of nbconvert wrap each
    # output in an element of JupyterLab's name; other pages, books of Sphinx say, have the view follow in one
    # of the html-manager's.
    if not re.fullmatch(r"[A-Za-z0-9_-]+", token):
        raise ValueError(f"token {token!r}: letters, digits, - and _ are accepted")
    child, still, live = ".jp-OutputArea-child", f".pdps-{token}", f".pdpl-{token}"
    # A front end of another version says so, and draws nothing that the picture could give way to.
    drawn = f"{live}:not([data-pdp-apart])"
    bare, managed = f":has(> {still})", ".widget-subarea"
    return (
        f"@media screen{{{child}:has({still}):has(~ {child} {drawn}){{display:none}}}}"
        f"@media print{{{child}:has({still}) ~ {child} {live}{{display:none}}}}"
        f"@media screen{{{bare}:has(~ {managed} {drawn}){{display:none}}}}"
        f"@media print{{{bare} ~ {managed} {live}{{display:none}}}}"
        f"{child}:has({still}) + {child} > .jp-OutputArea-output.lm-Panel:not(:has(> *)){{display:none}}"
    )


def _table(caption: str, head: list[str], rows: list[list[str]]) -> str:
    """Return an HTML table whose first column names the rows; every text is escaped."""
    top = "".join(f"<th>{escape(text)}</th>" for text in head)
    body = "".join(
        f"<tr><th>{escape(row[0])}</th>" + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:]) + "</tr>"
        for row in rows
    )
    opened = f"<table><caption>{escape(caption)}</caption>"
    return f"{opened}<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


@dataclass(frozen=True)
class Snapshot:
    """A static picture with its numbers.

    Parameters
    ----------
    text
        Plain text for ``text/plain``: the lead and the numbers of the foot.
    caption
        Date and version.
    body
        HTML: the sentence, each drawing as an image, and the numbers as tables.
    svg
        All drawings on one sheet: one self-contained SVG document, light or dark by the viewer's scheme.
    """

    text: str
    caption: str
    body: str
    svg: str

    @property
    def html(self) -> str:
        """The ``<figure>`` alone, without the rules for a live view beside it."""
        return f"<style>{_STATIC}</style>{self._figure('pdp-static', '')}"

    def to_html(self, token: str, remark: str = _REFRESH) -> str:
        """Return the ``<figure>`` that gives way to the live view of the same token.

        Parameters
        ----------
        token
            See :func:`figure_css`.
        remark
            A sentence below the picture: that what the live view shows may have changed since.
        """
        return (
            f"<style>{_STATIC}{figure_css(token)}</style>{self._figure(f'pdp-static pdps-{token}', remark)}"
        )

    def _figure(self, classes: str, remark: str) -> str:
        told = f"{self.caption} {remark}".strip()
        return f'<figure class="{classes}">{self.body}<figcaption>{escape(told)}</figcaption></figure>'

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": self.text}


def _image(svg: str, told: str, width: float | None = None) -> str:
    data = base64.b64encode(svg.encode()).decode()
    size = f' width="{width:g}"' if width else ""
    return f'<img alt="{escape(told)}"{size} src="data:image/svg+xml;base64,{data}">'


def _folded(numbers: str) -> str:
    return f"<details><summary>All numbers of this picture</summary>{numbers}</details>" if numbers else ""


def computed_on(day: date | None) -> str:
    """Return date and version as the picture states them."""
    months = "January February March April May June July August September October November December"
    day = day or date.today()
    return f"Computed {day.day} {months.split()[day.month - 1]} {day.year}, pdp_widgets {__version__}."


def snapshot_of(
    state: Mapping[str, Any], sentence: Callable[[], str], *, day: date | None = None
) -> Snapshot:
    """Return the static picture of a widget from its saved state."""
    # The sentence is said of a widget that has no leading one, or cannot be drawn here; the day is that of
    # the computation, without it today.
    view = state["traits"]["_view"]
    return snapshot_of_picture(
        lambda: picture(state), sentence, computed_on(day), str(view.get("title") or ""), _numbers(view)
    )


def snapshot_of_picture(
    draw: Callable[[], Picture],
    sentence: Callable[[], str],
    caption: str,
    title: str = "",
    numbers: Iterable[tuple[str, str]] = (),
) -> Snapshot:
    """Return a picture with its numbers, or what can be said without drawing it."""
    # The sentence is said where the picture leads with nothing, or cannot be drawn; there title and numbers,
    # names with their values, stand in its place.
    try:
        shown = draw()
    except EngineError as error:
        warnings.warn(str(error), RuntimeWarning, stacklevel=3)
        said, why = sentence(), f"Without drawings: {error}"
        rows = [[name, value] for name, value in numbers]
        listed = _table("What it shows", ["what", "value"], rows) if rows else ""
        body = f"<p>{escape(said)}</p><p>{escape(why)}</p>{listed}"
        return Snapshot(said, caption, body, sheet(Picture(title, "", "", ()), f"{said}\n{why}", caption))
    text = _text(shown) or sentence()
    return Snapshot(text, caption, _body(shown, text), sheet(shown, text, caption))


def _text(shown: Picture) -> str:
    """Return the lead, and in a second line the numbers of the foot."""
    return f"{shown.lead}\n{shown.foot_line}".strip() if shown.lead else ""


def _body(shown: Picture, text: str) -> str:
    said = [f"<p><b>{_cut(shown.title)}</b></p>"] if shown.title else []
    said += [f"<p>{escape(line)}</p>" for line in text.split("\n")]
    folded = [_rows(*one) for panel in shown.panels for one in panel.tables if one not in open_tables(panel)]
    parts = "".join(f"<div>{''.join(map(_part, those))}</div>" for those in columns(shown.panels))
    return f"{''.join(said)}<div>{parts}</div>{_folded(''.join(folded))}"


def _part(panel: Panel) -> str:
    made = [f"<p><b>{_cut(panel.title)}</b></p>"] if panel.title else []
    if panel.facts:
        facts = "; ".join(f"{_cut(term)}: <b>{_cut(value)}</b>" for term, value in panel.facts)
        made.append(f"<p>{facts}</p>")
    drawn = [_image(drawing.svg, drawing.title, drawing.width) for drawing in panel.drawings]
    narrow = max((drawing.width for drawing in panel.drawings), default=0.0) < _NARROW
    pairs = ["".join(drawn[k : k + 2]) for k in range(0, len(drawn), 2)]
    made += [f"<div>{pair}</div>" for pair in pairs] if narrow and len(drawn) > 2 else drawn
    made += [f"<p>{escape(words)}</p>" for words in panel.words]
    made += [_rows(*one) for one in open_tables(panel)]
    return "".join(made)


def _cut(text: str) -> str:
    return escape(text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…")


def _rows(caption: str, rows: Sequence[Row]) -> str:
    def cell(text: str, head: bool, span: int) -> str:
        name = "th" if head else "td"
        wide = f' colspan="{span}"' if span > 1 else ""
        return f"<{name}{wide}>{_cut(text)}</{name}>"

    body = "".join(f"<tr>{''.join(cell(*one) for one in row)}</tr>" for row in without_blanks(rows))
    named = f"<caption>{_cut(caption)}</caption>" if caption else ""
    return f"<table>{named}<tbody>{body}</tbody></table>"


def _numbers(view: Mapping[str, Any], above: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """Name what stands in a view: words, numbers, and short rows of them."""
    for key, value in view.items():
        name = f"{above} {key}".strip().replace("_", " ")
        if key in _SILENT or value is None or value == "":
            continue
        if isinstance(value, Mapping) and set(value) == {"base64"}:
            value = _floats(value["base64"])
        if isinstance(value, Mapping):
            if depth < 2:
                yield from _numbers(value, "" if key == "results" else name, depth + 1)
        elif isinstance(value, list):
            if 0 < len(value) <= _MOST_LISTED and all(isinstance(one, str | int | float) for one in value):
                yield name, ", ".join(map(_short, value))
        else:
            yield name, _short(value)


def _floats(packed: str) -> list[float]:
    data = base64.b64decode(packed)
    return np.frombuffer(data, np.float64).tolist() if len(data) % 8 == 0 else []


def _short(value: Any) -> str:
    return number(value, 4) if isinstance(value, float) else str(value)[:_LONGEST]
