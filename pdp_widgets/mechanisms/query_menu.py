"""Queries that are picked by name: those that make sense for a distribution, under keys that stay."""

from __future__ import annotations

from dataclasses import dataclass

from pdp_widgets.errors import QueryError, Where
from pdp_widgets.mechanisms.label_conditions import distinct_labels
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import Label, shown

__all__ = ["QueryChoice", "queries_for", "query_by_key"]

#: With more labels than this, counts of single labels are too many to choose from.
MOST_COUNTED = 12
_COUNT = "count:"


@dataclass(frozen=True)
class QueryChoice:
    """A query with the key it is picked by.

    Parameters
    ----------
    key
        ``"sum"``, ``"mean"`` or ``"count:LABEL"``: the same for every distribution that has the labels.
    label
        Text for a menu.
    query
        The query.

    Examples
    --------
    >>> QueryChoice("sum", "Sum", LinearQuery([[0, 1], [0, 1]])).query.global_sensitivity
    1.0
    """

    key: str
    label: str
    query: LinearQuery


def _key(label: Label) -> str:
    """Return the key of a count: text as it is, unless it could be taken for something else."""
    if not isinstance(label, str):
        return f"{_COUNT}{shown(label)}"
    try:
        float(label)
        bare = False
    except ValueError:
        bare = label not in ("True", "False") and label[:1] not in ("'", '"')
    return f"{_COUNT}{label if bare else repr(label)}"


def _choice(key: str, query: LinearQuery) -> QueryChoice:
    return QueryChoice(key, f"{query.name[:1].upper()}{query.name[1:]}", query)


def queries_for(distribution: JointDistribution) -> tuple[QueryChoice, ...]:
    """Return the queries that are offered for a distribution by name.

    Sum and mean where the labels are numbers; the count of each label where there are at most 12 labels.

    Examples
    --------
    >>> [choice.key for choice in queries_for(JointDistribution([[0.5, 0], [0, 0.5]]))]
    ['sum', 'mean', 'count:0', 'count:1']
    >>> joint = JointDistribution([[0.5, 0], [0, 0.5]], [["no", "yes"]] * 2)
    >>> [choice.label for choice in queries_for(joint)]
    ['Count of no', 'Count of yes']
    """
    choices: list[QueryChoice] = []
    try:
        choices = [
            _choice("sum", LinearQuery.sum(distribution)),
            _choice("mean", LinearQuery.mean(distribution)),
        ]
    except QueryError:
        choices = []
    labels = distinct_labels(distribution)
    if len(labels) <= MOST_COUNTED:
        choices += [_choice(_key(label), LinearQuery.count(distribution, label)) for label in labels]
    return tuple(choices)


def query_by_key(distribution: JointDistribution, key: str) -> LinearQuery:
    """Return the query with a key of `queries_for`; the count of a label also where there are many.

    Raises
    ------
    QueryError
        There is no such query of the distribution, or its labels cannot be added.

    Examples
    --------
    >>> query_by_key(JointDistribution([[0.5, 0], [0, 0.5]]), "count:1").name
    'count of label 1'
    """
    if isinstance(key, str):
        if key == "sum":
            return LinearQuery.sum(distribution)
        if key == "mean":
            return LinearQuery.mean(distribution)
        if key.startswith(_COUNT):
            for domain in distribution.domains:
                for label in domain:
                    if _key(label) == key:
                        return LinearQuery.count(distribution, label)
    offered = [choice.key for choice in queries_for(distribution)] or [f"{_COUNT}{{label}}"]
    raise QueryError(
        f"The query is {shown(key)}; give {offered[0]!r}, a list of weights or a LinearQuery. "
        f"Queries of this table by name: {', '.join(offered)}.",
        Where("parameter", name="query"),
    )
