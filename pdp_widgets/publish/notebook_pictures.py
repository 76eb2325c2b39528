"""Pictures of a notebook that become part of its page: saved in the notebook, or in files beside it."""

from __future__ import annotations

import base64
import binascii
import re
import stat
from collections.abc import Mapping
from pathlib import Path, PureWindowsPath
from typing import Any
from urllib.parse import unquote, urlsplit

from pdp_widgets.errors import Where
from pdp_widgets.publish.page_state import PageError
from pdp_widgets.publish.svg_clean import SvgError, clean_svg

__all__ = [
    "LARGEST_FILE",
    "LARGEST_PAGE",
    "LinkedPictures",
    "PageRoom",
    "drawing_address",
    "is_relative",
    "saved_picture",
]

#: Bytes that one file may have: a page holds all its pictures, a third larger as text.
LARGEST_FILE = 5_000_000
#: Bytes that a notebook brings to a page: a browser still opens that, and a few words can ask for far more.
LARGEST_PAGE = 64_000_000
_KINDS = ("image/png", "image/jpeg", "image/gif", "image/webp")
_ACCEPTED = "PNG, JPEG, GIF, WebP or SVG"
#: A file is what its first bytes say, whatever its name is. What none of them begins is read as SVG.
_SIGNATURES = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "image/png"),
    (re.compile(rb"\xff\xd8\xff"), "image/jpeg"),
    (re.compile(rb"GIF8[79]a"), "image/gif"),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), "image/webp"),
)


def drawing_address(data: bytes) -> str:
    """Return the data address of a drawing that was made safe; SvgError for what is none."""
    return f"data:image/svg+xml;base64,{base64.b64encode(clean_svg(data).encode()).decode()}"


def saved_picture(data: Mapping[str, Any]) -> str | None:
    """Return the data address of a picture held by media type, as base64; None where none is whole."""
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
    """Return whether an address means a file by its way from the notebook."""
    return _path(address) is not None


def _path(address: str) -> str | None:
    """Return the way from the notebook to a file; None for what leads elsewhere."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    # What an address means is told by its signs, however they are written.
    path = unquote(parts.path)
    # Of both systems: a page is the same wherever it is made.
    outside = parts.scheme or parts.netloc or path.startswith("/") or PureWindowsPath(path).anchor
    return None if outside or not path else path


class PageRoom:
    """What is left of the size that a page may have, counted before anything is copied into it."""

    def __init__(self, most: int = LARGEST_PAGE) -> None:
        self._most = most
        self._kept = self._held = 0
        self._where = "The notebook"

    @property
    def left(self) -> int:
        """Bytes that the cell may still bring."""
        return self._most - self._kept - self._held

    @property
    def limit(self) -> str:
        """The most that there is room for, in words."""
        return f"{self._most / 1_000_000:g} MB, the most that a page may have"

    def begin(self, where: str) -> None:
        """Name the cell that comes next."""
        self._where, self._held = where, 0

    def hold(self, size: int) -> bool:
        """Return whether there is room for a part of the cell, and hold it until the cell is kept."""
        if size > self.left:
            return False
        self._held += size
        return True

    def check(self, size: int) -> None:
        """Raise PageError, which names the cell, when there is no room for a part of it."""
        if size > self.left:
            raise PageError(
                f"{self._where} would make the page larger than {self.limit}. Show large pictures once, make "
                "them smaller, or publish the notebook in parts.",
                Where("parameter", name="source"),
            )

    def keep(self, *parts: str) -> None:
        """Take in the whole cell as it stands in the page, or raise PageError where there is no room."""
        self._held = 0
        size = sum(len(part) if part.isascii() else len(part.encode(errors="replace")) for part in parts)
        self.check(size)
        self._kept += size


class LinkedPictures:
    """The files that a notebook's words show, looked for from the notebook's folder."""

    # They lie in that folder or in another one that may be read; without either none is found.

    def __init__(
        self, folder: Path | None, allowed: Path | None = None, room: PageRoom | None = None
    ) -> None:
        self._room = PageRoom() if room is None else room
        self._folder = folder if folder is not None else allowed
        self._roots = [root.resolve() for root in (folder, allowed) if root is not None]
        self._faults: list[str] = []
        self._known: dict[str, str | None] = {}

    def address(self, linked: str) -> str | None:
        """Return the data address of a picture; None, and a fault that `check` tells, where there is none."""
        if linked not in self._known:
            path = _path(linked)
            try:
                self._known[linked] = None if path is None else self._read(path)
            except PageError as error:
                self._known[linked] = None
                self._faults.append(f"{path}, and {error}")
        address = self._known[linked]
        if address is not None and not self._room.hold(len(address)):
            # Copies of a picture cost nothing to write and much to hold.
            self._faults.append(
                f"{_path(linked)}, and with it the page would be larger than {self._room.limit}. Show it "
                "fewer times, make it smaller, or publish the notebook in parts."
            )
            return None
        return address

    def check(self, where: str) -> None:
        """Raise PageError for what was wrong, at a place of the notebook, with the pictures asked for."""
        if self._faults:
            raise PageError(f"{where} shows the picture {self._faults[0]}", Where("parameter", name="source"))

    def _read(self, path: str) -> str:
        if self._folder is None:
            raise PageError(
                "only the file of the notebook says where that lies. Give the path of the notebook, or the "
                "folder as pictures_from."
            )
        data = self._bytes(self._folder / path)
        for signature, kind in _SIGNATURES:
            if signature.match(data):
                return f"data:{kind};base64,{base64.b64encode(data).decode()}"
        try:
            return drawing_address(data)
        except SvgError as error:
            raise PageError(
                f"that file is no picture a page can hold: {_ACCEPTED}. As SVG, {error}."
            ) from None

    def _bytes(self, path: Path) -> bytes:
        """Return what a file holds; it is where it says only once all links are followed."""
        try:
            real = path.resolve(strict=True)
            if not any(real.is_relative_to(root) for root in self._roots):
                raise PageError(
                    "that lies outside the folder of the notebook. Name the folder that holds it: "
                    "pictures_from=FOLDER, or --pictures-from FOLDER."
                )
            if not stat.S_ISREG(real.stat().st_mode):
                # A device or a pipe may never end.
                raise ValueError
            with real.open("rb") as file:
                data = file.read(LARGEST_FILE + 1)
        # A loop of links is a RuntimeError.
        except (OSError, RuntimeError, ValueError) as error:
            if isinstance(error, PageError):
                raise
            raise PageError(
                "no such file can be read in the folder of the notebook. Put it there, or take the picture "
                "out."
            ) from None
        if len(data) > LARGEST_FILE:
            raise PageError(
                f"that file has more than {LARGEST_FILE // 1_000_000} MB, the most that a page takes "
                "in. Make it smaller, or take the picture out."
            )
        return data
