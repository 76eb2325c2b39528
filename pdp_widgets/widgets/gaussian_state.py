"""The Gaussian explorer without a screen: its inputs, and the results of the last input that made sense."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from pdp_widgets.errors import AdversaryError, LimitError, PdpError, Where
from pdp_widgets.leakage.adversary import Adversary, known_of
from pdp_widgets.leakage.gaussian.analysis import GaussianAnalysis
from pdp_widgets.leakage.gaussian.release import as_change
from pdp_widgets.mechanisms.laplace import as_scale
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.publish.wording import subject
from pdp_widgets.widgets.covariance_edits import CovarianceEdits
from pdp_widgets.widgets.gaussian_views import gaussian_results_state
from pdp_widgets.widgets.graph_search import Search, asked_search
from pdp_widgets.widgets.prior_state import as_noun, as_threshold, asked_adversary
from pdp_widgets.widgets.sum_query import QUERIES, chosen_query, key_of, named_weights, sent_query
from pdp_widgets.widgets.views import GraphView
from pdp_widgets.widgets.wire import as_flag, number

__all__ = ["MOST_TUPLES", "GaussianState", "as_model"]

#: Up to here Python answers within a second.
MOST_TUPLES = 20
#: Seconds and bytes for each adversary of one answer.
_SECONDS, _BYTES = 1.1e-7, 46


class GaussianState:
    """Inputs and results of a Gaussian explorer.

    Every input has what was asked for and the last value that made sense; results are those of the latter.

    Parameters
    ----------
    model
        Mean and covariance, at most 20 tuples.
    weights
        One for each tuple, or None.
    scale
        Noise scale, in units of the query.
    max_change
        The largest change of one tuple that is to be hidden.
    target, known
        The chosen adversary, by name or position; without them the one who learns most.
    query
        ``"sum"``, ``"mean"``, ``"weights"``, or None: what the weights are.

    Attributes
    ----------
    edits
        The matrix, the means and the weights.
    query
        What is picked in the menu.
    results
        The analysis of the last inputs that made sense.
    view
        Their graph as a browser shows it.
    fault
        What is wrong with the inputs that stand, or None.
    """

    def __init__(
        self,
        model: GaussianModel,
        weights: Sequence[float] | None,
        scale: float,
        max_change: float,
        target: str | int | None,
        known: Iterable[str | int] | None,
        query: str | None = None,
        threshold: float | None = None,
        noun: str = "tuple",
        correlation: bool = False,
    ) -> None:
        check_tuples(model.n_tuples)
        self.query, numbers = chosen_query(query, weights, model.n_tuples)
        self.edits = CovarianceEdits(model, numbers)
        self.edits.correlation = as_flag(correlation, "show_correlation")
        self._take(GaussianAnalysis(model, numbers, scale, max_change))
        self.asked_scale, self.asked_change = self.results.scale, self.results.max_change
        self.fault: PdpError | None = None
        self.noun = as_noun(noun)
        self.threshold = as_threshold(threshold)
        self.search = Search()
        self.target, self.known = self._start(target, known)

    def __copy__(self) -> GaussianState:
        made = object.__new__(GaussianState)
        made.__dict__.update(self.__dict__)
        made.edits = copy.copy(self.edits)
        return made

    def _take(self, results: GaussianAnalysis) -> None:
        self.results = results
        self.view = GraphView(results.graph())

    def _start(
        self, target: str | int | None = None, known: Iterable[str | int] | None = None
    ) -> tuple[int, tuple[int, ...]]:
        """Return the adversary to begin with: the one asked for, or who learns most."""
        if target is None:
            if known is not None:
                raise AdversaryError(
                    "The known tuples come without a target; name the attacked tuple too.",
                    Where("parameter", name="target"),
                )
            return self.view.largest
        chosen = Adversary.of(self.model, target, () if known is None else known)
        if known is not None:
            return chosen.target, chosen.known
        best = int(np.argmax(self.results.exact[chosen.target]))
        return chosen.target, known_of(self.model.n_tuples, chosen.target, best)

    @property
    def current(self) -> bool:
        """Whether the results belong to what stands in the controls."""
        return self.fault is None

    @property
    def model(self) -> GaussianModel:
        """The model the results belong to."""
        return self.results.model

    @property
    def value(self) -> GaussianModel:
        """The last valid model."""
        assert self.edits.model is not None
        return self.edits.model

    @property
    def weights(self) -> tuple[float, ...]:
        """The last weights that made sense for the last valid model."""
        last = self.edits.last_weights
        # Those of a matrix brought in that is not valid belong to tuples without results.
        fits = last is not None and len(last) == self.value.n_tuples
        return tuple(last.tolist()) if fits and last is not None else self.results.weights

    # From Python: what is wrong raises, and the caller puts the old state back.

    def accept(self, patch: Mapping[str, Any]) -> None:
        """Take changed inputs."""
        if "value" in patch:
            self._replace(as_model(patch["value"]))
        if "weights" in patch or "query" in patch:
            self._set_query(patch.get("query"), patch.get("weights"), "weights" in patch)
        if "scale" in patch:
            self.asked_scale = as_scale(patch["scale"])
        if "max_change" in patch:
            self.asked_change = as_change(patch["max_change"])
        if "show_correlation" in patch:
            self.edits.correlation = as_flag(patch["show_correlation"], "show_correlation")
        if "threshold" in patch:
            self.threshold = as_threshold(patch["threshold"])
        refused = self._compute()
        if refused is not None and patch.keys() & {"value", "weights", "query", "scale", "max_change"}:
            raise refused
        if "target" in patch or "known" in patch:
            target = Adversary.of(self.model, patch.get("target", self.target)).target
            # A tuple that becomes the attacked one is no longer among the known ones.
            known = patch["known"] if "known" in patch else [k for k in self.known if k != target]
            chosen = Adversary.of(self.model, target, known)
            self.target, self.known = chosen.target, chosen.known

    def _replace(self, model: GaussianModel) -> None:
        check_tuples(model.n_tuples)
        before = len(self.edits.names)
        self.edits.replace(model)
        self._follow_tuples(before)

    def _follow_tuples(self, before: int) -> None:
        """Fit the query to another number of tuples."""
        n = len(self.edits.names)
        if n == before:
            return
        if self.query == "weights":
            self.query = "sum"
        self.edits.set_weights(named_weights(self.query, n))

    def _set_query(self, query: Any, weights: Any, given: bool) -> None:
        n = len(self.edits.names)
        if query is not None or not given:
            key, numbers = chosen_query("sum" if query is None else query, weights, n)
            # A weighted sum starts from the weights that stand.
            if key == "weights" and not given:
                numbers = self.weights if len(self.weights) == n else numbers
            self.query = key
        else:
            numbers = chosen_query(None, weights, n)[1]
            if numbers != self.weights:
                self.query = key_of(numbers)
        self.edits.set_weights(numbers)

    # From the browser: what is wrong becomes the fault, and the last results stay.

    def ask(self, request: Mapping[str, Any]) -> None:
        """Take what the hand set in a browser; what the request does not carry stays."""
        sent = {name: part for name, part in request.items() if name != "weights" or part is not None}
        names, weights = self.edits.names, self.edits.weights
        self.edits.ask(sent)
        check_tuples(len(self.edits.names))
        if self.edits.names != names:
            self._follow_tuples(len(names))
        else:
            self._ask_query(sent, weights)
        if "scale" in sent:
            self.asked_scale = number(sent["scale"])
        if "max_change" in sent:
            self.asked_change = number(sent["max_change"])
        threshold = sent.get("threshold", self.threshold)
        if threshold is None or math.isfinite(number(threshold)):
            self.threshold = as_threshold(threshold)
        # Positions of tuples that have just come, or have no results yet, name nobody in the request.
        if not self._compute_fresh() and self._about_cells:
            n = self.model.n_tuples
            self.target, self.known = asked_adversary(sent, self.target, self.known, n)
            self.search = asked_search(sent, self.search, n)

    def _ask_query(self, request: Mapping[str, Any], before: Any) -> None:
        weights = self.edits.weights
        assert weights is not None
        edited = not np.array_equal(weights, before, equal_nan=True)
        key = sent_query(request, self.query, weights.tolist(), edited)
        if key != self.query and key != "weights" and not edited:
            self.edits.set_weights(named_weights(key, len(weights)))
        self.query = key

    @property
    def _about_cells(self) -> bool:
        """Whether the results are about the tuples in the cells: a matrix brought in may not be valid yet."""
        return self.edits.names == self.model.names

    def _compute_fresh(self) -> bool:
        """Compute; say whether the results are of other tuples than before."""
        names = self.model.names
        self._compute()
        return self.model.names != names

    def _compute(self) -> PdpError | None:
        """Bring the results up to date with the last inputs that make sense; return why that fails."""
        last = self.results
        faults = [fault for fault in (self.edits.fault, self.edits.weights_fault()) if fault is not None]
        scale, change = last.scale, last.max_change
        try:
            scale = as_scale(self.asked_scale)
        except PdpError as fault:
            faults.append(fault)
        try:
            change = as_change(self.asked_change)
        except PdpError as fault:
            faults.append(fault)
        refused: PdpError | None = None
        wanted = self.value, self.weights, scale, change
        if wanted != (last.model, last.weights, last.scale, last.max_change):
            try:
                self._take(GaussianAnalysis(*wanted))
            except PdpError as fault:
                refused = fault
                faults.append(fault)
        self.fault = faults[0] if faults else None
        if self.model.names != last.model.names:
            self.target, self.known = self._start()
            self.search = Search()
        return refused

    def state(self) -> dict[str, Any]:
        """Return what the browser shows; about tuples whose matrix was never valid there are no results."""
        there = self._about_cells
        return {
            "matrix": self.edits.state(),
            "correlation": self.edits.correlation,
            "query": self.query,
            "subject": subject(QUERIES[self.query]),
            "noun": self.noun,
            "scale": self.asked_scale,
            "max_change": self.asked_change,
            "target": self.target if there else 0,
            "known": self.known if there else (),
            "threshold": self.threshold,
            "current": self.current,
            "results": self._shown_results() if there else None,
        }

    def _shown_results(self) -> dict[str, Any]:
        return gaussian_results_state(
            self.results, self.view, self.target, self.known, self.search, self.threshold
        )


def as_model(value: Any) -> GaussianModel:
    """Return the model given in Python."""
    if isinstance(value, GaussianModel):
        return value
    raise TypeError(
        f"The value is a {type(value).__name__}; give a GaussianModel, for example "
        "GaussianModel(mean, cov) or GaussianModel.from_dataframe(frame)."
    )


def check_tuples(n: int) -> None:
    """Raise LimitError for more tuples than an explorer computes, with what they would take."""
    if n <= MOST_TUPLES:
        return
    nodes = n * 2.0 ** (n - 1)
    raise LimitError(
        f"The model has {n} tuples and {nodes:,.0f} adversaries; an explorer takes at most {MOST_TUPLES} "
        f"tuples. Every answer would take about {nodes * _SECONDS:.1f} s and {nodes * _BYTES / 1e6:,.0f} MB. "
        "Take some of them with marginal(...), or ask for single adversaries with gaussian_leakage.",
        Where("table"),
    )
