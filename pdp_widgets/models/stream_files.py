"""Streams from files: clicks of many users, and the rain in Seattle that comes with the package."""

from __future__ import annotations

import csv
import datetime
import warnings
from array import array
from collections.abc import Iterable, Sequence
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from pdp_widgets.core.amounts import Kind
from pdp_widgets.errors import LimitError, SortedStreamsWarning, StreamError, Where
from pdp_widgets.models.labels import shown
from pdp_widgets.models.stream_data import StreamData
from pdp_widgets.models.text_files import text_lines

__all__ = ["parse_click_streams", "rain_states", "read_click_streams", "seattle_weather"]

#: Pages of one line, and its characters: 18 digits and a blank each. No user visits as many.
_MOST_PAGES = 1_000_000
_LONGEST_LINE = 20_000_000
#: Where a stream stands in other files.
_OTHER = (
    ' A column of a table is StreamData.from_dataframe(pandas.read_csv("FILE"), "COLUMN"); words are '
    "StreamData(line.split() for line in file)."
)


def read_click_streams(
    path: str | PathLike[str],
    most_frequent: int | None = None,
    other: Any = "other",
    title: str | None = None,
) -> StreamData:
    r"""Read a file with one stream a line, in the format of Kosarak.

    Parameters
    ----------
    path
        A text file, or one packed by gzip, bzip2, zip or Zstandard.
    most_frequent
        Keep so many pages and put all others together; without it all are kept.
    other
        Label of the others.
    title
        Short text for pictures; without it the name of the file.

    Returns
    -------
    StreamData
        Pages in ascending order of their numbers, or the most frequent ones first. What was read is described
        by ``.facts`` where all pages are kept.

    Raises
    ------
    StreamError
        It is no path of a file, no line holds a stream, or a packed file cannot be unpacked.
    LimitError
        A line has more than 1,000,000 page numbers, or the file more than 2,000,000,000 characters.

    Warns
    -----
    SortedStreamsWarning
        There are more than 1,000 events and no two neighbours occur in both orders: the lines are sets of
        pages in one fixed order, and what follows what is a property of that order.

    Notes
    -----
    Empty lines are skipped. Lines with anything but digits are dropped and counted. The public file of
    Kosarak, a Hungarian news portal, does not keep the order of clicks: pages are sorted within each line.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "clicks.dat")
    >>> _ = file.write_text("3 1 3\n2 x 5\n1 3\n  7   8 \n")
    >>> data = read_click_streams(file)
    >>> data, data.facts.malformed
    (StreamData('clicks', 3 streams, 7 events, 4 symbols), 1)
    """
    # What is not ASCII is no digit either: such lines are dropped, whatever the coding.
    lines, stem = text_lines(path, StreamError, longest=_LONGEST_LINE, any_letters=True)
    data = parse_click_streams(lines, title=stem if title is None else title)
    if data.facts.looks_sorted:
        warnings.warn(
            f"{Path(path).name}: not one of {data.facts.events:,} events is followed by a page that also "
            "comes before it somewhere. Lines are sets of pages in one fixed order, not visits; transitions "
            "estimated from them describe that order.",
            SortedStreamsWarning,
            stacklevel=2,
        )
    return data if most_frequent is None else data.most_frequent(most_frequent, other)


def parse_click_streams(lines: Iterable[str], title: str | None = "") -> StreamData:
    """Return the streams of lines of page numbers; see `read_click_streams`, which warns too."""
    place: dict[str, int] = {}
    codes, ends = array("q"), array("q", [0])
    malformed, dropped = 0, ""
    for number, line in enumerate(lines, 1):
        tokens = line.split(None, _MOST_PAGES)
        if len(tokens) > _MOST_PAGES or len(line) > _LONGEST_LINE:
            raise LimitError(
                f"Line {number:,} is too long: a line has at most {_MOST_PAGES:,} page numbers, and "
                f"{_LONGEST_LINE:,} characters. Give one user a line.",
                Where("parameter", name="path"),
            )
        if not tokens:
            continue
        if not "".join(tokens).isdecimal() or not line.isascii() or max(map(len, tokens)) > 18:
            malformed += 1
            dropped = dropped or f" The first line that has something else is {shown(line.strip())}."
            continue
        codes.extend([place.setdefault(token, len(place)) for token in tokens])
        ends.append(len(codes))
    if not codes:
        raise StreamError(
            f"No line holds a stream; a line is page numbers separated by blanks.{dropped}"
            f"{_OTHER if dropped else ''}",
            Where("parameter", name="path"),
        )
    # "007" and "7" are one page.
    numbers = np.array([int(token) for token in place], dtype=np.int64)
    pages, table = np.unique(numbers, return_inverse=True)
    return StreamData.from_codes(
        table[np.frombuffer(codes, dtype=np.int64)],
        np.frombuffer(ends, dtype=np.int64),
        pages.tolist(),
        title,
        malformed,
    )


