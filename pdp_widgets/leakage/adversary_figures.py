"""Results about the adversaries of one release: their figures and tables, of all of them and of one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.chart import Axis, Chart, Level, Series, Shown, parted
from pdp_widgets.core.results import Result, drawer
from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.adversary import layers, listed_tuples

__all__ = [
    "AdversaryFigures",
    "asked",
    "densities_chart",
    "graph_figure",
    "layers_chart",
    "ratio_chart",
]

Floats = NDArray[np.float64]

#: Half the room of a layer, in layers: its adversaries stand side by side in it.
_SPREAD = 0.6
#: Above the promise by more than rounding.
_SAME = 1e-9


class AdversaryFigures(Result):
    """Base of results about all adversaries of a release: figures of a chosen one, and a table of all."""

    __slots__ = ()

    def _graph_latex(self) -> tuple[Any, dict[str, Any]]:
        """Return the graph, and what a table of it is told beside what somebody asks for."""
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
        """Return the adversaries as a LaTeX table.

        Parameters
        ----------
        columns
            Some of its columns, by name; a wrong name is answered with those there are. Without it those
            that fit on paper.
        sort
            The column by which they are listed, largest first; None as they are.
        most
            List so many of the first; None for all.
        caption, label
            Make it a floating table. The caption is LaTeX and goes in as it is.
        """
        graph, told = self._graph_latex()
        told = told | {"sort": sort, "most": most, "caption": caption, "label": label}
        return str(drawer("latex").table(graph, columns, **told))

    def save(
        self,
        path: str | os.PathLike[str],
        part: str | None = None,
        *,
        target: str | int | None = None,
        known: Iterable[str | int] = (),
        threshold: float | None = None,
        width: str | float | None = None,
        theme: str = "print",
        dpi: float = 300,
        **show_paper: bool,
    ) -> Path:
        """Write a figure for a paper, SVG, PDF or PNG, as other results do.

        Parameters
        ----------
        path
            A file ending in ``.svg``, ``.pdf`` or ``.png``; it is replaced where it exists.
        part
            ``"graph"``, which is drawn unasked, another one of the notes of the class, or ``"all"``.
        target, known
            The chosen adversary, as in ``target="item 1", known=["item 2"]``; without a target the one who
            learns most.
        threshold
            A line in nats to compare with.
        width, theme, dpi
            As for `JointDistribution.save`.
        **show_paper
            ``show_paper=True`` shows the paper's estimate, where there can be one: of `PriorAnalysis` and its
            graph.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        DomainError, AdversaryError, OSError, ImportError
            As for `JointDistribution.save`; or there is no such adversary.
        """
        chosen = {"target": target, "known": known, "threshold": threshold, **show_paper}
        return super().save(path, part, width=width, theme=theme, dpi=dpi, **chosen)


def asked(target: Any, known: Any) -> tuple[str | int, ...]:
    """Return the known tuples of a chosen adversary as a tuple."""
    listed = () if known is None else tuple(listed_tuples(known))
    if target is None and listed:
        raise DomainError("Name the target as well as the known tuples.", Where("parameter", name="target"))
    return listed


def graph_figure(graph: Any, target: Any, known: Any, note: str = "", **choice: Any) -> Shown:
    """Return the picture of a weighted hierarchical graph with a chosen adversary."""
    told = {"target": target, "known": asked(target, known), **choice}
    return Shown("Weighted hierarchical graph", graph, told, note)


def layers_chart(
    exact: Floats, promise: float, promised: str, paper: Floats | None = None, axis: str = "leakage, nats"
) -> Chart:
    """Return every adversary's leakage by how much the adversary does not know."""
    n, width = exact.shape
    shift = (np.arange(n) - (n - 1) / 2) * _SPREAD / n
    at = np.tile(layers(n), n).astype(np.float64) + np.repeat(shift, width)
    values = exact.ravel()
    over = values > promise * (1 + _SAME)
    series = parted(at, values, over, ("exact", "exact, above the promise"))
    if paper is not None:
        drawn = paper.ravel()
        series.append(Series("paper's estimate", at, drawn, "dots", colour="paper", shape="diamond"))
    return Chart(
        "What every adversary learns",
        [one.telling(x=np.rint(one.x)) for one in series],
        Axis("tuples not known, the attacked one included", 1 - _SPREAD, n + _SPREAD, whole=True),
        Axis(axis, low=0.0),
        (Level(promised, promise),),
    )


def densities_chart(title: str, r: Floats, densities: Iterable[tuple[str, Floats]], note: str = "") -> Chart:
    """Return the densities of the released number, by what the attacked tuple is."""
    return Chart(
        title,
        [Series(name, r, values) for name, values in densities],
        Axis("released number r", float(r[0]), float(r[-1])),
        Axis("density of r", low=0.0),
        note=note,
    )


def ratio_chart(
    label: str,
    r: Floats,
    ratio: Floats,
    promise: float,
    promised: str,
    *,
    marks: Iterable[Series] = (),
    levels: Iterable[Level] = (),
    note: str = "",
) -> Chart:
    """Return the log ratio of two densities, with what is above the promise set off."""
    over = np.abs(ratio) > promise * (1 + _SAME)
    series = [Series("log ratio", r, ratio, colour="ink", dashes="solid")]
    if over.any():
        above = np.where(over, ratio, np.nan)
        series.append(Series("above the promise", r, above, colour="over", dashes="solid"))
    both = (Level(promised, promise), Level("", -promise)) if promise > 0 else (Level(promised, promise),)
    return Chart(
        label[:1].upper() + label[1:],
        [*series, *marks],
        Axis("released number r", float(r[0]), float(r[-1])),
        Axis(label),
        (*both, *levels),
        note,
    )
