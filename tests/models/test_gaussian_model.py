"""The Gaussian model as a value: making, reading, copying, conditioning, and faulty input."""

import copy
import math
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import DomainError, InstanceError, TableError
from pdp_widgets.errors import FewRecordsWarning
from pdp_widgets.models.gaussian_model import GaussianModel

MEAN = [5.0, 4.0, 3.0]
COV = [[1.44, 0.6, 0.3], [0.6, 1.0, -0.2], [0.3, -0.2, 0.81]]
NAMES = ["flat A", "flat B", "solar"]


@pytest.fixture
def model():
    return GaussianModel(MEAN, COV, NAMES, title="a house", unit="kWh")


class TestValue:
    def test_what_it_holds(self, model):
        assert (model.mean.tolist(), model.cov.tolist()) == (MEAN, COV)
        assert (model.names, model.n_tuples) == (tuple(NAMES), 3)
        assert (model.title, model.unit, model.records) == ("a house", "kWh", None)
        np.testing.assert_allclose(model.standard_deviations, [1.2, 1.0, 0.9])
        np.testing.assert_allclose(model.correlation, np.array(COV) / np.outer([1.2, 1, 0.9], [1.2, 1, 0.9]))
        assert model.smallest_eigenvalue == pytest.approx(np.linalg.eigvalsh(COV)[0])
        assert model.axis("solar") == 2
        assert repr(model) == "GaussianModel('a house', flat A: 5 ± 1.2, flat B: 4 ± 1, solar: 3 ± 0.9)"

    def test_without_mean_and_names(self):
        model = GaussianModel(None, [[1, 0], [0, 1]])
        assert (model.mean.tolist(), model.names, model.title, model.unit) == ([0, 0], ("x1", "x2"), "", "")

    def test_it_cannot_be_changed(self, model):
        for array in (model.mean, model.cov):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1
        with pytest.raises(AttributeError, match="make a new one"):
            model.mean = [1, 2, 3]
        with pytest.raises(AttributeError, match="make a new one"):
            model.__init__(MEAN, COV)

    def test_it_keeps_a_copy(self):
        mean, cov = np.array(MEAN), np.array(COV)
        model = GaussianModel(mean, cov)
        mean[0] = cov[0, 0] = 99
        assert (model.mean[0], model.cov[0, 0]) == (5.0, 1.44)

    @pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
    def test_copies_are_equal_and_read_only(self, model, again):
        for original in (model, GaussianModel.from_dataframe({"a": [1, 2, 4], "b": [0, 1, 0]})):
            other = again(original)
            assert other == original
            assert hash(other) == hash(original)
            assert not other.cov.flags.writeable
            assert not other.mean.flags.writeable

    def test_equality(self, model):
        assert model == GaussianModel(MEAN, COV, NAMES, title="a house", unit="kWh")
        for other in (
            GaussianModel(MEAN, COV, NAMES, title="a house"),
            GaussianModel(MEAN, COV, title="a house", unit="kWh"),
            GaussianModel(None, COV, NAMES, title="a house", unit="kWh"),
            GaussianModel(MEAN, np.eye(3), NAMES, title="a house", unit="kWh"),
            "a house",
        ):
            assert model != other


