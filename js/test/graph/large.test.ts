import { beforeEach, describe, expect, it, vi } from "vitest";
import { countAboveIn, decodeDigest, PAGE, roughly, type DigestState } from "../../src/graph/digest";
import { createLargeGraph, createLeakageGraph, type LargeGraphProps } from "../../src/graph/leakage-graph";
import { nameBook } from "../../src/graph/data";
import { adversaryOf, columnOf, layerOf } from "../../src/graph/nodes";
import { countWords, FIRST_SEARCH, fits, NO_FILTERS, parseTuples, typedTuples, type Search } from "../../src/graph/search";
import { at, digestOf, N, names, value, WIDTH } from "./digest";
import { lsat, propsOf, sceneOf, sized } from "./scene";

function mount(more: Partial<LargeGraphProps> = {}, state: Partial<DigestState> = {}) {
  const on = { onChoose: vi.fn(), onShowPaper: vi.fn(), onThreshold: vi.fn(), onSearch: vi.fn() };
  const props: LargeGraphProps = {
    digest: decodeDigest(digestOf(state)),
    target: 3,
    known: [1, 5],
    search: FIRST_SEARCH,
    showPaper: false,
    threshold: null,
    dark: false,
    disabled: false,
    busy: false,
    width: 800,
    ...more,
  };
  const graph = createLargeGraph(props, on);
  document.body.append(graph.el);
  const one = <T extends Element = HTMLElement>(selector: string): T => graph.el.querySelector(selector) as T;
  const asked = (): Search => on.onSearch.mock.lastCall?.[0] as Search;
  return { graph, props, on, one, asked };
}

function press(el: Element, key: string): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  el.dispatchEvent(event);
  return event;
}

beforeEach(() => document.body.replaceChildren());

describe("names as they are typed", () => {
  const book = nameBook(names());
  it.each<[string, number[], number[]]>([
    ["q2, q4", [1, 3], []],
    ["Q4 q2", [1, 3], []],
    ["q2 and q4, not q7", [1, 3], [6]],
    ["2; 4; -7", [1, 3], [6]],
    ["without q1, q12", [11], [0]],
    ["not q1 q2", [1], [0]],
    ["", [], []],
  ])("%j", (text, knows, lacks) => {
    expect(parseTuples(text, book)).toEqual({ ok: true, knows, lacks });
  });

  it("may hold spaces and signs, and need not be whole when only one fits", () => {
    const people = nameBook(["Ann Lee", "not sure", "Bob", "Bobby", "-x"]);
    expect(parseTuples("ann lee, not sure, -x", people)).toEqual({ ok: true, knows: [0, 1, 4], lacks: [] });
    expect(parseTuples("Ann, Bob, not Bobb", people)).toEqual({ ok: true, knows: [0, 2], lacks: [3] });
    expect(parseTuples("Bo", people)).toMatchObject({ ok: false });
  });

  it("are refused by name", () => {
    expect(parseTuples("q2, q99", book)).toMatchObject({ ok: false, reason: expect.stringContaining('"q99"') });
    expect(parseTuples("q2, not q2", book)).toMatchObject({ ok: false, reason: expect.stringContaining("q2 cannot be both") });
  });

  it("are read back from what is written", () => {
    for (const filters of [NO_FILTERS, { knows: [0, 10], lacks: [] }, { knows: [2], lacks: [1, 11] }]) {
      const { knows, lacks } = filters;
      expect(parseTuples(typedTuples(filters, book), book)).toEqual({ ok: true, knows, lacks });
    }
  });
});

