"""What a stream simulator is given in Python or sent by a browser: chain, symbols, seed, position, speed."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import Whole, as_size
from pdp_widgets.errors import LimitError, StreamError, Where
from pdp_widgets.leakage.sequence.stream_script import MOST_STEPS
from pdp_widgets.mechanisms.sequence.distances import Distance, distance_matrix
from pdp_widgets.models.labels import shown
from pdp_widgets.models.markov_chain import MarkovChain
from pdp_widgets.models.stream_data import StreamData
from pdp_widgets.models.stream_input import with_reader
from pdp_widgets.models.table_checks import is_records
from pdp_widgets.publish.labels import clean, shorten

#: States of a chain that is simulated on a screen.
MOST_STATES = 100
_LONGEST_TITLE = 120
_LONGEST_LAG = 1_000_000
_LONGEST_WORDS = 200


def as_chain(chain: Any) -> MarkovChain:
    """Return a chain that can be shown, or raise ChainError or LimitError."""
    if isinstance(chain, StreamData):
        raise StreamError(
            "The value is StreamData; assign MarkovChain.from_streams(data), or make another simulator.",
            Where("parameter", name="value"),
        )
    made = chain if isinstance(chain, MarkovChain) else MarkovChain(chain)
    if made.n > MOST_STATES:
        raise LimitError(
            f"The chain has {made.n} states; a simulator shows at most {MOST_STATES}. Keep the most frequent "
            "ones and put the rest together, see StreamData.most_frequent.",
            Where("parameter", name="value"),
        )
    return made


def chain_and_data(value: Any, data: Any, smoothing: Any) -> tuple[Any, Any, str, str]:
    """Return the law of a stream, the states that are released or None, what these are, and what to say."""
    if not isinstance(value, StreamData):
        if smoothing is not None:
            raise StreamError(
                "There is nothing to smooth: smoothing goes with StreamData in place of a chain.",
                Where("parameter", name="smoothing"),
            )
        if isinstance(data, StreamData):
            return value, _one_stream(data, "data"), _title(data) or "data", ""
        return value, data, "" if data is None else "data", ""
    chain = MarkovChain.from_streams(value, smoothing=smoothing)
    if data is None:
        fitted = "these very data"
        more = ", which the guarantee does not cover"
    else:
        fitted, more = _title(value) or "other data", ""
    inner, states, words, _ = chain_and_data(chain, value if data is None else data, None)
    return inner, states, words, f"The law was fitted on {fitted} ({_smoothed(smoothing)}){more}."


def _title(data: StreamData) -> str:
    return shorten(clean(data.title), _LONGEST_TITLE)


def _smoothed(smoothing: Any) -> str:
    return f"smoothing: {'one per row' if smoothing is None else smoothing}"


def _one_stream(data: StreamData, name: str) -> tuple[Any, ...]:
    many = len(data)
    if many == 1:
        return data.labels(0)
    lengths = ", ".join(f"{user}: {len(data[user]):,} symbols" for user in range(min(many, 5)))
    more = f" and {many - 5:,} more" if many > 5 else ""
    which = f"{many:,} streams ({lengths}{more}); one is released" if many else "no stream; one is released"
    raise StreamError(
        f"The data hold {which}. Choose it.",
        Where("parameter", name=name),
        call="For example StreamSimulator(MarkovChain.from_streams(data), data=data.labels(0)).",
    )


def as_symbols(data: Any, chain: MarkovChain) -> NDArray[np.int64]:
    """Return labels of a chain as positions, or raise StreamError with the first that is none."""
    one = isinstance(data, str | bytes | dict) or (isinstance(data, np.ndarray) and not data.ndim)
    # A frame would be read by its columns, a file by its lines.
    one = one or isinstance(data, io.IOBase) or hasattr(data, "columns") or is_records(data)
    if one or not isinstance(data, Iterable):
        raise StreamError(
            with_reader(f"The data are {shown(data)}; give a list of states.", data),
            Where("parameter", name="data"),
        )
    positions = {state: position for position, state in enumerate(chain.states)}
    found: list[int] = []
    for step, label in enumerate(data, 1):
        if step == 1 and isinstance(label, list | tuple | np.ndarray):
            raise StreamError(
                with_reader(f"The data are {shown(data)}; give one list of states.", data),
                Where("parameter", name="data"),
            )
        if step > MOST_STEPS:
            raise LimitError(
                f"There are more than {MOST_STEPS:,} steps of data; give fewer.",
                Where("parameter", name="data"),
            )
        found.append(as_symbol(label, positions, f"Step {step} of the data"))
    symbols = np.array(found, dtype=np.int64)
    symbols.flags.writeable = False
    return symbols


def as_symbol(label: Any, positions: Mapping[Any, int], named: str) -> int:
    """Return the position of a state, or raise StreamError that names it."""
    plain = label.item() if isinstance(label, np.generic) else label
    try:
        return positions[plain]
    except (KeyError, TypeError):
        raise StreamError(
            f"{named} is {shown(plain)}, which is no state of the chain; it has {shown(tuple(positions))}.",
            Where("parameter", name="data"),
        ) from None


def as_distance(distance: Any, n: int) -> Distance | None:
    """Return a distance of n symbols given as such or by name; None stands for 0 or 1."""
    if distance is None or (isinstance(distance, str) and distance.lower() == "hamming"):
        return None
    made = distance if isinstance(distance, Distance) else Distance(distance)
    distance_matrix(made, n)
    return made


def as_position(steps: Any, most: int) -> int:
    """Return a number of steps, or raise StreamError or LimitError."""
    number = as_size(steps, "position", 0, error=StreamError, subject="The number of steps")
    if number > most:
        raise LimitError(
            f"{shown(number)} steps are asked for; there are {most:,} at most.",
            Where("parameter", name="position"),
        )
    return number


def as_lag(lag: Any) -> int:
    """Return how many values may wait to be shown, or raise StreamError."""
    accepted = f"give a whole number of values, 0 to {_LONGEST_LAG:,}"
    return Whole(accepted, 0, _LONGEST_LAG).take(lag, "lag", StreamError, "The lag")


def as_words(text: Any) -> str:
    """Return what a source is in words, without signs that nobody sees, or raise StreamError."""
    if not isinstance(text, str):
        raise StreamError(
            f"The text is {shown(text)}; say in words what the source is.", Where("parameter", name="text")
        )
    return clean(text)[:_LONGEST_WORDS]
