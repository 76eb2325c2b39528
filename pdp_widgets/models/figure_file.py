"""Values that are drawn as one figure: how they are written to a file."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["FigureFile"]


class FigureFile:
    """Base of values that `pdp_widgets.publish.save.save` draws without being asked which part.

    Values with parts, or with something to choose in them, have a ``save`` of their own.

    Examples
    --------
    >>> import tempfile
    >>> from pdp_widgets import lsat6
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     print(lsat6().save(f"{folder}/table.svg").name)
    table.svg
    """

    __slots__ = ()

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        width: str | float = "column",
        theme: str = "print",
        dpi: float = 300,
    ) -> Path:
        """Write it as a figure for a paper, SVG, PDF or PNG; see `pdp_widgets.publish.save.save`.

        Parameters
        ----------
        path
            A file ending in ``.svg``, ``.pdf`` or ``.png``; it is replaced where it exists.
        width, theme, dpi
            As for `pdp_widgets.publish.save.save`.

        Returns
        -------
        Path
            The file.
        """
        # Numbers need no pictures: what draws them is imported when it is asked for.
        from pdp_widgets.publish.save import save

        return save(self, path, width=width, theme=theme, dpi=dpi)
