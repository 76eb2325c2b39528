"""Networks as values: tables, files, chains, trees that are learned, and what is refused in what words."""

import sys
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pytest

from pdp_widgets import MarkovChain
from pdp_widgets.errors import (
    ChainError,
    DomainError,
    FewRecordsWarning,
    InstanceError,
    LimitError,
    NetworkError,
    PdpError,
    TableError,
)
from pdp_widgets.models.networks.chow_liu import mutual_information
from pdp_widgets.networks import BayesianNetwork, MarkovNetwork, NetworkAnalysis

HALF = [0.5, 0.5]
BOTH = [HALF, HALF]
COIN = "variable a { type discrete [2] { no, yes }; } "


def net(tables, edges=(), domains=None):
    return lambda: BayesianNetwork(edges, tables, domains)


def bif(text):
    return lambda: BayesianNetwork.from_bif(text)


PAIR = COIN + COIN.replace(" a ", " b ")
#: A row in a file in every form: the text, the line of the row, and of what.
IN_FILES = {
    "table": (COIN + "probability (a) {\n table ROW; }", 2, "a"),
    "table with parents": (
        PAIR + "probability (b) {\ntable 1, 0; }\nprobability (a|b) { table 1 ROW 0; }",
        3,
        "a",
    ),
    "row": (
        PAIR + "probability (b) {table 1, 0;}\nprobability (a|b) {\n(no) 1, 0;\n(yes) ROW;}",
        4,
        "a",
    ),
    "default": (PAIR + "probability (b) {table 1, 0;}\nprobability (a|b) {(no) 1, 0;\ndefault ROW;}", 3, "a"),
}
REFUSED = {
    "a circle": (net({"a": BOTH, "b": BOTH}, [("a", "b"), ("b", "a")]), NetworkError, "run in a circle"),
    "a tuple as its own parent": (net({"a": BOTH}, [("a", "a")]), NetworkError, "circle"),
    "an edge twice": (net({"a": HALF, "b": BOTH}, [("a", "b")] * 2), NetworkError, "twice"),
    "an unknown parent": (net({"a": HALF}, [("z", "a")]), DomainError, "no tuple named z"),
    "an edge that is none": (net({"a": HALF}, ["ab"]), DomainError, "pair parent, child"),
    "no tuple": (net({}), DomainError, "no tuple"),
    "no tables": (lambda: BayesianNetwork([], [HALF]), TableError, "by the name of each tuple"),
    "a shape": (net({"a": HALF, "b": HALF}, [("a", "b")]), TableError, "axes are a, b"),
    "a row": (net({"a": HALF, "b": [[0.5, 0.6], HALF]}, [("a", "b")]), TableError, "for a = 0 sums to 1.1"),
    "a negative entry": (net({"a": [-0.5, 1.5]}), TableError, "-0.5 at [0]"),
    "a missing entry": (net({"a": [float("nan"), 1]}), TableError, "nan at [0]"),
    "a number alone": (net({"a": 0.5}), TableError, "a single number"),
    "text": (net({"a": ["x", "y"]}), TableError, "a"),
    "equal labels": (net({"a": HALF}, domains={"a": [1, 1]}), DomainError, "twice"),
    "labels that do not fit": (net({"a": HALF}, domains={"a": [1, 2, 3]}), TableError, "(3,) labels"),
    "labels of nobody": (net({"a": HALF}, domains={"b": [1, 2]}), DomainError, "no tuple named b"),
    "factors that exclude each other": (
        lambda: MarkovNetwork([(["a", "b"], [[0, 1], [1, 0]]), (["a", "b"], np.eye(2))]),
        TableError,
        "No row has a positive weight",
    ),
    "a factor of another shape": (lambda: MarkovNetwork([(["a", "b"], HALF)]), TableError, "shape (2,)"),
    "a factor alone": (lambda: MarkovNetwork([0.5]), TableError, "give a scope and a table"),
    "a stationary law of two": (lambda: BayesianNetwork.chain(np.eye(2), 3), ChainError, ""),
    "matrices that differ": (
        lambda: BayesianNetwork.chain([[[0.8, 0.2], [0.2, 0.8]], [[0.8, 0.2], [0.3, 0.7]]], 3),
        ChainError,
        "no law is stationary",
    ),
    "matrices for other steps": (
        lambda: BayesianNetwork.chain([BOTH], 3, HALF),
        ChainError,
        "1 matrices for 3",
    ),
    "matrices of two lengths": (lambda: BayesianNetwork.chain([[0.5, 0.5], [1.0]], 3), ChainError, ""),
    "a chain of second order": (
        lambda: BayesianNetwork.chain(MarkovChain(np.full((2, 2, 2), 0.5)), 3),
        ChainError,
        "second order",
    ),
    "a file cut": (bif("network n {\n}\n" + COIN + "\nprobability (a) {"), NetworkError, "Line 4"),
    "a quotation that stays open": (
        bif('network n {\n}\nvariable "a { type'),
        NetworkError,
        "Line 3: '\"' opens",
    ),
    "a comment that stays open": (bif(COIN + "/* table"), NetworkError, "not closed"),
    "no variable": (bif("network n { }"), NetworkError, "no variable"),
    "no table": (bif(COIN), NetworkError, "no block of probabilities"),
    "a missing row": (
        bif(
            COIN + COIN.replace(" a ", " b ") + "probability (a) {table 1,0;}\nprobability (b|a) {(no) 1,0;}"
        ),
        NetworkError,
        "Line 2: b has no row for (yes)",
    ),
    "a row twice": (
        bif(
            COIN
            + COIN.replace(" a ", " b ")
            + "probability (a) {table 1,0;} probability (b|a) {(no) 1,0;(no) 1,0;}"
        ),
        NetworkError,
        "given twice",
    ),
    "a row that sums to 2": (bif(COIN + "probability (a) { table 1, 1; }"), TableError, "sums to 2"),
    **{
        f"{row} in a file as a {form}": (
            bif(text.replace("ROW", row)),
            TableError,
            f"Line {line}: The table of {what}",
        )
        for row in ("nan, nan", "-0.5, 1.5", "inf, -inf", "1, 1")
        for form, (text, line, what) in IN_FILES.items()
    },
    **{
        f"{name} in a block": (bif(COIN + "probability (a) {\n" + text + "}"), NetworkError, words)
        for name, (text, words) in {
            "a table and a row": ("table .5, .5;\n() 1, 0;\n", "Line 3: a has a table, and rows"),
            "a table and a default": ("default 1, 0; table .5, .5;\n", "Line 2: a has a table, and rows"),
            "two tables": ("table .5, .5;\ntable 1, 0;", "Line 3: a has two statements 'table'"),
            "two defaults": ("default .5, .5;\ndefault 1, 0;", "Line 3: a has two statements 'default'"),
        }.items()
    },
    "a number that is code": (
        bif(COIN + "probability (a) { table __import__, 1; }"),
        NetworkError,
        "no number",
    ),
    "a name that is code": (bif("variable a(b) { }"), NetworkError, "'{' is due here, and '(' stands there"),
    "an unknown parent in a file": (
        bif(COIN + "probability (a|z) { table 1, 0; }"),
        NetworkError,
        "z is no variable",
    ),
    "a wrong number of labels": (
        bif("variable a { type discrete [3] { no, yes }; }"),
        NetworkError,
        "have 3 labels, and 2",
    ),
    "a continuous variable": (bif("variable a { type continuous [1] { x }; }"), NetworkError, "not discrete"),
    "a block of another kind": (bif(COIN + "utility (a) { }"), NetworkError, "'utility' is no block"),
    "a variable twice": (bif(COIN + COIN), NetworkError, "declared twice"),
    "a table that is enormous": (
        bif(
            "".join(f"variable v{j} {{ type discrete [2] {{ x, y }}; }} " for j in range(40))
            + "".join(f"probability (v{j}) {{ table 1, 0; }} " for j in range(39))
            + f"probability (v39 | {', '.join(f'v{j}' for j in range(39))}) {{ default 1, 0; }}"
        ),
        LimitError,
        "cells",
    ),
    "impossible evidence": (
        lambda: BayesianNetwork([("a", "b")], {"a": HALF, "b": np.eye(2)}).posterior("a", {"a": 0, "b": 1}),
        PdpError,
        "",
    ),
    "evidence that cutting would hide": (
        lambda: BayesianNetwork([("a", "b")], {"a": HALF, "b": np.eye(2), "c": HALF}).posterior(
            "c", {"a": 0, "b": 1}
        ),
        InstanceError,
        "have probability 0",
    ),
    "a joint table of many": (
        lambda: BayesianNetwork.chain(BOTH, 40).joint(),
        LimitError,
        "1,099,511,627,776 cells",
    ),
    "no records": (lambda: BayesianNetwork.chow_liu({"a": [], "b": []}), TableError, "no rows"),
    "negative pseudo-records": (
        lambda: BayesianNetwork.chow_liu({"a": [0, 1]}, alpha=-1),
        TableError,
        "alpha",
    ),
    "a missing value": (lambda: BayesianNetwork.chow_liu({"a": [0, None]}), DomainError, "missing"),
    "no table in a graph": (
        lambda: BayesianNetwork.from_networkx(graph_without_tables()),
        TableError,
        "no attribute",
    ),
    "no records to draw from": (lambda: BayesianNetwork([], {"a": HALF}).drawn(), TableError, "not learned"),
}


