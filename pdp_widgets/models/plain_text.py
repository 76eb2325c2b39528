"""Plain parts of a CSV file, read by pyarrow: where two readers could differ, one decides."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Sequence
from io import BufferedReader
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import PdpError
from pdp_widgets.models.packed_files import place_in, refuse_changed, text_encoding, unpacked
from pdp_widgets.models.text_files import LONGEST_LINE, refuse_long_text

__all__ = ["PlainText", "TextsAndCodes"]

#: Bytes of a part; in smaller files a library is loaded for longer than they are read.
_PART, _LEAST = 1 << 23, 1 << 20
#: Bytes that one core takes at once.
_STEP = 1 << 20
_QUOTE, _NEWLINE, _RETURN = b'"\n\r'
#: Different texts of a column, and the place of that of each row.
TextsAndCodes: TypeAlias = tuple[list[str], NDArray[np.int32]]


class PlainText:
    """The records of a file below those that are read already, as long as they are plain.

    Plain is UTF-8 text in which each line is a record, and each quotation mark opens or closes a whole field.
    About anything else the csv module decides, from there on.
    """

    def __init__(
        self,
        file: Path,
        fault: type[PdpError],
        encoding: str | None,
        most: float | None = None,
        told: Callable[[int], None] | None = None,
    ) -> None:
        self.file, self.fault, self.encoding, self.most, self.told = file, fault, encoding, most, told
        self._before = file.stat()
        #: Whether there is nothing behind the parts that were plain.
        self.finished = False

    def parts(self, skip: int, mark: str, width: int, places: Sequence[int]) -> Iterator[list[TextsAndCodes]]:
        """Return some columns of the records below so many lines, many records at a time."""
        if self._before.st_size < _LEAST or not mark.isascii() or importlib.util.find_spec("pyarrow") is None:
            return
        with unpacked(self.file, self.fault) as stream:
            if text_encoding(stream, self.encoding) not in ("utf-8", "utf-8-sig"):
                return
            read = 0
            for part in self._plain(stream, skip, mark):
                read += len(part) if part.isascii() else len(part.decode())
                refuse_long_text(read, self.file.name, self.most)
                columns = _columns(part, mark, width, places)
                if columns is None:
                    return
                if self.told is not None:
                    self.told(place_in(stream))
                yield columns
            if not self._ended:
                return
        # The lines above were read before this file was opened.
        refuse_changed(self.file.name, self._before, self.file.stat(), self.fault)
        self.finished = True

    def _plain(self, stream: BufferedReader, skip: int, mark: str) -> Iterator[bytes]:
        """Return whole lines, without so many of the first, until some are not plain."""
        self._ended, rest = False, b""
        while not self._ended:
            data = stream.read(_PART)
            last = len(data) < _PART
            whole = rest + data
            cut = len(whole) if last else whole.rfind(b"\n") + 1
            part, rest = whole[:cut], whole[cut:]
            if skip:
                ends = np.flatnonzero(np.frombuffer(part, np.uint8) == _NEWLINE)
                at = int(ends[skip - 1]) + 1 if skip <= len(ends) else len(part)
                above, part, skip = part[:at], part[at:], max(0, skip - len(ends))
                # A line that ends otherwise was one of those that are read.
                if _ends_otherwise(above):
                    return
            if last:
                # Empty lines at the end are no records.
                part = part.rstrip(b"\r\n")
            if len(rest) > LONGEST_LINE or not _is_plain(part, ord(mark)):
                return
            if part:
                yield part
            self._ended = last


def _ends_otherwise(part: bytes) -> bool:
    """Tell whether a line ends by a carriage return alone."""
    return b"\r" in part and part.count(b"\r") != part.count(b"\r\n")


def _is_plain(part: bytes, mark: int) -> bool:
    """Tell whether every reader of CSV takes whole lines alike."""
    if not part:
        return True
    if not part.isascii():
        try:
            part.decode()
        except UnicodeDecodeError:
            return False
    returns = b"\r" in part
    if b"\0" in part or (
        returns and (_ends_otherwise(part) or b"\n\r\n" in part or part.startswith(b"\r\n"))
    ):
        return False
    letters = np.frombuffer(part, np.uint8)
    ends = np.flatnonzero(letters == _NEWLINE)
    lengths = np.diff(ends, prepend=-1, append=len(part))
    # The last one ends with the part, or has no end.
    if lengths.max() > LONGEST_LINE or (len(ends) and lengths[:-1].min() < 2):
        return False
    quotes = np.flatnonzero(letters == _QUOTE) if b'"' in part else ends[:0]
    if not len(quotes):
        return True
    if len(quotes) % 2:
        return False
    # A line ends outside of quotation marks, of which an even number stands before it.
    if (np.searchsorted(quotes, ends) % 2).any():
        return False
    # One that opens has a border before it, one that closes has one behind it.
    border = np.zeros(256, np.bool_)
    border[[mark, _NEWLINE, _RETURN]] = True
    first, last = quotes[0::2], quotes[1::2]
    first, last = first[first > 0], last[last + 1 < len(part)]
    return bool(border[letters[first - 1]].all() and border[letters[last + 1]].all())


def _columns(part: bytes, mark: str, width: int, places: Sequence[int]) -> list[TextsAndCodes] | None:
    """Return columns of a part; None where a line has another number of fields."""
    import pyarrow
    from pyarrow import csv

    names = [str(place) for place in range(width)]
    wanted = [names[place] for place in places]
    text = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    try:
        table = csv.read_csv(
            pyarrow.BufferReader(part),
            csv.ReadOptions(column_names=names, block_size=_STEP),
            csv.ParseOptions(delimiter=mark, ignore_empty_lines=False),
            csv.ConvertOptions(column_types=dict.fromkeys(wanted, text), include_columns=wanted),
        )
    except pyarrow.ArrowInvalid:
        return None
    found = [table[name].unify_dictionaries().combine_chunks() for name in wanted]
    return [(one.dictionary.to_pylist(), one.indices.to_numpy()) for one in found]
