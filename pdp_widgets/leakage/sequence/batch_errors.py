"""What batches buy: the error of a symbol by the number of steps that are released together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.leakage.number_table import Numbers, NumberTable, epsilon_words
from pdp_widgets.leakage.progress import Progress, ProgressHook
from pdp_widgets.leakage.sequence.batch_belief import BatchBelief
from pdp_widgets.mechanisms.local.parameters import as_epsilon, as_size
from pdp_widgets.mechanisms.sequence.distances import batch_distance
from pdp_widgets.mechanisms.sequence.inverse_cdf import drawn
from pdp_widgets.mechanisms.sequence.log_lift import log_lift
from pdp_widgets.mechanisms.sequence.optimal_response import OptimalResponse
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism
from pdp_widgets.models.batches import batch_partition, pattern_count
from pdp_widgets.models.equal_fields import EqualByFields
from pdp_widgets.models.figure_file import FigureFile
from pdp_widgets.models.given_chain import as_chain
from pdp_widgets.models.given_numbers import as_generator
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.labels import shown
from pdp_widgets.models.markov_chain import MarkovChain

__all__ = ["BatchErrors", "batch_errors"]

Floats = NDArray[np.float64]
#: Whole numbers up to here have their own float.
_MOST_STEPS = 1 << 53
#: A mechanism for the patterns of a batch, from its budget and the distances of patterns.
Maker = Callable[[float, Floats], SequenceMechanism]


@dataclass(frozen=True, eq=False, repr=False)
class BatchErrors(EqualByFields, ReadOnlyArrays, NumberTable, FigureFile):
    """The mean error of a symbol by the size of batches, from drawn releases.

    Its tables have one size a row.

    Parameters
    ----------
    sizes
        Steps that are released together.
    epsilon
        The budget of a step in nats; a batch has that times its size.
    errors
        Mean distance of release and data for each step, one for each size.
    standard_errors
        Their standard errors, between people; NaN for one person.
    leakages
        The largest leakage of a batch that was seen, in nats: within a batch a single symbol can leak it all.

    Notes
    -----
    The guarantee is per batch. The error falls fast with the size, since a batch of w steps has w times the
    budget of a step.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain, batch_errors
    >>> found = batch_errors(MarkovChain.symmetric(0.5), 1.0, [1, 2], steps=4, users=1)
    >>> found.errors.round(3).tolist(), found.leakages.round(3).tolist()
    ([0.184, 0.068], [1.0, 2.0])
    """

    sizes: tuple[int, ...]
    epsilon: float
    errors: Floats
    standard_errors: Floats
    leakages: Floats

    def _numbers(self) -> Numbers:
        columns = {
            "size": list(self.sizes),
            "budget": [self.epsilon * size for size in self.sizes],
            "leakage": self.leakages,
            "error": self.errors,
            "standard error": self.standard_errors,
        }
        return Numbers(
            columns,
            {
                "size": "count",
                "budget": "nats",
                "leakage": "nats",
                "error": "number",
                "standard error": "number",
            },
            {
                "unit": "nats",
                "epsilon": self.epsilon,
                "status": {"error": "estimate", "leakage": "lower bound"},
            },
            (f"{epsilon_words(self.epsilon)} a step, from drawn releases",),
        )

    def plot(self, value: str = "errors") -> Any:
        """Return a bqplot figure: the size of batches across.

        Parameters
        ----------
        value
            What goes up: ``"errors"``, or ``"leakages"`` with the budget of a batch.

        Raises
        ------
        DomainError
            It is none of these.
        """
        from pdp_widgets.widgets.sequence_figures import plot_batch_errors

        return plot_batch_errors(self, value)


def batch_errors(
    chain: MarkovChain,
    epsilon: float,
    sizes: Iterable[int] = (1, 2, 3, 4),
    *,
    steps: int = 120,
    users: int = 4,
    distance: Any = None,
    mechanism: Maker | None = None,
    rng: np.random.Generator | int | None = None,
    progress: ProgressHook | None = None,
) -> BatchErrors:
    """Return the mean error of a symbol for batches of several sizes.

    Parameters
    ----------
    chain
        The law of the stream.
    epsilon
        The budget of a step in nats; a batch has that times its number of steps.
    sizes
        Steps that are released together.
    steps, users
        Length and number of the streams whose releases are drawn; the last batch may be shorter.
    distance
        A `Distance`, its name, a matrix, or None for 0 or 1; batches have the sum over their steps.
    mechanism
        Called with the budget of a batch and the distances of patterns; without it the optimum of every
        batch.
    rng
        Generator or seed; without it fresh randomness.
    progress
        Told the share done; what it raises cancels.

    Raises
    ------
    LimitError
        A batch has too many patterns.

    Notes
    -----
    Releases are drawn from what the adversary expects, and errors are means over the data given the releases
    before: no data are drawn.

    Examples
    --------
    >>> from pdp_widgets import BalancedResponse, MarkovChain, batch_errors
    >>> chain = MarkovChain.symmetric(0.9)
    >>> found = batch_errors(chain, 1.0, [1, 3], mechanism=lambda e, d: BalancedResponse(e), rng=1)
    >>> bool(found.errors[1] < found.errors[0] / 3)
    True
    """
    as_chain(chain)
    budget, length, people = as_epsilon(epsilon), as_size(steps, "steps", 1), as_size(users, "users", 1)
    listed = _as_sizes(sizes)
    generator, make = as_generator(rng), OptimalResponse if mechanism is None else mechanism
    if not callable(make):
        raise BudgetError(
            f"The mechanism is {shown(make)}; give a function of the budget and the distances of patterns.",
            Where("parameter", name="mechanism"),
        )
    for size in listed:
        pattern_count(chain.n, min(size, length))
    told = Progress(progress, sum(-(-length // size) for size in listed))
    errors, spreads, leakages = [], [], []
    for size in listed:
        costs, worst = _one_size(chain, budget, size, length, people, distance, make, generator, told)
        errors.append(costs.mean())
        spreads.append(costs.std(ddof=1) / sqrt(people) if people > 1 else nan)
        leakages.append(worst)
    told.finish()
    return BatchErrors(listed, budget, *(_sealed(part) for part in (errors, spreads, leakages)))


def _one_size(
    chain: MarkovChain,
    epsilon: float,
    size: int,
    steps: int,
    users: int,
    distance: Any,
    make: Maker,
    rng: np.random.Generator,
    told: Progress,
) -> tuple[Floats, float]:
    """Return the mean error of each user, and the largest leakage of a batch."""
    partition = batch_partition(steps, size, epsilon)
    belief = BatchBelief.before(chain, partition.sizes[0], users)
    costs, worst = np.zeros(users), 0.0
    made: dict[int, tuple[SequenceMechanism, Floats]] = {}
    for place, (many, budget) in enumerate(zip(partition.sizes, partition.budgets, strict=True)):
        if many not in made:
            distances = batch_distance(distance, chain.n, many)
            made[many] = _as_made(make(budget, distances)), distances
        release, distances = made[many]
        matrices = release.matrices(belief.predictive)
        costs += (belief.predictive[:, :, None] * matrices * distances).sum(axis=(1, 2))
        worst = max(worst, float(np.max(log_lift(matrices, belief.predictive).leakage)))
        if place + 1 < len(partition.sizes):
            law = np.einsum("ux,uxy->uy", belief.predictive, matrices)
            released = drawn(law, rng.random(users))
            belief = belief.after(matrices, released, partition.sizes[place + 1])
        told.step()
    return costs / steps, worst


def _as_sizes(sizes: Any) -> tuple[int, ...]:
    where = Where("parameter", name="sizes")
    other = isinstance(sizes, str | bytes | bytearray | Mapping)
    if other or not isinstance(sizes, Iterable) or (isinstance(sizes, np.ndarray) and not sizes.ndim):
        raise BudgetError(f"sizes is {shown(sizes)}; give a list of whole numbers.", where)
    listed = tuple(as_size(size, "size", 1, _MOST_STEPS) for size in sizes)
    if not listed:
        raise BudgetError("There is no size; give at least one.", where)
    return listed


def _as_made(made: Any) -> SequenceMechanism:
    if isinstance(made, SequenceMechanism) and made.previous_is is None:
        return made
    raise BudgetError(
        f"The function of the budget and the distances made {shown(made)}; it must give a mechanism that "
        "looks at nothing but the belief, such as BalancedResponse.",
        Where("parameter", name="mechanism"),
    )


def _sealed(values: list[Any]) -> Floats:
    found = np.array(values, dtype=np.float64)
    found.setflags(write=False)
    return found
