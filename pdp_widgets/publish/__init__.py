"""Pictures and pages that show results without a kernel: pure text in, SVG and HTML out."""

from __future__ import annotations

from pdp_widgets.core.chart import Axis, Cells, Chart, Level, Series
from pdp_widgets.publish.figures import charts_snapshot
from pdp_widgets.publish.page import html
from pdp_widgets.publish.page_state import PageError
from pdp_widgets.publish.printed import printed_beside
from pdp_widgets.publish.snapshot import Snapshot

__all__ = [
    "Axis",
    "Cells",
    "Chart",
    "Level",
    "PageError",
    "Series",
    "Snapshot",
    "charts_snapshot",
    "html",
    "printed_beside",
]
