"""The prior explorer without a screen: its inputs, and the results of the last input that made sense."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from pdp_widgets.errors import InstanceError, LimitError, PdpError, Where
from pdp_widgets.leakage.adversary import Adversary
from pdp_widgets.leakage.prior.exact_all import instance_positions
from pdp_widgets.leakage.value import Convention
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import place
from pdp_widgets.widgets.adversary_choice import AdversaryState, given_choice, opening_choice
from pdp_widgets.widgets.computed_beside import LONG, Awaited
from pdp_widgets.widgets.graph_search import Search
from pdp_widgets.widgets.histogram_results import Analysis, Query, release_of
from pdp_widgets.widgets.inputs import Input
from pdp_widgets.widgets.late import LateQuestion, new_number
from pdp_widgets.widgets.prior_results import (
    Inputs,
    PriorResults,
    check_explored,
    kept_values,
    results_for,
    seconds_for,
)
from pdp_widgets.widgets.query_input import QueryInput
from pdp_widgets.widgets.table_edits import TableEdits, same_rows
from pdp_widgets.widgets.views import MOST_CELLS_EXPLORED
from pdp_widgets.widgets.wire import sent_positions

#: Inputs that leakages depend on.
_MODEL = frozenset(
    {"value", "query", "scale", "instance", "convention", "show_paper", "measure", "measure_epsilon"}
)
#: Those that only the graph shows: what is refused of them leaves the leakages.
_SHOWN = ("show_paper", "measure")


class PriorState(AdversaryState[Inputs]):
    """Inputs and results of a prior explorer."""

    def __init__(
        self,
        declared: Mapping[str, Input[Any]],
        distribution: JointDistribution,
        *,
        query: str | Query | Sequence[float] | None,
        instance: Sequence[Any] | None,
        target: str | int | None,
        known: Iterable[str | int] | None,
        **given: Any,
    ) -> None:
        check_explored(distribution)
        self.release = QueryInput(query, distribution)
        self.edits = TableEdits(distribution, summary_beyond=MOST_CELLS_EXPLORED)
        self._declare(declared, given)
        self.refusal: PdpError | None = None
        self.automatic = False
        asked = self.asked
        mechanism = release_of(self.query, asked["scale"])
        row = instance_positions(distribution, instance)
        self._begin(self._inputs(distribution, mechanism, row, asked["convention"]), target, known)
        if self.refusal is not None:
            raise self.refusal
        self._open_levels(mechanism.promise)
        self._number()

    def __copy__(self) -> PriorState:
        made = object.__new__(PriorState)
        made.__dict__.update(self.__dict__)
        made.edits = copy.copy(self.edits)
        made.release = copy.copy(self.release)
        return made

    def _inputs(
        self, distribution: JointDistribution, mechanism: Any, row: tuple[int, ...], convention: Convention
    ) -> Inputs:
        """Return what results depend on, with what the graph is asked to show."""
        asked = self.asked
        shown = asked["show_paper"], asked["measure"], asked["measure_epsilon"]
        return Inputs(distribution, mechanism, row, convention, *shown)

    def _begin(self, inputs: Inputs, target: str | int | None, known: Iterable[str | int] | None) -> None:
        """Take another table."""
        self._set(scale=inputs.mechanism.scale)
        self.asked_row = inputs.row
        self.automatic = False
        self._put(results_for(inputs))
        self.automatic = target is None
        self.search = Search()
        find, largest = partial(Adversary.of, inputs.distribution), self.solved.view.largest
        self._choose(opening_choice(find, target, known, largest, self.results.exact))

    def _put(self, solved: PriorResults) -> None:
        # Edits leave the one who is looked at; another convention is another question.
        if self.automatic and solved.inputs.convention != self.convention:
            self._choose(solved.view.largest)
        self.solved: PriorResults = solved
        self.awaited = None
        self.refusal = solved.refusal
        if solved.refusal is not None:
            self._set(show_paper=self.asked["show_paper"] and solved.inputs.with_paper)
            self._set(measure=solved.inputs.measure)

    @property
    def results(self) -> Analysis:
        """The analysis of the last inputs that made sense."""
        return self.solved.analysis

    @property
    def instance(self) -> tuple[Any, ...]:
        """Labels of the row the results belong to."""
        return self.results.instance

    @property
    def query(self) -> Query:
        """The last query that made sense."""
        return self.release.query

    @property
    def convention(self) -> Convention:
        """The convention the results belong to."""
        return self.results.convention

    @property
    def paper_shown(self) -> bool:
        """Whether the paper's estimate is asked for and there."""
        return self.asked["show_paper"] and self.solved.inputs.with_paper

    @property
    def values(self) -> dict[str, Any]:
        """The last inputs that made sense, as Python reads them."""
        names = self.edits.distribution.names
        return {
            **self.asked,
            "value": self.edits.distribution,
            "query": self.query,
            "scale": self.results.mechanism.scale,
            "instance": self.instance,
            "target": names[self.target],
            "known": tuple(names[k] for k in self.known),
            "convention": self.convention,
        }

    def _number(self) -> None:
        """Give another state of what late numbers depend on another number."""
        subject = (self.solved.inputs, self.asked["goal"], self.results, self.target, self.known)
        last = self.__dict__.get("_numbered")
        # Which scale is enough does not depend on the present one.
        if last is None or last[1] != self.asked["goal"] or not last[0].same_but_scale(self.solved.inputs):
            self._enough = new_number()
        if last is None or last[2] is not self.results or last[3:] != subject[3:]:
            self._sample = new_number()
        self._numbered = subject

    def late(self) -> LateQuestion:
        """Return what remains to be asked about this state."""
        sampled = self.results.distribution.records is not None
        return LateQuestion(
            self.results,
            self.target,
            self.known,
            self.asked["goal"],
            self._enough,
            self._sample if sampled else None,
        )

    # From Python: what is wrong raises, and the caller puts the old state back.

    def accept(self, patch: Mapping[str, Any], *, row_stays: bool = False) -> None:
        """Take changed inputs; results that depend on them are there on return."""
        distribution, row = self.edits.distribution, self.asked_row
        fresh = False
        if "value" in patch:
            distribution = patch["value"]
            fresh = not same_rows(distribution, self.edits.distribution)
            check_explored(distribution)
            if fresh and "query" not in patch:
                self.release = self.release.again(distribution)
            self.edits.replace(distribution)
        if "query" in patch:
            self.release.take(patch["query"], distribution)
        # What is being computed for a browser stands as well as what is there.
        base = self.solved.inputs if self.running is None else self.running.inputs
        self._set(scale=base.mechanism.scale, convention=base.convention)
        last_measure = self.asked["measure"]
        self._take_inputs(patch)
        self._drop_threshold(last_measure, "threshold" in patch)
        self._settle_goal()
        asked = self.asked
        mechanism, convention = release_of(self.query, asked["scale"]), asked["convention"]
        if "instance" in patch or fresh:
            row = instance_positions(distribution, patch.get("instance"))
        elif not (row_stays or convention == "sup" or distribution.table[row] > 0) and (
            "value" in patch or "convention" in patch
        ):
            row = instance_positions(distribution, None)
        self.asked_row = row
        if fresh:
            inputs = self._inputs(distribution, mechanism, row, convention)
            self._begin(inputs, patch.get("target"), patch.get("known"))
        else:
            last = self.choice
            self._choose(given_choice(patch, partial(Adversary.of, distribution), last))
            self.automatic &= self.choice == last
        refused: PdpError | None = self._compute(LONG if _MODEL.isdisjoint(patch) else math.inf)
        if refused is None and any(name in patch and asked[name] != self.asked[name] for name in _SHOWN):
            refused = self.refusal
        if refused is not None:
            raise refused

    # From the browser: what is wrong becomes the fault, and the last results stay.

    def ask(self, request: Mapping[str, Any]) -> None:
        """Take what the hand set in a browser; what the request does not carry stays."""
        self.edits.ask(request)
        self.release.ask(request, self.edits.distribution)
        last_measure = self.asked["measure"]
        self._ask_inputs(request)
        self._drop_threshold(last_measure, "threshold" in request)
        self._settle_goal()
        shape = self.edits.distribution.shape
        row = tuple(sent_positions(request, "instance", len(shape), self.asked_row))
        if len(row) == len(shape) and all(0 <= p < size for p, size in zip(row, shape, strict=True)):
            self.asked_row = row
        self.automatic &= not {"target", "known"} & request.keys()
        self._ask_adversary(request, len(shape))
        self._compute(LONG)

    def _drop_threshold(self, last_measure: str, given: bool) -> None:
        """Leave out a threshold of another measure, which has another unit."""
        if self.asked["measure"] != last_measure and not given:
            self._set(threshold=None)

    def take(self, number: int, found: PriorResults) -> None:
        """Take awaited results, unless others are awaited by now."""
        super().take(number, found)
        self._number()

    def _leave(self, now: Awaited[Inputs], reason: str, cost: str = "") -> None:
        if self._of_paper(now.inputs):
            # Only what the graph shows is missing: the leakages are up to date.
            self.awaited = None
            there = self.solved.inputs
            missing = "paper's estimate" if there.same_measure(now.inputs) else "measure of the graph"
            self._set(show_paper=self.asked["show_paper"] and there.with_paper)
            self._set(measure=there.measure, measure_epsilon=there.measure_epsilon)
            self.refusal = LimitError(f"{reason} The {missing} was not computed.")
        else:
            super()._leave(now, reason, cost)

    def _of_paper(self, awaited: Inputs) -> bool:
        return awaited.same_model(self.solved.inputs)

    def _kept(self, asked: Inputs) -> str:
        return kept_values(asked, self.solved.inputs)

    def resume(self) -> None:
        """Ask again for what was given up, or was refused for what it takes."""
        if self.awaited is not None and self.awaited.stopped:
            self.awaited = Awaited(new_number(), self.awaited.inputs)

    def _compute(self, patience: float) -> LimitError | None:
        """Bring the results up to date with the last inputs that make sense; return why they are too much."""
        faults = [fault for fault in (self.edits.fault, self.release.fault) if fault is not None]
        refused: LimitError | None = None
        # A wrong entry leaves what is being computed for the others: that is the last that made sense.
        last = self.solved.inputs if self.running is None else self.running.inputs
        mechanism = last.mechanism
        try:
            mechanism = release_of(self.query, self.asked["scale"])
        except PdpError as fault:
            faults.append(fault)
        distribution, row, convention = self.edits.distribution, self.asked_row, self.asked["convention"]
        if not distribution.table[row] > 0:
            if convention == "sup":
                # The row stays for later: the worst case is over all rows that can occur.
                row = distribution.position(distribution.most_probable())
            else:
                faults.insert(0, self._impossible(distribution, row))
                distribution, row = last.distribution, last.row
        wanted = self._inputs(distribution, mechanism, row, convention)
        if patience <= LONG:
            self.refusal = None
        try:
            self._solve(wanted, patience)
        except LimitError as fault:
            refused = fault
            if fault.cost and patience <= LONG:
                # Who is told what it takes may want it all the same.
                self._leave(Awaited(new_number(), wanted), fault.plain, fault.cost)
            else:
                faults.append(fault)
                if self.running is None:
                    self.awaited = None
        self.fault = faults[0] if faults else None
        self._number()
        return refused

    def _solve(self, wanted: Inputs, patience: float) -> None:
        if wanted.answered_by(self.solved.inputs):
            self.awaited = None
        elif patience > LONG or self.awaited is None or not wanted.answered_by(self.awaited.inputs):
            if seconds_for(wanted, self.solved) <= patience:
                self._put(results_for(wanted, self.solved))
            else:
                self.awaited = Awaited(new_number(), wanted)

    @staticmethod
    def _impossible(distribution: JointDistribution, row: tuple[int, ...]) -> InstanceError:
        named = place(distribution.names, distribution.domains, row)
        return InstanceError(
            f"The row {named} has probability 0; choose other known values.", Where("row", index=row)
        )
