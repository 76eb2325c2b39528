"""Several dependent tuples, one noisy release, what was promised about each and what leaks."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, ClassVar

from traitlets import Any as AnyValue
from traitlets import Instance, Tuple, Unicode

from pdp_widgets.core.amounts import BUDGET, MEASURE_EPSILON, NOT_NEGATIVE
from pdp_widgets.core.results import Figures
from pdp_widgets.errors import DomainError, QueryError
from pdp_widgets.leakage.dependent.dependence_analysis import DependenceAnalysis
from pdp_widgets.leakage.dependent.dependence_results import DependenceInputs, dependence_results
from pdp_widgets.leakage.graph_measure import GRAPH_MEASURES
from pdp_widgets.models.sparse_joint import SparseJoint
from pdp_widgets.widgets.computed_beside import Awaited, ComputedBeside
from pdp_widgets.widgets.dependence_menu import KNOWING
from pdp_widgets.widgets.dependence_state import DependenceState
from pdp_widgets.widgets.dependence_views import dependence_embedded
from pdp_widgets.widgets.inputs import Choice, Flag, Level, Noun, Number
from pdp_widgets.widgets.running import Work

__all__ = ["DependenceExplorer"]


class DependenceExplorer(ComputedBeside):
    """Dependent tuples, one noisy release, promised against exact leakage of each, and one tuple in full.

    Parameters
    ----------
    value
        A `SparseJoint`, a `JointDistribution` or a data frame, of at most 60 tuples; without it an
        example of six people.
    query
        ``"sum"``, ``"mean"``, ``"identity"``, ``"count:VALUE"``, one weight for each tuple, or a query.
    epsilon
        The promise in nats; positive and finite.
    mechanism
        ``"lpm"``, ``"dpm"``, ``"baseline"`` or ``"calibrated"``; ``"dpm_mean"`` and the like name the
        coefficient too.
    coefficient
        ``"exact"``, ``"mean"`` or ``"eq18"``: which one dependent perturbation takes.
    known
        Tuples that the adversary knows.
    knowing
        ``"nobody"``, ``"chosen"``, or ``"worst"``: for each tuple whoever learns most about it.
    target, other
        The chosen tuple and the one that its table is shown with; without them the one that leaks most, and
        the one that it is joined to most closely.
    measure
        What the graph shows of every tuple: ``"leakage"`` in nats, ``"delta"`` at ``measure_epsilon``,
        ``"advantage"`` of the best test, or ``"posterior_vulnerability"``, the chance to guess right; of one
        released number, and of an adversary who is named.
    measure_epsilon
        Where delta is taken, in nats; without it at the promise.
    alpha
        An error of this size in the accuracy curve, in units of the query.
    show_paper
        Whether the paper's estimates are shown.
    noun
        What one tuple is called in sentences; without it a person where tuples have names of their own, else
        a bit where all values are 0 and 1, and a tuple for others.
    disabled, layout
        As for every widget.

    Attributes
    ----------
    value, query, epsilon, mechanism, coefficient, known, knowing, target, other, alpha, show_paper, noun
        The last inputs that made sense; assign to change them. Wrong ones raise and change nothing.
    current
        Whether all results belong to what stands in the controls.

    Raises
    ------
    PdpError
        An input is wrong; the message names it and says what is accepted.

    Notes
    -----
    Liu, Chakraborty and Mittal, "Dependence Makes You Vulnerable" (NDSS 2016); see `DependenceAnalysis`. What
    takes longer than a moment, such as the worst of many sets of known tuples, is computed beside the
    kernel's own work, and ``busy`` is True meanwhile. The next edit takes its place, and ``cancel()`` ends
    it.

    Examples
    --------
    >>> from pdp_widgets import DependenceExplorer
    >>> explorer = DependenceExplorer()
    >>> print(explorer.results.largest)
    1.12675 nats (exact): Ann, knowing none
    >>> explorer.mechanism = "dpm_mean"
    >>> explorer.mechanism, explorer.coefficient, explorer.results.keeps_promise
    ('dpm', 'mean', True)
    """

    _module = "dependence_explorer"
    _panels: ClassVar = {
        "graph": "Dependence graph",
        "tuples": "Promise against truth",
        "curves": "Accuracy",
    }
    _picture_name = "dependent-tuples.svg"

    _core: DependenceState
    value = Instance(SparseJoint)
    query = AnyValue("sum")
    epsilon = Number(BUDGET)
    mechanism = Unicode("dpm")
    coefficient = Unicode("exact")
    known = Tuple()
    knowing = Choice(KNOWING, error=DomainError)
    target = Unicode()
    other = Unicode(None, allow_none=True)
    measure = Choice(GRAPH_MEASURES, error=DomainError)
    measure_epsilon = Level(MEASURE_EPSILON)
    alpha = Level(NOT_NEGATIVE, error=QueryError)
    show_paper = Flag("paper")
    noun = Noun(optional=True)

    def __init__(
        self,
        value: Any = None,
        query: Any = "sum",
        epsilon: float = 1.0,
        mechanism: str = "dpm",
        coefficient: str | None = None,
        known: Iterable[str | int] = (),
        *,
        knowing: str = "nobody",
        target: str | int | None = None,
        other: str | int | None = None,
        measure: str = "leakage",
        measure_epsilon: float | None = None,
        alpha: float = 3.0,
        show_paper: bool = True,
        noun: str | None = None,
        disabled: bool = False,
        layout: Any = None,
    ) -> None:
        self._core = DependenceState(
            self.declared,
            value,
            query=query,
            epsilon=epsilon,
            mechanism=mechanism,
            coefficient=coefficient,
            known=known,
            knowing=knowing,
            target=target,
            other=other,
            measure=measure,
            measure_epsilon=measure_epsilon,
            alpha=alpha,
            show_paper=show_paper,
            noun=noun,
        )
        super().__init__(disabled=disabled, layout=layout)

    def _work(self, now: Awaited[DependenceInputs]) -> Work:
        return partial(dependence_results, now.inputs)

    def _subject(self) -> Any:
        core = self._core
        return core.example, core.given, core.joint.tuples

    def _shown(self) -> dict[str, Any]:
        return self._core.state()

    def _embedded(self) -> dict[str, Any]:
        return dependence_embedded(self._core)

    def _figures(self, core: Any) -> Figures:
        joint = core.value
        shown = [core.target, core.other] if joint.n > 1 else [0]
        return {"table": lambda: joint.marginal(shown).to_joint().cells()}

    @property
    def results(self) -> DependenceAnalysis:
        """Promised and exact leakage of every tuple, for the last inputs that made sense.

        To the adversary that is shown: one who knows no tuple or the chosen ones, or for each tuple whoever
        learns most about it.
        """
        return self._core.results

    def _reported(self, core: Any) -> tuple[Any, dict[str, Any]]:
        return core.results, {"target": core.target}

    def to_dataframe(self) -> Any:
        """Return one row for each tuple, see `DependenceAnalysis.to_dataframe`."""
        return self._state().results.to_dataframe()

    def to_networkx(self) -> Any:
        """Return a ``networkx.DiGraph`` of the tuples, with the coefficients of every pair within a block."""
        return self._state().solved.to_networkx()

    def to_latex(self, *arguments: Any, **named: Any) -> str:
        """Return a table for LaTeX, one row for each tuple; see `DependenceAnalysis.to_latex`."""
        return str(self._state().results.to_latex(*arguments, **named))

    def plot(self) -> Any:
        """Return a bqplot figure: promised against exact for every tuple."""
        return self._state().results.plot()
