"""Voila: a notebook as an application, alone and as the preview of a Jupyter server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from tests.hosts.conftest import CELLS, WAIT, Jupyter, Watched, free_port, largest, notebook_of, serving

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


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_explorer_runs_and_answers_an_edit(voila: str, watch: Callable[..., Watched], theme: str) -> None:
    host = watch(of_the_host=OWN_PARTS)
    host.page.goto(f"{voila}?theme={theme}")
    host.shows(largest(1.0))
    host.no_picture_beside()
    host.looks_like_itself()
    host.type_scale("2")
    host.shows(largest(2.0))
    assert host.view.get_attribute("data-dark") == ("" if theme == "dark" else None)


def test_the_preview_of_a_server_behind_a_prefix(jupyter: Jupyter, watch: Callable[..., Watched]) -> None:
    host = watch(of_the_host=(*OWN_PARTS, "@jupyterlab/docregistry"))
    name = jupyter.write("preview.ipynb", *CELLS)
    host.page.goto(jupyter.address(f"voila/render/{name}"))
    host.shows(largest(1.0))
    host.type_scale("2")
    host.shows(largest(2.0))
    expect(host.view).to_have_count(1, timeout=WAIT)
