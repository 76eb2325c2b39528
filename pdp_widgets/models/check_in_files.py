"""Check-ins from a file as published by SNAP."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike

from pdp_widgets.models.check_ins import CheckIns
from pdp_widgets.models.labels import as_title
from pdp_widgets.models.text_lines import text_lines

__all__ = ["parse_check_ins", "read_check_ins"]


def read_check_ins(path: str | PathLike[str], title: str | None = None) -> CheckIns:
    r"""Read check-ins from a file as published by SNAP, such as ``loc-gowalla_totalCheckins.txt.gz``.

    Parameters
    ----------
    path
        A text file, or one packed by gzip (``.gz``): user, time, latitude, longitude and location in each
        line, separated by one or more tabs, no heading.
    title
        Short text for pictures; without it the name of the file.

    Returns
    -------
    CheckIns
        ``.dropped`` says how many lines have another number of fields, something that is no number, degrees
        that do not exist or another form of time. Empty lines are not counted.

    Raises
    ------
    NetworkError
        It is no path of a file, no line holds a check-in, or a packed file cannot be unpacked.

    Warns
    -----
    NetworkWarning
        More than a tenth of the lines holds no check-in, five or more; or latitude and longitude look
        swapped.

    Notes
    -----
    E. Cho, S. A. Myers and J. Leskovec, "Friendship and Mobility", KDD 2011; the file of Gowalla has
    6,442,890 lines. It is not part of this package.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "checkins.txt")
    >>> _ = file.write_text("0\t2010-10-19T23:55:27Z\t30.23\t-97.79\t22847\n1\tbad line\n\n")
    >>> data = read_check_ins(file)
    >>> data, data.dropped
    (CheckIns('checkins', 1 check-in, 1 user, 1 place), 1)
    """
    lines, stem = text_lines(path)
    return parse_check_ins(lines, stem if title is None else title)


def parse_check_ins(lines: Iterable[str], title: str | None = "") -> CheckIns:
    r"""Return the check-ins of lines; see `read_check_ins`.

    Examples
    --------
    >>> parse_check_ins(["0\t2010-10-19T23:55:27Z\t30.23\t\t-97.79\t22847\r\n"])
    CheckIns(1 check-in, 1 user, 1 place)
    """
    made = CheckIns.__new__(CheckIns)
    full = (stripped for line in lines if (stripped := line.rstrip("\r\n")).strip())
    made._gather(([part for part in line.split("\t") if part] for line in full), as_title(title))
    return made
