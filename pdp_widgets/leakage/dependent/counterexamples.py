"""Where a rule of the paper on dependent tuples fails: small examples, what is promised and what leaks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pdp_widgets.core.amounts import BUDGET
from pdp_widgets.core.chart import nats
from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.dependent import counterexample_cases as cases
from pdp_widgets.leakage.dependent.known_tuples import tuple_leakage
from pdp_widgets.leakage.number_table import Numbers, NumberTable, epsilon_words
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.models.amount import at_most
from pdp_widgets.models.labels import shown
from pdp_widgets.models.sparse_joint import SparseJoint

_PAPER = "Liu, Chakraborty and Mittal"


@dataclass(frozen=True)
class Counterexample:
    r"""One example in which a rule of the paper does not hold.

    Parameters
    ----------
    key
        By which `counterexample` finds it.
    title
        A few words.
    place
        Where the paper states the rule.
    rule
        The rule, in one sentence.
    what
        What happens, in one sentence.
    joint
        How the tuples depend on each other.
    queries, scales
        The releases: one or several queries, each with the scale of its noise; 0 where there is none.
    promised
        What the rule promises.
    leaks
        What leaks, exactly.

    Examples
    --------
    >>> found = counterexample("xor")
    >>> print(found.promised, found.leaks, sep="\n")
    1 nat (as printed): x1, knowing none
    1.43378 nats (exact): x1, knowing none
    >>> found.place, found.scales
    ('Theorem 9', (1.0,))
    """

    key: str
    title: str
    place: str
    rule: str
    what: str
    joint: SparseJoint
    queries: tuple[Any, ...]
    scales: tuple[float, ...]
    promised: Leakage
    leaks: Leakage

    @property
    def fails(self) -> bool:
        """Whether more leaks than is promised."""
        return bool(float(self.leaks) > at_most(float(self.promised)))

    def __str__(self) -> str:
        return f"{self.title}: {nats(float(self.promised))} promised, {self.leaks}"


@dataclass(frozen=True)
class Counterexamples(NumberTable):
    """All examples in which a rule of the paper does not hold.

    Parameters
    ----------
    epsilon
        The promise in nats that scales are made for.
    examples
        One for each rule.

    Examples
    --------
    >>> found = counterexamples(1.0)
    >>> all(one.fails for one in found.examples)
    True
    >>> found["parallel"].title
    'Queries about different tuples'
    """

    epsilon: float
    examples: tuple[Counterexample, ...]

    def __getitem__(self, key: str) -> Counterexample:
        return self.examples[_place([one.key for one in self.examples], key)]

    def __len__(self) -> int:
        return len(self.examples)

    def _numbers(self) -> Numbers:
        return Numbers(
            {
                "key": [one.key for one in self.examples],
                "example": [one.title for one in self.examples],
                "place": [one.place for one in self.examples],
                "promised": [float(one.promised) for one in self.examples],
                "leaks": [float(one.leaks) for one in self.examples],
                "about": [one.leaks.about.target for one in self.examples],
                "rule": [one.rule for one in self.examples],
                "what": [one.what for one in self.examples],
            },
            {"example": "text", "place": "text", "promised": "nats", "leaks": "nats"},
            {
                "unit": "nats",
                "source": _PAPER,
                "status": {"promised": "as printed", "leaks": "exact"},
                "epsilon": self.epsilon,
            },
            (epsilon_words(self.epsilon),),
        )


#: What is said of each example, by key: title, place in the paper, rule, and what happens.
COUNTEREXAMPLES: dict[str, tuple[str, str, str, str]] = {
    "xor": (
        "Three bits, one the XOR of the others",
        "Theorem 9",
        "Noise by the coefficients of pairs keeps the promise, for any data.",
        "All pairs are independent, every coefficient is 0, and the three bits together tell of each other.",
    ),
    "simplex": (
        "Seven bits of a simplex code",
        "Theorem 9",
        "Noise by the coefficients of pairs keeps the promise, for any data.",
        "All pairs are independent; with more bits the leakage grows without end.",
    ),
    "neighbours": (
        "Five bits in a chain, coefficients of neighbours",
        "Section VI-A",
        "It is enough to add up the tuples that a tuple is joined to.",
        "Those further on depend on it too, through the ones between.",
    ),
    "block_size": (
        "Five bits in a chain, as blocks of three",
        "Section III",
        "A tuple that is joined to two others is in a block of three.",
        "Blocks that are independent of each other have five here: all that are joined by others.",
    ),
    "table": (
        "Two numbers, counted above a threshold",
        "Theorem 9",
        "Noise by the coefficients of pairs keeps the promise, for any query.",
        "Small changes of the numbers, which coefficients weigh little, turn the answer over.",
    ),
    "table_eq18": (
        "Two numbers, counted above a threshold, larger coefficients",
        "Theorem 9 with Eq. 18",
        "Noise by the bound on the coefficients keeps the promise, for any query.",
        "The bound is one for queries that are linear; this one is not.",
    ),
    "one_shot": (
        "Two bits that agree nine times out of ten",
        "Eq. 25",
        "The noise follows from the coefficient at the noise without dependence.",
        "The coefficient is larger at the larger noise: the equation has to be solved.",
    ),
    "example_1": (
        "Half of one number in another",
        "Example 1",
        "The sensitivity of the sum under dependence is 1.5.",
        "It is, of the first number; of the second it is 2, as for two copies.",
    ),
    "sequential": (
        "A hundred equal questions",
        "Theorem 3",
        "What several releases leak together is at most the sum of what each leaks.",
        "Each answer says little of a rare value alone; together they point at it.",
    ),
    "pads": (
        "Two sums modulo 3",
        "Theorem 3",
        "What several releases leak together is at most the sum of what each leaks.",
        "Each sum says nothing of either number; both together tell them.",
    ),
    "parallel": (
        "Queries about different tuples",
        "Theorem 4",
        "Queries about different tuples leak together what the largest of them leaks.",
        "Two equal bits, one query on each: both are about the same bit.",
    ),
    "mod_three": (
        "A sum modulo 3 without noise",
        "Section V",
        "For independent tuples dependent privacy is differential privacy.",
        "The sum says nothing of either number, and everything to an adversary who knows the other one.",
    ),
    "friends": (
        "Five friends in a row",
        "Eq. 23 and 26",
        "It is enough to add up the friends of a user.",
        "Friends of friends depend on the user too.",
    ),
    "uniform_places": (
        "Two friends, all places alike",
        "Eq. 26",
        "The law of a friend's place is the same in both directions.",
        "It is so for one law of the places; for another one, one direction tells more.",
    ),
    "correlation": (
        "A number and its distance from 0",
        "Comparison with Zhu et al.",
        "Noise by correlations covers the dependence of tuples.",
        "The correlation is 0, and the distance tells the number but for its sign.",
    ),
    "information": (
        "Twenty copies of a bit, on average",
        "Theorem 2",
        "What is learnt on average is at most the promise, a tenth of the given one here.",
        "Plain noise hides one copy; the answer adds up twenty.",
    ),
}

_MADE: dict[str, Callable[[float], cases.Case]] = {
    "xor": cases.xor,
    "simplex": cases.simplex,
    "neighbours": cases.neighbours,
    "block_size": cases.block_size,
    "table": cases.table,
    "table_eq18": cases.table_eq18,
    "one_shot": cases.one_shot,
    "example_1": cases.example_1,
    "sequential": cases.sequential,
    "pads": cases.pads,
    "parallel": cases.parallel,
    "mod_three": cases.modulo,
    "friends": cases.friends,
    "uniform_places": cases.uniform_places,
    "correlation": cases.correlation,
    "information": cases.information,
}


def counterexample(key: str, epsilon: float = 1.0) -> Counterexample:
    """Return one example in which a rule of the paper does not hold.

    Parameters
    ----------
    key
        One of ``COUNTEREXAMPLES``.
    epsilon
        The promise in nats that scales are made for, positive and finite.

    Raises
    ------
    DomainError
        There is no such example.

    Examples
    --------
    >>> print(counterexample("sequential"))
    A hundred equal questions: 10.1062 nats promised, 15.4092 nats (exact): x2, knowing none
    >>> counterexample("xor", 0.5).fails
    True
    """
    names = list(COUNTEREXAMPLES)
    name, budget = names[_place(names, key)], BUDGET.take(epsilon, "epsilon")
    title, place, rule, what = COUNTEREXAMPLES[name]
    made = _MADE[name](budget)
    promised = tuple_leakage(
        made.promised,
        made.leaks.about.target,
        status="as printed",
        source=f"{_PAPER}, {place}",
    )
    return Counterexample(
        name, title, place, rule, what, made.joint, made.queries, made.scales, promised, made.leaks
    )


def counterexamples(epsilon: float = 1.0) -> Counterexamples:
    """Return all examples in which a rule of the paper does not hold.

    Parameters
    ----------
    epsilon
        The promise in nats that scales are made for, positive and finite.

    Examples
    --------
    >>> frame = counterexamples(1.0).to_dataframe()
    >>> frame.set_index("key").loc[["table", "parallel"], ["promised", "leaks"]].round(4).values.tolist()
    [[1.0, 1.7869], [1.0, 2.0]]
    """
    budget = BUDGET.take(epsilon, "epsilon")
    return Counterexamples(budget, tuple(counterexample(key, budget) for key in COUNTEREXAMPLES))


def _place(names: list[str], key: Any) -> int:
    if not isinstance(key, str) or key not in names:
        raise DomainError(
            f"There is no example {shown(key)}; there are {', '.join(names)}.", Where("parameter", name="key")
        )
    return names.index(key)
