"""Every public value: compared, hashed and pickled like any other value, and not to be changed in place.

The values are those that the examples of the documentation make, with all that these hold.
"""

import ast
import dataclasses
import doctest
import importlib
import inspect
import io
import math
import pickle
import pkgutil
import re
import warnings
from collections.abc import Mapping
from contextlib import redirect_stdout, suppress
from functools import cache
from itertools import chain

import numpy as np
import pytest

import pdp_widgets
from pdp_widgets.core.chart import Cells, Chart
from pdp_widgets.errors import DomainError, PdpError, Where
from pdp_widgets.leakage.number_table import NumberTable
from tests.names import PUBLIC


def _public(cls):
    return isinstance(cls, type) and not issubclass(cls, BaseException) and ".widgets" not in cls.__module__


CLASSES = sorted(name for name, found in PUBLIC.items() if _public(found) and not inspect.isabstract(found))
ARRAYS = re.compile("Floats|Ints|Flags|Numbers|NDArray|ndarray")
#: How many of each kind are looked at.
EACH = 2


class _Kept(ast.NodeTransformer):
    """Makes every call and every attribute in an example leave its value with the test."""

    def _keep(self, node):
        self.generic_visit(node)
        return ast.copy_location(ast.Call(ast.Name("_keep", ast.Load()), [node], []), node)

    visit_Call = _keep

    def visit_Attribute(self, node):
        return self._keep(node) if isinstance(node.ctx, ast.Load) else node


def _examples():
    """Return every value that a call in an example makes."""
    made = []

    def keep(value):
        made.append(value)
        return value

    for name, documented in sorted(PUBLIC.items()):
        if not _public(documented) and not inspect.isfunction(documented):
            continue
        module = importlib.import_module(documented.__module__)
        for test in doctest.DocTestFinder(recurse=False).find(documented, name, module=False):
            space = {**vars(module), "_keep": keep}
            with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
                warnings.simplefilter("ignore")
                for example in test.examples:
                    tree = ast.fix_missing_locations(_Kept().visit(ast.parse(example.source)))
                    exec(compile(tree, name, "exec"), space)
    return made


def _parts(value):
    if isinstance(value, tuple | list):
        yield from value
    elif isinstance(value, Mapping):
        yield from value.values()
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from (getattr(value, field.name) for field in dataclasses.fields(value))


@cache
def _found():
    names = {PUBLIC[name]: name for name in CLASSES}
    found = {name: [] for name in CLASSES}
    found["Where"] = [Where("cell", index=(0, 1), name="x")]
    seen, waiting = set(), _examples()
    kept = list(waiting)
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        kept.append(value)
        if (name := names.get(type(value))) is not None and len(found[name]) < EACH:
            found[name].append(value)
        waiting.extend(_parts(value))
    return found


@pytest.fixture(params=CLASSES)
def values(request):
    found = _found()[request.param]
    assert found, f"no example makes a {request.param}"
    return found


def test_values_are_compared_and_hashed(values):
    for value in values:
        assert (value == value) is True
        assert (value != value) is False
        assert (value == object()) is False
        assert hash(value) == hash(value)


def test_values_are_pickled(values):
    for value in values:
        again = pickle.loads(pickle.dumps(value))
        _refuse_changes(again)
        assert type(again) is type(value)
        same = again == value
        assert isinstance(same, bool)
        if same:
            assert hash(again) == hash(value)
        assert repr(again) == repr(value) or " object at 0x" in repr(value)


def _state(value):
    """Yield names and what they stand for: fields, properties and what is kept."""
    names = {name for name in dir(value) if not name.startswith("_")}
    for name in sorted(names):
        if callable(inspect.getattr_static(value, name, None)):
            continue
        try:
            yield name, getattr(value, name)
        except (PdpError, ImportError):
            continue


def test_values_cannot_be_changed_in_place(values):
    for value in values:
        _refuse_changes(value)


