"""The survey of 1996 with ages in years: what is made k-anonymous."""

from __future__ import annotations

from collections.abc import Sequence

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.models.anes96 import ANES96_ATTRIBUTES, ANES96_TITLE, anes96_answers
from pdp_widgets.models.labels import shown
from pdp_widgets.models.microdata import Microdata

__all__ = ["anes96_records"]


def anes96_records(columns: Sequence[str] | None = None) -> Microdata:
    """Return the answers of `anes96` as records, with age, population and days of news as numbers.

    Parameters
    ----------
    columns
        Which of the ten columns, in this order; without it all: see `anes96`. Education and income are in
        their order, and all numbers are those of the survey, in no bins.

    Raises
    ------
    DomainError
        There is no such column.

    Examples
    --------
    >>> data = anes96_records(["age", "vote"])
    >>> data
    Microdata('ANES 1996: answers of 944 voters', 944 records, age: numbers, vote: 2 labels)
    >>> data.column("age").values[:3].tolist()
    [36.0, 20.0, 24.0]
    """
    wanted = (
        [columns] if isinstance(columns, str) else list(ANES96_ATTRIBUTES if columns is None else columns)
    )
    for name in wanted:
        if name not in ANES96_ATTRIBUTES:
            raise DomainError(
                f"The survey has no column {shown(name)}; it has {', '.join(ANES96_ATTRIBUTES)}.",
                Where("parameter", name="columns"),
            )
    answers, labels = anes96_answers(wanted)
    # Days a week are labels of a survey and numbers of a person.
    orders = {name: domain for name, domain in labels.items() if isinstance(domain[0], str)}
    return Microdata(answers, orders=orders, title=ANES96_TITLE)
