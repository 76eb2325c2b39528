"""What a report consists of, and what it says of any result: an adversary in chances, rows, refusals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pprint import pformat
from typing import Any

from pdp_widgets.core.chart import nats, number
from pdp_widgets.errors import PdpError
from pdp_widgets.leakage.meaning.information import leakage_bounds
from pdp_widgets.leakage.meaning.meaning import Meaning
from pdp_widgets.leakage.value import About, Leakage
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import short
from pdp_widgets.publish.document import DocumentError, written

__all__ = [
    "GIVEN",
    "Cell",
    "Facts",
    "Row",
    "Told",
    "closely",
    "dense",
    "everyone",
    "in_short",
    "law_of",
    "least_noise",
    "listed",
    "meaning_or_why",
    "meant",
    "per_cent",
    "promised",
    "real",
    "row",
    "slack",
    "tried",
    "who",
]

Facts = Sequence[tuple[str, str]]
#: What is measured, the number with its unit, its status, and whose formula it is.
Row = tuple[str, str, str, str]

#: Of laws that no data stand behind.
GIVEN = "The probabilities were given; whether they are right is for whoever gave them to say."
#: Tuples, attributes and lanes that are listed one by one.
MOST_LISTED = 6
#: Characters of an adversary, and of a line of a cell.
_LONGEST = 180
_WIDTH = 100


def dense(value: Any) -> str:
    """Return what a document holds as an expression of Python, in few lines."""
    return pformat(value, width=_WIDTH, compact=True, sort_dicts=False)


@dataclass(frozen=True)
class Cell:
    """What a result is made of, by name, and the expression that makes it of these."""

    values: Mapping[str, Any]
    call: str
    #: Why the expression would make something else.
    missing: str = ""

    @property
    def text(self) -> str:
        """A cell of Python, or DocumentError for what cannot be written."""
        if self.missing:
            raise DocumentError(self.missing)
        made = [f"{name} = pdp.open({dense(written(value, name))})" for name, value in self.values.items()]
        return "\n".join(["import pdp_widgets as pdp", "", *made, f"result = {self.call}"])


@dataclass(frozen=True)
class Told:
    """What is said of a result; every text is data, and is escaped where it is shown."""

    title: str
    #: In short what leaks, for readers of one sentence.
    lead: str
    released: Facts
    assumed: Sequence[str]
    seen: Sequence[str]
    unseen: Sequence[str]
    numbers: Sequence[Row]
    noise: Sequence[str]
    cell: Cell
    #: One adversary in every measure, or why there is none.
    meaning: Meaning | str = ""
    #: What `Reported.report` is told again to choose the same.
    choice: Mapping[str, Any] = field(default_factory=dict)


def meant(one: Meaning) -> list[str]:
    """Say what the leakage of one adversary means in chances."""
    said = [f"All of this is exact for one adversary: {who(one.about)}."]
    if one.determined:
        return [
            *said,
            "The known values leave nothing to learn: a guess is right before the release and after it.",
        ]
    target = short(one.about.target)
    if one.has_prior:
        guessed = one.vulnerability()
        before, after = per_cent(guessed.prior), per_cent(guessed.posterior)
        then = "and as often after it" if before == after else f"and in {after} after it"
        said.append(f"A guess of {target} is right in {before} of cases before the release {then}.")
        if len(one.cases) == 1:
            laws = one.cases[0].laws
            best = laws.labels[int(laws.prior.argmax())]
            low, high = one.chance(best)
            said.append(
                f"The belief in the likeliest value, {short(best)}, may end between {per_cent(low)} and "
                f"{per_cent(high)}."
            )
    promise = None if one.promise is None else leakage_bounds(one.promise, [0.5, 0.5])
    allowed = "" if promise is None else f"; the promise allows {100 * promise.balanced_guess:.0f}"
    tries = 100 * float(one.measure("balanced_guess"))
    said.append(
        f"Of two equally likely values the best test names the right one in {tries:.0f} of 100 tries"
        f"{allowed}."
    )
    found = 1 - float(one.trade_off(_ALARMS))
    allowed = (
        "" if promise is None else f"; the promise allows {per_cent(1 - float(promise.missed(_ALARMS)[0]))}"
    )
    said.append(f"With {per_cent(_ALARMS)} false alarms it finds {per_cent(found)}{allowed}.")
    if one.promise is not None and math.isfinite(one.promise):
        beyond = float(one.delta(one.promise))
        kept = "is kept" if beyond == 0 else f"holds with a slack δ of {slack(beyond)}"
        said.append(f"For this adversary the promised budget of {nats(one.promise, 4)} {kept}.")
    said.append("A slack is how much chance lies beyond a budget; it is no probability of failure.")
    return said


_ALARMS, _LEAST_SLACK = 0.05, 1e-13


def slack(delta: float) -> str:
    """Return a slack; what is less than can be told from rounding is no 0."""
    return "< 1e−13" if 0 < delta < _LEAST_SLACK else number(delta, 3)


def per_cent(chance: float) -> str:
    """Return a chance or a share in per cent."""
    return f"{number(100 * chance, 3)} %"


def row(leakage: Leakage, name: str = "") -> Row:
    """Return a leakage as a row; an estimate has its interval."""
    status: str = leakage.status
    if leakage.interval is not None:
        status += ", {} to {}".format(*(number(end, 4) for end in leakage.interval))
    what = f"{name}: {who(leakage.about)}" if name else who(leakage.about)
    return what, nats(leakage.value, 4), status, leakage.source


def promised(value: float, about: str) -> Row:
    """Return what a mechanism promises as a row."""
    return f"Promised {about}", nats(value, 4), "promise", "the mechanism"


def who(about: About) -> str:
    """Return an adversary in words, cut where many long names are known."""
    words = str(about)
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


def tried(say: Callable[[], str]) -> str:
    """Return what a computation says, or why it was refused."""
    try:
        return say()
    except PdpError as error:
        return f"Not computed: {error.plain}"


def listed(names: Iterable[Any]) -> str:
    """Return the first of some names, and how many more there are."""
    given = [short(name) for name in names]
    more = f" and {len(given) - MOST_LISTED} more" if len(given) > MOST_LISTED else ""
    return ", ".join(given[:MOST_LISTED]) + more


def real(value: Any) -> str:
    """Return a number as an expression of Python."""
    return f'float("{value}")' if isinstance(value, float) and not math.isfinite(value) else repr(value)


def meaning_or_why(make: Callable[[], Meaning]) -> Meaning | str:
    """Return a meaning, or why it is not computed."""
    try:
        return make()
    except PdpError as error:
        return f"Not computed: {error.plain}"


def in_short(promise: float, of: str, largest: Leakage) -> str:
    """Say what is promised, and the most that leaks."""
    leaks = f"The most that leaks is {nats(largest.value, 4)} ({largest.status}): {who(largest.about)}."
    return f"The release promises {nats(promise, 4)} {of}. {leaks}"


def least_noise(scale: float, now: float, promise: float, whom: str, status: str) -> str:
    """Say how much noise keeps a promise."""
    kept = f"keeps {nats(promise, 4)} for {whom} ({status})"
    return f"Laplace noise of scale {number(scale, 4)} in place of {number(now, 4)} {kept}."


def closely(leakage: Leakage) -> str:
    """Say who is looked at closely."""
    return f"Looked at closely: {who(leakage.about)}."


def law_of(data: Any) -> list[str]:
    """Say where the law of the data comes from."""
    if isinstance(data, AttributeTable):
        records = len(data.codes)
    elif isinstance(data, JointDistribution) and data.counts is not None:
        records = int(data.counts.sum())
    else:
        return [GIVEN]
    caution = data.caution if isinstance(data, JointDistribution) else ""
    said = f"The law is the shares of {records:,} records, taken for the truth."
    return [said, f"Caution: {caution}."] if caution else [said]


def everyone(tuples: int) -> str:
    """Say how many adversaries of so many tuples there are."""
    many = tuples << (tuples - 1)
    return f"All {many:,} adversaries: for every tuple, whoever knows any of the others"