describe("filters", () => {
  it("agree with enumeration", () => {
    const data = sized(6);
    const scene = sceneOf(data);
    const filters = { ...NO_FILTERS, knows: [1], lacks: [4], unknown: 4, above: true };
    for (let flat = 0; flat < data.exact.length; flat++) {
      const { target, known } = adversaryOf(6, flat);
      const wanted = known.includes(1) && !known.includes(4) && known.length === 2 && (data.exact[flat] as number) > 1.2 + 1e-9;
      expect(fits(scene, filters, flat)).toBe(wanted);
      expect(fits(scene, { ...NO_FILTERS, about: 2 }, flat)).toBe(target === 2);
      expect(fits(scene, { ...NO_FILTERS, only: "low" }, flat)).toBe(flat % 3 === 0);
      expect(fits(scene, { ...NO_FILTERS, only: "high" }, flat)).toBe(false);
    }
  });

  it("are said in words", () => {
    const book = nameBook(names());
    expect(countWords(24_576, 24_576, NO_FILTERS, book, 1)).toBe("All 24,576 adversaries");
    expect(countWords(0, 50, { ...NO_FILTERS, lacks: [0, 1] }, book, 1)).toBe("None of 50 adversaries: do not know q1 or q2");
    expect(countWords(7, 50, { about: 2, unknown: 3, knows: [0, 1], lacks: [4], above: true, only: "high" }, book, 1.25)).toBe(
      "7 of 50 adversaries: know q1 and q2, not q5; about q3; 3 unknown; above 1.250 nats; paper’s estimate too high",
    );
  });
});

describe("counts above a line", () => {
  it("are exact where Python said so, else about right", () => {
    const digest = decodeDigest(digestOf({ threshold: 1.4, above: 12 }));
    expect(countAboveIn(digest, 1)).toEqual({ count: 700, exact: true });
    expect(countAboveIn(digest, 1.4)).toEqual({ count: 12, exact: true });
    // All 780 lie in the bin from 1.0 to 1.05.
    expect(countAboveIn(digest, 0.9)).toMatchObject({ exact: false });
    expect(countAboveIn(digest, 0.9).count).toBeCloseTo(780);
    expect(countAboveIn(digest, 1.025).count).toBeCloseTo(390);
    expect(countAboveIn(digest, 1.1).count).toBe(0);
    expect([0, 7, 123_456, 999].map(roughly)).toEqual([0, 7, 120_000, 1000]);
  });
});