def _refuse_changes(value):
    for name, part in _state(value):
        if isinstance(part, np.ndarray) and part.size:
            # What is made anew each time may be changed.
            assert not (part.flags.writeable and np.shares_memory(part, getattr(value, name))), name
        elif isinstance(part, list | dict | set):
            assert getattr(value, name) is not part, name


def _modules():
    for part in ("models", "mechanisms", "leakage"):
        package = importlib.import_module(f"pdp_widgets.{part}")
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            yield importlib.import_module(found.name)


def test_no_dataclass_compares_arrays_with_one_another():
    """The comparison and the hash that dataclasses make raise where a field is an array."""
    wrong = []
    for module in _modules():
        for cls in vars(module).values():
            if not isinstance(cls, type) or cls.__module__ != module.__name__:
                continue
            if not dataclasses.is_dataclass(cls):
                continue
            kinds = {field.name: str(field.type) for field in dataclasses.fields(cls)}
            fields = [field.name for field in dataclasses.fields(cls) if field.compare]
            arrays = [name for name in fields if ARRAYS.search(kinds[name])]
            made = cls.__eq__.__code__.co_filename == "<string>" if cls.__eq__ is not object.__eq__ else False
            if arrays and made:
                wrong.append((module.__name__, cls.__name__, arrays))
    assert wrong == []


def _results():
    """Return the public classes of results: what the leakage floor offers."""
    return [name for name in CLASSES if ".leakage." in PUBLIC[name].__module__]


def _offers(name, *methods):
    return all(callable(getattr(PUBLIC[name], method, None)) for method in methods)


def test_what_is_drawn_is_saved_and_handed_on():
    """Who sees a figure wants it in a paper, and its numbers too."""
    drawn = [name for name in CLASSES if _offers(name, "plot") or _offers(name, "save")]
    assert len(drawn) >= 14
    assert [name for name in drawn if not _offers(name, "save", "to_dataframe", "to_latex")] == []


def test_results_that_are_tables_are_handed_on():
    tables = [name for name in _results() if _offers(name, "to_dataframe") or _offers(name, "to_latex")]
    assert len(tables) >= 20
    assert [name for name in tables if not _offers(name, "to_dataframe", "to_latex")] == []
    columns = {
        name: [f.name for f in dataclasses.fields(cls) if f.type in ("Floats", "NDArray[np.float64]")]
        for name in _results()
        if dataclasses.is_dataclass(cls := PUBLIC[name])
    }
    assert {name for name, arrays in columns.items() if len(arrays) > 1} <= set(tables)


def test_numbers_that_stand_alone_say_what_they_are():
    pair = pdp_widgets.examples.agreeing_bits(0.9)
    step = pdp_widgets.ConditionalResponse(1.0).channel([0.7, 0.3])
    chain, asked = pdp_widgets.MarkovChain.symmetric(0.2), pdp_widgets.ConditionalResponse(1.0)
    pairs, stream = (
        ask(chain, asked, 2) for ask in (pdp_widgets.streams.pointwise_leakages, pdp_widgets.sequence_leakage)
    )
    found = [
        pdp_widgets.dependent.dependent_scale(pair, "sum", 1.0),
        pdp_widgets.DependenceAnalysis(pair).scale,
        pdp_widgets.dependent.dependence_coefficients(pair, 1.0),
        pdp_widgets.streams.local_level(step.matrix),
        *(step.leakage, step.upper, step.lower),
        pdp_widgets.prior_leakage(*_sum_of_two(), 0),
        *vars(pdp_widgets.streams.compare_levels(step.matrix, step.belief)).values(),
        *vars(pdp_widgets.streams.mismatched_prior(step.matrix, step.belief, [0.5, 0.5])).values(),
        *(lift := pdp_widgets.streams.log_lift(step.matrix, step.belief), *vars(lift).values()),
        *(pairs.upper, pairs.lower, pairs.local_level, pairs.mutual_information),
        *(stream.upper, stream.lower, stream.local_level),
        pdp_widgets.streams.TemporalResponse(1.0, chain.transitions).local_level,
        pdp_widgets.streams.SafeTemporalResponse(1.0, chain.transitions).local_level,
    ]
    for one in found:
        assert one.unit
        assert one.source
        assert one.status == "exact"
        again = pickle.loads(pickle.dumps(one))
        assert again == one
        assert (again.unit, again.status, again.source) == (one.unit, one.status, one.source)
    scale = found[0]
    assert type(scale + 0) is type(scale.value) is float
    with pytest.raises(AttributeError):
        scale.status = "bound"


