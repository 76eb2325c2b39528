"""The command ``python -m pdp_widgets.verify``: files in, lines and an exit status out."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from pdp_widgets.errors import TableError
from pdp_widgets.models.given_file import file_bytes
from pdp_widgets.verify.cases import verify
from pdp_widgets.verify.documents import checked_document
from pdp_widgets.verify.formats import FORMATS

__all__ = ["main"]


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
            checked_document(document, FORMATS)
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
