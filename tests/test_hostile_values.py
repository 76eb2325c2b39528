"""What no public call takes: NaN, imaginary parts, words for flags, counts without end; what all take alike.

The calls are those of the documentation's examples, each with one argument at a time put in place of its own.
An answer is an error of ours in words or a right result: never a NaN, a warning of numpy, a fault of Python's
own, or half a minute.
"""

import ast
import copy
import dataclasses
import doctest
import importlib
import inspect
import io
import time
import warnings
from contextlib import redirect_stdout
from functools import cache

import numpy as np
import pandas as pd

from pdp_widgets.errors import DomainError, PdpError
from tests.names import PUBLIC

#: Seconds of one call on a machine that does much else.
LONGEST = 30.0
#: Whose numbers nobody checks: what results are made of, by ourselves.
RECORDS = (
    "About",
    "KnownCurve",
    "AboutSecret",
    "AboutSteps",
    "SlackCurve",
    "MicrodataColumn",
    "SequenceInformation",
)
#: Where NaN stands for a missing value, and is taken.
MISSING = ("Bins", "grid_cells", "quantised", "Microdata")

#: What is left, and the fault that it is: a generator of random numbers that is not used is not looked at.
LEFT = {"syntactic_sensitivity(rng=": "taken"}
#: Where True and False are labels, equal to 1 and 0, or say what counts; and where rows differ in length.
FLAGS = ("contributions", "history", "instance", "row", "support", "values", "values_i")
RAGGED = ("LinearQuery",)


class _Called(ast.NodeTransformer):
    """Makes every call in an example leave function and arguments with the test."""

    def visit_Call(self, node):
        self.generic_visit(node)
        called = [node.func, *node.args]
        return ast.copy_location(ast.Call(ast.Name("_called", ast.Load()), called, node.keywords), node)


def _name(function):
    owner = getattr(function, "__self__", None)
    kind = owner if isinstance(owner, type) else type(owner)
    return function.__name__ if owner is None else f"{kind.__name__}.{function.__name__}"


def _is_ours(function):
    if isinstance(function, type) and dataclasses.is_dataclass(function):
        return hasattr(function, "__post_init__") and function.__module__.startswith("pdp_widgets")
    return (getattr(function, "__module__", None) or "").startswith("pdp_widgets")


@cache
def _calls():
    """Return the first call of every public function, class and method in the examples, by name."""
    found = {}

    def called(function, *args, **named):
        if _is_ours(function) and not function.__name__.startswith("_"):
            found.setdefault(_name(function), (function, copy.deepcopy(args), copy.deepcopy(named)))
        return function(*args, **named)

    for name, documented in sorted(PUBLIC.items()):
        if not callable(documented) or ".widgets" in documented.__module__:
            continue
        module = importlib.import_module(documented.__module__)
        for test in doctest.DocTestFinder().find(documented, name, module=module):
            space = {**vars(module), "_called": called}
            with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
                warnings.simplefilter("ignore")
                for example in test.examples:
                    tree = ast.fix_missing_locations(_Called().visit(ast.parse(example.source)))
                    exec(compile(tree, name, "exec"), space)
    return {name: call for name, call in found.items() if name.split(".")[0] not in RECORDS}


def _is_number(value):
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def _numbers(value):
    try:
        array = np.asarray(value) if isinstance(value, list | np.ndarray) else np.empty(0)
    except ValueError:
        return None
    return array.astype(float) if array.size and array.dtype.kind in "iuf" else None


def _left(fault):
    return any(fault.startswith(start) and fault.endswith(end) for start, end in LEFT.items())


def _wrong(value):
    """Yield what is put in place of a value, and whether it must be refused."""
    if isinstance(value, bool):
        yield from ((word, True) for word in ("False", 0, 2.0, np.array([True, False])))
    elif _is_number(value):
        yield from (
            (number, True)
            for number in (
                np.nan,
                complex(value, 1),
                np.complex64(complex(value, 1)),
                "1",
                True,
                np.array(True),
            )
        )
        yield from ((count, False) for count in (2**31, 2**63, 10**30, 10**400, 1.7e308))
    elif (numbers := _numbers(value)) is not None:
        first = np.zeros(numbers.shape)
        first.flat[0] = 1
        yield from ((with_one, True) for with_one in (numbers + 1j * first, (numbers + 1j * first).tolist()))
        yield np.where(first, np.nan, numbers), True
        yield first == 1, True
        yield [[1], [1, 2]], True
        yield np.full(numbers.shape, 1e308), False


