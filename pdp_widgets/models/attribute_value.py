"""The codes and labels of a table of records: checked, read-only, comparable."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.models.attribute_codes import smallest_type
from pdp_widgets.models.labels import Domain, short
from pdp_widgets.models.named_attributes import NamedAttributes
from pdp_widgets.models.pair_counts import PairCounts

__all__ = ["AttributeValue"]


class AttributeValue(NamedAttributes):
    """Codes, labels, names and title; see `AttributeTable`, which is this with what it can do."""

    __slots__ = ("_codes", "_domains", "_pairs", "_title")

    _codes: NDArray[np.signedinteger[Any]]
    _domains: tuple[Domain, ...]
    _title: str
    _pairs: PairCounts | None

    def _set(
        self,
        codes: NDArray[np.signedinteger[Any]],
        domains: tuple[Domain, ...],
        names: tuple[str, ...],
        title: str,
    ) -> None:
        # One column after the other, in as few bytes as possible: columns are what is compared and counted.
        kind = smallest_type(max((len(domain) for domain in domains), default=1))
        own = np.array(codes, dtype=kind, order="F")
        own.setflags(write=False)
        for slot, value in (
            ("_codes", own),
            ("_domains", domains),
            ("_names", names),
            ("_title", title),
            ("_pairs", None),
        ):
            object.__setattr__(self, slot, value)

    @classmethod
    def _build(
        cls,
        codes: NDArray[np.signedinteger[Any]],
        domains: tuple[Domain, ...],
        names: tuple[str, ...],
        title: str,
    ) -> Self:
        made = cls.__new__(cls)
        made._set(codes, domains, names, title)
        return made

    @property
    def codes(self) -> NDArray[np.signedinteger[Any]]:
        """Positions of labels, -1 where missing, shape (N, n), read-only."""
        return self._codes

    @property
    def domains(self) -> tuple[Domain, ...]:
        """Labels of every attribute."""
        return self._domains

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of labels of every attribute."""
        return tuple(len(domain) for domain in self._domains)

    @property
    def title(self) -> str:
        """Short text for pictures."""
        return self._title

    @property
    def n_records(self) -> int:
        """Number of records N."""
        return len(self._codes)

    @property
    def missing(self) -> NDArray[np.int64]:
        """How many values of every attribute are missing, shape (n,)."""
        return np.asarray((self._codes < 0).sum(axis=0, dtype=np.int64))

    def __len__(self) -> int:
        return len(self._codes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AttributeValue):
            return NotImplemented
        return (
            self._names == other._names
            and self._domains == other._domains
            and self._title == other._title
            and bool(np.array_equal(self._codes, other._codes))
        )

    def __hash__(self) -> int:
        return hash((self._names, self._domains, self._title, self._codes.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._build, (np.asarray(self._codes), self._domains, self._names, self._title)

    def __repr__(self) -> str:
        listed = [
            f"{short(name)}: {size} label{'s' * (size != 1)}"
            for name, size in zip(self._names, self.sizes, strict=True)
        ]
        if len(listed) > 8:
            listed = [*listed[:8], f"and {len(listed) - 8} more"]
        gone = int(self.missing.sum())
        title = f"{short(self._title)!r}, " if self._title else ""
        records = f"{self.n_records:,} record{'s' * (self.n_records != 1)}"
        lost = f", {gone:,} value{'s' * (gone != 1)} missing" if gone else ""
        return f"{type(self).__name__}({title}{records}, {', '.join(listed)}{lost})"
