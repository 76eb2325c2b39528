"""Figures for papers: a part of a result as SVG, PDF or PNG, sized to a column or a page."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.models.labels import shown
from pdp_widgets.publish import (
    anonymity_parts,
    class_parts,
    dependent_parts,
    local_parts,
    prior_parts,
    slack_parts,
    stream_parts,
)
from pdp_widgets.publish.figure_layout import chosen_part
from pdp_widgets.publish.figure_options import as_dpi, as_threshold, as_weights, check_dots
from pdp_widgets.publish.figure_page import Figure, as_theme, as_width, render
from pdp_widgets.publish.figure_parts import Choice, parts

__all__ = ["FORMATS", "figure", "save"]

#: Imported, they say what can be drawn of their results.
_TOPICS = (prior_parts, local_parts, stream_parts, dependent_parts, slack_parts, anonymity_parts, class_parts)

#: Accepted endings of a file name.
FORMATS = (".svg", ".pdf", ".png")


def figure(
    subject: Any,
    part: str | None = None,
    *,
    target: str | int | None = None,
    known: Iterable[str | int] | str | int | None = None,
    show_paper: bool = False,
    threshold: float | None = None,
    weights: Iterable[float] | None = None,
    width: str | float = "column",
    theme: str = "print",
) -> Figure:
    """Return a figure of a result: the picture that `save` writes.

    Parameters
    ----------
    subject, part, target, known, show_paper, threshold, weights, width, theme
        As for `save`.

    Returns
    -------
    Figure
        ``.svg``, and ``.width`` and ``.height`` in millimetres.

    Examples
    --------
    >>> from pdp_widgets import JointDistribution
    >>> made = figure(JointDistribution([[0.3, 0.2], [0.2, 0.3]], names=["Ann", "Bob"]))
    >>> made.width, made.svg[:4]
    (86.0, '<svg')
    """
    size, colours = as_width(width), as_theme(theme)
    listed = () if known is None else (known,) if isinstance(known, str | int) else tuple(known)
    choice = Choice(target, listed, show_paper, as_threshold(threshold), as_weights(weights))
    chosen = chosen_part(parts(subject, choice), part)
    return render(chosen.draw, chosen.least, size, colours, chosen.title, chosen.about)


def save(
    subject: Any,
    path: str | os.PathLike[str],
    part: str | None = None,
    *,
    target: str | int | None = None,
    known: Iterable[str | int] | str | int | None = None,
    show_paper: bool = False,
    threshold: float | None = None,
    weights: Iterable[float] | None = None,
    width: str | float = "column",
    theme: str = "print",
    dpi: float = 300,
) -> Path:
    """Write a figure of a result for a paper; a file that is there is replaced.

    Parameters
    ----------
    subject
        Any result that has a ``.save()``, such as a `PriorAnalysis`, `GaussianAnalysis`, `LocalAnalysis` or
        `SequenceAnalysis`; a `WeightedHierarchicalGraph`, a `JointDistribution`, a `GaussianModel`; a `Chart`
        or a list of charts.
    path
        Where to; its ending is ``.svg``, ``.pdf`` (both vector graphics with text as text) or ``.png``.
    part
        ``"graph"``, ``"table"``, ``"curves"`` or ``"belief"`` of a prior analysis; ``"graph"``, ``"matrix"``
        (the heat map), ``"curves"`` or ``"sources"`` of a Gaussian one; ``"matrix"``, ``"rows"`` or
        ``"curves"`` of a local one; ``"frequency"`` or ``"0-1"`` of a comparison of mechanisms; ``"total"``,
        ``"steps"`` or ``"errors"`` of a stream; or ``"all"``.
        Without it the first: the graph, of a local analysis the heat map.
    target, known
        The chosen adversary, by name or position. Without a target the one that learns most. Of a local
        analysis: the secret, and the one source that is reported.
    show_paper
        Show the paper's estimate beside the exact leakage, where there is one.
    threshold
        A line in nats to compare with.
    weights
        One for each tuple, shown with the matrix of a `GaussianModel`.
    width
        ``"column"`` (86 mm), ``"page"`` (178 mm) or millimetres. Text has 7.2 pt, and no less than 6 pt.
    theme
        ``"print"``: colours that stay apart in grey, and text dark enough for paper; ``"light"``: those of
        the screen.
    dpi
        Dots per inch of a PNG.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    DomainError
        Another ending, part, width, theme or dpi, a width too narrow for the part, a threshold or weights
        that are none, or a PNG of more than 250 million dots.
    AdversaryError
        The target or a known tuple does not exist.
    TypeError
        There is no figure of such a thing.
    OSError
        The place cannot be written: a directory, no such directory, or no permission.
    ImportError
        For PDF and PNG, vl-convert-python is missing.

    Notes
    -----
    SVG has the same bytes for the same input. A file appears as a whole or not at all. PDF and PNG are
    drawn by vl-convert-python (BSD-3-Clause), which brings its fonts along: Liberation Sans for labels in
    Latin, Greek and Cyrillic; for others the fonts of the machine.

    Examples
    --------
    >>> import tempfile
    >>> from pdp_widgets import JointDistribution
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     print(save(JointDistribution([[0.3, 0.2], [0.2, 0.3]]), f"{folder}/table.svg").name)
    table.svg
    """
    place = _as_path(path)
    ending = place.suffix.lower()
    dots = as_dpi(dpi)
    # Before anything is computed: what cannot be written in the end.
    _check_place(place)
    converter = None if ending == ".svg" else _converter(ending)
    drawn = figure(
        subject,
        part,
        target=target,
        known=known,
        show_paper=show_paper,
        threshold=threshold,
        weights=weights,
        width=width,
        theme=theme,
    )
    if converter is None:
        content = drawn.svg.encode()
    elif ending == ".pdf":
        content = converter.svg_to_pdf(drawn.in_points)
    else:
        check_dots(drawn.width, drawn.height, dots)
        content = converter.svg_to_png(drawn.in_points, ppi=dots)
    _write(place, content)
    return place


def _as_path(path: Any) -> Path:
    if not isinstance(path, str | os.PathLike) or isinstance(os.fspath(path), bytes):
        raise DomainError(
            f"The path is {shown(path)}; give the name of a file as text or a Path.",
            Where("parameter", name="path"),
        )
    place = Path(path)
    # No name of a file has a null byte, or half a sign.
    if re.search("[\0\ud800-\udfff]", str(place)):
        raise DomainError(
            f"The path is {shown(str(place))}; give a name that a file can have.",
            Where("parameter", name="path"),
        )
    # An ending alone, as in ".svg", is a file without one.
    if place.is_dir():
        raise IsADirectoryError(f"{str(place)!r} is a directory; name a file in it, such as 'figure.svg'.")
    if place.suffix.lower() not in FORMATS:
        told = f"ends in {place.suffix!r}" if place.suffix else "has no ending"
        raise DomainError(
            f"{place.name!r} {told}; figures are saved as {', '.join(FORMATS[:-1])} or {FORMATS[-1]}.",
            Where("parameter", name="path"),
        )
    return place


def _check_place(place: Path) -> None:
    folder = place.parent
    if not folder.is_dir():
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


def _converter(ending: str) -> Any:
    try:
        return import_module("vl_convert")
    except ImportError:
        raise ImportError(
            f"Figures in {ending[1:].upper()} need vl-convert-python: pip install '.[figures]' in the folder "
            "of the project, or pip install 'pdp-widgets[figures]' from an index. SVG needs nothing else."
        ) from None


def _write(place: Path, content: bytes) -> None:
    """Write a file as a whole: under another name beside it, then in its place."""
    # A link stays one: what it points to is replaced.
    place = place.resolve()
    draft = place.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with open(draft, "xb") as file:
            file.write(content)
        os.replace(draft, place)
    except OSError as error:
        # Nobody knows the name it is written under first.
        raise type(error)(f"{str(place)!r} cannot be written: {error.strerror}.") from None
    finally:
        draft.unlink(missing_ok=True)
