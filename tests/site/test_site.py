"""The documentation site: it builds without a warning, holds together, and asks the network for nothing."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from contextlib import closing
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

import docs
import pdp_widgets.publish
from pdp_widgets.verify import verify
from tests.names import TOPICS, of_topic

from .conftest import Site

ROOT = Path(__file__).resolve().parents[2]
TABLES = sorted((ROOT / "docs" / "papers").glob("*.toml"))
# One of each kind: a story, formulae, checked numbers, examples, explorers, a notebook, a class.
KINDS = (
    "index",
    "concepts",
    "papers/prior",
    "papers/local",
    "papers/sequence",
    "papers/dependent",
    "papers/anonymity",
    "how-to/noise",
    "how-to/dependent",
    "how-to/anonymity",
    "gallery",
    "teaching/readings",
    "notebooks/02-two-people",
    "api/names/pdp_widgets.PriorExplorer",
)


def test_the_site_has_its_pages_and_every_notebook(site: Site) -> None:
    names = {page.relative_to(site.root).with_suffix("").as_posix() for page in site.pages}
    assert set(KINDS) <= names
    assert {f"notebooks/{file.stem}" for file in (ROOT / "notebooks").rglob("*.ipynb")} <= names


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
    top = set(pdp_widgets.__all__) - {"__version__"}
    lists = {
        "first": top,
        "publish": pdp_widgets.publish.__all__,
        "examples": pdp_widgets.examples.__all__,
        "errors": pdp_widgets.errors.__all__,
        **{topic: of_topic(topic) for topic in TOPICS},
    }
    for part, names in lists.items():
        said = site.text(f"api/{part}")
        for name in names:
            full = f"pdp_widgets.{name}" if name in top else f"pdp_widgets.{part}.{name}"
            page = site.root / "api" / "names" / f"{full}.html"
            assert page in site.pages, name
            assert full in site.pages[page].names, name
            assert f'href="names/{full}.html#{full}"' in said, name


def test_a_topic_lists_what_the_top_has_of_it_too(site: Site) -> None:
    prior = site.text("api/prior")
    assert 'href="names/pdp_widgets.PriorAnalysis.html' in prior
    assert 'href="names/pdp_widgets.prior.group_bound.html' in prior
    # The map above the list leads to what it names.
    assert prior.count("pdp_widgets.prior.group_bound.html#") > 1


def test_the_pages_of_publish_link_what_the_package_itself_offers(site: Site) -> None:
    links = site.pages[site.root / "api" / "names" / "pdp_widgets.publish.charts_snapshot.html"].links
    assert "pdp_widgets.PriorAnalysis.html#pdp_widgets.PriorAnalysis" in links


def test_a_chart_stands_in_a_guide_as_a_picture_with_its_numbers(site: Site) -> None:
    chart = site.text("how-to/local").partition('id="explorer-guide-local-utility"')[2].partition("<h2")[0]
    shown = chart.partition("</figure>")[0]
    assert 'src="data:image/svg+xml;base64,' in shown
    leakage = pdp_widgets.local.compare_utility(pdp_widgets.titanic(), 1.0, "GRR").points[0].normalised
    assert "GRR" in shown
    assert f"<td>{leakage:.4g}</td>" in shown
    assert "pdp-slot" not in chart


def test_a_widget_shows_its_own_signature_and_members_only(site: Site) -> None:
    text = site.text("api/names/pdp_widgets.PriorExplorer")
    assert "kwargs" not in text
    assert "pdp_widgets.PriorExplorer.snapshot" in text
    assert "class_own_traits" not in text


# Numbers


def cases_of(vectors: str) -> dict[str, Any]:
    file = ROOT / "pdp_widgets" / "data" / "vectors" / f"{vectors}.json"
    return {case["id"]: case for case in json.loads(file.read_text())["cases"]}


@pytest.fixture(scope="module")
def cases() -> dict[str, Any]:
    return cases_of("pdp")


def cells_of(text: str, row: str) -> list[str]:
    """Return what the cells of one row of a built table say."""
    found = re.search(rf'<tr[^>]*id="{row}"[^>]*>(.*?)</tr>', text, re.DOTALL)
    assert found, row
    cells = re.findall(r"<td.*?>(.*?)</td>", found[1], re.DOTALL)
    return [" ".join(unescape(re.sub(r"<[^>]*>", "", cell)).split()) for cell in cells]


def numbers_in(text: str) -> list[float]:
    return [
        float(n.replace("−", "-")) for n in re.findall(r"(?<![\w.])[−-]?\d+(?:\.\d+)?(?:e[−-]?\d+)?", text)
    ]


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
def test_the_numbers_of_a_table_are_those_of_its_cases(site: Site, table: Path) -> None:
    content = tomllib.loads(table.read_text())
    cases = cases_of(content["vectors"])
    text = site.text(f"papers/{table.stem.split('-')[0]}")
    used: set[str] = set()
    compared = 0
    for row in content["rows"]:
        shown = cells_of(text, re.sub(r"[^a-z0-9]+", "-", row["id"].lower()).strip("-"))
        tokens = re.findall(r"\{([A-Za-z][\w.-]+) ([^}:]+)(?::[^}]*)?\}", " ".join(row["cells"]))
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
        typed = set(re.findall(r"\d\.\d+", re.sub(r"\{[^}]*\}", "", row["cells"][-1])))
        given = set(re.findall(r"\d\.\d+", " ".join(json.dumps(cases[name]["input"]) for name in named)))
        assert typed - given <= {"0.05", "0.4", "0.5", "0.9", "0.95", "0.3152", "7.92"}, (row["id"], typed)
    assert compared > 5
    form = f"{content['vectors']}-vectors/1"
    report = verify([{"format": form, "cases": [cases[name] for name in sorted(used)]}])
    assert report.passed == len(used), report.failures


def test_every_erratum_among_the_cases_is_in_the_table(cases: dict[str, Any]) -> None:
    said = (ROOT / "docs/papers/prior-corrections.toml").read_text()
    errata = {name for name, case in cases.items() if case["source"] == "erratum"}
    assert len(errata) > 10
    assert {name for name in errata if f"{name} " not in said} == set()


def test_every_erratum_on_streams_is_in_the_table() -> None:
    said = (ROOT / "docs/papers/sequence-corrections.toml").read_text()
    errata = {name for name, case in cases_of("sip").items() if "ERRATUM" in (case.get("note") or "")}
    assert len(errata) == 3
    assert {name for name in errata if f"{name} " not in said} == set()
    assert [row["id"] for row in tomllib.loads(said)["rows"]] == [f"S{k}" for k in range(1, 23)]


def test_every_correction_on_dependent_tuples_is_in_the_table() -> None:
    rows = tomllib.loads((ROOT / "docs/papers/dependent-corrections.toml").read_text())["rows"]
    assert [row["id"] for row in rows] == [f"E{k}" for k in range(1, 40)]
    # What the reference cases say against a theorem is shown.
    shown = {name for name, case in cases_of("ddp").items() if "counterexample" in case["source"]}
    assert len(shown) == 8
    named = {
        name
        for row in rows
        for name in (*re.findall(r"\{([a-z][\w.-]+) ", " ".join(row["cells"])), *row.get("also", ()))
    }
    assert shown - named == set()


def test_every_correction_on_anonymity_is_in_the_table() -> None:
    rows = tomllib.loads((ROOT / "docs/papers/anonymity-corrections.toml").read_text())["rows"]
    assert [row["id"] for row in rows] == [f"E{k}" for k in range(1, 34)]


def test_every_erratum_on_local_reports_is_in_the_table() -> None:
    rows = tomllib.loads((ROOT / "docs/papers/local-corrections.toml").read_text())["rows"]
    assert {number for row in rows for number in row.get("errata", ())} == set(range(1, 20))
    assert [row["id"] for row in rows] == [f"L{k}" for k in range(1, 24)]


def test_sentences_name_the_numbers_of_the_library(site: Site) -> None:
    joint = pdp_widgets.lsat6()
    release = pdp_widgets.LaplaceMechanism(pdp_widgets.LinearQuery.sum(joint), 1)
    analysis = pdp_widgets.PriorAnalysis(joint, release)
    front = site.text("index")
    assert f"{float(analysis.largest):.3f} nats</strong>" in front
    pair = pdp_widgets.DependenceAnalysis(pdp_widgets.examples.agreeing_bits(0.9), "sum", 1.0, "lpm")
    assert f"neither learns {float(pair.largest):.3f} nats" in " ".join(site.text("papers/dependent").split())
    assert re.search(rf"{analysis.above_promise} of\s+all {analysis.exact.size}", front)
    assert "{{" not in "".join(site.text(name) for name in KINDS if not name.startswith(("notebooks", "api")))


def test_a_notebook_page_shows_what_is_saved_in_the_notebook(site: Site) -> None:
    for file in sorted((ROOT / "notebooks").rglob("*.ipynb")):
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


# In a browser without a network: see test_live.py for the explorers


def test_what_a_page_loads_lies_beside_it(site: Site) -> None:
    for file, page in site.pages.items():
        assert [address for address in page.loads if re.match(r"(?!data:)\w+:|//", address)] == [], file
    for sheet in site.root.rglob("*.css"):
        assert not re.search(r"@import|url\([\"']?(https?:)?//", sheet.read_text()), sheet


def test_a_printed_sentence_is_broken_into_lines_and_a_table_is_not(site: Site, chromium: Browser) -> None:
    with closing(chromium.new_page(viewport={"width": 420, "height": 800})) as page:
        page.goto((site.root / "how-to/own-table.html").as_uri())
        sentence = page.locator(".output pre", has_text="they must sum to 1")
        assert sentence.evaluate("pre => pre.scrollWidth <= pre.clientWidth")
        table = page.locator(".output pre", has_text="[[0.5  0.  ]")
        assert table.evaluate("pre => getComputedStyle(pre).whiteSpace") == "pre"


def test_search_finds_a_name_without_a_server(site: Site, chromium: Browser) -> None:
    page = chromium.new_context().new_page()
    page.goto((site.root / "search.html").as_uri() + "?q=group_bound")
    page.locator("#search-results li a", has_text="group_bound").first.wait_for()
    page.context.close()


def test_the_build_is_quick_enough_for_every_run_of_the_suite(site: Site) -> None:
    # Pages of names and pictures take most of it; the limit is for a build that has got out of hand.
    assert 0 < site.seconds < 240
    sizes = {file: file.stat().st_size for file in site.root.rglob("*") if file.is_file()}
    # Every public name has a page of its own, of the same small size; types link to the names that they are.
    names = {file: size for file, size in sizes.items() if file.parent.name == "names"}
    assert len(names) > 200
    assert max(names.values()) < 190_000
    assert sum(sizes.values()) - sum(names.values()) < 18_000_000


def test_an_example_that_needs_what_is_not_installed_says_that_it_was_not_run(site: Site) -> None:
    page = unescape(site.text("how-to/outgrow"))
    gone = [name for name in ("pyspark", "java") if not (find_spec(name) or shutil.which(name))]
    assert page.count("Not run when this page was built") == (1 if gone else 0)
    assert (f"for want of {' and '.join(gone)}." in page) == bool(gone)
    # The others did run: two counts of DuckDB and polars, one of Dask.
    assert page.count("[[63105, 6996], [17761, 12138]]") >= 2
