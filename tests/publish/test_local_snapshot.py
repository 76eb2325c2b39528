"""The static picture of the local explorer: sound, bounded, with every number as text; figures and LaTeX."""

from __future__ import annotations

import json
import math
import re
from datetime import date
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from pdp_widgets import RAPPOR, SS, AttributeTable, DomainError, LocalAnalysis, anes96, titanic
from pdp_widgets.leakage.local.all_reports import all_reports
from pdp_widgets.models.local_examples import conditionally_independent, parity, two_attributes
from pdp_widgets.publish.formatting import leakage
from pdp_widgets.publish.local_heat_picture import heat_cells
from pdp_widgets.publish.local_pair_picture import pair_facts, worst_sentence
from pdp_widgets.publish.local_snapshot import local_case, local_snapshot
from pdp_widgets.publish.local_wording import LocalCase, audit, heading, lead
from pdp_widgets.publish.save import figure
from pdp_widgets.publish.svg import Sheet, Svg
from pdp_widgets.publish.wording import plain

DAY = date(2026, 11, 28)
LIMIT = 20 * 1024
SHARED = Path(__file__).parents[1] / "data" / "local-lead-cases.json"
CASES = json.loads(SHARED.read_text(encoding="utf-8"))["cases"]


def drawn(columns: int, symbols: int = 2, records: int = 200) -> AttributeTable:
    return AttributeTable(
        np.random.default_rng(columns).integers(0, symbols, (records, columns)), sizes=[symbols] * columns
    )


ANALYSES = {
    "titanic": lambda: LocalAnalysis(titanic(), "GRR", 1.0),
    "survey": lambda: LocalAnalysis(anes96(), "GRR", 1.0),
    "guesses": lambda: LocalAnalysis(anes96(), "SHE", 2.0, output="inferred"),
    "unary": lambda: LocalAnalysis(titanic(), "OUE", 1.0),
    "hashing": lambda: LocalAnalysis(titanic(), "OLH", 1.0),
    "any": lambda: LocalAnalysis(titanic(), "generic", 3.0),
    "rappor": lambda: LocalAnalysis(titanic(), RAPPOR(0.5, 0.5, 0.75)),
    "sets": lambda: LocalAnalysis(drawn(3, 7), SS(1.0, omega=3)),
    "one": lambda: LocalAnalysis(titanic().marginal(["age"]), "GRR", 1.0),
    "two": lambda: LocalAnalysis(two_attributes(), "GRR", 1.0),
    "twelve": lambda: LocalAnalysis(drawn(12), "GRR", 1.0),
    "forty": lambda: LocalAnalysis(drawn(40), "OUE", 1.0),
    "nine": lambda: LocalAnalysis(drawn(9, 3), "OUE", 1.0, output="inferred"),
    "long names": lambda: LocalAnalysis(
        AttributeTable(
            drawn(12, 5).codes, names=[f"question {k} of a long form" for k in range(12)], sizes=[5] * 12
        ),
        "GRR",
        1.0,
    ),
    "many symbols": lambda: LocalAnalysis(drawn(2, 60), "GRR", 1.0),
    "no budget": lambda: LocalAnalysis(titanic(), "GRR", 0.0),
    "tiny": lambda: LocalAnalysis(titanic(), "OUE", 1e-9),
    "large": lambda: LocalAnalysis(titanic(), "SHE", 710.0),
    "no noise": lambda: LocalAnalysis(titanic(), "GRR", math.inf),
    "independent": lambda: LocalAnalysis(
        conditionally_independent([0.5, 0.5], [[[0.5, 0.5]] * 2] * 2), "GRR", 1.0
    ),
    "rare": lambda: LocalAnalysis(titanic(), "GRR", 1.0, min_count=300),
    "hostile": lambda: LocalAnalysis(
        AttributeTable(
            [[0, 0, 1], [1, 1, 0], [0, 1, 1]],
            names=["<script>alert(1)</script>", "ש" * 5_000, "a\n\x00\u202eb & 'c'"],
            domains=[["]]>", "<img>"], [0, 1], ["x" * 4000, ""]],
            title="]]><foreignObject>",
        ),
        "GRR",
        1.0,
    ),
}


