"""``python -m pdp_widgets.publish NOTEBOOK``: one self-contained page of a notebook that was run."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from pdp_widgets.errors import LimitError
from pdp_widgets.publish.page import html
from pdp_widgets.publish.page_state import PageError

__all__ = ["main"]

_ENDING = ".html"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, say its size, and return 0 when it was written, 1 when it was not."""
    parser = argparse.ArgumentParser(
        prog="python -m pdp_widgets.publish",
        description="Write one self-contained HTML page of a notebook: explorers that work without a kernel, "
        "pictures with their numbers where scripts may not run. The notebook was run and saved; it is not "
        "run again.",
    )
    parser.add_argument("notebook", type=Path, help="file that Jupyter saved (.ipynb)")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="PAGE",
        help="the page; NOTEBOOK with the ending .html by default",
    )
    parser.add_argument("--title", help="title of the page; the first heading by default")
    parser.add_argument(
        "--pictures-from",
        type=Path,
        metavar="FOLDER",
        help="another folder that linked pictures may lie in; that of the notebook alone by default",
    )
    parser.add_argument("--overwrite", "--force", action="store_true", help="replace a page that is there")
    given = parser.parse_args(arguments)
    if given.output is None and not given.notebook.name:
        return _failed(
            f"{given.notebook} is a folder; give the path of a notebook (.ipynb). Nothing was written."
        )
    page = given.output or given.notebook.with_suffix(_ENDING)
    try:
        written = html(
            given.notebook,
            page,
            title=given.title,
            overwrite=given.overwrite,
            pictures_from=given.pictures_from,
        )
    except FileExistsError:
        return _failed(f"There is already {page}; nothing was written. Give --overwrite to replace it.")
    except (PageError, LimitError, ImportError, RuntimeError) as error:
        return _failed(f"{error} Nothing was written.")
    except OSError as error:
        return _failed(f"{error.filename or page}: {error.strerror or error}. Nothing was written.")
    text = written.read_text(encoding="utf-8")
    widgets = text.count('<div class="pdp-slot">')
    in_slots = text.count('<div class="pdp-slot"><figure class="pdp-static')
    charts = text.count('<figure class="pdp-static') - in_slots
    held = [_counted(count, what) for count, what in ((widgets, "widget"), (charts, "chart")) if count]
    print(f"{written}: {len(text.encode()) / 1000:.0f} kB, {', '.join(held) or 'no widget'}")
    return 0


def _counted(count: int, what: str) -> str:
    return f"{count} {what if count == 1 else f'{what}s'}"


def _failed(message: str) -> int:
    print(f"pdp_widgets.publish: {message}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
