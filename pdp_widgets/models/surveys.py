"""Records of people that come with the package: 944 voters of 1996, and a made-up clinic."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from itertools import pairwise
from typing import Any

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.binning import Bins
from pdp_widgets.models.labels import shown
from pdp_widgets.models.microdata import Microdata
from pdp_widgets.models.read_table import table_of_lines

__all__ = ["ANES96_ATTRIBUTES", "ANES96_TITLE", "anes96", "anes96_answers", "anes96_records", "clinic"]

_LEANING = (
    "extremely liberal",
    "liberal",
    "slightly liberal",
    "moderate",
    "slightly conservative",
    "conservative",
    "extremely conservative",
)
_PARTY = (
    "strong Democrat",
    "weak Democrat",
    "independent, Democrat",
    "independent",
    "independent, Republican",
    "weak Republican",
    "strong Republican",
)
_EDUCATION = (
    "1-8 grades",
    "some high school",
    "high school",
    "some college",
    "college degree",
    "master's degree",
    "PhD",
)
#: Lower ends of the classes of income, in thousands of dollars; the last class is open.
_INCOME = (0, 3, 5, 7, 9, 10, 11, 12, 13, 14, 15, 17, 20, 22, 25, 30, 35, 40, 45, 50, 60, 75, 90, 105)
_INCOMES = (
    *(f"${low}k to ${high}k" for low, high in pairwise(_INCOME)),
    "$105k or more",
)

#: Attribute: column of the file, first code, labels in the order of the codes; no labels for numbers.
_COLUMNS: dict[str, tuple[str, int, tuple[Any, ...]]] = {
    "TV news": ("TVnews", 0, tuple(range(8))),
    "own leaning": ("selfLR", 1, _LEANING),
    "Clinton's leaning": ("ClinLR", 1, _LEANING),
    "Dole's leaning": ("DoleLR", 1, _LEANING),
    "party": ("PID", 0, _PARTY),
    "education": ("educ", 1, _EDUCATION),
    "vote": ("vote", 0, ("Clinton", "Dole")),
    "income": ("income", 1, _INCOMES),
    "age": ("age", 0, ()),
    "population": ("popul", 0, ()),
}
#: All attributes of the survey; the first seven are taken where nothing else is asked for.
ANES96_ATTRIBUTES = tuple(_COLUMNS)
_DEFAULT = ANES96_ATTRIBUTES[:7]
ANES96_TITLE = "ANES 1996: answers of 944 voters"
_FIVE = 5


def anes96(
    attributes: Sequence[str] | None = None,
    bins: Mapping[str, Bins | int | Iterable[float]] | None = None,
) -> AttributeTable:
    """Return answers of 944 people to a survey before the American presidential election of 1996.

    Parameters
    ----------
    attributes
        Which of ``"TV news"`` (days a week), ``"own leaning"``, ``"Clinton's leaning"``,
        ``"Dole's leaning"``, ``"party"``, ``"education"``, ``"vote"``, ``"income"`` (of the household),
        ``"age"`` and ``"population"`` (of the place, in thousands), in this order; without it the first
        seven.
    bins
        For age and population, as in `AttributeTable.from_dataframe`; without it five bins with about equally
        many people each.

    Raises
    ------
    DomainError
        There is no such attribute.

    Notes
    -----
    A part of the American National Election Studies of 1996, in the public domain. What one answer says about
    another is far from symmetric here: the party tells less about the vote than the vote about the party.

    Examples
    --------
    >>> table = anes96()
    >>> table.n_records, table.names[4], table.domains[6]
    (944, 'party', ('Clinton', 'Dole'))
    >>> anes96(["age"], bins={"age": [18, 40, 65, 100]}).counts("age").tolist()
    [396, 387, 161]
    """
    wanted = (
        [attributes] if isinstance(attributes, str) else list(_DEFAULT if attributes is None else attributes)
    )
    for name in wanted:
        if not isinstance(name, str) or name not in _COLUMNS:
            raise DomainError(
                f"The survey has no attribute {shown(name)}; it has {', '.join(ANES96_ATTRIBUTES)}.",
                Where("parameter", name="attributes"),
            )
    if bins is not None and not isinstance(bins, Mapping):
        raise DomainError(
            f"The bins are {shown(bins)}; give bins by attribute, or None.", Where("parameter", name="bins")
        )
    columns, domains = anes96_answers(wanted)
    found: dict[str, Any] = dict(bins or {})
    for name, answers in columns.items():
        if name not in domains and name not in found:
            found[name] = Bins.quantiles(answers, _FIVE)
    return AttributeTable.from_dataframe(columns, wanted, found, domains=domains, title=ANES96_TITLE)


def anes96_answers(wanted: Iterable[str]) -> tuple[dict[str, list[Any]], dict[str, tuple[Any, ...]]]:
    """Return the answers of all people by attribute, and its labels in their order where it has any."""
    text = files("pdp_widgets").joinpath("data", "anes96.csv").read_text(encoding="utf-8")
    records = list(csv.DictReader(text.splitlines(), delimiter="\t", quotechar="'"))
    columns: dict[str, list[Any]] = {}
    domains: dict[str, tuple[Any, ...]] = {}
    for name in wanted:
        column, first, labels = _COLUMNS[name]
        numbers = [int(record[column]) for record in records]
        columns[name] = [labels[number - first] for number in numbers] if labels else numbers
        if labels:
            domains[name] = labels
    return columns, domains


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
        if not isinstance(name, str) or name not in ANES96_ATTRIBUTES:
            raise DomainError(
                f"The survey has no column {shown(name)}; it has {', '.join(ANES96_ATTRIBUTES)}.",
                Where("parameter", name="columns"),
            )
    answers, labels = anes96_answers(wanted)
    # Days a week are labels of a survey and numbers of a person.
    orders = {name: domain for name, domain in labels.items() if isinstance(domain[0], str)}
    return Microdata(answers, orders=orders, title=ANES96_TITLE)


def clinic() -> Microdata:
    """Return 100 made-up patients: age in years, weight in kilograms, and whether they have diabetes.

    Notes
    -----
    Nobody is meant: the numbers were drawn by a computer. Ten patients have diabetes. In classes of five or
    more by age and weight there are many where nobody has it, which k-anonymity allows.

    Examples
    --------
    >>> clinic()
    Microdata('A made-up clinic', 100 records, age: numbers, weight: numbers, diabetes: 2 labels)
    >>> int(clinic().column("diabetes").values.sum())
    10
    """
    text = files("pdp_widgets").joinpath("data", "clinic.csv").read_text(encoding="utf-8")
    return Microdata(table_of_lines(text.splitlines(), "clinic.csv"), title="A made-up clinic")
