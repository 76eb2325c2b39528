// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import { colourDomain, nameBook, type LeakageData, type Scene } from "../../src/graph/data";
import { createLeakageGraph, type LeakageGraphProps } from "../../src/graph/leakage-graph";
import { createMeasure, measureEnd } from "../../src/graph/measure";
import { describe as told, shown } from "../../src/graph/words";
import { lsat } from "./scene";

const DELTA = { name: "delta", epsilon: 1 } as const;

function deltas(): LeakageData {
  const data = lsat();
  const exact = Float64Array.from(data.exact, (x) => Math.max(0, (x - 1) / 6));
  return { ...data, exact, paper: null, increments: null, promise: 0, groupBound: 0.7, measure: DELTA };
}

const PROPS: LeakageGraphProps = {
  graph: deltas(),
  target: 0,
  known: [],
  showPaper: false,
  threshold: null,
  dark: false,
  disabled: false,
  busy: false,
  width: 496,
};

const events = () => ({ onChoose: vi.fn(), onShowPaper: vi.fn(), onThreshold: vi.fn() });

describe("another measure than the leakage", () => {
  it("has no nats, its own line, and axes that stay", () => {
    const graph = createLeakageGraph(PROPS, events());
    const text = graph.el.textContent ?? "";
    for (const words of ["exact, δ at ε = 1.000", "promise allows 0", "7 of 12 above", "threshold at that line"]) expect(text).toContain(words);
    expect(graph.el.querySelector("svg")?.textContent).not.toContain("nats");
    expect(graph.el.querySelector<HTMLElement>(".lg-switch")?.hidden).toBe(true);
    graph.destroy();
    expect(colourDomain(deltas())).toEqual([0, 0.1]);
    expect([0, 3e-7, 0.004, 0.05, 0.0500001, 0.7].map((x) => measureEnd(DELTA, x))).toEqual([1e-6, 1e-6, 0.005, 0.05, 0.1, 1]);
    expect(measureEnd({ name: "advantage", epsilon: null }, 0.2)).toBe(1);
  });

  it("says what it is held against", () => {
    const data = deltas();
    const scene: Scene = {
      data: { ...data, determined: Uint8Array.from(data.exact, (_, k) => Number(k === 1)) },
      names: nameBook(data.names),
      chosen: 0,
      domain: [0, 1],
      dark: false,
      paper: null,
      only: null,
      busy: false,
      disabled: false,
      threshold: null,
      edges: null,
      width: 496,
    };
    expect(told(scene, 0).value).toBe("0.039, 0.039 over what the promise allows");
    expect([shown(scene, 1), told(scene, 1).value]).toEqual(["0", "0, determined: the known values leave nothing to learn"]);
    const chance = { ...scene, data: { ...scene.data, promise: 1, measure: { name: "posterior_vulnerability", epsilon: null } as const } };
    expect([shown(chance, 1), told(chance, 0).value]).toEqual(["1", "0.039, 0.961 under certainty"]);
  });

  it("is switched by menu, number and button", () => {
    const on = { onMeasure: vi.fn(), onRefused: vi.fn() };
    const shows = createMeasure({ name: "delta", epsilon: 0.5, promise: 1, disabled: false }, on);
    const select = shows.el.querySelector("select") as HTMLSelectElement;
    const entry = shows.el.querySelector("input") as HTMLInputElement;
    expect([select.selectedIndex, entry.value]).toEqual([1, "0.50"]);
    select.selectedIndex = 2;
    select.dispatchEvent(new Event("change"));
    expect(on.onMeasure).toHaveBeenLastCalledWith("advantage", 0.5);
    for (const [typed, calls] of [["0.25", 2], ["-1", 2]] as const) {
      entry.value = typed;
      entry.dispatchEvent(new Event("input"));
      entry.dispatchEvent(new Event("change"));
      entry.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
      expect(on.onMeasure).toHaveBeenCalledTimes(calls);
    }
    expect(on.onRefused).toHaveBeenLastCalledWith(expect.stringContaining("0 or more"));
    shows.el.querySelector("button")?.click();
    expect(on.onMeasure).toHaveBeenLastCalledWith("delta", null);
    shows.update({ name: "leakage", epsilon: null, promise: 1, disabled: true });
    expect(shows.el.querySelector<HTMLElement>(".gm-at")?.hidden).toBe(true);
    expect([select.selectedIndex, select.disabled]).toEqual([0, true]);
  });
});