describe("a large graph", () => {
  it("draws a histogram for every layer, weakest first, and the same numbers for screen readers", () => {
    const { graph } = mount();
    const bars = [...graph.el.querySelectorAll(".lg-bars")];
    expect(bars).toHaveLength(N);
    expect(bars.every((bar) => (bar.getAttribute("d")?.match(/M/g) ?? []).length === 1)).toBe(true);
    const rows = [...graph.el.querySelectorAll(".sr-only tbody tr")].map((row) => row.children[0]?.textContent);
    expect(rows).toEqual(Array.from({ length: N }, (_, k) => String(N - k)));
    expect(graph.el.querySelectorAll(".lg-node")).toHaveLength(N);
  });

  it("restricts the table to a layer by its name, and chooses who leaks most there", () => {
    const { graph, props, on, one, asked } = mount();
    const name = one(".lg-layer-name");
    press(name, "ArrowDown");
    expect(document.activeElement?.getAttribute("aria-label")).toMatch(/^11 20: 11 unknown/);
    press(document.activeElement as Element, "Enter");
    expect(asked()).toEqual({ ...FIRST_SEARCH, unknown: 11 });
    graph.update({ ...props, search: asked() });
    press(document.activeElement as Element, " ");
    expect(asked().unknown).toBeNull();
    press(document.activeElement as Element, "ArrowRight");
    press(document.activeElement as Element, "Enter");
    const [target, known] = on.onChoose.mock.lastCall as [number, number[]];
    expect(layerOf(N, columnOf(N, target, known))).toBe(11);
  });

  it("asks for another order, and starts at the first page", () => {
    const { graph, asked } = mount({ search: { ...FIRST_SEARCH, first: 30 } });
    const heads = [...graph.el.querySelectorAll<HTMLElement>('[role="columnheader"]')];
    expect(heads.map((head) => head.getAttribute("aria-sort"))).toEqual(["none", "none", "descending", "none"]);
    heads[1]?.querySelector("button")?.click();
    expect(asked()).toEqual({ ...FIRST_SEARCH, by: "known", down: false, first: 0 });
    heads[2]?.querySelector("button")?.click();
    expect(asked()).toEqual({ ...FIRST_SEARCH, down: false, first: 0 });
  });

  it("takes a chip from any to known, not known and back", () => {
    const { graph, props, one, asked } = mount();
    const chip = (): HTMLButtonElement => graph.el.querySelectorAll<HTMLButtonElement>(".lg-chip")[6] as HTMLButtonElement;
    for (const [knows, lacks, label] of [
      [[6], [], "q7: known"],
      [[], [6], "q7: not known"],
      [[], [], "q7: known or not"],
    ] as const) {
      chip().click();
      expect([asked().knows, asked().lacks]).toEqual([knows, lacks]);
      graph.update({ ...props, search: asked() });
      expect(chip().getAttribute("aria-label")).toBe(label);
      expect(one<HTMLInputElement>(".lg-field").value).toBe(typedTuples(asked(), nameBook(names())));
    }
  });

  it("searches for what is typed so far once the hand rests, the latest only, and complains of half a name at the end", () => {
    vi.useFakeTimers();
    const { graph, props, on, one, asked } = mount();
    const field = one<HTMLInputElement>(".lg-field");
    const type = (text: string): void => {
      field.value = text;
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    };
    type("q2");
    vi.advanceTimersByTime(100);
    type("q2, q4");
    vi.advanceTimersByTime(200);
    expect(on.onSearch).not.toHaveBeenCalled();
    vi.advanceTimersByTime(100);
    expect(on.onSearch).toHaveBeenCalledTimes(1);
    expect([asked().knows, asked().lacks, asked().first]).toEqual([[1, 3], [], 0]);
    // What is under the hand is not rewritten by the answer, and half a word is no error yet.
    type("q2, q4, no");
    graph.update({ ...props, search: asked() });
    vi.advanceTimersByTime(1000);
    expect([field.value, one(".lg-note").textContent, on.onSearch.mock.calls.length]).toEqual(["q2, q4, no", "", 1]);
    press(field, "Enter");
    expect(one(".lg-note").textContent).toContain('"no"');
    // At once with Enter, and then nothing more comes of the rest of the hand.
    type("q2,q4,  not q7");
    press(field, "Enter");
    expect([asked().knows, asked().lacks]).toEqual([[1, 3], [6]]);
    graph.update({ ...props, search: asked() });
    expect([field.value, one(".lg-note").textContent]).toEqual(["q2, q4, not q7", ""]);
    vi.advanceTimersByTime(1000);
    expect(on.onSearch).toHaveBeenCalledTimes(2);
    // Escape gives up what was typed, and a graph that goes takes its question with it.
    type("q9");
    press(field, "Escape");
    expect(field.value).toBe("q2, q4, not q7");
    type("q9");
    graph.destroy();
    vi.advanceTimersByTime(1000);
    expect(on.onSearch).toHaveBeenCalledTimes(2);
    vi.useRealTimers();
  });

  it("turns pages, and the keyboard goes on with the next one", () => {
    const { graph, props, one, asked } = mount();
    const last = graph.el.querySelectorAll<HTMLElement>(".lg-page .lg-row")[PAGE - 1] as HTMLElement;
    last.focus();
    press(last, "ArrowDown");
    expect(asked().first).toBe(PAGE);
    const rows = Array.from({ length: PAGE }, (_, k) => 6 * WIDTH + k);
    graph.update({ ...props, search: asked(), digest: decodeDigest(digestOf({ search: asked(), rows })) });
    expect(document.activeElement?.getAttribute("data-node")).toBe(String(6 * WIDTH));
    expect(document.activeElement?.getAttribute("aria-rowindex")).toBe(String(PAGE + 2));
    expect(one(".lg-range").textContent).toBe("11 to 20 of 24,576");
    one(".lg-to-chosen").click();
    expect(asked().first).toBe(40);
  });

  it("never shows old rows as new ones", () => {
    const { graph, one } = mount({ busy: true, search: { ...FIRST_SEARCH, knows: [2] } });
    expect(one(".lg-page").textContent).not.toMatch(/\d\.\d{3}/);
    expect(one(".lg-found").textContent).toMatch(/^…/);
    expect(one(".lg-range").textContent).toBe("…");
    // The neighbours are still those of the chosen one.
    expect(graph.el.querySelector(".lg-node .lg-value")?.textContent).toMatch(/\d/);
  });

  it("lets the neighbours wait for the one who was chosen", () => {
    const { graph } = mount({ busy: true, target: 5, known: [] });
    expect([...graph.el.querySelectorAll(".lg-node .lg-value")].every((number) => number.textContent === "…")).toBe(true);
  });

  it("writes on the edges what forgetting adds, beside the paper's estimate its increments", () => {
    const edges = [{ known: [1], removed: 5, increment: 0.5 }];
    const { graph, props } = mount();
    const written = (): string[] => [...graph.el.querySelectorAll(".lg-increments g:not([display])")].map((g) => g.textContent ?? "");
    const gap = value(at(3, [1])) - value(at(3, [1, 5]));
    expect(written()).toContain(`${gap < 0 ? "−" : "+"}${Math.abs(gap).toFixed(3)}`);
    const { values } = digestOf();
    graph.update({ ...props, showPaper: true, edges, digest: decodeDigest(digestOf({ values: { ...values, paper: values.exact } })) });
    expect(written()).toEqual(["+0.500"]);
  });

  it("breaks a long row of neighbours where it would be too narrow to read", () => {
    const { graph, props } = mount({ width: 480, known: [] }, { chosen: { target: 3, known: [], rank: 0 } });
    const widths = [...graph.el.querySelectorAll(".lg-node .lg-face")].map((face) => Number(face.getAttribute("width")));
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(44);
    const heights = new Set([...graph.el.querySelectorAll(".lg-node")].map((node) => node.getAttribute("transform")?.split(" ")[1]));
    expect(heights.size).toBe(3);
    graph.update({ ...props, width: 900 });
    expect(new Set([...graph.el.querySelectorAll(".lg-node")].map((node) => node.getAttribute("transform")?.split(" ")[1])).size).toBe(2);
    expect(graph.el.querySelectorAll(".lg-hot line:not([display])")).toHaveLength(N - 1);
  });

  it("is empty without a digest, offers a way out of an empty search, and shows names as text", () => {
    const { graph, props, one, asked } = mount({ digest: null });
    expect(one(".lg-empty").hidden).toBe(false);
    const search = { ...FIRST_SEARCH, about: 1, knows: [1] };
    const odd = digestOf({ count: 0, rows: [], place: null, search, names: names().map((name, k) => (k === 1 ? "<script>x</script>" : name)) });
    graph.update({ ...props, digest: decodeDigest(odd), search });
    expect(one(".lg-found").textContent).toContain("Who attacks <script>x</script> does not know it.");
    expect(graph.el.querySelector("script")).toBeNull();
    one(".lg-none .button").click();
    expect(asked()).toEqual(FIRST_SEARCH);
  });

  it("asks for nothing while disabled", () => {
    const { graph, on, one } = mount({ disabled: true });
    press(one(".lg-layer-name"), "Enter");
    for (const button of graph.el.querySelectorAll<HTMLButtonElement>("button")) button.click();
    press(one(".lg-page .lg-row"), "PageDown");
    one(".lg-page .lg-row").click();
    expect([on.onSearch, on.onChoose].flatMap((spy) => spy.mock.calls)).toEqual([]);
  });
});

