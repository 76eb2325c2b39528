"""Printed values beside computed ones: what is a number has a difference, and wrong rows are named."""

from __future__ import annotations

import pytest

from pdp_widgets import DomainError, LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6
from pdp_widgets.publish import printed_beside


def test_only_two_numbers_have_a_difference():
    largest = PriorAnalysis(lsat6(), LaplaceMechanism(LinearQuery.sum(lsat6()), 1.0)).largest
    rows = [
        ("a leakage", 1.5, largest, ""),
        ("no number printed", "rises", 0.25, "a claim"),
        ("no number of ours", 2, "refused", ""),
        ("equal but for rounding", 0.1 + 0.2, 0.3, ""),
        ("tiny", 1e-5, 3.25e-5, ""),
    ]
    table = printed_beside(rows, digits=3)
    assert table.index.tolist() == [row[0] for row in rows]
    assert table["printed"].tolist() == ["1.5", "rises", "2", "0.3", "1e−05"]
    assert table["ours"].tolist() == ["1.49", "0.25", "refused", "0.3", "3.25e−05"]
    assert table["difference"].tolist() == ["−0.00689", "", "", "0", "+2.25e−05"]
    assert table["why"].tolist() == [row[3] for row in rows]


@pytest.mark.parametrize(
    "rows", [[("what", 1, 2)], [("a", 1, 2, ""), "b"], [("a", None, 2, "")]], ids=["three", "text", "none"]
)
def test_a_wrong_row_is_named(rows):
    with pytest.raises(DomainError, match=f"Row {len(rows) - 1}"):
        printed_beside(rows)


@pytest.mark.parametrize("digits", [0, 16, 2.0, True])
def test_digits_are_few(digits):
    with pytest.raises(DomainError, match="digits"):
        printed_beside([], digits=digits)
