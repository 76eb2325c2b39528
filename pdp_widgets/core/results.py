"""What results have in common: their figures, their tables for papers, how a notebook shows them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from pdp_widgets.core.chart import Drawn
from pdp_widgets.core.checks import named_keywords
from pdp_widgets.errors import DomainError, PdpError, Where

__all__ = ["Figures", "Reported", "Result", "TableResult", "drawer", "plotted"]

#: Pictures by name, each made when it is asked for; the first is the one that is drawn unasked.
Figures: TypeAlias = Mapping[str, Callable[[], Drawn]]

#: Who draws and writes: looked up here and nowhere else, when somebody asks for it. Results themselves know
#: nothing of pictures, so that they can be used where nothing can be drawn.
_DRAWERS = {
    "notebook": "pdp_widgets.widgets.chart_figure",
    "paper": "pdp_widgets.publish.figures",
    "latex": "pdp_widgets.publish.latex",
    "report": "pdp_widgets.publish.report",
    "editor": "pdp_widgets.widgets.whg_graph",
}


def drawer(name: str) -> Any:
    """Return the module that draws: for a notebook or a paper, in LaTeX, as an editor of graphs does."""
    return import_module(_DRAWERS[name])


def plotted(drawn: Drawn) -> Any:
    """Return a bqplot figure of a declared chart or table of cells."""
    return drawer("notebook").chart_figure(drawn)


class Result:
    """Base of values that have figures; ``_figures`` says which."""

    __slots__ = ()

    #: How wide its figures are where nobody says it.
    _width: ClassVar[str] = "column"

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if cls.__init__ is not object.__init__ and not hasattr(cls.__init__, "__wrapped__"):
            cls.__init__ = named_keywords(cls.__init__)  # type: ignore[method-assign]

    def _figures(self) -> Figures:
        """Return what it shows, by name; a class may have keywords for what can be chosen."""
        raise NotImplementedError

    def plot(self) -> Any:
        """Return a bqplot figure of the result, to compose in a notebook.

        Examples
        --------
        >>> from pdp_widgets import lsat6
        >>> lsat6().plot().title
        'Joint distribution: LSAT section 6: five answers of 1,000 test takers'
        """
        return plotted(next(iter(self._figures().values()))())

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows: its picture with the numbers; None where there is none to draw."""
        try:
            figures = self._figures()
        except PdpError:
            return None
        # A text that is laid out in lines would be one paragraph.
        said = repr(self)
        said = type(self).__name__ if "\n" in said else said
        made: str | None = drawer("paper").notebook_html(figures, said)
        return made

    def save(
        self,
        path: str | os.PathLike[str],
        part: str | None = None,
        *,
        width: str | float | None = None,
        theme: str = "print",
        dpi: float = 300,
        **choice: Any,
    ) -> Path:
        """Write a figure for a paper; SVG has the same bytes for the same input.

        Parameters
        ----------
        path
            A file ending in ``.svg``, ``.pdf`` or ``.png``; it is replaced where it exists.
        part
            Which figure, see the notes of the class, or ``"all"``; without it the first.
        width
            ``"column"`` (86 mm), ``"page"`` (178 mm) or millimetres; without it a column, for the lanes of a
            stream a page. Text has 7.2 pt, and no less than 6 pt.
        theme
            ``"print"``: colours that stay apart in grey, and text dark enough for paper; ``"light"``: those
            of the screen.
        dpi
            Dots per inch of a PNG.
        **choice
            What can be chosen of some classes; a wrong keyword is answered with those there are:
            ``source="class", secret="survived"``, the pair of a `LocalAnalysis`; ``weights=[2, 7, 1]``, told
            below a `GaussianModel`; ``attack=2`` of an `InferenceAttack`; ``pair=(0, 1)`` of a `Meaning`;
            ``target="item 1", known=["item 2"], threshold=1.2``, an adversary of a `PriorAnalysis` and its
            like.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        DomainError
            There is no such figure or choice; the message names those there are. Or another ending, theme or
            dpi, a width too narrow for the part, or a PNG of more than 250 million dots.
        EngineError
            Nothing can be drawn here; the message says why.
        OSError
            The place cannot be written: a directory, no such directory, or no permission.
        ImportError
            For PDF and PNG, vl-convert-python is missing.

        Examples
        --------
        >>> import tempfile
        >>> from pdp_widgets import LocalAnalysis, titanic
        >>> found = LocalAnalysis(titanic(), "GRR", 1.0)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     print(found.save(f"{folder}/pair.svg", "rows", source="class", secret="survived").name)
        pair.svg
        """
        size = self._width if width is None else width
        declared: Callable[..., Figures] = self._figures
        offered = signature(declared).parameters
        for name in choice:
            if name not in offered:
                there = ", ".join(f"{one}=" for one in offered) or "nothing"
                raise DomainError(
                    f"{type(self).__name__}.save has no choice {name}=; there is {there} to choose beside "
                    "path, part, width, theme and dpi.",
                    Where("parameter", name=name),
                )
        return Path(drawer("paper").save(declared(**choice), path, part, width=size, theme=theme, dpi=dpi))


