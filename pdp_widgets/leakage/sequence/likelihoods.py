"""How likely each true symbol makes what was released: the column of a channel, checked."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, ModelMismatch, TableError, Where
from pdp_widgets.mechanisms.sequence.step_channel import StepChannel
from pdp_widgets.models.given_numbers import is_whole, plain_numbers, refuse_masked
from pdp_widgets.models.labels import shown

__all__ = ["MOST_NUMBERS", "as_likelihood", "column_of", "refuse_impossible"]

Floats = NDArray[np.float64]

#: Numbers of the beliefs of all users: 1 GB.
MOST_NUMBERS = 1 << 27


def as_likelihood(likelihood: Any, shape: tuple[int, ...], users: tuple[int, ...]) -> Floats:
    """Return likelihoods of what was released, or raise TableError.

    Parameters
    ----------
    likelihood
        One number from 0 to 1 for each symbol, the same for all users or with their axis in front.
    shape
        Shape for one user.
    users
        Leading axes of the belief: none, or one.

    Examples
    --------
    >>> as_likelihood([0.8, 0.2], (2,), ()).tolist()
    [0.8, 0.2]
    """
    where = Where("parameter", name="likelihood")
    refuse_masked(likelihood, "likelihood")
    try:
        found = plain_numbers(likelihood)
    except (TypeError, ValueError, OverflowError):
        raise TableError(
            f"The likelihood is {shown(likelihood)}; give one probability for each symbol.", where
        ) from None
    if found.shape not in (shape, users + shape):
        raise TableError(
            f"The likelihood has the shape {found.shape}; it must have the shape {shape}"
            f"{f', or {users + shape} with an axis of users' if users else ''}.",
            where,
        )
    # NaN fails both comparisons; a column may be off by rounding.
    if not bool(((found >= 0) & (found <= 1 + 1e-9)).all()):
        raise TableError("The likelihood has an entry that is no probability, from 0 to 1.", where)
    return found


def column_of(channel: Any, released: Any, rows: int, users: tuple[int, ...], axes: int) -> Floats:
    """Return the column of a matrix that belongs to what was released, for each user.

    Parameters
    ----------
    channel
        A `StepChannel`, a matrix with one row for each symbol, or matrices with an axis of users in front.
    released
        Position of the output, for every user where there are users.
    rows
        Number of symbols.
    users
        Leading axes of the belief: none, or one.
    axes
        Axes of rows: one, or two where the mechanism looks at the symbol before too.

    Raises
    ------
    TableError
        The channel has another shape, or an entry that is no probability.
    DomainError
        There is no such output.

    Examples
    --------
    >>> column_of([[0.8, 0.2], [0.3, 0.7]], 1, 2, (), 1).tolist()
    [0.2, 0.7]
    """
    where = Where("parameter", name="channel")
    given = channel.matrix if isinstance(channel, StepChannel) else channel
    refuse_masked(given, "channel")
    try:
        matrix = plain_numbers(given)
    except (TypeError, ValueError, OverflowError):
        raise TableError(
            f"The channel is {shown(channel)}; give a matrix with one row for each symbol.", where
        ) from None
    shape = (rows,) * axes
    if matrix.shape[:-1] not in (shape, users + shape):
        raise TableError(
            f"The channel has the shape {matrix.shape}; it needs {rows} row{'s'[: rows != 1]} for "
            f"the {rows} symbol{'s'[: rows != 1]}{' and those before them' if axes == 2 else ''}.",
            where,
        )
    outputs = matrix.shape[-1]
    if not users:
        if not is_whole(released) or not 0 <= released < outputs:
            raise DomainError(
                f"The released symbol is {shown(released)}; it is a position from 0 to {outputs - 1}.",
                Where("parameter", name="released"),
            )
        return as_likelihood(matrix[..., int(released)], shape, users)
    symbols = np.asarray(released)
    if symbols.dtype.kind not in "iu" or symbols.shape != users:
        raise DomainError(
            f"The released symbols have the shape {symbols.shape}; give {users[0]:,} whole numbers, one for "
            "each user.",
            Where("parameter", name="released"),
        )
    wrong = (symbols < 0) | (symbols >= outputs)
    if wrong.any():
        user = int(np.argmax(wrong))
        raise DomainError(
            f"The released symbol of user {user} is {int(symbols[user])}; it is a position from 0 to "
            f"{outputs - 1}.",
            Where("parameter", name="released"),
        )
    if matrix.shape[:-1] == shape:
        picked = np.moveaxis(matrix[..., symbols], -1, 0)
    else:
        index = symbols.reshape(users + (1,) * (axes + 1))
        picked = np.take_along_axis(matrix, index, axis=-1)[..., 0]
    return as_likelihood(picked, shape, users)


def refuse_impossible(totals: Any, step: int, released: Any = None) -> None:
    """Raise ModelMismatch where what was released has probability zero.

    Parameters
    ----------
    totals
        Probability of what was released, for each user.
    step
        Number of the step, from 1.
    released
        What was released, for the message.

    Examples
    --------
    >>> refuse_impossible(np.array([0.5, 0.1]), 3)
    """
    bad = ~(np.asarray(totals) > 0)
    if not bad.any():
        return
    user = int(np.argmax(bad))
    whose = f" of user {user}" if bad.ndim else ""
    seen = np.asarray(released).reshape(-1)
    what = f"Symbol {int(seen[user])}" if released is not None else "What was released"
    raise ModelMismatch(
        f"{what}{whose} at step {step} has probability 0 under the model: no belief follows from it. "
        "Use the model and the mechanism that made it, or smooth the transitions.",
        Where("parameter", name="released"),
    )
