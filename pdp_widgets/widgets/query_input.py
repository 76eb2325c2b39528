"""The query of an explorer: a sum, a mean, one weight or contribution for each tuple, a histogram."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pdp_widgets.errors import PdpError, QueryError, Where
from pdp_widgets.mechanisms.histogram_query import HistogramQuery
from pdp_widgets.mechanisms.label_conditions import distinct_labels
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.mechanisms.query_menu import MOST_COUNTED, QueryChoice, queries_for, query_by_key
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import is_text, shown
from pdp_widgets.widgets.covariance_edits import as_weights
from pdp_widgets.widgets.wire import label_texts, sent_choice, sent_numbers, sent_text

#: Keys beside those of `queries_for`: one weight for each tuple, a histogram with a bin for each label, and a
#: query that was given from Python.
WEIGHTS, HISTOGRAM, GIVEN = "weights", "histogram", "given"
#: What travels with every view is kept short: a query with a longer key is shown as a given one.
_LONGEST_KEY = 100


class QueryInput:
    """The query that is asked for, and the last one that made sense."""

    def __init__(self, asked: Any, distribution: JointDistribution) -> None:
        self.take(default_query(distribution) if asked is None else asked, distribution)
        #: Nobody said what is released: another table has a default of its own.
        self.unasked = asked is None

    def take(self, asked: Any, distribution: JointDistribution) -> None:
        """Take a query from Python; a wrong one raises and changes nothing."""
        query = as_query(asked, distribution)
        choices = [choice for choice in queries_for(distribution) if len(choice.key) <= _LONGEST_KEY]
        ones = (1.0,) * distribution.n_tuples
        weights = getattr(self, "weights", ones)
        if isinstance(asked, LinearQuery):
            key = next((choice.key for choice in choices if choice.query == asked), GIVEN)
        elif isinstance(asked, HistogramQuery):
            key = HISTOGRAM if asked == HistogramQuery.of_labels(distribution) else GIVEN
        elif isinstance(asked, str):
            key = asked if len(asked) <= _LONGEST_KEY else GIVEN
        else:
            # Kept as plain numbers: an array is neither equal nor unequal to another.
            key = WEIGHTS
            asked = weights = tuple(float(w) for w in asked)
        self.asked, self.query, self.key = asked, query, key
        self.unasked = False
        self.given = query if key == GIVEN else None
        self.weights = weights if len(weights) == len(ones) else ones
        self.menu = self._menu(choices, distribution)
        self.fault: PdpError | None = None

    def _menu(self, choices: list[QueryChoice], distribution: JointDistribution) -> list[dict[str, str]]:
        menu = [(choice.key, choice.label) for choice in choices] + _weighted(distribution)
        if len(distinct_labels(distribution)) <= MOST_COUNTED:
            menu.append((HISTOGRAM, "Whole histogram"))
        if self.given is not None:
            name = self.given.name
            menu.append((GIVEN, f"{name[:1].upper()}{name[1:]} (given)"))
        labels = label_texts((label for _, label in menu), budget=6_000)
        return [{"key": key, "label": label} for (key, _), label in zip(menu, labels, strict=True)]

    @property
    def offers_histogram(self) -> bool:
        """Whether the menu has a histogram of all labels."""
        return any(choice["key"] == HISTOGRAM for choice in self.menu)

    def again(self, distribution: JointDistribution) -> QueryInput:
        """Return the same choice for another table."""
        made = copy.copy(self)
        made.take(default_query(distribution) if self.unasked else self.asked, distribution)
        made.unasked = self.unasked
        return made

    def ask(self, request: Mapping[str, Any], distribution: JointDistribution) -> None:
        """Take what the hand set in a browser; what is wrong becomes the fault, the last query stays."""
        key = sent_text(request, "query", self.key)
        weights = tuple(sent_numbers(request, "weights", distribution.n_tuples, self.weights))
        if key == self.key and weights == self.weights:
            return
        self.key, self.weights = key, weights
        asked: Any = self.given if key == GIVEN and self.given is not None else key
        if key == WEIGHTS:
            asked = weights
        try:
            self.query = as_query(asked, distribution)
        except PdpError as fault:
            self.fault = fault
        else:
            self.asked, self.fault, self.unasked = asked, None, False

    def state(self, distribution: JointDistribution, noun: str) -> dict[str, Any]:
        """Return what the browser shows of the query."""
        menu = self.menu
        if all(choice["key"] != self.key for choice in menu):
            menu = [*menu, {"key": self.key, "label": self.key}]
        return {
            "subject": label_texts([f"A noisy {self.query.name}"])[0],
            "text": label_texts([query_text(self.query, distribution, noun)])[0],
            "noun": noun,
            "key": self.key,
            "choices": menu,
            "weights": self.weights,
        }


def _weighted(distribution: JointDistribution) -> list[tuple[str, str]]:
    """Return the choice of weights where the labels can be added."""
    try:
        LinearQuery.sum(distribution)
    except QueryError:
        return []
    return [(WEIGHTS, "Weighted sum")]


def default_query(distribution: JointDistribution) -> str | LinearQuery:
    """Return what is released when nothing is said: the sum or, of text, the count of one label."""
    # It is the label that most tuples have, among equals the last one: of no and yes it is yes.
    try:
        LinearQuery.sum(distribution)
    except QueryError:
        pass
    else:
        return "sum"
    labels = distinct_labels(distribution)
    label = max(reversed(labels), key=lambda one: sum(one in domain for domain in distribution.domains))
    query = LinearQuery.count(distribution, label)
    return next((choice.key for choice in queries_for(distribution) if choice.query == query), query)


def as_query(query: Any, distribution: JointDistribution) -> LinearQuery | HistogramQuery:
    """Return the query that a keyword stands for."""
    if isinstance(query, LinearQuery | HistogramQuery):
        query.check_fits(distribution)
        return query
    if isinstance(query, str) and query == HISTOGRAM:
        return HistogramQuery.of_labels(distribution)
    if isinstance(query, str):
        try:
            return query_by_key(distribution, query)
        except QueryError as fault:
            other = default_query(distribution)
            if query not in ("sum", "mean") or not isinstance(other, str) or other == "sum":
                raise
            raise QueryError(
                f'{fault} Of labels that are text, count one: query="{other}".', fault.where
            ) from None
    if not isinstance(query, Iterable):
        raise QueryError(
            f"The query is {shown(query)}; give 'sum', a list of weights or a LinearQuery.",
            Where("parameter", name="query"),
        )
    return LinearQuery.weighted(distribution, query)  # type: ignore[arg-type]


def query_text(
    query: LinearQuery | HistogramQuery, distribution: JointDistribution, noun: str = "tuple"
) -> str:
    """Return one line on what a query adds up."""
    n = distribution.n_tuples
    tuples = f"{n} {noun if n == 1 else _plural(noun)}"
    if isinstance(query, HistogramQuery):
        return f"{len(query)} counts among {tuples}, each with noise of its own"
    among = "among" if query.name.startswith("count") else "of"
    return f"{query.name[:1].upper()}{query.name[1:]} {among} {tuples}"


def _plural(noun: str) -> str:
    """Return the plural of a noun by the rules of spelling."""
    if noun == "person":
        return "people"
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


#: Keys of the menu, with what is released in words.
QUERIES = {"sum": "sum", "mean": "mean", "weights": "weighted sum"}


def named_weights(key: str, n: int) -> tuple[float, ...]:
    """Return the weights of a query with a name of its own; a weighted sum starts as the sum."""
    return (1 / n if key == "mean" else 1.0,) * n


def key_of(weights: Sequence[float]) -> str:
    """Return what weights are called."""
    given = tuple(weights)
    return next((key for key in ("sum", "mean") if named_weights(key, len(given)) == given), "weights")


def chosen_query(query: Any, weights: Any, n: int) -> tuple[str, tuple[float, ...]]:
    """Return key and weights of a query given in Python; both, either or neither may be None."""
    if query is not None and not (is_text(query) and query in QUERIES):
        raise QueryError(
            f"The query is {shown(query)}; give 'sum', 'mean', or 'weights' with one weight for each tuple.",
            Where("parameter", name="query"),
        )
    given = as_weights(weights, n)
    if given is None:
        key = "sum" if query is None else str(query)
        return key, named_weights(key, n)
    numbers = tuple(given.tolist())
    if query is None:
        return key_of(numbers), numbers
    if query != "weights" and named_weights(query, n) != numbers:
        raise QueryError(
            f"The query is {shown(query)} and there are other weights; give one of the two.",
            Where("parameter", name="query"),
        )
    return str(query), numbers


def sent_query(request: Mapping[str, Any], key: str, weights: Sequence[float], edited: bool) -> str:
    """Return the key after a request of the browser."""
    asked = sent_choice(request, "query", key, tuple(QUERIES))
    if not edited:
        return asked
    named = "query" in request and asked != "weights" and named_weights(asked, len(weights)) == tuple(weights)
    return asked if named else "weights"
