"""One edit of a cell, from the new number to what leaks, without and with the explorer."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.cases import sizes, table_and_row
from benchmarks.timing import Row, measure
from pdp_widgets.leakage.prior.analysis import PriorAnalysis
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.editing import set_cell
from pdp_widgets.models.joint_distribution import JointDistribution

__all__ = ["editing_rows"]


class Editor:
    """Somebody who halves the same cell again and again."""

    def __init__(self, n: int) -> None:
        self.entries = table_and_row(n)[0]

    def edit(self) -> None:
        """Change the cell; the others are rescaled."""
        self.entries = set_cell(self.entries, 1, 0.5 * float(self.entries.flat[1]) + 1e-6)

    def analyse(self) -> PriorAnalysis:
        """Edit, check the table, compute all adversaries."""
        self.edit()
        joint = JointDistribution(self.entries)
        return PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1.0))

    def look(self) -> None:
        """Edit, and read the largest leakage with where it is attained."""
        float(self.analyse().largest)


class ExplorerEditor(Editor):
    """The same person in a browser: requests in, views out; the messages themselves are not counted."""

    def __init__(self, n: int) -> None:
        from pdp_widgets.widgets.prior_explorer import PriorExplorer

        super().__init__(n)
        self.explorer = PriorExplorer(JointDistribution(self.entries))
        view = self.explorer._view
        kept = ("scale", "instance", "target", "known", "show_paper", "threshold")
        self.request = {key: view[key] for key in kept}
        self.request |= {key: view["table"][key] for key in ("locks", "keep_sum", "rows", "columns")}
        self.number = 0

    def look(self) -> None:
        """Edit, ask, and make sure that the answer is the one to this edit."""
        self.edit()
        self.number += 1
        sent = {"origin": "benchmark", "seq": self.number, "entries": self.entries.tobytes()}
        self.explorer.set_state({"_request": self.request | sent})
        view = self.explorer._view
        if view["ack"]["seq"] != self.number or view["fault"] or not view["current"]:
            raise SystemExit(f"The explorer did not take the edit: {view['fault']}")


def editing_rows(largest: int) -> Iterator[Row]:
    """Measure one edit, without and with the explorer."""
    for n in sizes((5, 10, 12, 15), largest):
        first, warm = measure(Editor(n).analyse)
        goal = {10: 0.002}.get(n)
        yield Row("one edit in Python, cell to all leakages", f"n = {n}", warm, first, most=goal)
    for n in sizes((5, 10), largest):
        first, warm = measure(Editor(n).look)
        yield Row("  and where the largest is attained", f"n = {n}", warm, first)
    for n in sizes((5, 10), largest):
        first, warm = measure(ExplorerEditor(n).look)
        yield Row("one edit through the explorer, request to view", f"n = {n}", warm, first)
