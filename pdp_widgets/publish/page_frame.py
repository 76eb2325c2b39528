"""The frame of a published page: what it allows, its script, and its style."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Collection, Mapping
from html import escape
from pathlib import Path
from typing import Any

from pdp_widgets.publish.page_state import data_block
from pdp_widgets.publish.snapshot import LAYOUT
from pdp_widgets.version import __version__

__all__ = ["FORMULA_STYLE", "PAGE_STYLE", "SLOT_STYLE", "document", "page_script", "site_scripts", "slot"]

_CAPTION = re.compile(r"<figcaption>.*?</figcaption>", re.DOTALL)
_PICTURE = "A picture of what was published. Where scripts may run, the explorer itself stands here."
_PARTS = Path(__file__).resolve().parent.parent / "static" / "page.json"
_START = "entry"
# Files of a site find each other by this name; within one script nothing outside sees the parts.
_SHARED = "pdpPart"
_ENDS = re.compile(r"</script|<!--|\r", re.IGNORECASE)
_BUILD = "build it with `npm ci` and `npm run build:widgets` in the folder js."

_LIGHT = (
    "--bg:#fff;--ink:#212121;--ink2:#5a5a5a;--line:#e0e0e0;--tint:#f6f6f6;--link:#0b57b0;"
    "--key:#7a3e9d;--text:#9a3412;--number:#0f6674;--remark:#5f6368;--name:#1d4fa8"
)
_DARK = (
    "--bg:#111;--ink:#e2e2e2;--ink2:#a8a8a8;--line:#383838;--tint:#1c1c1c;--link:#8ab4f8;"
    "--key:#d3a4f0;--text:#f0a67a;--number:#7fd0d8;--remark:#a0a4a8;--name:#9ec1ff"
)

#: Rules of a slot, for any page that holds some: on screen the live widget hides the picture, on paper it is
#: the other way round until something was changed. A page that scrolls leaves room for the focus ring.
SLOT_STYLE = (
    ".pdp-place{overflow-x:auto;padding:3px;margin:-3px}"
    ".pdp-note{margin:8px 0;font-size:12px;line-height:18px}"
    "@media screen{.pdp-slot[data-live]>figure{display:none}}"
    "@media print{.pdp-slot>figure img{break-inside:avoid}.pdp-note,.pdp-slot figcaption,"
    ".pdp-slot[data-live]:not([data-changed])>.pdp-place,.pdp-slot[data-changed]>figure{display:none}}"
)
#: Rules of formulae, for any page that holds some: those of several lines meet at their signs, and what is
#: wider than the page is scrolled.
FORMULA_STYLE = (
    "div.math{overflow-x:auto}"
    ".ams-align>mtr>mtd{padding:2px 0}.ams-align>mtr>mtd:nth-child(odd){text-align:right;padding-left:1em}"
    ".ams-align>mtr>mtd:nth-child(even){text-align:left}.ams-align>mtr>mtd:first-child{padding-left:0}"
)
#: Text stays within 72 letters; explorers take up to 1,200 px, as their own layout does.
PAGE_STYLE = (
    f":root{{color-scheme:light dark;{_LIGHT}}}"
    f"@media screen and (prefers-color-scheme:dark){{:root{{{_DARK}}}}}"
    "*,*::before,*::after{box-sizing:border-box}"
    "body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.6 system-ui,sans-serif}"
    "body{overflow-wrap:break-word}"
    "main{max-width:1248px;margin:0 auto;padding:32px 24px 48px}"
    # 10 px leave an explorer its least width on a screen of 500 px.
    "@media screen and (max-width:560px){main{padding:20px 10px}}"
    "main>*{margin:0 0 20px}"
    ".pdp-words{max-width:72ch}"
    ".pdp-words>:first-child{margin-top:0}.pdp-words>:last-child{margin-bottom:0}"
    # Rules for words stay with the words: widgets have their own.
    ":is(main,.pdp-words)>h1{font-size:28px;line-height:1.25}.pdp-words>h3{font-size:17px}"
    ".pdp-words>h2{font-size:21px;line-height:1.3;margin-top:36px}"
    ":is(.pdp-words,.pdp-table) a{color:var(--link)}"
    ":is(.pdp-words,.pdp-table) img,main>img{max-width:100%;height:auto}"
    ".pdp-words blockquote{margin:0 0 20px;padding-left:16px;border-left:3px solid var(--line)}"
    ".pdp-words blockquote{color:var(--ink2)}"
    ":is(.pdp-words,.pdp-code,.pdp-said) :is(pre,code){"
    "font:13px/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}"
    ".pdp-words :not(pre)>code{background:var(--tint);padding:1px 4px;border-radius:2px}"
    ":is(.pdp-words,.pdp-code,.pdp-said) pre{margin:0;padding:10px 14px;overflow-x:auto;white-space:pre}"
    ".pdp-code{background:var(--tint)}.pdp-code summary{padding:6px 14px;font-size:13px;cursor:pointer}"
    ".pdp-said pre{padding:0 14px}"
    ".pdp-said,.pdp-table{overflow-x:auto}"
    ".pdp-table table,.pdp-words table{border-collapse:collapse;font-size:13px;line-height:20px;"
    "font-variant-numeric:tabular-nums}"
    ".pdp-table{padding:0 14px}"
    ":is(.pdp-table,.pdp-words) :is(th,td){padding:3px 16px 3px 0;text-align:right}"
    ":is(.pdp-table,.pdp-words) :is(th,td){border-bottom:1px solid var(--line)}"
    ".pdp-words :is(th,td){text-align:left}"
    "footer{font-size:13px;color:var(--ink2)}"
    "footer{border-top:1px solid var(--line);margin-top:40px;padding-top:12px}"
    ".pdp-words .math{margin:16px 0}"
    # The code, by the kinds of words that pygments tells apart.
    ":is(.k,.kn,.kc,.kd,.kr,.ow){color:var(--key)}:is(.s,.s1,.s2,.sa,.sd,.se,.si,.sb,.sr){color:var(--text)}"
    ":is(.m,.mi,.mf,.mh,.mo){color:var(--number)}:is(.c,.c1,.cm,.ch){color:var(--remark)}"
    ":is(.nf,.nc,.nd,.fm,.nb,.bp){color:var(--name)}"
    # The pictures, and the widgets that take their place.
    # On a narrow screen a drawing is scrolled: its letters stay 10 px high.
    f"{LAYOUT}main>figure.pdp-static{{margin-bottom:20px}}"
    "figcaption{color:var(--ink2)}"
    "figure details{overflow-x:auto}"
    ".pdp-note{color:var(--ink2)}"
    "@media print{:root,figure img{color-scheme:light}main{padding:0}:is(h1,h2,h3){break-after:avoid}"
    # Higher pictures would leave most of a page empty before them.
    "figure img{width:auto;max-width:100%;max-height:150mm}"
    ":is(.pdp-words,.pdp-code,.pdp-said) pre{white-space:pre-wrap;overflow-wrap:anywhere;overflow:visible}}"
    f"{SLOT_STYLE}{FORMULA_STYLE}"
)


def slot(figure: str, state: Mapping[str, Any]) -> str:
    """Return the place of a widget in a page: its picture, safe to stand there, and its state."""
    captioned = _CAPTION.sub(f"<figcaption>{_PICTURE}</figcaption>", figure, count=1)
    return f'<div class="pdp-slot">{captioned}{data_block(state)}</div>'


def document(title: str, body: str, *, modules: Collection[str] = (), style: str = "") -> str:
    """Return a page as one HTML document that loads nothing; body and style are safe to stand in it."""
    # It carries the code of the modules whose widgets have slots, and without any no script at all. The
    # Content-Security-Policy allows that script by its hash, style sheets and style attributes, and pictures
    # that stand in the page. Nothing else may run or be fetched.
    script = page_script(modules) if modules else ""
    allowed = "'none'"
    if script:
        allowed = f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
    policy = (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    # The policy stands first: it holds for what comes after it.
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="pdp_widgets {__version__}">\n'
        f"<title>{escape(title)}</title>\n<style>{PAGE_STYLE}{style}</style>\n</head>\n<body>\n"
        f"<main>\n{body}\n"
        f"<footer>pdp_widgets {__version__}. One file: no kernel, no network.</footer>\n</main>\n"
        f"{f'<script>{script}</script>' if script else ''}\n</body>\n</html>\n"
    )


def page_script(modules: Collection[str]) -> str:
    """Return the classic script that brings the slots of a page to life; it knows no other modules."""
    # It needs nothing else, asks for nothing, and may stand in a page as text or be loaded from a file.
    # RuntimeError says that the front end was not built, or is older than one of the modules.
    built, names = _built(modules)
    return _checked(built["head"] + "".join(built["parts"][name] for name in names) + built["tail"])


def site_scripts(modules: Collection[str]) -> dict[str, str]:
    """Return the same in files by name, in their order, for a site whose pages show different widgets."""
    # A page loads those that its own widgets need; what two pages share is fetched once, and a widget that is
    # on one page alone costs the others nothing. A name stands for the same text whatever the modules are.
    built, names = _built(modules)
    files = {"start": f"{built['head']}globalThis.{_SHARED}=part;\n{built['tail']}"}
    for name in names:
        text = f'(()=>{{"use strict";const part=globalThis.{_SHARED};\n{built["parts"][name]}}})();\n'
        files[name] = _checked(text)
    return files


def _built(modules: Collection[str]) -> tuple[dict[str, Any], list[str]]:
    """Return what the front end's build wrote, and which of its parts the modules need, in their order."""
    try:
        built: dict[str, Any] = json.loads(_PARTS.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RuntimeError(
            f"The front end is missing: there is no pdp_widgets/static/page.json. In a clone, {_BUILD}"
        ) from None
    needs = built["needs"]
    unknown = sorted(set(modules) - needs.keys())
    if unknown:
        raise RuntimeError(
            f"The front end has no widget {unknown[0]!r} for pages: it is older. In a clone, {_BUILD}"
        )
    # Each stands after what it needs, and once; the last starts the page.
    return built, list(dict.fromkeys(name for module in (*sorted(modules), _START) for name in needs[module]))


def _checked(script: str) -> str:
    found = _ENDS.search(script)
    if found:
        raise RuntimeError(
            f"pdp_widgets/static/page.json holds {found[0]!r} and cannot stand in a page; {_BUILD}"
        )
    return script
