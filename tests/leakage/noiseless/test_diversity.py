"""l-diversity and t-closeness: against their definitions, class by class."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets.errors import BudgetError, DomainError, TableError
from pdp_widgets.leakage.noiseless.syntactic_measures import l_diversity, t_closeness
from pdp_widgets.mechanisms.anonymity.equivalence_classes import EquivalenceClasses, anonymise
from pdp_widgets.models.microdata import Microdata
from pdp_widgets.models.surveys import clinic


@st.composite
def classes_with_secrets(draw):
    groups = draw(st.lists(st.integers(1, 6), min_size=1, max_size=6))
    n = sum(groups)
    secrets = draw(st.lists(st.one_of(st.none(), st.integers(0, 5)), min_size=n, max_size=n))
    if not any(one is not None for one in secrets):
        secrets[0] = 3
    ends = np.cumsum(groups)
    listed = [list(range(end - size, end)) for end, size in zip(ends, groups, strict=True)]
    return listed, secrets


def shares(values, support):
    found = np.array([values.count(one) for one in support], dtype=float)
    return found / found.sum()


@given(classes_with_secrets(), st.booleans())
def test_every_class_has_the_diversity_and_distance_of_its_definition(given_, ordered):
    groups, secrets = given_
    words = [None if one is None else "abcdef"[one] for one in secrets]
    secret = secrets if ordered else words
    data = Microdata({"age": list(range(len(secrets))), "secret": secret})
    classes = EquivalenceClasses(data, "age", 1, groups)
    known = [one for one in secrets if one is not None]
    support = sorted(set(known))
    if not ordered:
        support = list(dict.fromkeys(known))
    whole = shares(known, support)
    distinct = l_diversity(classes, "secret").by_class
    entropy = l_diversity(classes, "secret", "entropy").by_class
    distance = t_closeness(classes, "secret").by_class
    for place, group in enumerate(classes.groups):
        own = [secrets[row] for row in group if secrets[row] is not None]
        if not own:
            assert np.isnan([distinct[place], entropy[place], distance[place]]).all()
            continue
        law = shares(own, support)
        assert distinct[place] == len(set(own))
        positive = law[law > 0]
        assert entropy[place] == pytest.approx(np.exp(-(positive * np.log(positive)).sum()))
        if ordered:
            steps = max(len(support) - 1, 1)
            expected = np.abs(np.cumsum(law - whole))[:-1].sum() / steps
        else:
            expected = np.abs(law - whole).sum() / 2
        assert distance[place] == pytest.approx(expected, abs=1e-12)


def test_a_declared_order_counts_steps_and_a_found_one_does_not():
    answers = ["low", "high", "middle", "high"]
    order = ["low", "middle", "high"]
    declared = {"age": [1, 2, 3, 4], "pain": pd.Categorical(answers, order, ordered=True)}
    groups = [[0, 2], [1, 3]]
    with_order = t_closeness(EquivalenceClasses(declared, "age", 2, groups), "pain")
    without = t_closeness(EquivalenceClasses({**declared, "pain": answers}, "age", 2, groups), "pain")
    assert with_order.ordered
    assert not without.ordered
    # |1/2 - 1/4| + |1 - 1/2| over two steps; half of 1/4 + 1/4 + 1/2.
    assert with_order.by_class.tolist() == [0.375, 0.375]
    assert without.by_class.tolist() == [0.5, 0.5]


def test_large_data_need_no_table_of_classes_and_values():
    rng = np.random.default_rng(2)
    data = {"age": rng.integers(0, 10_000, 20_000), "income": np.arange(20_000)}
    classes = anonymise(data, "age", 5)
    assert l_diversity(classes, "income").least >= 5
    assert 0 < t_closeness(classes, "income").largest < 1


def test_the_clinic_has_eight_classes_with_one_secret():
    classes = anonymise(clinic(), ["age", "weight"], 5)
    found = l_diversity(classes, "diabetes")
    assert (found.least, found.single) == (1.0, 8)
    counts = classes.secret_counts("diabetes")
    far = np.abs(counts[:, 1] / counts.sum(axis=1) - 0.1)
    assert t_closeness(classes, "diabetes").by_class.tolist() == pytest.approx(far.tolist())


def test_results_are_values():
    classes = anonymise({"age": [1, 2, 3, 4], "ill": ["no", None, "yes", "no"]}, "age", 1)
    for found in (l_diversity(classes, "ill"), t_closeness(classes, "ill")):
        again = pickle.loads(pickle.dumps(found))
        assert again == found
        assert hash(again) == hash(found)
        assert len(found.to_dataframe()) == 3
        assert "nan" not in found.to_latex()
        with pytest.raises(ValueError, match="read-only"):
            again.by_class[0] = 3


def test_wrong_input_is_named():
    classes = anonymise({"age": [1, 2], "ill": ["no", "yes"]}, "age", 1)
    with pytest.raises(DomainError, match="no column pain"):
        l_diversity(classes, "pain")
    with pytest.raises(BudgetError, match="kind is 'recursive'"):
        l_diversity(classes, "ill", "recursive")
    gone = anonymise({"age": [1, None, 2], "ill": [None, "yes", None]}, "age", 1)
    with pytest.raises(TableError, match="No published record has a value of ill"):
        t_closeness(gone, "ill")


@pytest.mark.parametrize("measure", [l_diversity, t_closeness])
@pytest.mark.parametrize("given_", [None, clinic(), [[0, 1]], "classes"])
def test_what_are_no_classes_is_named(measure, given_):
    with pytest.raises(DomainError, match="give EquivalenceClasses"):
        measure(given_, "diabetes")
