"""The adversaries a question is about, and what the best of them learns, as a function of the scale."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import comb, prod
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import SECONDS
from pdp_widgets.core.checks import is_whole
from pdp_widgets.core.progress import ProgressHook
from pdp_widgets.errors import AdversaryError, LimitError, Where
from pdp_widgets.leakage.adversary import Adversary, known_of, layers, others
from pdp_widgets.leakage.prior.exact_all import check_work, exact_all, instance_positions
from pdp_widgets.leakage.prior.exact_node import PriorAdversary, prior_leakage
from pdp_widgets.leakage.prior.group_bound import node_bounds
from pdp_widgets.leakage.prior.releases import smallest_gap
from pdp_widgets.leakage.value import About, Convention, Leakage, check_convention
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.mechanisms.linear_query import LinearQuery, as_linear
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import short, shown

__all__ = ["SCALES_TRIED", "Adversaries", "ChosenAdversaries", "ScalesProgress"]

#: So many scales tried halve what is left: most searches take five to twelve.
_HALF = 5


class ScalesProgress:
    """Counts scales tried and tells the share done: never less than before, 1.0 once, at the end."""

    # What the hook raises ends the search.

    __slots__ = ("_done", "_hook", "_told")

    def __init__(self, hook: ProgressHook | None) -> None:
        self._hook = hook
        self._done = 0
        self._told = 0.0

    def within(self, share: float) -> None:
        """Tell a share of the work at the scale that is being tried."""
        if share < 1:
            self._tell(self._done + share)

    def step(self) -> None:
        """Count one scale."""
        self._done += 1
        self._tell(self._done)

    def finish(self) -> None:
        """Tell that all is done."""
        if self._hook is not None:
            self._hook(1.0)

    def _tell(self, done: float) -> None:
        if self._hook is not None:
            # Adversaries are looked at one after the other, each of them a share of its own.
            self._told = max(self._told, 1 - 0.5 ** (done / _HALF))
            self._hook(self._told)


Floats = NDArray[np.float64]
Adversaries: TypeAlias = str | int | Adversary | tuple[Any, Any] | list[Any]

_TIE = 1e-12
#: Scales that a search tries, about, for the estimate before a refusal: most take five to twelve.
SCALES_TRIED = 12
# Work of one mixture model, in seconds.
_SECONDS_PER_MODEL = 6e-5
_MODELS_PER_TELLING = 100
# Cells up to which all adversaries take a moment with the known values of one row.
_SMALL = 1024


class _One:
    """One adversary, prepared for many scales: the mixtures of every combination of known values."""

    def __init__(self, adversary: Adversary, models: list[PriorAdversary]) -> None:
        self.adversary = adversary
        self.models = models
        self.determined = all(len(model._relative) < 2 for model in models)

    def largest(self, scale: float, within: Callable[[float], None]) -> float:
        value = 0.0
        for number, model in enumerate(self.models):
            if len(model._relative) > 1:
                value = max(value, model._peak(scale).value)
            if number % _MODELS_PER_TELLING == _MODELS_PER_TELLING - 1:
                within(number / len(self.models))
        return value


class ChosenAdversaries:
    """Some adversaries of a distribution, ready to be asked at many scales what the best of them learns."""

    # Adversaries are given as to `calibrate`, and one who knows none also by the name of the tuple attacked.
    # The limit is in seconds for a whole search over scales, see `begin_search`.

    def __init__(
        self,
        distribution: JointDistribution,
        query: LinearQuery,
        adversaries: Adversaries = "all",
        *,
        instance: Sequence[Any] | None = None,
        convention: str = "instance",
        limit: float = 60.0,
        progress: ProgressHook | None = None,
    ) -> None:
        as_linear(query).check_fits(distribution)
        check_convention(convention)
        self.distribution, self.query = distribution, query
        self.convention: Convention = cast(Convention, convention)
        self.evaluations = 0
        self.progress = ScalesProgress(progress)
        self.limit = SECONDS.take(limit, "limit")
        self._begun = time.monotonic()
        self._tried = 0
        self._given_instance = instance
        self._instance: tuple[int, ...] | None = None
        #: Which nodes are evaluated together, a mask over node arrays; None for none.
        self.nodes: NDArray[np.bool_] | None = None
        self.listed: list[_One] = []
        self._all_determined: bool | None = None
        self._words: list[str] = []
        if instance is not None:
            self._row()
        given = adversaries if isinstance(adversaries, list) else [adversaries]
        if not given:
            raise AdversaryError(
                "No adversary is chosen; give 'all', a layer, (target, known), or a list of them.",
                Where("parameter", name="adversaries"),
            )
        for item in given:
            self._add(item)
        self.words = "; ".join(self._words)

    def begin_search(self) -> None:
        """Start the clock of a search, or raise LimitError where it would take longer than the limit."""
        # That is estimated for all scales together; later `largest` and `leakage` raise it when they do.
        self._begun, self._tried = time.monotonic(), 0
        table = self.distribution.table
        # On a small table the estimate would cost more than the leakages.
        if (
            self.nodes is None
            or math.isinf(self.limit)
            or (self.convention != "sup" and table.size <= _SMALL)
        ):
            return
        mechanism = self.mechanism(max(1.0, self.reach))
        # What no limit allows has its own words.
        seconds = check_work(self.distribution, mechanism, self.convention, self.limit)
        if seconds * SCALES_TRIED > self.limit:
            raise LimitError(
                f"All adversaries take about {seconds:,.1f} s at one scale, and a search tries about "
                f"{SCALES_TRIED} scales: {seconds * SCALES_TRIED:,.0f} s. The limit is {self.limit:g} s for "
                "all of them; choose fewer adversaries, or pass a larger limit.",
                Where("parameter", name="limit"),
            )

    @property
    def seconds_left(self) -> float:
        """Seconds of the search that its limit still allows."""
        return self.limit - (time.monotonic() - self._begun)

    def within(self, share: float) -> None:
        """Tell a share of the work at the scale that is being tried, and keep the limit."""
        self._check_clock()
        self.progress.within(share)

    def _check_clock(self) -> None:
        if self.seconds_left < 0:
            raise LimitError(
                f"The search has taken {self.limit:g} s, which is the limit, and has tried {self._tried} "
                f"{'scale' if self._tried == 1 else 'scales'}; choose fewer adversaries, or pass a larger "
                "limit.",
                Where("parameter", name="limit"),
            )

    def count(self) -> None:
        """Count one scale that has been tried."""
        self._tried += 1
        self.progress.step()

    @property
    def instance_positions(self) -> tuple[int, ...]:
        """Label positions of the instance."""
        return self._row()

    @property
    def given(self) -> tuple[tuple[str, Any], ...]:
        """The row whose values are known, tuple by tuple; empty where no row was asked."""
        if self.convention == "sup" or self._instance is None:
            return ()
        named = zip(self.distribution.names, self.distribution.domains, self._instance, strict=True)
        return tuple((name, labels[p]) for name, labels, p in named)

    def _row(self) -> tuple[int, ...]:
        if self._instance is None:
            self._instance = instance_positions(self.distribution, self._given_instance)
        return self._instance

    def row_with(self, one: _One) -> tuple[int, ...]:
        """Return label positions of a possible row with the known values of one listed adversary."""
        # The instance if it has these values; otherwise the most probable row that has them.
        known = one.models[0]._positions
        if self._given_instance is not None or not known:
            row = self._row()
            if all(row[k] == p for k, p in known.items()):
                return row
        table = self.distribution.table
        agrees = np.zeros(table.shape, dtype=bool)
        agrees[tuple(known.get(j, slice(None)) for j in range(table.ndim))] = True
        return tuple(
            int(p) for p in np.unravel_index(int(np.argmax(np.where(agrees, table, -1))), table.shape)
        )

    def _add(self, item: Any) -> None:
        n = self.distribution.n_tuples
        if isinstance(item, str) and item == "all":
            self._add_nodes(np.ones(1 << (n - 1), dtype=bool))
            self._words.append(f"all {n << (n - 1):,} adversaries" if n > 1 else "the only adversary")
        elif isinstance(item, str) and item in self.distribution.names:
            self._add_one(item, ())
        elif is_whole(item):
            self._add_layer(int(item))
        elif isinstance(item, Adversary):
            self._add_one(item.target, item.known)
        elif isinstance(item, tuple) and len(item) == 2:
            self._add_one(*item)
        else:
            raise AdversaryError(
                f"{shown(item)} names no adversaries; give 'all', a layer from 1 to {n}, the name of a tuple "
                "(whoever attacks it and knows none), (target, known), or a list of these.",
                Where("parameter", name="adversaries"),
            )

    def _add_layer(self, number: int) -> None:
        n = self.distribution.n_tuples
        if not 1 <= number <= n:
            raise AdversaryError(
                f"There is no layer {number}; layers run from 1 (the strongest adversaries) to {n}.",
                Where("parameter", name="adversaries"),
            )
        if number == 1 and self.convention == "instance":
            # Each sees as many rows as its target has labels: no need for all nodes.
            for i in range(n):
                self._list(Adversary(i, others(n, i)), None)
        else:
            self._add_nodes(layers(n) == number)
        many = n * comb(n - 1, number - 1)
        self._words.append(f"all {many:,} adversaries of layer {number}")

    def _add_nodes(self, columns: NDArray[np.bool_]) -> None:
        self._row()
        mask = np.tile(columns, (self.distribution.n_tuples, 1))
        self.nodes = mask if self.nodes is None else self.nodes | mask

    def _add_one(self, target: Any, known: Any) -> None:
        values = known if isinstance(known, Mapping) else None
        if values is not None and self.convention == "sup":
            raise AdversaryError(
                "Convention 'sup' considers every value of the known tuples; name the tuples without labels.",
                Where("parameter", name="known"),
            )
        tuples: Any = () if known is None else known if values is None else list(values)
        if not (isinstance(tuples, int) or hasattr(tuples, "__iter__")):
            raise AdversaryError(
                f"The known tuples are {shown(tuples)}; give a list of names, or {{tuple: label}}.",
                Where("parameter", name="known"),
            )
        adversary = Adversary.of(self.distribution, target, tuples)
        self._list(adversary, values)
        names = self.distribution.names
        about = About(names[adversary.target], tuple((names[k], None) for k in adversary.known))
        if self.convention == "instance":
            about = About(about.target, tuple(self.listed[-1].models[0].known.items()))
        self._words.append(str(about))

    def _list(self, adversary: Adversary, values: Mapping[Any, Any] | None) -> None:
        distribution = self.distribution
        mechanism = self.mechanism(max(1.0, float(self.query.local_sensitivities.sum())))
        if values is not None:
            models = [PriorAdversary(distribution, mechanism, adversary.target, values)]
        elif self.convention == "instance":
            row = self._row() if adversary.known else (0,) * distribution.n_tuples
            known = {k: row[k] for k in adversary.known}
            models = [PriorAdversary._at(distribution, mechanism, adversary, known)]
        else:
            sizes = [distribution.shape[k] for k in adversary.known]
            seconds = prod(sizes) * _SECONDS_PER_MODEL * SCALES_TRIED
            if seconds > self.limit:
                raise LimitError(
                    f"{short(distribution.names[adversary.target])} has {prod(sizes):,} combinations of "
                    f"known values: about {seconds:,.0f} s. The limit is {self.limit:g} s; ask for fewer "
                    "known tuples, or pass a larger limit.",
                    Where("parameter", name="adversaries"),
                )
            models = [
                model
                for combination in product(*map(range, sizes))
                if (
                    model := PriorAdversary._at(
                        distribution,
                        mechanism,
                        adversary,
                        dict(zip(adversary.known, combination, strict=True)),
                    )
                )._weights.any()
            ]
        self.listed.append(_One(adversary, models))

    def mechanism(self, scale: float) -> LaplaceMechanism:
        """Return the release with a scale."""
        return LaplaceMechanism(self.query, scale)

    @property
    def reach(self) -> float:
        """Group bound times the scale: sum of sensitivities of unknown tuples, the largest of all chosen."""
        sensitivities = self.query.local_sensitivities
        found = 0.0
        if self.nodes is not None:
            found = float(node_bounds(self.mechanism(1.0))[self.nodes].max())
        for one in self.listed:
            found = max(found, float(np.delete(sensitivities, list(one.adversary.known)).sum()))
        return found

    @property
    def determined(self) -> bool:
        """Whether the known values leave one label to every chosen target (at any scale)."""
        if self.nodes is not None and self._all_determined is None:
            self.largest(max(1.0, self.reach))
        return self._all_determined is not False and all(one.determined for one in self.listed)

    def _values(self, scale: float) -> Floats:
        values, determined = exact_all(
            self.distribution,
            self.mechanism(scale),
            tuple(d[p] for d, p in zip(self.distribution.domains, self._row(), strict=True)),
            self.convention,
            limit=self.limit,
            progress=self.within,
        )
        assert self.nodes is not None
        self._all_determined = bool(determined[self.nodes].all())
        return np.where(self.nodes, values, -1.0)

    def largest(self, scale: float) -> float:
        """Return the largest exact leakage of the chosen adversaries at a scale, in nats."""
        self.evaluations += 1
        self._check_clock()
        value = float(self._values(scale).max()) if self.nodes is not None else 0.0
        found = max([value, *(one.largest(scale, self.within) for one in self.listed)])
        self.count()
        return found

    def leakage(self, scale: float) -> tuple[Leakage, Adversary]:
        """Return the largest exact leakage at a scale, and the adversary who attains it."""
        # Among equals (to 1e-12 of them) the first attacked tuple and the one who knows least, layers before
        # single adversaries. Computed in two ways, which may differ by a rounding: the value is the larger
        # one.
        self.evaluations += 1
        self._check_clock()
        n = self.distribution.n_tuples
        found: list[tuple[float, Adversary, _One | None]] = []
        if self.nodes is not None:
            values = self._values(scale)
            top = float(values.max())
            near = np.argwhere(values >= top * (1 - _TIE))
            i, c = min(((int(i), int(c)) for i, c in near), key=lambda at: (at[0], at[1].bit_count(), at[1]))
            found.append((top, Adversary(i, known_of(n, i, c)), None))
        found += [(one.largest(scale, self.within), one.adversary, one) for one in self.listed]
        top = max(value for value, _, _ in found)
        _, adversary, one = next(entry for entry in found if entry[0] >= top * (1 - _TIE))
        alone = self._alone(adversary, one, scale)
        self.count()
        return replace(alone, value=max(top, alone.value)), adversary

    def _alone(self, adversary: Adversary, one: _One | None, scale: float) -> Leakage:
        mechanism = self.mechanism(scale)
        if self.convention == "sup":
            return prior_leakage(
                self.distribution, mechanism, adversary.target, adversary.known, convention="sup"
            )
        known = one.models[0]._positions if one else {k: self._row()[k] for k in adversary.known}
        return PriorAdversary._at(self.distribution, mechanism, adversary, known).leakage

    def noiseless_scale(self, target: float) -> float:
        """Return a scale so small that leakage there tells what the release without noise leaks."""
        # Let g be the smallest gap between two values of the query, p the smallest positive probability.
        # Where a value is possible with one label and not with another, leakage exceeds g / scale - log(1/p);
        # where there is no such value, it is at most log(1/p) at every scale. At this scale the first is
        # larger than the target and than log(1/p), and the second is that of the release without noise, to
        # rounding.
        gap = np.inf
        if self.nodes is not None:
            gap = smallest_gap(self.query.contributions)
        for one in self.listed:
            gap = min([gap, *(smallest_gap(model._unknown) for model in one.models[:1])])
        reach = float(self.query.local_sensitivities.sum())
        gap = min(gap, reach) or 1.0
        span = self.largest_without_noise
        # Not so small that range / scale overflows.
        return max(gap / (max(target if np.isfinite(target) else 0.0, span) + span + 100.0), reach * 1e-300)

    @property
    def largest_without_noise(self) -> float:
        """What a release without noise leaks at most, unless it leaks without bound: log(1/p), in nats."""
        table = self.distribution.table
        return float(-np.log(np.min(table, where=table > 0, initial=1.0)))