_MILLIMETRES = Kind("it must be a number of millimetres, more than 0", 0, above=True, error=StreamError)
_TITLE = "Rain in Seattle, 2012 to 2015"


def seattle_weather(
    states: Sequence[str] = ("dry", "light", "heavy"), heavy_from: float = 5.0, title: str | None = _TITLE
) -> StreamData:
    """Return 1,461 days of weather in Seattle as one stream of dry, light and heavy.

    Parameters
    ----------
    states
        Labels of a day without precipitation, of one with less than ``heavy_from``, and of the others.
    heavy_from
        Millimetres of precipitation from which a day is heavy.
    title
        Short text for pictures.

    Raises
    ------
    StreamError
        There are not three labels, or the limit is no positive number.

    Notes
    -----
    Daily precipitation, 1 January 2012 to 31 December 2015, from the daily observations of the National
    Oceanic and Atmospheric Administration of the United States, in the public domain. No day is missing; a
    missing one would end the stream and begin another. What a day says about the next is moderate: after a
    heavy day 41 % are heavy, after a dry one 7 %.

    Examples
    --------
    >>> data = seattle_weather()
    >>> data
    StreamData('Rain in Seattle, 2012 to 2015', 1 stream, 1,461 events, 3 symbols)
    >>> data.counts.tolist(), data.labels(0)[:4]
    ([838, 360, 263], ('dry', 'heavy', 'light', 'heavy'))
    """
    text = files("pdp_widgets").joinpath("data", "seattle-weather.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    dates = [datetime.date.fromisoformat(row["date"]) for row in rows]
    return rain_states(dates, [float(row["precipitation"]) for row in rows], states, heavy_from, title)


def rain_states(
    dates: Sequence[datetime.date],
    millimetres: Sequence[float],
    states: Sequence[str] = ("dry", "light", "heavy"),
    heavy_from: float = 5.0,
    title: str | None = "",
) -> StreamData:
    """Return daily precipitation as streams of three states; a day that is missing ends a stream."""
    labels = [states] if isinstance(states, str) else list(states)
    if len(labels) != 3:
        raise StreamError(
            f"There are {len(labels)} labels; give three, for dry, light and heavy days.",
            Where("parameter", name="states"),
        )
    limit = _MILLIMETRES.take(heavy_from, "heavy_from")
    amounts = np.asarray(millimetres, dtype=np.float64)
    if amounts.shape != (len(dates),) or (amounts < 0).any():
        raise StreamError(
            f"Give one amount, 0 or more, for each of the {len(dates):,} days.",
            Where("parameter", name="millimetres"),
        )
    days = np.array([date.toordinal() for date in dates], dtype=np.int64)
    if (np.diff(days) <= 0).any():
        later = int(np.argmax(np.diff(days) <= 0)) + 1
        raise StreamError(
            f"Day {dates[later]} does not come after the one before it; give days in ascending order.",
            Where("parameter", name="dates"),
        )
    codes = np.where(amounts == 0, 0, np.where(amounts < limit, 1, 2))
    known = np.flatnonzero(~np.isnan(amounts))
    # Streams begin at the first day and wherever the day before is not there.
    begins = np.flatnonzero(np.diff(days[known], prepend=days[known][:1] - 2) != 1)
    return StreamData.from_codes(
        codes[known], np.append(begins, len(known)) if len(known) else [0], labels, title
    )