def test_a_graph_says_whose_numbers_it_has():
    joint, mechanism = _sum_of_two()
    model = pdp_widgets.GaussianModel([0.0, 0.0], [[1.0, 0.3], [0.3, 1.0]])
    bins = pdp_widgets.VectorLaplaceMechanism(pdp_widgets.HistogramQuery.of_labels(joint), 1)
    for analysis in (
        pdp_widgets.PriorAnalysis(joint, mechanism),
        pdp_widgets.prior.HistogramAnalysis(joint, bins),
        pdp_widgets.GaussianAnalysis(model, scale=1.0),
    ):
        graph, source = analysis.graph(), analysis.to_dataframe().attrs["source"]
        again = pdp_widgets.WeightedHierarchicalGraph.from_networkx(graph.to_networkx())
        for one in (graph, again, pickle.loads(pickle.dumps(graph))):
            assert one.source == one.to_dataframe().attrs["source"] == source
    given = pdp_widgets.WeightedHierarchicalGraph(["a"], [[1.0]], 1.0)
    assert given.to_dataframe().attrs["source"] == "given numbers"


def _sum_of_two():
    joint = pdp_widgets.JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    return joint, pdp_widgets.LaplaceMechanism(pdp_widgets.LinearQuery.sum(joint), 1)


@pytest.mark.parametrize("name", [name for name in CLASSES if _offers(name, "to_latex")])
def test_tables_hold_the_numbers_and_what_they_are(name):
    """Every table of every example has rows of numbers, and refuses what it has not."""
    for value in _found()[name]:
        frame, made = value.to_dataframe(), value.to_latex()
        assert len(frame)
        assert made.startswith("% \\usepackage{booktabs}")
        assert made.count("{") == made.count("}")
        body = made.split("\\midrule\n")[1].split("\\bottomrule")[0]
        assert any(sign.isdigit() for sign in body)
        assert "nan" not in body
        if name in _results():
            assert frame.attrs["unit"]
            assert frame.attrs["source"]
            assert frame.attrs["status"] or "status" in frame.columns
        # A status is that of a column that is there.
        assert set(frame.attrs.get("status", {})) <= {*frame.columns, "leakage"}
        if isinstance(value, NumberTable):
            columns = list(frame.columns)
            assert value.to_latex(columns[0]).count(" & ") == 0
            assert len(value.to_latex(columns, most=1)) > 0
            with pytest.raises(DomainError, match="There is no column 'amount'; there are"):
                value.to_latex(["amount"])
            with pytest.raises(DomainError, match="most is 0; it must be a whole number, 1 or more"):
                value.to_latex(most=0)


@pytest.mark.parametrize("name", [name for name in CLASSES if _offers(name, "save")])
def test_figures_of_every_example_are_files(name, tmp_path):
    for value in _found()[name][:1]:
        saved = value.save(tmp_path / "figure.svg", width="page").read_text(encoding="utf-8")
        assert saved.startswith("<svg")
        assert "<title>" in saved
        assert "NaN" not in saved
        assert "nan" not in re.sub("<(title|desc)>.*?</\\1>", "", saved)


