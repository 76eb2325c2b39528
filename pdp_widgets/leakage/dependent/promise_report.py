"""What mechanisms promise about dependent tuples, beside what their releases leak."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import BUDGET
from pdp_widgets.core.chart import Axis, Chart, Level, parted
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.core.results import Figures, Result
from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.dependent.coefficients import DependentRatios
from pdp_widgets.leakage.dependent.dependent_scale import (
    MECHANISMS,
    Blocks,
    Mechanism,
    as_mechanism,
    guaranteed,
    scale_of,
)
from pdp_widgets.leakage.dependent.known_tuples import SOURCE
from pdp_widgets.leakage.dependent.tuple_leakage import leakage_values
from pdp_widgets.leakage.number_table import Numbers, NumberTable, epsilon_words
from pdp_widgets.leakage.sweeps import as_executor, in_parts, swept
from pdp_widgets.mechanisms.joint_query import JointQuery, as_joint_query
from pdp_widgets.models.amount import at_most
from pdp_widgets.models.dependence import are_refuted, as_blocks
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays
from pdp_widgets.models.labels import how_many, shown
from pdp_widgets.models.sparse_joint import SparseJoint, as_sparse_joint

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class PromiseReport(EqualByFields, ReadOnlyArrays, NumberTable, Result):
    """Scales of several mechanisms with one promise, and what each of them leaks.

    Parameters
    ----------
    epsilon
        The promise in nats.
    tuples
        Names.
    mechanisms
        Keys of the mechanisms.
    sensitivities
        Largest change of the output when one tuple changes, shape (n,).
    scales
        Noise scale of each mechanism.
    leakage
        What each mechanism leaks about every tuple to an adversary who knows none, exact, shape
        (mechanisms, n).
    guaranteed
        Whether each keeps its promise by construction, to an adversary who knows none.

    Notes
    -----
    Its figure is ``"mechanisms"``: the noise that each adds across, what it leaks up.

    Examples
    --------
    >>> from pdp_widgets.models.joint_examples import xor_bits
    >>> found = promise_report(xor_bits(), "sum", 1.0)
    >>> found.mechanisms[2], round(float(found.largest[2]), 4), found.kept.tolist()
    ('dpm_exact', 1.4338, [False, True, False, True, True, True])
    """

    epsilon: float
    tuples: tuple[str, ...]
    mechanisms: tuple[Mechanism, ...]
    sensitivities: Floats
    scales: Floats
    leakage: Floats
    guaranteed: tuple[bool, ...]

    @property
    def largest(self) -> Floats:
        """Largest leakage about any tuple, by mechanism."""
        return np.asarray(self.leakage.max(axis=1))

    @property
    def dp_loss(self) -> Floats:
        """Loss of differential privacy by mechanism: to an adversary who knows all other tuples."""
        change = float(self.sensitivities.max())
        return np.divide(change, self.scales, out=np.zeros_like(self.scales), where=self.scales > 0)

    @property
    def kept(self) -> NDArray[np.bool_]:
        """Whether each mechanism keeps its promise here, to an adversary who knows no tuple."""
        return np.asarray(self.largest <= at_most(self.epsilon))

    def scale(self, mechanism: Mechanism) -> float:
        """Return the scale of one mechanism."""
        return float(self.scales[self._place(mechanism)])

    def of(self, mechanism: Mechanism) -> Floats:
        """Return what one mechanism leaks about every tuple."""
        return np.asarray(self.leakage[self._place(mechanism)])

    def _place(self, mechanism: Mechanism) -> int:
        key = as_mechanism(mechanism)
        if key not in self.mechanisms:
            raise DomainError(
                f"The report is not about {key}; it is about {', '.join(self.mechanisms)}.",
                Where("parameter", name="mechanism"),
            )
        return self.mechanisms.index(key)

    def _figures(self) -> Figures:
        return {"mechanisms": self._chart}

    def _chart(self) -> Chart:
        names = ("keeps the promise", "leaks more")
        return Chart(
            f"Noise and leakage, {epsilon_words(self.epsilon)}",
            parted(self.scales, self.largest, ~self.kept, names, self.mechanisms),
            Axis("scale of the noise", low=0.0),
            Axis("largest leakage about a tuple, nats", low=0.0),
            [Level("promise", self.epsilon)],
            note="Leakages are exact for this table, to an adversary who knows no tuple.",
        )

    def _numbers(self) -> Numbers:
        return Numbers(
            {
                "mechanism": list(self.mechanisms),
                "scale": self.scales,
                "promised": self.epsilon,
                "largest leakage": self.largest,
                "DP loss": self.dp_loss,
                "kept": self.kept,
                "guaranteed": list(self.guaranteed),
                **{f"leakage of {name}": self.leakage[:, j] for j, name in enumerate(self.tuples)},
            },
            {
                "mechanism": "text",
                "scale": "number",
                "promised": "nats",
                "largest leakage": "nats",
                "kept": "text",
                "guaranteed": "text",
            },
            {"unit": "nats", "source": SOURCE, "status": {"largest leakage": "exact"}},
            (f"promised: {epsilon_words(self.epsilon)}",),
        )


def promise_report(
    joint: Any,
    query: Any,
    epsilon: float,
    mechanisms: Any = None,
    blocks: Any = None,
    *,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
    executor: Executor | None = None,
) -> PromiseReport:
    """Return the scales of mechanisms for one promise, and the exact leakage of each.

    Parameters
    ----------
    joint, query
        As for `dependent_leakage`.
    epsilon
        The promise in nats; positive and finite.
    mechanisms
        Keys, see `dependent_scale`; without it all of them.
    blocks
        Lists of tuples that are independent of each other; without it those of the table. Their largest size
        is L of the baseline. Scales believe them; where the table refutes them, they guarantee nothing.
    limit
        Seconds, after which it is ended; ``math.inf`` for no limit.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels.
    executor
        Whose workers take some of the mechanisms, as for `pdp_widgets.prior.leakage_intervals`.

    Raises
    ------
    LimitError
        It takes longer than the limit.

    Examples
    --------
    >>> from pdp_widgets.models.joint_examples import agreeing_bits
    >>> found = promise_report(agreeing_bits(0.9), "sum", 1.0, ["lpm", "dpm_exact"])
    >>> found.scales.round(4).tolist(), found.largest.round(4).tolist(), found.guaranteed
    ([1.0, 1.7925], [1.7761, 1.0], (False, True))
    """
    rows = as_sparse_joint(joint)
    asked = as_joint_query(query, rows)
    budget = BUDGET.take(epsilon, "epsilon")
    keys = _as_keys(mechanisms)
    parts = as_blocks(rows, blocks)
    refuted = blocks is not None and are_refuted(rows, parts)
    workers = as_executor(executor)
    work = f"The report of {how_many(len(keys), 'mechanism')} for {how_many(rows.n, 'tuple')}"
    told = Progress(timed(progress, limit, work, "Take fewer mechanisms or tuples."), 2 * len(keys))
    found = partial(_of_mechanisms, rows, asked, budget, parts)
    each = [one for some in swept(found, in_parts(keys, workers), workers, told, 2) for one in some]
    told.finish()
    return PromiseReport(
        budget,
        rows.tuples,
        keys,
        asked.sensitivities(rows),
        np.array([scale for scale, _ in each]),
        np.array([leakage for _, leakage in each]).reshape(len(keys), rows.n),
        tuple(guaranteed(key, asked, parts, refuted) for key in keys),
    )


def _of_mechanisms(
    joint: SparseJoint,
    query: JointQuery,
    epsilon: float,
    blocks: Blocks,
    keys: Sequence[Mechanism],
    told: Progress,
) -> list[tuple[float, Floats]]:
    """Return scale and leakages of some mechanisms."""
    outputs, ratios, found = query.outputs(joint), DependentRatios(joint, query.reach(joint)), []
    for key in keys:
        scale = scale_of(joint, query, epsilon, key, blocks, told.wait, ratios)
        told.step()
        found.append((scale, leakage_values(joint, outputs, scale) if scale else np.zeros(joint.n)))
        told.step()
    return found


def _as_keys(mechanisms: Any) -> tuple[Mechanism, ...]:
    if mechanisms is None:
        return tuple(MECHANISMS)
    if not isinstance(mechanisms, Iterable) or isinstance(mechanisms, str | bytes):
        raise DomainError(
            f"mechanisms is {shown(mechanisms)}; give a list of keys, such as ['lpm', 'dpm_exact'].",
            Where("parameter", name="mechanisms"),
        )
    return tuple(map(as_mechanism, mechanisms))
