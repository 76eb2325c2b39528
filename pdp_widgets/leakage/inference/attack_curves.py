"""Charts and curves of attacks: a map of beliefs, and means over users and draws."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import log
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import SECONDS, as_size
from pdp_widgets.core.chart import Axis, Chart, Level, Series, curves, nats, number
from pdp_widgets.core.converters import check_many, plain_numbers, refuse_masked
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.core.results import Figures, Result, plotted
from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.leakage.inference.attack_result import DrawnAttacks
from pdp_widgets.leakage.inference.attack_score import InBits, about_columns
from pdp_widgets.leakage.inference.attack_setting import AT_ONCE
from pdp_widgets.leakage.inference.grid import cell_centres
from pdp_widgets.leakage.number_table import Numbers, NumberTable, Written
from pdp_widgets.leakage.sweeps import as_executor, in_parts, swept
from pdp_widgets.models.great_circle import great_circle_km
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays
from pdp_widgets.models.labels import as_choice, how_many

if TYPE_CHECKING:
    from pdp_widgets.leakage.inference.inference_attack import InferenceAttack


Floats = NDArray[np.float64]

#: Radius of the likeliest cell's dot on a grid of so many cells a side, px: dots of neighbours touch.
_RADIUS, _GRID = 8.0, 20
#: Smaller dots cannot be seen, px.
_LEAST = 0.3
#: A city that is longer or wider than this is drawn with land around it.
_FLATTEST = 0.4


def mechanism_name(mechanism: str) -> str:
    """Return what a mechanism is called in a figure."""
    return mechanism if mechanism == "baseline" else mechanism.upper()


def attack_map(attack: InferenceAttack, which: int) -> Chart:
    """Return what an attack believes after the release as a map, true to scale."""
    result = attack.attack_1 if which == 1 else attack.attack_2
    network = attack.network
    size = np.array(network.size_km)

    def km(points: Floats) -> tuple[Floats, Floats]:
        """Return how far places in the unit square are from the west and from the south."""
        away = np.atleast_2d(points) * size
        return away[:, 1], away[:, 0]

    radius = _RADIUS * _GRID / attack.grid
    sizes = radius * np.sqrt(result.posterior / result.posterior.max())
    seen = sizes >= min(_LEAST, radius)
    centres = cell_centres(attack.grid)
    friends = network.points[network.friends(attack.position)]
    series = [
        Series(
            "probability of a cell (area)",
            *km(centres[seen]),
            mark="dots",
            sizes=sizes[seen],
            amounts=("probability", result.posterior[seen]),
            colour="a",
        ),
        Series("friends", *km(friends), mark="dots", colour="ink2", shape="triangle"),
        Series("guess", *km(centres[result.cell]), mark="dots", colour="ink", shape="diamond"),
        Series("victim", *km(network.points[attack.position]), mark="dots", colour="over", shape="cross"),
    ]
    north, east = _room(size)
    return Chart(
        f"Attack {which} on user {attack.victim}: {result.error_km:,.1f} km off",
        [one for one in series if one.x.size],
        Axis("km from the west", *east),
        Axis("km from the south", *north),
        note=_about(attack, which),
        equal=True,
    )


def _room(size: Floats) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the ends of the axes to the north and to the east; a map is no line."""
    longest = float(size.max()) or 1.0
    wide = np.maximum(size, _FLATTEST * longest)
    low, high = (size - wide) / 2, (size + wide) / 2
    return (float(low[0]), float(high[0])), (float(low[1]), float(high[1]))


def _about(attack: InferenceAttack, which: int) -> str:
    """Say what the numbers hold for."""
    result = attack.attack_1 if which == 1 else attack.attack_2
    weighted = (
        "all known users count alike"
        if which == 1
        else f"cells near friends count {number(attack.weight, 4)} times"
    )
    told = (
        f"{attack.clusters.k:,} noisy cluster centres of {attack.network.n:,} users",
        mechanism_name(attack.mechanism),
        f"ε = {nats(attack.epsilon)}",
        f"scale {number(attack.scale, 3)} in the unit square; {len(attack.known):,} users known",
        f"{weighted}. Before the release the guess was {result.error_before_km:,.1f} km off; known "
        f"beforehand {_bits(result.prior_gap_bits)}",
        f"added by the release {_bits(result.incremental_bits)}.",
    )
    return ", ".join(told)


def _bits(value: float) -> str:
    # Rounding alone leaves about 1e-16 of nothing.
    return f"{number(0.0 if abs(value) < 5e-10 else value, 3)} bits"


