"""A report of two printed pages: what is released, to whom it leaks, and what that means, as HTML or PDF."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from pdp_widgets.core.chart import Cells, Chart
from pdp_widgets.errors import DomainError, PdpError, Where
from pdp_widgets.leakage.meaning.meaning import Meaning
from pdp_widgets.models.labels import as_choice, shown
from pdp_widgets.publish.document import DocumentError
from pdp_widgets.publish.figures import numbers_of
from pdp_widgets.publish.files import check_place, write_whole
from pdp_widgets.publish.formatting import count
from pdp_widgets.publish.labels import clean
from pdp_widgets.publish.page_frame import document
from pdp_widgets.publish.render import EngineError, Panel, Picture, charts_picture, picture
from pdp_widgets.publish.report_kinds import told_of
from pdp_widgets.publish.report_words import Facts, Told, dense, meant
from pdp_widgets.publish.snapshot import snapshot_of_picture
from pdp_widgets.version import __version__

__all__ = ["PAPERS", "report"]

#: Papers a report is printed on, as style sheets name them.
PAPERS = ("A4", "letter")
#: Lines of a cell that are printed, of at most so many characters each, and the width of a curve in px.
_LINES, _CHARACTERS, _CURVE = 26, 104, 340.0
_TWO = 2
#: Programs that print, and seconds that one may take.
_BROWSERS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "msedge",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
_SECONDS = 60.0
#: What a browser writes into a PDF of when that was printed; the same number of bytes takes its place.
_DATE = re.compile(rb"\(D:\d{14}[+-Z][^)]*\)")
_NO_DATE, _NODE = b"(D:20000101000000Z", re.compile(rb"node\d{8}")

# On screen a report is a page as others are; on paper two, whose letters are small enough for A4 and Letter.
_STYLE = (
    ".pdp-report{max-width:86ch}.pdp-report>*{margin:0 0 12px}"
    ".pdp-report h1{font-size:28px;line-height:1.25}"
    ".pdp-report h2{font-size:19px;line-height:1.3;margin:28px 0 6px}"
    ".pdp-report :is(p,li){margin:0 0 4px}.pdp-report ul{padding-left:20px}"
    ".pdp-report dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px}"
    ".pdp-report dt{color:var(--ink2)}.pdp-report dd{margin:0}.pdp-report .pdp-scroll{overflow-x:auto}"
    ".pdp-report table{border-collapse:collapse;font-size:14px;line-height:20px;"
    "font-variant-numeric:tabular-nums}"
    ".pdp-report :is(th,td){padding:3px 16px 3px 0;text-align:left;vertical-align:top}"
    ".pdp-report :is(th,td){border-bottom:1px solid var(--line);font-weight:400}"
    ".pdp-report thead th{color:var(--ink2)}"
    ".pdp-report td:nth-child(2){text-align:right;white-space:nowrap;font-weight:600}"
    ".pdp-report pre{margin:0;padding:10px 14px;background:var(--tint);max-height:420px;overflow:auto;"
    "font:12px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}"
    "@media print{@page{margin:13mm 15mm}"
    "body{font-size:9.2pt;line-height:1.36}footer{display:none}.pdp-report{max-width:none}"
    ".pdp-report>*{margin-bottom:5pt}.pdp-report h1{font-size:15pt;margin-bottom:4pt}"
    ".pdp-report h2{font-size:11pt;margin:9pt 0 3pt}.pdp-report :is(p,li){margin-bottom:2pt}"
    ".pdp-report table{font-size:8pt;line-height:10.5pt;width:100%}"
    ".pdp-report :is(th,td){padding:1.5pt 8pt 1.5pt 0}.pdp-report .pdp-scroll{overflow:visible}"
    ".pdp-report .pdp-second{break-before:page;margin-top:0}.pdp-report details{display:none}"
    ".pdp-report figure>div{display:flex;flex-wrap:nowrap;gap:12pt}"
    ".pdp-report figure>div>div{min-width:0;flex:1 1 0}"
    ".pdp-report figure img{width:100%;max-height:62mm}"
    ".pdp-report pre{background:none;border:.5pt solid #aaa;padding:4pt 6pt;font-size:6.6pt}"
    f".pdp-report pre{{line-height:8.2pt;max-height:{_LINES * 8.2 + 8:g}pt;overflow:hidden}}"
    ".pdp-report pre{white-space:pre-wrap;overflow-wrap:anywhere}}"
)


def report(
    result: Any,
    path: str | os.PathLike[str],
    *,
    paper: str = "A4",
    cell: Callable[[], Mapping[str, Any]] | None = None,
    state: Mapping[str, Any] | None = None,
    **choice: Any,
) -> Path:
    """Write a report of a result; ``.report()`` of every analysis and explorer ends here."""
    # An explorer gives the cell that makes it again, and its state: what leads its page leads the report.
    # The same input makes the same bytes: what is random has a seed, and no date is written.
    target = _target(path)
    check_place(target)
    size = as_choice(paper, "paper", PAPERS)
    pdf = target.suffix.lower() == ".pdf"
    browser = _browser() if pdf else ""
    told = told_of(result, **choice)
    page_of = None if state is None else _picture(state)
    heading = f"Leakage report: {clean(told.title if page_of is None else page_of.title)}"
    body = f'<div class="pdp-report">{_body(told, result, heading, page_of, cell)}</div>'
    page = document(heading, body, style=_STYLE + (f"@page{{size:{size}}}" if pdf else "")).encode(
        errors="replace"
    )
    write_whole(target, _printed(page, browser) if pdf else page)
    return target


def _target(path: Any) -> Path:
    target = Path(path) if isinstance(path, str | os.PathLike) and "\0" not in str(path) else None
    if target is None or target.suffix.lower() not in (".html", ".pdf") or os.path.isdir(target):
        raise DomainError(
            f"The path is {shown(path)}; a report is a file that ends in .html or .pdf.",
            Where("parameter", name="path"),
        )
    return target


# What stands in it


def _picture(state: Mapping[str, Any]) -> Picture | None:
    """Return what the page of an explorer shows, or None where nothing can be drawn."""
    try:
        return picture(state)
    except EngineError:
        return None


def _body(
    told: Told,
    result: Any,
    heading: str,
    shown_page: Picture | None,
    cell: Callable[[], Mapping[str, Any]] | None,
) -> str:
    meaning = told.meaning
    panel = None if shown_page is None else _panel(shown_page)
    said = meant(meaning) if isinstance(meaning, Meaning) else [meaning] if panel is None else panel.words
    lead = shown_page.lead if shown_page is not None else ""
    parts = [
        f"<h1>{escape(heading)}</h1>",
        _paragraph(lead or told.lead),
        "<h2>What is released, and how</h2>",
        _facts(told.released),
        "<h2>What is assumed about the data</h2>",
        _items(told.assumed),
        "<h2>Which adversaries were looked at</h2>",
        _items(told.seen),
        "<h2>Which were not</h2>",
        _items(told.unseen),
        "<h2>What leaks</h2>",
        _table(told.numbers),
        "<h2>What noise would keep the promise</h2>",
        _items(told.noise),
        '<h2 class="pdp-second">What it means</h2>',
        _items(said),
        _curves(result, meaning, panel),
        "<h2>To compute it again</h2>",
        _code(told, cell),
    ]
    return "\n".join(part for part in parts if part)


def _text(words: object) -> str:
    return escape(clean(words))


def _paragraph(words: str) -> str:
    return f"<p>{_text(words)}</p>" if words else ""


def _items(sentences: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{_text(one)}</li>' for one in sentences)}</ul>"


def _facts(facts: Facts) -> str:
    return f"<dl>{''.join(f'<dt>{_text(term)}</dt><dd>{_text(value)}</dd>' for term, value in facts)}</dl>"


def _table(rows: Sequence[tuple[str, str, str, str]]) -> str:
    head = "".join(f'<th scope="col">{name}</th>' for name in ("What", "Number", "Status", "Source"))
    body = "".join(
        f'<tr><th scope="row">{_text(what)}</th>{"".join(f"<td>{_text(cell)}</td>" for cell in rest)}</tr>'
        for what, *rest in rows
    )
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="pdp-scroll" tabindex="0" role="region" aria-label="What leaks">{table}</div>'


def _panel(shown_page: Picture) -> Panel | None:
    """Return the panel of meanings of an explorer, if it draws the two curves."""
    panels = (one for one in shown_page.panels if one.title.startswith("What it means"))
    return next((one for one in panels if len(one.drawings) == _TWO), None)


def _curves(result: Any, meaning: Meaning | str, panel: Panel | None) -> str:
    """Return the two curves of a meaning, or those of an explorer, or else the first chart of the result."""
    if panel is not None and not isinstance(meaning, Meaning):
        drawn = [
            replace(panel, title="", facts=(), words=(), tables=(), drawings=(one,)) for one in panel.drawings
        ]
        return _figure(lambda: Picture("", "", "", tuple(drawn)))
    figures = (meaning if isinstance(meaning, Meaning) else result)._figures()
    names = ("tests", "profile") if isinstance(meaning, Meaning) else list(figures)[:1]
    made: list[Any] = []
    for name in names:
        try:
            one = figures[name]()
        except PdpError:
            # There is nothing to draw yet, as of a stream without steps.
            continue
        made += one if isinstance(one, Sequence) else [one]
    # Whom they are about is said in the list before them.
    charts = [replace(one, note="") for one in made if isinstance(one, Chart | Cells)][:_TWO]
    if not charts:
        return ""
    return _figure(lambda: charts_picture([one.declared() for one in charts], _CURVE), numbers_of(charts))


def _figure(draw: Callable[[], Picture], numbers: Iterable[tuple[str, str]] = ()) -> str:
    """Return drawings as a figure; the numbers stand where nothing can be drawn."""
    body = snapshot_of_picture(draw, lambda: "", "", numbers=numbers).body.replace("<p></p>", "", 1)
    return f'<figure class="pdp-static" tabindex="0" aria-label="Curves">{body}</figure>'


def _code(told: Told, cell: Callable[[], Mapping[str, Any]] | None) -> str:
    try:
        again = "".join(f", {name}={value!r}" for name, value in told.choice.items())
        opened = "" if cell is None else f"import pdp_widgets as pdp\n\npdp.open({dense(cell())})"
        made = opened or f"{told.cell.text}\nresult"
        text = f'{made}.report("release.html"{again if cell is None else ""})'
    except DocumentError as error:
        return _paragraph(f"The cell cannot be written: {error.plain}")
    python = ".".join(map(str, sys.version_info[:2]))
    lines = sum(1 + max(0, len(line) - 1) // _CHARACTERS for line in text.splitlines())
    whole = ""
    if lines > _LINES:
        digest = hashlib.sha256(text.encode(errors="replace")).hexdigest()
        whole = (
            f" The cell has {count(len(text.splitlines()), 'line')}; on paper it is cut, the HTML page holds "
            f"it whole (SHA-256 {digest})."
        )
    said = f"Computed by pdp_widgets {__version__} on Python {python} with numpy {np.__version__}.{whole}"
    return (
        f'{_paragraph(said)}<pre tabindex="0" role="region" aria-label="Cell of Python">{escape(text)}</pre>'
    )


# As PDF


def _browser() -> str:
    """Return the program that prints, or raise ImportError with what to install."""
    named = os.environ.get("PDP_CHROMIUM")
    for name in (named,) if named else _BROWSERS:
        if found := shutil.which(name):
            return found
    raise ImportError(
        "A report as PDF is printed by Chromium or Chrome, and none is installed here: install one, such as "
        "'apt install chromium', or name its program in the variable PDP_CHROMIUM. A report as .html needs "
        "nothing else, and any browser prints it."
    )


def _printed(page: bytes, browser: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder, "report.html"), Path(folder, "report.pdf")
        source.write_bytes(page)
        # The page has no script and may fetch nothing; a browser refuses its sandbox to the system's root.
        root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        command = [
            browser,
            *("--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking", *root),
            *(f"--user-data-dir={folder}/profile", "--no-pdf-header-footer", f"--print-to-pdf={made}"),
            source.as_uri(),
        ]
        try:
            done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise RuntimeError(f"{browser} did not print the report: {error}") from None
        if not made.exists():
            said = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["it says nothing"]
            raise RuntimeError(f"{browser} did not print the report: {said[0]}")
        return _undated(made.read_bytes())


def _undated(pdf: bytes) -> bytes:
    """Return a PDF without the date of printing, and its nodes numbered from 0, as no browser does."""
    dated = _DATE.sub(lambda found: _NO_DATE.ljust(len(found[0]) - 1) + b")", pdf)
    number = {name: b"node%08d" % k for k, name in enumerate(sorted(set(_NODE.findall(dated))))}
    return _NODE.sub(lambda found: number[found[0]], dated)
