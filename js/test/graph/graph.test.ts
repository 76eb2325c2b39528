import { beforeEach, describe, expect, it, vi } from "vitest";
import { createLeakageGraph } from "../../src/graph/leakage-graph";
import { adversaryOf, columnOf, flatOf, layerOf, columnOfFlat, targetOf } from "../../src/graph/nodes";
import { lsat, propsOf, sized } from "./scene";

const events = () => ({ onChoose: vi.fn(), onShowPaper: vi.fn(), onThreshold: vi.fn() });

function mount(props: Parameters<typeof createLeakageGraph>[0]) {
  const on = events();
  const graph = createLeakageGraph(props, on);
  document.body.append(graph.el);
  const node = (flat: number) => graph.el.querySelector(`.lg-node[data-node="${flat}"]`) as SVGGElement;
  return { on, graph, node };
}

function press(el: Element, key: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  el.dispatchEvent(event);
  return event;
}

const focusedFlat = (): number => Number(document.activeElement?.getAttribute("data-node"));
const at = (target: number, known: number[]): number => flatOf(3, target, columnOf(3, target, known));

beforeEach(() => document.body.replaceChildren());

describe("up to three tuples", () => {
  it("shows every adversary as a button named in words", () => {
    const { graph, node } = mount(propsOf(lsat()));
    const nodes = graph.el.querySelectorAll('.lg-node[role="button"]');
    expect(nodes).toHaveLength(12);
    expect(node(at(2, [0])).getAttribute("aria-label")).toBe(
      "knows 1 1.398 1.364. about item 5, knows item 1: 1.398 nats, 0.398 over the promise; paper's estimate 1.364, too low by 0.034",
    );
    expect(node(at(2, [0])).getAttribute("aria-pressed")).toBe("true");
    expect(node(at(2, [0])).textContent).toContain("max");
    expect(node(at(2, [0])).querySelector(".lg-badge")).not.toBeNull();
    expect(node(at(1, [0])).querySelector(".lg-badge")).toBeNull();
  });

  it("labels the edges of the chosen adversary with their increments", () => {
    const { graph } = mount(propsOf(lsat()));
    const drawn = [...graph.el.querySelectorAll(".lg-increments g:not([display])")].map((g) => g.textContent);
    expect(drawn.filter(Boolean).sort()).toEqual(["+0.028", "+0.364"]);
  });

  it("walks by arrows: up weaker, down stronger, sideways within the layer and on into the next lattice", () => {
    const { node, on } = mount(propsOf(lsat()));
    node(at(2, [0])).focus();
    press(document.activeElement as Element, "ArrowUp");
    expect(focusedFlat()).toBe(at(2, []));
    press(document.activeElement as Element, "ArrowUp");
    expect(focusedFlat()).toBe(at(2, []));
    press(document.activeElement as Element, "ArrowLeft");
    expect(focusedFlat()).toBe(at(1, []));
    press(document.activeElement as Element, "ArrowDown");
    expect(layerOf(3, columnOfFlat(3, focusedFlat()))).toBe(2);
    press(document.activeElement as Element, "End");
    press(document.activeElement as Element, "ArrowRight");
    expect(focusedFlat()).toBe(at(2, [0]));
    press(document.activeElement as Element, "ArrowDown");
    expect(focusedFlat()).toBe(at(2, [0, 1]));
    expect(on.onChoose).not.toHaveBeenCalled();
    expect(press(document.activeElement as Element, "Enter").defaultPrevented).toBe(true);
    expect(on.onChoose).toHaveBeenLastCalledWith(2, [0, 1]);
  });

  it("has one tab stop among the nodes, and it follows the focus and the choice", () => {
    const { graph, node } = mount(propsOf(lsat()));
    const stops = () => [...graph.el.querySelectorAll('.lg-node[tabindex="0"]')].map((el) => Number(el.getAttribute("data-node")));
    expect(stops()).toEqual([at(2, [0])]);
    node(at(2, [0])).focus();
    press(document.activeElement as Element, "ArrowUp");
    expect(stops()).toEqual([at(2, [])]);
    graph.update(propsOf(lsat(), { target: 0, known: [1] }));
    expect(stops()).toEqual([at(0, [1])]);
  });

  it("chooses by click, and not when disabled", () => {
    const { graph, node, on } = mount(propsOf(lsat()));
    node(at(0, [2])).dispatchEvent(new MouseEvent("click", { bubbles: true }));
    expect(on.onChoose).toHaveBeenCalledWith(0, [2]);
    graph.update(propsOf(lsat(), { disabled: true }));
    node(at(0, [])).dispatchEvent(new MouseEvent("click", { bubbles: true }));
    expect(on.onChoose).toHaveBeenCalledTimes(1);
    expect(node(at(0, [])).getAttribute("aria-disabled")).toBe("true");
  });

  it("says on hover what its label says", () => {
    const { graph, node } = mount(propsOf(lsat()));
    const readout = graph.el.querySelector(".lg-readout") as HTMLElement;
    expect(readout.hidden).toBe(true);
    node(at(2, [0])).dispatchEvent(new MouseEvent("pointerover", { bubbles: true }));
    expect(readout.hidden).toBe(false);
    expect(readout.textContent).toContain("1.398 nats, 0.398 over the promise");
    press(node(at(2, [0])), "Escape");
    expect(readout.hidden).toBe(true);
  });

  it("keeps its elements while values change", () => {
    const { graph, node } = mount(propsOf(lsat()));
    const before = [...graph.el.querySelectorAll("g, rect, text, circle, line, path")];
    const next = lsat();
    next.exact[at(2, [0])] = 1.391;
    graph.update(propsOf(next));
    const after = [...graph.el.querySelectorAll("g, rect, text, circle, line, path")];
    expect(after).toHaveLength(before.length);
    expect(after.every((el, k) => el === before[k])).toBe(true);
    expect(node(at(2, [0])).textContent).toContain("1.391");
  });

  it("draws determined adversaries hollow, with 0 and the word", () => {
    const data = lsat();
    data.determined = new Uint8Array(12);
    data.determined[at(0, [1, 2])] = 1;
    data.exact[at(0, [1, 2])] = 0;
    const { node } = mount(propsOf(data));
    const card = node(at(0, [1, 2]));
    expect(card.classList.contains("lg-hollow")).toBe(true);
    expect([...card.querySelectorAll("text")].map((t) => t.textContent)).toEqual(["knows 2, 5", "0", "determined"]);
    expect(card.style.getPropertyValue("--face")).toBe("var(--bg)");
  });

  it("repeats the numbers in a hidden table", () => {
    vi.useFakeTimers();
    const { graph } = mount(propsOf(lsat()));
    vi.runAllTimers();
    vi.useRealTimers();
    const rows = [...graph.el.querySelectorAll(".sr-only tbody tr")].map((tr) => [...tr.children].map((td) => td.textContent));
    expect(rows).toHaveLength(12);
    expect(rows[at(2, [0])]).toEqual(["item 5", "item 1", "1.398", "1.364"]);
    expect(rows[at(1, [0])]).toEqual(["item 2", "item 1", "1.296", "the same"]);
  });
});

