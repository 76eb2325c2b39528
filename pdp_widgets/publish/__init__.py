"""Pictures and pages that show results without a kernel: pure text in, SVG and HTML out."""

from __future__ import annotations

from pdp_widgets.publish.gaussian_snapshot import gaussian_snapshot
from pdp_widgets.publish.graph_snapshot import graph_snapshot
from pdp_widgets.publish.line_chart import Chart, Line, line_charts
from pdp_widgets.publish.local_snapshot import local_snapshot
from pdp_widgets.publish.matrix_snapshot import matrix_snapshot
from pdp_widgets.publish.page import html
from pdp_widgets.publish.page_state import PageError
from pdp_widgets.publish.prior_snapshot import prior_snapshot
from pdp_widgets.publish.save import figure, save
from pdp_widgets.publish.snapshot import Snapshot
from pdp_widgets.publish.stream_snapshot import stream_snapshot
from pdp_widgets.publish.table_snapshot import table_snapshot

__all__ = [
    "Chart",
    "Line",
    "PageError",
    "Snapshot",
    "figure",
    "gaussian_snapshot",
    "graph_snapshot",
    "html",
    "line_charts",
    "local_snapshot",
    "matrix_snapshot",
    "prior_snapshot",
    "save",
    "stream_snapshot",
    "table_snapshot",
]