class TestMaking:
    def test_from_correlation(self):
        model = GaussianModel.from_correlation([[1, 0.5], [0.5, 1]], [2, 3], [1, 0], ["a", "b"], unit="h")
        assert model.cov.tolist() == [[4, 3], [3, 9]]
        assert (model.mean.tolist(), model.names, model.unit) == ([1, 0], ("a", "b"), "h")

    def test_equicorrelated(self):
        model = GaussianModel.equicorrelated(4, 0.25, variance=4, names=list("abcd"))
        assert model.correlation[0].tolist() == [1, 0.25, 0.25, 0.25]
        assert model.standard_deviations.tolist() == [2, 2, 2, 2]
        with pytest.raises(DomainError, match=r"from -0\.333333 ") as caught:
            GaussianModel.equicorrelated(4, -0.5)
        assert caught.value.where.name == "rho"
        for n in (0, -1, 2.5, True):
            with pytest.raises(DomainError, match="number of tuples"):
                GaussianModel.equicorrelated(n, 0.1)

    @pytest.mark.parametrize("frame_of", [dict, pd.DataFrame, pl.DataFrame, pa.table])
    def test_from_data_frames(self, frame_of):
        rng = np.random.default_rng(0)
        data = {"a": rng.normal(size=20).tolist(), "b": rng.integers(0, 9, 20).tolist()}
        frame = frame_of({**data, "text": ["x"] * 20})
        model = GaussianModel.from_dataframe(frame, ["b", "a"], unit="m")
        both = np.array([data["b"], data["a"]], dtype=float)
        np.testing.assert_allclose(model.mean, both.mean(axis=1))
        np.testing.assert_allclose(model.cov, np.cov(both))
        assert (model.names, model.records, model.unit) == (("b", "a"), 20, "m")
        with pytest.raises(DomainError, match="Column text, row 0 is 'x'") as caught:
            GaussianModel.from_dataframe(frame)
        assert (caught.value.where.axis, caught.value.where.name) == (2, "text")

    def test_more_tuples_than_records(self):
        with pytest.warns(FewRecordsWarning, match="3 records of 5 columns.*singular"):
            model = GaussianModel.from_dataframe({name: [k, k * k, 1] for k, name in enumerate("abcde")})
        assert model.smallest_eigenvalue == pytest.approx(0, abs=1e-9)

    @pytest.mark.parametrize(
        ("frame", "error", "message"),
        [
            ({"a": [1.0]}, TableError, "one row; a covariance needs at least two"),
            ({"a": []}, TableError, "no rows"),
            ({"a": [1, 2], "b": [1]}, TableError, "a has 2 rows and column b has 1"),
            ({"a": [1, None]}, DomainError, "Column a, row 1 is missing"),
            ({"a": [math.nan, 1]}, DomainError, "Column a, row 0 is missing"),
            ({"a": [1, math.inf]}, DomainError, "Column a, row 1 is inf"),
            ({"a": [1, [2]]}, DomainError, r"Column a, row 1 is \[2\]"),
            ({"a": ["1", "2"]}, DomainError, "Column a, row 0 is '1'"),
            ({}, DomainError, "No column"),
            (7, DomainError, "not a data frame"),
        ],
    )
    def test_frames_that_are_refused(self, frame, error, message):
        with pytest.raises(error, match=message):
            GaussianModel.from_dataframe(frame)

    def test_a_column_that_does_not_exist(self):
        with pytest.raises(DomainError, match="There is no column c"):
            GaussianModel.from_dataframe({"a": [1, 2]}, ["c"])

    @pytest.mark.parametrize("constant", [0.1, 1 / 3, 20.1, 98.6, -1e9 / 7, 5.0])
    def test_a_column_of_one_value_has_no_variance(self, constant):
        numbers = np.random.default_rng(0).normal(20, 2, 50).round(1)
        model = GaussianModel.from_dataframe(pd.DataFrame({"a": numbers, "b": constant}))
        assert model.cov[1].tolist() == [0, 0]
        assert model.mean.tolist() == pytest.approx([numbers.mean(), constant], rel=1e-14)

    def test_far_from_zero_the_spread_keeps_its_digits(self):
        steps = np.arange(50.0)
        model = GaussianModel.from_dataframe(pd.DataFrame({"a": 1.7e18 + 256 * steps, "b": steps}))
        assert model.cov[0, 0] == pytest.approx(256**2 * steps.var(ddof=1), rel=1e-12)


