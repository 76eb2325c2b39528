"""What the panel of meanings says in a view is what `analysis.meaning` computes, in every explorer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pdp_widgets import (
    AnonymityAnalysis,
    AnonymityExplorer,
    DependenceAnalysis,
    DependenceExplorer,
    GaussianAnalysis,
    GaussianExplorer,
    GaussianModel,
    LaplaceMechanism,
    LinearQuery,
    LocalAnalysis,
    LocalExplorer,
    MarkovChain,
    PriorAnalysis,
    PriorExplorer,
    SequenceAnalysis,
    StreamSimulator,
    anes96_records,
    lsat6,
    titanic,
)
from pdp_widgets.meaning import Meaning
from pdp_widgets.models.joint_examples import agreeing_bits
from tests.publish.browser_numbers import Comparison, answers

_EPSILONS = [0.1, 0.5, 1.0]
#: Of all labels, those that need to know how likely they are last; and of the pair that is shown.
_OF_ALL = {
    "maximal_leakage": "maximal_leakage",
    "posterior_vulnerability": "posterior_vulnerability",
    "pml": "largest_pointwise_leakage",
    "mutual_information": "mutual_information",
}
_OF_PAIR = {"advantage": "advantage", "auc": "auc"}

_CHAIN = MarkovChain([[0.8, 0.15, 0.05], [0.1, 0.8, 0.1], [0.3, 0.2, 0.5]], [0.2, 0.3, 0.5])
_FLATS = GaussianModel(None, [[1.4, 0.6, 0.3], [0.6, 1, 0.4], [0.3, 0.4, 1]])
_HIDDEN: dict[str, Any] = {"quasi": ["age", "education"], "secret": "vote", "k": 5}


def _prior(tuples: int, target: str, known: list[str]) -> tuple[Any, Meaning]:
    joint = lsat6().marginal(list(lsat6().names[:tuples]))
    made = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1.0))
    return PriorExplorer(joint, target=target, known=known), made.meaning(target, known)


def _gaussian(known: list[str], scale: float, change: float) -> tuple[Any, Meaning]:
    explorer = GaussianExplorer(_FLATS, scale=scale, max_change=change, target="x1", known=known)
    made = GaussianAnalysis(_FLATS, scale=scale, max_change=change)
    return explorer, made.meaning("x1", known)


def _local(mechanism: str, source: str, secret: str, output: str = "raw") -> tuple[Any, Meaning]:
    explorer = LocalExplorer(
        titanic(), mechanism=mechanism, epsilon=1.0, output=output, source=source, secret=secret
    )
    return explorer, LocalAnalysis(titanic(), mechanism, 1.0, output=output).meaning(secret, [source])


def _stream(key: str) -> tuple[Any, Meaning]:
    explorer = StreamSimulator(_CHAIN, 0.7, [key], steps=1)
    return explorer, SequenceAnalysis(_CHAIN, key, 1, epsilon=0.7).meaning(1)


def _dependent(mechanism: str, known: list[str]) -> tuple[Any, Meaning]:
    bits = agreeing_bits(0.9)
    knowing = "chosen" if known else "nobody"
    explorer = DependenceExplorer(bits, mechanism=mechanism, known=known, knowing=knowing, target="x1")
    made = DependenceAnalysis(bits, "sum", 1.0, mechanism, known)
    return explorer, made.meaning("x1")


def _anonymity(**asked: Any) -> tuple[Any, Meaning]:
    explorer = AnonymityExplorer(anes96_records(), **_HIDDEN, **asked)
    return explorer, AnonymityAnalysis(anes96_records(), **_HIDDEN, **asked).meaning()


_CASES: dict[str, tuple[str, Callable[[], tuple[Any, Meaning]]]] = {
    "prior, nobody known": ("prior", lambda: _prior(5, "item 1", [])),
    "prior, two known": ("prior", lambda: _prior(3, "item 2", ["item 1", "item 3"])),
    "Gaussian, hidden by others": ("gaussian", lambda: _gaussian([], 1.0, 1.0)),
    "Gaussian, little noise": ("gaussian", lambda: _gaussian(["x2"], 0.05, 2.0)),
    "Gaussian, all known": ("gaussian", lambda: _gaussian(["x2", "x3"], 1.5, 1.0)),
    "report of a symbol": ("local", lambda: _local("GRR", "class", "survived")),
    "report of bits": ("local", lambda: _local("OUE", "class", "age")),
    "report of a group": ("local", lambda: _local("OLH", "class", "survived")),
    "report of a set": ("local", lambda: _local("SS", "class", "sex")),
    "guess from bits": ("local", lambda: _local("SUE", "class", "survived", "inferred")),
    "step of an unsafe response": ("stream", lambda: _stream("crr")),
    "step of a safe response": ("stream", lambda: _stream("crr_balanced")),
    "dependent, nobody known": ("dependence", lambda: _dependent("lpm", [])),
    "dependent, one known": ("dependence", lambda: _dependent("lpm", ["x2"])),
    "count, one value changed": ("anonymity", lambda: _anonymity(level="III", known=0.9)),
    "count, one there or not": (
        "anonymity",
        lambda: _anonymity(level="III", known=0.95, neighbour="presence"),
    ),
}


def _expected(found: Meaning, shown: dict[str, Any]) -> dict[str, Any]:
    """Return Python's numbers under the page's names; the pair stands by its places among all labels."""
    labels = list(found.labels.values())
    blank, seen = (labels[place] for place in shown["pair"])
    made: dict[str, Any] = {
        "leakage": float(found.leakage),
        "at": [
            {
                "worst": float(found.delta(epsilon)),
                "over": float(found.delta(epsilon, (seen, blank))),
                "back": float(found.delta(epsilon, (blank, seen))),
            }
            for epsilon in _EPSILONS
        ],
        "kl": max(float(found.measure("kl", pair)) for pair in ((seen, blank), (blank, seen))),
    }
    made |= {key: float(found.measure(name, (blank, seen))) for key, name in _OF_PAIR.items()}
    return made | {key: float(found.measure(name)) for key, name in _OF_ALL.items() if key in shown}


@pytest.mark.parametrize("name", _CASES)
def test_the_panel_says_what_python_computes(name: str):
    kind, make = _CASES[name]
    explorer, found = make()
    shown = answers([["meanings", [{"kind": kind, "view": explorer._view}]]])[0][0]
    assert "why" not in shown, shown
    expected = _expected(found, shown)
    compared = Comparison(2e-8)
    compared.compare({key: shown[key] for key in expected}, expected)
    assert not compared.wrong, compared.wrong


def test_where_there_is_no_law_the_panel_says_why():
    joint = lsat6()
    many = DependenceExplorer(query="identity")
    drawn = [
        ("prior", PriorExplorer(joint, query="histogram"), "released together"),
        ("local", LocalExplorer(titanic(), mechanism="SHE"), "real numbers"),
        ("stream", StreamSimulator(_CHAIN, 0.7, ["crr"], steps=0), "Nothing has been released"),
        ("dependence", many, "several numbers"),
        ("anonymity", AnonymityExplorer(release="records:yes"), "none"),
    ]
    found = answers([["meanings", [{"kind": kind, "view": explorer._view} for kind, explorer, _ in drawn]]])[
        0
    ]
    for (_, _, words), shown in zip(drawn, found, strict=True):
        assert words in shown["why"]


def test_laws_of_the_same_outcomes_lose_nothing_by_being_shortened():
    from pdp_widgets.leakage.noiseless.anonymity_curves import outcomes_apart

    hidden = AnonymityAnalysis(anes96_records(), **_HIDDEN, level="III", known=0.1).hidden
    short = outcomes_apart(hidden)
    assert short is not None
    assert len(short[0]) < len(hidden.laws[0]) / 2
    for epsilon in (0.0, 0.3, 1.0, 5.0):
        for one, other in ((0, 1), (1, 0)):
            full = np.maximum(hidden.laws[one] - np.exp(epsilon) * hidden.laws[other], 0).sum()
            assert np.maximum(short[one] - np.exp(epsilon) * short[other], 0).sum() == pytest.approx(
                full, abs=1e-14
            )
