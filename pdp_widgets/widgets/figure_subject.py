"""What `save` draws of a widget: the result its state holds, and what is chosen in it."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from pdp_widgets.errors import TableError, Where
from pdp_widgets.publish.figure_stream import ShownRun
from pdp_widgets.widgets.anonymity_state import AnonymityState
from pdp_widgets.widgets.attack_state import AttackState
from pdp_widgets.widgets.covariance_edits import CovarianceEdits
from pdp_widgets.widgets.dependence_state import DependenceState
from pdp_widgets.widgets.gaussian_state import GaussianState
from pdp_widgets.widgets.local_state import LocalState
from pdp_widgets.widgets.prior_state import PriorState
from pdp_widgets.widgets.stream_state import StreamState
from pdp_widgets.widgets.table_edits import TableEdits
from pdp_widgets.widgets.whg_graph import GraphChoice

__all__ = ["figure_subject"]


@singledispatch
def figure_subject(core: Any) -> tuple[Any, dict[str, Any]]:
    """Return the last valid result of a state, and the keywords of `pdp_widgets.publish.save.save` with it.

    A widget joins by registering the class of its state.

    Parameters
    ----------
    core
        State of a widget.

    Raises
    ------
    TypeError
        The widget has no figure.
    TableError
        There is nothing to draw yet.

    Examples
    --------
    >>> from pdp_widgets import JointDistribution
    >>> figure_subject(TableEdits(JointDistribution([[0.3, 0.2], [0.2, 0.3]])))
    (JointDistribution(x1: 2 labels, x2: 2 labels), {})
    """
    raise TypeError(f"There is no figure of a {type(core).__name__}.")


@figure_subject.register
def _(core: PriorState) -> tuple[Any, dict[str, Any]]:
    choice = {"target": core.target, "known": core.known, "threshold": core.threshold}
    return core.results, choice | {"show_paper": core.paper_shown}


@figure_subject.register
def _(core: GaussianState) -> tuple[Any, dict[str, Any]]:
    return core.results, {"target": core.target, "known": core.known, "threshold": core.threshold}


@figure_subject.register
def _(core: AnonymityState) -> tuple[Any, dict[str, Any]]:
    return core.picked, {}


@figure_subject.register
def _(core: AttackState) -> tuple[Any, dict[str, Any]]:
    return core.solved, {}


@figure_subject.register
def _(core: LocalState) -> tuple[Any, dict[str, Any]]:
    pair = core.names_of_pair
    return core.results, {} if pair is None else {"target": pair[1], "known": (pair[0],)}


@figure_subject.register
def _(core: DependenceState) -> tuple[Any, dict[str, Any]]:
    return core.picked, {}


@figure_subject.register
def _(core: StreamState) -> tuple[Any, dict[str, Any]]:
    return ShownRun(core.results, core.delta, core.lines), {}


@figure_subject.register
def _(core: GraphChoice) -> tuple[Any, dict[str, Any]]:
    choice = {"target": core.target, "known": core.known, "threshold": core.threshold}
    return core.graph, choice | {"show_paper": core.show_paper}


@figure_subject.register
def _(core: TableEdits) -> tuple[Any, dict[str, Any]]:
    return core.distribution, {}


@figure_subject.register
def _(core: CovarianceEdits) -> tuple[Any, dict[str, Any]]:
    if core.model is None:
        raise TableError("There is no covariance matrix yet; load one first.", Where("table"))
    return core.model, {} if core.last_weights is None else {"weights": core.last_weights.tolist()}