class TestParts:
    def test_marginal_and_reorder(self, model):
        part = model.marginal(["solar", 0])
        assert (part.names, part.mean.tolist()) == (("solar", "flat A"), [3, 5])
        assert part.cov.tolist() == [[0.81, 0.3], [0.3, 1.44]]
        assert (part.title, part.unit) == ("a house", "kWh")
        assert model.reorder([2, 0, 1]).reorder(["flat A", "flat B", "solar"]) == model
        with pytest.raises(DomainError, match="Name all 3 tuples"):
            model.reorder(["solar"])
        with pytest.raises(DomainError, match="none twice"):
            model.marginal(["solar", 2])
        with pytest.raises(DomainError, match="no tuple named roof"):
            model.marginal(["roof"])
        with pytest.raises(DomainError, match="a set has no order"):
            model.marginal({"solar"})

    def test_conditioning_is_the_ratio_of_densities(self, model):
        from scipy.stats import multivariate_normal

        given_ = model.condition({"solar": 2.0})
        assert given_.names == ("flat A", "flat B")
        x = np.array([5.5, 3.7])
        joint = multivariate_normal(model.mean, model.cov).logpdf([*x, 2.0])
        known = multivariate_normal(model.mean[2], model.cov[2, 2]).logpdf(2.0)
        assert multivariate_normal(given_.mean, given_.cov).logpdf(x) == pytest.approx(joint - known)
        assert model.condition({}) == GaussianModel(MEAN, COV, NAMES, title="a house", unit="kWh")

    def test_conditioning_twice_is_conditioning_once(self, model):
        once = model.condition({"flat A": 6.0, "solar": 2.5})
        twice = model.condition({"flat A": 6.0}).condition({"solar": 2.5})
        np.testing.assert_allclose(once.mean, twice.mean)
        np.testing.assert_allclose(once.cov, twice.cov)

    def test_conditioning_on_a_singular_block(self):
        model = GaussianModel(None, [[1, 1, 0.5], [1, 1, 0.5], [0.5, 0.5, 1]])
        found = model.condition({0: 2.0, 1: 2.0})
        assert (found.mean[0], found.cov[0, 0]) == pytest.approx((1.0, 0.75))
        with pytest.raises(InstanceError, match="x1 = 2, x2 = 3 cannot occur together"):
            model.condition({0: 2.0, 1: 3.0})

    def test_faults_of_conditioning(self, model):
        with pytest.raises(DomainError, match="No tuple is left"):
            model.condition(dict.fromkeys(NAMES, 1.0))
        with pytest.raises(DomainError, match="give them as"):
            model.condition(["solar"])
        with pytest.raises(DomainError, match="value of solar is nan"):
            model.condition({"solar": math.nan})

    @pytest.mark.parametrize("cov", [COV, np.ones((3, 3)), np.diag([1.0, 0, 4])])
    def test_samples(self, cov):
        model = GaussianModel(MEAN, cov)
        rows = model.sample(40_000, rng=5)
        assert rows.shape == (40_000, 3)
        np.testing.assert_allclose(rows.mean(axis=0), MEAN, atol=0.05)
        np.testing.assert_allclose(np.cov(rows.T), cov, atol=0.1)
        assert np.array_equal(rows[:7], model.sample(40_000, rng=np.random.default_rng(5))[:7])
        assert model.sample(0).shape == (0, 3)
        for size in (-1, 2.5, True):
            with pytest.raises(DomainError, match="number of rows"):
                model.sample(size)


class TestFaults:
    @pytest.mark.parametrize(
        ("mean", "message"),
        [
            ([1, 2], r"shape \(2,\) for 3 tuples"),
            ([1, math.nan, 3], "mean of flat B is nan; it must be a finite number"),
            ([1, 1e300, 3], r"mean of flat B is 1e\+300; it must be a finite number, at most 3e150 in size"),
            ([1, math.inf, 3], "mean of flat B is inf"),
            (5.0, "give one number for each of the 3 tuples, or None"),
            ("abc", "mean is 'abc'"),
            ({"a": 1}, "mean is "),
        ],
    )
    def test_mean(self, mean, message):
        with pytest.raises(DomainError, match=message):
            GaussianModel(mean, COV, NAMES)

    def test_the_axis_of_a_mean_is_named(self):
        with pytest.raises(DomainError) as caught:
            GaussianModel([1, math.nan, 3], COV)
        assert caught.value.where.axis == 1

    def test_names(self):
        with pytest.raises(DomainError, match="2 names for 3 tuples"):
            GaussianModel(None, COV, ["a", "b"])
        with pytest.raises(DomainError, match="Two tuples have the name a"):
            GaussianModel(None, COV, ["a", "b", "a"])
        assert GaussianModel(None, COV, iter("abc")).names == ("a", "b", "c")

    def test_words(self):
        with pytest.raises(DomainError, match="unit is 3"):
            GaussianModel(None, COV, unit=3)
        with pytest.raises(DomainError, match="title"):
            GaussianModel(None, COV, title=3)

    def test_the_covariance_is_named_by_tuples(self):
        with pytest.raises(
            TableError, match=r"covariance of flat A and solar is too large\. It is 9"
        ) as caught:
            GaussianModel(None, [[1, 0, 9], [0, 1, 0], [9, 0, 1]], NAMES)
        assert caught.value.where.index == (0, 2)

    def test_a_data_frame_as_covariance(self):
        frame = pd.DataFrame(COV, index=NAMES, columns=NAMES)
        assert GaussianModel(None, frame, NAMES).cov.tolist() == COV


@given(st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_marginals_of_random_models(n, seed):
    rng = np.random.default_rng(seed)
    factor = rng.normal(size=(int(rng.integers(1, n + 1)), n))
    model = GaussianModel(rng.normal(size=n), factor.T @ factor)
    order = rng.permutation(n).tolist()
    assert np.array_equal(model.reorder(order).cov, model.cov[np.ix_(order, order)])
