"""Which process runs which tests: a file stays in one, and one that dies takes no other test with it."""

from __future__ import annotations

from contextlib import suppress

from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

__all__ = ["ByFile"]

#: Folders that stay in one process, and under which name. What they share takes long: a server of JupyterLab
#: with a page in it, the built site, the wheel. Two processes would make each of these twice.
TOGETHER = {"hosts": "hosts", "lab": "lab", "site": "site", "packaging": "packaging", "lite": "packaging"}


class ByFile(LoadScopeScheduling):
    """Keep a file in one process, and all that builds the package in one: a build is nobody else's read.

    ``--dist=loadgroup`` with marks would say the same, but with pytest 9.2 and xdist 3.8 it groups nothing.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::", 1)[0]
        return next((name for folder, name in TOGETHER.items() if f"/{folder}/" in f"/{file}"), file)

    def remove_node(self, node: WorkerController) -> str | None:
        """Give the work of a process that died to the others; the test it died in is not run again."""
        workload = self.assigned_work.pop(node)
        died_in = next((test for unit in workload.values() for test, done in unit.items() if not done), None)
        if died_in is None:
            return None
        for scope, unit in workload.items():
            if died_in in unit:
                unit[died_in] = True
            if not all(unit.values()):
                self.workqueue[scope] = unit
        for other in self.assigned_work:
            self._reschedule(other)
        return died_in

    def _reschedule(self, node: WorkerController) -> None:
        # What is sent to a process that has just died is taken back when that becomes known.
        with suppress(OSError):
            self._keep_busy(node)

    def _keep_busy(self, node: WorkerController) -> None:
        super()._reschedule(node)
        # A process runs its last test only when it knows what follows, or that nothing does. One that took
        # the place of another would wait for ever with a single test.
        while not node.shutting_down and self._pending_of(self.assigned_work[node]) < 2:
            if self.workqueue:
                self._assign_work_unit(node)
            else:
                node.shutdown()
