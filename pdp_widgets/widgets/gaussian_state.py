"""The Gaussian explorer without a screen: its inputs, and the results of the last input that made sense."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from pdp_widgets.errors import PdpError
from pdp_widgets.leakage.adversary import Adversary
from pdp_widgets.leakage.gaussian.analysis import GaussianAnalysis
from pdp_widgets.leakage.gaussian.release import WeightedRelease
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.widgets.adversary_choice import AdversaryState, given_choice, opening_choice
from pdp_widgets.widgets.computed_beside import LONG, Awaited
from pdp_widgets.widgets.covariance_edits import CovarianceEdits
from pdp_widgets.widgets.gaussian_results import (
    GaussianInputs,
    GaussianResults,
    check_tuples,
    gaussian_results_state,
    kept_values,
    results_for,
    seconds_for,
)
from pdp_widgets.widgets.graph_search import Search
from pdp_widgets.widgets.inputs import Input
from pdp_widgets.widgets.late import new_number
from pdp_widgets.widgets.query_input import QUERIES, chosen_query, key_of, named_weights, sent_query
from pdp_widgets.widgets.views import GraphView

#: Inputs that leakages depend on.
_MODEL = frozenset({"value", "weights", "query", "scale", "max_change"})


class GaussianState(AdversaryState[GaussianInputs]):
    """Inputs and results of a Gaussian explorer."""

    def __init__(
        self,
        declared: Mapping[str, Input[Any]],
        model: GaussianModel,
        *,
        weights: Sequence[float] | None,
        query: str | None,
        target: str | int | None,
        known: Iterable[str | int] | None,
        **given: Any,
    ) -> None:
        check_tuples(model.n_tuples)
        self.query, numbers = chosen_query(query, weights, model.n_tuples)
        self.edits = CovarianceEdits(model, numbers)
        self._declare(declared, given)
        release = WeightedRelease.of(model, numbers, self.asked["scale"], self.asked["max_change"])
        self._put(results_for(GaussianInputs(model, release.weights, release.scale, release.max_change)))
        self.search = Search()
        self._start(target, known)
        self._open_levels(self.results.promise)

    def __copy__(self) -> GaussianState:
        made = object.__new__(GaussianState)
        made.__dict__.update(self.__dict__)
        made.edits = copy.copy(self.edits)
        return made

    def _put(self, solved: GaussianResults) -> None:
        self.solved, self.awaited = solved, None

    @property
    def results(self) -> GaussianAnalysis:
        """The analysis of the last inputs that made sense."""
        return self.solved.analysis

    @property
    def view(self) -> GraphView:
        """Its graph as a browser shows it."""
        return self.solved.view

    def _start(self, target: str | int | None = None, known: Iterable[str | int] | None = None) -> None:
        """Choose the adversary to begin with: the one asked for, or who learns most."""
        find = partial(Adversary.of, self.model)
        self._choose(opening_choice(find, target, known, self.view.largest, self.results.exact))

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
    def values(self) -> dict[str, Any]:
        """The last inputs that made sense, as Python reads them."""
        names = self.model.names
        return {
            **self.asked,
            "value": self.value,
            "weights": self.weights,
            "scale": self.results.scale,
            "max_change": self.results.max_change,
            "query": self.query,
            "target": names[self.target],
            "known": tuple(names[k] for k in self.known),
        }

    @property
    def weights(self) -> tuple[float, ...]:
        """The last weights that made sense for the last valid model."""
        last = self._last_weights
        return self._base.weights if last is None or self._weights_fault() is not None else last

    @property
    def _base(self) -> GaussianInputs:
        """The last inputs that made sense together: those of what is computed, else of the results."""
        return self.solved.inputs if self.running is None else self.running.inputs

    @property
    def _last_weights(self) -> tuple[float, ...] | None:
        """The last weights that were numbers, if they are those of the last valid model."""
        last = self.edits.last_weights
        # Those of a matrix brought in that is not valid belong to tuples without results.
        return tuple(last.tolist()) if last is not None and len(last) == self.value.n_tuples else None

    def _weights_fault(self) -> PdpError | None:
        """Return why no sum can be made of the last weights, whatever scale and change."""
        last = self._last_weights
        if last is None:
            return None
        try:
            GaussianInputs(self.value, last, 1.0, 0.0).check()
        except PdpError as fault:
            return fault
        return None

    # From Python: what is wrong raises, and the caller puts the old state back.

    def accept(self, patch: Mapping[str, Any]) -> None:
        """Take changed inputs."""
        if "value" in patch:
            self._replace(as_model(patch["value"]))
        if "weights" in patch or "query" in patch:
            self._set_query(patch.get("query"), patch.get("weights"), "weights" in patch)
        self._take_inputs(patch)
        self._settle_goal()
        fresh = not _MODEL.isdisjoint(patch)
        impossible = self._weights_fault()
        if impossible is not None and fresh:
            raise impossible
        refused = self._compute(math.inf if fresh else LONG)
        if refused is not None and fresh:
            raise refused
        self._choose(given_choice(patch, partial(Adversary.of, self.model), self.choice))

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
        self._ask_inputs(sent)
        self._settle_goal()
        # Positions of tuples that have just come, or have no results yet, name nobody in the request.
        if not self._compute_fresh() and self._about_cells:
            self._ask_adversary(sent, self.model.n_tuples)

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
        self._compute(LONG)
        return self.model.names != names

    def _compute(self, patience: float) -> PdpError | None:
        """Bring the results up to date with the last inputs that make sense; return why that fails."""
        last = self.results
        checked = self.edits.fault, self.edits.weights_fault(), self._weights_fault()
        faults = [fault for fault in checked if fault is not None]
        # A wrong entry leaves what is being computed for the others: that is the last that made sense.
        base = self._base
        scale = self._sound("scale", base.scale, faults)
        change = self._sound("max_change", base.max_change, faults)
        refused: PdpError | None = None
        try:
            self._solve(GaussianInputs(self.value, self.weights, scale, change), patience)
        except PdpError as fault:
            refused = fault
            faults.append(fault)
            if self.running is None:
                self.awaited = None
        self.fault = faults[0] if faults else None
        self._follow_results(last)
        return refused

    def _solve(self, wanted: GaussianInputs, patience: float) -> None:
        awaited = self.awaited
        if wanted == self.solved.inputs:
            self.awaited = None
            return
        if awaited is not None and patience <= LONG and wanted == awaited.inputs:
            return
        wanted.check()
        again = self.solved.at(wanted) if wanted.same_sum(self.solved.inputs) else None
        if again is not None:
            self._put(again)
        elif seconds_for(wanted) <= patience:
            self._put(results_for(wanted))
        elif awaited is not None and not awaited.stopped and wanted.same_sum(awaited.inputs):
            # What is computed serves every scale and change.
            self.awaited = Awaited(awaited.number, wanted)
        else:
            self.awaited = Awaited(new_number(), wanted)

    def _follow_results(self, last: GaussianAnalysis) -> None:
        """Choose an adversary of the results when they are of other tuples than the last ones."""
        if self.model.names != last.model.names:
            self._start()
            self.search = Search()

    # What was awaited

    def take(self, number: int, solved: GaussianResults) -> None:
        """Take awaited results, unless others are awaited by now."""
        now = self.expected(number)
        if now is None:
            return
        last = self.results
        if solved.inputs != now.inputs:
            again = solved.at(now.inputs)
            if again is None:
                self.awaited = Awaited(new_number(), now.inputs)
                return
            solved = again
        self._put(solved)
        self._follow_results(last)

    def _kept(self, asked: GaussianInputs) -> str:
        return kept_values(asked, self.solved.inputs)

    def state(self) -> dict[str, Any]:
        """Return what the browser shows; about tuples whose matrix was never valid there are no results."""
        there = self._about_cells
        return {
            **self.controls,
            "matrix": self.edits.state(),
            "query": self.query,
            "subject": f"A noisy {QUERIES[self.query]}",
            "noun": self.asked["noun"],
            "target": self.target if there else 0,
            "known": self.known if there else (),
            **self.wait_state,
            "results": self._shown_results() if there else None,
        }

    def _shown_results(self) -> dict[str, Any]:
        return gaussian_results_state(
            self.results, self.view, self.target, self.known, self.search, self.asked["threshold"]
        )


def as_model(value: Any) -> GaussianModel:
    """Return the model given in Python."""
    if isinstance(value, GaussianModel):
        return value
    raise TypeError(
        f"The value is a {type(value).__name__}; give a GaussianModel, for example "
        "GaussianModel(mean, cov) or GaussianModel.from_dataframe(frame)."
    )