@pytest.mark.parametrize("name", [name for name in CLASSES if _offers(name, "_repr_html_")])
def test_a_notebook_shows_every_example_with_its_numbers(name):
    assert [method for method in ("plot", "save") if not _offers(name, method)] == []
    for value in _found()[name]:
        shown = value._repr_html_()
        # What cannot be drawn is refused in words by `save` too; a notebook then has the text.
        if shown is None:
            with pytest.raises(PdpError):
                next(iter(value._figures().values()))()
            continue
        assert 'src="data:image/svg+xml;base64,' in shown
        assert "<table>" in shown
        assert "nan" not in re.sub("<[^>]*>", " ", shown).lower().split()


@pytest.mark.parametrize("name", [name for name in CLASSES if _offers(name, "plot")])
def test_plots_of_every_example_show_all_that_is_declared(name):
    for value in _found()[name]:
        plotted = value.plot()
        for figure in getattr(plotted, "children", [plotted]):
            kinds = {type(mark).__name__ for mark in figure.marks}
            if isinstance(figure.declaration, Cells):
                assert "GridHeatMap" in kinds
                continue
            legend = {text for mark in figure.marks if mark.display_legend for text in mark.labels}
            seen = [one for one in figure.declaration.series if one.name and np.isfinite(one.x + one.y).any()]
            assert {one.name for one in seen if len(one.name) <= 60} <= legend


def _amounts(value, deep=3):
    """Yield the numbers that a result holds, in its table, its fields and theirs."""
    if isinstance(value, np.ndarray):
        yield from value.astype(float).ravel().tolist() if value.dtype.kind in "biuf" else ()
    elif isinstance(value, int | float | np.number):
        yield float(value) if abs(value) < 1e300 else math.inf
    elif isinstance(value, str) or deep < 0:
        return
    elif isinstance(value, tuple | list | Mapping):
        for part in _parts(value):
            yield from _amounts(part, deep - 1)
    elif type(value).__module__.startswith("pdp_widgets"):
        if callable(getattr(value, "to_dataframe", None)):
            frame = value.to_dataframe()
            yield from _amounts([frame[name].to_numpy() for name in frame], deep)
        for _, part in _state(value):
            yield from _amounts(part, deep - 1)


#: What a picture shows of a result that it does not hold but works out when asked.
WORKED_OUT = {
    "DrawnAttacks": lambda one: [one.incremental / math.log(2), np.arange(one.draws + 1) / one.draws],
    "PriorAnalysis": lambda one: [
        (worst := one.adversary(one.graph().largest.target, one.graph().largest.known)).prior,
        worst.posterior([worst.leakage.attained.r]),
    ],
}


def _charts(value):
    drawn = [value.plot().declaration] if _offers(type(value).__name__, "graph") else []
    for make in value._figures().values():
        with suppress(PdpError):
            made = make()
            drawn += made if isinstance(made, list | tuple) else [made]
    # Places on a map are counted from its corner.
    return [one for one in drawn if isinstance(one, Chart) and not one.equal]


@pytest.mark.parametrize("name", [name for name in CLASSES if _offers(name, "save")])
def test_what_stands_in_a_table_is_a_number_of_the_result(name):
    """Also where marks are moved aside to be seen; a line is drawn through more points than are held."""
    for value in _found()[name]:
        held = [0.0, *_amounts(value), *_amounts(WORKED_OUT.get(name, lambda _: ())(value))]
        for chart in _charts(value):
            for series in chart.series:
                told = series.told or series
                if told.mark == "line" and told is series:
                    continue
                points = [(told.x, told.y), *([] if told.corners is None else [told.corners])]
                for kind, place in zip((chart.x, chart.y) * len(points), chain(*points), strict=True):
                    seen = 10.0**place if kind.powers else place
                    seen = seen[np.isfinite(seen)]
                    known = np.array(range(len(kind.names)) or held, dtype=float)
                    near = np.isclose(seen[:, None], known, rtol=1e-9, atol=0).any(axis=1)
                    near |= kind.whole & (seen == np.rint(seen))
                    assert near.all(), (chart.title, series.name, seen[~near])
