"""Leakages of local reports as LaTeX tables, with what their numbers hold for."""

from __future__ import annotations

import numpy as np
import pytest

from pdp_widgets import AttributeTable, DomainError, LocalAnalysis, titanic


def test_tables_for_papers() -> None:
    analysis = LocalAnalysis(titanic(), "GRR", 1.0)
    text = analysis.to_latex(caption="Titanic", label="tab:t")
    assert r"class & -- & 0.538 & 0.546 & 0.268 \\" in text
    assert r"\label{tab:t}" in text
    listed = analysis.to_latex(most=2)
    assert r"class & age & 0.546 & 0.176 & adult from child & crew \\" in listed
    assert listed.count(r"\\") == 5
    with pytest.raises(DomainError, match="no column 'gain'"):
        analysis.to_latex(["gain"])
    many = AttributeTable(np.random.default_rng(40).integers(0, 2, (200, 40)), sizes=[2] * 40)
    assert "x40" in LocalAnalysis(many, "GRR", 1.0).to_latex(most=1560)
    stranger = AttributeTable(
        [[0, 0], [1, 1]], names=["<script>", "a & b_c"], domains=[["]]>", "$x"], [0, 1]]
    )
    hostile = LocalAnalysis(stranger, "GRR", 1.0).to_latex()
    assert "<script>" not in hostile
    assert r"a \& b\_c" in hostile


@pytest.mark.parametrize(("output", "seen"), [("raw", "raw reports, exact"), ("inferred", "a lower bound")])
def test_tables_say_what_their_numbers_hold_for(output: str, seen: str) -> None:
    analysis = LocalAnalysis(titanic(), "OUE", 1.5, output=output)
    row, other = ("report of", "guess of") if output == "raw" else ("guess of", "report of")
    for latex in (analysis.to_latex(), analysis.to_latex(most=3)):
        assert r"OUE, $\varepsilon$ = 1.5" in latex
        assert seen in latex
    assert analysis.to_latex().count(row) == 1
    assert other not in analysis.to_latex()
