"""Every widget as one cell of a notebook, and the numbers a reader must find in it.

Tests of hosts go through the modules that a page knows; one without a cell here fails them all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pdp_widgets.publish.page_state import MODULES

#: What the other cells stand on.
SETUP = """import pdp_widgets as pdp

joint = pdp.lsat6().marginal(['item 1', 'item 2', 'item 5'])
model = pdp.GaussianModel([5, 4], [[1.4, 0.6], [0.6, 1]])
chain = pdp.MarkovChain.symmetric(0.6)
city = pdp.synthetic_network(60, rng=1).city('New York')


def of_joint(scale):
    return pdp.PriorAnalysis(joint, pdp.LaplaceMechanism(pdp.LinearQuery.sum(joint), scale))


def of_model(scale):
    return pdp.GaussianAnalysis(model, scale=scale)


def of_people(epsilon):
    return pdp.LocalAnalysis(pdp.titanic(), 'GRR', epsilon)


def of_shift(epsilon):
    return pdp.DependenceAnalysis(pdp.examples.covered_shift(), 'sum', epsilon)


def of_city(epsilon):
    return pdp.InferenceAttack(city, epsilon=epsilon, clusters=4)


def scores(attack):
    return [attack.attack_1.leaked_bits, attack.attack_2.leaked_bits, attack.attack_2.incremental_bits]


hours = pdp.networks.BayesianNetwork.chain(pdp.MarkovChain.symmetric(0.8), 6)


def of_hours(scale):
    return pdp.networks.NetworkAnalysis(hours, pdp.LaplaceMechanism(pdp.LinearQuery.sum(hours), scale))


def of_stream():
    return pdp.SequenceAnalysis(chain, 'crr', 12, epsilon=0.5)


def of_clinic(known):
    return pdp.AnonymityAnalysis(pdp.clinic(), ['age', 'weight'], 'diabetes', level='III', known=known)


def slacks(analysis):
    theorems = [analysis.printed(1.0, reading) for reading in ('t1:statement', 't4:sum_of_powers')]
    return [analysis.bound(1.0, 'all'), *theorems]


def ask():
    return pdp.Question.choice(
        'log odds',
        'The odds of a right answer are 3.000 to 1.000. What are the log odds?',
        {'1.099 nats': 'That is ln 3.', '3 nats': 'Those are the odds.', '0.477 nats': 'That is log10 3.'},
        '1.099 nats',
        hints=['Take a logarithm.', 'Take the natural one.'],
    )


def between(analysis):
    return [value for row in analysis.matrix for value in row if value > 0]
"""


@dataclass(frozen=True)
class Entry:
    """An entry of a widget by its label, what is typed there, and which number the sentence then says."""

    label: str
    typed: str
    then: str


@dataclass(frozen=True)
class Cell:
    """A cell that shows a widget, and Python for its numbers, which are computed without the widget."""

    source: str
    numbers: str
    entry: Entry | None = None


_CELLS = {
    "joint_table": Cell("pdp.JointTable(joint)", "joint.table.ravel()"),
    "whg_graph": Cell("pdp.WHGGraph(of_joint(1.0))", "of_joint(1.0).exact.ravel()"),
    "prior_explorer": Cell(
        "pdp.PriorExplorer(joint)",
        "of_joint(1.0).exact.ravel()",
        Entry("Scale λ as a number", "2", "of_joint(2.0).largest"),
    ),
    "covariance_editor": Cell("pdp.CovarianceEditor(model)", "[model.smallest_eigenvalue]"),
    "gaussian_explorer": Cell(
        "pdp.GaussianExplorer(model)",
        "of_model(1.0).exact.ravel()",
        Entry("Scale λ as a number", "2", "of_model(2.0).largest"),
    ),
    "local_explorer": Cell(
        "pdp.LocalExplorer(pdp.titanic(), 'GRR', 1.0)",
        "between(of_people(1.0))",
        Entry("Budget ε as a number", "2", "max(between(of_people(2.0)))"),
    ),
    "dependence_explorer": Cell(
        "pdp.DependenceExplorer()",
        "of_shift(1.0).per_tuple",
        Entry("Budget ε as a number", "2", "of_shift(2.0).largest"),
    ),
    "attack_explorer": Cell(
        "pdp.AttackExplorer(city, clusters=4)",
        "scores(of_city(40.0))",
        Entry("Budget ε as a number", "20", "of_city(20.0).attack_2.leaked_bits"),
    ),
    "anonymity_explorer": Cell(
        "pdp.AnonymityExplorer(show_paper=True)",
        "slacks(of_clinic(0.3))",
        Entry("Share known in per cent", "90", "of_clinic(0.9).slack(1.0)"),
    ),
    "network_explorer": Cell(
        "pdp.NetworkExplorer(hours, target=2)",
        "[of_hours(1.0).promise, of_hours(1.0).node(2)]",
        Entry("Scale λ as a number", "2", "of_hours(2.0).node(2)"),
    ),
    "question": Cell("ask()", "[3.0, 1.0, 1.099]"),
    "stream_simulator": Cell(
        "pdp.StreamSimulator(chain, 0.5, rng=10, steps=12)",
        "[of_stream().promised.linear, *of_stream().steps.worst]",
        Entry("Budget ε as a number", "1", "1.0"),
    ),
}
#: The cells in the order of a notebook, by the name of the front end's module.
CELLS = {module: _CELLS[module] for module in sorted(MODULES)}


def setup() -> dict[str, Any]:
    """Run the first cell here and return what it defines."""
    names: dict[str, Any] = {}
    exec(SETUP, names)
    return names


def printed(numbers: Any) -> list[str]:
    """Return numbers as every widget prints them."""
    return sorted({f"{float(number):.3f}" for number in np.ravel(numbers)})
