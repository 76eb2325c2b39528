"""The documentation site: it builds without a warning, holds together, and asks the network for nothing."""

from __future__ import annotations

import json
import re
import shutil
import time
import tomllib
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

import docs
import pdp_widgets
from pdp_widgets.verify import verify

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "js" / "node_modules" / "axe-core" / "axe.min.js"
TABLES = sorted((ROOT / "docs" / "papers").glob("*.toml"))
# One of each kind: a story, formulae, checked numbers, examples, explorers, a notebook, a class.
KINDS = (
    "index",
    "concepts",
    "papers/prior",
    "how-to/noise",
    "gallery",
    "notebooks/02-two-people",
    "api/names/pdp_widgets.PriorExplorer",
)


AUDITED = ("index", "papers/prior", "how-to/noise")


@dataclass(frozen=True)
class Site:
    """The built site, its pages read once."""

    root: Path
    pages: dict[Path, docs.Page]
    seconds: float

    def text(self, name: str) -> str:
        return (self.root / f"{name}.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Build everything, in a folder of its own; a warning is a failure."""
    root = tmp_path_factory.mktemp("site") / "html"
    begin = time.monotonic()
    assert docs.build(root) == 0, "Sphinx says above what is wrong"
    return Site(root, docs.pages_of(root), time.monotonic() - begin)


def test_the_site_has_its_pages_and_every_notebook(site: Site) -> None:
    names = {page.relative_to(site.root).with_suffix("").as_posix() for page in site.pages}
    assert set(KINDS) <= names
    assert {f"notebooks/{file.stem}" for file in (ROOT / "notebooks").glob("*.ipynb")} <= names


def test_every_link_inside_the_site_leads_somewhere(site: Site) -> None:
    assert list(docs.broken_links(site.root, site.pages)) == []


@pytest.mark.parametrize(
    ("link", "what"),
    [
        ('<a href="nowhere.html">', "no such file"),
        ('<img src="_explorers/none.svg">', "no such file"),
        ('<a href="#nothing">', "no such place"),
        ('<a href="http://">', "no host"),
        ('<a href="javascript:x()">', "no way to link"),
    ],
)
def test_a_broken_link_is_found(tmp_path: Path, link: str, what: str) -> None:
    (tmp_path / "index.html").write_text(f'<p id="here"><a href="#here"></a>{link}</p>')
    (said,) = docs.broken_links(tmp_path)
    assert what in said


def test_a_warning_fails_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    # A site of one page with the same settings, so that the failure costs little.
    sources = tmp_path / "docs"
    shutil.copytree(
        ROOT / "docs", sources, ignore=shutil.ignore_patterns("_build", "api", "notebooks", "*.md")
    )
    settings = (
        (sources / "conf.py").read_text().replace("sys.path[:0] =", f"sys.path[:0] = [{str(ROOT)!r}] +")
    )
    (sources / "conf.py").write_text(
        settings + "\nextensions.remove('extension')\nhtml_math_renderer = None\n"
    )
    (sources / "index.md").write_text("# One page\n\n{doc}`nowhere`\n")
    monkeypatch.setattr(docs, "SOURCES", sources)
    assert docs.build(tmp_path / "html") != 0
    assert "nowhere" in capfd.readouterr().err


def test_every_public_name_has_its_place_in_the_reference(site: Site) -> None:
    floors = "".join(
        site.text(f"api/{name}") for name in ("widgets", "leakage", "mechanisms", "models", "errors")
    )
    for name in set(pdp_widgets.__all__) - {"__version__"}:
        full = f"pdp_widgets.{name}"
        page = site.root / "api" / "names" / f"{full}.html"
        assert page in site.pages, name
        assert full in site.pages[page].names, name
        assert f'href="names/{full}.html#{full}"' in floors, name


def test_a_widget_shows_its_own_signature_and_members_only(site: Site) -> None:
    text = site.text("api/names/pdp_widgets.PriorExplorer")
    assert "kwargs" not in text
    assert "pdp_widgets.PriorExplorer.snapshot" in text
    assert "class_own_traits" not in text


# Numbers


@pytest.fixture(scope="module")
def cases() -> dict[str, Any]:
    vectors = ROOT / "pdp_widgets" / "data" / "vectors" / "pdp.json"
    return {case["id"]: case for case in json.loads(vectors.read_text())["cases"]}


def cells_of(text: str, row: str) -> list[str]:
    """Return what the cells of one row of a built table say."""
    found = re.search(rf'<tr[^>]*id="{row}"[^>]*>(.*?)</tr>', text, re.DOTALL)
    assert found, row
    cells = re.findall(r"<td.*?>(.*?)</td>", found[1], re.DOTALL)
    return [" ".join(unescape(re.sub(r"<[^>]*>", "", cell)).split()) for cell in cells]


def numbers_in(text: str) -> list[float]:
    return [float(n.replace("−", "-")) for n in re.findall(r"(?<![\w.])[−-]?\d+(?:\.\d+)?", text)]


def looked_up(expected: dict[str, Any], path: list[str]) -> float:
    """Return the number that a path names, found in another way than the page finds it."""
    if path[0] == "nodes" and len(path) > 1:
        key = [int(path[1]), [int(k) for k in "".join(path[2:]).split(",") if k]]
        return {json.dumps(row[:-1]): row[-1] for row in expected["nodes"]}[json.dumps(key)]
    value: Any = expected
    for step in path:
        value = value[int(step)] if isinstance(value, list) else value[step]
    return float(value)


@pytest.mark.parametrize("table", TABLES, ids=[table.stem for table in TABLES])
def test_the_numbers_of_a_table_are_those_of_its_cases(
    site: Site, cases: dict[str, Any], table: Path
) -> None:
    text = site.text(f"papers/{table.stem.split('-')[0]}")
    used: set[str] = set()
    compared = 0
    for row in tomllib.loads(table.read_text())["rows"]:
        shown = cells_of(text, re.sub(r"[^a-z0-9]+", "-", row["id"].lower()).strip("-"))
        tokens = re.findall(r"\{(s-[\w-]+) ([^}]+)\}", " ".join(row["cells"]))
        for name, path in tokens:
            value = looked_up(cases[name]["expected"], path.split())
            near = [n for n in numbers_in(" ".join(shown[1:-1])) if abs(n - value) <= 5.0001e-5]
            assert near, (row["id"], name, path, value, shown)
            compared += 1
        named = {name for name, _ in tokens} | set(row.get("also", ()))
        assert named, f"no case shows {row['id']}"
        assert named == set(shown[-1].split()), row["id"]
        used |= named
        # A decimal in the column of numbers is the paper's setting, or comes from a case or the library.
        typed = re.findall(r"\d\.\d+", re.sub(r"\{[^}]*\}", "", row["cells"][-1]))
        assert set(typed) <= {"0.05", "0.4"}, (row["id"], typed)
    assert compared > 10
    report = verify([{"format": "pdp-vectors/1", "cases": [cases[name] for name in sorted(used)]}])
    assert report.passed == len(used), report.failures


def test_every_erratum_among_the_cases_is_in_the_table(cases: dict[str, Any]) -> None:
    said = (ROOT / "docs/papers/prior-corrections.toml").read_text()
    errata = {name for name, case in cases.items() if case["source"] == "erratum"}
    assert len(errata) > 10
    assert {name for name in errata if f"{name} " not in said} == set()


def test_sentences_name_the_numbers_of_the_library(site: Site) -> None:
    joint = pdp_widgets.lsat6()
    release = pdp_widgets.LaplaceMechanism(pdp_widgets.LinearQuery.sum(joint), 1)
    analysis = pdp_widgets.PriorAnalysis(joint, release)
    front = site.text("index")
    assert f"{float(analysis.largest):.3f} nats</strong>" in front
    assert re.search(rf"{analysis.above_promise} of\s+all {analysis.exact.size}", front)
    assert "{{" not in "".join(site.text(name) for name in KINDS if not name.startswith(("notebooks", "api")))


def test_a_notebook_page_shows_what_is_saved_in_the_notebook(site: Site) -> None:
    for file in sorted((ROOT / "notebooks").glob("*.ipynb")):
        html = site.text(f"notebooks/{file.stem}")
        page = unescape(re.sub(r"<[^>]*>", "", html))
        pictures = 0
        for cell in json.loads(file.read_text())["cells"]:
            for output in cell.get("outputs", []):
                for line in "".join(output.get("text", "")).splitlines():
                    assert line.strip() in page, (file.stem, line)
                pictures += "pdp-static" in "".join(output.get("data", {}).get("text/html", ""))
        assert pictures > 0
        assert len(re.findall(r"<figure class=.pdp-static", html)) == pictures, file.stem


# In a browser without a network


def test_what_a_page_loads_lies_beside_it(site: Site) -> None:
    for file, page in site.pages.items():
        assert [address for address in page.loads if re.match(r"(?!data:)\w+:|//", address)] == [], file
    for sheet in site.root.rglob("*.css"):
        assert not re.search(r"@import|url\([\"']?(https?:)?//", sheet.read_text()), sheet


def test_no_page_asks_the_network_and_no_page_fails(site: Site, chromium: Browser) -> None:
    context = chromium.new_context(viewport={"width": 420, "height": 900}, color_scheme="dark")
    page = context.new_page()
    asked: list[str] = []
    trouble: list[str] = []
    context.route(
        re.compile(r"^(https?|wss?):"), lambda route: (asked.append(route.request.url), route.abort())
    )
    page.on("console", lambda message: trouble.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("requestfailed", lambda request: trouble.append(request.url))
    wide, broken = [], []
    for file in (
        file for file in site.pages if "names" not in file.parts or file.stem.endswith("PriorExplorer")
    ):
        page.goto(file.as_uri())
        name = file.relative_to(site.root).as_posix()
        state = page.evaluate(
            "() => [document.documentElement.scrollWidth,"
            " [...document.images].filter(i => !i.complete || i.naturalWidth < 100).map(i => i.src)]"
        )
        wide += [name] if state[0] > 420 else []
        broken += state[1]
    context.close()
    assert (asked, trouble, broken, wide) == ([], [], [], [])


# The theme has one landmark without a name; everything else must be right, the theme's parts included.
AUDIT = """async name => {
    const { violations } = await axe.run(document, { rules: { "landmark-unique": { enabled: false } } });
    return violations.map(v => `${name}: ${v.id}: ${v.nodes.slice(0, 3).map(n => n.html.slice(0, 120))}`);
}"""
SCHEMES = "() => [...document.querySelectorAll('article img')].map(i => getComputedStyle(i).colorScheme)"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_pictures_follow_the_scheme(site: Site, chromium: Browser, scheme: str) -> None:
    context = chromium.new_context(viewport={"width": 1200, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    found = []
    for name in AUDITED:
        page.goto((site.root / f"{name}.html").as_uri())
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found += page.evaluate(AUDIT, name)
        assert set(page.evaluate(SCHEMES)) <= {scheme}, name
        # The reader's own choice goes before that of the system.
        other = "light" if scheme == "dark" else "dark"
        page.evaluate("theme => { document.body.dataset.theme = theme; }", other)
        assert set(page.evaluate(SCHEMES)) <= {other}, name
    context.close()
    assert found == []


def test_search_finds_a_name_without_a_server(site: Site, chromium: Browser) -> None:
    page = chromium.new_context().new_page()
    page.goto((site.root / "search.html").as_uri() + "?q=group_bound")
    page.locator("#search-results li a", has_text="group_bound").first.wait_for()
    page.context.close()


def test_the_build_is_quick_enough_for_every_run_of_the_suite(site: Site) -> None:
    # About 13 s alone on two cores; the limit is for a build that has got out of hand, on a busy machine.
    assert site.seconds < 120
    assert sum(file.stat().st_size for file in site.root.rglob("*") if file.is_file()) < 12_000_000