def graph_without_tables():
    import networkx as nx

    return nx.DiGraph([("a", "b")])


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_network_is_refused(name):
    make, kind, words = REFUSED[name]
    with pytest.raises(kind) as fault:
        make()
    assert words in str(fault.value)
    assert str(fault.value)


def test_rows_that_miss_1_a_little_are_divided_by_their_sum():
    text = COIN + "probability (a) { table 0.3333333, 0.6666666; }"
    assert BayesianNetwork.from_bif(text).table("a").sum() == pytest.approx(1.0, abs=1e-15)
    with pytest.raises(TableError):
        BayesianNetwork([], {"a": [0.3333333, 0.6666666]})


def test_a_file_is_read_as_it_was_written(tmp_path):
    rng = np.random.default_rng(0)
    tables = {
        "a": rng.dirichlet([1, 1, 1]),
        "b": rng.dirichlet([1, 1], size=3),
        "c d": rng.dirichlet([1, 1], size=(2, 3)),
    }
    labels = {"a": ["x", "y z", "é"], "b": ["0", "1"], "c d": ["no", "yes"]}
    made = BayesianNetwork([("a", "b"), ("b", "c d"), ("a", "c d")], tables, labels)
    made.to_bif(tmp_path / "made.bif")
    assert BayesianNetwork.from_bif(tmp_path / "made.bif") == made
    assert BayesianNetwork.from_bif(str(tmp_path / "made.bif")) == made
    with pytest.raises(FileNotFoundError):
        BayesianNetwork.from_bif(tmp_path / "none.bif")
    (tmp_path / "bytes.bif").write_bytes(b"variable \xff { }")
    with pytest.raises(NetworkError, match="byte 9"):
        BayesianNetwork.from_bif(tmp_path / "bytes.bif")


