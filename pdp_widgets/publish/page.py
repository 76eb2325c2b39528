"""One self-contained HTML page of a notebook, or of one widget."""

from __future__ import annotations

import os
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from pdp_widgets.errors import Where
from pdp_widgets.models.labels import shown as shown_value
from pdp_widgets.publish.files import exists, write_whole
from pdp_widgets.publish.page_frame import document, slot
from pdp_widgets.publish.page_state import VIEW_TYPE, PageError, checked_state
from pdp_widgets.publish.snapshot import Snapshot

__all__ = ["html", "notebook_page"]


def html(
    source: Any,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    overwrite: bool = False,
    pictures_from: str | os.PathLike[str] | None = None,
) -> Path:
    """Write a page that shows widgets without a kernel, and lets them be used where they can.

    Every widget stands in the page as the picture with its numbers. Where scripts run, the widget itself
    takes its place, with every leakage computed in the browser: tables of up to 1,024 cells and matrices of
    up to 14 tuples can be edited, larger tables of up to 14 tuples and 16,384 cells be looked at from all
    sides.
    What needs a kernel is off and says so.

    Parameters
    ----------
    source
        An explorer or another widget of this package, a `Snapshot`, or a notebook: the path of its file, or
        what ``nbformat.read`` returns. The notebook was run and saved; it is not run again. Formulae of its
        words are drawn, and pictures in its folder that they link relatively become part of the page: PNG,
        JPEG, GIF, WebP and SVG files of up to 5 MB.
    path
        The file to write.
    title
        Title of the page. Without it, that of the notebook: its first heading, or the name of its file.
    overwrite
        Replace a file that is there.
    pictures_from
        Another folder that linked pictures may lie in, such as the one above that of the notebook. Nothing
        outside the two is read.

    Returns
    -------
    Path
        The file: HTML without any other file, under a strict Content-Security-Policy. It asks nothing of a
        network and opens from a disk.

    Raises
    ------
    FileExistsError
        There is such a file, and ``overwrite`` is not set.
    PageError
        The source is no notebook, was not run to its end, shows no widget or chart of this package, shows a
        picture whose file is missing or may not be taken in, or was saved by a newer version of the package;
        or the path or the folder of pictures is none.
    TypeError
        The source is none of these.
    ImportError
        A notebook needs the packages of the extra ``publish``: ``pip install '.[publish]'``.

    Examples
    --------
    >>> import tempfile
    >>> from pdp_widgets import JointDistribution, JointTable
    >>> table = JointTable(JointDistribution([[0.4, 0.1], [0.1, 0.4]], names=["Ann", "Bob"]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = html(table, f"{folder}/table.html", title="Ann and Bob")
    ...     page.read_text(encoding="utf-8")[:15]
    '<!doctype html>'
    """
    if not isinstance(overwrite, bool):
        # Text such as "no" counts as true.
        raise PageError(f"overwrite is {shown_value(overwrite)}; give True or False.", _where("overwrite"))
    if not isinstance(title, str | None):
        raise PageError(f"The title is {shown_value(title)}; give text, or None.", _where("title"))
    target = _target(path)
    # Said before the work; the writing looks again.
    if target.exists() and not overwrite:
        raise exists(target)
    page = _page(source, target, title, _folder(pictures_from))
    # A title from a command line may hold half a sign.
    write_whole(target, page.encode(errors="replace"), overwrite)
    return target


#: What pages are not: a reader of such a file would not know what to do with it.
_NO_PAGES = frozenset({".pdf", ".png", ".svg", ".jpg", ".jpeg", ".gif", ".md", ".tex", ".docx"})


def _target(path: str | os.PathLike[str]) -> Path:
    if not isinstance(path, str | os.PathLike) or not _is_name(Path(path)):
        told = repr(str(path)) if isinstance(path, str | os.PathLike) else shown_value(path)
        raise PageError(f"{told} is no name for a page; give that of a file, as page.html.", _where("path"))
    target = Path(path)
    if target.suffix.lower() in _NO_PAGES:
        raise PageError(
            f"{target.name!r} ends in {target.suffix!r}; a page is saved as .html.", _where("path")
        )
    # A device would be replaced by the page; a folder cannot be.
    if not target.name or "\0" in target.name or (target.exists() and not target.is_file()):
        raise PageError(
            f"{str(target)!r} is no name for a page; give that of a file, as page.html.", _where("path")
        )
    return target


def _folder(pictures_from: str | os.PathLike[str] | None) -> Path | None:
    if pictures_from is None:
        return None
    if isinstance(pictures_from, str | os.PathLike):
        folder = Path(pictures_from)
        if _is_name(folder) and folder.is_dir():
            return folder
    raise PageError(
        f"{pictures_from!s:.200} is no folder; give the one that holds the pictures.", _where("pictures_from")
    )


def _is_name(path: Path) -> bool:
    """Whether a disk may have it: not too long, no null bytes, half signs only where they stand for bytes."""
    try:
        path.exists()
        return b"\0" not in os.fsencode(path)
    except (OSError, UnicodeEncodeError):
        return False


def _where(name: str) -> Where:
    return Where("parameter", name=name)


def _page(source: Any, target: Path, title: str | None, pictures_from: Path | None) -> str:
    if isinstance(source, Snapshot):
        shown = "Picture" if title is None else title
        return document(shown, f"<h1>{escape(shown)}</h1>\n{_without_style(source.html)}")
    if hasattr(source, "saved_outputs") and not isinstance(source, type):
        shown = type(source).__name__ if title is None else title
        bundle = source.saved_outputs()
        state = checked_state(bundle[VIEW_TYPE])
        place = slot(_without_style(bundle["text/html"]), state)
        return document(shown, f"<h1>{escape(shown)}</h1>\n{place}", modules={state["module"]})
    if isinstance(source, Mapping | str | os.PathLike):
        if not isinstance(source, Mapping) and not _is_name(Path(source)):
            raise PageError(
                f"{shown_value(str(source))} is no name of a file; give the path of a notebook (.ipynb).",
                _where("source"),
            )
        if not isinstance(source, Mapping) and _same_file(Path(source), target):
            raise PageError(f"The page would replace the notebook {target.name}; give it another name.")
        return notebook_page(source, title=title, pictures_from=pictures_from)
    raise TypeError(
        f"The source is a {type(source).__name__}; give an explorer or widget of pdp_widgets, the path of a "
        "notebook, or a notebook as nbformat.read returns it."
    )


def notebook_page(
    source: str | os.PathLike[str] | Mapping[str, Any],
    *,
    title: str | None = None,
    name: str = "Notebook",
    folder: Path | None = None,
    pictures_from: str | os.PathLike[str] | None = None,
) -> str:
    """Return the page of a notebook that was run as HTML."""
    from pdp_widgets.publish.notebook import read_notebook
    from pdp_widgets.publish.notebook_body import notebook_body

    extra = _folder(pictures_from)
    notebook = read_notebook(source, name, folder)
    body, modules = notebook_body(notebook, extra)
    shown = notebook.title if title is None else title
    return document(shown, _with_top_heading(body, shown), modules=modules)


def _with_top_heading(body: str, title: str) -> str:
    """Return a body that has one: who jumps from heading to heading begins there."""
    return body if "<h1" in body else f"<h1>{escape(title)}</h1>\n{body}"


def _without_style(figure: str) -> str:
    # The page has rules of its own, and no other place where picture and view could meet.
    return figure[figure.index("<figure") :]


def _same_file(a: Path, b: Path) -> bool:
    try:
        return a.samefile(b)
    except OSError:
        return False
