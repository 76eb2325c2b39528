"""Voila alone, in dark: a notebook as an application.

As the preview of a server, in light, it is in test_every_widget.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from tests.hosts.conftest import CELLS, Watched, free_port, largest, notebook_of, serving

# Voila's own template asks for them, whatever the notebook holds.
OWN_PARTS = (r"fontawesome-free", r"/mathjax/")
# Notebook 7's extension needs a part that Voila does not have.
OTHERS = "--VoilaConfiguration.extension_denylist=['@jupyter-notebook/lab-extension']"


@pytest.fixture(scope="module")
def voila(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Voila alone on one notebook."""
    place = tmp_path_factory.mktemp("voila")
    (place / "one.ipynb").write_text(json.dumps(notebook_of(*CELLS)))
    port = free_port()
    url = f"http://127.0.0.1:{port}/"
    options = (
        *("one.ipynb", "--no-browser", "--Voila.ip=127.0.0.1", f"--port={port}", OTHERS),
        "--VoilaConfiguration.allow_theme_override=YES",
    )
    # The page itself would run the notebook.
    with serving(place, "voila", *options, asked=f"{url}voila/static/voila.js"):
        yield url


def test_an_explorer_runs_in_the_dark_theme_and_answers_an_edit(
    voila: str, watch: Callable[..., Watched]
) -> None:
    host = watch(of_the_host=OWN_PARTS)
    host.page.goto(f"{voila}?theme=dark")
    host.shows(largest(1.0))
    host.no_picture_beside()
    host.looks_like_itself()
    host.type_scale("2")
    host.shows(largest(2.0))
    assert host.view.get_attribute("data-dark") == ""
