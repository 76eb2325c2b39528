"""Examples that run when the site is built: a page never shows an output that the library does not give."""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import io
import shutil
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

__all__ = ["Example", "lacking", "run_example"]


def run_example(code: str, names: dict[str, Any], where: str = "example") -> tuple[str, Any]:
    r"""Run code as a notebook cell does.

    Parameters
    ----------
    code
        Statements; the value of a last expression is returned, not printed.
    names
        The variables it sees and sets.
    where
        File named in a traceback.

    Returns
    -------
    tuple
        What it printed, and the value of its last expression or None.

    Examples
    --------
    >>> run_example("x = 2\nprint('two')\nx + 1", {})
    ('two\n', 3)
    """
    tree = ast.parse(code, where)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(tree, where, "exec"), names)
        value = None if last is None else eval(compile(ast.Expression(last.value), where, "eval"), names)
    return said.getvalue(), value


def lacking(needs: str) -> list[str]:
    """Return which of some modules and programs, separated by blanks, are not installed.

    Examples
    --------
    >>> lacking("ast no_such_module"), lacking("")
    (['no_such_module'], [])
    """
    return [name for name in needs.split() if not (importlib.util.find_spec(name) or shutil.which(name))]


class Example(SphinxDirective):
    """Code of a page, run in the variables of that page, with what it prints below it.

    ``:quiet:`` leaves out the output, ``:hidden:`` everything (to prepare what the next example uses).
    ``:needs:`` lists modules and programs: where one is not installed, the page says that it was not run.
    """

    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "quiet": directives.flag,
        "hidden": directives.flag,
        "needs": directives.unchanged,
    }

    def execute(self) -> tuple[str, str, Any]:
        """Run the content; a failure is an error of the page."""
        code = "\n".join(self.content)
        session = self.env.current_document.setdefault("pdp_example", {})
        try:
            said, value = run_example(code, session, f"{self.env.docname}, line {self.lineno}")
        except Exception as fault:
            raise self.error(f"the example fails: {type(fault).__name__}: {fault}") from fault
        return code, said, value

    def shown(self, text: str, language: str, kind: str) -> nodes.literal_block:
        """A block of code or output."""
        block = nodes.literal_block(text, text, language=language, classes=kind.split())
        self.set_source_info(block)
        return block

    def run(self) -> list[nodes.Node]:
        """Run the example and show it."""
        if gone := lacking(self.options.get("needs", "")):
            note = f"Not run when this page was built, for want of {' and '.join(gone)}."
            logging.getLogger(__name__).info("%s, line %s: %s", self.env.docname, self.lineno, note)
            shown = self.shown("\n".join(self.content), "python", "example")
            return [shown, self.shown(note, "text", "output sentences")]
        code, said, value = self.execute()
        if "hidden" in self.options:
            return []
        if value is not None:
            said += f"{value!r}\n"
        found: list[nodes.Node] = [self.shown(code, "python", "example")]
        if said and "quiet" not in self.options:
            text = said.rstrip("\n")
            # Lines of a table stay whole: their columns are apart by more than one space.
            kind = "output" if "  " in text else "output sentences"
            found.append(self.shown(text, "text", kind))
        return found


def setup(app: Sphinx) -> None:
    """Add ``{run}``."""
    app.add_directive("run", Example)