def words(svg: str) -> str:
    return " ".join(ElementTree.fromstring(svg).itertext())


@pytest.mark.parametrize("name", ANALYSES)
def test_the_picture_is_sound_and_small(name: str) -> None:
    analysis = ANALYSES[name]()
    n = len(analysis.names)
    totals = all_reports(analysis, longest=0.5)
    for given, pair in ((totals, None), (None, None if n == 1 else (n - 1, 0))):
        shot = local_snapshot(analysis, given, pair, day=DAY)
        root = ElementTree.fromstring(shot.svg)
        assert len(shot.svg.encode()) <= LIMIT
        assert len(shot.html.encode()) <= 7 * LIMIT
        tags = {element.tag.rpartition("}")[2] for element in root.iter()}
        assert tags <= {
            *("svg", "title", "style", "g", "text", "tspan"),
            *("path", "rect", "circle", "linearGradient", "stop"),
        }
        for element in root.iter():
            assert not any(key.lower().startswith("on") or "href" in key for key in element.attrib)
            assert not any(re.search(r"nan|inf", value.lower()) for value in element.attrib.values())
        # A bound that is cut off would read as a smaller one.
        assert not re.search(r"≤ [\d.,]*…", words(shot.svg))
        assert "<script" not in shot.html
        assert "nan" not in shot.text
        assert "undefined" not in shot.text
        assert "Computed28November2026" in re.sub(r"\s+", "", words(shot.svg))


def test_every_number_of_the_titanic_is_text_in_the_picture() -> None:
    analysis = ANALYSES["titanic"]()
    shot = local_snapshot(analysis, all_reports(analysis), ("class", "survived"), noun="person", day=DAY)
    shown = words(shot.svg)
    off = ~np.eye(4, dtype=bool)
    for value in analysis.matrix[off]:
        assert leakage(float(value)) in shown
    for text in (
        *("Titanic: 2,201 people aboard, 4 attributes, each reported on its own", "1st 325, 2nd 285"),
        *("raw report", "0.475 to 0.731", "own: 1.000", "2.022", "2.086", "1.834", "1.808"),
        *("Report of class, secret survived", "mirror 0.384", "Any ε-LDP", "0.287", "1.249", "saturates"),
        *("0.082", "0.286", "worst", "limit 1.25", "limit 0.96", "Equal at ε = 2.44"),
        *("too low by 0.026; in all 1 too low, 3 too high", "2.882", "never too low"),
    ):
        assert text in shown, text
    assert "“1st” is reported with chance 0.261 if yes and 0.199 if no." in shown
    assert shot.text == (
        "Each report promises to leak at most 1.000 nats about its own attribute, at ε = 1.00. Class alone "
        "leaks 0.268 about survived. All four reports together leak 1.834, more than the published sum of "
        "1.808.\nPromise 1.000 nats, own report. Exact, all four reports, about survived: 1.834. Paper’s "
        "pairwise sum 1.808 (Eq. 6, not a bound): too low for 1, too high for 3 of 4. Joint bound 2.882, "
        "never too low."
    )
    for value in analysis.matrix[off]:
        assert f"<td>{leakage(float(value))}</td>" in shot.details
    assert "Eq. 6, not a bound; too low for 1, too high for 3" in shot.summary
    for text in ("<td>325</td>", "<th>1st</th><td>0.2855</td><td>0.0819</td><td>worst</td>", "<th>∞</th>"):
        assert text in shot.details, text


def test_the_sum_is_never_called_a_bound() -> None:
    for name in ("titanic", "survey", "forty", "one"):
        analysis = ANALYSES[name]()
        shot = local_snapshot(analysis, all_reports(analysis, longest=0.5), day=DAY)
        for text in (shot.text, shot.summary, shot.details):
            for found in re.finditer(r"pairwise sum", text):
                assert "upper bound" not in text[found.start() : found.start() + 120]
        assert "not a bound" in shot.text


def test_without_exact_values_the_bound_is_said() -> None:
    analysis = ANALYSES["forty"]()
    shot = local_snapshot(analysis, all_reports(analysis, longest=0.1), day=DAY)
    assert "All 40 reports together leak at most " in shot.text
    assert "not computed" in shot.text
    assert "not computed" in words(shot.svg)


