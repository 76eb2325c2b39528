"""One adversary of Gaussian data: reference cases, where its leakage comes from, and faulty input."""

import copy
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from pdp_widgets import AdversaryError, QueryError, ScaleError, TableError
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary, gaussian_leakage
from pdp_widgets.models.gaussian_model import GaussianModel
from tests.leakage.gaussian_reference import adversaries, adversary_of, cases, random_model, theorem_6


class TestReferenceCases:
    @pytest.mark.parametrize("case", cases("gaussian_node"), ids=lambda case: case["id"])
    def test_nodes(self, case):
        adversary, expected, tol = adversary_of(case["input"]), case["expected"], case["tol"]
        assert float(adversary.leakage) == pytest.approx(expected["leakage"], abs=tol)
        assert adversary.determined == adversary.leakage.determined == expected["determined"]
        for name in {"mu00", "mu0i", "mu0k", "sigma0"} & expected.keys():
            np.testing.assert_allclose(getattr(adversary, name), expected[name], atol=tol, err_msg=name)

    def test_there_are_some(self):
        assert len(cases("gaussian_node")) == 11


class TestLeakage:
    @given(adversaries())
    def test_first_form(self, adversary):
        i, known = adversary.adversary.target, adversary.adversary.known
        expected = theorem_6(adversary.model.cov, adversary.release.weights, i, known)
        assert adversary.coefficient == pytest.approx(expected, abs=1e-7, rel=1e-7)
        factor = adversary.release.max_change / adversary.release.scale
        assert float(adversary.leakage) == pytest.approx(abs(adversary.coefficient) * factor)

    @given(adversaries())
    def test_parts_add_up(self, adversary):
        assert adversary.own == adversary.release.weights[adversary.adversary.target]
        assert set(adversary.through) == set(adversary.unknown)
        assert adversary.mu0i == pytest.approx(sum(adversary.through.values()), abs=1e-9)
        assert adversary.coefficient == pytest.approx(adversary.own + adversary.mu0i, abs=1e-9)

    @given(adversaries())
    def test_strongest(self, adversary):
        model, release = adversary.model, adversary.release
        i = adversary.adversary.target
        rest = [j for j in range(model.n_tuples) if j != i]
        strong = GaussianAdversary._at(model, release, type(adversary.adversary)(i, tuple(rest)))
        promise = abs(release.weights[i]) * release.max_change / release.scale
        assert float(strong.leakage) == pytest.approx(promise, rel=1e-14)
        assert (strong.sigma0, strong.is_limit, strong.mu00) == (0.0, False, 0.0)

    def test_a_conditional_experiment(self):
        """Regression of the unknown sum on target and known, from samples."""
        model = GaussianModel([1, 2, 3, 4], [[2, 0.6, -0.3, 0.2], [0.6, 1.5, 0.4, -0.5], [-0.3, 0.4, 1, 0.1],
                                             [0.2, -0.5, 0.1, 1.2]])  # fmt: skip
        adversary = GaussianAdversary(model, 0, [3], weights=[1, -2, 0.5, 3])
        rows = model.sample(400_000, rng=1)
        unknown = rows[:, [1, 2]] @ [-2, 0.5]
        design = np.column_stack([np.ones(len(rows)), rows[:, 0], rows[:, 3]])
        fitted, *_ = np.linalg.lstsq(design, unknown, rcond=None)
        np.testing.assert_allclose(fitted, [adversary.mu00, adversary.mu0i, *adversary.mu0k], atol=0.03)
        assert (unknown - design @ fitted).std() == pytest.approx(adversary.sigma0, abs=0.01)

    def test_what_it_says(self):
        model = GaussianModel(None, [[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]], names=["Ann", "Bob", "Cy"])
        leakage = gaussian_leakage(model, "Ann", ["Cy"])
        assert (leakage.status, leakage.convention, leakage.unit) == ("exact", "sup", "nats")
        assert leakage.attained is None
        assert leakage.limit
        assert not gaussian_leakage(model, "Ann", ["Bob", "Cy"]).limit
        assert str(leakage) == "1.5 nats (exact): Ann, knowing Cy"
        assert "Theorem 6" in leakage.source
        assert repr(GaussianAdversary(model, 0, [2])) == "GaussianAdversary(Ann, knowing Cy)"

    def test_correlation_one(self):
        """Section 13: the weak adversary learns twice the promise or nothing, the strong one nothing."""
        for rho, expected in ((1.0, 2.0), (-1.0, 0.0)):
            model = GaussianModel.equicorrelated(2, rho)
            weak, strong = GaussianAdversary(model, 0), GaussianAdversary(model, 0, [1])
            assert (float(weak.leakage), weak.determined, weak.is_limit) == (expected, False, False)
            assert (float(strong.leakage), strong.determined) == (0.0, True)
        near = GaussianModel.equicorrelated(2, 1 - 1e-6)
        assert float(gaussian_leakage(near, 0, [1])) == pytest.approx(1.0)

    def test_a_tuple_without_variance_is_determined(self):
        model = GaussianModel([3, 0], [[0, 0], [0, 1]])
        assert gaussian_leakage(model, 0).determined
        assert float(gaussian_leakage(model, 1)) == 1.0

    def test_no_change_no_leakage(self):
        assert float(gaussian_leakage(GaussianModel.equicorrelated(3, 0.5), 0, max_change=0)) == 0.0

    def test_weights_of_zero(self):
        model = GaussianModel.equicorrelated(3, 0.5)
        assert float(gaussian_leakage(model, 0, weights=[0, 1, 1])) == 1.0
        assert float(gaussian_leakage(model, 0, weights=[0, 0, 0])) == 0.0

    def test_scale_for(self):
        model = GaussianModel.equicorrelated(3, 0.5)
        adversary = GaussianAdversary(model, 0, [1], scale=2.0)
        scale = adversary.scale_for(0.3)
        assert float(gaussian_leakage(model, 0, [1], scale=scale)) == pytest.approx(0.3, rel=1e-12)
        assert adversary.scale_for(Fraction(3, 10)) == scale
        for level in (0, -1, math.nan, -math.inf, "1", True, None):
            with pytest.raises(ScaleError, match="The level is") as caught:
                adversary.scale_for(level)
            assert caught.value.where.name == "level"
        for level in (1e-320, 1e300):
            with pytest.raises(ScaleError, match=r"The level .* beyond what numbers can hold"):
                adversary.scale_for(level)

    def test_any_scale_will_do(self):
        model = GaussianModel(None, [[1, 1, 0], [1, 1, 0], [0, 0, 1]])
        determined, weightless = (
            GaussianAdversary(model, 0, [1]),
            GaussianAdversary(model, 2, weights=[1, 1, 0]),
        )
        assert determined.determined
        assert [who.scale_for(1e-6) for who in (determined, weightless)] == [0.0, 0.0]
        assert GaussianAdversary(model, 0).scale_for(math.inf) == 0.0

    def test_units(self):
        """Invariant 12, at sizes far from 1."""
        mean, cov, weights = random_model(np.random.default_rng(4), 4)
        units = np.array([1e-70, 1e40, 1.0, 1e90])
        base = gaussian_leakage(GaussianModel(mean, cov), 1, [0], weights=weights, max_change=2.0)
        other = gaussian_leakage(
            GaussianModel(mean * units, cov * units * units[:, None]),
            1,
            [0],
            weights=weights / units,
            max_change=2.0 * units[1],
        )
        assert float(other) == pytest.approx(float(base), rel=1e-9)


