"""What importing the package costs and loads, the floors, and the examples in the documentation."""

import ast
import doctest
import importlib
import json
import pkgutil
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FunctionType

import pytest

import pdp_widgets
from tests.names import PUBLIC, TOPICS, of_topic

ROOT = Path(__file__).parents[1]


def python(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


HEAVY = [
    "ipywidgets",
    "anywidget",
    "traitlets",
    "bqplot",
    "networkx",
    "pandas",
    "scipy",
    "IPython",
    "polars",
    "narwhals",
]


def loaded_after(code):
    return set(json.loads(python(f"{code}\nimport sys, json; print(json.dumps(sorted(sys.modules)))")))


def test_importing_the_package_loads_nothing_else():
    modules = loaded_after("import pdp_widgets")
    assert not modules & {*HEAVY, "numpy"}


def test_computing_stays_free_of_notebooks():
    code = """
from pdp_widgets import JointDistribution, LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6, titanic
joint = lsat6(); titanic()
analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1.0))
analysis.paper, analysis.largest, analysis.graph(with_paper=True)
"""
    assert not loaded_after(code) & set(HEAVY)


def test_lists_are_read_without_a_library_of_frames():
    code = """
from pdp_widgets import AttributeTable, JointDistribution, Microdata, StreamData
columns = {"who": ["Ann", "Bob"], "ill": [True, False], "many": [1, 2]}
for read in (AttributeTable.from_dataframe, JointDistribution.from_dataframe, Microdata):
    read(columns, weight="many")
StreamData.from_dataframe(columns, "who", time="many")
"""
    assert not loaded_after(code) & {"narwhals", "pandas", "polars", "pyarrow"}


def test_import_takes_less_than_0_15_s():
    code = "import time; t = time.process_time(); import pdp_widgets; print(time.process_time() - t)"
    # Computing time, the best of five: the machine may be busy, the package is not allowed to be.
    assert min(float(python(code)) for _ in range(5)) < 0.15


def test_every_exported_name_exists():
    for name in pdp_widgets.__all__:
        assert getattr(pdp_widgets, name) is not None
    assert set(pdp_widgets.__all__) <= set(dir(pdp_widgets))
    # What a first week needs, and no more.
    assert len(dir(pdp_widgets)) <= 100


def test_every_exported_name_is_typed():
    """What type checkers read and what Python looks up are one list."""
    tree = ast.parse(Path(pdp_widgets.__file__).read_text(encoding="utf-8"))
    typed = [
        (node.module.removeprefix("pdp_widgets."), alias.name, alias.asname)
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    topics = [name for module, name, _ in typed if module == "pdp_widgets"]
    # With a star nobody wants Python's own `open` replaced.
    assert sorted([*pdp_widgets.__all__, "open", *topics]) == sorted(dir(pdp_widgets))
    homes = [(module, name, name) for module, names in pdp_widgets._HOMES.items() for name in names]
    assert sorted(homes) == sorted(found for found in typed if found[0] != "pdp_widgets")


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_is_a_map_of_what_it_lists(topic):
    module = importlib.import_module(f"pdp_widgets.{topic}")
    said = set(re.findall(r"`(\w+)`", module.__doc__))
    widgets = {name for name, value in PUBLIC.items() if ".widgets" in getattr(value, "__module__", "")}
    assert said - widgets - {"pdp_widgets"} == set(of_topic(topic))
    for name, value in of_topic(topic).items():
        assert getattr(pdp_widgets, name, value) is value


def test_what_the_package_offers_is_at_the_top_or_in_a_topic():
    """Nothing with a docstring of its own is found by its file alone."""
    assert {"leakage_interval", "LeakageIntervals", "count_slack", "CheckIns", "Where"} <= set(PUBLIC)
    assert len(PUBLIC) > 330


def test_names_are_the_same_objects_wherever_imported():
    from pdp_widgets.models.joint_distribution import JointDistribution

    assert pdp_widgets.JointDistribution is JointDistribution


def test_examples_have_a_name_of_their_own():
    import pdp_widgets as pdp

    assert pdp.examples.parity().names == ("bit 1", "bit 2", "parity")
    assert "examples" in dir(pdp)
    assert doctest.testmod(pdp.examples).failed == 0
    assert all(callable(getattr(pdp.examples, name)) for name in pdp.examples.__all__)
    # Bare words that say nothing at the top, and would be taken for others there.
    assert not {"chain", "identical_attributes", "collider", "parity"} & set(dir(pdp))


def test_unknown_name():
    with pytest.raises(AttributeError, match="no attribute 'Explorer'"):
        pdp_widgets.Explorer  # noqa: B018


def test_the_version_is_that_of_the_distribution():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert pdp_widgets.__version__ == project["version"]


def test_typed_marker_and_data_are_in_the_package():
    folder = Path(pdp_widgets.__file__).parent
    assert (folder / "py.typed").exists()
    note = (folder / "data" / "README.md").read_text(encoding="utf-8")
    for name in ("lsat6.csv", "titanic.csv", "vectors/pdp.json"):
        assert (folder / "data" / name).exists()
        assert name in note


def test_a_floor_imports_only_from_floors_below_it():
    done = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


def modules():
    listed = pkgutil.walk_packages(pdp_widgets.__path__, "pdp_widgets.")
    return ["pdp_widgets", *(info.name for info in listed if not info.name.endswith("__main__"))]


@pytest.mark.parametrize("name", modules())
def test_examples_in_docstrings_are_true(name):
    # On a thread of their own: on this one a browser's loop may run, and an example runs one too.
    with ThreadPoolExecutor(1) as aside:
        assert aside.submit(doctest.testmod, importlib.import_module(name)).result().failed == 0


def test_public_functions_and_classes_have_an_example():
    """Everything exported for computation, apart from error types and plain records, shows how it is used."""
    without = []
    for name, value in PUBLIC.items():
        module = getattr(value, "__module__", "")
        if not module.startswith(("pdp_widgets.models", "pdp_widgets.mechanisms", "pdp_widgets.leakage")):
            continue
        if ">>>" not in (value.__doc__ or "") and name not in ("About", "Attained"):
            without.append(name)
    assert without == []


@pytest.mark.parametrize("name", ["AttributeTable", "LocalAnalysis", "LocalMechanism", "Bins"])
def test_every_public_method_has_an_example(name):
    kind = PUBLIC[name]
    methods = {
        method
        for base in kind.__mro__
        if base.__module__.startswith("pdp_widgets")
        for method, made in vars(base).items()
        if not method.startswith("_") and isinstance(made, FunctionType | classmethod | staticmethod)
    }
    assert len(methods) >= 3
    assert [method for method in sorted(methods) if ">>>" not in (getattr(kind, method).__doc__ or "")] == []


def test_no_module_takes_private_names_of_another():
    """What another module needs has a name without an underscore."""
    root, taken = Path(pdp_widgets.__file__).parent, []
    for path in sorted(root.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        modules = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pdp_widgets"):
                names = [alias.name for alias in node.names]
                taken += [(path.name, node.module, name) for name in names if re.match("_[^_]", name)]
                # A name of a package may be one of its modules.
                folder = root.parent.joinpath(*node.module.split("."))
                modules |= {a.asname or a.name for a in node.names if (folder / f"{a.name}.py").exists()}
        taken += [
            (path.name, node.value.id, node.attr)
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in modules
            and node.attr.startswith("_")
        ]
    assert taken == []