def test_a_guess_is_called_one() -> None:
    analysis = ANALYSES["guesses"]()
    shot = local_snapshot(analysis, None, ("party", "vote"), day=DAY)
    assert "What is guessed from party alone leaks" in shot.text
    assert "one attack" in words(shot.svg)
    assert "a lower bound" in shot.summary


def test_nothing_leaks() -> None:
    shot = local_snapshot(ANALYSES["independent"](), None, (0, 1), day=DAY)
    assert "alone leaks 0 about" in shot.text
    assert "No report tells values of the secret apart." in words(shot.svg)


def test_a_mechanism_without_a_budget_has_no_curve() -> None:
    shot = local_snapshot(ANALYSES["rappor"](), None, ("class", "age"), day=DAY)
    assert "RAPPOR has no budget to set" in words(shot.svg)
    assert "Leakage by budget" not in shot.details


def test_records_behind_all_reports_are_counted_where_values_are_missing() -> None:
    table = AttributeTable([[0, 1], [1, 0], [1, -1], [0, 0], [1, 1]])
    analysis = LocalAnalysis(table, "GRR", 1.0)
    shot = local_snapshot(analysis, all_reports(analysis), day=DAY)
    assert shot.caption.endswith("All reports together: the 4 records without a missing value.")
    assert "1, left out" in words(shot.svg)


def test_an_unknown_attribute_is_named() -> None:
    with pytest.raises(DomainError, match="There is no attribute 'cabin'"):
        local_snapshot(ANALYSES["titanic"](), None, ("cabin", "age"))


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_the_lead_is_the_browser_s(case: dict[str, Any]) -> None:
    given = {name: math.inf if value == "Infinity" else value for name, value in case.items()}
    text, roles, head = (given.pop(name) for name in ("text", "roles", "heading"))
    chosen = LocalCase(**given)
    parts = lead(chosen)
    assert plain(parts) == text
    assert [role for _, role in parts if role] == roles
    assert (heading(chosen) if chosen.source else "") == head


def test_sentences_about_the_worst_report() -> None:
    unary = ANALYSES["unary"]().pair("class", "survived")
    assert worst_sentence(unary, 4).startswith("The worst report favours “1st, 2nd”, the truth with chance")
    infinite = ANALYSES["no noise"]().pair("class", "age")
    assert worst_sentence(infinite, 4) == (
        "“crew” is only possible if adult, not if child: the ratio is infinite."
    )
    hashed = ANALYSES["hashing"]().pair("survived", "class")
    assert worst_sentence(hashed, 2).startswith("The worst report favours")


def test_facts_name_what_was_left_out_and_delta() -> None:
    rows = pair_facts(ANALYSES["rare"](), "sex", "class", "person")
    assert ("Left out", "1", "values of the secret, too rare") in rows
    from pdp_widgets import AnyMechanism

    rows = pair_facts(LocalAnalysis(titanic(), AnyMechanism(1.0, 0.01)), "class", "survived", "person")
    assert any(row[0] == "δ of the secret" for row in rows)


def test_the_audit_without_totals_is_the_promise() -> None:
    analysis = ANALYSES["titanic"]()
    assert audit(local_case(analysis, None, (0, 3)), 0, 0) == "Promise 1.000 nats, own report."


# Figures and tables for papers


@pytest.mark.parametrize("part", [None, "matrix", "rows", "curves", "all"])
def test_figures_for_papers(part: str | None) -> None:
    analysis = ANALYSES["survey"]()
    made = figure(analysis, part, target="vote", known="party", width="page")
    shown = words(made.svg)
    if part in (None, "matrix", "all"):
        assert "0.945" in shown
    if part in ("rows", "all"):
        assert "strong Democrat" in shown
    if part in ("curves", "all"):
        assert "Leakage against ε" in shown
    assert "GRR, ε = 1.00" in made.svg


