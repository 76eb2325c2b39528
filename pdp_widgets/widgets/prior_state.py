"""The prior explorer without a screen: its inputs, and the results of the last input that made sense."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from pdp_widgets.errors import (
    AdversaryError,
    DomainError,
    InstanceError,
    LimitError,
    PdpError,
    QueryError,
    Where,
)
from pdp_widgets.leakage.adversary import Adversary, known_of
from pdp_widgets.leakage.prior.analysis import PriorAnalysis
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import is_text, place, shown
from pdp_widgets.widgets.late import Convention, LateQuestion, new_number
from pdp_widgets.widgets.query_input import QueryInput
from pdp_widgets.widgets.table_edits import TableEdits, check_size, same_rows
from pdp_widgets.widgets.views import MOST_CELLS_EXPLORED, MOST_TUPLES, results_state
from pdp_widgets.widgets.wire import (
    as_flag,
    number,
    sent_flag,
    sent_position,
    sent_positions,
    sent_text,
)

__all__ = ["PriorState", "as_threshold", "asked_adversary"]

_NO_NUMBERS = (str, bytes, bool, np.bool_)


class PriorState:
    """Inputs and results of a prior explorer.

    Every input has what was asked for and the last value that made sense; results are those of the latter.

    Parameters
    ----------
    distribution
        At most 10 tuples and 1,024 cells.
    query
        A key of `queries_for`, a list of weights, or a `LinearQuery`.
    scale
        Noise scale, in units of the query.
    instance
        Row of labels; without it the most probable one.
    target, known
        The chosen adversary, by name or position; without them the one who learns most.
    convention
        ``"instance"``: known values are those of the row; ``"sup"``: the worst of all that can occur.

    Attributes
    ----------
    edits
        The table.
    release
        The query.
    results
        The analysis of the last inputs that made sense.
    fault
        What is wrong with the inputs that stand, or None.
    """

    def __init__(
        self,
        distribution: JointDistribution,
        query: str | LinearQuery | Sequence[float],
        scale: float,
        instance: Sequence[Any] | None,
        target: str | int | None,
        known: Iterable[str | int] | None,
        show_paper: bool,
        threshold: float | None,
        noun: str = "tuple",
        convention: str = "instance",
    ) -> None:
        check_tuples(distribution)
        check_size(distribution, MOST_CELLS_EXPLORED)
        self.release = QueryInput(query, distribution)
        self.edits = TableEdits(distribution)
        self.asked_convention = as_convention(convention)
        self.results = self._analyse(distribution, self.query, scale, instance, self.asked_convention)
        self.asked_scale: float = self.results.mechanism.scale
        self.asked_row = self.results.instance_positions
        self.fault: PdpError | None = None
        self.show_paper = as_flag(show_paper, "show_paper")
        self.noun = as_noun(noun)
        self.threshold = as_threshold(threshold)
        self.target, self.known = self._start(self.results, target, known)
        self._number()

    def __copy__(self) -> PriorState:
        made = object.__new__(PriorState)
        made.__dict__.update(self.__dict__)
        made.edits = copy.copy(self.edits)
        made.release = copy.copy(self.release)
        return made

    @staticmethod
    def _analyse(
        distribution: JointDistribution,
        query: LinearQuery,
        scale: Any,
        instance: Sequence[Any] | None,
        convention: str,
    ) -> PriorAnalysis:
        return analysed(distribution, LaplaceMechanism(query, scale), instance, convention)

    @staticmethod
    def _start(
        results: PriorAnalysis, target: str | int | None, known: Iterable[str | int] | None
    ) -> tuple[int, tuple[int, ...]]:
        if target is None:
            if known is not None:
                raise AdversaryError(
                    "The known tuples come without a target; name the attacked tuple too.",
                    Where("parameter", name="target"),
                )
            top = results.graph().largest
            return top.target, top.known
        distribution = results.distribution
        if known is not None:
            chosen = Adversary.of(distribution, target, known)
            return chosen.target, chosen.known
        i = Adversary.of(distribution, target).target
        return i, known_of(distribution.n_tuples, i, int(np.argmax(results.exact[i])))

    @property
    def current(self) -> bool:
        """Whether the results belong to what stands in the controls."""
        return self.fault is None

    @property
    def instance(self) -> tuple[Any, ...]:
        """Labels of the row the results belong to."""
        return self.results.instance

    @property
    def query(self) -> LinearQuery:
        """The last query that made sense."""
        return self.release.query

    @property
    def convention(self) -> Convention:
        """The convention the results belong to."""
        return self.results.convention

    def _number(self) -> None:
        """Give another state of what late numbers depend on another number."""
        subject = (self.results, self.target, self.known)
        last = self.__dict__.get("_numbered")
        if last is None or last[0] is not self.results:
            self._enough = new_number()
        if last is None or last[0] is not self.results or last[1:] != subject[1:]:
            self._sample = new_number()
        self._numbered = subject

    def late(self) -> LateQuestion:
        """Return what remains to be asked about this state."""
        sampled = self.results.distribution.records is not None
        return LateQuestion(
            self.results,
            self.target,
            self.known,
            self._enough,
            self._sample if sampled else None,
        )

    # From Python: what is wrong raises, and the caller puts the old state back.

    def accept(self, patch: Mapping[str, Any]) -> None:
        """Take changed inputs."""
        distribution, row = self.edits.distribution, self.asked_row
        fresh = False
        if "value" in patch:
            distribution = patch["value"]
            fresh = not same_rows(distribution, self.edits.distribution)
            check_tuples(distribution)
            check_size(distribution, MOST_CELLS_EXPLORED)
            if fresh and "query" not in patch:
                self.release = self.release.again(distribution)
            self.edits.replace(distribution)
        if "query" in patch:
            self.release.take(patch["query"], distribution)
        scale = patch.get("scale", self.results.mechanism.scale)
        convention = as_convention(patch.get("convention", self.convention))
        if "instance" in patch or fresh:
            asked = patch.get("instance")
            made = self._analyse(distribution, self.query, scale, asked, convention)
            row = made.instance_positions
        LaplaceMechanism(self.query, scale)
        self.asked_scale, self.asked_row, self.asked_convention = float(scale), row, convention
        if fresh:
            self.results = made
            self.target, self.known = self._start(made, patch.get("target"), patch.get("known"))
        else:
            self._choose(patch)
        if "show_paper" in patch:
            self.show_paper = as_flag(patch["show_paper"], "show_paper")
        if "threshold" in patch:
            self.threshold = as_threshold(patch["threshold"])
        refused = self._compute()
        if refused is not None and ("convention" in patch or "query" in patch):
            raise refused

    def _choose(self, patch: Mapping[str, Any]) -> None:
        if "target" not in patch and "known" not in patch:
            return
        distribution = self.edits.distribution
        target = Adversary.of(distribution, patch.get("target", self.target)).target
        # A tuple that becomes the attacked one is no longer among the known ones.
        known = patch["known"] if "known" in patch else [k for k in self.known if k != target]
        chosen = Adversary.of(distribution, target, known)
        self.target, self.known = chosen.target, chosen.known

    # From the browser: what is wrong becomes the fault, and the last results stay.

    def ask(self, request: Mapping[str, Any]) -> None:
        """Take what the hand set in a browser; what the request does not carry stays."""
        self.edits.ask(request)
        self.release.ask(request, self.edits.distribution)
        self.asked_convention = as_convention(sent_text(request, "convention", self.asked_convention))
        if "scale" in request:
            self.asked_scale = number(request["scale"])
        shape = self.edits.distribution.shape
        row = tuple(sent_positions(request, "instance", len(shape), self.asked_row))
        if len(row) == len(shape) and all(0 <= p < size for p, size in zip(row, shape, strict=True)):
            self.asked_row = row
        self.show_paper = sent_flag(request, "show_paper", self.show_paper)
        threshold = request.get("threshold", self.threshold)
        if threshold is None or math.isfinite(number(threshold)):
            self.threshold = as_threshold(threshold)
        self.target, self.known = asked_adversary(request, self.target, self.known, len(shape))
        self._compute()

    def _compute(self) -> LimitError | None:
        """Bring the results up to date with the last inputs that make sense; return why they are too much."""
        faults = [fault for fault in (self.edits.fault, self.release.fault) if fault is not None]
        refused: LimitError | None = None
        last = self.results
        mechanism = last.mechanism
        try:
            mechanism = LaplaceMechanism(self.query, self.asked_scale)
        except PdpError as fault:
            faults.append(fault)
        distribution, row, convention = self.edits.distribution, self.asked_row, self.asked_convention
        if not distribution.table[row] > 0:
            if convention == "sup":
                # The row stays for later: the worst case is over all rows that can occur.
                row = distribution.position(distribution.most_probable())
            else:
                faults.insert(0, self._impossible(distribution, row))
                distribution, row = last.distribution, last.instance_positions
        unchanged = (
            distribution == last.distribution
            and mechanism == last.mechanism
            and row == last.instance_positions
            and convention == self.convention
        )
        if not unchanged:
            labels = [domain[p] for domain, p in zip(distribution.domains, row, strict=True)]
            try:
                self.results = analysed(distribution, mechanism, labels, convention)
            except LimitError as fault:
                refused = fault
                faults.append(fault)
        self.fault = faults[0] if faults else None
        self._number()
        return refused

    @staticmethod
    def _impossible(distribution: JointDistribution, row: tuple[int, ...]) -> InstanceError:
        named = place(distribution.names, distribution.domains, row)
        return InstanceError(
            f"The row {named} has probability 0; choose other known values.", Where("row", index=row)
        )

    def state(self, disabled: bool) -> dict[str, Any]:
        """Return what the browser shows."""
        return {
            "table": self.edits.state(disabled),
            "query": self.release.state(self.edits.distribution, self.noun),
            "scale": self.asked_scale,
            "instance": self.asked_row,
            "convention": self.asked_convention,
            "target": self.target,
            "known": self.known,
            "show_paper": self.show_paper,
            "threshold": self.threshold,
            "current": self.current,
            "results": results_state(self.results, self.target, self.known, self.show_paper),
            "late": {"enough": self._enough, "sample": self.late().sample},
        }


def asked_adversary(
    request: Mapping[str, Any], target: int, known: tuple[int, ...], n: int
) -> tuple[int, tuple[int, ...]]:
    """Return target and known tuples after a request; a target that does not exist is ignored."""
    asked = sent_position(request, "target", target)
    listed = sent_positions(request, "known", n, known)
    if not 0 <= asked < n:
        return target, known
    return asked, tuple(sorted({k for k in listed if 0 <= k < n} - {asked}))


def analysed(
    distribution: JointDistribution,
    mechanism: LaplaceMechanism,
    instance: Sequence[Any] | None,
    convention: str,
) -> PriorAnalysis:
    """Return what every adversary learns, in one of the conventions."""
    if convention == "instance":
        return PriorAnalysis(distribution, mechanism, instance)
    return PriorAnalysis(distribution, mechanism, instance, convention="sup")


def as_convention(convention: Any) -> Convention:
    """Return a convention given in Python."""
    if is_text(convention) and convention == "instance":
        return "instance"
    if is_text(convention) and convention == "sup":
        return "sup"
    raise DomainError(
        f"The convention is {shown(convention)}; give 'instance' (known values of one row) or 'sup' "
        "(the worst of all known values).",
        Where("parameter", name="convention"),
    )


def as_noun(noun: Any) -> str:
    """Return what one tuple is called."""
    if not is_text(noun) or not noun.strip() or len(noun) > 40:
        raise QueryError(
            f"The noun is {shown(noun)}; give a word of 1 to 40 characters, such as 'answer'.",
            Where("parameter", name="noun"),
        )
    return str(noun).strip()


def as_threshold(threshold: Any) -> float | None:
    """Return a threshold in nats, or None for none."""
    if threshold is None:
        return None
    try:
        level = math.nan if isinstance(threshold, _NO_NUMBERS) else float(threshold)
    except (TypeError, ValueError, OverflowError):
        level = math.nan
    if not (math.isfinite(level) and level >= 0):
        raise AdversaryError(
            f"The threshold is {shown(threshold)}; give a number of nats, 0 or more, or None.",
            Where("parameter", name="threshold"),
        )
    return level


def check_tuples(distribution: JointDistribution) -> None:
    """Raise LimitError for more tuples than an explorer shows."""
    n = distribution.n_tuples
    if n > MOST_TUPLES:
        raise LimitError(
            f"The distribution has {n} tuples; an explorer shows at most {MOST_TUPLES}. Take some of them "
            "with marginal(...), or use PriorAnalysis, which needs no screen.",
            Where("table"),
        )
