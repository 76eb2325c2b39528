"""A picture that stands in a saved notebook: SVG, HTML figure and plain text of the same numbers."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from html import escape

__all__ = ["Snapshot", "figure_css", "table"]

_WIDEST = 1000
_STATIC = (
    ".pdp-static{margin:0;max-width:1000px;font-size:12px;line-height:18px}"
    ".pdp-static img{display:block;width:100%;max-width:1000px;height:auto}"
    ".pdp-static figcaption{margin:4px 0}"
    ".pdp-static summary{cursor:pointer}"
    ".pdp-static table{border-collapse:collapse;margin:4px 0 12px;"
    "font-size:12px;font-variant-numeric:tabular-nums}"
    "figure.pdp-static th,figure.pdp-static td{padding:1px 16px 1px 0;text-align:left!important}"
    ".pdp-static caption{text-align:left;font-weight:600;padding:2px 0;caption-side:top;white-space:nowrap}"
    # The picture asks for its scheme; these say what the notebook's own theme is, which it cannot see.
    '[data-jp-theme-light="true"] .pdp-static img{color-scheme:light}'
    '[data-jp-theme-light="false"] .pdp-static img{color-scheme:dark}'
    "@media print{.pdp-static img{color-scheme:light!important}}"
)
#: Where a live view gave way to its picture: the values that it shows may be old ones.
_REFRESH = "A static picture. Run the cell again to bring it up to date."


def figure_css(token: str) -> str:
    """Return rules that show either the picture or the live view that follows it in the same output area.

    The picture carries the class ``pdps-<token>``, the root of the live view ``pdpl-<token>``. On screen a
    live view hides the picture; on paper the picture hides the view. What a notebook writes in place of a
    view it cannot draw ("Loading widget...") is hidden too. Notebooks and pages of nbconvert wrap each output
    in an element of JupyterLab's name; other pages, books of Sphinx say, have the view follow in one of the
    html-manager's.

    Parameters
    ----------
    token
        Random name shared by one picture and its views: letters, digits, ``-`` and ``_``.

    Raises
    ------
    ValueError
        When the token has other characters.
    """
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


def table(caption: str, head: list[str], rows: list[list[str]]) -> str:
    """Return an HTML table whose first column names the rows; every text is escaped.

    Examples
    --------
    >>> table("Sizes", ["what", "px"], [["a < b", "1"]])[:56]
    '<table><caption>Sizes</caption><thead><tr><th>what</th><'
    """
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
    svg
        The picture: one self-contained SVG document, light or dark by the viewer's scheme.
    text
        Plain text for ``text/plain``: the lead and the audit strip.
    caption
        The last line of the picture: date, version and which values it shows.
    summary
        HTML table of the main numbers, shown below the picture.
    details
        HTML tables of all the other numbers, folded away.
    """

    svg: str
    text: str
    caption: str
    summary: str
    details: str = ""

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
        data = base64.b64encode(self.svg.encode()).decode()
        folded = (
            f"<details><summary>All numbers of this picture</summary>{self.details}</details>"
            if self.details
            else ""
        )
        return (
            f'<figure class="{classes}">'
            f'<img alt="{escape(f"{self.text} {self.caption}")}"{self._widest} '
            f'src="data:image/svg+xml;base64,{data}">'
            f"{f'<figcaption>{remark}</figcaption>' if remark else ''}{self.summary}{folded}</figure>"
        )

    @property
    def _widest(self) -> str:
        """A narrow picture is not blown up: letters are as large as in a wide one."""
        found = re.search(r'viewBox="0 0 ([0-9.]+) ', self.svg[:500])
        return f' style="max-width:{float(found[1]):g}px"' if found and float(found[1]) < _WIDEST else ""

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": self.text}
