"""Warnings that name the line outside the package which asked for what they are about."""

from __future__ import annotations

import sys
import warnings

__all__ = ["warn_caller"]

_PACKAGE = __name__.partition(".")[0]


def warn_caller(message: str, kind: type[Warning]) -> None:
    """Warn about what the nearest caller outside the package did, however deep inside this is found.

    Parameters
    ----------
    message
        What is wrong, and what would be better.
    kind
        Class of the warning.
    """
    # warnings.warn has skip_file_prefixes from Python 3.12 on.
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, kind, stacklevel=level)
