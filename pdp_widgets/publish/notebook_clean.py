"""Untrusted HTML made safe: what a notebook brings is text, tables and pictures, and nothing that acts.

Everything that is not on the lists below is dropped, by the well-kept sanitiser nh3 (Ammonia).
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from urllib.parse import urlsplit

from pdp_widgets.errors import Where
from pdp_widgets.publish.notebook_pictures import drawing_address, is_relative
from pdp_widgets.publish.page_state import PageError
from pdp_widgets.publish.svg_clean import SvgError

__all__ = ["clean", "missing_packages"]

_TEXT = (
    "a abbr b blockquote br caption cite code col colgroup dd del details div dl dt em figcaption figure h1 "
    "h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp small span strong sub summary sup table tbody "
    "td tfoot th thead tr u ul var"
)
_TAGS = set(_TEXT.split())
_ATTRIBUTES = {
    "a": {"href", "title"},
    "abbr": {"title"},
    "img": {"src", "alt", "title", "width", "height", "style"},
    "ol": {"start"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
}
#: Classes that the page's own style sheet knows, and that cannot be taken for the place of a widget.
_CLASSES = {"table": {"dataframe"}, "figure": {"pdp-static"}}
#: What a picture may be: a file inside the page, drawn as an image, which runs no script.
_PICTURE = re.compile(r"data:image/(png|jpeg|gif|webp|svg\+xml);base64,([A-Za-z0-9+/]+={0,2})\Z")
_WIDEST = re.compile(r"max-width:\d+(\.\d+)?px")
_ELEMENT = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
_ENDED = "p li dt dd td th tr option thead tbody"
#: They hold nothing, or end where the next one begins.
_SHORT = frozenset(("area base br col embed hr img input link meta source track wbr " + _ENDED).split())
#: Elements within one another; the sanitiser's time grows with the square of it.
_DEEPEST = 5_000
#: What browsers take no notice of in an address: at its ends all of it, line ends and tabs everywhere.
_UNSEEN = re.compile(r"[\x00-\x1f\x7f]")


def missing_packages(error: ImportError) -> ImportError:
    """Return what to say when a package for notebooks is not installed."""
    return ImportError(
        f"A page of a notebook needs the package {error.name}: pip install '.[publish]' in the folder of the "
        "project, or pip install 'pdp-widgets[publish]' from an index. A page of one explorer does not."
    )


def clean(markup: str, picture: Callable[[str], str | None] | None = None) -> str:
    """Return HTML with nothing in it but text, tables, links and pictures."""
    # ``picture`` returns the data address of one that is linked relatively, or None to leave it out.
    try:
        import nh3
    except ImportError as error:
        raise missing_packages(error) from None
    _check_depth(markup)

    def kept(tag: str, name: str, value: str) -> str | None:
        if (tag, name) == ("img", "src"):
            if picture is not None and is_relative(value):
                value = picture(value) or ""
            return _picture(value)
        if (tag, name) == ("img", "style"):
            # The size of a narrow picture of this package, and no other style.
            return value if _WIDEST.fullmatch(value) else None
        return _link(value) if (tag, name) == ("a", "href") else value

    return str(
        nh3.clean(
            markup,
            tags=_TAGS,
            clean_content_tags={"script", "style", "iframe", "object", "template", "title", "textarea"},
            attributes=_ATTRIBUTES,
            attribute_filter=kept,
            allowed_classes=_CLASSES,
            url_schemes={"http", "https", "mailto", "data"},
        )
    )


def _check_depth(markup: str) -> None:
    if markup.count("<") <= _DEEPEST:
        return
    depth = 0
    for element in _ELEMENT.finditer(markup):
        if element[2].lower() not in _SHORT:
            depth = max(0, depth - 1 if element[1] else depth + 1)
            if depth > _DEEPEST:
                raise PageError(
                    f"The notebook shows HTML of more than {_DEEPEST:,} elements within one another; take it "
                    "out.",
                    Where("parameter", name="source"),
                )


def _picture(address: str) -> str | None:
    """Return the address of a picture that stands in itself, or None for any other."""
    found = _PICTURE.match(address)
    if found is None or found[1] != "svg+xml":
        return found and address
    try:
        # As an image it runs nothing; saved from the page and opened, it would.
        return drawing_address(base64.b64decode(found[2], validate=True))
    except (binascii.Error, SvgError):
        return None


def _link(address: str) -> str | None:
    """Return where a link leads when that is the web, a letter, a place in the page or a file beside it."""
    seen = _UNSEEN.sub("", address).strip()
    if seen.startswith("#"):
        return seen
    if is_relative(seen):
        # Browsers read the other stroke as this one; what stands before a colon could be a scheme.
        first = seen.replace("\\", "/").partition("/")[0]
        return None if ":" in first or not first else seen
    try:
        parts = urlsplit(seen)
    except ValueError:
        return None
    web = (
        parts.scheme in ("http", "https")
        and parts.netloc
        and re.match(r"https?://[^/\\]", seen, re.IGNORECASE)
    )
    return seen if web or parts.scheme == "mailto" else None
