"""Leakage documents: an explorer as a file, and a file as an explorer.

A document holds what an explorer is made with (``model``), what a hand can set in it (``settings``, by the
names of requests), and, packed in one line, what JupyterLab needs to show the model without a kernel
(``page``). What is set is read from the view by the table here, which js/src/lab/settings.json repeats.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from traitlets import TraitError

from pdp_widgets.core.checks import shown
from pdp_widgets.errors import PdpError, Where
from pdp_widgets.publish.document import (
    MOST,
    DocumentError,
    fault_at,
    literal,
    packed,
    parsed,
    restored,
    written,
)
from pdp_widgets.publish.files import check_place, write_whole
from pdp_widgets.version import __version__
from pdp_widgets.widgets.anonymity_explorer import AnonymityExplorer
from pdp_widgets.widgets.attack_explorer import AttackExplorer
from pdp_widgets.widgets.attack_input import listed_users, simulated_city
from pdp_widgets.widgets.base import LOCK, PdpWidget
from pdp_widgets.widgets.computed_beside import ComputedBeside
from pdp_widgets.widgets.dependence_explorer import DependenceExplorer
from pdp_widgets.widgets.gaussian_explorer import GaussianExplorer
from pdp_widgets.widgets.local_explorer import LocalExplorer
from pdp_widgets.widgets.network_explorer import NetworkExplorer
from pdp_widgets.widgets.prior_explorer import PriorExplorer
from pdp_widgets.widgets.stream_simulator import StreamSimulator

__all__ = [
    "answer_text",
    "document_text",
    "explorers",
    "kinds",
    "open",
    "opened",
    "python_parts",
    "python_text",
    "save_document",
    "schema",
]

FORMAT, VERSION = "pdp-widgets-leakage", 1
#: What a hand sets beside the declared inputs: where it stands in a view, what it is, and where it stands as
#: given, if it is left out while nothing was edited.
_CHOSEN = {"target": ("target", "position"), "known": ("known", "positions")}
_SET: Mapping[type[ComputedBeside], Mapping[str, tuple[str, ...]]] = {
    PriorExplorer: {
        "entries": ("table.entries", "cells", "table.loaded"),
        "locks": ("table.locks", "flags"),
        "keep_sum": ("table.keep_sum", "flag"),
        "rows": ("table.rows", "positions"),
        "columns": ("table.columns", "positions"),
        "query": ("query.key", "text"),
        "weights": ("query.weights", "numbers"),
        "instance": ("instance", "positions"),
        **_CHOSEN,
        "search": ("search", "parts"),
    },
    GaussianExplorer: {
        "cov": ("matrix.cov", "cells", "matrix.loaded_cov"),
        "mean": ("matrix.mean", "cells", "matrix.loaded_mean"),
        "weights": ("matrix.weights", "cells"),
        "query": ("query", "text"),
        **_CHOSEN,
        "search": ("results.digest.search", "parts"),
    },
    LocalExplorer: {
        "example": ("example", "text"),
        "attributes": ("attributes", "chosen"),
        "mechanism": ("mechanism", "text"),
        "parameters": ("parameters", "parts"),
        "epsilon": ("epsilon", "number"),
        "source": ("source", "position"),
        "secret": ("secret", "position"),
    },
    DependenceExplorer: {
        "example": ("example", "text"),
        "probabilities": ("model.probabilities", "list", "model.loaded"),
        "query": ("query", "text"),
        "mechanism": ("mechanism", "text"),
        "coefficient": ("coefficient", "text"),
        "known": ("known", "positions"),
        "tuple": ("tuple", "position"),
        "other": ("other", "position"),
    },
    AttackExplorer: {"victim": ("victim", "position"), "draw": ("draw", "position")},
    AnonymityExplorer: {
        "quasi": ("quasi", "positions"),
        "secret": ("secret", "position"),
        "release": ("release", "text"),
        "reading": ("reading", "text"),
    },
    NetworkExplorer: {
        "query": ("query", "text"),
        **_CHOSEN,
        "values": ("values", "positions"),
        "budgets": ("budgets", "numbers"),
    },
    StreamSimulator: {
        "start": ("chain.start", "cells"),
        "transitions": ("chain.transitions", "cells"),
        "epsilon": ("epsilon", "number"),
        "delta": ("delta", "number"),
        "seed": ("seed", "position"),
        "distance": ("distance", "text"),
        "lanes": ("lanes", "keys"),
        "speed": ("speed", "number"),
        "position": ("position", "position"),
        # What held from which step on: of the run, not of the view.
        "segments": ("", "segments"),
    },
}
_BY_NAME = {one.__name__: one for one in _SET}
#: A request moves what an earlier part of it chose; asked once more, all stands as it did.
_ROUNDS = 3
#: What constructors raise of parts that do not belong together; a `PdpError` is a ValueError.
_WRONG = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RecursionError, TraitError)

_NUMBER: Any = {"type": ["number", "string"], "pattern": "^-?(Infinity|NaN)$"}
_WHOLE: Any = {"type": "integer", "minimum": 0}
_NUMBERS: Any = {"type": "array", "items": _NUMBER}
_PLACES: Any = {"type": "array", "items": _WHOLE}
#: What a setting is, in the words of JSON Schema, and of people; for JupyterLab too.
_KINDS: Mapping[str, tuple[Mapping[str, Any], str]] = {
    "number": (_NUMBER, 'a number, "Infinity" or "NaN"'),
    "optional": ({**_NUMBER, "type": ["number", "string", "null"]}, 'a number, "Infinity", "NaN" or null'),
    "flag": ({"type": "boolean"}, "true or false"),
    "text": ({"type": "string"}, "text"),
    "position": ({**_WHOLE, "type": ["integer", "null"]}, "a whole number"),
    "positions": (_PLACES, "a list of whole numbers"),
    "chosen": (_PLACES, "a list of whole numbers"),
    "keys": ({"type": "array", "items": {"type": "string"}}, "a list of texts"),
    "parts": ({"type": ["object", "null"]}, "an object"),
    "segments": ({"type": "array", "items": {"type": "object"}}, "a list of objects"),
    "numbers": (_NUMBERS, "a list of numbers"),
    "cells": (_NUMBERS, "a list of numbers"),
    "list": (_NUMBERS, "a list of numbers"),
    "flags": ({"type": "array", "items": {**_WHOLE, "maximum": 1}}, "a list of 0 and 1"),
}


def _settable(kind: type[ComputedBeside]) -> dict[str, list[str]]:
    """Return where the settings of an explorer stand in its view, and what they are."""
    declared = {one.wire: [one.wire, _kind_of(one)] for one in kind.declared.values() if one.page is not None}
    return declared | {name: list(place) for name, place in _SET[kind].items()}


def explorers() -> dict[str, Any]:
    """Return module and settings of every explorer, for JupyterLab."""
    return {name: {"module": kind._module, "settings": _settable(kind)} for name, kind in _BY_NAME.items()}


def kinds() -> dict[str, Any]:
    """Return what a setting of each kind is, for JupyterLab."""
    return {name: {"rule": rule, "words": words} for name, (rule, words) in _KINDS.items()}


def _kind_of(one: Any) -> str:
    if "flag" in one.page or "words" in one.page:
        return "flag" if "flag" in one.page else "text"
    return "optional" if one.page.get("optional") or one.wire == "goal" else "number"


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a document, made from what the explorers declare.

    Examples
    --------
    >>> sorted(schema()["properties"])
    ['explorer', 'format', 'model', 'package', 'page', 'settings', 'version']
    """
    explorers = []
    for name, kind in _BY_NAME.items():
        settings: dict[str, Any] = {key: dict(_KINDS[place[1]][0]) for key, place in _settable(kind).items()}
        for one in kind.declared.values():
            page = one.page or {}
            if "words" in page:
                settings[one.wire] = {"enum": page["words"]}
        part = {"type": "object", "additionalProperties": False, "properties": settings}
        explorers.append({"properties": {"explorer": {"const": name}, "settings": part}})
    page = {"of": _WHOLE, "state": {"type": "string", "contentEncoding": "base64"}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Leakage document of pdp_widgets",
        "type": "object",
        "required": ["format", "version", "explorer", "model", "settings"],
        "additionalProperties": False,
        "properties": {
            "format": {"const": FORMAT},
            "version": {"const": VERSION},
            "package": {"type": "string", "description": "Version of pdp_widgets that wrote it."},
            "explorer": {"enum": list(_BY_NAME)},
            "model": {
                "type": "object",
                "description": "What the explorer is made with: keywords of its class.",
            },
            "settings": {"type": "object", "description": "What a hand set, by the names of its requests."},
            "page": {"type": "object", "required": list(page), "properties": page},
        },
        "oneOf": explorers,
    }


