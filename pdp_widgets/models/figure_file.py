"""Values that are drawn as figures: how they are written to a file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import ClassVar

__all__ = ["FigureFile", "FigureParts"]


class FigureFile:
    """Base of values that `pdp_widgets.publish.save.save` draws without being asked which part.

    Values with several figures are `FigureParts`; those with more to choose have a ``save`` of their own.

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


class FigureParts:
    """Base of results that have several figures; the class says which, the first is drawn unasked.

    Examples
    --------
    >>> import tempfile
    >>> from pdp_widgets import SequenceAnalysis
    >>> found = SequenceAnalysis(([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]]), "crr", 4, epsilon=1.0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     print(found.save(f"{folder}/steps.svg", "steps").name)
    steps.svg
    """

    __slots__ = ()

    #: How wide its figures are where nobody says it.
    _width: ClassVar[str] = "column"

    def save(
        self,
        path: str | os.PathLike[str],
        part: str | None = None,
        *,
        width: str | float | None = None,
        theme: str = "print",
        dpi: float = 300,
    ) -> Path:
        """Write a figure for a paper, SVG, PDF or PNG; see `pdp_widgets.publish.save.save`.

        Parameters
        ----------
        path
            A file ending in ``.svg``, ``.pdf`` or ``.png``; it is replaced where it exists.
        part
            Which figure, see the notes of the class, or ``"all"``; without it the first.
        width
            As for `pdp_widgets.publish.save.save`; without it a column, for the lanes of a stream a page.
        theme, dpi
            As for `pdp_widgets.publish.save.save`.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        DomainError
            There is no such figure; the message names those there are.
        """
        from pdp_widgets.publish.save import save

        return save(self, path, part, width=self._width if width is None else width, theme=theme, dpi=dpi)
