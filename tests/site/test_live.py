"""The pages in Chromium, opened from disk with no network: explorers come alive, compute, and fit in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from pdp_widgets import (
    AnonymityAnalysis,
    DependenceAnalysis,
    GaussianAnalysis,
    GaussianModel,
    InferenceAttack,
    JointDistribution,
    JointTable,
    LaplaceMechanism,
    LinearQuery,
    MarkovChain,
    PriorAnalysis,
    StreamSimulator,
    anes96_records,
    examples,
    lsat6,
    synthetic_network,
)
from pdp_widgets.publish.page_state import MODULES, modules_within

from .conftest import Site

AXE = Path(__file__).resolve().parents[2] / "js" / "node_modules" / "axe-core" / "axe.min.js"
SLOT = '<div class="pdp-slot">'
ALL_LIVE = "() => !document.querySelector('.pdp-slot:not([data-live])')"


class Reader:
    """Somebody with a browser and no network; what goes wrong is noted."""

    def __init__(self, browser: Browser, site: Site, **context: Any) -> None:
        self.site = site
        self.trouble: list[str] = []
        self.scripts: list[str] = []
        self.context = browser.new_context(**{"viewport": {"width": 1200, "height": 900}, **context})
        self.context.set_offline(True)
        self.page: Page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.trouble.append(f"{self.page.url}: {error}"))
        self.page.on("console", self._said)
        self.page.on("request", self._asked)
        self.page.on("requestfailed", lambda request: self.trouble.append(f"failed: {request.url}"))

    def _said(self, message: Any) -> None:
        if message.type == "error":
            self.trouble.append(f"{self.page.url}: {message.text}")

    def _asked(self, request: Any) -> None:
        if not request.url.startswith(("file:", "data:", "blob:")):
            self.trouble.append(f"request: {request.url}")
        if "/_static/explorers/" in request.url:
            self.scripts.append(Path(unquote(urlsplit(request.url).path)).stem)

    def open(self, name: str) -> None:
        self.page.goto((self.site.root / f"{name}.html").as_uri())

    def explorer(self, name: str) -> Locator:
        """Return a live explorer by the name it has on its page."""
        root = self.page.locator(f"#explorer-{name} .pdp")
        root.scroll_into_view_if_needed()
        return root


@pytest.fixture
def reader(site: Site, chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Reader]:
    """A reader; a parameter says more about the browser. Nothing may have gone wrong at the end."""
    made = Reader(chromium, site, **getattr(request, "param", {}))
    yield made
    made.context.close()
    assert made.trouble == []


@pytest.mark.parametrize(
    "reader", [{"viewport": {"width": 420, "height": 900}, "color_scheme": "dark"}], indirect=True
)
def test_every_page_is_whole_on_a_phone_and_its_explorers_come_alive(site: Site, reader: Reader) -> None:
    wide, broken, loads = [], [], {}
    for file in site.pages:
        if "names" in file.parts and not file.stem.endswith("PriorExplorer"):
            continue
        name = file.relative_to(site.root).with_suffix("").as_posix()
        reader.scripts.clear()
        reader.open(name)
        reader.page.wait_for_function(ALL_LIVE)
        width, bad = reader.page.evaluate(
            "() => [document.documentElement.scrollWidth, [...document.images]"
            ".filter(i => !i.complete || i.naturalWidth < 100).map(i => i.src.slice(0, 99))]"
        )
        wide += [name] if width > 420 else []
        broken += bad
        loads[name] = reader.scripts.copy()
    assert (wide, broken) == ([], [])
    # A page loads the scripts of the explorers that it shows, each once, and without explorers none.
    shown = {name: modules_within(site.text(name)) for name in loads}
    assert {name: MODULES & set(files) for name, files in loads.items()} == shown
    assert all(len(files) == len(set(files)) for files in loads.values())
    assert all(bool(modules) == (SLOT in site.text(name)) for name, modules in shown.items())
    assert sum(map(bool, shown.values())) > 8
    assert shown["gallery"] == MODULES


def type_into(reader: Reader, root: Locator, cell: str, text: str) -> None:
    root.get_by_role("gridcell", name=re.compile(f"^{re.escape(cell)}")).first.click()
    reader.page.keyboard.type(text)
    reader.page.keyboard.press("Enter")


def largest(joint: JointDistribution, scale: float = 1.0) -> float:
    return float(PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), scale)).largest)


def chain() -> np.ndarray[Any, Any]:
    """The table of twelve answers in a row, made in another way than on the page."""
    table = np.ones((2,) * 12)
    for axis in range(11):
        along = np.moveaxis(table, (axis, axis + 1), (0, 1))
        along[0, 0] *= 1.5
        along[1, 1] *= 1.5
    return table


def test_edits_on_the_gallery_give_the_numbers_of_python(reader: Reader) -> None:
    reader.open("gallery")
    assert audit(reader, "gallery") == []
    joint = lsat6()
    root = reader.explorer("gallery-prior")
    expect(root.locator(".px-lead")).to_contain_text(f"{largest(joint):.3f}")
    type_into(reader, root, ", ".join(f"{name} = 1" for name in joint.names), "0.2")
    table = JointTable(joint)
    table.set_cell([1] * 5, 0.2)
    assert f"{largest(table.value):.3f}" != f"{largest(joint):.3f}"
    expect(root.locator(".px-lead")).to_contain_text(f"{largest(table.value):.3f}")

    root = reader.explorer("gallery-gaussian")
    type_into(reader, root, "covariance of flat A and flat B", "-0.9")
    cov = np.array([[1.44, -0.9, -0.3], [-0.9, 1, -0.2], [-0.3, -0.2, 2.25]])
    analysis = GaussianAnalysis(GaussianModel([5, 4, 6], cov), weights=[1, 1, -1], scale=2)
    expect(root).to_contain_text(f"{float(analysis.largest):.3f}")

    # Twelve tuples are looked at from all sides, though not edited.
    root = reader.explorer("gallery-large")
    root.get_by_role("button", name="x3, known", exact=True).click()
    expect(root.locator(".px-fact h3").first).to_contain_text("knowing x3 is 0")
    joint = JointDistribution.normalised(chain())
    weak = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1.0)).node("x1", ["x3"])
    expect(root.locator(".px-big").first).to_contain_text(f"{float(weak):.3f}")


def test_the_table_of_the_paper_is_edited_beside_what_the_paper_says(reader: Reader) -> None:
    reader.open("papers/prior")
    root = reader.explorer("paper-example")
    expect(root.locator(".px-lead")).to_contain_text("2.000")
    type_into(reader, root, "x1 = 0, x2 = 0", "0.3")
    pair = JointDistribution([[0.5, 0], [0, 0.5]], names=["x1", "x2"])
    table = JointTable(pair)
    table.set_cell([0, 0], 0.3)
    value = largest(table.value)
    expect(root.locator(".px-big").first).to_contain_text(f"{value:.3f}")
    expect(reader.explorer("paper-estimate").locator(".px-lead")).to_contain_text(f"{largest(lsat6()):.3f}")


def test_a_stream_plays_in_the_guide_and_leaks_what_python_says(reader: Reader) -> None:
    reader.open("how-to/streams")
    root = reader.explorer("guide-streams")
    expect(root).to_contain_text("step 40")
    root.get_by_role("button", name="One step", exact=True).click()
    stream = StreamSimulator(MarkovChain.symmetric(0.9), 1.0, steps=41, rng=1)
    lane = stream.results.record().lanes["crr"]
    stream.close()
    lead = root.locator(".px-lead")
    expect(lead).to_contain_text("in step 41")
    expect(lead).to_contain_text(f"{lane.leakage[-1]:.3f}")
    expect(root).to_contain_text(f"over at {lane.over.sum()} of 41")


def test_dependent_tuples_and_places_of_the_guide_are_computed_in_the_page(reader: Reader) -> None:
    reader.open("how-to/dependent")
    root = reader.explorer("guide-dependent")
    lead = root.locator(".px-lead")
    six = examples.covered_shift()
    expect(lead).to_contain_text(f"{float(DependenceAnalysis(six).largest):.3f} about Ann")
    root.get_by_role("radio", name="calibrated", exact=True).click()
    expect(lead).to_contain_text("the promise holds")
    expect(root).to_contain_text(f"{DependenceAnalysis(six, mechanism='calibrated').scale:.3f}")

    root = reader.explorer("guide-attack")
    city = synthetic_network(450, rng=1).city("New York")
    root.get_by_role("radio", name="DPM", exact=True).click()
    found = InferenceAttack(city, 372, "dpm", 40.0).attack_2
    lead = root.locator(".px-lead")
    expect(lead).to_contain_text(f"off by {found.error_km:.2f} km")
    expect(lead).to_contain_text(f"scores {found.leaked_bits:.3f} bits")


def test_a_k_anonymous_table_of_the_guide_is_computed_in_the_page(reader: Reader) -> None:
    reader.open("how-to/anonymity")
    root = reader.explorer("guide-anonymity")
    lead = root.locator(".px-lead")
    table: dict[str, Any] = {"data": anes96_records(), "quasi": ["age", "income"], "secret": "vote", "k": 10}
    found = AnonymityAnalysis(**table, level="III", known=0.9)
    expect(lead).to_contain_text(f"{found.diversity.single} of {len(found.classes)} classes")
    expect(lead).to_contain_text(f"slack δ of {float(found.slack(0.5)):.4f}")
    root.get_by_role("radio", name="Both", exact=True).click()
    expect(lead).to_contain_text("groups of up to 1 record")
    root.get_by_role("radio", name="Nothing", exact=True).click()
    expect(lead).to_contain_text("who knows no record")
    digits = f"{float(AnonymityAnalysis(**table).slack(0.5)):.1e}".replace("e-", "e−")
    expect(lead).to_contain_text(f"slack δ of {digits}")


def test_the_text_of_a_story_sets_its_explorer_and_follows_it(site: Site, reader: Reader) -> None:
    stories = sorted((site.root / "stories").glob("*.html"))
    assert len(stories) == 5
    for file in stories:
        reader.open(f"stories/{file.stem}")
        page = reader.page
        page.wait_for_function(ALL_LIVE)
        numbers, buttons = page.locator(".pdp-shows"), page.locator(".pdp-set")
        assert numbers.count() > 9
        written = numbers.all_inner_texts()
        page.evaluate(LISTEN)
        for button in buttons.all():
            button.click()
            expect(button).to_have_attribute("aria-pressed", "true")
            # What the page computes is what the text was written with.
            page.wait_for_timeout(120)
            assert numbers.all_inner_texts() == written, (file.stem, button.inner_text())
        said = page.evaluate("() => said")
        assert len(said) > 3, file.stem
        assert [fault for fault in said if fault] == [], file.stem
    reader.open("stories/prior")
    reader.page.wait_for_function(ALL_LIVE)
    numbers, scale = (
        reader.page.locator(".pdp-shows"),
        reader.page.get_by_role("button", name="Noise of scale 2"),
    )
    scale.click()
    own = reader.page.locator(".pdp-set[aria-pressed=true] + .pdp-shows")
    expect(own).to_have_text("0.732")
    reader.explorer("story-prior").get_by_role("button", name="Independent", exact=True).click()
    expect(own).to_have_text("0.500")
    reader.page.get_by_role("button", name="forget item 3").click()
    expect(own).not_to_have_text("0.732")


def test_on_paper_and_without_scripts_the_picture_stands(
    site: Site, chromium: Browser, reader: Reader
) -> None:
    reader.open("index")
    picture, live = reader.page.locator(".pdp-slot figure img").first, reader.page.locator(".pdp-place")
    expect(live).to_be_visible()
    expect(picture).to_be_hidden()
    reader.page.emulate_media(media="print")
    expect(picture).to_be_visible()
    expect(live).to_be_hidden()
    reader.open("teaching/hand-out")
    assert len(re.findall(rb"/Type\s*/Page[^s]", reader.page.pdf(format="A4"))) == 1, "one side of paper"
    plain = Reader(chromium, site, java_script_enabled=False)
    plain.open("index")
    expect(plain.page.locator(".pdp-slot figure img").first).to_be_visible()
    assert plain.page.locator(".pdp-place").count() == 0
    plain.context.close()


#: What the explorer of a story says to each change: its fault, or nothing.
LISTEN = """() => {
    window.said = [];
    const slot = document.querySelector(".pdp-story .pdp-slot");
    slot.addEventListener("pdp:change", (event) => said.push(event.detail.fault));
}"""
# The theme has one landmark without a name; everything else must be right, the theme's parts included.
AUDIT = """async ([name, contrast]) => {
    const rules = { "landmark-unique": { enabled: false }, "color-contrast": { enabled: contrast !== "" } };
    const asked = contrast === "only" ? { runOnly: ["color-contrast"] } : { rules };
    // It would fetch the style sheets, which a page from disk may not; nobody reads what passed.
    const options = { ...asked, preload: false, resultTypes: ["violations"] };
    const { violations } = await axe.run(document, options);
    return violations.map(v => `${name}: ${v.id}: ${v.nodes.slice(0, 3).map(n => n.html.slice(0, 160))}`);
}"""
SCHEMES = """() => [
    ...[...document.querySelectorAll("article img")].map(i => getComputedStyle(i).colorScheme),
    ...[...document.querySelectorAll(".pdp-live")].map(
        e => (e.shadowRoot.querySelector(".pdp").dataset.dark === undefined ? "light" : "dark")),
]"""


def audit(reader: Reader, name: str, contrast: str = "") -> list[str]:
    """Return what axe finds in the page that is open; contrast, which takes most of the time, where asked."""
    reader.page.wait_for_function(ALL_LIVE)
    reader.page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = reader.page.evaluate(AUDIT, [name, contrast])
    return found


def test_axe_finds_nothing_and_all_follow_the_scheme(reader: Reader) -> None:
    found = []
    for name, contrast in {"index": "", "how-to/noise": "yes", "papers/prior": ""}.items():
        reader.open(name)
        found += audit(reader, name, contrast)
        assert set(reader.page.evaluate(SCHEMES)) <= {"light"}, name
    all_are = f"(scheme) => ({SCHEMES})().every(said => said === scheme)"
    reader.page.emulate_media(color_scheme="dark")
    reader.page.wait_for_function(all_are, arg="dark")
    # What differs in the dark is contrast.
    found += audit(reader, "papers/prior in the dark", "only")
    # The reader's own choice goes before that of the system, for pictures and explorers alike.
    toggle = reader.page.locator(".content-icon-container .theme-toggle")
    for system, chosen in (("dark", "light"), ("light", "dark")):
        reader.page.emulate_media(color_scheme=system)
        for _ in range(2):
            toggle.click()
            if reader.page.evaluate("() => document.body.dataset.theme") == chosen:
                break
        reader.page.wait_for_function(all_are, arg=chosen)
    assert found == []


def test_pages_stay_light(site: Site) -> None:
    folder = site.root / "_static" / "explorers"
    sizes = {file.stem: file.stat().st_size for file in folder.glob("*.js")}
    assert sizes.keys() > MODULES
    # What a widget adds to the pages that show it, and to no others.
    assert [(module, sizes[module]) for module in MODULES if sizes[module] >= 130_000] == []
    for file in site.pages:
        text = file.read_text(encoding="utf-8")
        loaded = re.findall(r'src="[^"]*_static/explorers/(\w+)\.js', text)
        # Explorers come with what they compute and what they share with others.
        most = 260_000 + 130_000 * len(MODULES & set(loaded)) if loaded else 0
        assert sum(sizes[name] for name in loaded) <= most, file
        # Pictures with their numbers, and states: the gallery shows every explorer, and may.
        slots = [slot.split("</script>")[0] for slot in text.split(SLOT)[1:]]
        assert all(len(slot.encode()) < 140_000 for slot in slots), file
        # The list of all names is as long as there are names.
        rest = len(text.encode()) - sum(len(slot.encode()) for slot in slots)
        assert rest < 370_000 or file.stem == "genindex", file
