"""The static picture of the explorer says what the screen says: log ratio, nouns, marginals."""

from __future__ import annotations

from datetime import date
from xml.etree import ElementTree

import numpy as np

from pdp_widgets import JointDistribution, LaplaceMechanism, LinearQuery, PriorAnalysis
from pdp_widgets.publish import prior_snapshot
from pdp_widgets.publish.curves_picture import Curves


def analysis() -> PriorAnalysis:
    rng = np.random.default_rng(8)
    domains = [["no", "don't know", "yes"], ["no", "yes"]]
    joint = JointDistribution(rng.dirichlet(np.ones(6)).reshape(3, 2), domains, ["breach", "manager"])
    return PriorAnalysis(joint, LaplaceMechanism(LinearQuery.count(joint, "yes"), 1.0))


def texts(svg: str) -> list[str]:
    return [text for text in ElementTree.fromstring(svg).itertext() if text.strip()]


def test_the_later_label_stands_over_the_earlier_one() -> None:
    found = analysis()
    for target, known in ((0, []), (0, [1]), (1, []), (1, [0])):
        adversary = found.adversary(target, known)
        attained = adversary.leakage.attained
        assert attained is not None
        pair = Curves(adversary, found.promise).pair
        assert pair is not None
        assert set(pair) == set(attained.pair)
        assert adversary.labels.index(pair[0]) > adversary.labels.index(pair[1])
        shot = prior_snapshot(found, target, known, day=date(2026, 1, 2))
        title = f"log ratio, {pair[0]} over {pair[1]}, nats"
        assert title in texts(shot.svg)
        assert title in shot.details


def test_one_row_of_the_table_has_its_noun_everywhere() -> None:
    shot = prior_snapshot(analysis(), noun="student", day=date(2026, 1, 2))
    said = texts(shot.svg)
    assert "nats per student" in said
    assert "per student" in shot.summary
    assert not any("tuple" in text for text in [*said, shot.summary, shot.text])


def test_marginals_are_named_with_their_labels() -> None:
    said = texts(prior_snapshot(analysis(), day=date(2026, 1, 2)).svg)
    assert {"breach no", "breach don't know", "breach yes", "manager no", "manager yes"} <= set(said)


def test_the_key_of_the_graph_has_the_noun_and_names_are_set_apart() -> None:
    names = ["uses a manager", "item 2", "program", "would share"]
    joint = JointDistribution(np.full((2,) * 4, 1 / 16), [["no", "yes"]] * 4, names)
    found = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.count(joint, "yes"), 1.0))
    shot = prior_snapshot(found, 0, [1, 3], noun="student", day=date(2026, 1, 2))
    assert any("known students." in text for text in texts(shot.svg))
    said = " ".join(texts(shot.svg))
    assert "About “uses a manager”, knowing" in said
    assert "item 2 is no" in said
    assert "“would share”" in said
