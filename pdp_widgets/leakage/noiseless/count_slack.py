"""The exact slack of a published count of randomly selected records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from numpy.typing import NDArray

from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.leakage.noiseless.events import as_events, event_slack, least_epsilon
from pdp_widgets.leakage.noiseless.slack import PAPER, LeastEpsilon, Slack, SlackCurve, epsilons_of, told
from pdp_widgets.mechanisms.anonymity.parameters import as_inner
from pdp_widgets.mechanisms.anonymity.selected_count import SelectedCount
from pdp_widgets.models.labels import shown

__all__ = ["count_about", "count_epsilon", "count_slack"]

_SOURCE = f"{PAPER}, Def. 2 for the release of Theorem 1"

_RELEASED = {
    "suppress": "count, withheld below {k:,}",
    "count": "count",
    "conditional": "count given {k:,} or more",
    "literal": "count given {k:,} or more, then shifted",
}
_COMPARED = {"shift": "one more", "remove": "one record fewer", "add": "one record more"}


def count_about(release: SelectedCount) -> str:
    """Return what is compared, in words.

    Examples
    --------
    >>> count_about(SelectedCount(100, 30, 0.5))
    'count, withheld below 30, of 100 records selected with probability 0.5, against one more'
    """
    released = _RELEASED[release.release].format(k=release.k)
    return (
        f"{released}, of {release.n:,} records selected with probability {release.p:.6g}, against "
        f"{_COMPARED[release.neighbour]}"
    )


def as_release(release: Any) -> SelectedCount:
    """Return a release, or raise BudgetError with what would be accepted."""
    if not isinstance(release, SelectedCount):
        raise BudgetError(
            f"The release is {shown(release)}; give a SelectedCount, such as SelectedCount(100, 30, 0.5).",
            Where("parameter", name="release"),
        )
    return release


@overload
def count_slack(release: SelectedCount, epsilon: float, events: str = ...) -> Slack: ...


@overload
def count_slack(
    release: SelectedCount, epsilon: Sequence[float] | NDArray[Any], events: str = ...
) -> SlackCurve: ...


def count_slack(release: SelectedCount, epsilon: Any, events: str = "all") -> Any:
    """Return the exact slack of a count of selected records.

    Parameters
    ----------
    release
        What is published, and with what it is compared.
    epsilon
        Nats, 0 to infinity; a number, or several.
    events
        ``"all"``, ``"interval"`` or ``"halfline"``; "nothing" stands below all counts.

    Returns
    -------
    Slack or SlackCurve
        One slack for a number, a curve for several.

    Raises
    ------
    BudgetError
        An epsilon is negative or the events are unknown.

    Examples
    --------
    >>> float(f"{count_slack(SelectedCount(100, 30, 0.5), 1.0).delta:.5g}")
    8.0026e-08
    >>> count_slack(SelectedCount(100, 30, 0.5), [0.1, 0.5]).delta.round(6).tolist()
    [0.041133, 0.00057]
    """
    laws = as_release(release).laws()
    chosen = as_events(events)
    found = event_slack(*laws, epsilons_of(epsilon), chosen)
    return told(epsilon, found, "exact", chosen, count_about(release), _SOURCE)


def count_epsilon(release: SelectedCount, delta: float, events: str = "all") -> LeastEpsilon:
    """Return the smallest epsilon at which a count of selected records keeps a slack.

    Parameters
    ----------
    release
        What is published, and with what it is compared.
    delta
        The slack, strictly between 0 and 1.
    events
        As for `count_slack`.

    Returns
    -------
    LeastEpsilon
        Exact; infinite where an outcome that only one of the neighbours has is likelier than ``delta``.

    Raises
    ------
    BudgetError
        ``delta`` is outside (0, 1) or the events are unknown.

    Examples
    --------
    >>> round(count_epsilon(SelectedCount(100, 30, 0.5), 0.01).epsilon, 6)
    0.263369
    """
    laws = as_release(release).laws()
    chosen, slack = as_events(events), as_inner(delta, "delta")
    found = least_epsilon(*laws, slack, chosen)
    return LeastEpsilon(found, "exact", chosen, slack, count_about(release), _SOURCE)
