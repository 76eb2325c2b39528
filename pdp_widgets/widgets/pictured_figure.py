"""A bqplot figure that leaves its picture in a saved notebook."""

from __future__ import annotations

import functools
import secrets
from typing import Any

from pdp_widgets.publish.bqplot_picture import bqplot_snapshot

__all__ = ["pictured_figure"]


def pictured_figure(**settings: Any) -> Any:
    """Return a ``bqplot.Figure`` that shows two outputs: its picture with its numbers, and the live figure.

    The picture gives way to the live figure where that is drawn. It stands where nothing draws it: in a saved
    notebook without a kernel, in a page of nbconvert or of `pdp_widgets.publish`, on paper.

    Parameters
    ----------
    **settings
        As for ``bqplot.Figure``.

    Returns
    -------
    bqplot.Figure
        Shown by itself it has a picture; as a part of another widget it is live only.

    Examples
    --------
    >>> figure = pictured_figure(title="Nothing yet")
    >>> figure.snapshot().text
    'Nothing yet.'
    """
    return _figure_class()(**settings)


@functools.cache
def _figure_class() -> type[Any]:
    import bqplot

    class PicturedFigure(bqplot.Figure):
        """As `bqplot.Figure`, with a picture."""

        def __init__(self, **settings: Any) -> None:
            super().__init__(**settings)
            self._token = f"plot-{secrets.token_hex(6)}"
            # The picture looks for it on the root of every view.
            self.add_class(f"pdpl-{self._token}")

        def snapshot(self) -> Any:
            """Return the picture of the figure as it is now."""
            return bqplot_snapshot(self)

        def _ipython_display_(self, **_: Any) -> None:
            from IPython.display import display

            try:
                shown = self.snapshot()
            except Exception:  # What somebody made of the figure may fit no picture: it is live all the same.
                display(self._repr_mimebundle_() or {}, raw=True)
                return
            # It is brought up to date by nobody: what the figure shows stays as it was plotted.
            picture = {"text/html": shown.to_html(self._token, remark=""), "text/plain": shown.text}
            display(picture, raw=True)
            if self.comm is not None:
                view = self._repr_mimebundle_() or {}
                display({**view, "text/plain": ""}, raw=True)

    return PicturedFigure
