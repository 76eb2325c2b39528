"""Look at a widget without a notebook: ``python -m tests.ui.show prior_explorer --dark --to shot.png``."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import comm
from playwright.sync_api import sync_playwright

from pdp_widgets import (
    AnonymityExplorer,
    AttackExplorer,
    CovarianceEditor,
    DependenceExplorer,
    GaussianExplorer,
    GaussianModel,
    JointTable,
    LaplaceMechanism,
    LinearQuery,
    LocalExplorer,
    MarkovChain,
    NetworkExplorer,
    PriorAnalysis,
    PriorExplorer,
    Question,
    StreamSimulator,
    WHGGraph,
    anes96,
    anes96_records,
    lsat6,
    titanic,
)
from pdp_widgets.models.joint_examples import bit_chain
from pdp_widgets.networks import BayesianNetwork
from tests.browser import launch
from tests.every_widget import setup
from tests.ui.bridge import Bridge


def _joint(tuples: int) -> Any:
    joint = lsat6()
    return joint.marginal(list(joint.names[:tuples]))


def _graph(tuples: int) -> WHGGraph:
    joint = _joint(tuples)
    analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1.0))
    return WHGGraph(analysis, show_paper=True)


def _voters(attributes: int) -> LocalExplorer:
    """The Titanic up to four attributes, the voters beyond."""
    if attributes <= 4:
        return LocalExplorer(titanic(), attributes=range(attributes), noun="person")
    return LocalExplorer(anes96(), attributes=range(attributes), noun="person")


def _people(tuples: int) -> DependenceExplorer:
    """The six of the covered shift up to six, a chain of bits beyond."""
    return DependenceExplorer() if tuples <= 6 else DependenceExplorer(bit_chain(tuples), noun="bit")


def _places(clusters: int) -> AttackExplorer:
    """The city without data, with all that takes long."""
    explorer = AttackExplorer(clusters=max(8, clusters))
    explorer.wait()
    return explorer


def _patients(columns: int) -> AnonymityExplorer:
    """The made-up clinic up to three columns, the survey of 1996 beyond."""
    if columns <= 3:
        explorer = AnonymityExplorer()
    else:
        people = anes96_records()
        others = [name for name in ("age", "education", *people.names) if name != "vote"]
        known = list(dict.fromkeys(others))[: columns - 1]
        explorer = AnonymityExplorer(people, known, "vote", noun="voter")
    explorer.wait()
    return explorer


def _network(tuples: int) -> NetworkExplorer:
    """A chain of hours, somebody who knows two of them; below 4 its quilts, or its steps."""
    hours = BayesianNetwork.chain(MarkovChain.symmetric(0.9), max(tuples, 24))
    shown = {1: "quilts", 2: "temporal"}.get(tuples, "network")
    worst = "worst" if tuples == 4 else "mine"
    explorer = NetworkExplorer(
        hours, known={5: 0, 15: 1}, target=10, adversary=worst, show=shown, noun="hour"
    )
    explorer.wait()
    return explorer


def _stream(states: int) -> StreamSimulator:
    """A chain that stays with 0.6, and from step 45 on with 0.9."""
    stream = StreamSimulator(MarkovChain.symmetric(0.6, states), 0.5, rng=10, steps=44)
    stream.value = MarkovChain.symmetric(0.9, states)
    stream.run(6)
    return stream


def _question(hints: int) -> Question:
    """A choice with the right answer and up to two hints open; from 3 on one with a wrong one."""
    asked: Question = setup()["ask"]()
    asked.answer, asked.hints = asked.value.options[hints > 2], min(hints, 2)
    asked.check()
    return asked


WIDGETS: dict[str, Callable[[int], Any]] = {
    "anonymity_explorer": _patients,
    "attack_explorer": _places,
    "dependence_explorer": _people,
    "covariance_editor": lambda tuples: CovarianceEditor(GaussianModel.equicorrelated(tuples, 0.3)),
    "gaussian_explorer": lambda tuples: GaussianExplorer(GaussianModel.equicorrelated(tuples, 0.3)),
    "joint_table": lambda tuples: JointTable(_joint(tuples)),
    "whg_graph": _graph,
    "local_explorer": _voters,
    "network_explorer": _network,
    "prior_explorer": lambda tuples: PriorExplorer(_joint(tuples), show_paper=True),
    "question": _question,
    "stream_simulator": _stream,
}


def main() -> None:
    """Draw one widget and write a picture; report what the page complains about."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("widget", choices=WIDGETS)
    parser.add_argument("--tuples", type=int, default=3)
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--forced-colors", action="store_true")
    parser.add_argument("--width", type=int, default=1100)
    parser.add_argument("--to", default="shot.png")
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = launch(playwright)
        bridge = Bridge(browser, viewport={"width": options.width, "height": 900}, device_scale_factor=2)
        comm.create_comm = bridge.create_comm
        bridge.theme(dark=options.dark, forced_colors=options.forced_colors)
        bridge.show(WIDGETS[options.widget](options.tuples))
        bridge.settle()
        bridge.page.screenshot(path=options.to, full_page=True)
        for error in bridge.errors:
            print(error)
        bridge.close()
        browser.close()


if __name__ == "__main__":
    main()
