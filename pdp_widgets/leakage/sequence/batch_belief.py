"""Releases of several symbols at once: the belief about the coming batch, errors by the size of batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from math import nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import EPSILON, as_size
from pdp_widgets.core.chart import Axis, Chart, Series, curve
from pdp_widgets.core.converters import as_generator
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.core.results import Figures, Result, plotted
from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.leakage.number_table import Numbers, NumberTable, epsilon_words
from pdp_widgets.leakage.sequence.belief import MOST_NUMBERS, as_likelihood, column_of, refuse_impossible
from pdp_widgets.leakage.sequence.step_leakage import SOURCE
from pdp_widgets.leakage.sweeps import as_executor, swept
from pdp_widgets.mechanisms.sequence.belief_checks import drawn
from pdp_widgets.mechanisms.sequence.distances import batch_distance
from pdp_widgets.mechanisms.sequence.log_lift import log_lift
from pdp_widgets.mechanisms.sequence.optimal_response import OptimalResponse
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism
from pdp_widgets.models.batches import batch_partition, pattern_count
from pdp_widgets.models.chain_checks import as_count
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyAgain, ReadOnlyArrays, read_only
from pdp_widgets.models.labels import as_choice, shown
from pdp_widgets.models.markov_chain import MarkovChain, as_chain

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class BatchBelief(ReadOnlyAgain):
    """The belief of an adversary about the patterns of the next batch.

    Only the law of the last symbol (second order: of the last two) is carried from batch to batch, so a step
    takes n^w w operations and not the square of that.

    Parameters
    ----------
    chain
        The model of the stream.
    size
        Symbols of the batch that comes next.
    predictive
        Law of its patterns, shape (n^size,) or (users, n^size), numbered as by `batch_index`.
    posterior
        Law of the patterns of the batch before, given its release too; None before the first.
    log_probability
        Log probability of all releases so far.
    released
        How many batches were released.

    Notes
    -----
    Jiang, Li and Tandon, Equation 29 with window 1. As printed the transition stands outside the sum over the
    old batch, which makes batches independent; here it is inside.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain
    >>> belief = BatchBelief.before(MarkovChain.symmetric(0.9), 2)
    >>> belief.predictive.round(12).tolist()
    [0.45, 0.05, 0.05, 0.45]
    >>> belief.after([[0.7, 0.1, 0.1, 0.1]] * 4, 0).predictive.round(12).tolist()
    [0.45, 0.05, 0.05, 0.45]
    """

    chain: MarkovChain
    size: int
    predictive: Floats
    posterior: Floats | None = None
    log_probability: Any = 0.0
    released: int = 0
    #: Second order: law of the symbol before the batch and of its pattern.
    _joined: Floats | None = field(default=None)

    @classmethod
    def before(cls, chain: MarkovChain, size: int, users: int | None = None) -> BatchBelief:
        """Return the belief before the first release.

        Parameters
        ----------
        chain
            The model of the stream.
        size
            Symbols of the first batch.
        users
            How many streams are followed at once; without it one.
        """
        law = as_chain(chain).start
        patterns_of_one = pattern_count(chain.n, size)
        if users is not None:
            law = np.tile(law, (as_count(users, "users", most=MOST_NUMBERS // patterns_of_one), 1))
        if chain.order == 1 or size == 1:
            patterns = _extended(law, chain, 1, size)
        else:
            assert chain.early is not None
            patterns = _extended(law[..., None] * chain.early, chain, 2, size)
        logs: Any = 0.0 if users is None else np.zeros(len(law))
        flat = patterns.reshape(*law.shape[:-1], patterns_of_one)
        return cls(chain, int(size), read_only(flat), None, logs)

    def after(self, channel: Any, released: Any, size: int | None = None) -> BatchBelief:
        """Return the belief about the next batch after the release of this one.

        Parameters
        ----------
        channel
            The mechanism at this batch: a `StepChannel`, or a matrix with one row for each pattern; with
            users in front for one matrix each.
        released
            Number of the released pattern, for every user where there are users.
        size
            Symbols of the batch that comes next; without it as many as this one has.

        Raises
        ------
        ModelMismatch
            The release has probability 0 under the model.
        """
        column = column_of(channel, released, self.predictive.shape[-1], self._users, 1)
        return self._updated(column, released, size)

    def after_likelihood(self, likelihood: Any, size: int | None = None) -> BatchBelief:
        """Return the next belief, given by how likely each pattern makes the release.

        Examples
        --------
        >>> belief = BatchBelief.before(MarkovChain.symmetric(0.9), 2)
        >>> belief.after_likelihood([0.0, 1.0, 0.0, 1.0], size=1).predictive.round(12).tolist()
        [0.1, 0.9]
        """
        column = as_likelihood(likelihood, self.predictive.shape[-1:], self._users)
        return self._updated(column, None, size)

    @property
    def _users(self) -> tuple[int, ...]:
        return self.predictive.shape[:-1]

    def _updated(self, likelihood: Floats, released: Any, size: int | None) -> BatchBelief:
        chain, n = self.chain, self.chain.n
        coming = self.size if size is None else as_size(size, "size", 1)
        pattern_count(n, coming)
        joined = self._joined
        if joined is None:
            weights = self.predictive * likelihood
            total = weights.sum(axis=-1)
        else:
            joined = joined * likelihood[..., None, :]
            total = joined.sum(axis=(-2, -1))
        refuse_impossible(total, self.released + 1, released)
        if joined is None:
            posterior = weights / total[..., None]
        else:
            joined = joined / total[..., None, None]
            posterior = joined.sum(axis=-2)
        lead = self._lead(posterior, joined)
        lead = lead / lead.sum(axis=tuple(range(len(self._users), lead.ndim)), keepdims=True)
        if chain.order == 1:
            kept = None
            flat = _extended(lead, chain, 1, coming).reshape(*self._users, -1)
        else:
            kept = _extended(lead, chain, 2, coming + 1).reshape(*self._users, n, -1)
            flat = kept.sum(axis=-2)
        logs = self.log_probability + np.log(total)
        return BatchBelief(
            chain,
            coming,
            read_only(flat),
            read_only(posterior),
            logs if self._users else float(logs),
            self.released + 1,
            kept,
        )

    def _lead(self, posterior: Floats, joined: Floats | None) -> Floats:
        """Return the law of the first symbol to come; second order: with the last one before it in front."""
        chain, n, users = self.chain, self.chain.n, self._users
        if chain.order == 1:
            last = posterior.reshape(*users, -1, n).sum(axis=-2)
            return np.asarray(last @ chain.transitions)
        assert chain.early is not None
        if self.size >= 2:
            two = posterior.reshape(*users, -1, n, n).sum(axis=-3)
        elif joined is not None:
            two = joined
        else:
            return np.asarray(posterior[..., None] * chain.early)
        return np.asarray(np.einsum("...ij,ijk->...jk", two, chain.transitions))

    def __repr__(self) -> str:
        users = f"{self._users[0]:,} users, " if self._users else ""
        return (
            f"BatchBelief({users}{self.chain.n} symbol{'s'[: self.chain.n != 1]}, next batch of {self.size}, "
            f"{self.released:,} batches released)"
        )


def _extended(law: Floats, chain: MarkovChain, have: int, want: int) -> Floats:
    """Return the law of more symbols from that of the first ones, one axis for each."""
    for _ in range(want - have):
        law = law[..., None] * chain.transitions
    return law


#: Whole numbers up to here have their own float.
_MOST_STEPS = 1 << 53
#: A mechanism for the patterns of a batch, from its budget and the distances of patterns.
Maker = Callable[[float, Floats], SequenceMechanism]


@dataclass(frozen=True, eq=False, repr=False)
class BatchErrors(EqualByFields, ReadOnlyArrays, NumberTable, Result):
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

    Its figure is ``"curves"``: the error of a symbol, and what a batch leaks, by size.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain
    >>> from pdp_widgets.streams import batch_errors
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
                "source": SOURCE,
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
        chosen = as_choice(value, "value", ("errors", "leakages"))
        return plotted(self._charts()[chosen == "leakages"])

    def _figures(self) -> Figures:
        return {"curves": self._charts}

    def _charts(self) -> list[Chart]:
        order = np.argsort(self.sizes, kind="stable")
        sizes = np.array(self.sizes, dtype=np.float64)[order]
        errors, spread = self.errors[order], self.standard_errors[order]
        known = bool(np.isfinite(spread).all())
        low, high = (errors - spread, errors + spread) if known else (None, None)
        across = Axis(
            f"steps in a batch, {epsilon_words(self.epsilon)} a step", 0.5, sizes[-1] + 0.5, whole=True
        )
        return [
            Chart(
                "Error of a symbol",
                [Series("mean of drawn releases", sizes, errors, "dots", low, high, colour="a")],
                across,
                Axis("mean distance a step, an estimate", low=0.0),
                note="Means of drawn releases" + (", with their standard errors." if known else "."),
            ),
            Chart(
                "What a batch leaks",
                [
                    curve("budget", sizes, self.epsilon * sizes, "promise", "dashed"),
                    Series("largest seen, a lower bound", sizes, self.leakages[order], "dots", colour="a"),
                ],
                across,
                Axis("leakage, nats", low=0.0),
            ),
        ]


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
    limit: float = 60.0,
    progress: ProgressHook | None = None,
    executor: Executor | None = None,
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
    limit
        Seconds, after which it is ended; ``math.inf`` for no limit.
    progress
        Told the share done; what it raises cancels.
    executor
        Whose workers take one of the sizes each, as for `pdp_widgets.prior.leakage_intervals`; a mechanism of
        one's own must be one that can be sent to them.

    Raises
    ------
    LimitError
        A batch has too many patterns, or it takes longer than the limit.

    Notes
    -----
    Releases are drawn from what the adversary expects, and errors are means over the data given the releases
    before: no data are drawn.

    Examples
    --------
    >>> from pdp_widgets import BalancedResponse, MarkovChain
    >>> from pdp_widgets.streams import batch_errors
    >>> chain = MarkovChain.symmetric(0.9)
    >>> found = batch_errors(chain, 1.0, [1, 3], mechanism=lambda e, d: BalancedResponse(e), rng=1)
    >>> bool(found.errors[1] < found.errors[0] / 3)
    True
    """
    as_chain(chain)
    budget, length, people = (
        EPSILON.take(epsilon, "epsilon"),
        as_size(steps, "steps", 1),
        as_size(users, "users", 1),
    )
    listed = _as_sizes(sizes)
    generator, make = as_generator(rng), OptimalResponse if mechanism is None else mechanism
    if not callable(make):
        raise BudgetError(
            f"The mechanism is {shown(make)}; give a function of the budget and the distances of patterns.",
            Where("parameter", name="mechanism"),
        )
    for size in listed:
        pattern_count(chain.n, min(size, length))
    hook = timed(progress, limit, f"The errors of {people:,} users", "Take fewer users, steps or sizes.")
    told, workers = Progress(hook, length * len(listed)), as_executor(executor)
    # Nothing is drawn after the last batch of a size. Workers are sent them; here they are drawn when used.
    drawn_numbers = ((generator.random(people) for _ in range(-(-length // size) - 1)) for size in listed)
    parts = (
        [(size, numbers if workers is None else list(numbers))]
        for size, numbers in zip(listed, drawn_numbers, strict=True)
    )
    one_size = partial(_one_size, chain, budget, length, people, distance, make)
    found = swept(one_size, parts, workers, told, length)
    told.finish()
    errors = np.array([costs.mean() for costs, _ in found])
    spreads = np.array([costs.std(ddof=1) / sqrt(people) if people > 1 else nan for costs, _ in found])
    return BatchErrors(listed, budget, errors, spreads, np.array([worst for _, worst in found]))


def _one_size(
    chain: MarkovChain,
    epsilon: float,
    steps: int,
    users: int,
    distance: Any,
    make: Maker,
    part: Sequence[tuple[int, Iterable[Floats]]],
    told: Progress,
) -> tuple[Floats, float]:
    """Return the mean error of each user for one size with its uniform numbers, and the largest leakage."""
    ((size, numbers),) = part
    uniforms = iter(numbers)
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
            released = drawn(law, next(uniforms))
            belief = belief.after(matrices, released, partition.sizes[place + 1])
        # Counted by symbols, so that all sizes have as many steps.
        told.step(many)
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
