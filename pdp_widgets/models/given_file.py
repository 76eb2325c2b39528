"""A file that somebody names: one that ends, and no more of it than fits."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike, fspath
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import IO

from pdp_widgets.errors import LimitError, PdpError, Where
from pdp_widgets.models.labels import shown

__all__ = ["MOST_BYTES", "MOST_TEXT", "bounded_lines", "file_bytes", "given_file"]

#: Bytes of a file that is read as a whole, and characters of one that is read by lines: unpacked, Gowalla's
#: 6,442,890 check-ins have 400 million.
MOST_BYTES, MOST_TEXT = 250_000_000, 2_000_000_000


def given_file(path: str | PathLike[str], fault: type[PdpError]) -> Path:
    """Return the path of a file that can be read to its end.

    Parameters
    ----------
    path
        What was given.
    fault
        Class of the error.

    Raises
    ------
    PdpError
        It is no path, or that of a folder, a device or a pipe.
    FileNotFoundError
        There is no such file.

    Examples
    --------
    >>> from pdp_widgets.errors import TableError
    >>> given_file("/", TableError)
    Traceback (most recent call last):
    pdp_widgets.errors.TableError: / is a folder; give the path of a file.
    """
    where = Where("parameter", name="path")
    written = fspath(path) if isinstance(path, str | PathLike) else None
    if not isinstance(written, str) or "\0" in written:
        raise fault(f"The path is {shown(path)}; give the path of a file as text.", where)
    file = Path(written)
    mode, name = file.stat().st_mode, file.name or written
    if S_ISDIR(mode):
        raise fault(f"{name} is a folder; give the path of a file.", where)
    if not S_ISREG(mode):
        raise fault(f"{name} is a device or a pipe, which may never end; give the path of a file.", where)
    return file


def file_bytes(path: str | PathLike[str], fault: type[PdpError], most: int = MOST_BYTES) -> bytes:
    """Return all that a file holds.

    Parameters
    ----------
    path, fault
        As for `given_file`, which says what is raised.
    most
        Bytes that are read at most.

    Raises
    ------
    LimitError
        It holds more.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from pdp_widgets.errors import TableError
    >>> file = pathlib.Path(tempfile.mkdtemp(), "table.csv")
    >>> _ = file.write_text("a,count")
    >>> file_bytes(file, TableError)
    b'a,count'
    """
    file = given_file(path, fault)
    with file.open("rb") as opened:
        # Asked for first: a buffer of the largest size would be made for every small file.
        large = file.stat().st_size > most
        data = b"" if large else opened.read()
    if large or len(data) > most:
        raise LimitError(
            f"{file.name} has more than {most // 1_000_000:,} MB, the most that is read as a whole; give a "
            "smaller file.",
            Where("parameter", name="path"),
        )
    return data


def bounded_lines(opened: IO[str], name: str, longest: int, most: int = MOST_TEXT) -> Iterator[str]:
    """Return lines as they are read, and no more of one and of all than may be.

    A line that is too long comes with one character more than may be: who takes it says what a line is.

    Parameters
    ----------
    opened
        The text.
    name
        Of its file.
    longest, most
        Characters of one line and of all.

    Raises
    ------
    LimitError
        While reading: all lines together have more.

    Examples
    --------
    >>> from io import StringIO
    >>> list(bounded_lines(StringIO("a b"), "edges.txt", 10))
    ['a b']
    """
    read = 0
    while line := opened.readline(longest + 1):
        read += len(line)
        if read > most:
            raise LimitError(
                f"{name} has more than {most:,} characters of text, the most that is read.",
                Where("parameter", name="path"),
            )
        yield line
