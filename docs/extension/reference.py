"""The reference: one page for each public name, listed by topic, made from the docstrings."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment

import pdp_widgets.publish
from extension.files import write_folder

__all__ = ["LISTS", "listed", "setup"]

#: The floors of the package from the top down: how the names at the top are listed.
FLOORS = {
    "widgets": ("Widgets", "What people touch. Each shows itself in a notebook and has `.snapshot()`."),
    "leakage": ("Leakage", "What an adversary learns. Plain values in and out; no notebook is needed."),
    "mechanisms": ("Mechanisms", "How data are released: the query and the noise."),
    "models": ("Models", "How data are correlated, data sets, and what reads files."),
    "errors": ("Errors", "What can be wrong with an input. Each says where, and what is accepted."),
}
#: The lists of names: the package itself, its topics, and what stands beside them, with their titles.
LISTS = {
    "": "For a first week",
    "prior": "Prior knowledge",
    "gaussian": "Gaussian data",
    "local": "Local privacy",
    "dependent": "Dependent tuples",
    "streams": "Streams",
    "anonymity": "Anonymity",
    "places": "Places",
    "meaning": "What a leakage means",
    "networks": "Networks",
    "examples": "Examples",
    "errors": "Errors",
    "publish": "Publish",
}


def listed() -> dict[str, list[str]]:
    """Return the public names of each list, as they are written after ``pdp_widgets.``."""
    found: dict[str, list[str]] = {}
    for part in LISTS:
        module = import_module(f"pdp_widgets.{part}".rstrip("."))
        # A topic has no names but those it lists.
        names = getattr(module, "__all__", None) or [name for name in vars(module) if name[0] != "_"]
        known = set(found.get("", ()))
        places = (name if name in known else f"{part}.{name}".lstrip(".") for name in names)
        found[part] = sorted(set(places) - {"__version__"}, key=lambda name: name.rpartition(".")[2].lower())
    return found


def _home(name: str) -> str:
    """Return the floor that a public name lives on."""
    home: str = attrgetter(name)(pdp_widgets).__module__
    return home.split(".")[1]


def _table(names: list[str]) -> str:
    rows = "\n".join(f"   ~pdp_widgets.{name}" for name in names)
    return f"```{{eval-rst}}\n.. autosummary::\n   :nosignatures:\n\n{rows}\n```\n"


def _list(part: str, names: list[str]) -> str:
    head = f"# {LISTS[part]}\n\n"
    if part:
        topic = f".. automodule:: pdp_widgets.{part}\n   :no-index:\n\n.. currentmodule:: None"
        return f"{head}```{{eval-rst}}\n{topic}\n```\n\n{_table(names)}"
    parts = ((*FLOORS[floor], [name for name in names if _home(name) == floor]) for floor in FLOORS)
    return head + "\n".join(f"## {title}\n\n{about}\n\n{_table(of)}" for title, about, of in parts)


def _page(name: str, part: str) -> str:
    # Members of the classes that a widget or an error is built on are no part of this package.
    kind, members = "function", ""
    thing = attrgetter(name)(pdp_widgets)
    if inspect.isclass(thing):
        kind = "class"
        members = "   :members:\n   :inherited-members: AnyWidget, ValueError, object\n"
        members += "   :exclude-members: set_state\n"
        if any(base.__name__ in _PATHS for base in thing.__bases__):
            members += "   :show-inheritance:\n"
    # Not in the menu: fifty more lines on the left of every page help nobody, and take a third of the build.
    module, _, last = f"pdp_widgets.{name}".rpartition(".")
    head = (
        f"---\norphan: true\nhide-toc: true\n---\n\n# {last}\n\n"
        f"{{doc}}`/reference` / {{doc}}`/api/{part or 'first'}`\n"
    )
    return f"{head}\n```{{eval-rst}}\n.. currentmodule:: {module}\n\n.. auto{kind}:: {last}\n{members}```\n"


#: What is written after ``pdp_widgets.`` for a name: that of the first list that has it.
_PATHS = {
    path.rpartition(".")[2]: path for names in reversed(list(listed().values())) for path in reversed(names)
}


def _write_pages(app: Sphinx, config: Config) -> None:
    folder = Path(app.srcdir) / "api"
    lists = listed()
    write_folder(folder, {f"{part or 'first'}.md": _list(part, names) for part, names in lists.items()})
    of = {name: part for part, names in reversed(lists.items()) for name in names}
    pages = {f"pdp_widgets.{name}.md": _page(name, part) for name, part in of.items()}
    write_folder(folder / "names", pages)


def _public_name(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, text: nodes.TextElement
) -> nodes.Node | None:
    """Resolve the name of a public thing, also `pdp_widgets.models....JointDistribution`, to its page."""
    if node.get("refdomain") != "py":
        return None
    target = str(node["reftarget"])
    last = target.rpartition(".")[2]
    # A bare name too: a docstring means the public thing of that name.
    if last not in _PATHS or ("." in target and not target.startswith("pdp_widgets.")):
        return None
    found: Any = env.get_domain("py").resolve_xref(
        env, node["refdoc"], app.builder, "obj", f"pdp_widgets.{_PATHS[last]}", node, text
    )
    return found


def _keep_bars(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Leave bars as they are: in a docstring |z| is an absolute value, never a substitution."""
    for k, line in enumerate(lines):
        if "|" in line and not line.lstrip().startswith((">>>", "...")):
            # Every second part lies between double backticks.
            parts = re.split(r"(``.*?``)", line)
            lines[k] = "".join(part if k % 2 else part.replace("|", r"\|") for k, part in enumerate(parts))


def _skip_foreign(app: Sphinx, what: str, name: str, thing: Any, skip: bool, options: Any) -> bool | None:
    """Leave out what a widget has from ipywidgets; it is documented there."""
    made = getattr(thing, "fget", None) or getattr(thing, "__func__", thing)
    home = str(getattr(made, "__module__", "")).partition(".")[0]
    return True if home in ("anywidget", "ipywidgets", "traitlets") else None


def _own_signature(
    app: Sphinx, what: str, name: str, thing: Any, options: Any, signature: str | None, returns: str | None
) -> tuple[str, str | None] | None:
    """Give a widget the signature of its ``__init__``; its metaclass shows ``(*args, **kwargs)`` instead."""
    if what != "class" or signature != "(*args, **kwargs)":
        return None
    found = inspect.signature(thing.__init__)
    kept = [
        p.replace(annotation=p.empty)
        for p in found.parameters.values()
        if p.name != "self" and p.kind is not p.VAR_KEYWORD
    ]
    return str(found.replace(parameters=kept, return_annotation=found.empty)), returns


def setup(app: Sphinx) -> None:
    """Write the lists as soon as the settings are read."""
    app.connect("config-inited", _write_pages)
    app.connect("autodoc-process-docstring", _keep_bars)
    app.connect("autodoc-skip-member", _skip_foreign)
    app.connect("autodoc-process-signature", _own_signature)
    app.connect("missing-reference", _public_name)
