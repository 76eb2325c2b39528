"""The static picture of Gaussian data: means and covariances."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np

from pdp_widgets.models.edited_title import is_edited
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.publish.formatting import count, fixed, scientific
from pdp_widgets.publish.labels import isolate, shorten
from pdp_widgets.publish.matrix_picture import (
    decimals_for,
    entry,
    matrix_panel,
    matrix_room,
    matrix_tables,
)
from pdp_widgets.publish.scene import Page, computed_on, within_limit
from pdp_widgets.publish.snapshot import Snapshot, table

__all__ = ["matrix_snapshot"]

_ROOM = 420.0
_MOST_NAMES = 12


def matrix_snapshot(
    model: GaussianModel | None, weights: Sequence[float] | None = None, *, day: date | None = None
) -> Snapshot:
    """Return the static picture of Gaussian data: the matrix, means, spreads and the strongest correlations.

    Parameters
    ----------
    model
        Means and covariances; None draws that there is no matrix yet.
    weights
        One for each tuple, shown above the matrix.
    day
        Date of computation; without it today.

    Examples
    --------
    >>> model = GaussianModel([5.0, 4.0], [[1.44, 0.6], [0.6, 1.0]], names=["flat A", "flat B"])
    >>> matrix_snapshot(model).text
    'Gaussian data of flat A, flat B. Standard deviations 1.20, 1.00. Smallest eigenvalue 0.581.'
    """
    foot = computed_on(day)
    if model is None:
        page = Page(_ROOM)
        page.lines("No covariance matrix yet.", _ROOM)
        page.lines(foot, _ROOM)
        return Snapshot(page.finish("Covariance matrix"), "No covariance matrix yet.", foot, "")
    spread = np.sqrt(np.diag(model.cov))
    decimals = decimals_for(float(spread.max(initial=0.0)))
    names = ", ".join(isolate(shorten(name)) for name in model.names[:_MOST_NAMES])
    more = len(model.names) - _MOST_NAMES
    names += f" and {more} more" if more > 0 else ""
    sizes = ", ".join(entry(float(v), decimals) for v in spread[:_MOST_NAMES])
    eigenvalue = _eigenvalue(float(model.smallest_eigenvalue))
    edited = " (edited)" if is_edited(model.title) else ""
    text = f"Gaussian data of {names}{edited}. Standard deviations {sizes}. Smallest eigenvalue {eigenvalue}."
    room = matrix_room(model)

    def draw(detail: int) -> str:
        page = Page(room, detail)
        if model.title:
            page.header("", model.title)
        piece = page.piece()
        tall = matrix_panel(piece, model, room, weights if detail else None)
        page.svg.put(piece, 0, page.y)
        page.y += tall + 4
        page.lines(f"Valid, smallest eigenvalue {eigenvalue}.", room)
        page.lines(foot, room)
        return page.finish("Covariance matrix")

    rows = [["Tuples", count(len(model.names), "tuple")], ["Smallest eigenvalue", eigenvalue]]
    summary = table("Gaussian data", ["what", "number"], rows)
    return Snapshot(within_limit(draw), text, foot, summary, matrix_tables(model))


def _eigenvalue(value: float) -> str:
    size = abs(value)
    return scientific(value, 1) if size != 0 and not 5e-4 <= size < 1e6 else fixed(value, 3)
