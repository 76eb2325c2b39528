"""Browser and Python take the same matrices for covariances, in any units, and find the same nearest one."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from pdp_widgets.models.covariance import nearest_covariance
from pdp_widgets.models.covariance_matrix import is_positive_semidefinite, smallest_eigenvalue
from tests.publish.browser_numbers import answers

sizes = st.sampled_from([0.0, 1e-30, 1e-8, 1.0, 1.0, 1.0, 3.0, 1e8, 1e30, 1e150])


@st.composite
def matrices(draw):
    """Symmetric matrices, right ones, wrong ones and those next to the border, in many units."""
    n = draw(st.integers(1, 4))
    deviations = np.array([draw(sizes) for _ in range(n)])
    border = st.sampled_from([0.0, 0.5, -0.5, 1.0, -1.0, 1 + 5e-10, 1 + 5e-9, 1 + 1e-7, 1.00001, 1.5, -30.0])
    matrix = np.eye(n)
    for i in range(n):
        for j in range(i):
            matrix[i, j] = matrix[j, i] = draw(st.one_of(border, st.floats(-1.2, 1.2)))
    if draw(st.booleans()):
        rows = np.array([[draw(st.integers(-2, 2)) for _ in range(2)] for _ in range(n)], dtype=float)
        matrix = rows @ rows.T
    return matrix * deviations * deviations[:, None]


# One run of node for many matrices: examples are smaller than what a run costs.
@settings(max_examples=4, deadline=None, phases=[Phase.generate])
@given(st.lists(matrices(), min_size=100, max_size=150))
def test_the_browser_judges_matrices_as_python_does(found):
    # Larger entries are refused on both sides.
    found = [matrix for matrix in found if np.abs(matrix).max() <= 2.0**1000]
    for matrix, answer in zip(found, answers([["covariances", [m.ravel() for m in found]]])[0], strict=True):
        assert answer["valid"] == is_positive_semidefinite(matrix), matrix.tolist()
        least, size = smallest_eigenvalue(matrix), float(np.abs(matrix).max())
        assert math.isclose(answer["smallest"], least, rel_tol=0, abs_tol=1e-12 * size), matrix.tolist()
        assert (answer["smallest"] == 0) == (least == 0) or abs(least) < 1e-12 * size, matrix.tolist()
        near = nearest_covariance(matrix)
        assert answer["still"]
        assert is_positive_semidefinite(near)
        deviations = np.sqrt(np.diag(near))
        apart = np.abs(np.reshape(answer["near"], near.shape) - near)
        assert (apart <= 1e-6 * np.outer(deviations, deviations) + 1e-14 * size).all(), matrix.tolist()
