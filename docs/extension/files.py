"""Files that the build writes among the sources, and only when they differ."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

__all__ = ["write", "write_folder"]


def write(file: Path, text: str) -> None:
    """Write a file unless it says the same already: an older date would make Sphinx read it again."""
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def write_folder(folder: Path, pages: Mapping[str, str]) -> None:
    """Make a folder hold these pages, by file name, and no other ones of their kind."""
    for name, text in pages.items():
        write(folder / name, text)
    for file in folder.glob("*.md"):
        if file.name not in pages:
            file.unlink()
