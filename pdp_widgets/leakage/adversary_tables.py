"""Results about all adversaries of one release: how they are handed on to papers."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

__all__ = ["AdversaryFigures", "AdversaryTable"]


class AdversaryTable:
    r"""Base of results that say in ``_graph_latex`` of which graph the adversaries are listed.

    Examples
    --------
    >>> from pdp_widgets import WeightedHierarchicalGraph
    >>> graph = WeightedHierarchicalGraph(["a", "b"], [[1.5, 1.0], [1.2, 1.0]], promise=1.0)
    >>> graph.to_latex(["target", "exact"], most=1).splitlines()[6]
    'a & 1.500 \\\\'
    """

    __slots__ = ()

    def _graph_latex(self) -> tuple[Any, dict[str, Any]]:
        """Return the graph, and what `adversaries_latex` is told beside what somebody asks for."""
        raise NotImplementedError

    def to_latex(
        self,
        columns: Sequence[str] | None = None,
        *,
        sort: str | None = "exact",
        most: int | None = 20,
        caption: str | None = None,
        label: str | None = None,
    ) -> str:
        """Return the adversaries as a LaTeX table, see `publish.latex_adversaries`."""
        from pdp_widgets.publish.latex_adversaries import adversaries_latex

        graph, told = self._graph_latex()
        return adversaries_latex(graph, columns, sort=sort, most=most, caption=caption, label=label, **told)


class AdversaryFigures(AdversaryTable):
    """Base of analyses whose figures are about a chosen adversary; the class says which figures there are."""

    __slots__ = ()

    def save(
        self,
        path: str | os.PathLike[str],
        part: str = "graph",
        *,
        target: str | int | None = None,
        known: Iterable[str | int] = (),
        threshold: float | None = None,
        width: str | float = "column",
        theme: str = "print",
        dpi: float = 300,
    ) -> Path:
        """Write a figure for a paper, SVG, PDF or PNG; see `pdp_widgets.publish.save.save`.

        Parameters
        ----------
        path
            A file ending in ``.svg``, ``.pdf`` or ``.png``; it is replaced where it exists.
        part
            ``"graph"``, which is drawn unasked, another one of the notes of the class, or ``"all"``.
        target, known
            The chosen adversary; without a target the one who learns most.
        threshold
            A line in nats to compare with.
        width, theme, dpi
            As for `pdp_widgets.publish.save.save`.

        Returns
        -------
        Path
            The file.
        """
        from pdp_widgets.publish.save import save

        return save(
            self,
            path,
            part,
            target=target,
            known=known,
            threshold=threshold,
            width=width,
            theme=theme,
            dpi=dpi,
        )
