"""How long the numbers of an anonymity explorer take."""

from __future__ import annotations

from pdp_widgets.leakage.noiseless.anonymity_analysis import AnonymityAnalysis
from pdp_widgets.leakage.noiseless.anonymity_curves import MOST_WORK, releases_by_share
from pdp_widgets.leakage.noiseless.anonymity_inputs import AnonymityInputs
from pdp_widgets.leakage.noiseless.anonymity_results import AnonymityResults, analysis_of
from pdp_widgets.leakage.noiseless.hidden_release import laws_work

__all__ = ["law_seconds", "removal_seconds", "seconds_for"]

#: Seconds of one multiplication in a convolution.
_MULTIPLICATION = 1.5e-9
#: Classes that take longer, in seconds, are not made only to say how long the rest takes.
_WAITED = 0.1

#: Records of which every one is left out in turn; of more so many are tried.
_ALL, _TRIED = 2000, 500


def removal_seconds(inputs: AnonymityInputs) -> float:
    """Return about how long it takes to leave records out.

    Examples
    --------
    >>> from pdp_widgets.models.clinic import clinic
    >>> removal_seconds(AnonymityInputs(clinic(), (0, 1), 2, 5, "count:yes")) < 0.1
    True
    """
    n = inputs.data.records
    return 0.005 + 8e-8 * n * (n if n <= _ALL else _TRIED) * (len(inputs.quasi) + 1)


def seconds_for(wanted: AnonymityInputs, last: AnonymityResults) -> float:
    """Return about how long results take where the last ones are there.

    Examples
    --------
    >>> from pdp_widgets.leakage.noiseless.anonymity_results import anonymity_results
    >>> from pdp_widgets.models.clinic import clinic
    >>> here = AnonymityInputs(clinic(), (0, 1), 2, 5, "count:yes")
    >>> seconds_for(here, anonymity_results(here)) < 0.1
    True
    """
    n, seconds = wanted.data.records, 0.01
    if wanted.grouped != last.inputs.grouped:
        seconds += 1e-6 * n * (len(wanted.quasi) + 1)
    if seconds > _WAITED or (last.whole and _published(wanted) == _published(last.inputs)):
        return seconds
    return seconds + law_seconds(analysis_of(wanted))


def law_seconds(analysis: AnonymityAnalysis) -> float:
    """Return about how long the exact laws take: of what is published, and by the share known where quick.

    Examples
    --------
    >>> from pdp_widgets.models.clinic import clinic
    >>> law_seconds(AnonymityAnalysis(clinic(), ["age", "weight"], "diabetes")) < 0.01
    True
    """
    here = analysis.hidden
    if here.kind != "sum" or here.fault is not None:
        return 0.0
    shares = laws_work(releases_by_share(analysis))
    return _MULTIPLICATION * (laws_work([here]) + (shares if shares <= MOST_WORK else 0.0))


def _published(inputs: AnonymityInputs) -> tuple[object, ...]:
    """Return what the laws of a release depend on."""
    return (
        *(inputs.data, inputs.quasi, inputs.secret, inputs.k, inputs.release, inputs.neighbour),
        *(inputs.level, inputs.known, inputs.neighbours, inputs.shift, inputs.group_change, inputs.n),
    )
