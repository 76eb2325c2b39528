"""``jupyter nbconvert --to pdp_page``: a notebook that was run, as one page whose explorers work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbconvert.exporters.exporter import Exporter
from traitlets import Unicode

from pdp_widgets.publish.page import notebook_page

__all__ = ["PdpPageExporter"]


class PdpPageExporter(Exporter):
    """Exporter of nbconvert for pages as `pdp_widgets.publish.html` writes them."""

    # It is found by the name ``pdp_page``. Options of nbconvert that change a notebook before it is written
    # count here too: ``--execute``, ``--TagRemovePreprocessor``, and others.
    export_from_notebook = "Page with explorers"

    pictures_from = Unicode(
        "", help="Another folder that linked pictures may lie in, beside that of the notebook."
    ).tag(config=True)

    def _file_extension_default(self) -> str:
        return ".html"

    output_mimetype = "text/html"

    def from_notebook_node(self, nb: Any, resources: Any = None, **kw: Any) -> tuple[Any, Any]:
        """Return the page of a notebook, and what nbconvert knows of it."""
        changed, resources = super().from_notebook_node(nb, resources, **kw)
        about = resources["metadata"]
        # The present folder is said by an empty text; what comes through a pipe lies nowhere.
        folder = Path(about["path"]) if "path" in about else None
        page: Any = notebook_page(
            changed, name=about["name"], folder=folder, pictures_from=self.pictures_from or None
        )
        return page, resources
