"""Numbers, colours and limits are the same in Python and in the browser: one file of cases."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import AttributeTable, JointDistribution
from pdp_widgets.core.chart import number
from pdp_widgets.publish import formatting, html
from pdp_widgets.publish.sheet import TOKENS
from pdp_widgets.widgets.graph_digest import magnitude_domain
from pdp_widgets.widgets.local_views import local_embedded
from pdp_widgets.widgets.prior_views import cells_needed

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"


def shared(name: str) -> dict[str, Any]:
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def decoded(value: Any) -> Any:
    return (
        {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}.get(value, value)
        if isinstance(value, str)
        else value
    )


#: The browser writes some more.
WRITERS = {"number": number, **{name: getattr(formatting, name) for name in formatting.__all__}}
FORMATS = [case for case in shared("format-cases.json")["cases"] if case["call"] in WRITERS]
MATRICES = shared("covariance-cases.json")
COLOURS = shared("palette-cases.json")
LIMITS = shared("page-limits.json")


@pytest.mark.parametrize("case", LIMITS["cases"], ids=lambda c: str(c["lengths"]))
def test_cells_of_a_table_are_embedded_where_a_page_computes_it(case: dict[str, Any]) -> None:
    shape = case["lengths"]
    held = cells_needed(JointDistribution(np.full(shape, 1 / math.prod(shape))))
    assert ("cells" in held) is case["fits"]
    assert (len(shape) <= LIMITS["tuples"] and math.prod(shape) <= LIMITS["cells"]) is case["fits"]


def test_tables_of_local_reports_are_embedded_up_to_their_limits() -> None:
    most = LIMITS["local"]
    for sizes, kept, joint in (
        ([2] * most["attributes"], True, True),
        ([2] * (most["attributes"] + 1), False, False),
        ([most["labels"] - 2, 2], True, True),
        ([most["labels"] - 1, 2], False, False),
        ([20, 20, 50], True, True),
        ([20, 20, 51], True, False),
    ):
        table = AttributeTable([[0] * len(sizes), [1] * len(sizes)], sizes=sizes)
        made = local_embedded(table)
        assert (made["blocks"] is not None) is kept, sizes
        assert (made["joint"] is not None) is joint, sizes
        assert (math.prod(sizes) <= most["cells"]) is joint or not kept
    guide = (ROOT / "docs" / "how-to" / "publish.md").read_text(encoding="utf-8")
    assert f"up to {most['attributes']} attributes and {most['labels']} labels" in guide
    assert f"up to {most['cells']:,} combinations of labels" in guide


def test_a_page_says_and_the_docs_say_how_large_a_table_may_be() -> None:
    guide = (ROOT / "docs" / "how-to" / "publish.md").read_text(encoding="utf-8")
    words = f"up to {LIMITS['tuples']} tuples and {LIMITS['cells']:,} cells"
    assert words in guide
    assert words in re.sub(r"\s+", " ", html.__doc__ or "")


@pytest.mark.parametrize("case", FORMATS, ids=lambda c: f"{c['call']}{c['args']}")
def test_number_reads_as_agreed(case: dict[str, Any]) -> None:
    got = WRITERS[case["call"]](*[decoded(a) for a in case["args"]])
    assert got == case.get("text", case.get("number"))


def test_numbers_of_a_matrix_read_as_agreed() -> None:
    assert {case["call"] for case in FORMATS} > {"leakage", "bound", "probability", "parameter", "scientific"}
    for case in MATRICES["domains"]:
        assert formatting.signed_domain(np.array(case["values"], dtype=float)) == case["end"]
    for case in MATRICES["entries"]:
        assert formatting.entry(case["value"], case["decimals"]) == case["text"]
    for case in MATRICES["decimals"]:
        assert formatting.decimals_for(case["largest"]) == case["decimals"]


@pytest.mark.parametrize("case", COLOURS["domain"], ids=str)
def test_ends_of_the_colour_scale(case: dict[str, Any]) -> None:
    assert list(magnitude_domain(case["values"], decoded(case["promise"]))) == case["ends"]


def test_colours_are_those_of_the_style_sheet() -> None:
    light = dark = ""
    for place in ("ui/tokens.css", "curves/curves.css"):
        css = (ROOT / "js" / "src" / place).read_text(encoding="utf-8")
        light += css.split("&[data-dark]")[0]
        dark += css.split("&[data-dark]")[1].split("@media")[0]
    for name, pair in TOKENS.items():
        for part, colour in zip((light, dark), pair, strict=True):
            stated = re.search(rf"--(?:x-)?{name}:\s*([^;]+);", part)
            assert stated, name
            assert re.findall(r"#[0-9a-f]{3,6}", stated[1])[-1] == colour, name


amounts = st.floats(0, 1.7976931348623157e308, allow_subnormal=True)


@given(st.lists(amounts, max_size=4), st.one_of(amounts, st.just(math.inf)))
def test_the_colour_scale_has_a_length_and_holds_every_amount(values: list[float], promise: float) -> None:
    low, high = magnitude_domain(values, promise)
    assert 0 <= low < high < math.inf
    assert 1 / (high - low) < math.inf
    assert all(low <= value <= high for value in values)
