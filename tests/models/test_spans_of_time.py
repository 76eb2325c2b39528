"""A span of time is an integer to numpy, and no position, size or number of records here."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from pdp_widgets import (
    SS,
    AttributeTable,
    JointDistribution,
    LaplaceMechanism,
    LinearQuery,
    LocalAnalysis,
    LocalExplorer,
    PriorAnalysis,
    titanic,
)
from pdp_widgets.errors import PdpError
from pdp_widgets.leakage.local.joint_privacy_loss import joint_privacy_loss
from pdp_widgets.leakage.local.utility import compare_utility
from pdp_widgets.leakage.prior.edge_graph import GivenEdges
from pdp_widgets.leakage.prior.group_bound import group_bound
from pdp_widgets.leakage.prior.path_search import checked_node
from pdp_widgets.local import AnyMechanism
from pdp_widgets.models.covariance import equicorrelation, valid_range
from pdp_widgets.models.editing import set_cell
from pdp_widgets.publish.latex_text import as_count

SPAN = np.timedelta64(1, "s")
TABLE = AttributeTable([[0, 1], [1, 1], [1, 0]])
JOINT = JointDistribution([[0.4, 0.1], [0.1, 0.4]])
RELEASE = LaplaceMechanism(LinearQuery.sum(JOINT), scale=1.0)

CALLS: dict[str, Callable[[], object]] = {
    "position of a label's attribute": lambda: TABLE.counts(SPAN),
    "records drawn": lambda: AttributeTable.drawn(JOINT, SPAN),
    "attribute of an analysis": lambda: LocalAnalysis(TABLE, "GRR", 1.0).pair(SPAN, 0),
    "attribute of an explorer": lambda: LocalExplorer(titanic(), attributes=SPAN),
    "attributes of an explorer": lambda: LocalExplorer(titanic(), attributes=[0, SPAN]),
    "source of an explorer": lambda: LocalExplorer(titanic(), source=SPAN),
    "budget": lambda: LocalAnalysis(TABLE, "GRR", SPAN),
    "size of sets": lambda: SS(1.0, omega=SPAN),
    "delta": lambda: AnyMechanism(1.0, delta=SPAN),
    "min_count": lambda: LocalAnalysis(TABLE, "GRR", 1.0, min_count=SPAN),
    "records that report": lambda: compare_utility(TABLE, 1.0, ["GRR"], records=SPAN),
    "target of all reports": lambda: joint_privacy_loss(JOINT.table, SPAN, AnyMechanism(1.0)),
    "attacked tuple": lambda: PriorAnalysis(JOINT, RELEASE).adversary(SPAN),
    "tuple of a graph": lambda: PriorAnalysis(JOINT, RELEASE).group_bound(SPAN),
    "tuple of a bound": lambda: group_bound(RELEASE, SPAN),
    "node of a path": lambda: checked_node(3, SPAN, ()),
    "known node of a path": lambda: checked_node(3, 0, [SPAN]),
    "tuples of given edges": lambda: GivenEdges.beta(SPAN, 0.5),
    "tuples of a covariance": lambda: equicorrelation(SPAN, 0.5),
    "row of a covariance": lambda: valid_range(np.eye(2), SPAN, 0),
    "cell of a table": lambda: set_cell([[0.3, 0.2], [0.2, 0.3]], SPAN, 0.5),
    "row of a cell": lambda: set_cell([[0.3, 0.2], [0.2, 0.3]], (SPAN, 0), 0.5),
    "rows of a LaTeX table": lambda: as_count(SPAN),
}


@pytest.mark.parametrize("what", CALLS)
def test_it_is_refused_by_name(what):
    with pytest.raises(PdpError, match=r"1 seconds|timedelta|Attribute|attribute"):
        CALLS[what]()


def test_integers_of_numpy_stay_integers():
    one = np.int8(1)
    assert TABLE.counts(one).tolist() == [1, 2]
    assert LocalExplorer(titanic(), attributes=[one, np.uint16(3)]).attributes == ("sex", "survived")
    assert equicorrelation(np.int64(2), 0.5).shape == (2, 2)
    assert checked_node(3, one, [np.int64(0)]) == (1, (0,))
    assert set_cell([[0.3, 0.2], [0.2, 0.3]], (one, one), 0.3).sum() == pytest.approx(1)
