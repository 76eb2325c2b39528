"""Every function of local privacy takes the same data and mechanisms, and refuses others alike."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

import pdp_widgets as pdp
from pdp_widgets.errors import BudgetError, DomainError, TableError
from pdp_widgets.local import (
    association,
    calibrate_budget,
    compare_utility,
    comparison_plane,
    joint_privacy_loss,
    leakage_curve,
    pair_interval,
    simulated_leakage,
    statistical_leakage,
    surrogate_test,
)

RECORDS = pdp.AttributeTable.from_counts(pdp.titanic())
CODES = np.array(RECORDS.codes)
FRAME = RECORDS.to_dataframe()
DATA = {
    "joint": pdp.titanic(),
    "records": RECORDS,
    "pandas": FRAME,
    "polars": pl.from_pandas(FRAME),
    "arrow": pl.from_pandas(FRAME).to_arrow(),
    "dict": FRAME.to_dict("list"),
}
PAIR = {"secret": "survived", "source": "class"}

#: Of one secret and one source: what is asked, with the data and the rest.
OF_TWO = {
    "pair_leakage": lambda data, **rest: pdp.pair_leakage(data, "GRR", epsilon=1.0, **rest).value,
    "leakage_curve": lambda data, **rest: leakage_curve(data, "GRR", [1.0], **rest).values[0],
    "simulated_leakage": lambda data, **rest: float(
        simulated_leakage(data, "GRR", epsilon=1.0, rng=1, **rest).closed_form
    ),
    "surrogate_test": lambda data, **rest: float(
        surrogate_test(data, "GRR", epsilon=1.0, surrogates=9, rng=1, **rest).leakage
    ),
    "pair_interval": lambda data, **rest: float(
        pair_interval(data, "GRR", epsilon=1.0, draws=20, rng=1, **rest)
    ),
    "statistical_leakage": lambda data, **rest: float(statistical_leakage(data, **rest)),
    "association": lambda data, **rest: association(data, **rest).mutual_information,
}
#: Of all attributes.
OF_ALL = {
    "LocalAnalysis": lambda data: pdp.LocalAnalysis(data, "GRR", 1.0).total,
    "joint_privacy_loss": lambda data: float(joint_privacy_loss(data, 0, "GRR", epsilon=1.0).exact),
    "compare_utility": lambda data: compare_utility(data, 1.0, "GRR").points[0].total,
    "comparison_plane": lambda data: comparison_plane(data, 1.0).reference.sum(),
    "calibrate_budget": lambda data: calibrate_budget(data, 1.0, "GRR").epsilon,
}


def _ordered(value):
    """The order of labels of a frame is its own; leakages do not depend on it."""
    return pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("ask", OF_TWO)
def test_one_pair_of_any_data(ask, data):
    wanted = OF_TWO[ask](pdp.titanic().marginal(["survived", "class"]))
    assert wanted > 0
    assert OF_TWO[ask](DATA[data], **PAIR) == _ordered(wanted)
    assert OF_TWO[ask](DATA[data], names=["survived", "class"]) == _ordered(wanted)
    places = [list(DATA["records"].names).index(name) for name in ("survived", "class")]
    assert OF_TWO[ask](DATA[data], secret=places[0], source=places[1]) == _ordered(wanted)


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("ask", OF_ALL)
def test_all_attributes_of_any_data(ask, data):
    assert OF_ALL[ask](DATA[data]) == _ordered(OF_ALL[ask](pdp.titanic()))


@pytest.mark.parametrize("ask", [*OF_TWO, *OF_ALL])
def test_other_data_are_refused_with_what_is_accepted(ask):
    for wrong in ("titanic.csv", object(), None, 5.0 + 2j):
        with pytest.raises(
            (TableError, DomainError), match=r"give records \(AttributeTable or a data frame\), a"
        ):
            ({**OF_TWO, **OF_ALL}[ask])(wrong)


@pytest.mark.parametrize("ask", [*OF_TWO, *OF_ALL])
def test_a_lazy_frame_is_read_as_one_with_values(ask):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        given = PAIR if ask in OF_TWO else {}
        lazy, whole = ({**OF_TWO, **OF_ALL}[ask](f, **given) for f in (DATA["polars"].lazy(), DATA["polars"]))
        assert repr(lazy) == repr(whole)
        lazy, whole = (pdp.AttributeTable.from_dataframe(f) for f in (DATA["polars"].lazy(), DATA["polars"]))
        assert lazy == whole


@pytest.mark.parametrize("ask", OF_TWO)
def test_a_pair_is_named_as_one(ask):
    for rest in ({}, {"secret": "survived"}, {"source": "class"}, {**PAIR, "names": ["sex", "age"]}):
        with pytest.raises(DomainError, match=r"secret=\.\.\. and source="):
            OF_TWO[ask](RECORDS, **rest)
    with pytest.raises(DomainError, match="no attribute 'deck'; the source is one of 'class'"):
        OF_TWO[ask](RECORDS, secret="survived", source="deck")
    with pytest.raises(DomainError, match="both 'class'"):
        OF_TWO[ask](RECORDS, secret="class", source="class")


def test_the_axes_of_an_array_are_named_likewise():
    counts = [[30, 50], [60, 25]]
    for rest in ({"secret": "vote", "source": "party"}, {"names": ["vote", "party"]}):
        found = pdp.pair_leakage(counts, pdp.GRR(1.0), **rest)
        assert str(found).endswith("vote, from the report of party")


def test_a_secret_and_a_source_are_not_turned_around():
    joint = pdp.examples.two_attributes()
    forward = pdp.pair_leakage(joint, "generic", epsilon=1.0, secret="secret", source="source")
    back = pdp.pair_leakage(joint, "generic", epsilon=1.0, secret="source", source="secret")
    assert forward.value == pytest.approx(1.0)
    assert back.value < 0.9
    assert (back.secret_name, back.source_name) == ("source", "secret")
    assert back.value == pdp.LocalAnalysis(joint, "generic", 1.0).pair("secret", "source").value


NAMED = {
    "pair_leakage": lambda m, e: pdp.pair_leakage(RECORDS, m, epsilon=e, **PAIR),
    "simulated_leakage": lambda m, e: simulated_leakage(RECORDS, m, epsilon=e, rng=1, **PAIR),
    "surrogate_test": lambda m, e: surrogate_test(RECORDS, m, epsilon=e, surrogates=9, rng=1, **PAIR),
    "pair_interval": lambda m, e: pair_interval(RECORDS, m, epsilon=e, draws=9, rng=1, **PAIR),
    "joint_privacy_loss": lambda m, e: joint_privacy_loss(RECORDS, "sex", m, epsilon=e),
    "LocalAnalysis": lambda m, e: pdp.LocalAnalysis(RECORDS, m, e),
}


@pytest.mark.parametrize("ask", NAMED)
def test_a_mechanism_is_given_by_name_or_made(ask):
    named, made, other = NAMED[ask]("oue", 1.0), NAMED[ask](pdp.OUE(1.0), None), NAMED[ask](pdp.OUE(2.0), 1.0)
    assert repr(named) == repr(made) == repr(other)
    with pytest.raises(BudgetError, match="no mechanism 'ROR'; give one of generic, GRR"):
        NAMED[ask]("ROR", 1.0)
    with pytest.raises(BudgetError, match="GRR needs epsilon"):
        NAMED[ask]("GRR", None)
    with pytest.raises(
        TypeError, match=r"mechanism is 5; give a local mechanism such as GRR\(1.0\), or the name"
    ):
        NAMED[ask](5, 1.0)


@pytest.mark.parametrize("ask", ["leakage_curve", "calibrate_budget", "compare_utility"])
def test_where_budgets_follow_a_name_is_enough(ask):
    asks = {
        "leakage_curve": lambda m: leakage_curve(RECORDS, m, [1.0], **PAIR),
        "calibrate_budget": lambda m: calibrate_budget(RECORDS, 1.0, m),
        "compare_utility": lambda m: compare_utility(RECORDS, 1.0, m),
    }
    assert repr(asks[ask]("grr")) == repr(asks[ask](pdp.GRR(1.0)))
    with pytest.raises(BudgetError, match="no mechanism 'ROR'"):
        asks[ask]("ROR")
    with pytest.raises(TypeError, match="local mechanism such as"):
        asks[ask]([5])


def test_one_threshold_and_one_mode_are_enough():
    one = comparison_plane(RECORDS, thresholds=0.2, modes="edge")
    assert [name for name in one.estimates if name.startswith("GRF")] == ["GRF(0.2, edge)"]
    with pytest.raises(DomainError, match="mode is 'e'"):
        comparison_plane(RECORDS, modes="e")
    with pytest.raises(DomainError, match="threshold is 'low'"):
        comparison_plane(RECORDS, thresholds="low")


def test_thresholds_that_agree_to_six_digits_stay_apart():
    plane = comparison_plane(RECORDS, thresholds=[0.2, 0.2 + 1e-9, 0.4, 0.4], modes="edge")
    named = [name for name in plane.estimates if name.startswith("GRF")]
    assert named == ["GRF(0.2, edge)", "GRF(0.200000001, edge)", "GRF(0.4, edge)"]
    assert [point.name for point in plane.points][-3:] == named


@pytest.mark.parametrize("mechanism", [None, pdp.GRR(1.0)])
def test_an_output_is_checked_whether_it_is_used_or_not(mechanism):
    with pytest.raises(BudgetError, match="output is 'foo'"):
        surrogate_test([[3, 4], [5, 6]], mechanism, output="foo")


def test_what_is_not_randomised_is_no_guess():
    plain = statistical_leakage(RECORDS, **PAIR)
    assert str(plain).endswith("survived, from class itself")
    assert str(surrogate_test(RECORDS, surrogates=9, rng=1, **PAIR).leakage).endswith("from class itself")
    assert "from class itself" in repr(str(statistical_leakage(FRAME, **PAIR)))
    counts = [[3, 4], [5, 6]]
    for output, word in (("inferred", "guess"), ("raw", "report")):
        found = statistical_leakage(counts, output=output)
        assert str(found).endswith(f"secret, from the {word} of source")
    with pytest.raises(BudgetError, match="output is 'guess'"):
        statistical_leakage(counts, output="guess")
    assert str(simulated_leakage(counts, pdp.GRR(1.0), rng=1).leakage).endswith("the guess of source")
    with pytest.warns(pdp.errors.ReplicatedRecordsWarning):
        found = surrogate_test(counts, pdp.GRR(1.0), unit="replicate", surrogates=9, rng=1)
    assert str(found.leakage).endswith("from the guess of source")


def _numbers():
    return pd.DataFrame({"income": np.arange(60) % 30, "ill": np.arange(60) % 2})


@pytest.mark.parametrize(
    "ask",
    [
        lambda frame: pdp.AttributeTable.from_dataframe(frame),
        lambda frame: pdp.LocalAnalysis(frame, "GRR", 1.0),
        lambda frame: surrogate_test(frame, surrogates=9, rng=1),
        lambda frame: pdp.pair_leakage(frame, pdp.GRR(1.0)),
        lambda frame: pdp.LocalExplorer(frame),
        lambda frame: calibrate_budget(frame, 1.0),
    ],
)
def test_a_warning_about_a_frame_names_the_line_that_gave_it(ask):
    with pytest.warns(pdp.errors.FewRecordsWarning) as found:
        ask(_numbers())
    assert [one.filename for one in found] == [__file__]
