"""What an explorer is given in Python or sent by a browser, beside its model, and which names can be set."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Mapping
from typing import Any

from pdp_widgets.core.checks import meant, near, unknown_keyword
from pdp_widgets.errors import QueryError, Where
from pdp_widgets.models.labels import is_text, shown

#: What hosts put on a widget that has no such trait, as interact does.
_OF_HOSTS = frozenset({"description"})


def refusal(
    owner: str, name: str, inputs: Collection[str], made_with: Collection[str], instead: Mapping[str, str]
) -> str | None:
    """Return why a public name that a widget does not have cannot be set, or None where a host may set it."""
    if name in _OF_HOSTS:
        return None
    if name in made_with and name not in inputs:
        after = f"; afterwards set {instead[name]}" if name in instead else ""
        made = f"{name} is set when it is made, {owner}(..., {name}=...)"
        return f"{owner} has no attribute {name!r}: {made}{after}."
    found = near(name, [*inputs, *made_with])
    if found:
        return f"{owner} has no attribute {name!r}; did you mean {found}?"
    listed = ", ".join(sorted(inputs))
    return f"{owner} has no attribute {name!r}; it takes {listed}.{meant(name, inputs)}"


def keyword_words(
    owner: str, name: str, inputs: Collection[str], made_with: Collection[str], instead: Mapping[str, str]
) -> str:
    """Return what to say of a keyword with which a widget cannot be made."""
    given = next((keyword for keyword, after in instead.items() if after == name), None)
    if name in inputs and name not in made_with:
        hint = f"the {name} is given as {given}" if given else f"set {name} once it is made"
        return f"{owner}() has no keyword {name!r}; {hint}; accepted are {', '.join(made_with)}."
    return unknown_keyword(owner, name, made_with)


def as_noun(noun: Any) -> str:
    """Return what one tuple is called."""
    wrong = not is_text(noun) or not noun.strip() or len(noun) > 40
    # Pictures are XML, which has no control characters at all, and a line break is no word.
    if wrong or any(unicodedata.category(mark) == "Cc" or mark in "\ufffe\uffff" for mark in noun):
        raise QueryError(
            f"The noun is {shown(noun)}; give a word of 1 to 40 characters that can be seen, such as "
            "'answer'.",
            Where("parameter", name="noun"),
        )
    return str(noun).strip()
