"""Asks the browser's computation in node, and compares what it answers with what Python sends."""

from __future__ import annotations

import base64
import json
import math
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets import PriorAnalysis
from tests.packaging.conftest import ROOT

__all__ = ["Comparison", "Floats", "about_adversary", "answers", "wired"]

_SCRIPT = Path(__file__).with_name("browser_numbers.mjs")
_WORDS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
Floats = NDArray[np.float64]
Judge = Callable[[str, Floats, Floats], Floats | None]

#: Leakages and contributions are of this size or larger; what is smaller is compared in absolute terms.
_SMALLEST = 1e-3


def answers(questions: list[list[Any]]) -> list[Any]:
    """Return what each function of ``js/test/compute/in-node.ts`` answers: ``[name, arguments...]``."""
    with _node() as node:
        assert node.stdin is not None
        assert node.stdout is not None
        # What never ends is ended, and then says nothing.
        limit = threading.Timer(120, node.kill)
        limit.start()
        try:
            node.stdin.write(json.dumps(wired(questions)) + "\n")
            node.stdin.flush()
            line = node.stdout.readline()
        finally:
            limit.cancel()
        assert line, "node ended, or gave no answer in 120 s"
    found = json.loads(line)
    assert "error" not in found, found["error"]
    return list(found["answers"])


def about_adversary(analysis: PriorAnalysis, target: int, known: list[int]) -> list[Any]:
    """Return the question for all adversaries of a table, and for one of them in full."""
    joint, mechanism = analysis.distribution, analysis.mechanism
    model = {
        "shape": joint.shape,
        "entries": joint.table.ravel(),
        "contributions": mechanism.query.contributions,
        "scale": mechanism.scale,
    }
    row = analysis.instance_positions if analysis.convention == "instance" else None
    return ["prior", model, row, target, known]


_running: list[subprocess.Popen[str]] = []


@contextmanager
def _node() -> Iterator[subprocess.Popen[str]]:
    """The process that answers: one for all questions, for it takes longer to start than to answer.

    It ends when its standard input does, thus with this process. What fails here leaves it to nobody else.
    """
    node = _running.pop() if _running else None
    if node is None or node.poll() is not None:
        import frontend

        env = frontend.node_environment()
        assert env is not None, "no usable node with npm was found"
        node = subprocess.Popen(
            ["node", str(_SCRIPT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=env,
            cwd=ROOT,
            encoding="utf-8",
        )
    try:
        yield node
    except BaseException:
        node.kill()
        raise
    _running.append(node)


def wired(value: Any) -> Any:
    """Return a value as JSON that the script reads: words for what JSON has not, bytes in base64."""
    if isinstance(value, bytes | bytearray | memoryview):
        return {"base64": base64.b64encode(bytes(value)).decode()}
    if isinstance(value, Mapping):
        return {name: wired(part) for name, part in value.items()}
    if isinstance(value, np.ndarray):
        return wired(value.tolist())
    if isinstance(value, list | tuple):
        return [wired(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return next(word for word, number in _WORDS.items() if str(number) == str(value))
    return value


class Comparison:
    """Compares answers part by part and keeps the largest difference of two numbers.

    Parameters
    ----------
    tolerance
        Largest difference relative to the number, or to 0.001 where it is smaller.
    judge
        Called with a place, and the answers and expected numbers there that differ; returns their
        differences, or None for the usual ones.

    Attributes
    ----------
    numbers, largest, place
        How many numbers were compared, their largest difference, and where.
    wrong
        What differs.
    """

    def __init__(self, tolerance: float = 1e-9, judge: Judge | None = None) -> None:
        self.tolerance = tolerance
        self.judge = judge or (lambda place, answer, expected: None)
        self.numbers = 0
        self.largest = 0.0
        self.place = ""
        self.wrong: list[str] = []

    def compare(self, answer: Any, expected: Any, place: str = "") -> None:
        """Compare an answer with what Python has; bytes are numbers, or flags where it says so."""
        if isinstance(answer, dict) and "base64" in answer and isinstance(expected, bytes | memoryview):
            kind = np.uint8 if place.endswith(("locks", "determined")) else np.float64
            sent = base64.b64decode(answer["base64"])
            answer, expected = np.frombuffer(sent, kind), np.frombuffer(bytes(expected), kind)
        answer, expected = (
            _WORDS.get(value, value) if isinstance(value, str) else value for value in (answer, expected)
        )
        if isinstance(expected, Mapping) and isinstance(answer, dict):
            for name in sorted(answer.keys() | expected.keys()):
                if name in answer and name in expected:
                    self.compare(answer[name], expected[name], f"{place}.{name}")
                else:
                    self.wrong.append(f"{place}.{name} is only on one side")
        elif _is_number(answer) and _is_number(expected):
            self.numbers += 1
            if answer != expected:
                self._numbers(answer, expected, place)
        elif isinstance(expected, np.ndarray):
            self.numbers += expected.size
            self._numbers(answer, expected, place)
        elif isinstance(expected, list | tuple) and isinstance(answer, list):
            if len(answer) != len(expected):
                self.wrong.append(f"{place}: {len(answer)} instead of {len(expected)} entries")
            for part, other in zip(answer, expected, strict=False):
                self.compare(part, other, place)
        elif answer != expected or isinstance(answer, bool) != isinstance(expected, bool):
            self.wrong.append(f"{place}: {answer!r} instead of {expected!r}")

    def _numbers(self, answer: Any, expected: Any, place: str) -> None:
        # Words among the numbers of an array are read as NaN and infinities.
        found, wanted = (np.atleast_1d(np.array(part, dtype=np.float64)) for part in (answer, expected))
        if found.shape != wanted.shape:
            self.wrong.append(f"{place}: {found.size} instead of {wanted.size} numbers")
            return
        same = (found == wanted) | (np.isnan(found) & np.isnan(wanted))
        found, wanted = found[~same], wanted[~same]
        if not found.size:
            return
        differences = self.judge(place, found, wanted)
        if differences is None:
            differences = np.abs(found - wanted) / np.maximum(np.abs(wanted), _SMALLEST)
        worst = int(np.argmax(np.nan_to_num(differences, nan=np.inf)))
        if differences[worst] > self.largest:
            self.largest, self.place = float(differences[worst]), place
        if not differences[worst] <= self.tolerance:
            self.wrong.append(f"{place}: {found[worst]!r} instead of {wanted[worst]!r}")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
