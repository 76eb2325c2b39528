"""Running cases, those in which an error is due among them, and the command that does so for files."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from importlib.resources import files
from typing import Any

from pdp_widgets.errors import PdpError, TableError, Where
from pdp_widgets.models.labels import shown
from pdp_widgets.models.text_files import file_bytes
from pdp_widgets.verify.compare import decoded, difference
from pdp_widgets.verify.formats import (
    Input,
    Kinds,
    VectorError,
    check_case,
    checked_document,
    floats_of,
    kinds_of,
    tolerance,
)

#: The kind of these cases, in every format.
_ERROR = "error"
_PARTS = {field.name for field in fields(Where)}


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
    """Run the cases of parsed vector files."""
    report = Report()
    for document in documents:
        name, cases = checked_document(document)
        kinds, floats = kinds_of(name), floats_of(name)
        for case in cases:
            _run_case(case, kinds, floats, report)
    return report


def _run_case(case: Any, kinds: Kinds, floats: Mapping[str, float], report: Report) -> None:
    label = str(case.get("id", "a case without id")) if isinstance(case, dict) else "a case"
    try:
        check_case(case)
        data = decoded(case["input"], floats)
        wants_error = case["kind"] == _ERROR
        called, data = _called_by(data) if wants_error else (case["kind"], data)
        convention = data.get("convention")
        if convention is not None and not isinstance(convention, str):
            raise VectorError(f"the convention is {shown(convention)}; it is text")
    except VectorError as fault:
        report.failures.append(f"{label}: {fault}")
        return
    run = kinds.get((called, convention))
    if run is None:
        name = _name(called, data, kinds)
        report.not_run[f"{_ERROR} ({name})" if wants_error else name] += 1
        return
    try:
        expected = decoded(case.get("expected"), floats)
        if not isinstance(expected, dict) or not expected:
            raise VectorError("nothing is expected; a case names at least one result")
        if wants_error:
            found = _missing_error(run, data, expected)
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


def _called_by(data: Input) -> tuple[str, Input]:
    """Return the kind that a case calls and its input, or raise VectorError."""
    if not isinstance(data.get("call"), str) or not isinstance(data.get("args"), dict):
        raise VectorError("the input of an error case has a call (text) and its args (an object)")
    return data["call"], data["args"]


def _missing_error(run: Callable[[Input], Any], data: Input, expected: Input) -> str:
    """Return what is wrong, in words: no error, one that says nothing, or another than is due. Else empty."""
    kind, place = _expected(expected)
    try:
        run(data)
    except PdpError as fault:
        name = type(fault).__name__
        if not str(fault):
            return f"{name} without a message"
        if kind is not None and name != kind:
            return f"{kind} is due, got {name}: {fault}"
        found = {key: _as_written(getattr(fault.where, key, None)) for key in place}
        if found != place:
            return f"an error at {shown(place)} is due, got {shown(found)}: {fault}"
        return ""
    return f"no error where one is due: {shown(expected.get('error'))}"


def _expected(expected: Input) -> tuple[str | None, dict[str, Any]]:
    """Return the type that an error must have, or None, and the parts of its place that must agree."""
    kind, place = expected.get("type"), expected.get("where")
    if kind is not None and not isinstance(kind, str):
        raise VectorError(f"the type of the error is {shown(kind)}; it is text")
    if place is not None and (not isinstance(place, dict) or not place.keys() <= _PARTS):
        raise VectorError(f"the place of the error is {shown(place)}; it has {', '.join(sorted(_PARTS))}")
    return kind, dict(place or {})


def _as_written(part: Any) -> Any:
    """Return a part of a place as a vector file writes it."""
    return list(part) if isinstance(part, tuple) else part


def main(arguments: Sequence[str]) -> int:
    """Run vector files by path, print the outcome and return the exit status.

    Returns
    -------
    int
        0: every case that was run passes; 1: one fails; 2: a file cannot be used.
    """
    parser = argparse.ArgumentParser(
        prog="python -m pdp_widgets.verify",
        description="Run files of reference cases against the installed library. Exit status 0: every case "
        "that was run passes; 1: one fails; 2: a file cannot be used.",
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="vector files; without one those shipped")
    paths = parser.parse_args(arguments).files
    documents: list[Any] = [] if paths else _packaged()
    for path in paths:
        try:
            # Written by an editor on Windows, a file may begin with a byte order mark.
            document = json.loads(file_bytes(path, TableError).decode("utf-8-sig"))
            checked_document(document)
        except (OSError, ValueError, RecursionError) as fault:
            print(f"{path}: cannot be read as a vector file: {fault}", file=sys.stderr)
            return 2
        documents.append(document)
    report = verify(documents)
    for line in report.failures:
        print(line)
    print(report)
    return 1 if report.failures else 0


def _packaged() -> list[Any]:
    folder = files("pdp_widgets").joinpath("data", "vectors")
    return [
        json.loads(entry.read_text(encoding="utf-8"))
        for entry in sorted(folder.iterdir(), key=lambda e: e.name)
        if entry.name.endswith(".json")
    ]
