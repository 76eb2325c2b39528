"""What one adversary of Gaussian data sees when the attacked tuple is as expected, and when it is M more."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.chart import Axis, Chart, Level, Series, nats, number, told_apart
from pdp_widgets.errors import AdversaryError, Where
from pdp_widgets.leakage.adversary_figures import densities_chart, ratio_chart
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary
from pdp_widgets.models.labels import short

__all__ = ["Comparison", "seen_charts", "sources_chart"]

Floats = NDArray[np.float64]

#: Rounding of a leakage, relative.
_SAME = 1e-9
_NEARLY = 0.99
#: Releases at which a curve is computed; parts of a sum that are told one by one.
_POINTS, _PARTS = 401, 12


class Comparison:
    """Two values of the target, M apart, with the known tuples at their means."""

    # Li, Ren, Yang and Yang, proof of Theorem 6: the log ratio is monotone in the release, odd around the
    # midpoint of the two centres, and tends to plus and minus the leakage.
    def __init__(self, adversary: GaussianAdversary) -> None:
        if adversary.determined:
            raise AdversaryError(
                f"{short(adversary.target)} is determined by the known tuples: it has no two values to "
                "compare.",
                Where("axis", axis=adversary.adversary.target),
            )
        self.adversary = adversary
        # The lower of the two values, the mean of the release for it, and how far M more moves that mean.
        self.expected = float(adversary.model.mean[adversary.adversary.target])
        self.centre = adversary.centre(self.expected)
        self.shift = adversary.coefficient * adversary.release.max_change

    @property
    def pair(self) -> tuple[float, float]:
        """The two values: as expected, and M more."""
        return self.expected, self.expected + self.adversary.release.max_change

    @property
    def middle(self) -> float:
        """The release that speaks for neither."""
        return self.centre + self.shift / 2

    @property
    def limit(self) -> float:
        """The leakage: what the log ratio tends to, in nats."""
        return self.adversary.leakage.value

    def reached(self, level: float) -> tuple[float, float] | None:
        """Return up to and from which release the log ratio is so many nats or more in size, or None."""
        return self._around(self.adversary.noise.reaches(level, abs(self.shift)))

    def _around(self, found: float | None) -> tuple[float, float] | None:
        return None if found is None else (self.middle - found, self.middle + found)

    @cached_property
    def over(self) -> tuple[float, float] | None:
        """Releases at and beyond which the log ratio is the promise; None where the promise holds."""
        promise = self.adversary.promise
        exceeded = self.limit > promise * (1 + _SAME)
        return self.reached(promise) if exceeded else None

    @cached_property
    def nearly(self) -> tuple[float, float] | None:
        """Releases at and beyond which the log ratio has 99 % of its limit; None where that is 0."""
        return self._around(self.nearly_beside)

    @cached_property
    def nearly_beside(self) -> float | None:
        """How far those are from the middle."""
        limit = self.limit
        return self.adversary.noise.reaches(_NEARLY * limit, abs(self.shift)) if limit > 0 else None

    def densities(self, r: ArrayLike) -> Floats:
        """Return the density of every release r for the two values, shape (2, len(r))."""
        at = np.asarray(r, dtype=np.float64) - self.centre
        noise = self.adversary.noise
        return np.exp(np.stack([noise.log_density(at), noise.log_density(at - self.shift)]))

    def log_ratio(self, r: ArrayLike) -> Floats:
        """Return log p(r | M more) - log p(r | as expected) at every r, in nats."""
        at = np.asarray(r, dtype=np.float64)
        # From the midpoint, so that a large mean takes no digits from the distance of the two centres.
        return self.adversary.noise.log_ratio(at - self.middle, self.shift / 2, -self.shift / 2)

    def densities_beside(self, offset: ArrayLike) -> Floats:
        """Return densities as `densities` does, of releases given by how far they are from the middle."""
        at = np.asarray(offset, dtype=np.float64)
        noise = self.adversary.noise
        around = noise.log_density(at + self.shift / 2), noise.log_density(at - self.shift / 2)
        return np.exp(np.stack(around))

    def log_ratio_beside(self, offset: ArrayLike) -> Floats:
        """Return the log ratio as `log_ratio` does, of releases given by how far they are from the middle."""
        return self.adversary.noise.log_ratio(offset, self.shift / 2, -self.shift / 2)

    @cached_property
    def half(self) -> float:
        """How far an axis reaches from the middle to show both densities, and the limit where it is near."""
        noise = self.adversary.noise
        wide = float(np.hypot(noise.deviation, 1.4 * noise.scale))
        half = abs(self.shift) / 2 + 3 * wide
        if self.nearly_beside is not None:
            half = max(half, min(1.2 * self.nearly_beside, abs(self.shift) / 2 + 7 * wide))
        return half

    @property
    def ends(self) -> tuple[float, float]:
        """Ends of such an axis; one number where the releases are too large to be told apart."""
        return self.middle - self.half, self.middle + self.half


def seen_charts(adversary: GaussianAdversary, note: str = "") -> tuple[Chart, ...]:
    """Return what one adversary of Gaussian data sees: two densities, and below them their log ratio."""
    name, known = adversary.target, ", ".join(adversary.known) or "none"
    title = f"About {name}, knowing {known}"
    if adversary.determined:
        noise = adversary.noise
        expected = float(adversary.model.mean[adversary.adversary.target])
        at = np.linspace(-4 * noise.scale, 4 * noise.scale, _POINTS)
        # All at their means: so is the sum.
        centre = float(np.dot(adversary.release.weights, adversary.model.mean))
        density = [(f"if {name} is {number(expected)}", np.exp(noise.log_density(at)))]
        told = f"{name} is determined: nothing is left to learn. {note}".strip()
        return (densities_chart(title, centre + at, density, told),)
    seen = Comparison(adversary)
    beside = np.linspace(-seen.half, seen.half, _POINTS)
    low, high = told_apart(seen.pair)
    if low == high:
        # M is lost beside so large a mean.
        high = f"{low} + {number(adversary.release.max_change)}"
    densities = zip(
        (f"if {name} is {low}", f"if {name} is {high}"), seen.densities_beside(beside), strict=True
    )
    attained = "never attained" if adversary.is_limit else "attained"
    told = f"limit ±{nats(seen.limit, 4)}, {attained}"
    ratio = ratio_chart(
        f"log ratio, {high} over {low}, nats",
        seen.middle + beside,
        seen.log_ratio_beside(beside),
        adversary.promise,
        "promise ±M/λ",
        levels=(Level(told, seen.limit, colour="ink2"), Level("", -seen.limit, colour="ink2")),
    )
    return densities_chart(title, seen.middle + beside, densities, note), ratio


def sources_chart(adversary: GaussianAdversary) -> Chart:
    """Return where the leakage comes from: what one unit more of the target shows through whom."""
    found = sorted(adversary.through.items(), key=lambda part: -abs(part[1]))
    rest = found[_PARTS:] if len(found) > _PARTS + 1 else []
    parts = [("own weight", adversary.own)]
    parts += [(f"through {name}", value) for name, value in found[: len(found) - len(rest)]]
    if rest:
        parts.append((f"through {len(rest)} others", sum(value for _, value in rest)))
    parts.append(("together", adversary.coefficient))
    unit = adversary.model.unit.strip()
    values = np.array([value for _, value in parts])
    factor, leakage = adversary.release.factor, adversary.leakage.value
    return Chart(
        f"One {unit or 'unit'} more in {adversary.target}",
        [
            Series(
                "",
                values,
                np.arange(len(parts), dtype=np.float64),
                "dots",
                labels=[number(value, 4) for value in values.tolist()],
                colour="a",
            )
        ],
        Axis("change of the released number"),
        Axis("", names=tuple(name for name, _ in parts)),
        (Level("", 0.0, "x", "ink2"),),
        "" if adversary.determined else f"Together, times M/λ = {number(factor)}: {nats(leakage, 4)}.",
    )
