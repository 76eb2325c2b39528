"""Running cases and counting what came of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pdp_widgets.errors import PdpError
from pdp_widgets.models.labels import shown
from pdp_widgets.verify.compare import decoded, difference
from pdp_widgets.verify.documents import Input, VectorError, check_case, checked_document, tolerance
from pdp_widgets.verify.errors import ERROR, called_by, missing_error
from pdp_widgets.verify.formats import FORMATS, Kinds, floats_of, kinds_of

__all__ = ["Report", "verify"]


@dataclass
class Report:
    """Outcome of a run.

    Parameters
    ----------
    passed
        Number of cases that pass.
    failures
        One line for each case that fails.
    not_run
        Cases whose kind is not offered, counted by name.
    """

    passed: int = 0
    failures: list[str] = field(default_factory=list)
    not_run: Counter[str] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        """Number of cases read."""
        return self.passed + len(self.failures) + self.not_run.total()

    def __str__(self) -> str:
        line = f"{self.passed} of {self.total} cases pass"
        if self.not_run:
            line += f", {self.not_run.total()} not run: {', '.join(sorted(self.not_run))}"
        return line


def verify(documents: Iterable[Any]) -> Report:
    """Run the cases of parsed vector files.

    Parameters
    ----------
    documents
        Contents of vector files: ``{"format": ..., "cases": [...]}``.

    Raises
    ------
    VectorError
        A document has no format or no cases.

    Examples
    --------
    >>> case = {"id": "three", "kind": "counts", "input": {"n": 3}, "tol": 0,
    ...         "expected": {"nodes": 12, "edges": 12, "layer_sizes": [3, 6, 3]}}
    >>> print(verify([{"format": "pdp-vectors/1", "cases": [case]}]))
    1 of 1 cases pass
    """
    report = Report()
    for document in documents:
        name, cases = checked_document(document, FORMATS)
        kinds = kinds_of(name)
        for case in cases:
            if kinds:
                _run_case(case, kinds, floats_of(name), report)
            else:
                kind = case.get("kind") if isinstance(case, dict) else None
                report.not_run[f"{kind if isinstance(kind, str) else 'a case'} of {name}"] += 1
    return report


def _run_case(case: Any, kinds: Kinds, floats: Mapping[str, float], report: Report) -> None:
    label = str(case.get("id", "a case without id")) if isinstance(case, dict) else "a case"
    try:
        check_case(case)
        data = decoded(case["input"], floats)
        wants_error = case["kind"] == ERROR
        called, data = called_by(data) if wants_error else (case["kind"], data)
        convention = data.get("convention")
        if convention is not None and not isinstance(convention, str):
            raise VectorError(f"the convention is {shown(convention)}; it is text")
    except VectorError as fault:
        report.failures.append(f"{label}: {fault}")
        return
    run = kinds.get((called, convention))
    if run is None:
        name = _name(called, data, kinds)
        report.not_run[f"{ERROR} ({name})" if wants_error else name] += 1
        return
    try:
        expected = decoded(case.get("expected"), floats)
        if not isinstance(expected, dict) or not expected:
            raise VectorError("nothing is expected; a case names at least one result")
        if wants_error:
            found = missing_error(run, data, expected)
        else:
            tol = tolerance(case)
            found = difference(run(data), expected, tol, "") or ""
    except VectorError as fault:
        found = str(fault)
    except PdpError as fault:
        found = f"{type(fault).__name__}: {fault}"
    except Exception as fault:
        # A crash of one case is a failure of that case, not of the run.
        found = f"unexpected {type(fault).__name__}: {fault}"
    if found:
        report.failures.append(f"{label}: {found}")
    else:
        report.passed += 1


def _name(kind: str, data: Input, kinds: Kinds) -> str:
    """Name what is not offered: the kind, or the convention where the kind itself is offered."""
    partly = any(kind == offered for offered, _ in kinds)
    return f"{kind} ({data.get('convention')})" if partly else kind
