"""What local mechanisms refuse, and that they are values."""

import math
import pickle
from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest

from pdp_widgets import (
    BLH,
    EXP,
    GRR,
    OLH,
    OUE,
    RAPPOR,
    SHE,
    SS,
    SUE,
    BudgetError,
    Channel,
    DomainError,
    LimitError,
    TableError,
)
from pdp_widgets.local import AnyMechanism, DeltaGRR, LocalMechanism, mechanism_named
from pdp_widgets.mechanisms.local.attack import SubsetFamily
from pdp_widgets.mechanisms.local.frequency_estimation import expected_nmse, simplex_frequencies
from pdp_widgets.mechanisms.local.mechanism_by_name import LOCAL_MECHANISMS, exported
from tests.packaging.conftest import ROOT

ALL = [
    GRR(1.0),
    EXP(1.0),
    OUE(1.0),
    SUE(1.0),
    RAPPOR(0.5, 0.5, 0.75),
    BLH(1.0),
    OLH(1.0),
    OLH(1.0, g=5),
    SHE(1.0),
    SS(1.0),
    SS(1.0, omega=2),
    DeltaGRR(1.0, 0.1),
    AnyMechanism(1.0),
    AnyMechanism(1.0, 0.1),
    Channel([[0.9, 0.1], [0.2, 0.8]]),
]


@pytest.mark.parametrize(
    "epsilon", [-1, -1e-300, math.nan, "1", None, True, np.bool_(1), [1], 10**400, 1j, np.timedelta64(1, "s")]
)
@pytest.mark.parametrize("kind", [GRR, EXP, OUE, SUE, BLH, OLH, SHE, SS, AnyMechanism])
def test_budgets(kind, epsilon):
    with pytest.raises(BudgetError, match=r"epsilon is .*0 or more; infinity is allowed") as caught:
        kind(epsilon)
    assert caught.value.where.name == "epsilon"
    with pytest.raises(BudgetError, match="epsilon is"):
        kind(1.0).with_epsilon(epsilon)


def test_budgets_are_floats():
    assert type(GRR(1).epsilon) is float
    assert type(GRR(np.float32(0.5)).epsilon) is float
    assert math.copysign(1, GRR(-0.0).epsilon) == 1


@pytest.mark.parametrize("delta", [-0.1, 1, 1.5, math.nan, "0", None, False])
@pytest.mark.parametrize("kind", [DeltaGRR, AnyMechanism])
def test_deltas(kind, delta):
    with pytest.raises(BudgetError, match=r"delta is .*at least 0 and below 1") as caught:
        kind(1.0, delta)
    assert caught.value.where.name == "delta"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-0.1, 0.5, 0.75), "f is -0.1; it must be a probability"),
        ((0.5, 1.1, 0.75), "p is 1.1"),
        ((0.5, 0.5, math.nan), "q is nan"),
        ((0.5, 0.5, "1"), "q is '1'"),
        ((0.5, 0.75, 0.5), "q is 0.5 and below p = 0.75"),
    ],
)
def test_parameters_of_rappor(arguments, message):
    with pytest.raises(BudgetError, match=message):
        RAPPOR(*arguments)


@pytest.mark.parametrize("g", [1, 0, -3, 2.0, "2", True, 1 << 63])
def test_groups(g):
    with pytest.raises(BudgetError, match=r"g is .*whole number, 2 to"):
        OLH(1.0, g)


@pytest.mark.parametrize("omega", [0, -1, 2.5, "2", True])
def test_sizes_of_sets(omega):
    with pytest.raises(BudgetError, match=r"omega is .*whole number, 1 or more"):
        SS(1.0, omega)


def test_sets_larger_than_the_alphabet():
    for call in (
        lambda m: m.family(3),
        lambda m: m.promise(3),
        lambda m: m.channel(3),
        lambda m: m.inferred(3),
        lambda m: m.release([0], 3),
        lambda m: m.support(3),
    ):
        with pytest.raises(BudgetError, match="omega is 4 and there are k = 3 symbols; it must be 1 to 3"):
            call(SS(1.0, 4))


@pytest.mark.parametrize("k", [pytest.param(2**2000, id="huge"), 0, -1, 2.0, "3", None, True])
def test_numbers_of_symbols(k):
    for mechanism in ALL:
        for call in (
            mechanism.promise,
            mechanism.ratio,
            mechanism.channel,
            mechanism.inferred,
            mechanism.support,
        ):
            try:
                with pytest.raises(DomainError, match=r"number of symbols k is .*whole number, 1 to 9,007"):
                    call(k)
            except BudgetError as error:
                assert "no " in str(error)  # noqa: PT017
        with pytest.raises(DomainError, match="number of symbols k"):
            mechanism.release([0], k)


