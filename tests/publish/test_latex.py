r"""Tables in LaTeX: sound for booktabs, labels escaped, numbers those of the result."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import (
    AttributeTable,
    GaussianAnalysis,
    GaussianModel,
    JointDistribution,
    LaplaceMechanism,
    LinearQuery,
    LocalAnalysis,
    PriorAnalysis,
    WeightedHierarchicalGraph,
    anonymise,
    compare_noise,
    lsat6,
    titanic,
)
from pdp_widgets.errors import DomainError
from pdp_widgets.publish.latex_models import covariance_latex, distribution_latex
from pdp_widgets.publish.latex_text import escape, maths, tabular

#: Commands that LaTeX has without a package, and those of booktabs.
KNOWN = {
    "usepackage", "begin", "end", "toprule", "midrule", "bottomrule", "cmidrule", "multicolumn", "centering",
    "caption", "label", "textbackslash", "textasciicircum", "textasciitilde", "textless", "textgreater",
    "textbar", "char", "textasciigrave", "ldots", "texteuro", "textquoteleft", "times", "infty", "pm", "cdot",
    "leq", "geq", "neq", "approx", "rightarrow", "leftarrow", "circ", "surd", "in", "wedge", "vee", "neg",
    "alpha", "beta", "gamma", "delta", "varepsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu",
    "nu", "xi", "pi", "rho", "sigma", "tau", "varphi", "chi", "psi", "omega", "Gamma", "Delta", "Theta",
    "Lambda", "Xi", "Pi", "Sigma", "Phi", "Psi", "Omega",
}  # fmt: skip


def cells(line: str) -> list[str]:
    """Return the cells of one row."""
    assert line.endswith(r" \\") or line == r"\\", line
    return re.split(r"(?<!\\)&", line[: line.rindex(r"\\")])


def checked(table: str) -> list[list[str]]:
    """Check that LaTeX can read a table, and return its rows of cells."""
    lines = table.splitlines()
    assert table.endswith("\n")
    assert lines[0] == r"% \usepackage{booktabs}"
    body = [line for line in lines if not line.startswith("%")]
    text = "\n".join(body)
    # Braces and mathematics are closed, in this order.
    depth, inside = 0, False
    for sign in re.findall(r"\\.|[{}$]", text):
        if sign == "$":
            inside = not inside
        elif sign in "{}":
            depth += 1 if sign == "{" else -1
            assert depth >= 0
    assert depth == 0
    assert not inside
    # What LaTeX would take for a command is one, and nothing special stands bare.
    assert set(re.findall(r"\\([A-Za-z]+)", text)) <= KNOWN
    assert not re.search(r"(?<!\\)[#%~\"`]", text)
    assert not re.search(r"(?<!\\)[_^](?!\{)", re.sub(r"\\label\{[^}]*\}", "", text))
    assert re.search(r"\\begin\{tabular\}\{([lrc]+)\}", text)
    columns = len(re.search(r"\\begin\{tabular\}\{([lrc]+)\}", text)[1])  # type: ignore[index]
    rows = []
    for line in body:
        if not line.endswith(r"\\"):
            continue
        # After the end of a line, [ and * would be read as its options.
        assert line.lstrip()[:1] not in ("[", "*")
        row = cells(line)
        wide = sum(int(m[1]) - 1 for m in re.finditer(r"\\multicolumn\{(\d+)\}", line))
        assert len(row) + wide == columns, line
        rows.append([cell.strip() for cell in row])
    order = [r"\begin{tabular}", r"\toprule", r"\midrule", r"\bottomrule", r"\end{tabular}"]
    places = [text.index(part) for part in order]
    assert places == sorted(places)
    return rows


def prior(joint: JointDistribution, **choice: Any) -> PriorAnalysis:
    return PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1), **choice)


def hostile() -> JointDistribution:
    names = [r"50% of $A_1^2$ & #3 \end{tabular}", '[x]* "~|<>"', "a\nb\x00 ``--'' −λ≤"]
    table = np.array([[[0.25, 0.125]], [[0.125, 0.5]]])
    return JointDistribution(table, [["*", "["], ["100%"], ["a&b", "\\\\"]], names)


def test_a_distribution_is_pivoted_with_its_sums() -> None:
    joint = lsat6().marginal(["item 1", "item 2", "item 5"])
    rows = checked(joint.to_latex())
    assert rows[1] == ["item 1", "item 2", "0", "1", "sum"]
    assert rows[2] == ["0", "0", "0.009", "0.022", "0.031"]
    # A label is written once for the rows that share it.
    assert rows[3] == ["", "1", "0.003", "0.042", "0.045"]
    assert rows[-1] == ["sum", "", "0.130", "0.870", "1"]
    told = [float(cell) for row in rows[2:-1] for cell in row[2:4]]
    assert told == pytest.approx(joint.table.ravel(), abs=5e-4)
    other = checked(joint.to_latex(columns=["item 1"]))
    assert other[1] == ["item 2", "item 5", "0", "1", "sum"]
    assert float(other[2][2]) == pytest.approx(joint.probability([0, 0, 0]), abs=5e-4)
    assert checked(lsat6().marginal(["item 1"]).to_latex())[0] == ["item 1", "probability"]


def test_a_large_distribution_shows_its_most_likely_rows() -> None:
    rng = np.random.default_rng(3)
    large = JointDistribution.normalised(rng.random((2,) * 9))
    rows = checked(large.to_latex())
    assert len(rows) == 22
    values = [float(row[-1]) for row in rows[1:-1]]
    assert values == sorted(values, reverse=True)
    assert rows[-1][0] == r"\multicolumn{9}{l}{492 other rows together}"
    assert sum(values) + float(rows[-1][1]) == pytest.approx(1, abs=1e-3)
    assert len(checked(lsat6().to_latex(most=3))) == 5
    assert len(checked(lsat6().to_latex(most=32))) == 33


def test_adversaries_stand_sorted_with_the_numbers_of_the_analysis() -> None:
    analysis = prior(lsat6().marginal(["item 1", "item 2", "item 5"]))
    table = analysis.to_latex(with_paper=True, most=None)
    rows = checked(table)
    assert rows[0][:4] == ["attacked", "known", "exact (nats)", "chain rule, as printed (nats)"]
    assert len(rows) == 13
    for target, known, exact, paper, bound in rows[1:]:
        node = analysis.node(target, [] if known == "none" else known.split(", "))
        assert float(exact) == pytest.approx(node.value, abs=5e-4)
        at = analysis.graph(True).node(target, [] if known == "none" else known.split(", "))
        assert float(paper) == pytest.approx(at.paper, abs=5e-4)
        assert float(bound) >= float(exact)
    exact_values = [float(row[2]) for row in rows[1:]]
    assert exact_values == sorted(exact_values, reverse=True)
    assert "promise 1.000 nats" in table
    assert "known values: those of the row item 1 = 1" in table
    assert "the worst that can occur" in prior(analysis.distribution, convention="sup").to_latex()


def test_columns_order_and_number_of_adversaries_are_chosen() -> None:
    analysis = prior(lsat6())
    rows = checked(analysis.to_latex(["layer", "paper", "target", "determined"], sort="paper", most=7))
    assert rows[0] == ["unknown", "chain rule, as printed (nats)", "attacked", "determined"]
    assert len(rows) == 8
    assert float(rows[1][1]) == pytest.approx(analysis.paper.max(), abs=5e-4)
    assert checked(analysis.to_latex(["target"], sort=None, most=17))[17] == ["item 2"]
    gaussian = GaussianAnalysis(GaussianModel.equicorrelated(4, 0.3))
    assert checked(gaussian.to_latex(["exact", "layer"], most=1))[1] == ["1.900", "4"]
    assert "group" not in gaussian.to_latex()
    graph = WeightedHierarchicalGraph(["a", "b"], [[1.00002, 1.0], [2041.0, 2e-5]], promise=1.0)
    shown = [row[2] for row in checked(graph.to_latex())[1:]]
    # What is not the promise never reads like it.
    assert shown == ["$2{,}041$", "1.00002", "1.000", r"$2.0 \times 10^{-5}$"]


def test_noise_names_its_rules_and_never_too_little_of_it() -> None:
    joint = lsat6().marginal(["item 1", "item 2", "item 5"])
    found = compare_noise(joint, LinearQuery.sum(joint), 1.0)
    rows = checked(found.to_latex(unit="points"))
    assert rows[0][1] == "scale = mean $|$error$|$ (points)"
    assert [row[0] for row in rows[1:]] == ["plain DP", "group DP", "chain rule", "exact"]
    for row in rows[1:]:
        told = found[row[0]]
        assert told.scale * (1 - 1e-12) <= float(row[1]) <= told.scale * 1.001
        assert row[3] == ("yes" if told.holds else "no")
        assert (float(row[2]) <= 1.0) is told.holds
    given = "all 12 adversaries, given the row item 1 1, item 2 1, item 5 1 (convention instance)"
    assert given in found.to_latex()
    worst = compare_noise(joint, LinearQuery.sum(joint), 1.0, convention="sup").to_latex()
    assert "all 12 adversaries, worst case over all known values (convention sup)" in worst


def test_covariances_have_units_means_and_spreads() -> None:
    model = GaussianModel([5, 4], [[1.44, -0.6], [-0.6, 1.0]], names=["flat A", "solar_1"], unit="kWh")
    rows = checked(covariance_latex(model))
    assert rows[0] == ["covariance (kWh$^{2}$)", "flat A", r"solar\_1"]
    assert rows[1] == ["flat A", "1.44", "$-0.60$"]
    assert rows[3] == ["mean (kWh)", "5.00", "4.00"]
    assert rows[4] == ["standard deviation (kWh)", "1.20", "1.00"]
    assert checked(covariance_latex(model, correlation=True))[1] == ["flat A", "1.00", "$-0.50$"]
    plain = GaussianModel(None, np.eye(2), unit="m/s")
    assert checked(covariance_latex(plain))[0][0] == "covariance ((m/s)$^{2}$)"


def test_labels_cannot_become_commands() -> None:
    for table in (
        hostile().to_latex(),
        hostile().to_latex(most=2),
        PriorAnalysis(hostile(), LaplaceMechanism(LinearQuery([[0, 1], [0], [0, 1]]), 1)).to_latex(),
        covariance_latex(GaussianModel(None, np.eye(3), hostile().names, unit="50%_$")),
    ):
        checked(table)
    assert escape("50% & $x_1$ #2 {a} ~ ^ \\") == (
        r"50\% \& \$x\_1\$ \#2 \{a\} \textasciitilde{} \textasciicircum{} \textbackslash{}"
    )
    # Two hyphens stay two, and a line cannot begin with an option.
    assert escape("a--b ''") == "a-{}-b '{}'"
    assert escape("[1] *") == "{[}1{]} {*}"
    assert escape("a\n\\begin") == r"a \textbackslash{}begin"


@given(st.lists(st.text(max_size=20), min_size=2, max_size=3, unique=True))
def test_any_text_is_a_cell(labels: list[str]) -> None:
    table = tabular("lr", ["label", "nats"], [[[escape(label), "1"] for label in labels]])
    assert len(checked(table)) == len(labels) + 1


def test_numbers_are_written_for_mathematics() -> None:
    told = [maths(text) for text in ("1.398", "−0.60", "2.1e−8", "1e-05", "12,041", "−∞", "0")]
    assert told == [
        "1.398",
        "$-0.60$",
        r"$2.1 \times 10^{-8}$",
        r"$1 \times 10^{-5}$",
        "$12{,}041$",
        r"$-\infty$",
        "0",
    ]


def test_a_caption_or_label_makes_the_table_float() -> None:
    table = titanic().to_latex(caption=r"What $\lambda$ does", label="tab:titanic_1")
    checked(table)
    lines = table.splitlines()
    assert lines[1:5] == [
        r"\begin{table}",
        r"\centering",
        r"\caption{What $\lambda$ does}",
        r"\label{tab:titanic_1}",
    ]
    assert lines[-1] == r"\end{table}"
    assert r"\begin{table}" not in titanic().to_latex()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: prior(lsat6()).to_latex(["exakt"]), "'exakt'; there are target, known"),
        (
            lambda: prior(lsat6()).graph().to_latex(["paper"]),
            "no column 'paper'; there are target",
        ),
        (lambda: prior(lsat6()).to_latex(sort="size"), "no column 'size'"),
        (lambda: prior(lsat6()).to_latex([]), "at least one column"),
        (lambda: prior(lsat6()).to_latex(most=0), "1 or more"),
        (lambda: lsat6().to_latex(most=True), "1 or more"),
        (lambda: lsat6().to_latex(columns=lsat6().names), "All tuples are to stand across"),
        (lambda: lsat6().to_latex(columns=["item 9"]), "item 9"),
        (lambda: lsat6().to_latex(caption=3), "The caption is 3"),
        (lambda: lsat6().to_latex(label="a b"), "tab:leakage"),
    ],
)
def test_a_wrong_choice_names_what_is_accepted(call: Any, words: str) -> None:
    with pytest.raises(DomainError, match=re.escape(words)) as caught:
        call()
    assert caught.value.where is not None


def test_the_same_input_gives_the_same_table() -> None:
    assert distribution_latex(titanic()) == distribution_latex(titanic())


def test_an_empty_label_on_paper_is_said_to_be_empty_and_an_empty_set_is_none() -> None:
    classes = anonymise({"age": [1.0, 2.0, 3.0, 4.0], "ill": ["", "", "flu", " "]}, "age", 2)
    cells = [line.split(" & ")[-1] for line in classes.to_latex().splitlines() if line.endswith(r"\\")]
    assert cells[1:5] == [r"(empty) \\", r"(empty) \\", r"flu \\", r"(empty) \\"]
    joint = JointDistribution.from_counts([[40, 10], [10, 40]], domains=[["", "a"], [0, 1]])
    assert "(empty) & 0.400" in joint.to_latex()
    analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery([[0, 1], [0, 1]]), 1))
    assert "x1 & none & " in analysis.intervals(draws=10, rng=1).to_latex()
    stranger = AttributeTable([[0, 0], [1, 1]], domains=[["", "x"], ["", 1]])
    assert "& (empty) from 1 & (empty)" in LocalAnalysis(stranger, "GRR", 1.0).to_latex(most=1)


def test_a_missing_value_on_paper_is_no_label_of_that_name() -> None:
    classes = anonymise({"age": [1.0, 2.0, 3.0, 4.0], "ill": ["none", None, "flu", None]}, "age", 2)
    cells = [line.split(" & ")[-1] for line in classes.to_latex().splitlines() if line.endswith(r"\\")]
    assert cells[1:5] == [r"none \\", r"-- \\", r"flu \\", r"-- \\"]
