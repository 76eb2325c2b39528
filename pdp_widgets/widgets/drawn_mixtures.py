"""The densities that one adversary sees, in as many components as a browser can draw."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.prior.exact_node import PriorAdversary
from pdp_widgets.widgets.wire import label_texts

__all__ = ["MOST_COMPONENTS", "drawn_mixtures"]

#: Components of all densities together on the wire: about 45 kB.
MOST_COMPONENTS = 1024

Floats = NDArray[np.float64]


def drawn_mixtures(adversary: PriorAdversary) -> dict[str, Any]:
    """Return the densities of one adversary, one Laplace mixture for each label that can occur.

    Equal centres are one component, which changes nothing. Where more than `MOST_COMPONENTS` remain, the
    centres between the outermost ones are grouped: curves drawn from groups are close, not exact, and
    ``grouped`` says so.

    Returns
    -------
    state
        ``mixtures``: label, centres and weights of each. ``grouped``: None, or how many components there
        are (``of``) and how many stand for them (``drawn``).
    """
    made = adversary.mixtures()
    parts = [(mixture.centres, mixture.weights) for mixture in made.values()]
    total = sum(centres.size for centres, _ in parts)
    grouped = None
    if total > MOST_COMPONENTS:
        low = min(centres[0] for centres, _ in parts)
        high = max(centres[-1] for centres, _ in parts)
        # The outermost centres of every label stay what they are: beyond them log ratios are constant.
        edges = np.linspace(low, high, max(1, MOST_COMPONENTS // len(parts) - 2) + 1)
        parts = [_grouped(centres, weights, edges) for centres, weights in parts]
        grouped = {"of": total, "drawn": sum(centres.size for centres, _ in parts)}
    return {
        "mixtures": [
            {"label": text, "centres": centres.tolist(), "weights": weights.tolist()}
            for text, (centres, weights) in zip(label_texts(made), parts, strict=True)
        ],
        "grouped": grouped,
    }


def _grouped(centres: Floats, weights: Floats, edges: Floats) -> tuple[Floats, Floats]:
    """Join the inner centres between two edges at their mean; the first and the last one stay alone."""
    if centres.size < 4:
        return centres, weights
    inner = slice(1, -1)
    bins = np.clip(np.searchsorted(edges, centres[inner], side="right") - 1, 0, edges.size - 2)
    mass = np.bincount(bins, weights[inner], edges.size - 1)
    sums = np.bincount(bins, weights[inner] * centres[inner], edges.size - 1)
    full = mass > 0
    return (
        np.concatenate((centres[:1], sums[full] / mass[full], centres[-1:])),
        np.concatenate((weights[:1], mass[full], weights[-1:])),
    )
