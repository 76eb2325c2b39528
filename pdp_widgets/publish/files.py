"""Files of figures and pages: looked at before the work, and written as a whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import secrets
from pathlib import Path
from typing import Any

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.models.labels import shown

__all__ = ["check_place", "exists", "figure_path", "write_whole"]

#: Accepted endings of the name of a figure.
_FORMATS = (".svg", ".pdf", ".png")


def figure_path(path: Any) -> Path:
    """Return where a figure is written, or raise DomainError; its ending says what it is."""
    where = Where("parameter", name="path")
    if not isinstance(path, str | os.PathLike) or isinstance(os.fspath(path), bytes):
        raise DomainError(f"The path is {shown(path)}; give the name of a file as text or a Path.", where)
    place = Path(path)
    # No name of a file has a null byte, or half a sign.
    if re.search("[\0\ud800-\udfff]", str(place)):
        raise DomainError(f"The path is {shown(str(place))}; give a name that a file can have.", where)
    # An ending alone, as in ".svg", is a file without one.
    if os.path.isdir(place):
        raise IsADirectoryError(f"{str(place)!r} is a directory; name a file in it, such as 'figure.svg'.")
    if place.suffix.lower() not in _FORMATS:
        told = f"ends in {place.suffix!r}" if place.suffix else "has no ending"
        raise DomainError(
            f"{place.name!r} {told}; figures are saved as {', '.join(_FORMATS[:-1])} or {_FORMATS[-1]}.",
            where,
        )
    return place


def check_place(place: Path) -> None:
    """Raise OSError where a file cannot be written."""
    folder = place.parent
    if not os.path.isdir(folder):
        raise FileNotFoundError(f"There is no directory {str(folder)!r}; make it first.")
    try:
        # Links that lead to themselves have no end, and a name may be too long for the disk.
        place.resolve()
        there, ordinary = place.exists(), place.is_file()
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or "its links lead to themselves"
        raise OSError(f"{str(place)!r} cannot be written: {reason}.") from None
    if there and not ordinary:
        raise OSError(f"{str(place)!r} is no ordinary file; name a new one.")
    if not os.access(place if there else folder, os.W_OK):
        raise PermissionError(f"{str(place)!r} cannot be written; name a file in a directory of your own.")


def exists(target: Path) -> FileExistsError:
    """Return the error that there is such a file."""
    return FileExistsError(
        f"There is already {target}; nothing was written. Give overwrite=True to replace it."
    )


def write_whole(target: Path, data: bytes, overwrite: bool = True) -> None:
    """Write all or nothing: an old file stays whole until the new one is, and a link stays one."""
    try:
        _write(target.resolve() if overwrite else target, data, overwrite)
    except FileExistsError:
        raise
    except RuntimeError:
        raise OSError(errno.ELOOP, "Its links lead to themselves", str(target)) from None
    except OSError as error:
        # Nobody knows the name it is written under first.
        raise OSError(error.errno, error.strerror, str(target)) from None


def _write(target: Path, data: bytes, overwrite: bool) -> None:
    unfinished = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        unfinished.write_bytes(data)
        if overwrite:
            unfinished.replace(target)
            return
        try:
            # Unlike a renaming, this fails where a file has come meanwhile.
            os.link(unfinished, target)
        except FileExistsError:
            raise exists(target) from None
        except OSError:
            # A file system without links.
            unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