describe("states", () => {
  it("is empty without a graph and recovers", () => {
    const { graph } = mount(propsOf(null));
    expect((graph.el.querySelector(".lg-empty") as HTMLElement).hidden).toBe(false);
    expect(graph.el.querySelectorAll(".lg-node")).toHaveLength(0);
    graph.update(propsOf(lsat()));
    expect((graph.el.querySelector(".lg-empty") as HTMLElement).hidden).toBe(true);
    expect(graph.el.querySelectorAll(".lg-node")).toHaveLength(12);
  });

  it("shows … for every number while busy", () => {
    const { graph } = mount(propsOf(lsat(), { busy: true }));
    expect(graph.el.getAttribute("aria-busy")).toBe("true");
    expect(graph.el.querySelector(".lg-body")?.textContent).not.toMatch(/1\.398|1\.364|of 12 above/);
  });

  it("asks for the paper's estimate and shows none without it", () => {
    const { graph, on } = mount(propsOf(lsat(), { showPaper: false }));
    expect(graph.el.querySelector(".lg-badge")).toBeNull();
    (graph.el.querySelector("input") as HTMLInputElement).click();
    expect(on.onShowPaper).toHaveBeenCalledWith(true);
  });

  it("changes the number of tuples", () => {
    const { graph } = mount(propsOf(lsat()));
    graph.update(propsOf(sized(5), { target: 4, known: [0, 1] }));
    expect(graph.el.querySelectorAll(".lg-node")).toHaveLength(16);
    graph.update(propsOf(sized(1), { target: 0, known: [] }));
    expect(graph.el.querySelectorAll(".lg-node")).toHaveLength(1);
  });

  it("shows names as text, whatever they hold (W36)", () => {
    const names = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "y".repeat(10_000)];
    const { graph } = mount(propsOf({ ...lsat(), names }));
    expect(graph.el.querySelector("script, img")).toBeNull();
    expect(graph.el.textContent).toContain("<script>");
    const longest = Math.max(...[...graph.el.querySelectorAll("svg text")].map((t) => t.textContent?.length ?? 0));
    expect(longest).toBeLessThan(60);
  });
});