#: Seconds of a call that nobody watches.
_LONGEST = 30.0
_SHOWN = (0.1, 0.2, 0.4, 0.7, 1, 2, 3, 4, 6, 10, 16, 25, 40, 63, 100, 160, 250, 400)


@dataclass(frozen=True, eq=False, repr=False)
class AttackCurves(EqualByFields, InBits, ReadOnlyArrays, NumberTable, Result):
    """Means over users and draws of noise by budget; rows of arrays are attack 1 and attack 2 (read-only).

    Parameters
    ----------
    epsilons
        Budgets in nats, ascending.
    scales
        Of the noise.
    leaked, incremental
        The paper's leaked information and what of it the release adds, shape (2, budgets), in nats.
    prior_gap
        What the adversaries had before any release, shape (2,), in nats.
    error_km
        Distance of the guess to the truth, shape (2, budgets).
    error_before_km
        The same before any release, shape (2,).
    users, draws
        What the means are over.
    mechanism
        Key of the mechanism.

    Notes
    -----
    Figures by budget: ``"leaked"``, leaked information, and ``"error"``, that of the guess.

    Examples
    --------
    >>> from pdp_widgets import InferenceAttack, synthetic_network
    >>> attack = InferenceAttack(synthetic_network(60, rng=1).city("New York"), clusters=4)
    >>> found = attack.by_epsilon([0.1, 100.0], draws=2)
    >>> found.leaked_bits.shape, found.users, bool(abs(found.leaked[1, 0] - found.prior_gap[1]) < 1e-3)
    ((2, 2), 19, True)
    """

    epsilons: Floats
    scales: Floats
    leaked: Floats
    incremental: Floats
    prior_gap: Floats
    error_km: Floats
    error_before_km: Floats
    users: int
    draws: int
    mechanism: str

    @property
    def bound_bits(self) -> Floats:
        """The budgets in bits."""
        return self.epsilons / log(2)

    def _numbers(self) -> Numbers:
        m = len(self.epsilons)
        columns = {
            "epsilon": np.tile(self.epsilons, 2),
            "attack": np.repeat([1, 2], m),
            "scale": np.tile(self.scales, 2),
            "leaked": self.leaked.ravel(),
            "incremental": self.incremental.ravel(),
            "prior_gap": np.repeat(self.prior_gap, m),
            "error_km": self.error_km.ravel(),
        }
        printed: dict[str, Written] = {
            "epsilon": "parameter",
            "attack": "count",
            "scale": "number",
            "leaked": "nats",
            "incremental": "nats",
            "prior_gap": "nats",
            "error_km": "number",
        }
        over_draws = dict.fromkeys(("leaked", "incremental", "error_km"), "estimate")
        about = about_columns(columns, "Eq. 6 to 11", over_draws, users=self.users, draws=self.draws)
        many = f"means over {self.users:,} users and {self.draws} draws of noise"
        return Numbers(columns, printed, about, (many,))

    def plot(self, value: str = "leaked") -> Any:
        """Return a bqplot figure by budget.

        Parameters
        ----------
        value
            ``"leaked"``: leaked information with what was known beforehand and what is promised, in bits.
            ``"error"``: the distance of the guess in kilometres.
        """
        as_choice(value, "value", ("leaked", "error"))
        return plotted(self._errors() if value == "error" else self._leaked())

    def _figures(self) -> Figures:
        return {"leaked": self._leaked, "error": self._errors}

    def _leaked(self) -> Chart:
        lines = {
            "attack 2, as printed": self.leaked_bits[1],
            "attack 2, added by the release": self.incremental_bits[1],
            "attack 1, as printed and added": self.leaked_bits[0],
        }
        gap = float(self.prior_gap_bits[1])
        before = Level("attack 2 before any release", gap, colour="ink2")
        return self._chart("Leaked information", lines, "information, bits", [before])

    def _errors(self) -> Chart:
        lines = {f"attack {which}": row for which, row in enumerate(self.error_km, 1)}
        return self._chart("Error of the guess", lines, "error, km")

    def _chart(self, title: str, lines: Mapping[str, Floats], up: str, levels: Sequence[Level] = ()) -> Chart:
        # Draws are few, and users share each: what looks like an effect may be one draw.
        over = f"{how_many(self.users, 'user')} and {how_many(self.draws, 'draw')} of the noise"
        note = f"Estimates: means over {over}, {mechanism_name(self.mechanism)}."
        drawn = curves(np.log10(self.epsilons), lines.items())
        return Chart(title, drawn, Axis("budget ε, nats", powers=True), Axis(up), levels, note)


