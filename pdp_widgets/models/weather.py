"""A series that comes with the package: rain in Seattle, day by day, 2012 to 2015."""

from __future__ import annotations

import csv
import datetime
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import numpy as np

from pdp_widgets.errors import StreamError, Where
from pdp_widgets.models.given_numbers import plain_number
from pdp_widgets.models.labels import shown
from pdp_widgets.models.stream_data import StreamData

__all__ = ["rain_states", "seattle_weather"]

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
    """Return daily precipitation as streams of three states; a day that is missing ends a stream.

    Parameters
    ----------
    dates
        Days in ascending order.
    millimetres
        Precipitation of each; NaN where it is not known.
    states, heavy_from, title
        As for `seattle_weather`.

    Examples
    --------
    >>> days = [datetime.date(2012, 1, day) for day in (1, 2, 5)]
    >>> [codes.tolist() for codes in rain_states(days, [0, 7.5, 2])]
    [[0, 2], [1]]
    """
    labels = [states] if isinstance(states, str) else list(states)
    if len(labels) != 3:
        raise StreamError(
            f"There are {len(labels)} labels; give three, for dry, light and heavy days.",
            Where("parameter", name="states"),
        )
    limit = _positive(heavy_from)
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


def _positive(value: Any) -> float:
    try:
        number = plain_number(value)
    except (TypeError, ValueError, OverflowError):
        number = 0.0
    if not 0 < number < np.inf:
        raise StreamError(
            f"heavy_from is {shown(value)}; it is a number of millimetres, more than 0.",
            Where("parameter", name="heavy_from"),
        )
    return number