describe("four to seven tuples", () => {
  it.each([4, 5, 6, 7])("enlarges the attacked one of %i, the others are small", (n) => {
    const { graph, on } = mount(propsOf(sized(n)));
    expect(graph.el.querySelectorAll(".lg-node")).toHaveLength(2 ** (n - 1));
    const radios = [...graph.el.querySelectorAll('[role="radio"]')];
    expect(radios).toHaveLength(n);
    expect(radios.map((r) => r.getAttribute("aria-checked"))).toEqual(radios.map((_, k) => (k === 2 ? "true" : "false")));
    expect(graph.el.querySelectorAll(".lg-mini")).toHaveLength(n * 2 ** (n - 1));
    (radios[1] as SVGElement).focus();
    press(radios[1] as Element, "Enter");
    expect(on.onChoose.mock.lastCall?.[0]).toBe(1);
    const square = graph.el.querySelector(`[data-mini="${flatOf(n, 3, 1)}"]`) as Element;
    square.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    expect(on.onChoose).toHaveBeenLastCalledWith(3, [0]);
  });

  it.each([6, 7])("writes numbers of %i only on the chosen and the largest", (n) => {
    const data = sized(n);
    const { target } = adversaryOf(n, data.largest);
    const { graph } = mount(propsOf(data, { target, known: [] }));
    const numbers = [...graph.el.querySelectorAll(".lg-value")].filter((t) => t.textContent);
    const expected = data.largest === flatOf(n, target, 0) ? 1 : 2;
    expect(numbers).toHaveLength(expected);
  });
});