def seconds_of_all(attack: InferenceAttack) -> float:
    """Return about how long one release takes for all users."""
    return 2e-3 + 3e-7 * attack.network.n * attack.grid**2


def attack_curves(
    attack: InferenceAttack,
    epsilons: Any = None,
    draws: Any = 4,
    progress: ProgressHook | None = None,
    limit: float = 60.0,
    executor: Any = None,
) -> AttackCurves:
    """Return what `InferenceAttack.by_epsilon` does."""
    where = Where("parameter", name="epsilons")
    refuse_masked(epsilons, "epsilons")
    try:
        levels = np.sort(np.atleast_1d(plain_numbers(_SHOWN if epsilons is None else epsilons)))
    except (TypeError, ValueError, OverflowError):
        raise BudgetError("epsilons holds something that is no number.", where) from None
    if levels.ndim != 1 or not len(levels) or not ((levels > 0) & np.isfinite(levels)).all():
        raise BudgetError("epsilons must be a list of positive finite budgets, one or more.", where)
    many, workers = as_size(draws, "draws", 1), as_executor(executor)
    # Every budget and draw is an attack on all users; a hook can end what takes long.
    each = seconds_of_all(attack)
    if progress is None and not math.isinf(SECONDS.take(limit, "limit")):
        check_many(len(levels) * many, max(1, int(_LONGEST / each)), "epsilons times draws", each)
    work = f"The curve of {len(levels):,} budgets and {many:,} draws"
    told = Progress(timed(progress, limit, work, "Take fewer budgets or draws."), len(levels) * many)
    asked = [(float(level), draw) for level in levels for draw in range(1, many + 1)]
    means = np.concatenate(swept(partial(_means, attack), in_parts(asked, workers), workers, told))
    # One draw after the other: a sum in another order is another one in its last digit.
    leaked, incremental, errors = np.zeros((3, 2, len(levels)))
    for draw in means.reshape(len(levels), many, 5, 2).transpose(1, 2, 3, 0):
        for total, one in zip((leaked, incremental, errors), draw, strict=False):
            total += one / many
    scales = [attack.at(epsilon=float(level)).scale for level in levels]
    told.finish()
    return AttackCurves(
        levels,
        np.array(scales),
        leaked,
        incremental,
        means[-1, 3],
        errors,
        means[-1, 4],
        attack.network.n,
        many,
        attack.mechanism,
    )


def _means(attack: InferenceAttack, asked: Sequence[tuple[float, int]], told: Progress) -> Floats:
    """Return means over all users for budgets and draws, shape (asked, 5, 2)."""
    found = np.empty((len(asked), 5, 2))
    for place, (level, draw) in enumerate(asked):
        one = attack.at(epsilon=level, draw=draw).all_users(limit=math.inf)
        found[place] = [
            one.mean(name) for name in ("leaked", "incremental", "error_km", "prior_gap", "error_before_km")
        ]
        told.step()
    return found


def drawn_attacks(
    attack: InferenceAttack, draws: Any, progress: ProgressHook | None, limit: float, executor: Any
) -> DrawnAttacks:
    """Return what `InferenceAttack.by_draw` does."""
    many, workers = as_size(draws, "draws", 1, 10_000), as_executor(executor)
    told = Progress(timed(progress, limit, f"The attacks of {many:,} draws", "Take fewer draws."), many)
    step = max(1, AT_ONCE // attack.grid**2)
    numbers = range(1, many + 1)
    parts = [numbers[first : first + step] for first in range(0, many, step)]
    found = swept(partial(_drawn, attack), parts, workers, told)
    errors, masses, added = np.concatenate([one for one, _ in found], axis=2)
    told.finish()
    return DrawnAttacks(attack.victim, errors, masses, added, found[0][1])


def _drawn(attack: InferenceAttack, draws: Sequence[int], told: Progress) -> tuple[Floats, Floats]:
    """Return error, probability of the truth and gain by draw, shape (3, 2, draws), and the prior gap."""
    both = attack._beliefs_of_draws(draws)
    centres = attack.network.degrees_of(cell_centres(attack.grid))
    errors = great_circle_km(centres, attack.network.places[attack.position])
    told.step(len(draws))
    return np.stack(
        [
            [errors[one.cell] for one in both],
            [one.posterior[:, attack.true_cell] for one in both],
            [one.before - one.after for one in both],
        ]
    ), np.array([both[0].before[0] - one.before[0] for one in both])
