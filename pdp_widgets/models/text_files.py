"""A file that a user gives: its bytes, and its lines, which may be packed by gzip."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike, fspath
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import IO

from pdp_widgets.errors import LimitError, NetworkError, PdpError, TableError, Where
from pdp_widgets.models.labels import short, shown

__all__ = [
    "MOST_BYTES",
    "MOST_TEXT",
    "bounded_lines",
    "check_commas",
    "existing_file",
    "file_bytes",
    "text_lines",
    "write_lines",
]

#: Bytes of a file that is read as a whole, and characters of one that is read by lines: unpacked, Gowalla's
#: 6,442,890 check-ins have 400 million.
MOST_BYTES, MOST_TEXT = 250_000_000, 2_000_000_000


def existing_file(path: str | PathLike[str], fault: type[PdpError]) -> Path:
    """Return the path of a file that can be read to its end."""
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
    """Return all that a file holds."""
    file = existing_file(path, fault)
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
    """Return lines as they are read, and no more of one and of all than may be."""
    # A line that is too long comes with one character more than may be: who takes it says what a line is.
    read = 0
    while line := opened.readline(longest + 1):
        read += len(line)
        if read > most:
            raise LimitError(
                f"{name} has more than {most:,} characters of text, the most that is read.",
                Where("parameter", name="path"),
            )
        yield line


#: Characters of one line: a record of a network has a few dozen.
_LONGEST_LINE = 100_000


def text_lines(path: str | PathLike[str], fault: type[PdpError] = NetworkError) -> tuple[Iterator[str], str]:
    """Return the lines of a file, unpacked where its name ends in ``.gz``, and the name without endings."""
    # What is not UTF-8 is replaced: a line with it is malformed, and others are not.
    file = existing_file(path, fault)
    packed = file.suffix == ".gz"
    return _lines(file, packed, fault), file.with_suffix("").stem if packed else file.stem


#: What files are separated by where commas are meant.
_OTHER_MARKS = ((";", "semicolons"), ("\t", "tabs"), ("|", "bars"))


def check_commas(header: Sequence[str], name: str) -> None:
    """Raise TableError where the one column of a CSV file is several, separated by another mark."""
    mark = next((word for sign, word in _OTHER_MARKS if len(header) == 1 and sign in header[0]), None)
    if mark is not None:
        raise TableError(
            f"{name} has one column, {short(header[0])}: it looks separated by {mark}; use commas.",
            Where("table"),
        )


def write_lines(path: str | PathLike[str], lines: Iterable[str]) -> Path:
    """Write lines, packed by gzip where the name of the file ends in ``.gz``, as `text_lines` reads them."""
    file = Path(path)
    opened = gzip.open if file.suffix == ".gz" else open
    with opened(file, "wt", encoding="utf-8", newline="\n") as written:
        written.writelines(f"{line}\n" for line in lines)
    return file


def _lines(file: Path, packed: bool, fault: type[PdpError]) -> Iterator[str]:
    try:
        with (gzip.open if packed else open)(file, "rt", encoding="utf-8-sig", errors="replace") as lines:
            for number, line in enumerate(bounded_lines(lines, file.name, _LONGEST_LINE), 1):
                if len(line) > _LONGEST_LINE:
                    raise LimitError(
                        f"{file.name}, line {number:,} is too long: a line has at most {_LONGEST_LINE:,} "
                        "characters.",
                        Where("parameter", name="path"),
                    )
                yield line
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        why = "it ends too early" if isinstance(error, EOFError) else "it is no sound gzip file"
        raise fault(
            f"{file.name} cannot be unpacked: {why}. Give a whole file packed by gzip, or a text file "
            "without .gz in its name.",
            Where("parameter", name="path"),
        ) from error