def test_saving(tmp_path: Path) -> None:
    analysis = ANALYSES["titanic"]()
    analysis.save(tmp_path / "pair.svg", "rows", source="class", secret="survived")
    assert "crew" in (tmp_path / "pair.svg").read_text(encoding="utf-8")
    analysis.save(tmp_path / "map.png", width=120)
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(DomainError, match="give both, or none"):
        analysis.save(tmp_path / "x.svg", source="class")
    with pytest.raises(DomainError, match="no part 'graph'"):
        analysis.save(tmp_path / "x.svg", "graph")


def test_tables_for_papers() -> None:
    text = ANALYSES["titanic"]().to_latex(caption="Titanic", label="tab:t")
    assert r"class & -- & 0.538 & 0.546 & 0.268 \\" in text
    assert r"\label{tab:t}" in text
    listed = ANALYSES["titanic"]().to_latex(most=2)
    assert r"class & age & 0.546 & 0.176 & adult from child & crew \\" in listed
    assert listed.count(r"\\") == 5
    with pytest.raises(DomainError, match="no column 'gain'"):
        ANALYSES["titanic"]().to_latex(["gain"])
    assert "x40" in LocalAnalysis(drawn(40), "GRR", 1.0).to_latex(most=1560)
    hostile = ANALYSES["hostile"]().to_latex()
    assert "<script>" not in hostile


@pytest.mark.parametrize(("output", "seen"), [("raw", "raw reports, exact"), ("inferred", "a lower bound")])
def test_figures_and_tables_say_what_their_numbers_hold_for(output: str, seen: str) -> None:
    analysis = LocalAnalysis(titanic(), "OUE", 1.5, output=output)
    row = "report of" if output == "raw" else "guess of"
    other = "guess of" if output == "raw" else "report of"
    shown = words(figure(analysis).svg)
    for text in ("OUE, ε = 1.50", seen, "nats", row):
        assert text in shown
    assert other not in shown
    for latex in (analysis.to_latex(), analysis.to_latex(most=3)):
        assert r"OUE, $\varepsilon$ = 1.50" in latex
        assert seen in latex
    assert analysis.to_latex().count(row) == 1
    assert other not in analysis.to_latex()


def test_exclusive_or_in_words() -> None:
    analysis = LocalAnalysis(parity(), "GRR", 1.0)
    shot = local_snapshot(analysis, all_reports(analysis), ("bit 1", "parity"), day=DAY)
    assert "All three reports together leak 1.434, more than the published sum of 1.000." in shot.text


@pytest.mark.parametrize("output", ["raw", "inferred"])
def test_a_curve_is_saved_with_what_it_holds_for(tmp_path: Path, output: str) -> None:
    analysis = LocalAnalysis(titanic(), "OUE", 1.0, output=output)
    curve = analysis.curve("class", "survived", [2.0, 0.5, 0.5, math.inf, 6.0])
    shown = words(curve.save(tmp_path / "curve.svg").read_text(encoding="utf-8"))
    said = "raw reports, exact" if output == "raw" else "guesses, a lower bound"
    for text in ("of class leaks about survived", "OUE", said, "budget ε, nats", "leakage, nats"):
        assert text in shown
    assert len(curve.to_dataframe()) == 5
    with pytest.raises(DomainError, match="finite budgets"):
        analysis.curve("class", "survived", [math.inf]).save(tmp_path / "none.svg")


@pytest.mark.parametrize("n", [15, 30])
@pytest.mark.parametrize("room", [320.0, 600.0])
def test_the_map_of_many_attributes_names_every_row_and_numbers_every_column(n: int, room: float) -> None:
    rng = np.random.default_rng(1)
    names = [f"answer {k}" for k in range(n)]
    analysis = LocalAnalysis(AttributeTable(rng.integers(0, 2, (60, n)), names=names), "GRR", 1.0)
    svg = Svg(Sheet())
    heat_cells(svg, analysis, (0, 1), room, 0.0)
    told = re.findall(r">([^<>]+)<", str(svg))
    assert {f"{k + 1} {name}" for k, name in enumerate(names)} <= set(told)
    assert {"report of", "about the secret"} <= set(told)
    # Digits on one line are one text with a place for each.
    digits = re.findall(r"\d", "".join(text for text in told if not re.search("[a-z.]", text)))
    assert sorted(digits) == sorted("".join(str(k + 1) for k in range(n)))
