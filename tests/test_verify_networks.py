"""The reference cases on networks: all of them pass, and a wrong number in any of their kinds fails."""

import copy
import json
from importlib.resources import files

import pytest

from pdp_widgets.verify import verify
from pdp_widgets.verify.formats import kinds_of

FORMAT = "networks-vectors/1"
DOCUMENT = json.loads(files("pdp_widgets").joinpath("data/vectors/networks.json").read_text(encoding="utf-8"))


def test_all_shipped_cases_pass():
    report = verify([DOCUMENT])
    assert report.failures == []
    assert str(report) == "127 of 127 cases pass"
    named = {case["kind"] for case in DOCUMENT["cases"]} - {"error"}
    assert named == {kind for kind, _ in kinds_of(FORMAT)}


def wrong(value):
    """All numbers changed, infinity and words too."""
    if isinstance(value, dict):
        return {key: wrong(part) for key, part in value.items()}
    if isinstance(value, list):
        return [wrong(part) for part in value]
    return not value if isinstance(value, bool) else 1.5 if isinstance(value, str) else value + 1


@pytest.mark.parametrize("kind", sorted({kind for kind, _ in kinds_of(FORMAT)}))
def test_a_wrong_number_fails(kind):
    # The smallest case: what is looked at is the comparison.
    chosen = min(
        (c for c in DOCUMENT["cases"] if c["kind"] == kind), key=lambda c: len(json.dumps(c["input"]))
    )
    for part, value in chosen["expected"].items():
        case = copy.deepcopy(chosen)
        case["expected"] = {part: wrong(value)}
        report = verify([DOCUMENT | {"cases": [case]}])
        assert len(report.failures) == 1, part
        assert "expected" in report.failures[0] or "missing" in report.failures[0]
