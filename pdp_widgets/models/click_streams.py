"""Click streams from a text file: one user a line, page numbers separated by blanks."""

from __future__ import annotations

import gzip
import warnings
import zlib
from array import array
from collections.abc import Iterable
from os import PathLike
from typing import Any

import numpy as np

from pdp_widgets.errors import LimitError, SortedStreamsWarning, StreamError, Where
from pdp_widgets.models.given_file import bounded_lines, given_file
from pdp_widgets.models.labels import shown
from pdp_widgets.models.stream_data import StreamData

__all__ = ["parse_click_streams", "read_click_streams"]

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
        A text file, or one packed by gzip (``.gz``).
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
    file = given_file(path, StreamError)
    packed = file.suffix == ".gz"
    stem = file.with_suffix("").stem if packed else file.stem
    # What is not ASCII is no digit either: such lines are dropped, whatever the coding. The mark that some
    # editors put before the first line is none of it.
    unpack = gzip.open if packed else open
    try:
        with unpack(file, "rb") as begin:
            marked = begin.read(2) in (b"\xff\xfe", b"\xfe\xff")
        coding = "utf-16" if marked else "utf-8-sig"
        with unpack(file, "rt", encoding=coding, errors="replace") as lines:
            data = parse_click_streams(
                bounded_lines(lines, file.name, _LONGEST_LINE), title=stem if title is None else title
            )
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        why = "it ends too early" if isinstance(error, EOFError) else "it is no sound gzip file"
        raise StreamError(
            f"{file.name} cannot be unpacked: {why}. Give a whole file packed by gzip, or a text file "
            "without .gz in its name.",
            Where("parameter", name="path"),
        ) from error
    if data.facts.looks_sorted:
        warnings.warn(
            f"{file.name}: not one of {data.facts.events:,} events is followed by a page that also comes "
            "before it somewhere. Lines are sets of pages in one fixed order, not visits; transitions "
            "estimated from them describe that order.",
            SortedStreamsWarning,
            stacklevel=2,
        )
    return data if most_frequent is None else data.most_frequent(most_frequent, other)


def parse_click_streams(lines: Iterable[str], title: str | None = "") -> StreamData:
    """Return the streams of lines of page numbers; see `read_click_streams`, which warns too.

    Raises
    ------
    StreamError
        No line holds a stream.
    LimitError
        A line has more than 1,000,000 page numbers.

    Examples
    --------
    >>> parse_click_streams(["1 2 3", "", "2 1"]).facts.pairs_in_both_orders
    1
    """
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
