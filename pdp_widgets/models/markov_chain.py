"""A Markov chain of first or second order, as a joint distribution and as a graph."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import PROBABILITY
from pdp_widgets.core.converters import as_generator
from pdp_widgets.errors import ChainError, LimitError, Where
from pdp_widgets.models.chain_checks import as_count, as_law, as_states, on_pairs, rows_of
from pdp_widgets.models.chain_sampling import cumulated, drawn, walked
from pdp_widgets.models.chain_value import ChainValue, mixing_time, second_eigenvalue, stationary_law
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import shown
from pdp_widgets.models.stream_data import as_streams
from pdp_widgets.models.stream_facts import absorbed, counted_neighbours, smoothed_laws
from pdp_widgets.models.stream_input import with_reader

__all__ = ["MarkovChain", "as_chain"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_MOST_DRAWN = 1 << 26
#: Steps one after the other: some ten seconds.
_MOST_WALKED = 2_000_000
#: Cells of a joint distribution of streams.
_MOST_CELLS = 1 << 20
#: Edges of a graph of Python objects, about half a kilobyte each.
_MOST_EDGES = 1_000_000


class MarkovChain(ChainValue):
    """The law of a stream: where it starts and how each symbol depends on the one or two before.

    The object is immutable. Symbols are 0, 1, ... inside and have labels outside.

    Parameters
    ----------
    transitions
        First order: shape (n, n), entry ``[i, j]`` is the probability of j after i. Second order: shape
        (n, n, n), entry ``[i, j, k]`` is the probability of k after i and then j. A row whose sum is within
        1e-8 of 1 is brought to 1. A pandas data frame names the states, by its rows and by its columns.
    start
        Law of the first symbol; without it the stationary law. A pandas series names the states.
    states
        One distinct label for each symbol (integers, reals, booleans or text); without it those of a data
        frame, else 0, 1, 2, ...
    early
        Second order only: the law of the second symbol after the first, shape (n, n); without it that of two
        neighbours in the long run, and after a symbol that does not occur in the long run all alike.

    Raises
    ------
    ChainError
        A shape does not fit, an entry is no probability, or a row does not sum to 1 (the message names the
        row and its sum); or the stationary law is asked for and there are several.
    DomainError
        The labels are no list of n distinct labels.

    Notes
    -----
    The source of the paper on sequence information privacy, Section II. It may be of any order there; see
    `HistorySource` for that.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain
    >>> chain = MarkovChain([[0.9, 0.1], [0.3, 0.7]], states=["dry", "wet"])
    >>> chain
    MarkovChain(states=('dry', 'wet'), order=1)
    >>> chain.start.round(12).tolist()
    [0.75, 0.25]
    >>> chain.simulate(6, users=2, rng=1).shape
    (2, 6)
    """

    __slots__ = ()

    @classmethod
    def symmetric(
        cls,
        stay: float,
        states: int | Iterable[Any] = 2,
        start: ArrayLike | None = None,
    ) -> MarkovChain:
        """Return the chain that stays with one probability and else moves to any other state alike.

        Parameters
        ----------
        stay
            Probability of the same symbol again, 0 to 1.
        states
            Number of states, or their labels.
        start
            Law of the first symbol; without it all states alike.

        Examples
        --------
        >>> MarkovChain.symmetric(0.8, 3).transitions.round(12).tolist()
        [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]]
        """
        named = as_states(states)
        n = len(named)
        keep = 1.0 if n == 1 else PROBABILITY.take(stay, "stay", ChainError)
        matrix = np.full((n, n), (1 - keep) / max(n - 1, 1))
        np.fill_diagonal(matrix, keep)
        return cls(matrix, np.full(n, 1 / n) if start is None else start, named)

    @classmethod
    def binary(
        cls,
        stay_0: float,
        stay_1: float,
        start: ArrayLike | None = None,
        states: Iterable[Any] | None = None,
    ) -> MarkovChain:
        """Return a chain of two states.

        Parameters
        ----------
        stay_0, stay_1
            Probability of 0 after 0, and of 1 after 1.
        start
            Law of the first symbol, or the probability of 1; without it the stationary law.
        states
            Two labels; without it 0 and 1.

        Examples
        --------
        >>> MarkovChain.binary(0.9, 0.7, start=0.5).transitions.round(12).tolist()
        [[0.9, 0.1], [0.3, 0.7]]
        """
        stays = PROBABILITY.take(stay_0, "stay_0", ChainError), PROBABILITY.take(stay_1, "stay_1", ChainError)
        first = start
        if start is not None and not isinstance(start, list | tuple) and np.ndim(start) == 0:
            one = PROBABILITY.take(start, "start", ChainError)
            first = [1 - one, one]
        return cls([[stays[0], 1 - stays[0]], [1 - stays[1], stays[1]]], first, states)

    @classmethod
    def independent(cls, law: ArrayLike, states: Iterable[Any] | None = None) -> MarkovChain:
        """Return the chain whose symbols are independent and have one law.

        Examples
        --------
        >>> MarkovChain.independent([0.25, 0.75]).transitions.tolist()
        [[0.25, 0.75], [0.25, 0.75]]
        """
        n = len(law) if isinstance(law, list | tuple) else np.size(law) if np.ndim(law) == 1 else 1
        first = as_law(law, n, "law", "law")
        return cls(np.tile(first, (n, 1)), first, states)

    @classmethod
    def from_streams(
        cls,
        streams: Any,
        states: Iterable[Any] | None = None,
        order: int = 1,
        smoothing: str | float | None = None,
        absorbing: Iterable[Any] | None = None,
    ) -> MarkovChain:
        """Return the chain with the frequencies of streams, see `transition_counts`.

        Parameters
        ----------
        streams
            A `StreamData`, or lists of labels, one for each user.
        states
            Labels, where streams do not show them all or their order matters.
        order
            1 or 2.
        smoothing
            What is added to every count: ``"one per row"`` (1 / n, the default), ``"none"`` (0),
            ``"jeffreys"`` (1/2), ``"laplace"`` (1), or a number.
        absorbing
            States that are never left, such as a death; smoothing adds nothing to their transitions.

        Raises
        ------
        ChainError
            There is no such state, order or smoothing; or streams leave a state that is declared absorbing.

        Notes
        -----
        The guarantee of a mechanism holds for data from the chain. Fitting to the very streams that are then
        released lies outside it.

        A state that no stream leaves, or that ends every stream, has counts of 0 in its row: smoothing makes
        all states equally likely behind it, and so does no smoothing. What leaks about a stream then differs
        from what leaks where the state is never left, in either direction: declare it ``absorbing`` where it
        is.

        Examples
        --------
        >>> chain = MarkovChain.from_streams([[0, 1, 1, 0], [1, 1]], smoothing="none")
        >>> chain.transitions.round(4).tolist()
        [[0.0, 1.0], [0.3333, 0.6667]]
        """
        data = as_streams(streams, states)
        counted = counted_neighbours(data.codes, data.offsets, data.n, order)
        moves, start, early = smoothed_laws(*counted, smoothing)
        moves, early = absorbed(moves, early, counted[2], data.states, absorbing)
        return cls(moves, start, data.states, early)

    @classmethod
    def from_dataframe(
        cls,
        frame: Any,
        columns: Sequence[str] | None = None,
        weight: str | None = None,
        states: Iterable[Any] | None = None,
        smoothing: str | float | None = None,
        absorbing: Iterable[Any] | None = None,
        start: ArrayLike | None = None,
    ) -> MarkovChain:
        """Return the chain with the frequencies of a table of transitions.

        Parameters
        ----------
        frame
            One transition a row, or one kind of transitions a row with a column of counts: a data frame of
            any library, a lazy one, a dict of lists, or the path of files, see `count_table`. A crosstab of
            pandas has the states down and across.
        columns
            The column of states and that of the states that follow; without it the two that are there.
        weight
            Name of the column of counts or of other weights; without it every row counts once.
        states
            Labels, where the table does not show them all or their order matters.
        smoothing, absorbing
            As for `from_streams`.
        start
            Law of the first symbol; without it the stationary law, since a table of transitions has none.

        Raises
        ------
        DomainError
            A column does not exist, there are not two, or a state is none of those given.
        ChainError
            As for `from_streams`.

        Examples
        --------
        >>> table = {"today": ["dry", "dry", "wet"], "then": ["dry", "wet", "dry"], "days": [6, 2, 4]}
        >>> chain = MarkovChain.from_dataframe(table, weight="days", smoothing="none")
        >>> chain.states, chain.transitions.tolist()
        (('dry', 'wet'), [[0.75, 0.25], [1.0, 0.0]])
        """
        from pdp_widgets.models.tabulation import counted_pairs

        pairs, named = counted_pairs(frame, columns, weight, states)
        moves, _, _ = smoothed_laws(pairs.sum(), pairs.sum(axis=1), pairs, None, smoothing)
        moves, _ = absorbed(moves, None, pairs, named, absorbing)
        return cls(moves, start, named)

    @cached_property
    def stationary(self) -> Floats:
        """Law of a symbol in the long run.

        Raises
        ------
        ChainError
            There are several.
        """
        if self.order == 1:
            law = stationary_law(self._transitions)
        else:
            law = stationary_law(on_pairs(self._transitions)).reshape(self.n, self.n).sum(axis=0)
        law.flags.writeable = False
        return law

    @cached_property
    def second_eigenvalue(self) -> float:
        """Second largest modulus of an eigenvalue (second order: of the chain of pairs).

        0 for independent symbols, 1 where the start is never forgotten.
        """
        return second_eigenvalue(self._matrix)

    @property
    def _matrix(self) -> Floats:
        return self._transitions if self.order == 1 else on_pairs(self._transitions)

    def mixing_time(self, tolerance: float = 0.01) -> float:
        """Return after how many steps the law is near the stationary one, wherever the chain starts.

        Parameters
        ----------
        tolerance
            Largest total variation distance, more than 0 and less than 1.

        Returns
        -------
        float
            A whole number of steps; infinite where the start is never forgotten. A chain of second order is
            followed in pairs.

        Examples
        --------
        >>> MarkovChain.symmetric(0.9).mixing_time()
        18.0
        >>> MarkovChain.symmetric(0.0).mixing_time()
        inf
        """
        share = PROBABILITY.take(tolerance, "tolerance", ChainError)
        if not 0 < share < 1:
            raise ChainError(
                f"The tolerance is {shown(tolerance)}; it is more than 0 and less than 1.",
                Where("parameter", name="tolerance"),
            )
        try:
            law = stationary_law(self._matrix)
        except ChainError:
            return math.inf
        return mixing_time(self._matrix, law, share)

    @cached_property
    def backward(self) -> Floats:
        """Probabilities of the symbol before, in the long run: entry ``[i, j]`` is that of j before i.

        A symbol that does not occur in the long run has the stationary law as its row.

        Raises
        ------
        ChainError
            The chain is of second order (take that of `pairs`), or has several stationary laws.

        Examples
        --------
        >>> MarkovChain([[0.9, 0.1, 0], [0, 0.9, 0.1], [0.1, 0, 0.9]]).backward.round(12).tolist()
        [[0.9, 0.0, 0.1], [0.1, 0.9, 0.0], [0.0, 0.1, 0.9]]
        """
        if self.order == 2:
            raise ChainError("A chain of second order is reversed in pairs; take .pairs.backward.")
        law = self.stationary
        reversed_ = rows_of((law[:, None] * self._transitions).T)
        reversed_[law == 0] = law
        reversed_ /= reversed_.sum(axis=1, keepdims=True)
        reversed_.flags.writeable = False
        return reversed_

    @cached_property
    def pairs(self) -> MarkovChain:
        """The chain of first order whose symbols are two neighbours, labelled "i, j".

        Its step t is the pair of steps t and t + 1; the position of (i, j) is ``i * n + j``.

        Examples
        --------
        >>> MarkovChain.symmetric(0.8).pairs.states
        ('0, 0', '0, 1', '1, 0', '1, 1')
        """
        n = self.n
        if self.order == 1:
            second, moves = self._transitions, np.broadcast_to(self._transitions, (n, n, n))
        else:
            assert self._early is not None
            second, moves = self._early, self._transitions
        labels = [f"{a}, {b}" for a in self._states for b in self._states]
        named = labels if len(set(labels)) == len(labels) else None
        return MarkovChain(on_pairs(moves), (self._start[:, None] * second).ravel(), named)

    def laws(self, steps: int) -> Floats:
        """Return the law of each of the first symbols, shape (steps, n).

        Examples
        --------
        >>> MarkovChain.symmetric(0.8, start=[1, 0]).laws(3).round(12).tolist()
        [[1.0, 0.0], [0.8, 0.2], [0.68, 0.32]]
        """
        found = np.empty((as_count(steps, "steps", most=min(_MOST_WALKED, _MOST_DRAWN // self.n)), self.n))
        law, pair = self._start, None
        for step in range(len(found)):
            found[step] = law
            if self.order == 1:
                law = law @ self._transitions
            else:
                assert self._early is not None
                pair = (
                    law[:, None] * self._early
                    if pair is None
                    else np.einsum("ij,ijk->jk", pair, self._transitions)
                )
                law = pair.sum(axis=0)
            law = law / law.sum()
        return found

    def simulate(self, steps: int, users: int = 1, rng: np.random.Generator | int | None = None) -> Integers:
        """Return random streams as positions of symbols, shape (users, steps).

        Parameters
        ----------
        steps, users
            Length of every stream, and how many there are; 0 or more.
        rng
            Generator or seed; without it fresh randomness. One number is drawn for each symbol, all users of
            a step together.

        Raises
        ------
        ChainError
            A number is no whole number, 0 or more.
        LimitError
            The streams would take more than 0.5 GB, or one of them more than ten seconds.

        Examples
        --------
        >>> MarkovChain.symmetric(0.9).simulate(4, users=2, rng=3).tolist()
        [[0, 0, 0, 0], [0, 0, 0, 0]]
        """
        length, many = as_count(steps, "steps", most=_MOST_WALKED), as_count(users, "users", most=2**53)
        if length * many > _MOST_DRAWN:
            raise LimitError(
                f"{many:,} x {length:,} symbols, users times steps, are too many; at most "
                f"{_MOST_DRAWN:,} (0.5 GB) are drawn at once.",
                Where("parameter", name="users"),
            )
        generator = as_generator(rng)
        if not length or not many:
            return np.empty((many, length), dtype=np.int64)
        uniforms = generator.random((length, many))
        first = drawn(cumulated(self._start), uniforms[0])
        table = cumulated(self._transitions)
        if self.order == 1 or length == 1:
            return walked(first, table, uniforms[1:])
        assert self._early is not None
        second = drawn(cumulated(self._early)[first], uniforms[1])
        return walked(first, table, uniforms[2:], second=second)

    def joint(self, steps: int) -> JointDistribution:
        """Return the joint distribution of the first symbols, one tuple for each step.

        Parameters
        ----------
        steps
            One or more; the table has n to the power of steps cells, at most 1,048,576.

        Examples
        --------
        >>> joint = MarkovChain.symmetric(0.8).joint(3)
        >>> joint.names, round(joint.probability([0, 0, 1]), 12)
        (('step 1', 'step 2', 'step 3'), 0.08)
        """
        length = as_count(steps, "steps")
        if not length:
            raise ChainError(
                "There is no step; a joint distribution needs one.", Where("parameter", name="steps")
            )
        if length > 60 or length * math.log(max(self.n, 1)) > math.log(_MOST_CELLS) + 1e-9:
            raise LimitError(
                f"{shown(length)} steps of {self.n} symbols make more than {_MOST_CELLS:,} streams; "
                "take fewer steps.",
                Where("parameter", name="steps"),
            )
        table = self.start
        for step in range(1, length):
            if self.order == 1 or step == 1:
                table = table[..., None] * (self.transitions if self.early is None else self.early)
            else:
                table = table[..., None] * self.transitions
        return JointDistribution.normalised(
            table, [self.states] * length, [f"step {step}" for step in range(1, length + 1)]
        )

    def to_networkx(self) -> Any:
        """Return a ``networkx.DiGraph``: a node for each state, an edge for each transition that can happen.

        Nodes have ``start`` and, where there is one, ``stationary``; edges have ``probability``. A chain of
        second order has pairs of states as nodes, and ``start`` is then the law of the first two symbols.

        Examples
        --------
        >>> graph = MarkovChain([[0.75, 0.25], [0.0, 1.0]], states=["up", "down"]).to_networkx()
        >>> list(graph.edges(data="probability"))
        [('up', 'up', 0.75), ('up', 'down', 0.25), ('down', 'down', 1.0)]
        """
        import networkx as nx

        walk = self if self.order == 1 else self.pairs
        edges = int(np.count_nonzero(walk.transitions))
        if edges > _MOST_EDGES:
            raise LimitError(
                f"The chain has {edges:,} transitions that can happen; as networkx objects at most "
                f"{_MOST_EDGES:,} are given. Keep the most frequent states.",
                Where("parameter", name="chain"),
            )
        try:
            lasting = walk.stationary.tolist()
        except ChainError:
            # There are several.
            lasting = None
        pairs = [(before, last) for before in self.states for last in self.states]
        names = list(self.states) if self.order == 1 else pairs
        graph = nx.DiGraph(order=self.order)
        for position, state in enumerate(names):
            more = {} if lasting is None else {"stationary": lasting[position]}
            graph.add_node(state, start=float(walk.start[position]), **more)
        for before, after in np.argwhere(walk.transitions > 0).tolist():
            graph.add_edge(names[before], names[after], probability=float(walk.transitions[before, after]))
        return graph


def as_chain(value: Any) -> MarkovChain:
    """Return a chain as it is, or raise ChainError."""
    if not isinstance(value, MarkovChain):
        raise ChainError(
            with_reader(f"The chain is {shown(value)}; give a MarkovChain.", value),
            Where("parameter", name="chain"),
        )
    return value
