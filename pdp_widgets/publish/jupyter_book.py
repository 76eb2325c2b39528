"""Books made with Sphinx and MyST-NB (Jupyter Book 1): what they do with the output of a widget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from pdp_widgets.publish.page_state import VIEW_TYPE

__all__ = ["StateIsSilent"]


class StateIsSilent:
    """Tells MyST-NB that the state beside a picture is nothing to draw, so that it does not warn of it."""

    # MyST-NB finds this class by the entry point ``myst_nb.mime_renderers``. A book that takes warnings for
    # errors can then hold widgets.

    #: MyST-NB reads it: builder, media type, rank. The order of the others stays as it is.
    mime_priority_overrides: ClassVar[Sequence[tuple[str, str, int | None]]] = ()

    @staticmethod
    def handle_mime(renderer: Any, data: Any, inline: bool) -> list[Any] | None:
        """Draw nothing for the state, and leave every other media type to MyST-NB."""
        return [] if data.mime_type == VIEW_TYPE else None
