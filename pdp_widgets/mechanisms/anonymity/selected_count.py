"""A count of selected records, its law, and the checked numbers of releases without noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import INNER, as_size
from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.models.labels import as_choice

__all__ = [
    "NEIGHBOURS",
    "RELEASES",
    "SelectedCount",
    "binomial_law",
]

Floats = NDArray[np.float64]


def binomial_law(n: int, p: float, least: int = 0, *, q: float | None = None) -> Floats:
    """Return the probabilities of ``least`` to ``n`` successes in ``n``, given at least ``least``."""
    # Ratios of neighbouring probabilities are summed in logs from the mode outwards and the sum is divided
    # out, so that no factorial is needed and a tail can stand alone however small its probability is.
    counts = np.arange(least, n, dtype=np.float64)
    steps = np.log(n - counts) - np.log(counts + 1) + (np.log(p) - (np.log1p(-p) if q is None else np.log(q)))
    mode = int(np.searchsorted(-steps, 0.0))
    logs = np.zeros(n - least + 1)
    logs[mode + 1 :] = np.cumsum(steps[mode:])
    logs[:mode] = -np.cumsum(steps[:mode][::-1])[::-1]
    weights = np.exp(logs)
    found: Floats = weights / weights.sum()
    return found


#: What the count is compared with: itself plus one, or the count among one record fewer or more.
NEIGHBOURS = ("shift", "remove", "add")
#: What is published of the count.
RELEASES = ("suppress", "count", "conditional", "literal")
#: Laws of more outcomes take seconds.
_MOST = 1_000_000


@dataclass(frozen=True)
class SelectedCount:
    """How many of n records are selected, each by itself with probability p, published without noise.

    Parameters
    ----------
    n
        Number of records; with ``neighbour="shift"`` those other than the target.
    k
        Least group size, 1 to ``n``.
    p
        Probability that a record is selected, strictly between 0 and 1.
    neighbour
        What the count is compared with. ``"shift"``: the same count plus one, the target's bit. ``"remove"``,
        ``"add"``: the count among one record fewer, or more.
    release
        ``"suppress"``: the count if it is k or more, else one symbol for "nothing". ``"count"``: the count
        itself. ``"conditional"``: the count, given that it is k or more, for each neighbour by itself.
        ``"literal"``: the count given k or more first and then shifted by one, as the paper's proof has it.

    Raises
    ------
    BudgetError
        A number is outside its range, a word is unknown, ``"literal"`` is combined with a neighbour other
        than ``"shift"``, or one of the two counts is never k or more where that is given.

    Notes
    -----
    Theorem 1 of Zhao, Jiang, Wang and Huang, "Non-asymptotic bound on the performance of k-anonymity against
    inference attacks".

    Examples
    --------
    >>> first, second = SelectedCount(3, 2, 0.5).laws()
    >>> first.tolist(), second.tolist()
    ([0.5, 0.375, 0.125, 0.0], [0.125, 0.375, 0.375, 0.125])
    """

    n: int
    k: int
    p: float
    neighbour: str = "shift"
    release: str = "suppress"

    def __post_init__(self) -> None:
        n = as_size(self.n, "n", 1, _MOST)
        k = as_size(self.k, "k", 1, _MOST)
        if k > n:
            raise BudgetError(
                f"k is {k:,} and there are {n:,} records; k is at most n.", Where("parameter", name="k")
            )
        checked = {
            "n": n,
            "k": k,
            "p": INNER.take(self.p, "p"),
            "neighbour": as_choice(self.neighbour, "neighbour", NEIGHBOURS, BudgetError),
            "release": as_choice(self.release, "release", RELEASES, BudgetError),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        if self.release == "literal" and self.neighbour != "shift":
            raise BudgetError(
                f"The release 'literal' shifts one law; with the neighbour {self.neighbour!r} there are two.",
                Where("parameter", name="neighbour"),
                call="Give neighbour='shift'.",
            )
        if self.release == "conditional" and self.neighbour == "remove" and k == n:
            raise BudgetError(
                f"Of {n - 1:,} records never {k:,} are selected, so nothing is given that k are; give k "
                "below n.",
                Where("parameter", name="k"),
            )

    @property
    def outcomes(self) -> tuple[str, ...]:
        """What can be published, as text, in the order of the probabilities of `laws`."""
        last = self.n + (self.neighbour != "remove")
        if self.release == "count":
            return tuple(map(str, range(last + 1)))
        published = tuple(map(str, range(self.k, last + 1)))
        return ("nothing", *published) if self.release == "suppress" else published

    def laws(self) -> tuple[Floats, Floats]:
        """Return the probabilities of the outcomes for the two neighbours, on common outcomes, read-only.

        Examples
        --------
        >>> release = SelectedCount(2, 1, 0.5, "remove", "conditional")
        >>> release.outcomes, [law.round(4).tolist() for law in release.laws()]
        (('1', '2'), [[0.6667, 0.3333], [1.0, 0.0]])
        """
        n, k, p = self.n, self.k, self.p
        other = n + {"shift": 0, "remove": -1, "add": 1}[self.neighbour]
        shifted = self.neighbour == "shift"
        if self.release == "literal":
            first = binomial_law(n, p, k)
            second = np.concatenate([[0.0], first])
        elif self.release == "conditional":
            # The shifted count is k or more where the count itself is k - 1 or more.
            first, second = binomial_law(n, p, k), binomial_law(other, p, k - 1 if shifted else k)
        else:
            first, second = binomial_law(n, p), binomial_law(other, p)
            if shifted:
                second = np.concatenate([[0.0], second])
            if self.release == "suppress":
                first, second = _merged(first, k), _merged(second, k)
        return _aligned(first, second)


def _merged(law: Floats, k: int) -> Floats:
    """Return a law on 0, 1, ... with the outcomes below k made one."""
    return np.concatenate([[law[:k].sum()], law[k:]])


def _aligned(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Return two laws that begin at the same outcome with zeros at the end of the shorter one."""
    most = max(len(first), len(second))
    padded = tuple(np.concatenate([law, np.zeros(most - len(law))]) for law in (first, second))
    for law in padded:
        law.setflags(write=False)
    return padded[0], padded[1]
