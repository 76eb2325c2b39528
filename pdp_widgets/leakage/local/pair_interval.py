"""How uncertain a leakage is that was computed from records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from pdp_widgets.errors import LimitError, Where
from pdp_widgets.leakage.drawn_tables import BOUNDED, Method, blocks, sampling
from pdp_widgets.leakage.local.given_data import as_two
from pdp_widgets.leakage.local.given_mechanisms import as_mechanism
from pdp_widgets.leakage.local.mechanism_reading import as_output, read
from pdp_widgets.leakage.local.pair_leakage import pair_leakage
from pdp_widgets.leakage.local.statistical import as_whole_counts
from pdp_widgets.leakage.local.surrogate_test import leakages_of_tables
from pdp_widgets.leakage.value import Leakage, Output
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.joint_distribution import JointDistribution

__all__ = ["pair_interval"]

#: Leakages that are kept until their quantiles are known: 80 MB.
_MOST_DRAWS = 10_000_000


def pair_interval(
    table: AttributeTable | JointDistribution | ArrayLike,
    mechanism: LocalMechanism | str,
    output: Output = "raw",
    *,
    epsilon: float | None = None,
    names: Sequence[str] | None = None,
    secret: str | int | None = None,
    source: str | int | None = None,
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
        Counts of two attributes, the secret first; or records (a data frame too) or a joint distribution of
        more, and which two of them.
    mechanism, output, epsilon, names, secret, source
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
        There are not two attributes, and none are chosen.
    LimitError
        There are more than 10,000,000 draws.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> from pdp_widgets.mechanisms.local.randomised_response import GRR
    >>> found = pair_interval(titanic(), GRR(1.0), secret="survived", source="class", rng=1)
    >>> found.status, round(found.value, 3), [round(end, 2) for end in found.interval]
    ('estimate', 0.268, [0.22, 0.31])
    """
    two, named = as_two(table, names, secret, source)
    if not isinstance(two, JointDistribution):
        two = JointDistribution.from_counts(as_whole_counts(two), None, named or ("secret", "source"))
    how = sampling(two, method, level, draws, prior, zeros)
    if how.draws > _MOST_DRAWS:
        raise LimitError(
            f"The number of draws is {how.draws:,}; at most {_MOST_DRAWS:,} tables are drawn.",
            Where("parameter", name="draws"),
        )
    kind, chosen = as_output(output), as_mechanism(mechanism, epsilon)
    exact = pair_leakage(two, chosen, kind, names=named).leakage
    reading = read(chosen, two.shape[1], kind)
    found = np.concatenate([leakages_of_tables(drawn, reading) for drawn in blocks(two, how, rng)])
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
