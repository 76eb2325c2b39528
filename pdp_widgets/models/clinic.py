"""A made-up clinic: 100 patients with age, weight, and whether they have diabetes."""

from __future__ import annotations

from importlib.resources import files

from pdp_widgets.models.microdata import Microdata
from pdp_widgets.models.microdata_file import microdata_of_lines

__all__ = ["clinic"]


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
    return microdata_of_lines(text.splitlines(), "clinic.csv", title="A made-up clinic")