class TestCopies:
    @pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda a: pickle.loads(pickle.dumps(a))])
    def test_copies(self, again):
        adversary = GaussianAdversary(GaussianModel.equicorrelated(3, 0.4), 0, [2], scale=0.5)
        other = again(adversary)
        assert other.leakage == adversary.leakage
        assert not other.mu0k.flags.writeable
        assert not other.model.cov.flags.writeable


class TestFaults:
    model = GaussianModel(None, [[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]], names=["Ann", "Bob", "Cy"])

    @pytest.mark.parametrize("scale", [0, -1, math.nan, math.inf, "1", None, True])
    def test_scale(self, scale):
        with pytest.raises(ScaleError, match="The scale is") as caught:
            GaussianAdversary(self.model, 0, scale=scale)
        assert caught.value.where.name == "scale"

    @pytest.mark.parametrize("change", [-1, -1e-300, math.nan, math.inf, "1", None, True, [1]])
    def test_largest_change(self, change):
        with pytest.raises(QueryError, match="The largest change is") as caught:
            GaussianAdversary(self.model, 0, max_change=change)
        assert caught.value.where.name == "max_change"

    @pytest.mark.parametrize(
        ("weights", "message", "axis"),
        [
            ([1, 1], "2 weights for 3 tuples", None),
            ([1, math.nan, 1], "weight of Bob is nan", 1),
            ([1, 1, math.inf], "weight of Cy is inf", 2),
            (1.0, "weights are 1.0", None),
            ("111", "weights are '111'", None),
            ({1, 2, 3}, "weights are {1, 2, 3}", None),
            ([1, "a", 1], "give one number for each tuple", None),
        ],
    )
    def test_weights(self, weights, message, axis):
        with pytest.raises(QueryError, match=message) as caught:
            GaussianAdversary(self.model, 0, weights=weights)
        assert caught.value.where.axis == axis

    def test_a_scale_too_small(self):
        with pytest.raises(ScaleError, match="too small"):
            GaussianAdversary(self.model, 0, scale=1e-300, max_change=1e200)

    @pytest.mark.parametrize("target", [3, -1, "Dan", 0.5, True, None])
    def test_target(self, target):
        with pytest.raises(AdversaryError, match="target: There is no tuple"):
            GaussianAdversary(self.model, target)

    def test_known(self):
        with pytest.raises(AdversaryError, match="known tuples: There is no tuple 5"):
            GaussianAdversary(self.model, 0, [5])
        with pytest.raises(AdversaryError, match="Ann is attacked and known at once"):
            GaussianAdversary(self.model, 0, ["Bob", "Ann"])
        with pytest.raises(AdversaryError, match="Bob is named twice"):
            GaussianAdversary(self.model, 0, ["Bob", 1])
        with pytest.raises(AdversaryError, match="not on their values"):
            GaussianAdversary(self.model, 0, {"Bob": 1.0})

    def test_known_values(self):
        adversary = GaussianAdversary(self.model, 0, ["Bob"])
        for values in ([1, 2], [], {"Cy": 1.0}, {"Bob": 1.0, 1: 1.0}, {}):
            with pytest.raises(AdversaryError, match="known"):
                adversary.centre(0.0, values)
        with pytest.raises(AdversaryError, match="value of Bob is nan"):
            adversary.density(0.0, 1.0, [math.nan])
        with pytest.raises(AdversaryError, match="no tuple named Dan"):
            adversary.density(0.0, 1.0, {"Dan": 1.0})

    def test_known_values_that_cannot_occur(self):
        model = GaussianModel(None, [[1, 0.5, 0.5], [0.5, 1, 1], [0.5, 1, 1]])
        adversary = GaussianAdversary(model, 0, [1, 2])
        with pytest.raises(AdversaryError, match="x2 = 1, x3 = 2 cannot occur together"):
            adversary.log_ratio(1, 0, 0.0, [1, 2])
        assert adversary.centre(1.0, [1, 1]) == pytest.approx(3.0)

    def test_a_determined_target_has_no_densities(self):
        model = GaussianModel(None, np.ones((2, 2)))
        adversary = GaussianAdversary(model, 0, [1])
        for call in (
            lambda: adversary.density(1, 0.0),
            lambda: adversary.log_ratio(1, 0, 0.0),
            lambda: adversary.limits(1, 0),
            lambda: adversary.posterior(1, 0.0),
            lambda: adversary.prior(1),
        ):
            with pytest.raises(AdversaryError, match="x1 is determined by the known tuples"):
                call()

    def test_numbers_that_are_none(self):
        adversary = GaussianAdversary(self.model, 0)
        for r in ([0.0, math.nan], "x", None, ["1"], True, [1, [2]], 1j):
            with pytest.raises(QueryError, match=r"The released numbers are .*; give real numbers") as caught:
                adversary.density(1.0, r)
            assert caught.value.where.name == "r"
        for values in ("x", [0.0, math.nan], None, {"a": 1}):
            for ask in (adversary.prior, lambda x: adversary.posterior(x, 0.0)):
                with pytest.raises(AdversaryError, match=r"The values of Ann are .*; give numbers") as caught:
                    ask(values)
                assert caught.value.where.axis == 0
        for value in (math.nan, math.inf, "1", None):
            with pytest.raises(AdversaryError, match="value of Ann is"):
                adversary.density(value, 0.0)
        for share in (1.5, -0.1, math.nan, "x", None, True):
            with pytest.raises(QueryError, match=r"The share is .*; it is a share, 0 to 1") as caught:
                adversary.share_reached(share, 1, 0)
            assert caught.value.where.name == "share"
        with pytest.raises(AdversaryError, match="The level is nan"):
            adversary.reaches(math.nan, 1, 0)

    @pytest.mark.parametrize("case", [c for c in cases("error") if c["input"]["call"] == "gaussian_node"])
    def test_reference_cases_of_errors(self, case):
        with pytest.raises((TableError, ScaleError)):
            adversary_of(case["input"]["args"])

    def test_another_kind_of_model(self):
        with pytest.raises(TypeError, match="The model is a ndarray; give a GaussianModel"):
            GaussianAdversary(np.eye(2), 0)
