// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import { createAnyGraph, sizeOf, type AnyGraphProps } from "../../src/graph/leakage-graph";
import * as decode from "../../src/graph/data";
import { FIRST_SEARCH } from "../../src/graph/search";
import { toBytes } from "../../src/ui/wire";
import type { GraphState } from "../../src/ui/protocol";
import { digestOf } from "./digest";

const GRAPH: GraphState = {
  names: ["x", "y"],
  promise: 1,
  exact: toBytes(Float64Array.from([1.5, 1, 1.2, 1])),
  paper: null,
  determined: null,
  increments: null,
  largest: { target: 0, known: [], value: 1.5 },
  group_bound: 2,
};

const PROPS: AnyGraphProps = {
  graph: GRAPH,
  digest: null,
  target: 0,
  known: [],
  search: FIRST_SEARCH,
  showPaper: false,
  threshold: null,
  dark: false,
  disabled: false,
  busy: false,
  stale: false,
  width: 496,
};

const events = () => ({ onChoose: vi.fn(), onShowPaper: vi.fn(), onThreshold: vi.fn(), onSearch: vi.fn() });

describe("the line below the graph", () => {
  it("calls the tuples as it is told", () => {
    const graph = createAnyGraph(PROPS, events());
    const line = (): string => graph.el.querySelector(".lg-caption")?.textContent ?? "";
    expect(line()).toContain("First line: known tuples.");
    graph.update({ ...PROPS, called: "students" });
    expect(line()).toContain("First line: known students.");
  });
});

describe("two tuples with long names", () => {
  it("share the width, and the whole name stands where there is room", () => {
    const names = ["Uses a password manager", "Would share location"];
    const graph = createAnyGraph({ ...PROPS, graph: { ...GRAPH, names } }, events());
    const headings = [...graph.el.querySelectorAll(".lg-heading")];
    headings.forEach((heading, k) => expect(heading.textContent).toContain(names[k]));
    const [left, right] = headings.map((heading) => Number(heading.getAttribute("x"))) as [number, number];
    // As far from the right edge as from the middle between the two.
    expect(Math.abs(496 - right - (right - left) / 2)).toBeLessThan(8);
  });
});

describe("a graph of any size", () => {
  it("draws what is there and changes with its kind", () => {
    const graph = createAnyGraph(PROPS, events());
    expect(graph.el.querySelectorAll(".lg-graph")).toHaveLength(1);
    expect(graph.el.querySelectorAll("[data-node]").length).toBeGreaterThan(0);
    expect(graph.el.querySelector(".lg-layers")).toBeNull();
    const digest = digestOf();
    graph.update({ ...PROPS, graph: null, digest, target: digest.chosen.target, known: digest.chosen.known });
    expect(graph.el.querySelectorAll(".lg-graph")).toHaveLength(1);
    expect(graph.el.querySelector(".lg-layers")).not.toBeNull();
    graph.update({ ...PROPS, graph: null, emptyText: "Nothing yet." });
    expect(graph.el.querySelector(".lg-empty")?.textContent).toBe("Nothing yet.");
    graph.update(PROPS);
    expect(graph.el.querySelector<HTMLElement>(".lg-empty")?.hidden).toBe(true);
    graph.destroy();
    expect(graph.el.children).toHaveLength(0);
  });

  it("reads bytes once for each answer", () => {
    const read = vi.spyOn(decode, "decodeGraph");
    const graph = createAnyGraph(PROPS, events());
    graph.update({ ...PROPS, threshold: 1.2 });
    graph.update({ ...PROPS, target: 1 });
    expect(read).toHaveBeenCalledTimes(1);
    graph.update({ ...PROPS, graph: { ...GRAPH } });
    expect(read).toHaveBeenCalledTimes(2);
    read.mockRestore();
    graph.destroy();
  });

  it("knows how many there are", () => {
    expect(sizeOf(GRAPH, null)).toEqual({ n: 2, adversaries: 4 });
    expect(sizeOf(null, digestOf())).toEqual({ n: 12, adversaries: 24576 });
    expect(sizeOf(null, null)).toBeNull();
  });

  it("says which numbers are out of date, and waits only with them", () => {
    const graph = createAnyGraph({ ...PROPS, busy: true }, events());
    expect(graph.el.textContent).toContain("1.500");
    graph.update({ ...PROPS, busy: true, stale: true });
    expect(graph.el.textContent).not.toContain("1.500");
    graph.destroy();
  });
});