describe("only where the estimate is too low or too high", () => {
  const events = () => ({ onChoose: vi.fn(), onShowPaper: vi.fn(), onThreshold: vi.fn() });

  it("turns the other cards into empty frames, named as left out", () => {
    const graph = createLeakageGraph(propsOf(lsat(), { only: "high" }), events());
    const back = [...graph.el.querySelectorAll(".lg-node.lg-back")];
    expect(back).toHaveLength(11);
    expect(back.every((card) => card.getAttribute("aria-label")?.endsWith("left out by the filter") && !card.querySelector(".lg-badge"))).toBe(true);
    expect(graph.el.querySelector(".lg-caption")?.textContent).toContain("Only where the paper’s estimate is too high: 1 adversary of 12");
    graph.update(propsOf(lsat(), { only: "high", showPaper: false }));
    expect(graph.el.querySelectorAll(".lg-back")).toHaveLength(0);
  });

  it("leaves the others out of strips and table of a larger graph", () => {
    const data = sized(8);
    const graph = createLeakageGraph(propsOf(data, { only: "low" }), events());
    const low = Array.from(data.exact, (_, k) => k).filter((k) => k % 3 === 0).length;
    const dots = [...graph.el.querySelectorAll(".lg-others, .lg-own")].map((p) => p.getAttribute("d") ?? "").join("");
    expect(dots.match(/M/g)).toHaveLength(low);
    expect(graph.el.querySelector('[role="grid"]')?.getAttribute("aria-rowcount")).toBe(String(low + 1));
    expect(graph.el.querySelector(".lg-found")?.textContent).toBe(`${low} of 1,024 adversaries: paper’s estimate too low`);
  });
});
