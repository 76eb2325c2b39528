"""How large a page may become, counted before anything is copied into it."""

from __future__ import annotations

from pdp_widgets.errors import Where
from pdp_widgets.publish.page_state import PageError

__all__ = ["LARGEST_PAGE", "PageRoom"]

#: Bytes that a notebook brings to a page: a browser still opens that, and a few words can ask for far more.
LARGEST_PAGE = 64_000_000


class PageRoom:
    """What is left of the size that a page may have.

    Parameters
    ----------
    most
        Bytes.

    Examples
    --------
    >>> room = PageRoom(10)
    >>> room.begin("Markdown cell 1")
    >>> room.hold(8), room.hold(8)
    (True, False)
    >>> room.keep("abc")
    >>> room.left
    7
    """

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
        """Raise when there is no room for a part of the cell.

        Raises
        ------
        PageError
            Names the cell.
        """
        if size > self.left:
            raise PageError(
                f"{self._where} would make the page larger than {self.limit}. Show large pictures once, make "
                "them smaller, or publish the notebook in parts.",
                Where("parameter", name="source"),
            )

    def keep(self, *parts: str) -> None:
        """Take in the whole cell as it stands in the page.

        Raises
        ------
        PageError
            There is no room for it.
        """
        self._held = 0
        size = sum(len(part) if part.isascii() else len(part.encode(errors="replace")) for part in parts)
        self.check(size)
        self._kept += size
