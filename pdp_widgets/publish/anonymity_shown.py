"""What all panels of the picture of a k-anonymous table read: the results, and what follows from them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pdp_widgets.leakage.noiseless.anonymity_words import events_label, theorem_of
from pdp_widgets.publish.anonymity_names import release_noun
from pdp_widgets.publish.anonymity_numbers import budget_text, percent, slack_text
from pdp_widgets.publish.anonymity_wording import AnonymityCase
from pdp_widgets.publish.formatting import fixed
from pdp_widgets.publish.labels import clean

if TYPE_CHECKING:
    from pdp_widgets.leakage.noiseless.anonymity_inputs import AnonymityInputs
    from pdp_widgets.leakage.noiseless.anonymity_results import AnonymityResults

__all__ = ["ShownAnonymity", "anonymity_case", "times_exact", "value_text"]


def value_text(column: Any, value: float) -> str:
    """Return a value of a column as text: a label, or a number in few digits; a dash where it is missing.

    Examples
    --------
    >>> from pdp_widgets.models.microdata import Microdata
    >>> data = Microdata({"age": [31.5], "ill": ["no"]})
    >>> value_text(data.column("age"), 31.5), value_text(data.column("ill"), 0.0)
    ('31.5', 'no')
    """
    return "–" if math.isnan(value) else clean(column.written(value))


def times_exact(value: float, exact: float | None) -> str:
    """Say how many times the exact slack a bound is; nothing where there is no such number.

    Examples
    --------
    >>> times_exact(0.173, 0.0098), times_exact(0.02, 0.0098), times_exact(0.5, 0.0)
    ('18 times exact', '2.0 times exact', '')
    """
    if exact is None or not exact > 0 or not math.isfinite(value):
        return ""
    ratio = value / exact
    if ratio >= 1e6:
        return "far above exact"
    return f"{fixed(ratio, 0 if ratio >= 9.95 else 1)} times exact"


@dataclass(frozen=True, eq=False)
class ShownAnonymity:
    """The results of an anonymised table, with the columns that are drawn.

    Parameters
    ----------
    results
        The numbers.
    inputs
        What they belong to.
    noun
        What one record is called.
    drawn
        Positions of the one or two quasi-identifiers of the map.
    """

    results: AnonymityResults
    inputs: AnonymityInputs
    noun: str = "record"
    drawn: tuple[int, int | None] = (0, None)

    @property
    def data(self) -> Any:
        """The records."""
        return self.inputs.data

    @cached_property
    def case(self) -> AnonymityCase:
        """The results in words."""
        return anonymity_case(self.results, self.inputs, self.noun)

    @cached_property
    def secret(self) -> str | None:
        """Name of the secret, or None."""
        place = self.inputs.secret
        return None if place is None else str(self.data.names[place])

    @cached_property
    def exact(self) -> Any:
        """The exact curve."""
        return next(one for one in self.results.curves if one.kind == "exact")

    @cached_property
    def bounds(self) -> list[Any]:
        """The bounds that have a value at epsilon, those for all events first."""
        found = [one for one in self.results.curves if one.kind == "bound" and one.at is not None]
        return sorted(found, key=lambda one: (one.events != "all", one.key != "bound-all"))

    @cached_property
    def paper(self) -> Any:
        """The curve as printed, or None where it is not shown."""
        if not self.inputs.printed:
            return None
        return next((one for one in self.results.curves if one.kind == "printed"), None)

    def with_removals(self, removals: Any) -> ShownAnonymity:
        """Return the same with what changes without each record."""
        return replace(self, results=self.results.with_removals(removals))

    @property
    def thing(self) -> str:
        """What is released: "count", "sum" or "records"."""
        return release_noun(self.inputs.release)

    @property
    def value_at(self) -> float | None:
        """The exact slack at epsilon."""
        at = self.exact.at
        return None if at is None else float(at)

    @property
    def drawn_names(self) -> list[str]:
        """Names of the columns of the map."""
        return [self.data.names[place] for place in self.drawn if place is not None]

    @property
    def theorem(self) -> str:
        """The theorem that the printed curve is of."""
        return theorem_of(self.inputs.reading, self.inputs.level)

    @property
    def heading(self) -> str:
        """What the chosen numbers are about."""
        return f"At ε = {budget_text(self.results.epsilon)}, {self.knowing}"

    @property
    def knowing(self) -> str:
        """What the adversary knows, in few words."""
        case = self.case
        groups = f"groups of up to {case.neighbours:,}"
        if case.level in ("III", "IV"):
            share = f"knowing {percent(case.known)} of the records"
            return share if case.level == "III" else f"{share}, {groups}"
        return "knowing no record" if case.level == "I" else f"knowing {groups}"

    @property
    def violated_from(self) -> float | None:
        """The least epsilon at which the exact slack is above the printed one."""
        if self.paper is None or not self.paper.violated:
            return None
        # Rounded down: the curves cross between two points of the axis.
        return math.floor(100 * float(self.paper.violated[0][0]) + 1e-9) / 100

    @property
    def bound_words(self) -> list[tuple[str, float, str]]:
        """Name, value and how far above the exact slack, for every bound."""
        return [
            (
                f"Bound, {events_label(one.events)}",
                float(one.at),
                "vacuous" if one.status == "vacuous" else times_exact(float(one.at), self.value_at),
            )
            for one in self.bounds
        ]

    def slack(self, value: float | None, up: bool = False) -> str:
        """Return a slack as text; a dash where there is none."""
        return "–" if value is None or math.isnan(value) else slack_text(value, up)


def anonymity_case(results: AnonymityResults, inputs: AnonymityInputs, noun: str = "record") -> AnonymityCase:
    """Return the results in words, see `AnonymityCase`.

    Parameters
    ----------
    results, inputs
        The numbers, and what they belong to.
    noun
        What one record is called.
    """
    proved = [(one.at, one.events) for one in results.curves if one.kind == "bound" and one.at is not None]
    best = min(proved, key=lambda one: one[0], default=None)
    exact = next(one for one in results.curves if one.kind == "exact")
    secret = inputs.secret
    return AnonymityCase(
        noun,
        results.k,
        results.achieved,
        results.classes_in_all,
        results.single,
        None if secret is None else inputs.data.names[secret],
        _only(results),
        inputs.release,
        inputs.neighbour,
        inputs.level,
        inputs.known,
        inputs.neighbours,
        results.unknown,
        results.epsilon,
        None if exact.at is None else float(exact.at),
        None if best is None else best[0],
        "halfline" if best is None else best[1],
        results.suppressed,
    )


def _only(results: AnonymityResults) -> str | None:
    """Return the one value that all classes with a single secret share."""
    if results.classes_in_all > len(results.classes):
        return None
    shared = {one.shared for one in results.classes if one.one}
    (found,) = shared if len(shared) == 1 else (None,)
    return None if found is None else found.removeprefix("all ")


def finite(values: Any) -> Any:
    """Return the numbers of an array that can be drawn on a logarithmic axis."""
    found = np.asarray(values, dtype=np.float64)
    return found[np.isfinite(found) & (found > 0)]
