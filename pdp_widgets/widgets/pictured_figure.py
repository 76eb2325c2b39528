"""A bqplot figure, or several in a column, that leave their picture in a saved notebook."""

from __future__ import annotations

import functools
import secrets
from collections.abc import Sequence
from typing import Any

from pdp_widgets.core.chart import Cells, Chart
from pdp_widgets.publish.figures import charts_snapshot


def pictured_figure(declaration: Chart | Cells, **settings: Any) -> Any:
    """Return a ``bqplot.Figure`` that shows two outputs: its picture with numbers, and the live figure."""
    # The picture gives way to the live figure where that is drawn. It stands where nothing draws it: in a
    # saved notebook without a kernel, in a page of nbconvert or of `pdp_widgets.publish`, on paper.
    return _classes()[0](declaration, **settings)


def pictured_column(declarations: Sequence[Chart | Cells], figures: Sequence[Any]) -> Any:
    """Return figures below each other as one widget, with one picture of all."""
    return _classes()[1](tuple(declarations), children=list(figures))


@functools.cache
def _classes() -> tuple[type[Any], type[Any]]:
    import bqplot
    import ipywidgets

    class Pictured:
        """The picture of what a widget was made of."""

        def __init__(self, declaration: Any, **settings: Any) -> None:
            super().__init__(**settings)
            self.declaration = declaration
            self._token = f"plot-{secrets.token_hex(6)}"
            # The picture looks for it on the root of every view.
            self.add_class(f"pdpl-{self._token}")  # type: ignore[attr-defined]

        def snapshot(self) -> Any:
            """Return the picture of the declaration, whatever became of the marks."""
            return charts_snapshot(self.declaration)

        def _ipython_display_(self, **_: Any) -> None:
            from IPython.display import display

            plain = {}
            try:
                shown = self.snapshot()
                html = shown.to_html(self._token, remark="")
            except Exception:  # Where nothing can draw the picture the figure is live all the same.
                pass
            else:
                # It is brought up to date by nobody: what the figure shows stays as it was plotted.
                display({"text/html": html, "text/plain": shown.text}, raw=True)
                plain = {"text/plain": ""}
            # A figure that was closed has no view.
            if self.comm is not None:  # type: ignore[attr-defined]
                view = self._repr_mimebundle_() or {}  # type: ignore[attr-defined]
                display({**view, **plain}, raw=True)

    class PicturedFigure(Pictured, bqplot.Figure):
        """As `bqplot.Figure`."""

    class PicturedColumn(Pictured, ipywidgets.VBox):
        """As `ipywidgets.VBox`."""

    return PicturedFigure, PicturedColumn