# What a hand set: from a view, and back to a request.


def _at(view: Any, path: str) -> Any:
    for name in path.split("."):
        view = None if view is None else view.get(name)
    return view


def _kind(explorer: Any) -> type[ComputedBeside] | None:
    return next((one for one in _SET if isinstance(explorer, one)), None)


def _settings(explorer: ComputedBeside, table: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return what a view of an explorer says of all that a hand can set."""
    view, found = explorer._view, {}
    for name, (path, kind, *given) in table.items():
        if kind == "segments":
            found[name] = _segments(explorer._core)
            continue
        value = _at(view, path)
        if value is None and kind not in ("position", "number", "optional"):
            continue
        if kind in ("cells", "list", "flags"):
            if not value or (given and value == _at(view, given[0])):
                continue
            value = np.frombuffer(value, np.uint8 if kind == "flags" else "<f8").tolist()
            if kind == "flags" and not any(value):
                continue
        elif kind == "chosen":
            value = [place for place, one in enumerate(value) if one["chosen"]]
        elif kind == "keys":
            value = [one["key"] for one in value]
        found[name] = written(value)
    return found


def _asked(
    explorer: ComputedBeside, settings: Mapping[str, Any], table: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """Return the request for what is not yet as it was set."""
    now = _settings(explorer, table)
    request: dict[str, Any] = {}
    for name, value in settings.items():
        kind = table[name][1]
        if kind != "segments" and (name not in now or now[name] != value):
            if kind == "cells":
                value = np.array(value, "<f8").tobytes()
            elif kind == "flags":
                value = np.array(value, np.uint8).tobytes()
            request[name] = value
    return request


def _is(value: Any, rule: Mapping[str, Any]) -> bool:
    """Tell whether a value is what a setting may be; the explorer says what else is wrong with it."""
    types = rule["type"] if isinstance(rule["type"], list) else [rule["type"]]
    if isinstance(value, bool) or value is None:
        return ("null" if value is None else "boolean") in types
    if isinstance(value, list):
        return "array" in types and all(_is(one, rule["items"]) for one in value)
    if isinstance(value, dict):
        return "object" in types
    if isinstance(value, str):
        return "string" in types and ("pattern" not in rule or value in ("NaN", "Infinity", "-Infinity"))
    if isinstance(value, int) and "integer" in types:
        return bool(rule.get("minimum", 0) <= value <= rule.get("maximum", value))
    return "number" in types


# What an explorer is made with.


def _of_prior(core: Any) -> dict[str, Any]:
    return {"value": core.edits.loaded, "query": core.release.given, "noun": core.asked["noun"]}


def _of_gaussian(core: Any) -> dict[str, Any]:
    if core.edits.names != core.model.names:
        raise DocumentError("The matrix that was brought in is not valid yet: mend it, and save then.")
    return {"value": core.edits._known[0], "noun": core.asked["noun"]}


def _of_local(core: Any) -> dict[str, Any]:
    return {"value": core.value if core._own is None else core._own.value, "noun": core.asked["noun"]}


def _of_dependence(core: Any) -> dict[str, Any]:
    if core.example:
        own = core.own
        made = {} if own is None else {"value": own.given, "query": own.query}
    else:
        made = {"value": core.given, "query": core.query_given}
    return {**made, "noun": core.asked["noun"]}


def _of_attack(core: Any) -> dict[str, Any]:
    network, attack = core.network, core.attack
    # The list of victims is that of the one it was opened with.
    opened = (place for place in (core.position, *core.listed) if listed_users(network, place) == core.listed)
    return {
        **({} if network == simulated_city() else {"value": network}),
        "victim": int(network.users[next(opened)]),
        "grid": attack.grid,
        "clusters": attack.clusters.k,
        "radius": attack.radius,
        "smoothing": attack.smoothing,
        "rng": core._seed,
    }


def _of_anonymity(core: Any) -> dict[str, Any]:
    # Not every table can be opened without these; what a hand set is asked for afterwards.
    sound = core.values
    return {"value": core.data, "noun": core.noun, **{name: sound[name] for name in ("quasi", "secret", "k")}}


def _of_network(core: Any) -> dict[str, Any]:
    return {"value": core.network, "query": core.query, "noun": core.asked["noun"]}


def _of_stream(core: Any) -> dict[str, Any]:
    script = core.script
    # Of those that hold one after the other the first: so has it the page.
    value = script.segments[0].chain
    states = value.states
    return {
        "value": value,
        "data": None
        if script.data is None
        else [states[code] for code in script.data[: script.steps].tolist()],
        "text": core.text,
        "note": core.note,
        "distance": "hamming" if core.distance is None else core.distance,
    }


def _segments(core: Any) -> list[dict[str, Any]]:
    """Return budget and chain from which step on, without a chain that is the given one."""
    found = []
    given = core.script.segments[0].chain
    for one in core.script.segments:
        chain = one.chain
        moved = (
            {}
            if chain == given
            else {"start": chain.start.tolist(), "transitions": chain.transitions.tolist()}
        )
        early = {"early": chain.early.tolist()} if moved and chain.early is not None else {}
        found.append({"first": one.first, "epsilon": written(one.epsilon), **moved, **early})
    return found


_MADE_WITH: Mapping[type[ComputedBeside], Callable[[Any], dict[str, Any]]] = {
    PriorExplorer: _of_prior,
    GaussianExplorer: _of_gaussian,
    LocalExplorer: _of_local,
    DependenceExplorer: _of_dependence,
    AttackExplorer: _of_attack,
    AnonymityExplorer: _of_anonymity,
    NetworkExplorer: _of_network,
    StreamSimulator: _of_stream,
}


def _stream(
    settings: Mapping[str, Any],
    value: Any,
    data: Any = None,
    text: str = "",
    note: str = "",
    distance: Any = "hamming",
) -> StreamSimulator:
    """Return a simulator that was edited while it ran, as it was edited."""
    position = settings.get("position") or 0
    segments = settings.get("segments") or [{"first": 1, "epsilon": settings.get("epsilon", 1.0)}]

    def chain(one: Mapping[str, Any]) -> Any:
        parts = {name: part for name, part in one.items() if name in ("start", "transitions", "early")}
        return restored({"type": "MarkovChain", "states": value.states, **parts}) if parts else value

    made = StreamSimulator(
        chain(segments[0]),
        segments[0]["epsilon"],
        settings.get("lanes"),
        position,
        distance=distance,
        data=data,
        rng=settings.get("seed", 0),
    )
    core = made._core

    def edit() -> None:
        for one in segments[1:]:
            core.accept({"position": one["first"] - 1})
            core._set_chain(chain(one))
            core._set_epsilon(one["epsilon"])
        core.accept({"position": position})
        core.text, core.note = str(text), str(note)

    made._step(edit)
    return made


# Documents.


def _document(explorer: PdpWidget) -> dict[str, Any]:
    kind = _kind(explorer)
    if kind is None or not isinstance(explorer, ComputedBeside):
        raise DocumentError(
            f"A document holds an explorer; this is a {type(explorer).__name__}. Explorers are "
            f"{', '.join(_BY_NAME)}.",
            Where("parameter", name="path"),
        )
    with LOCK:
        given = {name: one for name, one in _MADE_WITH[kind](explorer._core).items() if one is not None}
        settings, state = _settings(explorer, _settable(kind)), explorer._page_state()
    model = {name: written(one, name) for name, one in given.items()}
    return {
        "format": FORMAT,
        "version": VERSION,
        "package": __version__,
        "explorer": kind.__name__,
        "model": model,
        "settings": settings,
        "page": packed(model, state),
    }


def document_text(explorer: PdpWidget) -> str:
    """Return the document of an explorer; DocumentError for one that would be too long to be read again."""
    text = literal(_document(explorer)) + "\n"
    if len(text) > MOST:
        raise DocumentError(
            f"The document would have {len(text):,} characters, and at most {MOST:,} are read. Save a model "
            "of fewer tuples or records, or the results."
        )
    return text


def python_text(explorer: PdpWidget) -> str:
    """Return a cell of Python that makes the explorer again as it is."""
    return f"import pdp_widgets as pdp\n\npdp.open({literal(python_parts(explorer), python=True)})\n"


def python_parts(explorer: PdpWidget) -> dict[str, Any]:
    """Return what `open` makes the explorer again of."""
    return {name: one for name, one in _document(explorer).items() if name != "page"}


def save_document(explorer: PdpWidget, path: str | os.PathLike[str]) -> Path:
    """Write the document of an explorer; a file that is there is replaced, as a whole or not at all."""
    target = Path(path)
    check_place(target)
    explorer._state()
    write_whole(target, document_text(explorer).encode())
    return target


def open(source: str | os.PathLike[str] | Mapping[str, Any]) -> Any:
    """Return the explorer of a leakage document, as it was saved, or a value that a report names.

    Parameters
    ----------
    source
        The path of a file ``NAME.leakage.json``, as ``explorer.save`` and JupyterLab write it; or what such a
        file holds, as a dict: "Copy as Python" gives a cell with one. A dict with a ``"type"`` alone is a
        value, such as a `JointDistribution`, as the cell of a report has it.

    Returns
    -------
    PriorExplorer or another explorer, or a value
        With the numbers that it had, to the last digit. What was wrong in a control when it was saved is
        wrong again, and ``error`` says so.

    Raises
    ------
    DocumentError
        It is no document, or one of a newer version, or something in it is wrong; the message names line and
        place. No code in a document is run, and it can name no other file.
    OSError
        The file cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> import pdp_widgets as pdp
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pdp.PriorExplorer(pdp.lsat6(), scale=2.0).save(f"{folder}/lsat.leakage.json")
    ...     print(pdp.open(path).results.largest)
    0.732321 nats (exact): item 1, knowing none
    """
    if isinstance(source, Mapping) and "type" in source and "format" not in source:
        try:
            return restored(dict(source))
        except _WRONG as error:
            raise DocumentError(f"This is no {shown(source['type'])}: {error}") from None
    if isinstance(source, Mapping):
        return _opened(source, None)
    if not isinstance(source, str | os.PathLike):
        raise TypeError(f"The document is a {type(source).__name__}; give the path of a file, or a dict.")
    size = os.stat(source).st_size
    if size > 4 * MOST:
        raise DocumentError(f"{os.fspath(source)!r} has {size:,} bytes; at most {4 * MOST:,} are read.")
    try:
        text = Path(source).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise DocumentError(
            f"{os.fspath(source)!r} is no text in UTF-8: {error.reason} at byte {error.start}."
        ) from None
    return opened(text)


def opened(text: str, *, wait: bool = True) -> ComputedBeside:
    """Return the explorer of the text of a document."""
    return _opened(parsed(text), text, wait=wait)


def answer_text(explorer: PdpWidget, asked: Mapping[str, Any]) -> None:
    """Send the document, or the cell of Python, to the view that asked for it."""
    write = python_text if asked.get("python") else document_text
    answer: dict[str, Any] = {"asked": asked.get("asked")}
    try:
        answer["text"] = write(explorer)
    except PdpError as error:
        answer["fault"] = error.plain
    explorer.send({"written": answer})


def _opened(document: Any, text: str | None, *, wait: bool = True) -> ComputedBeside:
    fault = partial(fault_at, text)
    if not isinstance(document, Mapping) or document.get("format") != FORMAT:
        raise fault((), f'this is no leakage document; one begins with "format": "{FORMAT}".')
    version = document.get("version")
    if type(version) is not int or version < 1:
        raise fault(("version",), f"it is {shown(version)}; this is version {VERSION}.")
    if version > VERSION:
        newer = shown(document.get("package"))
        raise fault(
            ("version",),
            f"it is {version}, of pdp_widgets {newer}; pdp_widgets {__version__} reads {VERSION}.",
        )
    name: Any = document.get("explorer")
    model: Any = document.get("model")
    settings: Any = document.get("settings")
    if not isinstance(name, str) or name not in _BY_NAME:
        raise fault(("explorer",), f"it is {shown(name)}; it is one of {', '.join(_BY_NAME)}.")
    kind = _BY_NAME[name]
    for part, held in (("model", model), ("settings", settings)):
        if not isinstance(held, Mapping):
            raise fault((part,), f"it is {shown(held)}; it is an object with names.")
    table = _settable(kind)
    for key, value in settings.items():
        if key not in table:
            raise fault(("settings", key), f"{name} has no such setting; it has {', '.join(table)}.")
        rule, words = _KINDS[table[key][1]]
        if not _is(value, rule):
            raise fault(("settings", key), f"it is {shown(value)}; it is {words}.")
    given: dict[str, Any] = {}
    for key, held in model.items():
        # Text would be taken for the name of a file, where one is read.
        if key == "value" and not (isinstance(held, Mapping) and "type" in held):
            raise fault(("model", key), f"it is {shown(held)}; it is an object with a type.")
        try:
            given[key] = restored(held)
        except _WRONG as error:
            raise fault(("model", key), str(error)) from None
    try:
        if isinstance(given.get("rng"), str):
            given["rng"] = int(given["rng"])
        explorer = _stream(settings, **given) if kind is StreamSimulator else kind(**given)
        for _ in range(_ROUNDS):
            request = _asked(explorer, settings, table)
            if not request:
                break
            explorer._step(partial(explorer._answer, request))
    except _WRONG as error:
        where = error.where.name if isinstance(error, PdpError) and error.where is not None else None
        held_in = [name for name in ("settings", "model") if where in document[name]]
        raise fault((held_in[0], where) if held_in and where else ("model",), str(error)) from None
    if wait and explorer._core.running is not None and not getattr(explorer._core, "present", False):
        explorer.wait()
    return explorer
