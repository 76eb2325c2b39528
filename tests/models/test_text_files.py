"""Every reader of the package takes a file that ends, and says by name what else it was given."""

import inspect
import os
from importlib import import_module
from pathlib import Path

import pytest

import pdp_widgets
from pdp_widgets import (
    read_adult,
    read_check_ins,
    read_click_streams,
    read_counts,
    read_friendships,
    read_microdata,
    read_table,
)
from pdp_widgets.dependent import read_adult_records
from pdp_widgets.errors import LimitError, PdpError
from pdp_widgets.models import text_files
from pdp_widgets.publish.notebook import read_notebook
from pdp_widgets.verify.cases import main as verify

READERS = [
    read_adult,
    read_adult_records,
    read_check_ins,
    read_click_streams,
    read_counts,
    read_friendships,
    read_microdata,
    read_notebook,
    read_table,
]
SPARSE = 10_000_000_000


def sparse(folder: Path, name: str) -> Path:
    file = folder / name
    with file.open("wb") as opened:
        opened.truncate(SPARSE)
    return file


def test_no_reader_is_forgotten():
    named = {name for name in dir(pdp_widgets) if name.startswith("read_")}
    assert named
    assert named <= {reader.__name__ for reader in READERS}
    # A reader that opens what it is given by itself would pass the rule by.
    for reader in READERS:
        source = inspect.getsource(import_module(reader.__module__))
        assert "read_bytes(" not in source
        assert not any(line.strip().startswith("text = file.read_text(") for line in source.splitlines())


@pytest.mark.parametrize("reader", READERS)
def test_a_folder_a_device_and_a_pipe_are_named(reader, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    link = tmp_path / "link.txt"
    link.symlink_to("/dev/zero")
    for path, word in ((tmp_path, "folder"), ("/dev/zero", "device"), (link, "device"), (pipe, "pipe")):
        with pytest.raises(PdpError, match=word) as caught:
            reader(path)
        assert Path(path).name in str(caught.value)
        assert caught.value.where.kind == "parameter"


@pytest.mark.parametrize("reader", READERS)
def test_a_file_without_end_is_refused_before_it_is_read(reader, tmp_path):
    with pytest.raises(LimitError, match=r"250 MB|too long"):
        reader(sparse(tmp_path, "large.ipynb"))


@pytest.mark.parametrize("reader", [one for one in READERS if one is not read_notebook])
@pytest.mark.parametrize("path", [5, None, b"edges.txt", "a\0b"])
def test_what_is_no_path_is_said(reader, path):
    with pytest.raises(PdpError, match="give the path of a file"):
        reader(path)


@pytest.mark.parametrize("reader", READERS)
def test_a_missing_file_is_said_as_python_does(reader, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"missing\.txt"):
        reader(tmp_path / "missing.txt")


@pytest.mark.parametrize("reader", [read_check_ins, read_click_streams, read_friendships])
def test_many_short_lines_end_too(reader, tmp_path, monkeypatch):
    monkeypatch.setattr(text_files, "MOST_TEXT", 1000)
    file = tmp_path / "lines.txt"
    file.write_text("1 2\n" * 251)
    with pytest.raises(LimitError, match=r"lines\.txt has more than 1,000 characters"):
        reader(file)


def test_files_of_cases_too(tmp_path, capsys):
    for path, word in ((tmp_path, "folder"), ("/dev/zero", "device"), (sparse(tmp_path, "x"), "250 MB")):
        assert verify([str(path)]) == 2
        assert word in capsys.readouterr().err
