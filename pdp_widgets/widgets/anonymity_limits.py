"""How long the numbers of an anonymity explorer take."""

from __future__ import annotations

from pdp_widgets.leakage.noiseless.anonymity_inputs import AnonymityInputs

__all__ = ["removal_seconds", "seconds_for"]

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


def seconds_for(wanted: AnonymityInputs, last: AnonymityInputs) -> float:
    """Return about how long results take where those of the last inputs are there.

    Examples
    --------
    >>> from pdp_widgets.models.clinic import clinic
    >>> here = AnonymityInputs(data=clinic(), quasi=(0, 1), secret=2, k=5, release="count:yes")
    >>> seconds_for(here, here) < 0.1
    True
    """
    n, seconds = wanted.data.records, 0.01
    if wanted.grouped != last.grouped:
        seconds += 1e-6 * n * (len(wanted.quasi) + 1)
    return seconds
