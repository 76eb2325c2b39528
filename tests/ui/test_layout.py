"""Nothing meets, nothing is cut: texts of all widgets, wide and narrow, with fonts as they come."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pdp_widgets import (
    AnonymityExplorer,
    CovarianceEditor,
    DependenceExplorer,
    GaussianExplorer,
    JointDistribution,
    JointTable,
    LocalExplorer,
    PriorExplorer,
    StreamSimulator,
    WHGGraph,
    lsat6,
)
from pdp_widgets.models.joint_examples import coupled_uniform, simplex_code
from tests.ui import test_anonymity_explorer as anonymity
from tests.ui import test_attack_explorer as attack
from tests.ui import test_covariance_editor as covariance
from tests.ui import test_dependence_explorer as dependence
from tests.ui import test_gaussian_explorer as gaussian
from tests.ui import test_local_explorer as local
from tests.ui import test_stream_simulator as stream
from tests.ui.bridge import SETTLED, Bridge
from tests.ui.hands import LAYOUT


def joint(n: int) -> JointDistribution:
    """Return answers of the test takers, or as many made-up tuples with names as long."""
    if n <= 5:
        return lsat6().marginal(list(lsat6().names[:n]))
    table = np.random.default_rng(n).dirichlet(np.ones(2**n)).reshape((2,) * n)
    return JointDistribution(table, names=[f"item {k + 1}" for k in range(n)])


def explorer(n: int) -> PriorExplorer:
    return PriorExplorer(joint(n), show_paper=True)


def editor(model: Any) -> CovarianceEditor:
    return CovarianceEditor(model, weights=np.ones(model.n_tuples))


def lanes(n: int, lanes: Any = None, long: bool = False, steps: int = 44) -> StreamSimulator:
    return StreamSimulator(stream.chain(n, long), 0.5, lanes, rng=10, steps=steps)


#: By widget what it shows; two that are alike but for the number of tuples are both there where they are laid
#: out in another way.
SCREENS: dict[str, dict[str, Callable[[], Any]]] = {
    "prior": {str(n): lambda n=n: explorer(n) for n in (2, 3, 5, 7, 10)},
    "graph": {str(n): lambda n=n: WHGGraph(explorer(n).results, show_paper=True) for n in (2, 3, 5, 7, 10)},
    "table": {str(n): lambda n=n: JointTable(joint(n)) for n in (2, 3, 5, 7, 10)},
    "covariance": {
        "house": lambda: editor(covariance.house()),
        "1": lambda: editor(covariance.random_model(1)),
        "10": lambda: editor(covariance.random_model(10)),
        "20": lambda: editor(covariance.random_model(20)),
    },
    "gaussian": {
        "flats": gaussian.flats,
        "3": lambda: GaussianExplorer(covariance.random_model(3)),
        "7": lambda: GaussianExplorer(covariance.random_model(7)),
    },
    "stream": {
        "2": lambda: lanes(2),
        "3": lambda: lanes(3, stream.ALL_OVER),
        "10": lambda: lanes(10, "crr"),
        "long": lambda: lanes(3, long=True),
        # Counts are long, and every lane but one breaks its promise.
        "long counts": lambda: lanes(2, stream.ALL_OVER, steps=1_234),
        "two lanes": lambda: lanes(2, ("grr2", "crr"), steps=1_234),
        "three lanes": lambda: lanes(2, ("grr2", "crr", "grr"), steps=1_234),
    },
    "attack": {
        "small": attack.small,
        "much noise": lambda: attack.small(epsilon=1e-6, weight=1e6),
        "little noise": lambda: attack.small(epsilon=1e6, weight=0.01),
        "nobody known": lambda: attack.small(known=0.1),
    },
    "anonymity": {
        "clinic": AnonymityExplorer,
        "strip": lambda: AnonymityExplorer(
            quasi=["age"], secret="diabetes", level="I", release="sum:weight", epsilon=np.inf
        ),
        "twelve": lambda: AnonymityExplorer(
            anonymity.table(150, 12, long=True), None, "illness", k=4, noun="person", level="IV"
        ),
        "labels": lambda: AnonymityExplorer(
            anonymity.table(80, 1), ["town", "q 0"], "illness", neighbour="presence"
        ),
    },
    "local": {
        "titanic": local.titanics,
        "7": lambda: LocalExplorer(local.people(7, 3), "OUE"),
        "12": lambda: LocalExplorer(local.people(12), "SHE", output="inferred"),
        "40": lambda: LocalExplorer(local.people(40)),
        "long": lambda: LocalExplorer(local.people(5, 3, long=True), "SS"),
        "infinite": lambda: LocalExplorer(local.people(4, 3, records=60), "generic", np.inf),
        "one": lambda: LocalExplorer(local.people(1)),
    },
    "dependence": {
        "six": DependenceExplorer,
        "worst": lambda: DependenceExplorer(knowing="worst", query="identity"),
        "known": lambda: DependenceExplorer(known=["Ben", "Dia"], mechanism="baseline"),
        "simplex": lambda: DependenceExplorer(simplex_code(), noun="bit"),
        "numbers": lambda: DependenceExplorer(coupled_uniform(), noun="number"),
        "11": lambda: DependenceExplorer(dependence.made_up(11, 60)),
        "20": lambda: DependenceExplorer(dependence.made_up(20)),
        "long": lambda: DependenceExplorer(dependence.made_up(4, 14, long=True)),
        "one": lambda: DependenceExplorer(dependence.made_up(1, 4)),
    },
}
#: By widget what is cut with three dots, and stands in full beside the pointer: about the data, long names.
_TUPLES = r"LSAT section 6|item 1, item 2, item 3, item 4"
ENDS = {
    "prior": _TUPLES,
    "graph": _TUPLES,
    "table": _TUPLES,
    "covariance": "House",
    "gaussian": "House|item 1, item 2|7 tuples",
    "stream": r"\w+ states, |quite a long",
    "anonymity": "a rather long|a town by the",
    "local": "a rather long name",
    "dependence": "a rather long name|number",
}
#: Beside those of all, widths at which a widget is laid out in another way, or that it has in a host.
WIDTHS = (360, 500, 760, 1100)
MORE_WIDTHS = {"covariance": (264,), "stream": (861,), "attack": (870,)}
#: What a widget runs over its box by, and what is wrong with its texts, at each width of the box. A widget is
#: laid out by its own width, not the window's.
AT_WIDTHS = f"""async (root, widths) => {{
    const settled = {SETTLED};
    const wrong = {LAYOUT};
    const found = [];
    for (const width of widths) {{
        root.closest("[id^=box-]").style.width = `${{width}}px`;
        await settled(5000);
        found.push([root.scrollWidth - root.clientWidth, wrong(root)]);
    }}
    return found;
}}"""


@pytest.mark.parametrize("kind", SCREENS)
def test_texts_do_not_meet_and_are_not_cut(bridge: Bridge, kind: str) -> None:
    widths = sorted((*WIDTHS, *MORE_WIDTHS.get(kind, ())))
    for name, make in SCREENS[kind].items():
        widget = make()
        if hasattr(widget, "wait"):
            widget.wait()
        # Drawn where it is narrowest, then given room: what was measured is measured again.
        view = bridge.show(widget, bridge.container(f"width: {widths[0]}px"))
        bridge.settle()
        titles = [title[:20] for title in view.root.locator(".px-title").all_inner_texts() if title]
        kept = "|".join(filter(None, (ENDS.get(kind), *map(re.escape, titles))))
        for width, (across, found) in zip(widths, view.root.evaluate(AT_WIDTHS, widths), strict=True):
            assert across <= 1, f"{name}, {width} px: {across} px too wide"
            # So may a list of known tuples in a narrow table.
            lists = r"|\d+(, \d+){3,}$" if ENDS.get(kind) == _TUPLES and width < 480 else ""
            assert [x for x in found if not re.match(f"cut: ({kept}{lists})", x)] == [], f"{name}, {width} px"
        view.remove()


@pytest.mark.parametrize("width", [264, 700])
def test_texts_beside_a_matrix_that_is_not_valid_do_not_meet(bridge: Bridge, width: int) -> None:
    view = bridge.show(editor(covariance.house()), bridge.container(f"width: {width}px"))
    bridge.settle()
    covariance.type_into(bridge, view, covariance.PAIR, "1.4")
    assert [x for x in view.root.evaluate(LAYOUT) if not x.startswith("cut: House")] == []


def test_what_meets_or_is_cut_is_found(bridge: Bridge) -> None:
    view = bridge.show(JointTable(joint(3)), bridge.container("width: 700px"))
    head = view.root.get_by_role("heading", name="Joint distribution")
    head.evaluate("el => { el.style.marginRight = '-60px' }")
    assert any(line.startswith("meet: Joint distribution") for line in view.root.evaluate(LAYOUT))
    head.evaluate("el => { el.style.cssText = 'width: 40px; overflow: hidden; white-space: nowrap' }")
    assert "cut: Joint distribution" in view.root.evaluate(LAYOUT)
