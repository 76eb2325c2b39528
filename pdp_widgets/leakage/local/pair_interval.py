"""How uncertain a leakage is that was computed from records."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from pdp_widgets.errors import DomainError, TableError, Where
from pdp_widgets.leakage.drawn_tables import BOUNDED, Method, blocks, sampling
from pdp_widgets.leakage.local.pair_leakage import pair_leakage
from pdp_widgets.leakage.local.reading import as_output, check_mechanism, read
from pdp_widgets.leakage.local.surrogate_test import leakages_of_tables
from pdp_widgets.leakage.value import Leakage, Output
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.models.joint_distribution import JointDistribution

__all__ = ["pair_interval"]


def pair_interval(
    table: JointDistribution,
    mechanism: LocalMechanism,
    output: Output = "raw",
    *,
    method: Method = "dirichlet",
    level: float = 0.95,
    draws: int = 1000,
    prior: str | float = BOUNDED,
    zeros: Literal["possible", "structural"] = "possible",
    rng: np.random.Generator | int | None = None,
) -> Leakage:
    """Return a leakage with an interval from tables that the records make plausible.

    Parameters
    ----------
    table
        A table of counts of two attributes, the secret first.
    mechanism, output
        As for `pair_leakage`.
    method, draws, prior, zeros, rng
        As for `drawn_tables`.
    level
        Share of the drawn leakages inside the interval; as many lie below it as above.

    Returns
    -------
    leakage
        Status ``"estimate"``: the value under the table itself, with the interval. A leakage is a maximum and
        looks larger with few records, so that the interval may lie above the value; ``source`` then says so.

    Raises
    ------
    TableError
        The table has no counts, or a parameter is not offered.
    DomainError
        There are not two attributes.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> from pdp_widgets.mechanisms.local.randomised_response import GRR
    >>> found = pair_interval(titanic().marginal(["survived", "class"]), GRR(1.0), rng=1)
    >>> found.status, round(found.value, 3), [round(end, 2) for end in found.interval]
    ('estimate', 0.268, [0.22, 0.31])
    """
    if not isinstance(table, JointDistribution):
        raise TableError(
            "The table must say which records there are; give JointDistribution.from_counts(table).",
            Where("parameter", name="table"),
        )
    if table.n_tuples != 2:
        raise DomainError(
            f"The table has {table.n_tuples} attributes; give two, the secret first: "
            "joint.marginal([secret, source]).",
            Where("parameter", name="table"),
        )
    how = sampling(table, method, level, draws, prior, zeros)
    kind = as_output(output)
    exact = pair_leakage(table, check_mechanism(mechanism), kind).leakage
    reading = read(mechanism, table.shape[1], kind)
    found = np.concatenate([leakages_of_tables(drawn, reading) for drawn in blocks(table, how, rng)])
    tail = (1 - how.level) / 2
    if np.isfinite(found).all():
        low, high = (float(end) for end in np.quantile(found, [tail, (1 + how.level) / 2]))
    else:
        # Drawn values rather than points between them: between a number and infinity there is none.
        low = float(np.quantile(found, tail, method="lower"))
        high = float(np.quantile(found, (1 + how.level) / 2, method="higher"))
    return replace(
        exact,
        status="estimate",
        interval=(low, high),
        source=f"{exact.source}; {how.in_words(0.0, exact.value, low, high)}",
    )
