"""A name that is set for nothing is refused, on every widget, and says what was meant."""

from __future__ import annotations

from typing import Any

import pytest
from traitlets import Unicode

from pdp_widgets import (
    JointDistribution,
    MarkovChain,
    PriorExplorer,
    StreamSimulator,
    lsat6,
)
from pdp_widgets.errors import QueryError

from ..every_widget import CELLS, setup


def made(module: str) -> Any:
    return eval(CELLS[module].source, setup())


@pytest.fixture(params=list(CELLS))
def widget(request: pytest.FixtureRequest) -> Any:
    return made(request.param)


def test_every_misspelt_input_names_the_input(widget: Any) -> None:
    for name in widget._inputs:
        for wrong in {name[:-1] + name[-1] * 2, name[0] + name[2:], name.upper()} - widget._inputs:
            with pytest.raises(AttributeError, match=rf"has no attribute '{wrong}'; did you mean .*'{name}'"):
                setattr(widget, wrong, 1)
            assert not hasattr(widget, wrong)


def test_what_a_widget_is_made_with_and_nothing_else_is_not_set_later(widget: Any) -> None:
    for name in set(widget._accepted()) - widget._inputs - {"layout"}:
        with pytest.raises(AttributeError, match=rf"{name} is set when it is made, \w+\(\.\.\., {name}="):
            setattr(widget, name, 5)


def test_what_one_is_called_is_read_as_it_was_given_and_can_be_set(widget: Any) -> None:
    if "noun" not in widget._inputs:
        return
    assert type(widget)(widget.value, noun="seat").noun == "seat"
    widget.noun = "bench"
    assert widget.noun == "bench"
    assert "'noun': 'bench'" in repr(widget._view)
    with pytest.raises(QueryError, match="The noun is ''"):
        widget.noun = ""
    assert widget.noun == "bench"


def test_a_name_like_no_other_lists_what_can_be_set(widget: Any) -> None:
    with pytest.raises(AttributeError, match=r"has no attribute 'zzz'; it takes .*disabled"):
        widget.zzz = 1


def test_every_input_that_is_no_keyword_says_so(widget: Any) -> None:
    kind = type(widget)
    for name in widget._inputs - set(widget._accepted()):
        with pytest.raises(
            TypeError, match=rf"no keyword '{name}'; (the {name} is given as|set {name} once)"
        ):
            kind(MarkovChain.symmetric(0.6), **{name: 3})


def test_what_hosts_set_is_taken(widget: Any) -> None:
    widget.description = "chain"
    widget.tooltip = "a tip"
    widget._kwarg = "chain"
    widget.layout.width = "50%"
    widget.disabled = True
    assert widget.description == "chain"
    assert widget.disabled


def test_a_stream_says_what_is_set_in_place_of_seed_and_steps() -> None:
    stream = StreamSimulator(MarkovChain.symmetric(0.6), rng=3, steps=5)
    with pytest.raises(AttributeError, match=r"StreamSimulator\(\.\.\., rng=\.\.\.\); afterwards set seed"):
        stream.rng = 5  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="afterwards set position"):
        stream.steps = 30  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="did you mean 'epsilon'"):
        stream.eps = 1  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="the seed is given as rng"):
        StreamSimulator(MarkovChain.symmetric(0.6), seed=3)
    assert (stream.seed, stream.position) == (3, 5)


def test_every_widget_has_its_model_as_value(widget: Any) -> None:
    assert "value" in widget._inputs
    assert next(iter(widget._accepted())) == "value"


def test_a_derived_class_has_traits_and_keywords_of_its_own() -> None:
    class Mine(PriorExplorer):
        remark = Unicode("")

        def __init__(self, value: JointDistribution, remark: str = "", **rest: Any) -> None:
            super().__init__(value, **rest)
            self.remark = remark

    explorer = Mine(lsat6(), "first", scale=2.0)
    assert (explorer.remark, explorer.scale) == ("first", 2.0)
    explorer.remark, explorer.scale = "second", 4.0
    assert (explorer.remark, explorer.results.promise) == ("second", 0.25)
    with pytest.raises(TypeError, match=r"Mine\(\) has no keyword 'scael'; .*remark, .*Did you mean 'scale'"):
        Mine(lsat6(), scael=1)
