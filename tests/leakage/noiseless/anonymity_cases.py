"""Analyses that several tests ask, and the design of the clinic."""

from hypothesis import strategies as st

from pdp_widgets.leakage.noiseless.anonymity_analysis import AnonymityAnalysis
from pdp_widgets.leakage.noiseless.anonymity_inputs import (
    AnonymityInputs,
)
from pdp_widgets.models.surveys import clinic

INPUTS = AnonymityInputs(
    clinic(), (0, 1), 2, 5, "count:yes", level="III", known=0.3, printed=True, reading="t1:statement"
)


def clinic_analysis(**given_):
    chosen = {"level": "III", "known": 0.3, **given_}
    return AnonymityAnalysis(clinic(), ["age", "weight"], "diabetes", 5, **chosen)


@st.composite
def releases(draw):
    n = draw(st.integers(4, 9))
    counted = draw(st.booleans())
    if counted:
        column = draw(st.lists(st.sampled_from(["no", "yes"]), min_size=n, max_size=n))
        if "yes" not in column:
            column[0] = "yes"
    else:
        column = draw(st.lists(st.integers(-3, 4), min_size=n, max_size=n))
    kinds = ["count:yes", "suppressed:yes", "records:yes"]
    kind = draw(st.sampled_from(kinds)) if counted else "sum:value"
    return {
        "column": column,
        "release": kind,
        "level": draw(st.sampled_from(["I", "II", "III", "IV"])),
        "known": draw(st.sampled_from([0.0, 0.2, 0.5, 1.0])),
        "neighbours": draw(st.integers(1, 4)),
        "neighbour": draw(st.sampled_from(["value", "presence"])),
        "k": draw(st.integers(1, 3)),
        "n": draw(st.one_of(st.none(), st.integers(3, 10))),
    }


def many(given_):
    """How many records the release is of."""
    return len(given_["column"]) if given_["n"] is None else given_["n"]
