"""Values that say who learns from a network, and what the query is worth to him."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.chart import Axis, Chart, Level, Series, number, parted
from pdp_widgets.leakage.networks.worst import Worst
from pdp_widgets.leakage.number_table import Numbers, NumberTable, Written
from pdp_widgets.leakage.value import About, Leakage
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays
from pdp_widgets.models.labels import Label, short
from pdp_widgets.models.networks.network import Network

__all__ = [
    "EXACT_SOURCE",
    "MOST_DRAWN",
    "WORST_SOURCE",
    "AboutNetwork",
    "DominatingAdversary",
    "QueryLaw",
    "tuples_chart",
    "worst_leakage",
]

Floats = NDArray[np.float64]

EXACT_SOURCE = "exact law by variable elimination"
WORST_SOURCE = "worst of all known sets and values: connected sets around the tuple"
#: Tuples that words list, and those that a chart draws.
_LISTED = 6
MOST_DRAWN = 40
#: Above the promise by more than rounding.
_SAME = 1e-9


@dataclass(frozen=True)
class AboutNetwork(About):
    """An adversary who knows the labels of some tuples, and all tuples beyond those too.

    Parameters
    ----------
    target
        Name of the attacked tuple.
    known
        The tuples beside those he does not know, with their labels.
    unknown
        Names of the tuples he does not know, beside the target.

    Examples
    --------
    >>> print(AboutNetwork("b", (("d", 1),), ("a", "c")))
    b, knowing d = 1 and all beyond, not a, c
    """

    unknown: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.known:
            return f"{short(self.target)}, knowing none it hangs together with"
        listed = ", ".join(f"{short(name)} = {short(str(label))}" for name, label in self.known[:_LISTED])
        more = f" and {len(self.known) - _LISTED} more" if len(self.known) > _LISTED else ""
        hidden = ", ".join(map(short, self.unknown[:_LISTED]))
        rest = f" and {len(self.unknown) - _LISTED} more" if len(self.unknown) > _LISTED else ""
        tail = f", not {hidden}{rest}" if hidden else ""
        return f"{short(self.target)}, knowing {listed}{more} and all beyond{tail}"


@dataclass(frozen=True, eq=False, repr=False)
class QueryLaw(EqualByFields, ReadOnlyArrays, NumberTable):
    """Laws of the query given each label of a tuple that is left.

    Parameters
    ----------
    labels
        The labels, in the order of the domain.
    values
        Values of the query that one of them reaches, ascending, shape (values,); by the zeros of the tables,
        also where a probability is too small for a float and stands as 0.
    probabilities
        One row a label, shape (labels, values).

    Examples
    --------
    >>> from pdp_widgets import LaplaceMechanism, LinearQuery
    >>> from pdp_widgets.networks import BayesianNetwork, NetworkAnalysis
    >>> net = BayesianNetwork.chain([[0.8, 0.2], [0.2, 0.8]], 5)
    >>> analysis = NetworkAnalysis(net, LaplaceMechanism(LinearQuery.sum(net), 1))
    >>> law = analysis.law("step 1", {"step 2": 1, "step 3": 1, "step 4": 1})
    >>> law.labels, law.values.tolist(), law.probabilities.round(2).tolist()
    ((0, 1), [3.0, 4.0, 5.0], [[0.2, 0.8, 0.0], [0.0, 0.2, 0.8]])
    """

    labels: tuple[Label, ...]
    values: Floats
    probabilities: Floats

    def _numbers(self) -> Numbers:
        rows = {f"given {label}": row for label, row in zip(self.labels, self.probabilities, strict=True)}
        written: dict[str, Written] = {"value": "number", **dict.fromkeys(rows, "probability")}
        status = dict.fromkeys(rows, "exact")
        return Numbers(
            {"value": self.values, **rows},
            written,
            {"unit": "probability", "status": status, "source": EXACT_SOURCE},
        )


@dataclass(frozen=True)
class DominatingAdversary:
    """Who learns at least as much as one adversary, whatever the values: he knows all that lies beyond.

    Parameters
    ----------
    unknown
        Tuples that are joined to the target by unknown ones, itself among them.
    boundary
        Known tuples beside those: their labels alone decide what he learns.
    known
        All tuples that are not among the first.

    Examples
    --------
    >>> from pdp_widgets import LaplaceMechanism, LinearQuery
    >>> from pdp_widgets.networks import BayesianNetwork, NetworkAnalysis
    >>> net = BayesianNetwork.chain([[0.8, 0.2], [0.2, 0.8]], 5)
    >>> analysis = NetworkAnalysis(net, LaplaceMechanism(LinearQuery.sum(net), 1))
    >>> analysis.dominating("step 1", ["step 3"]).known
    ('step 3', 'step 4', 'step 5')
    """

    unknown: tuple[str, ...]
    boundary: tuple[str, ...]
    known: tuple[str, ...]


def worst_leakage(network: Network, target: int, found: Worst, convention: str) -> Leakage:
    """Return what a search found, with the adversary in words."""
    names, domains = network.names, network.domains
    known = tuple((names[j], domains[j][u]) for j, u in found.chosen.known)
    unknown = tuple(names[j] for j in sorted(found.chosen.unknown))
    return Leakage(
        found.upper,
        "exact" if found.exact else "bound",
        AboutNetwork(names[target], known, unknown),
        convention,  # type: ignore[arg-type]
        source=WORST_SOURCE,
        interval=None if found.exact else (found.lower, found.upper),
    )


def tuples_chart(
    none: Sequence[Leakage], anyone: Sequence[Leakage], mechanism: LaplaceMechanism, n_tuples: int
) -> Chart:
    """Return what those learn who know nothing, beside the promise and what nobody exceeds."""
    exact, most = (np.array([one.value for one in side]) for side in (none, anyone))
    at = np.arange(len(none), dtype=np.float64)
    over = exact > mechanism.promise * (1 + _SAME)
    note = (
        f"Release: {mechanism.query.name} with Laplace noise of scale {number(mechanism.scale)}. "
        "Exact: to those who know nothing. Bound: nobody learns more, whatever else is known."
    )
    if len(none) < n_tuples:
        note += f" The {len(none)} of {n_tuples:,} tuples about which most is learned."
    return Chart(
        "What is learned about each tuple",
        [
            Series("bound, to anyone", most, at, "dots", colour="ink2", shape="ring"),
            *parted(exact, at, over, ("exact, knowing none", "exact, above the promise")),
        ],
        Axis("leakage, nats", low=0.0),
        Axis("", names=tuple(one.about.target for one in none)),
        (Level("promise", mechanism.promise, "x"),),
        note,
    )
