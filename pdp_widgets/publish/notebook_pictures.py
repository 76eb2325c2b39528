"""Pictures of a notebook that become part of its page: saved in the notebook, or in files beside it."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from pdp_widgets.errors import Where
from pdp_widgets.publish.page_state import PageError

__all__ = ["LinkedPictures", "is_relative", "saved_picture"]

_KINDS = ("image/png", "image/jpeg", "image/gif", "image/webp")
_ACCEPTED = "PNG, JPEG, GIF, WebP or SVG"
#: A file is what its first bytes say, whatever its name is.
_SIGNATURES = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "image/png"),
    (re.compile(rb"\xff\xd8\xff"), "image/jpeg"),
    (re.compile(rb"GIF8[79]a"), "image/gif"),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), "image/webp"),
    (
        re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>|<!--.*?-->|<!DOCTYPE[^>]*>|\s)*<svg\b", re.DOTALL),
        "image/svg+xml",
    ),
)


def saved_picture(data: Mapping[str, Any]) -> str | None:
    """Return the data address of a picture that a notebook holds, or None where there is none that is whole.

    Parameters
    ----------
    data
        By media type, as base64.

    Examples
    --------
    >>> saved_picture({"image/png": "AAAA"})
    'data:image/png;base64,AAAA'
    """
    for kind in _KINDS:
        held = data.get(kind)
        text = "".join(part for part in held if isinstance(part, str)) if isinstance(held, list) else held
        packed = re.sub(r"\s+", "", text) if isinstance(text, str) else ""
        try:
            base64.b64decode(packed, validate=True)
        except (binascii.Error, ValueError):
            continue
        if packed:
            return f"data:{kind};base64,{packed}"
    return None


def is_relative(address: str) -> bool:
    """Return whether an address means a file beside the notebook.

    Examples
    --------
    >>> is_relative("figures/one.png"), is_relative("https://example.org/one.png"), is_relative("/one.png")
    (True, False, False)
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return not parts.scheme and not parts.netloc and bool(parts.path) and not parts.path.startswith("/")


class LinkedPictures:
    """The files that a notebook's words show, looked for in the notebook's folder.

    Parameters
    ----------
    folder
        Where relative addresses begin; None when nobody knows.

    Examples
    --------
    >>> pictures = LinkedPictures(None)
    >>> pictures.address("one.png")
    >>> pictures.check("Markdown cell 2")
    Traceback (most recent call last):
        ...
    pdp_widgets.publish.page_state.PageError: Markdown cell 2 shows the picture one.png, and only the file \
of the notebook says where that lies. Give the path of the notebook.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._faults: list[str] = []
        self._known: dict[str, str | None] = {}

    def address(self, linked: str) -> str | None:
        """Return the data address of a picture; None, and a fault that `check` tells, where there is none."""
        if linked not in self._known:
            self._known[linked] = self._read(linked)
        return self._known[linked]

    def check(self, where: str) -> None:
        """Raise what was wrong with the pictures asked for until now.

        Parameters
        ----------
        where
            The place in the notebook.

        Raises
        ------
        PageError
            A picture is missing, or is none.
        """
        if self._faults:
            raise PageError(f"{where} shows the picture {self._faults[0]}", Where("parameter", name="source"))

    def _read(self, linked: str) -> str | None:
        path = unquote(urlsplit(linked).path)
        if self._folder is None:
            self._faults.append(
                f"{path}, and only the file of the notebook says where that lies. "
                "Give the path of the notebook."
            )
            return None
        try:
            data = (self._folder / path).read_bytes()
        except (OSError, ValueError):
            self._faults.append(
                f"{path}, and no such file can be read in the folder of the notebook. Put it there, or take "
                "the picture out."
            )
            return None
        for signature, kind in _SIGNATURES:
            if signature.match(data):
                return f"data:{kind};base64,{base64.b64encode(data).decode()}"
        self._faults.append(f"{path}, and that file is no picture a page can hold: {_ACCEPTED}.")
        return None
