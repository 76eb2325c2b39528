"""How much every attribute may spend so that no attribute leaks more than a budget."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import EPSILON
from pdp_widgets.core.progress import ProgressHook, timed
from pdp_widgets.errors import BudgetError, LimitError, Where
from pdp_widgets.leakage.local.conditionals import Conditionals
from pdp_widgets.leakage.local.joint_contraction import MOST_OUTPUTS, together
from pdp_widgets.leakage.local.mechanism_reading import PAPER, as_mechanism, as_output, dpl_of, read_all
from pdp_widgets.leakage.local.pairwise_leakages import PairwiseLeakages
from pdp_widgets.leakage.local.secret_tables import tables_of_all
from pdp_widgets.leakage.local.subsets import all_subsets
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.leakage.value import AboutSecret, Leakage, Output, Status
from pdp_widgets.mechanisms.local.finite_channel import AnyMechanism
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.mechanisms.local.mechanism_by_name import BY_KEY, LOCAL_MECHANISMS
from pdp_widgets.mechanisms.local.randomised_response import RandomisedResponse
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import as_choice, how_many

__all__ = ["BudgetCalibration", "SearchSteps", "calibrate_budget", "largest_budget"]

_XTOL = 1e-13
#: A search asks for the leakages at about as many budgets.
_TRIED = 18


class SearchSteps:
    """Tells about how far a search is whose number of steps is not known."""

    def __init__(self, hook: ProgressHook | None, n: int) -> None:
        self._hook, self._expected, self._done = hook, _TRIED * n, 0

    def count(self, steps: int = 1) -> None:
        """Count steps, one for each attribute at each budget."""
        self._done += steps
        if self._hook is not None:
            self._hook(min(0.99, self._done / self._expected))

    def finish(self) -> None:
        """Tell that all is done."""
        if self._hook is not None:
            self._hook(1.0)


def largest_budget(loss: Callable[[float], float], budget: float, n: int) -> float:
    """Return the largest e up to the budget with loss(e) <= budget, for a loss of slope 1 or more."""
    if budget == 0 or n == 1 or math.isinf(budget) or loss(budget) <= budget:
        return budget
    low = budget / n
    if loss(low) < budget:
        from scipy.optimize import brentq

        # In shares of the budget, so that neither the tolerance nor what is too much leaves the floats.
        def excess(share: float) -> float:
            return min(loss(share * budget) / budget, 2.0 * n) - 1

        if excess(low / budget) < 0:
            low = budget * float(brentq(excess, low / budget, 1.0, xtol=_XTOL, rtol=4 * 2**-52))
    # A slope of 1 or more: going down by what is too much is enough, but for rounding.
    for _ in range(50):
        over = loss(low) - budget
        if over <= 0:
            break
        low -= max(over, math.ulp(low))
    return low


Floats = NDArray[np.float64]
Method: TypeAlias = Literal["spl", "pairwise", "joint", "joint bound"]

_METHODS: tuple[Method, ...] = ("spl", "pairwise", "joint", "joint bound")


@dataclass(frozen=True)
class BudgetCalibration(NumberTable):
    """The largest budget that every attribute may spend.

    Parameters
    ----------
    epsilon
        For each attribute, in nats.
    budget
        What all reports together may say about any attribute, in nats.
    method
        ``"spl"``, ``"pairwise"``, ``"joint"`` or ``"joint bound"``, see `calibrate_budget`.
    leakage
        What the method counts for the worst attribute at this budget; never above the budget.
    attributes
        How many.
    mechanism
        How every attribute is released.
    records
        How many records have all attributes: what was counted is about these. None for probabilities.
    left_out
        How many records lack a value of some attribute.

    Examples
    --------
    >>> from pdp_widgets.mechanisms.local.randomised_response import GRR
    >>> xor = [[[0.25, 0.0], [0.0, 0.25]], [[0.0, 0.25], [0.25, 0.0]]]
    >>> print(calibrate_budget(xor, 1.0, GRR(1.0)))
    epsilon 0.74494 each (joint, raw): holds for this table; splitting the budget gives 0.333333
    >>> print(calibrate_budget(xor, 1.0, method="pairwise"))
    epsilon 1 each (pairwise, raw): an estimate that can leak more; splitting the budget gives 0.333333

    Guesses say less than the reports they are drawn from:

    >>> from pdp_widgets.mechanisms.local.unary_encoding import OUE
    >>> copies = [[[0.5, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.5]]]
    >>> calibrate_budget(copies, 1.0, OUE(1.0), output="inferred").safe
    False
    """

    epsilon: float
    budget: float
    method: Method
    leakage: Leakage
    attributes: int
    mechanism: LocalMechanism = field(repr=False)
    records: int | None = None
    left_out: int = 0

    def __float__(self) -> float:
        return self.epsilon

    @property
    def split(self) -> float:
        """The budget divided by the number of attributes: enough whatever the data are."""
        return self.budget / self.attributes

    @property
    def gain(self) -> float:
        """How many times `split` every attribute may spend; 1 where both are infinite or 0."""
        same = self.epsilon == self.split
        return 1.0 if same else self.epsilon / self.split

    @property
    def output(self) -> Output:
        """What was counted: the reports as they are released, or the guesses from them."""
        assert isinstance(self.leakage.about, AboutSecret)
        return self.leakage.about.output

    @property
    def safe(self) -> bool:
        """Whether no attribute can leak more than the budget by what is released, for the records counted.

        Only with the method ``"spl"`` does that hold for other data too, see `always`. Where guesses are
        counted exactly, the reports say more than them, except those of GRR and EXP, which are their own
        guesses. The other methods count budgets, and no report says more than its budget.
        """
        if self.method in ("spl", "joint bound"):
            return True
        is_guess = isinstance(self.mechanism, RandomisedResponse)
        return self.method == "joint" and (self.output == "raw" or is_guess)

    @property
    def always(self) -> bool:
        """Whether no attribute can leak more than the budget whatever the data are."""
        return self.method == "spl"

    @property
    def released(self) -> LocalMechanism:
        """The mechanism with the budget found."""
        return self.mechanism.with_epsilon(self.epsilon)

    def to_dataframe(self) -> Any:
        """Return a pandas data frame of one row, to be put below those of other calibrations.

        Returns
        -------
        frame
            Columns ``method``, ``mechanism``, ``output``, ``attributes``, ``budget``, ``epsilon``, ``split``,
            ``leakage``, ``status``, ``secret`` (the attribute that leaks most), ``safe`` (for the records
            counted), ``always`` (whatever the data are), ``records`` and ``left out``; numbers in nats.

        Examples
        --------
        >>> from pdp_widgets import titanic
        >>> frame = calibrate_budget(titanic(), 1.0, "GRR").to_dataframe()
        >>> frame[["mechanism", "budget", "epsilon"]].round(4).values.tolist()
        [['GRR', 1.0, 0.4846]]
        """
        return super().to_dataframe()

    def _numbers(self) -> Numbers:
        assert isinstance(self.leakage.about, AboutSecret)
        row = {
            "method": self.method,
            "mechanism": self.mechanism.name,
            "output": self.output,
            "attributes": self.attributes,
            "budget": self.budget,
            "epsilon": self.epsilon,
            "split": self.split,
            "leakage": self.leakage.value,
            "status": self.leakage.status,
            "secret": self.leakage.about.target,
            "safe": self.safe,
            "always": self.always,
            "records": self.records,
            "left out": self.left_out,
        }
        return Numbers(
            {name: [value] for name, value in row.items()},
            {
                "method": "text",
                "mechanism": "text",
                "output": "text",
                "budget": "nats",
                "epsilon": "budget",
                "split": "budget",
                "leakage": "nats",
                "status": "text",
                "safe": "text",
                "always": "text",
            },
            {"unit": "nats", "source": self.leakage.source, "status": {"leakage": self.leakage.status}},
            (f"{self.attributes} attributes; {self.leakage.about.target} leaks most",),
        )

    def __str__(self) -> str:
        trust = "holds for this table"
        if self.always:
            trust = "holds always"
        elif self.method == "pairwise":
            trust = "an estimate that can leak more"
        elif not self.safe:
            trust = "holds for the guesses only: what is released can leak more"
        elif self.left_out:
            records = "1 complete record" if self.records == 1 else f"{self.records:,} complete records"
            trust = f"holds for the {records}, not for the {self.left_out:,} with missing values"
        return (
            f"epsilon {self.epsilon:.6g} each ({self.method}, {self.output}): {trust}; splitting the budget "
            f"gives {self.split:.6g}"
        )


def calibrate_budget(
    data: AttributeTable | JointDistribution | PairwiseLeakages | ArrayLike,
    budget: float,
    mechanism: LocalMechanism | str | None = None,
    *,
    method: str = "joint",
    output: Output = "raw",
    most_outputs: int = MOST_OUTPUTS,
    progress: ProgressHook | None = None,
    limit: float = 60.0,
) -> BudgetCalibration:
    """Return the largest budget for every attribute that keeps all reports together within a budget.

    Parameters
    ----------
    data
        Records (a data frame too), a joint distribution, an array of probabilities or counts, or an analysis
        of one of them.
    budget
        What all reports together may say about any attribute, in nats.
    mechanism
        How every attribute is released, by name or with parameters; its own budget does not matter. Without
        it any mechanism.
    method
        ``"spl"``: split the budget; enough whatever the data are. The others count what the given table
        says, and hold for it: ``"joint"``, the exact leakage of all reports together, or the joint bound
        where that would be too large, and ``"joint bound"``, the bound. ``"pairwise"``: the paper's Eq. 30,
        which adds up what each report says alone and can be too much.
    output
        What may say so much: ``"raw"``, what is released, or ``"inferred"``, the guesses from it. With
        ``"inferred"`` and the method ``"joint"`` what is released can say more, see `BudgetCalibration.safe`.
    most_outputs
        Combinations of outputs up to which the exact leakage is used.
    progress
        Called with about the share done. What it raises cancels.
    limit
        Seconds, after which all of it is ended; ``math.inf`` for no limit.

    Raises
    ------
    BudgetError
        The budget is negative, there is no such method, or what leaks jumps with the budget (SS, OLH read as
        inferred, and a mechanism with a delta or without a budget).

    LimitError
        It takes longer than the limit.

    Notes
    -----
    What is counted, F(e) = e + leakage from the other reports for the worst attribute, grows continuously and
    at least as fast as e: F(e) = budget has one solution between budget / n and budget, and the feasible side
    of it is returned. Algorithm 3 as printed scans a grid and returns a point beyond the solution.

    Missing values: all methods count the records that have every attribute, `BudgetCalibration.records` says
    how many these are.

    Examples
    --------
    >>> copies = [[[0.5, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.5]]]
    >>> round(calibrate_budget(copies, 1.0, method="pairwise").epsilon, 9)
    0.333333333
    """
    total = EPSILON.take(budget, "budget")
    named = as_choice(method, "method", _METHODS, BudgetError)
    kind = as_output(output)
    analysis = data if isinstance(data, PairwiseLeakages) else PairwiseLeakages(data, AnyMechanism(1.0))
    chosen = AnyMechanism(1.0) if mechanism is None else as_mechanism(mechanism, any_budget=True)
    _refuse_jumps(chosen, kind)
    whole = analysis.of_complete_records()
    n = len(whole.names)
    hook = timed(progress, limit, f"The budget of {how_many(n, 'attribute')}", "Take fewer attributes.")
    steps = SearchSteps(hook, n)
    losses: Callable[[float], Floats]
    if named == "spl":
        losses = _composition(n)
    elif named == "pairwise":
        again = whole.read_as("raw").released_by(chosen).read_as(kind)

        def losses(e: float) -> Floats:
            steps.count(n)
            return np.asarray(e + again.at(e).matrix.sum(axis=0))

    else:
        losses, named = _joint_losses(whole, chosen, kind, named, most_outputs, steps)

    def largest_loss(e: float) -> float:
        # Beyond the largest float there is too much in any case.
        with np.errstate(over="ignore"):
            return float(losses(e).max())

    epsilon = largest_budget(largest_loss, total, n)
    found = losses(epsilon)
    steps.finish()
    worst = int(found.argmax())
    status: Status = "as printed" if named == "pairwise" else "bound"
    if named == "joint" and _spends_all(chosen, kind, epsilon, analysis.tables.sizes.tolist()):
        varied = list(range(n))
        if found[worst] <= epsilon:
            # Where one value counts, the budget is a bound: attributes of more values come first.
            varied = [
                k for k, one in enumerate(tables_of_all(whole.data, whole.min_count)) if len(one.kept) > 1
            ]
        if varied:
            status, worst = "exact", max(varied, key=found.__getitem__)
    others = tuple(name for name in analysis.names if name != analysis.names[worst])
    about = AboutSecret(analysis.names[worst], sources=(analysis.names[worst], *others), output=kind)
    source = {"pairwise": f"{PAPER}, Eq. 6 and 30", "joint": f"{PAPER}, Eq. 5"}.get(named, named)
    leakage = Leakage(min(float(found[worst]), total), status, about, "sup", source=source)
    return BudgetCalibration(epsilon, total, named, leakage, n, chosen, *_records(analysis, whole))


def _records(analysis: PairwiseLeakages, whole: PairwiseLeakages) -> tuple[int | None, int]:
    """Return how many records have all attributes, None for probabilities, and how many others there are."""
    if not whole.tables.counted:
        return None, 0
    if isinstance(whole.data, AttributeTable) and isinstance(analysis.data, AttributeTable):
        return len(whole.data), len(analysis.data) - len(whole.data)
    return int(np.trace(whole.tables.table(0, 0))), 0


def _spends_all(mechanism: LocalMechanism, output: Output, epsilon: float, sizes: list[int]) -> bool:
    """Tell whether every report says as much about its own attribute as its budget."""
    made = mechanism.with_epsilon(epsilon)
    return all(dpl_of(made, k, output) == epsilon for k in sizes)


def _refuse_jumps(mechanism: LocalMechanism, output: Output) -> None:
    """Raise BudgetError where there is no budget to look for."""
    where = Where("parameter", name="mechanism")
    delta, any_mechanism = getattr(mechanism, "delta", None), isinstance(mechanism, AnyMechanism)
    if delta or (delta is not None and not any_mechanism):
        instead = "AnyMechanism(1.0) without it" if any_mechanism else "GRR, which has none"
        raise BudgetError(
            f"The mechanism {mechanism.name} has a delta of {delta:.6g}, and a calibration finds budgets "
            f"without one. Calibrate {instead}.",
            where,
        )
    row = BY_KEY.get(mechanism.name)
    if row is not None and output in row.jumps:
        even = [one.key for one in LOCAL_MECHANISMS if one.compared and one.epsilon and not one.jumps]
        instead = f"{', '.join(even[:-1])} or {even[-1]}"
        if "raw" in row.jumps:
            instead += ", or 'generic' (AnyMechanism), which bounds what is released"
        else:
            instead += f", or {mechanism.name}"
        if output == "inferred":
            instead += ", with output='raw'"
        raise BudgetError(
            f"What {mechanism.name} leaks does not grow evenly with the budget. Calibrate {instead}.", where
        )
    mechanism.with_epsilon(1.0)


def _composition(n: int) -> Callable[[float], Floats]:
    return lambda e: np.full(n, n * e)


def _joint_losses(
    analysis: PairwiseLeakages,
    mechanism: LocalMechanism,
    output: Output,
    named: Method,
    most_outputs: int,
    steps: SearchSteps,
) -> tuple[Callable[[float], Floats], Method]:
    """Return what all reports say about each attribute at a budget, exactly or by the joint bound."""
    n = len(analysis.names)
    orders = [[k, *(j for j in range(n) if j != k)] for k in range(n)]
    tables = []
    for one in tables_of_all(analysis.data, analysis.min_count):
        steps.count()
        tables.append(one)

    def exact(e: float) -> Floats:
        readings = read_all([mechanism.with_epsilon(e)] * n, analysis.tables.sizes.tolist(), output)
        found = np.empty(n)
        for k, (one, order) in enumerate(zip(tables, orders, strict=True)):
            steps.count()
            found[k] = together(one, [readings[j] for j in order], e, most_outputs)[0]
        return found

    if named == "joint":
        try:
            exact(1.0)
        except LimitError:
            pass
        else:
            return exact, "joint"
    observed = [one.observed for one in tables]

    def bound(e: float) -> Floats:
        found = np.empty(n)
        for k, rows in enumerate(observed):
            steps.count()
            found[k] = e + (all_subsets(Conditionals.of(rows), (n - 1) * e).value[0] if len(rows) > 1 else 0)
        return found

    return bound, "joint bound"
