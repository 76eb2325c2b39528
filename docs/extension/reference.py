"""The reference: one page for each public name, listed by floor, made from the docstrings."""

from __future__ import annotations

import inspect
import re
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

__all__ = ["by_floor", "setup"]

#: The floors from the top down, as the package imports them, with what each holds.
FLOORS = {
    "widgets": ("Widgets", "What people touch. Each shows itself in a notebook and has `.snapshot()`."),
    "publish": (
        "Publish",
        "Pictures, pages and figures of results, without a kernel; from `pdp_widgets.publish`.",
    ),
    "leakage": ("Leakage", "What an adversary learns. Plain values in and out; no notebook is needed."),
    "mechanisms": ("Mechanisms", "How data are released: the query and the noise."),
    "models": (
        "Models",
        "How data are correlated: a joint distribution, Gaussian data, records, or streams.",
    ),
    "errors": ("Errors", "What can be wrong with an input. Each says where, and what is accepted."),
}

#: What leaks, by the part of the floor that a name lives in, with what each part is about.
PAPERS = {
    "prior": ("Prior knowledge", "Counts and sums of correlated tuples; {doc}`/papers/prior`."),
    "gaussian": ("Gaussian data", "Sums of numbers that are normal together; {doc}`/papers/prior`."),
    "local": ("Local privacy", "Each attribute is randomised by its owner; {doc}`/papers/local`."),
    "sequence": ("Streams", "One symbol is released at every step; {doc}`/papers/sequence`."),
    "dependent": (
        "Dependent tuples",
        "Noise for tuples that depend on one another: its promise and what leaks.",
    ),
    "inference": (
        "Inference of places",
        "What published centres of places say about one user and her friends.",
    ),
    "noiseless": (
        "Release without noise",
        "How private counts and sums beside a k-anonymous table are; {doc}`/papers/anonymity`.",
    ),
    "common": ("Common to all", "What any of them takes or returns."),
}

_EXAMPLES = tuple(f"examples.{name}" for name in pdp_widgets.examples.__all__)
_PUBLISH = tuple(f"publish.{name}" for name in pdp_widgets.publish.__all__)


def _home(name: str) -> list[str]:
    """Return the module that a public name lives in, without the package: its floor comes first."""
    home: str = attrgetter(name)(pdp_widgets).__module__
    return home.split(".")[1:]


def by_floor() -> dict[str, list[str]]:
    """Return the public names of each floor, by the module they live in.

    Those of examples and publish have the name of their module before them, as in ``publish.html``.
    """
    found: dict[str, list[str]] = {floor: [] for floor in FLOORS}
    public = [*(set(pdp_widgets.__all__) - {"__version__"}), *_EXAMPLES, *_PUBLISH]
    for name in sorted(public, key=str.lower):
        # What publish takes from below is looked for where it is offered.
        found["publish" if name in _PUBLISH else _home(name)[0]].append(name)
    return found


def _table(names: list[str]) -> str:
    listed = "\n".join(f"   ~pdp_widgets.{name}" for name in names)
    return f"```{{eval-rst}}\n.. autosummary::\n   :nosignatures:\n\n{listed}\n```\n"


def _list(floor: str, names: list[str]) -> str:
    title, about = FLOORS[floor]
    head = f"# {title}\n\n{about}\n\n"
    return head + (_by_paper(names) if floor == "leakage" else _table(names))


def _by_paper(names: list[str]) -> str:
    parts: dict[str, list[str]] = {part: [] for part in PAPERS}
    for name in names:
        part = _home(name)[1]
        parts[part if part in parts else "common"].append(name)
    return "\n".join(
        f"## {PAPERS[part][0]}\n\n{PAPERS[part][1]}\n\n{_table(listed)}" for part, listed in parts.items()
    )


def _page(name: str, floor: str) -> str:
    # Members of the classes that a widget or an error is built on are no part of this package.
    kind, members = "function", ""
    thing = attrgetter(name)(pdp_widgets)
    if inspect.isclass(thing):
        kind = "class"
        members = "   :members:\n   :inherited-members: AnyWidget, ValueError, object\n"
        members += "   :exclude-members: set_state\n"
        if any(base.__name__ in pdp_widgets.__all__ for base in thing.__bases__):
            members += "   :show-inheritance:\n"
    # Not in the menu: fifty more lines on the left of every page help nobody, and take a third of the build.
    head = (
        f"---\norphan: true\nhide-toc: true\n---\n\n# {name}\n\n{{doc}}`/reference` / {{doc}}`/api/{floor}`\n"
    )
    module, _, last = f"pdp_widgets.{name}".rpartition(".")
    return f"{head}\n```{{eval-rst}}\n.. currentmodule:: {module}\n\n.. auto{kind}:: {last}\n{members}```\n"


def _write_pages(app: Sphinx, config: Config) -> None:
    folder = Path(app.srcdir) / "api"
    floors = by_floor()
    write_folder(folder, {f"{floor}.md": _list(floor, names) for floor, names in floors.items()})
    of = {name: floor for floor, names in floors.items() for name in names}
    pages = {f"pdp_widgets.{name}.md": _page(name, floor) for name, floor in of.items()}
    write_folder(folder / "names", pages)


def _public_name(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, text: nodes.TextElement
) -> nodes.Node | None:
    """Resolve the name of a public thing, also `pdp_widgets.models....JointDistribution`, to its page."""
    if node.get("refdomain") != "py":
        return None
    target = str(node["reftarget"])
    last = target.rpartition(".")[2]
    if f"examples.{last}" in _EXAMPLES:
        last = f"examples.{last}"
    elif target.startswith("pdp_widgets.publish.") and f"publish.{last}" in _PUBLISH:
        last = f"publish.{last}"
    elif last not in pdp_widgets.__all__:
        return None
    # A bare name too: docstrings of publish and of examples mean those of the package by it.
    if "." in target and not target.startswith("pdp_widgets."):
        return None
    found: Any = env.get_domain("py").resolve_xref(
        env, node["refdoc"], app.builder, "obj", f"pdp_widgets.{last}", node, text
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