describe("eight tuples and more", () => {
  it("puts the largest first and sorts by every heading", () => {
    const data = sized(8);
    const { graph, on } = mount(propsOf(data));
    const rows = () => [...graph.el.querySelectorAll<HTMLElement>(".lg-spacer > .lg-row")].sort((a, b) => Number(a.getAttribute("aria-rowindex")) - Number(b.getAttribute("aria-rowindex")));
    const flats = () => rows().map((row) => Number(row.getAttribute("data-node")));
    expect(graph.el.querySelector('[role="grid"]')?.getAttribute("aria-rowcount")).toBe("1025");
    expect(rows().length).toBeLessThan(30);
    expect(flats()[0]).toBe(data.largest);
    const values = flats().map((flat) => data.exact[flat] as number);
    expect(values).toEqual([...values].sort((a, b) => b - a));
    const headings = [...graph.el.querySelectorAll<HTMLElement>('[role="columnheader"]')];
    expect(headings.map((el) => el.getAttribute("aria-sort"))).toEqual(["none", "none", "descending", "none"]);
    headings[1]?.querySelector("button")?.click();
    expect(flats().every((flat) => columnOfFlat(8, flat) === 0 || layerOf(8, columnOfFlat(8, flat)) >= 7)).toBe(true);
    headings[1]?.querySelector("button")?.click();
    expect(layerOf(8, columnOfFlat(8, flats()[0] as number))).toBe(1);
    headings[3]?.querySelector("button")?.click();
    const gap = (flat: number) => Math.abs((data.paper as Float64Array)[flat]! - data.exact[flat]!);
    expect(gap(flats()[0] as number)).toBeCloseTo(0.1);
    rows()[3]?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    const { target, known } = adversaryOf(8, flats()[3] as number);
    expect(on.onChoose).toHaveBeenCalledWith(target, known);
  });

  it("moves through the table by keys, beyond the rows that exist", () => {
    const data = sized(9);
    const { graph, on } = mount(propsOf(data));
    const first = graph.el.querySelector<HTMLElement>('.lg-spacer > .lg-row[tabindex="0"]') as HTMLElement;
    first.focus();
    press(first, "End");
    const last = document.activeElement as HTMLElement;
    expect(last.getAttribute("aria-rowindex")).toBe(String(9 * 256 + 1));
    expect(press(last, " ").defaultPrevented).toBe(true);
    const least = data.exact.indexOf(Math.min(...data.exact));
    const { target, known } = adversaryOf(9, least);
    expect(on.onChoose).toHaveBeenCalledWith(target, known);
  });

  it("shows the neighbours of the chosen one, and steps to them", () => {
    const { graph, on } = mount(propsOf(sized(10), { target: 3, known: [0, 5] }));
    const cards = [...graph.el.querySelectorAll(".lg-node")];
    expect(cards).toHaveLength(10);
    const centre = flatOf(10, 3, columnOf(10, 3, [0, 5]));
    const card = graph.el.querySelector(`.lg-node[data-node="${centre}"]`) as SVGElement;
    card.focus();
    press(card, "ArrowUp");
    expect(adversaryOf(10, focusedFlat()).known).toHaveLength(1);
    press(document.activeElement as Element, "ArrowDown");
    press(document.activeElement as Element, "ArrowDown");
    expect(adversaryOf(10, focusedFlat()).known).toHaveLength(3);
    press(document.activeElement as Element, "Enter");
    const [target, known] = on.onChoose.mock.lastCall as [number, number[]];
    graph.update(propsOf(sized(10), { target, known }));
    expect(focusedFlat()).toBe(flatOf(10, target, columnOf(10, target, known)));
  });

  it("draws one dot for every adversary", () => {
    const { graph } = mount(propsOf(sized(8)));
    const dots = [...graph.el.querySelectorAll(".lg-others, .lg-own")].map((p) => p.getAttribute("d") ?? "").join("");
    expect(dots.match(/M/g)).toHaveLength(1024);
    expect(targetOf(8, 300)).toBe(2);
  });
});

describe("key strip", () => {
  const strip = (root: Element) => root.querySelector('[role="slider"]') as SVGElement;

  it("says promise, count, largest and threshold", () => {
    const { graph } = mount(propsOf(lsat()));
    const words = [...graph.el.querySelectorAll(".lg-strip text")].map((t) => t.textContent);
    expect(words).toEqual(expect.arrayContaining(["promise 1.000", "7 of 12 above", "largest 1.398", "threshold 1.20, 5 above", "0.5", "1.0", "1.5 nats"]));
    expect(strip(graph.el).getAttribute("aria-valuetext")).toBe("1.20 nats, 5 of 12 adversaries above");
  });

  it("moves by keys, reaches both ends, and goes back to the promise", () => {
    const { graph, on } = mount(propsOf(lsat()));
    const keys: [string, boolean, number | null][] = [
      ["ArrowRight", false, 1.21],
      ["ArrowLeft", false, 1.19],
      ["ArrowRight", true, 1.3],
      ["Home", false, 0.5],
      ["End", false, 1.5],
      ["Delete", false, null],
    ];
    for (const [key, shiftKey, value] of keys) {
      press(strip(graph.el), key, { shiftKey });
      expect(on.onThreshold).toHaveBeenLastCalledWith(value, { commit: true });
    }
  });

  it("stands at the promise when no threshold is set", () => {
    const { graph } = mount(propsOf(lsat(), { threshold: null }));
    expect(graph.el.querySelector(".lg-strip")?.textContent).toContain("threshold at the promise");
    expect(strip(graph.el).getAttribute("aria-valuenow")).toBe("1");
  });

  it("chooses the largest by its callout", () => {
    const { graph, on } = mount(propsOf(lsat(), { target: 0, known: [] }));
    press(graph.el.querySelector(".lg-largest") as Element, "Enter");
    expect(on.onChoose).toHaveBeenCalledWith(2, [0]);
  });
});
