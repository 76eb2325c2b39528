"""The one script of a published page: the code of the widgets it shows, and what they share once."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from pathlib import Path

__all__ = ["page_script"]

_PARTS = Path(__file__).resolve().parent.parent / "static" / "page.json"
_START = "entry"
_ENDS = re.compile(r"</script|<!--|\r", re.IGNORECASE)
_BUILD = "build it with `npm ci` and `npm run build:widgets` in the folder js."


def page_script(modules: Collection[str]) -> str:
    """Return the script that brings the slots of a page to life, see `pdp_widgets.publish.page_frame.slot`.

    It needs nothing else, asks for nothing, and may stand in a page as text or be loaded from a file.

    Parameters
    ----------
    modules
        Names of the front end's modules whose widgets stand in the page; the script knows no others.

    Returns
    -------
    str
        A classic script, the same for the same modules in any order.

    Raises
    ------
    RuntimeError
        The front end was not built, or is older than one of the modules.

    Examples
    --------
    >>> len(page_script({"joint_table"})) < len(page_script({"joint_table", "prior_explorer"}))
    True
    """
    try:
        built = json.loads(_PARTS.read_text(encoding="utf-8"))
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
    names = dict.fromkeys(name for module in (*sorted(modules), _START) for name in needs[module])
    script: str = built["head"] + "".join(built["parts"][name] for name in names) + built["tail"]
    found = _ENDS.search(script)
    if found:
        raise RuntimeError(
            f"pdp_widgets/static/page.json holds {found[0]!r} and cannot stand in a page; {_BUILD}"
        )
    return script
