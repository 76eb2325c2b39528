"""The query of an explorer: by name, by weights, given; from Python and from the browser."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from pdp_widgets import (
    JointDistribution,
    LaplaceMechanism,
    LinearQuery,
    PriorAnalysis,
    PriorExplorer,
    QueryError,
    titanic,
)

from .conftest import Ask


def fresh(explorer: PriorExplorer, query: LinearQuery) -> PriorAnalysis:
    return PriorAnalysis(explorer.value, LaplaceMechanism(query, explorer.scale), explorer.instance)


def keys(explorer: PriorExplorer) -> list[str]:
    return [choice["key"] for choice in explorer._view["query"]["choices"]]


def test_it_is_picked_by_name_in_the_browser(joint: JointDistribution, ask: Ask) -> None:
    explorer = PriorExplorer(joint)
    assert explorer._view["query"]["key"] == "sum"
    assert {"sum", "mean", "count:1", "weights"} <= set(keys(explorer))
    seen: list[LinearQuery] = []
    explorer.observe(lambda change: seen.append(change["new"]), "query")
    ask(explorer, query="mean", weights=[1, 1, 1])
    assert explorer.query == LinearQuery.mean(joint)
    assert explorer.results == fresh(explorer, LinearQuery.mean(joint))
    assert seen == [explorer.query]
    assert explorer.results.promise == pytest.approx(1 / 3)
    assert explorer._view["query"]["key"] == "mean"


def test_weights_are_one_for_each_tuple_and_may_be_negative(joint: JointDistribution, ask: Ask) -> None:
    explorer = PriorExplorer(joint)
    ask(explorer, query="weights", weights=[1, -2.5, 0])
    query = LinearQuery.weighted(joint, [1, -2.5, 0])
    assert explorer.results == fresh(explorer, query)
    assert explorer.results.promise == 2.5
    # Back and forth: the weights are where they were.
    ask(explorer, query="sum")
    assert explorer.results.promise == 1
    assert explorer._view["query"]["weights"] == [1, -2.5, 0]
    ask(explorer, query="weights")
    assert explorer.query == query


def test_all_weights_zero_leak_nothing(joint: JointDistribution, ask: Ask) -> None:
    explorer = PriorExplorer(joint)
    ask(explorer, query="weights", weights=[0, 0, 0])
    assert explorer.error is None
    assert explorer.results.promise == 0
    assert not explorer.results.exact.any()


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        ({"query": "weights", "weights": ["NaN", 1, 1]}, "The weight of Ann is nan"),
        ({"query": "weights", "weights": [1, 1, "Infinity"]}, "The weight of Cy is inf"),
        ({"query": "weights", "weights": [1, None, 1]}, "The weight of Bob is nan"),
        ({"query": "weights", "weights": [1, 1]}, "sent something for 'weights'"),
        ({"query": "weights", "weights": "1 1 1"}, "sent something for 'weights'"),
        ({"query": 7}, "sent something for 'query'"),
        ({"query": "median"}, "median"),
        ({"query": "given"}, "given"),
    ],
)
def test_a_wrong_query_from_the_browser_is_named_and_the_last_results_stay(
    joint: JointDistribution, ask: Ask, sent: dict[str, Any], text: str
) -> None:
    explorer = PriorExplorer(joint)
    before = explorer.results
    ask(explorer, **sent)
    assert text in explorer.error
    assert explorer.results is before
    assert explorer.query == LinearQuery.sum(joint)
    # An edit of something else acts on the last good query, and the next good query clears the message.
    ask(explorer, scale=2.0)
    assert explorer.results == fresh(explorer, LinearQuery.sum(joint))
    ask(explorer, query="sum", weights=[1, 1, 1])
    assert explorer.error is None
    assert explorer.current


def test_python_takes_a_name_weights_or_a_query(joint: JointDistribution) -> None:
    explorer = PriorExplorer(joint, query="mean")
    assert explorer.query == LinearQuery.mean(joint)
    explorer.query = [1, 0, -2]
    assert explorer.query == LinearQuery.weighted(joint, [1, 0, -2])
    assert explorer._view["query"]["key"] == "weights"
    score = LinearQuery([[0, 1], [0, 1], [0, 3]], name="score")
    explorer.query = score
    assert explorer.results == fresh(explorer, score)
    assert (explorer._view["query"]["key"], keys(explorer)[-1]) == ("given", "given")
    # A query that the menu has too is found in it.
    explorer.query = LinearQuery.sum(joint)
    assert explorer._view["query"]["key"] == "sum"
    assert "given" not in keys(explorer)


def test_a_given_query_stays_in_the_menu(joint: JointDistribution, ask: Ask) -> None:
    score = LinearQuery([[0, 1], [0, 1], [0, 3]], name="score")
    explorer = PriorExplorer(joint, score)
    ask(explorer, query="sum")
    assert explorer.query == LinearQuery.sum(joint)
    ask(explorer, query="given")
    assert explorer.query == score
    assert explorer.error is None


@pytest.mark.parametrize("wrong", ["median", "", [1, 2], [1, math.nan, 1], 5, None, {"Ann": 1}])
def test_a_wrong_query_from_python_raises_and_changes_nothing(joint: JointDistribution, wrong: Any) -> None:
    explorer = PriorExplorer(joint)
    before, revision = explorer.results, explorer._view["revision"]
    with pytest.raises(QueryError):
        explorer.query = wrong
    assert explorer.results is before
    assert (explorer.error, explorer._view["revision"]) == (None, revision)
    # A new explorer without a query has one that suits its table.
    if wrong is not None:
        with pytest.raises(QueryError):
            PriorExplorer(joint, query=wrong)


def test_labels_of_text_offer_counts_and_no_weights(ask: Ask) -> None:
    words = JointDistribution(np.full((2, 2), 0.25), [["no", "yes"]] * 2, ["Ann", "Bob"])
    explorer = PriorExplorer(words, query="count:yes")
    assert "count:yes" in keys(explorer)
    assert not {"sum", "weights"} & set(keys(explorer))
    before = explorer.results
    ask(explorer, query="weights", weights=[1, 1])
    assert "is text and cannot be added" in explorer.error
    assert explorer.results is before


def test_another_table_keeps_the_choice_where_it_has_it(joint: JointDistribution) -> None:
    explorer = PriorExplorer(joint, query="mean")
    pair = JointDistribution([[0.3, 0.2], [0.2, 0.3]], names=["p", "q"])
    explorer.value = pair
    assert explorer.query == LinearQuery.mean(pair)
    assert explorer._view["query"]["weights"] == [1, 1]
    explorer.query = [1, 2]
    with pytest.raises(QueryError, match="2 weights for 3 tuples"):
        explorer.value = joint
    assert explorer.value == pair


def test_the_menu_of_many_labels_stays_small() -> None:
    many = JointDistribution(np.full(1000, 1e-3), [list(range(1000))], ["x"])
    explorer = PriorExplorer(many)
    assert len(keys(explorer)) <= 42
    explorer.query = "count:999"
    assert explorer._view["query"]["key"] == "count:999"
    assert "count:999" in keys(explorer)


def test_labels_that_are_text_are_counted_without_being_asked():
    explorer = PriorExplorer(titanic())
    assert explorer.query.name == "count of yes"
    answers = JointDistribution.from_dataframe({"a": ["yes", "no", "yes"], "b": ["yes", "yes", "no"]})
    explorer = PriorExplorer(answers, noun="answer")
    assert [values.tolist() for values in explorer.query.contributions] == [[0, 1], [0, 1]]
    release = explorer._core.release
    assert (release.key, release.state(answers, "answer")["text"]) == (
        "count:yes",
        "Count of yes among 2 answers",
    )
    # Another table has a default of its own.
    explorer.value = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    assert explorer.query.name == "sum"
    explorer.value = titanic()
    assert explorer.query.name == "count of yes"
    for asked in ("sum", "mean"):
        with pytest.raises(QueryError, match='query="count:yes"'):
            PriorExplorer(titanic(), asked)


def test_a_table_of_few_records_is_shown_with_a_caution():
    sparse = JointDistribution.from_counts([[1, 0], [1, 1]])
    for table, caution in ((sparse, sparse.caution), (JointDistribution.from_counts([[3, 2], [2, 3]]), "")):
        assert PriorExplorer(table)._view["caution"] == caution