def test_a_table_with_parents_lists_its_own_first_label_first():
    text = (
        COIN
        + COIN.replace(" a ", " b ")
        + "probability (a) {table .2 .8;} probability (b|a) {table .1 .2 .9 .8;}"
    )
    assert BayesianNetwork.from_bif(text).table("b").tolist() == [[0.1, 0.9], [0.2, 0.8]]


def test_joint_posterior_and_marginals_are_those_of_the_product():
    made = BayesianNetwork(
        [("a", "c"), ("b", "c")], {"a": [0.3, 0.7], "b": HALF, "c": [[[0.1, 0.9], HALF], [HALF, [1, 0]]]}
    )
    table = np.einsum("a,b,abc->abc", made.table("a"), made.table("b"), made.table("c"))
    assert made.joint().table == pytest.approx(table)
    assert made.posterior(["c", "a"], {"b": 1}).table == pytest.approx((table[:, 1] / table[:, 1].sum()).T)
    same = MarkovNetwork(
        [(["b", "a", "c"], 7 * table.transpose(1, 0, 2))], {"a": [0, 1], "b": [0, 1], "c": [0, 1]}
    )
    assert same.joint().table == pytest.approx(table)


def test_a_tuple_without_a_factor_is_uniform():
    made = MarkovNetwork([("a", [1, 3])], {"a": [0, 1], "b": [0, 1, 2]})
    assert made.marginal("b") == pytest.approx([1 / 3] * 3)
    assert sorted(made.to_networkx().nodes) == ["a", "b"]


def test_a_chain_is_that_of_the_streams():
    chain = MarkovChain([[0.9, 0.1], [0.4, 0.6]], states=["dry", "wet"])
    made = BayesianNetwork.chain(chain, 4)
    assert made.joint().table == pytest.approx(chain.joint(4).table)
    assert made.names == chain.joint(4).names
    assert made.is_path
    assert BayesianNetwork.chain([[0.999, 0.001], [0.002, 0.998]], 5).marginal(4) == pytest.approx(
        [2 / 3, 1 / 3]
    )
    assert BayesianNetwork.chain(BOTH, 1).n_tuples == 1


FRAME = {"a": [0, 0, 1, 1, 1, 0], "b": ["x", "x", "y", "y", "x", "x"], "c": [0, 1, 0, 1, 1, 0]}


