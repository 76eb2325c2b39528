"""A path, a frame, a series or a list where a chain is due: the error names what makes streams of it."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pdp_widgets as pdp

DAYS = ["dry", "wet", "wet", "dry"]
FRAME = pd.DataFrame({"day": [1, 2, 3, 4], "sky": DAYS})
FILE, LIST = r"read_click_streams\(.*from_dataframe\(", r"StreamData\(\[values\]\)"
COLUMN = r'StreamData\.from_dataframe\(frame, "COLUMN"\)'
GIVEN: dict[str, tuple[Callable[[], Any], str]] = {
    "text": (lambda: "clicks.dat", FILE),
    "bytes": (lambda: b"clicks.dat", FILE),
    "path": (lambda: Path("clicks.dat"), FILE),
    "file": (lambda: io.StringIO("1 2 3\n"), FILE),
    "frame": (lambda: FRAME, COLUMN),
    "one column": (lambda: FRAME[["sky"]], COLUMN),
    "series": (lambda: FRAME["sky"], LIST),
    "categories": (lambda: FRAME["sky"].astype("category"), LIST),
    "numbers": (lambda: FRAME["day"], LIST),
    "list": (lambda: DAYS, LIST),
    "array": (lambda: np.array(DAYS), LIST),
    "codes": (lambda: np.array([0, 1, 1, 0]), LIST),
    "iterator": (lambda: iter(DAYS), LIST),
    "measured": (lambda: [0.25, 1.5, 2.75], r"quantised\(values, low, high, cells\)"),
    "lists": (lambda: [DAYS, DAYS[:2]], r"StreamData\(lists\)"),
}
CHAIN_DUE: dict[str, Callable[[Any], Any]] = {
    "chain": pdp.MarkovChain,
    "simulator": lambda given: pdp.StreamSimulator(given, 1.0),
    "analysis": lambda given: pdp.SequenceAnalysis(given, "crr", 3, epsilon=1.0),
    "simulation": lambda given: pdp.streams.simulate_releases(given, pdp.ConditionalResponse(1.0), 3, rng=1),
    "batches": lambda given: pdp.streams.batch_errors(given, 1.0, [1], steps=3, users=1, rng=1),
    "run": lambda given: pdp.streams.StreamRun.of(given, 1.0, "crr", 3, seed=1),
}


@pytest.mark.parametrize("due", CHAIN_DUE)
@pytest.mark.parametrize("given", GIVEN)
def test_a_chain_is_due(due: str, given: str) -> None:
    make, words = GIVEN[given]
    with pytest.raises((pdp.PdpError, TypeError), match=f"(?s){words}"):
        CHAIN_DUE[due](make())


@pytest.mark.parametrize("due", [name for name in CHAIN_DUE if name not in ("simulator",)])
def test_streams_are_no_chain_and_their_law_is_named(due: str) -> None:
    with pytest.raises((pdp.PdpError, TypeError), match=r"MarkovChain\.from_streams\(data\)"):
        CHAIN_DUE[due](pdp.StreamData([DAYS]))


@pytest.mark.parametrize("given", ["text", "bytes", "path", "file", "frame", "one column"])
@pytest.mark.parametrize("lists", [False, True])
def test_streams_are_due(given: str, lists: bool) -> None:
    make, words = GIVEN[given]
    with pytest.raises(pdp.StreamError, match=f"(?s){words}"):
        pdp.MarkovChain.from_streams(make()) if lists else pdp.StreamData(make())


@pytest.mark.parametrize("given", ["series", "categories", "numbers", "list", "array", "codes"])
def test_one_stream_alone_is_no_list_of_streams(given: str) -> None:
    with pytest.raises(pdp.StreamError, match=LIST):
        pdp.StreamData(GIVEN[given][0]())


@pytest.mark.parametrize("given", ["text", "bytes", "path", "file", "frame", "one column", "lists"])
def test_data_are_due(given: str) -> None:
    make, words = GIVEN[given]
    chain = pdp.MarkovChain.symmetric(0.9, ["dry", "wet"])
    with pytest.raises(pdp.StreamError, match=f"(?s){words}"):
        pdp.StreamSimulator(chain, 1.0, data=make())


def test_a_wrong_matrix_is_said_to_be_one_and_names_no_reader() -> None:
    for wrong in ([[0.9, 0.2], [0.5, 0.5]], pd.DataFrame([[0.9, 0.2], [0.5, 0.5]]), [[1, 2, 3]], None, 5):
        with pytest.raises(pdp.ChainError) as error:
            pdp.MarkovChain(wrong)  # type: ignore[arg-type]
        assert "StreamData" not in str(error.value)
        assert "Read a file" not in str(error.value)


def test_what_cannot_be_looked_at_is_refused_in_words_all_the_same() -> None:
    class Hostile:
        def __iter__(self) -> Any:
            raise RuntimeError("no")

        def __len__(self) -> int:
            raise RuntimeError("no")

    with pytest.raises(pdp.ChainError, match="transitions"):
        pdp.MarkovChain(Hostile())  # type: ignore[arg-type]


def test_the_named_readers_read(tmp_path: Path) -> None:
    (tmp_path / "clicks.dat").write_text("1 2 2 1\n2 1\n")
    (tmp_path / "days.csv").write_text("day,sky\n1,dry\n2,wet\n3,wet\n4,dry\n")
    made = [
        pdp.StreamData([DAYS]),
        pdp.StreamData.from_dataframe(pd.read_csv(tmp_path / "days.csv"), "sky"),
        pdp.read_click_streams(tmp_path / "clicks.dat"),
        pdp.streams.quantised([0.25, 1.5, 2.75], 0, 3, 3),
    ]
    assert [len(data) for data in made] == [1, 1, 2, 1]
    assert made[0].labels(0) == made[1].labels(0) == tuple(DAYS)
    for data in made[:2]:
        assert pdp.StreamSimulator(data, 1.0, rng=1).position == 4