class Reported:
    """Base of results that are handed on as a report of two printed pages."""

    __slots__ = ()

    def report(self, path: str | os.PathLike[str], *, paper: str = "A4", **choice: Any) -> Path:
        """Write a report of two printed pages: the release, the adversaries, the numbers and what they mean.

        Parameters
        ----------
        path
            A file ending in ``.html``, which any browser shows and prints on A4 and Letter, or in ``.pdf``;
            it is replaced where it exists.
        paper
            Of a PDF: ``"A4"`` or ``"letter"``.
        **choice
            Who is looked at closely, without it whoever learns most: ``target="item 1", known=["item 2"]`` of
            a `PriorAnalysis`, a `HistogramAnalysis` or a `GaussianAnalysis`, ``secret="survived"`` and
            ``source="class"`` of a `LocalAnalysis`, ``target="Ann"`` of a `DependenceAnalysis`, ``step=3`` of
            a `SequenceAnalysis`.

        Returns
        -------
        Path
            The file: the same bytes for the same input.

        Raises
        ------
        DomainError
            Another ending, paper or choice.
        AdversaryError
            There is no such adversary.
        ImportError
            A PDF needs a Chromium or Chrome on the path.
        OSError
            The place cannot be written.

        Examples
        --------
        >>> import tempfile
        >>> from pdp_widgets import GaussianAnalysis, GaussianModel
        >>> found = GaussianAnalysis(GaussianModel(None, [[1, 0.5], [0.5, 1]]))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     print(found.report(f"{folder}/release.html", target="x1").name)
        release.html
        """
        return Path(drawer("report").report(self, path, paper=paper, **choice))


class TableResult:
    """Base of values that are handed on as a table for papers."""

    __slots__ = ()

    def to_latex(
        self,
        columns: Sequence[str] | None = None,
        *,
        most: int | None = None,
        caption: str | None = None,
        label: str | None = None,
    ) -> str:
        r"""Return the numbers as a LaTeX table for the package booktabs.

        Parameters
        ----------
        columns
            Some of its columns, by name; a wrong name is answered with those there are. Without it those
            that fit on paper.
        most
            List so many of the first rows; without it 20.
        caption, label
            Make it a floating table. The caption is LaTeX and goes in as it is.

        Raises
        ------
        DomainError
            A column does not exist, or ``most`` is no number of rows.

        Examples
        --------
        >>> from pdp_widgets import EquivalenceClasses, LocalAnalysis, titanic
        >>> classes = EquivalenceClasses({"age": [25, 64, 31, 58]}, "age", 2, [[1, 3], [0, 2]])
        >>> classes.to_latex("age", most=1).splitlines()[5]
        '25--31 \\\\'
        >>> LocalAnalysis(titanic(), "GRR", 1.0).to_latex(most=3).count(r"\\")
        6
        """
        return str(drawer("latex").table(self, columns, most=most, caption=caption, label=label))
