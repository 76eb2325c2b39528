"""A file that a user gives: its bytes, and its lines, which may be packed."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterable, Iterator
from io import TextIOWrapper
from os import PathLike, fspath
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import IO

from pdp_widgets.errors import LimitError, NetworkError, PdpError, Where
from pdp_widgets.models.labels import shown
from pdp_widgets.models.packed_files import PATH, bare_name, place_in, text_encoding, unpacked

__all__ = [
    "LONGEST_LINE",
    "MOST_BYTES",
    "MOST_TEXT",
    "bounded_lines",
    "existing_file",
    "file_bytes",
    "refuse_long_text",
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


def refuse_long_text(read: int, name: str, most: float | None) -> None:
    """Raise where a text is longer than what is read; None stands for the usual length."""
    most = MOST_TEXT if most is None else most
    if read > most:
        raise LimitError(
            f"{name} has more than {most:,} characters of text, the most that is read.",
            Where("parameter", name="path"),
        )


def bounded_lines(opened: IO[str], name: str, longest: int, most: float | None = None) -> Iterator[str]:
    """Return lines as they are read, and no more of one and of all than may be."""
    # A line that is too long comes with one character more than may be: who takes it says what a line is.
    read = 0
    while line := opened.readline(longest + 1):
        read += len(line)
        refuse_long_text(read, name, most)
        yield line


#: Characters of one line: a record of a network has a few dozen.
LONGEST_LINE = 100_000
#: A byte that belongs to no letter, as Python marks it.
_NO_LETTER = re.compile("[\udc80-\udcff]")


def text_lines(
    path: str | PathLike[str],
    fault: type[PdpError] = NetworkError,
    encoding: str | None = None,
    *,
    longest: int | None = None,
    any_letters: bool = False,
    most: float | None = None,
    told: Callable[[int], None] | None = None,
) -> tuple[Iterator[str], str]:
    """Return the lines of a file, unpacked where it is packed, and its name without endings."""
    # Now and then ``told`` hears how many bytes of the file are read.
    file = existing_file(path, fault)
    return _lines(file, fault, encoding, longest or LONGEST_LINE, any_letters, most, told), bare_name(file)


#: Lines between two words about how far it is.
_OFTEN = 4096


def _lines(
    file: Path,
    fault: type[PdpError],
    encoding: str | None,
    longest: int,
    any_letters: bool,
    most: float | None,
    told: Callable[[int], None] | None,
) -> Iterator[str]:
    number, coding = 0, ""
    try:
        with unpacked(file, fault) as stream:
            coding = text_encoding(stream, encoding)
            # Where other letters are of no account, they are replaced: a line with them is malformed.
            errors = "replace" if any_letters else "surrogateescape"
            lines = TextIOWrapper(stream, encoding=coding, errors=errors)
            for number, line in enumerate(bounded_lines(lines, file.name, longest, most), 1):
                if told is not None and number % _OFTEN == 0:
                    told(place_in(stream))
                if len(line) > longest:
                    raise LimitError(
                        f"{file.name}, line {number:,} is too long: a line has at most {longest:,} "
                        "characters.",
                        PATH,
                    )
                if number == 1:
                    line = line.removeprefix("\ufeff")
                if not any_letters and (not line.isascii() or "\0" in line):
                    _check_letters(line, file, number, coding, fault)
                yield line
    except UnicodeDecodeError as error:
        raise fault(
            f"{file.name}, after line {number:,}: the text is not written in {coding.upper()} "
            f"({error.reason}). Give its encoding, as in encoding='utf-16'.",
            PATH,
        ) from None


def _check_letters(line: str, file: Path, number: int, coding: str, fault: type[PdpError]) -> None:
    """Raise where a line has bytes that are no letters."""
    if "\0" in line:
        raise fault(
            f"{file.name}, line {number:,}, column {line.index(chr(0)) + 1:,} has a NUL, which no text has. "
            "If it is text in UTF-16 without a mark, give encoding='utf-16-le'.",
            PATH,
        )
    bad = _NO_LETTER.search(line)
    if bad:
        raise fault(
            f"{file.name}, line {number:,}, column {bad.start() + 1:,} is not {_NAMES.get(coding, coding)} "
            f"text (byte 0x{ord(bad.group()) - 0xDC00:02x}). Give its encoding: encoding='cp1252' where it "
            "comes from Windows or Excel, 'latin-1' from older systems.",
            PATH,
        )


#: How encodings are written in sentences.
_NAMES = {"utf-8": "UTF-8", "utf-8-sig": "UTF-8", "utf-16": "UTF-16"}


def write_lines(path: str | PathLike[str], lines: Iterable[str]) -> Path:
    """Write lines, packed by gzip where the name of the file ends in ``.gz``, as `text_lines` reads them."""
    file = Path(path)
    opened = gzip.open if file.suffix == ".gz" else open
    with opened(file, "wt", encoding="utf-8", newline="\n") as written:
        written.writelines(f"{line}\n" for line in lines)
    return file
