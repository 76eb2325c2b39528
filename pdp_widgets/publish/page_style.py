"""The style sheet of a published page: text around explorers, light or dark, on screen and on paper."""

from __future__ import annotations

__all__ = ["FORMULA_STYLE", "PAGE_STYLE", "SLOT_STYLE"]

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
    "figure{margin:0;max-width:1200px;font-size:12px;line-height:18px}"
    "main>figure{margin-bottom:20px}"
    "figure img{display:block;width:100%;max-width:1000px}"
    # On a narrow screen a picture is scrolled: its letters stay 10 px high. Small ones say how wide they are.
    "@media screen{figure{overflow-x:auto}figure img{min-width:860px}figure img[style]{min-width:560px}}"
    "figcaption{margin:4px 0;color:var(--ink2)}"
    "figure summary{cursor:pointer}"
    "figure table{border-collapse:collapse;margin:4px 0 12px;font-variant-numeric:tabular-nums}"
    "figure :is(th,td){padding:1px 16px 1px 0;text-align:left}"
    "figure caption{text-align:left;font-weight:600;padding:2px 0;white-space:nowrap}"
    "figure details{overflow-x:auto}"
    ".pdp-note{color:var(--ink2)}"
    "@media print{:root,figure img{color-scheme:light}main{padding:0}:is(h1,h2,h3){break-after:avoid}"
    # Higher pictures would leave most of a page empty before them.
    "figure img{width:auto;max-width:100%;max-height:150mm}"
    ":is(.pdp-words,.pdp-code,.pdp-said) pre{white-space:pre-wrap;overflow-wrap:anywhere;overflow:visible}}"
    f"{SLOT_STYLE}{FORMULA_STYLE}"
)
