"""How long the numbers of an anonymity explorer take."""

from __future__ import annotations

from pdp_widgets.leakage.noiseless.anonymity_analysis import AnonymityAnalysis
from pdp_widgets.leakage.noiseless.anonymity_inputs import AnonymityInputs
from pdp_widgets.leakage.noiseless.anonymity_results import AnonymityResults, analysis_of
from pdp_widgets.leakage.noiseless.hidden_release import law_points, law_work

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
    if seconds > _WAITED or _published(wanted) == _published(last.inputs):
        return seconds
    return seconds + law_seconds(analysis_of(wanted))


def law_seconds(analysis: AnonymityAnalysis) -> float:
    """Return about how long the exact law of what is published takes, and that with nothing known.

    Examples
    --------
    >>> from pdp_widgets.models.clinic import clinic
    >>> law_seconds(AnonymityAnalysis(clinic(), ["age", "weight"], "diabetes")) < 0.01
    True
    """
    points = None if analysis.released.kind == "records" else law_points(analysis.law)
    here, nothing = analysis.hidden, analysis.hidden_at(0.0)
    if points is None or analysis.share is not None:
        return 0.0
    found = [law_work(points, one.others // one.block) for one in (here, nothing) if one.fault is None]
    return _MULTIPLICATION * sum(found)


def _published(inputs: AnonymityInputs) -> tuple[object, ...]:
    """Return what the laws of a release depend on."""
    return (
        *(inputs.data, inputs.quasi, inputs.secret, inputs.k, inputs.release, inputs.neighbour),
        *(inputs.level, inputs.known, inputs.neighbours, inputs.shift, inputs.group_change),
    )
