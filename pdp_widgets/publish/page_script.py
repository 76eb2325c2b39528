"""The script of a published page: the code of the widgets it shows, and what they share once."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

__all__ = ["page_script", "site_scripts"]

_PARTS = Path(__file__).resolve().parent.parent / "static" / "page.json"
_START = "entry"
# Files of a site find each other by this name; within one script nothing outside sees the parts.
_SHARED = "pdpPart"
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
    built, names = _built(modules)
    return _checked(built["head"] + "".join(built["parts"][name] for name in names) + built["tail"])


def site_scripts(modules: Collection[str]) -> dict[str, str]:
    """Return the same in files, for a site whose pages show different widgets.

    A page loads those that its own widgets need, in their order; what two pages share is fetched once, and a
    widget that is on one page alone costs the others nothing.

    Parameters
    ----------
    modules
        As for `page_script`.

    Returns
    -------
    dict of str to str
        Classic scripts by their names, in the order in which a page runs them. A name stands for the same
        text whatever `modules` are.

    Raises
    ------
    RuntimeError
        As for `page_script`.

    Examples
    --------
    >>> table, both = site_scripts({"joint_table"}), site_scripts({"joint_table", "prior_explorer"})
    >>> table.keys() < both.keys()
    True
    """
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
