"""What one adversary of Gaussian data sees when the attacked tuple is as expected, and when it is M more."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import AdversaryError, Where
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary
from pdp_widgets.models.labels import short

__all__ = ["Comparison"]

Floats = NDArray[np.float64]

#: Rounding of a leakage, relative.
_SAME = 1e-9
_NEARLY = 0.99


class Comparison:
    """Two values of the target, M apart, with the known tuples at their means.

    Parameters
    ----------
    adversary
        Who looks; its target is not determined.

    Attributes
    ----------
    expected
        Mean of the target: the lower of the two values.
    centre
        Mean of the release when the target is as expected.
    shift
        By how much that mean moves with M more: negative where more of the target lowers the release.

    Raises
    ------
    AdversaryError
        The known tuples determine the target: there are no two values.

    Notes
    -----
    Li, Ren, Yang and Yang, proof of Theorem 6: the log ratio is monotone in the release, odd around the
    midpoint of the two centres, and tends to plus and minus the leakage.

    Examples
    --------
    >>> from pdp_widgets import GaussianModel
    >>> model = GaussianModel([5.0, 4.0], [[1.44, 0.6], [0.6, 1.0]])
    >>> seen = Comparison(GaussianAdversary(model, 1))
    >>> seen.pair, seen.centre, round(seen.limit, 6)
    ((4.0, 5.0), 9.0, 1.6)
    >>> [round(r, 3) for r in seen.over]
    [8.367, 11.233]
    """

    def __init__(self, adversary: GaussianAdversary) -> None:
        if adversary.determined:
            raise AdversaryError(
                f"{short(adversary.target)} is determined by the known tuples: it has no two values to "
                "compare.",
                Where("axis", axis=adversary.adversary.target),
            )
        self.adversary = adversary
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
        """Return the releases at and beyond which the log ratio is at least so many nats in size.

        Returns
        -------
        tuple of float, or None
            It is so for every release up to the first and from the second number on; None when for none.
        """
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
