"""Pictures and pages that show results without a kernel: pure text in, SVG and HTML out."""

from __future__ import annotations

from pdp_widgets.publish.graph_snapshot import graph_snapshot
from pdp_widgets.publish.prior_snapshot import prior_snapshot
from pdp_widgets.publish.snapshot import Snapshot
from pdp_widgets.publish.table_snapshot import table_snapshot

__all__ = ["Snapshot", "graph_snapshot", "prior_snapshot", "table_snapshot"]