@pytest.mark.parametrize(
    ("codes", "message"),
    [
        ([0, 3], "Code 1 is 3; a code is a whole number from 0 to 2"),
        ([0, -1], "Code 1 is -1.*missing values cannot be reported"),
        ([0.5], "The codes are float64 values"),
        (["a"], "The codes are .*U1 values"),
        ([[0, 1]], "The codes have 2 axes"),
        (1, "The codes have 0 axes"),
        ([[0], [0, 1]], "no list of whole numbers"),
        ([True], "The codes are bool values"),
    ],
)
def test_codes(codes, message):
    for mechanism in (GRR(1.0), SHE(1.0), OLH(1.0)):
        with pytest.raises(DomainError, match=message):
            mechanism.release(codes, 3)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([[0.5, 0.4]], "row 0 sums to 0.9"),
        ([[0.5, 0.5], [1.2, -0.2]], "-0.2 in row 1, column 1"),
        ([[0.5, math.nan]], "nan in row 0, column 1"),
        ([0.5, 0.5], r"has the shape \(2,\)"),
        ([[]], r"has the shape \(1, 0\)"),
        ([[1], [0.5, 0.5]], "give rows of probabilities"),
        ("x", "give rows of probabilities"),
        (None, "give rows of probabilities"),
        ([["0.5", "0.5"]], "give rows of probabilities"),
    ],
)
def test_matrices(matrix, message):
    with pytest.raises(TableError, match=message):
        Channel(matrix)


@pytest.mark.parametrize("rng", ["seed", 1.5, -1, True])
def test_seeds(rng):
    for mechanism in (GRR(1.0), SHE(1.0), OLH(1.0), SS(1.0)):
        with pytest.raises(DomainError, match=r"rng is .*; give a seed"):
            mechanism.release([0, 1], 3, rng)
        with pytest.raises(DomainError, match=r"rng is .*; give a seed"):
            mechanism.release([0, 1], 3).inferred(rng)


def test_a_given_matrix_is_for_its_own_symbols():
    channel = Channel([[0.9, 0.1], [0.2, 0.8]])
    for call in (channel.promise, channel.channel, lambda k: channel.release([0], k)):
        with pytest.raises(DomainError, match="rows for 2 symbols, and k is 3"):
            call(3)
    with pytest.raises(ValueError, match="read-only"):
        channel.matrix[0, 0] = 1
    given = np.array([[0.9, 0.1], [0.2, 0.8]])
    kept = Channel(given)
    given[0] = 0.5
    assert kept == channel


def test_what_some_mechanisms_do_not_have():
    channel, generic = Channel([[0.9, 0.1], [0.2, 0.8]]), AnyMechanism(1.0)
    for refused, words in (
        (lambda: generic.inferred(3), "no guess of its own; name one"),
        (lambda: generic.channel(3), "no matrix of its own"),
        (lambda: generic.release([0], 3), "no reports of its own"),
        (lambda: generic.frequencies([1, 2], n=3), "no estimator of its own"),
        (lambda: channel.inferred(2), "no guess that is defined"),
        (lambda: channel.family(2), "no family of sets"),
        (lambda: channel.frequencies([1, 2], n=3), "no estimator"),
        (lambda: channel.with_epsilon(2.0), "no budget to set"),
        (lambda: RAPPOR(0.5, 0.5, 0.75).with_epsilon(2.0), "0.537143 follows from f, p and q"),
        (lambda: SHE(1.0).support(3), "no rates of support"),
    ):
        with pytest.raises(BudgetError, match=words):
            refused()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 2],), "Support counts need n"),
        (([1, 2], 3, 5), "2 support counts for k = 3"),
        (([1, math.nan], 2, 5), "Support count 1 is nan"),
        ((["a"], 1, 5), "not numbers"),
        (([[1]], 1, 5), "2 axes"),
        (([1, 2], 2, 0), "number of reports n is 0"),
    ],
)
def test_support_counts(arguments, message):
    for mechanism in (GRR(1.0), SHE(1.0)):
        with pytest.raises(TableError, match=message):
            mechanism.frequencies(*arguments)


def test_reports_know_their_numbers():
    reports = GRR(1.0).release([0, 1], 3, 1)
    with pytest.raises(TableError, match="The reports are 2 about 3 symbols"):
        GRR(1.0).frequencies(reports, 4)
    with pytest.raises(TableError, match="number of reports n is 0"):
        GRR(1.0).frequencies(GRR(1.0).release(np.zeros(0, int), 3))


@pytest.mark.parametrize(
    ("frequencies", "message"),
    [([0.5, 1.5], "Frequency 1 is 1.5"), ([0.5], "1 frequencies for k = 2"), (["x", 1], "not numbers")],
)
def test_frequencies(frequencies, message):
    for mechanism in (OUE(1.0), SHE(1.0)):
        with pytest.raises(TableError, match=message):
            mechanism.variance(frequencies, 2, 10)


