"""The dependence explorer without a screen: its inputs, and the results of the last that made sense."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, PdpError, TableError, Where
from pdp_widgets.leakage.dependent.dependence_results import DependenceInputs
from pdp_widgets.leakage.dependent.known_tuples import known_tuples
from pdp_widgets.leakage.graph_measure import graph_measure
from pdp_widgets.mechanisms.joint_query import JointQuery, as_joint_query
from pdp_widgets.models.editing import edited_title
from pdp_widgets.models.labels import shown
from pdp_widgets.models.sparse_joint import SparseJoint, restored
from pdp_widgets.models.table_checks import SUM_TOLERANCE
from pdp_widgets.widgets.computed_beside import LONG
from pdp_widgets.widgets.dependence_menu import (
    COEFFICIENTS,
    EXAMPLES,
    MENU,
    Chosen,
    as_chosen,
    noun_of,
    queries_of,
    subject_of,
)
from pdp_widgets.widgets.dependence_solved import DependenceSolved, as_dependent_value
from pdp_widgets.widgets.dependence_views import SAID, Measured, dependence_state
from pdp_widgets.widgets.inputs import Controls, Input
from pdp_widgets.widgets.wire import (
    sent_choice,
    sent_numbers,
    sent_position,
    sent_positions,
)

Floats = NDArray[np.float64]

#: Seconds, by their estimate, for which a step from Python waits for its results.
PATIENCE = 1.0
#: Seconds that a measure of all tuples may take.
MEASURED_WITHIN = 3.0


@dataclass(frozen=True, eq=False)
class OwnTable:
    """The user's table while an example stands in its place."""

    given: SparseJoint
    entries: Floats
    query: Any