@pytest.mark.parametrize("kind", [dict, pd.DataFrame, pl.DataFrame, lambda f: pl.DataFrame(f).lazy()])
def test_a_tree_is_learned_from_frames_of_any_library(kind):
    plain = BayesianNetwork.chow_liu(FRAME)
    assert BayesianNetwork.chow_liu(kind(FRAME)) == plain
    weighted = {**{name: column[:3] for name, column in FRAME.items()}, "n": [2, 1, 3]}
    repeated = {
        name: [v for v, n in zip(column, (2, 1, 3), strict=False) for _ in range(n)]
        for name, column in FRAME.items()
    }
    assert BayesianNetwork.chow_liu(kind(weighted), weight="n") == BayesianNetwork.chow_liu(repeated)
    assert plain.counts is not None
    assert sum(float(one.sum()) for one in plain.counts[:1]) == 7


def test_the_tree_explains_best_of_all():
    rng = np.random.default_rng(4)
    records = (rng.random((200, 1)) < 0.5) ^ (rng.random((200, 4)) < [0.1, 0.3, 0.2, 0.4])
    frame = {f"t{j}": records[:, j].astype(int).tolist() for j in range(4)}
    laws = {
        (i, j): np.histogram2d(records[:, i], records[:, j], bins=2)[0] / 200
        for i, j in combinations(range(4), 2)
    }
    found = BayesianNetwork.chow_liu(frame, alpha=0)
    edges = [tuple(sorted(map(found.axis, edge))) for edge in found.edges()]

    def connected(tree):
        reached = {0}
        for _ in range(4):
            reached |= {k for edge in tree if reached & set(edge) for k in edge}
        return len(reached) == 4

    every = [tree for tree in combinations(laws, 3) if connected(tree)]
    assert len(every) == 16
    shared = [sum(mutual_information(laws[edge]) for edge in tree) for tree in every]
    assert sum(mutual_information(laws[edge]) for edge in edges) == pytest.approx(max(shared))
    with pytest.warns(FewRecordsWarning, match="cannot occur together"):
        BayesianNetwork.chow_liu({"a": [0, 1], "b": [0, 1]}, alpha=0)


def test_networks_of_networkx_and_pgmpy_are_taken():
    made = BayesianNetwork(
        [("a", "c"), ("b", "c")], {"a": HALF, "b": [0.2, 0.8], "c": np.full((2, 2, 3), 1 / 3)}
    )
    assert BayesianNetwork.from_networkx(made.to_networkx()) == made
    # What pgmpy's tables look like: the tuple first, then its parents.
    cpds = {
        name: SimpleNamespace(
            variables=[name, *made.parents(name)],
            values=np.moveaxis(made.table(name), -1, 0),
            state_names={name: list(made.domains[made.axis(name)])},
        )
        for name in made.names
    }
    model = SimpleNamespace(nodes=lambda: list(cpds), get_cpds=cpds.get)
    assert BayesianNetwork.from_pgmpy(model) == made
    assert "pgmpy" not in sys.modules


def test_networks_of_pyagrum_are_taken():
    # Its arrays have the tuple last, and the parents in reverse order of their names.
    made = BayesianNetwork(
        [("a", "c"), ("b", "c")], {"a": HALF, "b": [0.2, 0.3, 0.5], "c": np.full((2, 3, 2), 0.5)}
    )

    def cpt(name):
        above, table = made.parents(name), made.table(name)
        order = [*reversed(range(len(above))), len(above)]
        return SimpleNamespace(names=(name, *above), toarray=lambda: table.transpose(order))

    variables = {
        name: SimpleNamespace(name=lambda name=name: name, labels=lambda domain=domain: domain)
        for name, domain in zip(made.names, made.domains, strict=True)
    }
    model = SimpleNamespace(nodes=lambda: list(made.names), variable=variables.get, cpt=cpt)
    assert BayesianNetwork.from_pyagrum(model) == made


def test_an_interval_of_a_learned_network_holds_its_leakage():
    from pdp_widgets import LaplaceMechanism, LinearQuery

    rng = np.random.default_rng(7)
    first = rng.random(60) < 0.5
    frame = {"a": first.astype(int).tolist(), "b": (first ^ (rng.random(60) < 0.2)).astype(int).tolist()}
    learned = BayesianNetwork.chow_liu(frame)
    analysis = NetworkAnalysis(learned, LaplaceMechanism(LinearQuery.sum(learned), 1.0))
    found = analysis.interval("a", draws=100, rng=1)
    low, high = found.interval
    assert found.status == "estimate"
    assert low < found.value == analysis.node("a").value < high
    assert analysis.interval("a", {"b": 1}, draws=20, rng=1) == analysis.interval(
        "a", {"b": 1}, draws=20, rng=1
    )
