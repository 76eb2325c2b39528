"""Edit means and covariances of Gaussian data and see what every adversary learns from one noisy sum."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from traitlets import Instance, Tuple, Unicode

from pdp_widgets.core.amounts import GOAL, MAX_CHANGE, SCALE, THRESHOLD
from pdp_widgets.core.results import Figures
from pdp_widgets.leakage.gaussian.analysis import GaussianAnalysis
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.widgets.computed_beside import Awaited, ComputedBeside
from pdp_widgets.widgets.covariance_editor import CovarianceEditor
from pdp_widgets.widgets.covariance_edits import listed
from pdp_widgets.widgets.gaussian_results import GaussianInputs, results_for
from pdp_widgets.widgets.gaussian_state import GaussianState, as_model
from pdp_widgets.widgets.inputs import Flag, Goal, Level, Noun, Number
from pdp_widgets.widgets.running import Work
from pdp_widgets.widgets.whg_graph import WHGGraph

__all__ = ["GaussianExplorer"]


class GaussianExplorer(ComputedBeside):
    """Covariance matrix, noisy sum, the graph of all adversaries and one of them in full, all linked.

    Parameters
    ----------
    value
        Mean and covariance, at most 20 tuples.
    weights
        The release is the sum of ``weights[j] * x[j]`` with Laplace noise; without them the plain sum.
    scale
        Scale of the Laplace noise, in units of the sum.
    max_change
        The largest change of one tuple that is to be hidden, in its units.
    target, known
        The chosen adversary: attacked tuple and known tuples, by name or position; without them the one who
        learns most.
    query
        ``"sum"``, ``"mean"``, or ``"weights"``; without it what the weights are.
    threshold
        A level to compare with, in nats.
    goal
        What all adversaries may learn at most, in nats: the explorer says which scale is enough for that.
        Without it what the release promises when the explorer is opened, or 1 nat where that is 0.
    noun
        What one tuple is called in sentences, such as "flat".
    show_correlation
        True: the cells of the matrix hold correlations.
    disabled, layout
        As for every widget.

    Attributes
    ----------
    value, weights, scale, max_change, query, target, known, threshold, goal, show_correlation, noun
        The last inputs that made sense; assign to change them. Wrong ones raise and change nothing. Setting
        the query sets the weights.
    current
        Whether the results belong to what stands in the controls: not while the matrix is not positive
        semi-definite.

    Raises
    ------
    PdpError
        An input is wrong; the message names it and says what is accepted.

    Notes
    -----
    Li, Ren, Yang and Yang, Theorem 6, for any known tuples and any weights; see `GaussianAnalysis`. There
    are known tuples, not known values: the leakage is the same for all of them.

    Each step from Python is computed at once. An edit in the browser that takes longer than a moment is
    computed beside the kernel's own work; ``busy`` is True meanwhile, the next edit takes its place, and
    `cancel` ends it. Another scale or change is arithmetic on what is there.

    Examples
    --------
    >>> from pdp_widgets import GaussianModel
    >>> from pdp_widgets.widgets.gaussian_explorer import GaussianExplorer
    >>> house = GaussianModel([5.0, 4.0], [[1.44, 0.6], [0.6, 1.0]], names=["flat A", "flat B"])
    >>> explorer = GaussianExplorer(house)
    >>> print(explorer.results.largest)
    1.6 nats (exact): flat B, knowing none
    >>> explorer.editor.set_cell("flat A", "flat B", -0.6)
    >>> explorer.target, explorer.known, round(float(explorer.results.largest), 3)
    ('flat B', (), 1.0)
    """

    _module = "gaussian_explorer"
    _panels: ClassVar = {
        "graph": "What leaks",
        "curves": "Densities",
        "sources": "Where it comes from",
    }
    _picture_name = "gaussian-data.svg"

    _core: GaussianState
    value = Instance(GaussianModel)
    weights = Tuple()
    scale = Number(SCALE)
    max_change = Number(MAX_CHANGE)
    query = Unicode("sum")
    target = Unicode()
    known = Tuple()
    threshold = Level(THRESHOLD)
    goal = Goal(GOAL)
    show_correlation = Flag("correlation")
    noun = Noun()

    def __init__(
        self,
        value: GaussianModel,
        weights: Sequence[float] | None = None,
        scale: float = 1.0,
        max_change: float = 1.0,
        target: str | int | None = None,
        known: Iterable[str | int] | None = None,
        *,
        query: str | None = None,
        threshold: float | None = None,
        goal: float | None = None,
        noun: str = "tuple",
        show_correlation: bool = False,
        disabled: bool = False,
        layout: Any = None,
    ) -> None:
        self._core = GaussianState(
            self.declared,
            as_model(value),
            weights=weights,
            query=query,
            target=target,
            known=known,
            scale=scale,
            max_change=max_change,
            threshold=threshold,
            goal=goal,
            noun=noun,
            show_correlation=show_correlation,
        )
        super().__init__(disabled=disabled, layout=layout)

    def _work(self, now: Awaited[GaussianInputs]) -> Work:
        return partial(results_for, now.inputs)

    def _subject(self) -> Any:
        # While a matrix brought in is not valid, results and adversary are of other tuples than the cells.
        return self._core.edits.names, self._core.model.names

    def _shown(self) -> dict[str, Any]:
        return self._core.state()

    @property
    def results(self) -> GaussianAnalysis:
        """What every adversary learns, for the last inputs that made sense."""
        return self._core.results

    def _figures(self, core: Any) -> Figures:
        return {"matrix": partial(core.results.model.cells, core.results.weights)}

    def _reported(self, core: Any) -> tuple[Any, dict[str, Any]]:
        return core.results, {"target": core.target, "known": core.known}

    def to_dataframe(self) -> Any:
        """Return one row for each adversary, see `GaussianAnalysis.to_dataframe`."""
        return self._state().results.to_dataframe()

    def to_networkx(self) -> Any:
        """Return the weighted hierarchical graph as a ``networkx.DiGraph``."""
        return self._state().results.to_networkx()

    def plot(self) -> Any:
        """Return a bqplot figure of the chosen adversary."""
        core = self._state()
        return core.results.plot(core.target, core.known)

    # Parts with a model of their own

    @property
    def editor(self) -> CovarianceEditor:
        """Matrix, means and weights as a widget of its own, linked to this explorer."""

        def make() -> _LinkedEditor:
            core = self._core
            return _LinkedEditor(
                core.value, weights=core.weights, show_correlation=core.asked["show_correlation"]
            )

        editor: CovarianceEditor = self._part("editor", make)
        return editor

    @property
    def graph(self) -> WHGGraph:
        """The graph as a widget of its own, linked to this explorer."""
        graph: WHGGraph = self._part("graph", lambda: WHGGraph(**self._for_graph()))
        return graph

    def _for_graph(self) -> dict[str, Any]:
        core = self._core
        return {
            "value": core.view.graph,
            "target": core.target,
            "known": core.known,
            "show_paper": False,
            "threshold": core.asked["threshold"],
        }

    def _share(self) -> None:
        core, editor, graph = self._core, self._parts.get("editor"), self._parts.get("graph")
        if editor is not None:
            editor._follow(core.value, core.weights, core.asked["show_correlation"])
        if graph is not None:
            graph._follow(self._for_graph())

    def _follow_editor(
        self, model: GaussianModel | None, weights: tuple[float, ...] | None, correlation: bool
    ) -> None:
        core = self._core
        patch: dict[str, Any] = {}
        if model != core.value:
            patch["value"] = model
        # The weights of a matrix brought in that is not valid wait until it is.
        waits = model is not None and weights is not None and len(weights) != model.n_tuples
        if weights != core.weights and not waits:
            patch["weights"] = weights
        if correlation != core.asked["show_correlation"]:
            patch["show_correlation"] = correlation
        if patch:
            self._edit(patch)

    def _follow_graph(self, chosen: Mapping[str, Any]) -> None:
        core = self._core
        if (chosen["target"], chosen["known"], chosen["threshold"]) != (
            *core.choice,
            core.asked["threshold"],
        ):
            self._edit({name: one for name, one in chosen.items() if name != "show_paper"})


class _LinkedEditor(CovarianceEditor):
    """The matrix of an explorer as a widget of its own."""

    _leader: GaussianExplorer | None = None

    def _share(self) -> None:
        if self._leader is not None:
            core = self._core
            self._leader._follow_editor(core.model, listed(core.last_weights), core.correlation)

    def _follow(self, model: GaussianModel, weights: tuple[float, ...], correlation: bool) -> None:
        core = self._core
        patch: dict[str, Any] = {}
        # What is typed here and is not valid yet stays while the last valid model is the same.
        if model != core.model:
            patch["value"] = model
        if weights != listed(core.last_weights) and ("value" in patch or len(weights) == len(core.names)):
            patch["weights"] = weights
        if correlation != core.correlation:
            patch["show_correlation"] = correlation
        if patch:
            self._edit(patch)

    def __repr__(self) -> str:
        return f"<{CovarianceEditor.__name__}>"
