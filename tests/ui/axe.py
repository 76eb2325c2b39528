"""What axe finds wrong in widgets, and which of their texts are too faint."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tests.ui.bridge import Bridge
from tests.ui.test_themes import LIGHT_AND_DARK, faint_in

SOURCE = Path(__file__).resolve().parents[2] / "js" / "node_modules" / "axe-core" / "axe.min.js"
#: Rules about a page, its frames and its media, which are not the widget's; and contrast.
OUTSIDE = (
    *("accesskeys", "bypass", "css-orientation-lock", "document-title", "heading-order", "html-has-lang"),
    *("html-lang-valid", "html-xml-lang-mismatch", "landmark-one-main", "meta-refresh", "meta-viewport"),
    *("meta-viewport-large", "no-autoplay-audio", "object-alt", "page-has-heading-one", "region"),
    *("area-alt", "blink", "frame-focusable-content", "frame-tested", "frame-title", "frame-title-unique"),
    *("color-contrast", "input-image-alt", "marquee", "server-side-image-map", "skip-link", "video-caption"),
)
#: Returns what is wrong in a part. What is read on a control is in its name, for who speaks to the page: an
#: experimental rule, off unless it is asked for. Nobody reads what passed; no style sheet is to be fetched.
#: Contrast is measured elsewhere: in a fraction of the time, and in pictures too.
RUN = """async ([part, outside]) => {
    const rules = Object.fromEntries(outside.map((rule) => [rule, { enabled: false }]));
    rules["label-content-name-mismatch"] = { enabled: true };
    const options = { rules, resultTypes: ["violations"], preload: false };
    const { violations } = await axe.run(part, options);
    return violations.map((v) => v.id + ": " + v.nodes.map((n) => n.html.slice(0, 160)).join(" | "));
}"""


@cache
def source() -> str:
    return SOURCE.read_text(encoding="utf-8")


def violations(bridge: Bridge, part: str = ".pdp") -> list[str]:
    """Return what axe finds wrong in all widgets of the page, or in a part of them."""
    if not bridge.page.evaluate("() => 'axe' in window"):
        bridge.page.evaluate(source())
    return [str(line) for line in bridge.page.evaluate(RUN, [part, OUTSIDE])]


def audit(bridge: Bridge) -> list[str]:
    """Return what axe finds wrong, and what is too faint in light or dark."""
    return [*violations(bridge), *faint_in(bridge, LIGHT_AND_DARK)]