def test_post_processing_of_what_is_no_estimate():
    with pytest.raises(TableError, match="list of finite numbers"):
        simplex_frequencies([math.nan, 1])
    with pytest.raises(TableError, match="2 variances for 1 frequencies"):
        expected_nmse([1, 2], [0.5])


@pytest.mark.parametrize(
    ("prior", "message"),
    [
        ([0.5, 0.4], "The prior sums to 0.9"),
        ([1.5, -0.5], "prior of symbol 1 is -0.5"),
        ([], "a list with a probability"),
        ("x", "no list of numbers"),
    ],
)
def test_priors(prior, message):
    with pytest.raises(TableError, match=message):
        SHE(1.0).attack_with_prior(prior)


def test_priors_about_too_many_symbols():
    with pytest.raises(LimitError, match="about 200 symbols"):
        SHE(1.0).attack_with_prior(np.full(200, 1 / 200))


@pytest.mark.parametrize("arguments", [("some",), ("all", 2), ("exactly",), ("exactly", 0), ("exactly", 2.0)])
def test_families(arguments):
    with pytest.raises(BudgetError):
        SubsetFamily(*arguments)


def test_mechanisms_by_name():
    assert mechanism_named("OUE", epsilon=1.0) == mechanism_named("oue", 1.0) == OUE(1.0)
    assert mechanism_named("generic", 1.0, delta=0.1) == AnyMechanism(1.0, 0.1)
    assert mechanism_named("RAPPOR", f=0.5, p=0.5, q=0.75) == RAPPOR(0.5, 0.5, 0.75)
    assert mechanism_named("OLH", 1.0, g=3) == OLH(1.0, 3)
    assert mechanism_named("SS", 1.0, omega=None) == SS(1.0)
    assert mechanism_named("channel", matrix=[[1.0]]) == Channel([[1.0]])
    for one in LOCAL_MECHANISMS:
        assert issubclass(one.mechanism, LocalMechanism)
        assert one.mechanism.title


def test_the_table_of_pages_is_current():
    assert (ROOT / "js/src/compute/local-mechanisms.json").read_text(encoding="utf-8") == exported()


def test_the_table_says_what_the_classes_do():
    for one in LOCAL_MECHANISMS:
        names = {field.name for field in fields(one.mechanism) if field.init}
        assert one.epsilon == ("epsilon" in names), one.key
        assert {each.name for each in one.parameters} <= names, one.key
        if one.label:
            # The matrix of a channel is no number with a field.
            more = {"matrix": [[0.5, 0.5]] * 3} if one.mechanism is Channel else {}
            made = mechanism_named(one.key, 1.0 if one.epsilon else None, **one.first, **more)
            assert {each.name: getattr(made, each.name) for each in one.parameters} == one.first
            if one.inferred:
                assert made.inferred(3).k == 3
            else:
                with pytest.raises(BudgetError, match="no guess"):
                    made.inferred(3)


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        (
            "XYZ",
            {},
            "no mechanism 'XYZ'; give one of generic, GRR, EXP, OUE, SUE, RAPPOR, LOSUE, BLH, OLH, SHE",
        ),
        (None, {}, "no mechanism None"),
        ("GRR", {}, "GRR needs epsilon; it takes epsilon"),
        ("GRR", {"epsilon": 1, "g": 2}, "GRR has no parameter 'g'; it takes epsilon"),
        ("OLH", {"epsilon": 1, "omega": 2}, "OLH has no parameter 'omega'; it takes epsilon and g"),
        (
            "RAPPOR",
            {"epsilon": 1, "f": 0.5, "p": 0.5, "q": 0.75},
            "RAPPOR has no parameter 'epsilon'.*budget follows",
        ),
        ("RAPPOR", {"f": 0.5, "p": 0.5}, "RAPPOR needs q; it takes f, p and q"),
        ("DGRR", {"epsilon": 1}, "DGRR needs delta"),
        ("channel", {}, "channel needs matrix"),
    ],
)
def test_wrong_names_and_parameters(name, parameters, message):
    with pytest.raises(BudgetError, match=message):
        mechanism_named(name, **parameters)


@pytest.mark.parametrize("mechanism", ALL, ids=repr)
def test_mechanisms_are_values(mechanism):
    assert pickle.loads(pickle.dumps(mechanism)) == mechanism
    assert hash(pickle.loads(pickle.dumps(mechanism))) == hash(mechanism)
    assert sum(mechanism == other for other in ALL) == 1
    with pytest.raises(FrozenInstanceError):
        mechanism.epsilon = 2.0
    if mechanism.name not in ("RAPPOR", "channel"):
        assert mechanism.with_epsilon(2.0).epsilon == 2.0
        assert mechanism.with_epsilon(1.0) == mechanism
    assert type(mechanism).__name__ in repr(mechanism)
