"""Builds the documentation site: `make docs`, or `python scripts/docs.py [FOLDER]` in an environment with it.

The pages lie in docs/, the site in docs/_build/html (or FOLDER); it opens from disk and asks the network for
nothing. Notebooks are shown as they are saved, the examples of the guides are run. Any warning is a failure.
With --links every link inside the site is followed as well.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "docs"
SITE = SOURCES / "_build" / "html"

#: What a browser loads by itself, without being asked.
_LOADS = {"img": "src", "script": "src", "iframe": "src", "source": "src", "link": "href", "image": "href"}


def build(site: Path = SITE) -> int:
    """Build what has changed; the exit status of Sphinx."""
    # Beside the site: tests that build elsewhere must not meet the state of this folder.
    state = site.parent / f"{site.name}-state"
    command = [sys.executable, "-m", "sphinx", "--builder", "html", "--fail-on-warning", "--keep-going"]
    command += ["--quiet", "--doctree-dir", str(state), str(SOURCES), str(site)]
    # One thread: the examples are small, and a pool of threads costs more than it saves.
    env = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", **os.environ}
    return subprocess.run(command, cwd=ROOT, env=env).returncode


class Page(HTMLParser):
    """The links and the names of one page.

    Parameters
    ----------
    text
        The page.

    Attributes
    ----------
    names
        What can follow ``#`` in a link to this page.
    links
        Addresses a reader may follow.
    loads
        Addresses the browser fetches by itself.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what one element names and where it leads."""
        of = {key: value for key, value in attrs if value is not None}
        self.names |= {of[key] for key in ("id", "name") if key in of}
        if tag == "a" and "href" in of:
            self.links.append(of["href"])
        elif tag in _LOADS and _LOADS[tag] in of:
            self.loads.append(of[_LOADS[tag]])


def pages_of(site: Path) -> dict[Path, Page]:
    """Return every page of a built site."""
    return {file: Page(file.read_text(encoding="utf-8")) for file in sorted(site.rglob("*.html"))}


def broken_links(site: Path, pages: dict[Path, Page] | None = None) -> Iterator[str]:
    """Say which links lead nowhere: to a file or a place in a page that is not there.

    Addresses elsewhere are read, not visited: they must name a host.
    """
    pages = pages_of(site) if pages is None else pages
    for file, page in pages.items():
        for address in (*page.links, *page.loads):
            parts = urlsplit(address)
            where = f"{file.relative_to(site).as_posix()}: {address}"
            if parts.scheme in ("http", "https"):
                if not re.fullmatch(r"[\w.-]+\.\w+(:\d+)?", parts.netloc):
                    yield f"{where}: no host"
            elif parts.scheme == "mailto" or parts.scheme == "data":
                continue
            elif parts.scheme:
                yield f"{where}: {parts.scheme} is no way to link"
            else:
                target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
                if target.is_dir():
                    target /= "index.html"
                if not target.is_file():
                    yield f"{where}: no such file"
                elif (
                    parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].names
                ):
                    yield f"{where}: no such place in the page"


def main(arguments: list[str]) -> int:
    """Build, say how long it took, and check the links when asked."""
    options = {word for word in arguments if word.startswith("-")}
    folders = [word for word in arguments if not word.startswith("-")]
    if options - {"--links"} or len(folders) > 1:
        print(__doc__, file=sys.stderr)
        return 2
    if importlib.util.find_spec("sphinx") is None:
        print("Sphinx is not installed here: pip install '.[docs]', or run make docs.", file=sys.stderr)
        return 1
    site = (Path(folders[0]) if folders else SITE).resolve()
    begin = time.monotonic()
    status = build(site)
    if status:
        return status
    print(f"Documentation: {site / 'index.html'} ({time.monotonic() - begin:.0f} s).", flush=True)
    broken = list(broken_links(site)) if "--links" in options else []
    for line in broken:
        print(line, file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
