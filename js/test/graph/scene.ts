/** Data for the tests of the graph: LSAT items 1, 2 and 5 at scale 1, and graphs of any size. */
import { colourDomain, nameBook, type LeakageData, type Scene } from "../../src/graph/data";
import type { LeakageGraphProps } from "../../src/graph/leakage-graph";
import { adversaryCount, columnOf, flatOf } from "../../src/graph/nodes";

/** Attacked tuple, known tuples, exact, paper's estimate. */
const LSAT: [number, number[], number, number][] = [
  [0, [], 1.234144, 1.06565],
  [0, [1], 0.967953, 0.928909],
  [0, [2], 1.387744, 1.350767],
  [0, [1, 2], 1, 1],
  [1, [], 1.182252, 1.289696],
  [1, [0], 1.29625, 1.29625],
  [1, [2], 1.201632, 1.201632],
  [1, [0, 2], 1, 1],
  [2, [], 1.195676, 1.082045],
  [2, [0], 1.397631, 1.36384],
  [2, [1], 0.981242, 0.954758],
  [2, [0, 1], 1, 1],
];

export function lsat(): LeakageData {
  const exact = new Float64Array(12);
  const paper = new Float64Array(12);
  const increments = new Float64Array(36).fill(NaN);
  for (const [target, known, x, p] of LSAT) {
    const flat = flatOf(3, target, columnOf(3, target, known));
    exact[flat] = x;
    paper[flat] = p;
  }
  // Into "about item 5, knows item 1" by removing item 2, and into "knows none" by removing item 1.
  increments[flatOf(3, 2, columnOf(3, 2, [0])) * 3 + 1] = 0.3638;
  increments[flatOf(3, 2, 0) * 3 + 0] = 0.0282;
  return {
    names: ["item 1", "item 2", "item 5"],
    n: 3,
    promise: 1,
    exact,
    paper,
    determined: null,
    increments,
    largest: flatOf(3, 2, columnOf(3, 2, [0])),
    groupBound: 3,
  };
}

/** n tuples; weaker adversaries learn more, and no two the same. */
export function sized(n: number): LeakageData & { exact: Float64Array } {
  const total = adversaryCount(n);
  const exact = Float64Array.from({ length: total }, (_, flat) => 1 + ((flat * 7919) % total) / total);
  let largest = 0;
  for (let k = 1; k < total; k++) if ((exact[k] as number) > (exact[largest] as number)) largest = k;
  return {
    names: Array.from({ length: n }, (_, k) => `item ${k + 1}`),
    n,
    promise: 1,
    exact,
    paper: exact.map((v, k) => (k % 3 ? v : v - 0.1)),
    determined: null,
    increments: null,
    largest,
    groupBound: n,
  };
}

export function sceneOf(data: LeakageData, more: Partial<Scene> = {}): Scene {
  return {
    data,
    names: nameBook(data.names),
    chosen: data.largest,
    domain: colourDomain(data),
    dark: false,
    paper: data.paper,
    only: null,
    busy: false,
    disabled: false,
    threshold: 1.2,
    edges: null,
    width: 496,
    ...more,
  };
}

export function propsOf(graph: LeakageData | null, more: Partial<LeakageGraphProps> = {}): LeakageGraphProps {
  return { graph, target: 2, known: [0], showPaper: true, threshold: 1.2, dark: false, disabled: false, busy: false, width: 496, ...more };
}
