"""Files that are counted where they lie, beside what their own engine takes, and the memory of a process.

``python -m benchmarks.file_rows KIND FILE`` counts one file and prints the peak memory in bytes.
"""

from __future__ import annotations

import csv
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.alone import peak_memory
from benchmarks.timing import Row
from pdp_widgets.models import plain_text
from pdp_widgets.models.counters import PairCounter
from pdp_widgets.models.file_counts import count_table, read_batches
from pdp_widgets.models.read_table import read_table

__all__ = ["file_rows"]

_ROWS, _ATTRIBUTES, _BINARY = 10_000_000, 10, 40
_LINES, _COLUMNS = 1_000_000, 15
#: Rows that are drawn; the others repeat them.
_DRAWN = 1 << 20
_ROUNDS = 5


def file_rows(largest: int) -> Iterator[Row]:
    """Measure counts of ten million rows of Parquet and of a million lines of text."""
    if largest < _COLUMNS:
        return
    with tempfile.TemporaryDirectory(prefix="pdp-bench-") as name:
        folder = Path(name)
        table, answers, text = folder / "table.parquet", folder / "answers.parquet", folder / "text.csv"
        names = _write_parquet(table, [2 + (j % 5 == 0) for j in range(_ATTRIBUTES)], texts=True)
        value, reference = _least(partial(count_table, table), partial(_grouped, table, names))
        what = f"counts of {_ROWS:,} rows of Parquet"
        yield Row(what, f"n = {_ATTRIBUTES}", value, None, reference, "DuckDB's GROUP BY", 1.5 * reference)
        yield Row("its memory", "", _memory("cells", table), most=1e9, unit="B")
        _write_parquet(answers, [2] * _BINARY, texts=False)
        value, reference = _least(partial(_pairs, answers), partial(_arrays, answers))
        what = f"all pairs of {_ROWS:,} rows of Parquet"
        yield Row(what, f"n = {_BINARY}", value, None, reference, "a pass into arrays", 3 * reference)
        yield Row("its memory", "", _memory("pairs", answers), most=1e9, unit="B")
        _write_text(text)
        for what, call in (("table", read_table), ("counts", count_table)):
            value, reference = _least(partial(call, text), partial(_by_the_csv_module, call, text))
            what = f"{what} of {_LINES:,} lines of text"
            yield Row(
                what, f"n = {_COLUMNS}", value, None, reference, "by the csv module alone", 0.75 * reference
            )


def _least(*calls: Callable[[], Any]) -> list[float]:
    """Return the shortest time of each call; they take turns, so that other work meets all of them."""
    times: list[list[float]] = [[] for _ in calls]
    for _, (call, taken) in zip(
        range(_ROUNDS * len(calls)), cycle(zip(calls, times, strict=True)), strict=False
    ):
        begin = perf_counter()
        call()
        taken.append(perf_counter() - begin)
    return list(map(min, times))


def _write_parquet(file: Path, sizes: list[int], texts: bool) -> list[str]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(1)
    columns: dict[str, Any] = {}
    for j, size in enumerate(sizes):
        codes = rng.integers(0, size, _DRAWN)
        columns[f"x{j + 1}"] = np.array(["no", "yes", "perhaps"])[codes] if texts and j % 2 else codes
    part = pa.table(columns)
    with pq.ParquetWriter(file, part.schema) as writer:
        for begin in range(0, _ROWS, _DRAWN):
            writer.write_table(part.slice(0, min(_DRAWN, _ROWS - begin)))
    return list(columns)


def _write_text(file: Path) -> None:
    rng = np.random.default_rng(1)
    columns = []
    for j in range(_COLUMNS):
        codes = rng.integers(0, 2 + (j % 5 == 0), _LINES)
        columns.append((np.array(["no", "yes", "perhaps"])[codes] if j % 2 else codes).tolist())
    with file.open("w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([f"x{j + 1}" for j in range(_COLUMNS)])
        writer.writerows(zip(*columns, strict=True))


def _grouped(file: Path, names: list[str]) -> Any:
    import duckdb

    listed = ", ".join(names)
    return duckdb.sql(f"SELECT {listed}, count(*) FROM '{file}' GROUP BY {listed}").to_arrow_table()


def _arrays(file: Path) -> None:
    import pyarrow.parquet as pq

    for part in pq.ParquetFile(file).iter_batches(_DRAWN):
        for column in part.columns:
            column.to_numpy()


def _pairs(file: Path) -> PairCounter:
    counter = PairCounter()
    for batch in read_batches(file):
        counter.update(batch)
    return counter


def _by_the_csv_module(call: Callable[[Path], Any], file: Path) -> None:
    least = plain_text._LEAST
    plain_text._LEAST = 1 << 60
    try:
        call(file)
    finally:
        plain_text._LEAST = least


def _memory(kind: str, file: Path) -> float:
    """Return the peak memory of a process that counts a file, in bytes."""
    call = [sys.executable, "-m", "benchmarks.file_rows", kind, str(file)]
    return float(subprocess.run(call, check=True, capture_output=True, text=True).stdout)


if __name__ == "__main__":
    (_pairs if sys.argv[1] == "pairs" else count_table)(Path(sys.argv[2]))
    print(peak_memory())