def _has_nan(value, depth=0):
    if isinstance(value, float | np.floating):
        return value != value
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "fc" and bool(np.isnan(value).any())
    if isinstance(value, list | tuple):
        return any(_has_nan(part, depth) for part in value[:50])
    if dataclasses.is_dataclass(value) and not isinstance(value, type) and depth < 3:
        return any(_has_nan(getattr(value, f.name), depth + 1) for f in dataclasses.fields(value))
    return False


def _answer(function, bound, name, value):
    """Return a result or an error of ours; everything else is raised."""
    arguments = copy.deepcopy(bound.arguments) | {name: value}
    given = inspect.BoundArguments(
        bound.signature, {p: arguments[p] for p in bound.signature.parameters if p in arguments}
    )
    begun = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UserWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            result = function(*given.args, **given.kwargs)
        except PdpError as refused:
            result = refused
        except TypeError as refused:
            # The house's words for an object of another kind, such as a chain where a table is due.
            if "; give" not in str(refused):
                raise
            result = DomainError(str(refused))
    assert time.process_time() - begun < LONGEST
    return result


def _asked():
    for name, (function, args, named) in sorted(_calls().items()):
        try:
            bound = inspect.signature(function).bind(*args, **named)
        except (TypeError, ValueError):
            continue
        bound.apply_defaults()
        for parameter, of in bound.signature.parameters.items():
            if of.kind in (of.VAR_KEYWORD, of.VAR_POSITIONAL):
                continue
            yield name, function, bound, parameter


def _same(got, wanted):
    """Whether two results are equal: arrays in all their numbers, records in what they show."""
    if isinstance(got, np.ndarray):
        return np.array_equal(got, wanted, equal_nan=got.dtype.kind in "fc")
    if isinstance(got, list | tuple):
        return len(got) == len(wanted) and all(map(_same, got, wanted))
    if isinstance(got, pd.DataFrame | pd.Series):
        return got.equals(wanted)
    if type(got).__repr__ is object.__repr__ or repr(got) == repr(wanted):
        return True
    return bool(got == wanted)


def test_wrong_values_are_refused_in_words_by_every_public_call():
    assert len(_calls()) > 400
    faults = []
    for name, function, bound, parameter in _asked():
        value = bound.arguments[parameter]
        for wrong, refused in _wrong(value):
            told = f"{name}({parameter}={wrong!r})"[:120]
            try:
                answer = _answer(function, bound, parameter, wrong)
            except Exception as fault:
                faults.append(f"{told}: {type(fault).__name__}: {fault}"[:220])
                continue
            if isinstance(answer, PdpError):
                continue
            nan_is_missing = name.split(".")[0] in MISSING
            flags = parameter in FLAGS and isinstance(wrong, np.ndarray) and wrong.dtype.kind == "b"
            ragged = name in RAGGED and isinstance(wrong, list) and wrong == [[1], [1, 2]]
            if refused and not nan_is_missing and not flags and not ragged:
                faults.append(f"{told}: taken")
            elif _has_nan(answer) and not _has_nan(_answer(function, bound, parameter, value)):
                faults.append(f"{told}: NaN")
    assert [fault for fault in faults if not _left(fault)] == []


def _alike(value):
    """Yield the same numbers as other types have them, beside those that Python computes with."""
    if _is_number(value) and not isinstance(value, int | np.integer):
        yield np.float16(value), float(np.float16(value))
        yield np.longdouble(value), float(value)
    elif _is_number(value) and 0 <= value < 100:
        yield np.uint8(value), int(value)
        # Its square is none of that type.
        yield np.uint8(16), 16
    elif (numbers := _numbers(value)) is not None:
        half = numbers.astype(np.float16)
        yield half, half.astype(float)
        yield numbers.astype(np.longdouble), numbers
        if np.asarray(value).dtype.kind == "i" and numbers.min() >= 0 and numbers.max() < 100:
            yield np.asarray(value, dtype=np.uint8), np.asarray(value)
        if numbers.ndim == 1:
            yield pd.Series(np.asarray(value)), np.asarray(value)


def test_numbers_of_every_type_give_the_same():
    """A small float is converted before anything is computed, and an unsigned code is a code."""
    faults = []
    for name, function, bound, parameter in _asked():
        for given, same in _alike(bound.arguments[parameter]):
            told = f"{name}({parameter}={given!r})"[:120]
            try:
                got, wanted = (_answer(function, bound, parameter, one) for one in (given, same))
            except Exception as fault:
                faults.append(f"{told}: {type(fault).__name__}: {fault}"[:220])
                continue
            if isinstance(got, PdpError) or isinstance(wanted, PdpError):
                if type(got) is not type(wanted):
                    faults.append(f"{told}: {got}, not {wanted}"[:220])
            elif not _same(got, wanted):
                faults.append(f"{told}: {got!r}, not {wanted!r}"[:220])
    assert [fault for fault in faults if not _left(fault)] == []
