"""The name of data after an edit: the data themselves keep theirs."""

from __future__ import annotations

__all__ = ["edited_title", "is_edited"]

#: In front: the end of a long name is cut.
_MARK = "Edited from "


def edited_title(title: str) -> str:
    """Return what edited data are called; data without a name keep none.

    Examples
    --------
    >>> edited_title("Titanic")
    'Edited from Titanic'
    >>> edited_title("Edited from Titanic")
    'Edited from Titanic'
    """
    return title if not title or is_edited(title) else _MARK + title


def is_edited(title: str) -> bool:
    """Return whether a name is one that an edit left.

    Examples
    --------
    >>> is_edited("Titanic"), is_edited("Edited from Titanic")
    (False, True)
    """
    return title.startswith(_MARK)
