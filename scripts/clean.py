"""Removes what the other commands made: everything here is ignored by git and made again when needed."""

import shutil
import sys

import frontend

MADE = (
    ".venv",
    "dist",
    "build",
    "js/node_modules",
    "js/lib",
    "pdp_widgets/static",
    "pdp_widgets/labextension",
    "docs/_build",
    "docs/api",
    "docs/notebooks",
    "test-results",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".hypothesis",
    ".import_linter_cache",
)


def main() -> int:
    """Remove them and say so."""
    for name in MADE:
        place = frontend.ROOT / name
        if place.exists():
            shutil.rmtree(place)
            print(f"removed {name}")
    for cache in frontend.ROOT.rglob("__pycache__"):
        shutil.rmtree(cache, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
