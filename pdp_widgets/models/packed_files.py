"""A file that is open: what packs it, how its letters are written, and whether it stays as it is."""

from __future__ import annotations

import bz2
import codecs
import gzip
import os
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EINVAL
from importlib import import_module
from io import BufferedReader
from pathlib import Path
from typing import IO, Any

from pdp_widgets.errors import PdpError, Where
from pdp_widgets.models.labels import short, shown

__all__ = [
    "PATH",
    "bare_name",
    "first_bytes",
    "opened",
    "place_in",
    "refuse_changed",
    "text_encoding",
    "unpacked",
]

PATH = Where("parameter", name="path")

#: What packs a file: the ending of its name, its first bytes, what it is called.
_PACKED = (
    (".gz", b"\x1f\x8b", "gzip"),
    (".bz2", b"BZh", "bzip2"),
    (".zip", b"PK\x03\x04", "zip"),
    (".zst", b"\x28\xb5\x2f\xfd", "Zstandard"),
)
#: Marks at the begin of a text, the longer first, and what they stand for.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: What is raised where a packed file is damaged.
_UNSOUND = (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError)


def bare_name(file: Path) -> str:
    """Return the name of a file without its endings: ``votes`` of ``votes.csv.gz``."""
    return file.with_suffix("").stem if file.suffix in {ending for ending, _, _ in _PACKED} else file.stem


def packer_of(file: Path) -> str | None:
    """Return what packs a file by its name or its first bytes; None for a file that is not packed."""
    begin = first_bytes(file)
    return next((what for end, mark, what in _PACKED if file.suffix == end or begin.startswith(mark)), None)


@contextmanager
def opened(file: Path, fault: type[PdpError]) -> Iterator[IO[bytes]]:
    """Open a file, and raise where it was written to in the meantime."""
    with file.open("rb") as raw:
        before = os.fstat(raw.fileno())
        yield raw
        after = os.fstat(raw.fileno())
    refuse_changed(file.name, before, after, fault)


def refuse_changed(name: str, before: os.stat_result, after: os.stat_result, fault: type[PdpError]) -> None:
    """Raise where a file was written to while it was read."""
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise fault(
            f"{name} was changed while it was read, and nothing of it is taken; read it again when it is "
            "whole.",
            PATH,
        )


def first_bytes(file: Path, many: int = 8) -> bytes:
    """Return the first bytes of a file."""
    with file.open("rb") as raw:
        return raw.read(many)


class _Unpacked(BufferedReader):
    """The bytes of a file as they are unpacked."""

    packed: IO[bytes]


def place_in(stream: BufferedReader) -> int:
    """Return how many bytes of its file an unpacked stream has come from."""
    return stream.packed.tell() if isinstance(stream, _Unpacked) else stream.tell()


@contextmanager
def unpacked(file: Path, fault: type[PdpError]) -> Iterator[BufferedReader]:
    """Open a file, unpacked where its name or its first bytes say that it is packed."""
    packer = packer_of(file)
    try:
        with opened(file, fault) as raw:
            inside = raw if packer is None else _unpacking(raw, file, packer, fault)
            stream = _Unpacked(inside)  # type: ignore[arg-type]
            stream.packed = raw
            yield stream
    except Exception as error:
        # A disk that fails is no fault of the packing; a place before the begin of the file is one. Who
        # raises a ZstdError need not be installed.
        unsound = isinstance(error, _UNSOUND) or type(error).__name__ == "ZstdError"
        if packer is None or not unsound or getattr(error, "errno", None) not in (None, EINVAL):
            raise
        early = isinstance(error, EOFError) or "runcated" in str(error)
        why = "it ends too early" if early else f"it is no sound {packer} file"
        raise fault(
            f"{file.name} cannot be unpacked: {why}. Give a whole file packed by {packer}, or a text file "
            f"without {next(end for end, _, what in _PACKED if what == packer)} in its name.",
            PATH,
        ) from error


def _unpacking(raw: IO[bytes], file: Path, packer: str, fault: type[PdpError]) -> Any:
    if packer == "gzip":
        return gzip.GzipFile(fileobj=raw)
    if packer == "bzip2":
        return bz2.BZ2File(raw)
    return _zip_member(raw, file, fault) if packer == "zip" else _zstandard(raw, file)


def _zip_member(raw: IO[bytes], file: Path, fault: type[PdpError]) -> Any:
    archive = zipfile.ZipFile(raw)
    # Folders, and what a Mac adds, are no data.
    members = [
        one for one in archive.infolist() if not one.is_dir() and not one.filename.startswith("__MACOSX")
    ]
    if len(members) != 1:
        listed = ", ".join(short(one.filename) for one in members[:6]) or "none"
        raise fault(
            f"{file.name} holds {len(members):,} files ({listed}); unpack it, and give one of them.",
            PATH,
        )
    if members[0].flag_bits & 1:
        raise fault(f"{file.name} is locked by a password; unpack it first.", PATH)
    return archive.open(members[0])


def _zstandard(raw: IO[bytes], file: Path) -> Any:
    # In Python itself from 3.14 on.
    for module in ("compression.zstd", "backports.zstd"):
        try:
            return import_module(module).ZstdFile(raw)
        except ImportError:
            continue
    try:
        import pyarrow
    except ImportError:
        raise ImportError(
            f"{file.name} is packed by Zstandard, which needs a library: pip install pyarrow, or "
            "pip install backports.zstd."
        ) from None
    return pyarrow.CompressedInputStream(raw, "zstd")


def text_encoding(stream: BufferedReader, given: str | None) -> str:
    """Return the encoding of a text: the given one, else that of its mark, else UTF-8."""
    # A mark is part of what is called UTF-8 in everyday life: it is no part of the first name.
    found = next((name for mark, name in _MARKS if stream.peek(4).startswith(mark)), None)
    if given is None:
        return found or "utf-8"
    try:
        codec = codecs.lookup(given).name if isinstance(given, str) else None
        known = codec is not None and isinstance("".encode(codec), bytes)
    except (LookupError, TypeError, ValueError):
        known = False
    if not known:
        raise PdpError(
            f"The encoding is {shown(given)}; give the name of one, such as 'utf-8', 'cp1252' (Windows) or "
            "'latin-1'.",
            Where("parameter", name="encoding"),
        )
    return "utf-8-sig" if codec == "utf-8" else str(codec)
