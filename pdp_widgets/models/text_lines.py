"""Lines of a text file that may be packed by gzip."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from os import PathLike
from pathlib import Path

from pdp_widgets.errors import LimitError, NetworkError, PdpError, Where
from pdp_widgets.models.given_file import bounded_lines, given_file

__all__ = ["text_lines"]

#: Characters of one line: a record of a network has a few dozen.
_LONGEST_LINE = 100_000


def text_lines(path: str | PathLike[str], fault: type[PdpError] = NetworkError) -> tuple[Iterator[str], str]:
    """Return the lines of a file, unpacked where its name ends in ``.gz``, and the name without endings.

    What is not UTF-8 is replaced: a line with it is malformed, and others are not.

    Parameters
    ----------
    path
        Of a file that ends; see `given_file`.
    fault
        Class of the error.

    Raises
    ------
    PdpError
        It is no path of a file; while reading: a packed file cannot be unpacked.
    LimitError
        While reading: a line has more than 100,000 characters, or all lines more than 2,000,000,000.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "edges.txt")
    >>> _ = file.write_text("0 1")
    >>> lines, name = text_lines(file)
    >>> name, list(lines)
    ('edges', ['0 1'])
    """
    file = given_file(path, fault)
    packed = file.suffix == ".gz"
    return _lines(file, packed, fault), file.with_suffix("").stem if packed else file.stem


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