class DependenceState(Controls, DependenceSolved):
    """Inputs and results of a dependence explorer."""

    def __init__(
        self,
        declared: Mapping[str, Input[Any]],
        value: Any,
        *,
        query: Any,
        mechanism: str,
        coefficient: str | None,
        known: Iterable[str | int],
        target: str | int | None,
        other: str | int | None,
        **given: Any,
    ) -> None:
        self.example = "shift" if value is None else ""
        self.own: OwnTable | None = None
        self.given = EXAMPLES["shift"].made() if value is None else as_dependent_value(value)
        self.value = self.given
        self.entries: Floats = np.array(self.given.probabilities)
        self.query_given = query
        self._declare(declared, given)
        self.chosen = as_chosen(mechanism, coefficient)
        self.known = known_tuples(self.value, known)
        if self.known and self.asked["knowing"] == "nobody":
            self._set(knowing="chosen")
        self._queries = queries_of(self.value)
        self.measured: Measured | None = None
        super().__init__(self._inputs(self.value, self._query(self.value), self.asked["epsilon"]))
        fault = self._measure()
        if fault is not None:
            raise fault
        self._choose(target, other)

    # What there is

    @property
    def queries(self) -> list[tuple[str, str]]:
        """Keys and labels of the menu of queries."""
        if self.query_key == "given":
            return [*self._queries, ("given", self.solved.inputs.query.name)]
        return self._queries

    @property
    def noun(self) -> str:
        """What one tuple of the table is called."""
        return self.asked["noun"] or noun_of(self.value)

    @property
    def query_key(self) -> str:
        """What is picked in the menu of queries."""
        given = self.query_given
        return given if isinstance(given, str) else "given"

    @property
    def shown(self) -> bool:
        """Whether the results are about the tuples and values that stand in the table."""
        return self.value.tuples == self.joint.tuples and self.value.domains == self.joint.domains

    @property
    def subject(self) -> str:
        """What is released, to begin a clause."""
        return subject_of(self.query_key, self.solved.inputs.query.name)

    def _query(self, joint: SparseJoint) -> JointQuery:
        return as_joint_query(self.query_given, joint)

    def _inputs(self, joint: SparseJoint, query: JointQuery, epsilon: float) -> DependenceInputs:
        knowing = self.asked["knowing"]
        known = self.known if knowing == "chosen" else ()
        return DependenceInputs(joint, query, epsilon, self.chosen.key, knowing, known)

    @property
    def values(self) -> dict[str, Any]:
        """The last inputs that made sense, as Python reads them."""
        names, sound = self.joint.tuples, self.sound
        return {
            **self.asked,
            "value": sound.joint,
            "query": self.query_given,
            "epsilon": sound.epsilon,
            "mechanism": self.chosen.mechanism,
            "coefficient": self.chosen.coefficient,
            "known": tuple(self.value.tuples[k] for k in self.known),
            "target": names[self.target],
            "other": None if self.other is None else names[self.other],
            "noun": self.noun,
        }

    def _choose(self, target: Any, other: Any) -> None:
        if target is not None:
            self.target = self.joint.axis(target)
            if self.other == self.target:
                self.other = self._closest(self.target)
        if other is not None:
            asked = self.joint.axis(other)
            if asked == self.target:
                raise DomainError(
                    f"The chosen tuple and the other one are both {shown(self.joint.tuples[asked])}; "
                    "name two.",
                    Where("parameter", name="other"),
                )
            self.other = asked

    # From Python: what is wrong raises, and the caller puts the old state back.

    def accept(self, patch: Mapping[str, Any]) -> None:
        """Take changed inputs; a wrong entry of another control stays, and what is set is taken."""
        if "value" in patch:
            self._replace(as_dependent_value(patch["value"]))
            self.example, self.own = "", None
        if "query" in patch:
            self.query_given = patch["query"]
            # Named now: what is no query at all is wrong, whatever else stands in the controls.
            self._query(self.value).outputs(self.value)
        if "mechanism" in patch or "coefficient" in patch:
            mechanism = patch.get("mechanism", self.chosen.mechanism)
            self.chosen = as_chosen(mechanism, patch.get("coefficient"), self.chosen)
        if "known" in patch:
            self.known = known_tuples(self.value, patch["known"])
            self._set(knowing="chosen" if self.known else "nobody")
        self._take_inputs(patch)
        self._compute(math.inf if "value" in patch else PATIENCE, patch)
        if "target" in patch or "other" in patch:
            self._choose(patch.get("target"), patch.get("other"))

    def _replace(self, value: SparseJoint) -> None:
        """Put another joint distribution in the place of the one that stands."""
        names = self.value.tuples
        self.given = self.value = value
        self.entries = np.array(value.probabilities)
        self._queries = queries_of(value)
        if value.tuples != names:
            self.known = ()
            if self.asked["knowing"] == "chosen":
                self._set(knowing="nobody")
        try:
            query = self._query(value)
            query.outputs(value)
            query.sensitivities(value)
        except PdpError:
            self.query_given = self._queries[0][0]

    # From the browser: what is wrong becomes the fault, and the last results stay.

    def ask(self, request: Mapping[str, Any]) -> None:
        """Take what the hand set in a browser; what the request does not carry stays."""
        example = sent_choice(request, "example", self.example, ("", *EXAMPLES))
        moved = example != self.example and (bool(example) or self.own is not None)
        if moved:
            self._show_example(example)
        if "probabilities" in request:
            self._ask_entries(request)
        keys = [key for key, _ in self.queries]
        if not moved or request.get("query") in keys:
            # A query of the table that stood may be none of the one that stands.
            query = sent_choice(request, "query", self.query_key, [*keys, self.query_key])
            if query != self.query_key and query in keys:
                self.query_given = query
        mechanism: Any = sent_choice(request, "mechanism", self.chosen.mechanism, tuple(MENU))
        coefficient: Any = sent_choice(request, "coefficient", self.chosen.coefficient, COEFFICIENTS)
        self.chosen = Chosen(mechanism, coefficient)
        self._ask_inputs(request)
        n = self.value.n
        listed = sent_positions(request, "known", n, self.known)
        self.known = tuple(sorted({k for k in listed if 0 <= k < n}))
        self._compute(LONG)
        if self.shown:
            self._ask_pair(request)

    def _ask_entries(self, request: Mapping[str, Any]) -> None:
        if request["probabilities"] is None:
            # Nothing is edited, or no longer.
            self.entries = np.array(self.given.probabilities)
        else:
            sent = sent_numbers(request, "probabilities", len(self.entries), ())
            self.entries = np.array(sent)

    def _ask_pair(self, request: Mapping[str, Any]) -> None:
        n = self.joint.n
        asked = sent_position(request, "tuple", self.target)
        sent = request.get("other", self.other)
        other = None if sent is None else sent_position({"other": sent}, "other", 0)
        if 0 <= asked < n:
            self.target = asked
        if other is not None and 0 <= other < n and other != self.target:
            self.other = other
        elif self.other == self.target:
            self.other = self._closest(self.target)

    def _show_example(self, example: str) -> None:
        if not self.example:
            self.own = OwnTable(self.given, self.entries, self.query_given)
        if example:
            self._replace(EXAMPLES[example].made())
        elif self.own is not None:
            own, self.own = self.own, None
            self._replace(own.given)
            self.entries, self.query_given = own.entries, own.query
        self.example = example

    # Results

    def _compute(self, patience: float, patch: Mapping[str, Any] | None = None) -> None:
        """Bring the results up to date with the last inputs that make sense; say what is wrong."""
        faults: list[PdpError] = []
        base = self.sound
        joint, query = self.value, base.query
        try:
            self.value = joint = self._checked_joint()
        except PdpError as fault:
            faults.append(fault)
        try:
            query = self._query(joint)
            query.outputs(joint)
        except PdpError as fault:
            faults.append(fault)
        epsilon = self._sound("epsilon", base.epsilon, faults)
        wanted = self._inputs(joint, query, epsilon)
        try:
            self._solve(wanted, patience)
        except PdpError as fault:
            if patch is not None:
                if wanted.knowing == base.knowing or not {"value", "knowing", "known"}.isdisjoint(patch):
                    raise
                # An adversary whom a browser asked for in vain stands in the way of nothing else.
                self._solve(replace(wanted, knowing=base.knowing, known=base.known), patience)
            faults.append(fault)
        unmeasured = self._measure()
        if unmeasured is not None:
            if patch is not None and "measure" in patch:
                raise unmeasured
            faults.append(unmeasured)
        self.fault = faults[0] if faults else None

    def take(self, number: int, found: Any) -> None:
        """Take awaited results, unless others are awaited by now."""
        super().take(number, found)
        fault = self._measure()
        if fault is not None:
            self.fault = fault

    def _measure(self) -> PdpError | None:
        """Bring what the graph shows up to date; where it cannot be had, leakages, and why."""
        name = self.asked["measure"]
        if name == "leakage":
            self.measured = None
            return None
        epsilon = self.asked["measure_epsilon"] if name == "delta" else None
        measure = graph_measure(name, epsilon, self.solved.inputs.epsilon)
        now = self.measured
        if now is not None and now.of is self.solved and now.measure == measure:
            return None
        try:
            self.measured = Measured.made(self.solved, measure, MEASURED_WITHIN)
        except PdpError as fault:
            self.measured = None
            self._set(measure="leakage")
            return fault
        return None

    def _checked_joint(self) -> SparseJoint:
        """Return the joint distribution of the entries, or raise TableError."""
        if np.array_equal(self.entries, self.value.probabilities):
            return self.value
        if np.array_equal(self.entries, self.given.probabilities):
            return self.given
        for row, entry in enumerate(self.entries.tolist()):
            if not (math.isfinite(entry) and entry >= 0):
                raise TableError(
                    f"The probability of {self._row_words(row)} is {shown(entry)}; give 0 or more.",
                    Where("cell", index=tuple(self.given.codes[row].tolist())),
                )
        total = math.fsum(self.entries.tolist())
        if abs(total - 1) > SUM_TOLERANCE:
            raise TableError(
                f"The probabilities sum to {total:.9g}, not 1; change a cell, or keep the sum.",
                Where("table"),
            )
        return restored(
            np.array(self.given.codes),
            np.array(self.entries),
            self.given.domains,
            self.given.tuples,
            edited_title(self.given.title),
        )

    def _row_words(self, row: int) -> str:
        given = self.given
        if given.n > SAID:
            return f"row {row + 1}"
        values = [domain[k] for domain, k in zip(given.domains, given.codes[row].tolist(), strict=True)]
        return ", ".join(f"{name} {shown(v)}" for name, v in zip(given.tuples, values, strict=True))

    def state(self) -> dict[str, Any]:
        """Return what the browser shows."""
        return dependence_state(self)
