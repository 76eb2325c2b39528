"""A keyword that nobody has is refused by the class that was called, with those that there are."""

from __future__ import annotations

import inspect

import pytest

from pdp_widgets.core.results import Result
from tests.names import PUBLIC

#: Values that are made by their own functions take what they are made of.
CLASSES = [one for one in PUBLIC.values() if inspect.isclass(one) and issubclass(one, Result)]


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_a_keyword_that_nobody_has_is_refused_by_name(kind: type) -> None:
    with pytest.raises(TypeError) as caught:
        kind(no_such_thing=1)
    said = str(caught.value)
    assert "'no_such_thing'" in said
    if not hasattr(kind, "__dataclass_fields__"):
        assert said.startswith(f"{kind.__name__}() has no keyword 'no_such_thing'; accepted are ")
