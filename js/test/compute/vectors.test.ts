/** The cases that the Python code is held to, computed by the browser's code. */
import { describe, expect, it } from "vitest";
import { chainAll, edgeBounds, layerByLayer, maximising, type EdgeBounds } from "../../src/compute/chain-rule";
import { asCovariance } from "../../src/compute/covariance";
import { exactAll } from "../../src/compute/exact-all";
import { exactNode, worstKnown } from "../../src/compute/exact-node";
import { gaussianAll, gaussianNode, type GaussianRelease } from "../../src/compute/gaussian-leakage";
import { groupBound, largest, looseBound, sensitivity, type Release } from "../../src/compute/releases";
import { canOccur, scaleFault } from "../../src/compute/prior-inputs";
import { tableFault } from "../../src/compute/table";
import * as curves from "../../src/curves/mixture";
import { logRatio } from "../../src/gaussian/laplace-normal";
import { adversaryCount, columnCount, columnOf, knownOf } from "../../src/graph/nodes";
import type { Mixture } from "../../src/ui/protocol";
import file from "../../../pdp_widgets/data/vectors/pdp.json";

type Nested = number | Nested[];
/** What JSON gives: each of 19 kinds has an input of its own. */
type Json = any;
type Node = [number, number[], number];

interface Case {
  id: string;
  kind: string;
  input: Json;
  expected: Json;
  tol: number;
}

const cases = file.cases as unknown as Case[];

function flat(nested: Nested): number[] {
  return Array.isArray(nested) ? nested.flatMap(flat) : [Number(nested)];
}

function releaseOf(input: Json): Release {
  const domains: number[][] = input.domains;
  const shape = domains.map((labels) => labels.length);
  const cells = Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, cell) => cell);
  const ones = (cell: number): number => shape.reduce((sum, _, j) => sum + ((cell >> j) & 1), 0);
  const weights = input.row_weight_by_sum ? cells.map((cell) => input.row_weight_by_sum[ones(cell)]) : flat(input.counts ?? input.table);
  const all = input.table ? 1 : weights.reduce((a, b) => a + b, 0);
  const contributions = input.contrib ?? domains.map((labels, j) => labels.map((v) => (input.weights?.[j] ?? 1) * v));
  return {
    table: { shape, entries: Float64Array.from(weights, (w) => w / all) },
    contributions: contributions.map((y: number[]) => Float64Array.from(y)),
    scale: input.lam,
  };
}

/** Positions of labels, by tuple. */
function positions(input: Json, tuples: number[], labels: number[]): Map<number, number> {
  return new Map(tuples.map((k, p) => [k, input.domains[k].indexOf(labels[p])]));
}

function rowOf(input: Json): number[] | null {
  if (input.convention === "sup") return null;
  return input.instance.map((label: number, j: number) => input.domains[j].indexOf(label));
}

function at(n: number, target: number, known: number[]): number {
  return target * columnCount(n) + columnOf(n, target, known);
}

/** Nodes, and the largest of every layer and of all, as cases list them. */
function graph(values: Float64Array, n: number, listed: Node[]): Json {
  const layers = Array.from({ length: n }, () => 0);
  values.forEach((value, flatNumber) => {
    const layer = n - knownOf(n, Math.floor(flatNumber / columnCount(n)), flatNumber % columnCount(n)).length;
    layers[layer - 1] = Math.max(layers[layer - 1] as number, value);
  });
  return { nodes: listed.map(([i, known]) => [i, known, values[at(n, i, known)]]), layer_max: layers, leakage: largest(values) };
}

function gaussianOf({ cov, mean, weights, lam, M }: Json): GaussianRelease {
  const n = cov.length;
  return {
    cov: Float64Array.from(flat(cov)),
    mean: Float64Array.from(mean ?? cov.map(() => 0)),
    weights: Float64Array.from(weights ?? Array.from({ length: n }, () => 1)),
    scale: lam,
    maxChange: M,
  };
}

/** One adversary with the densities as the page draws them. */
function drawn(input: Json): { mixtures: (Mixture | undefined)[]; prior: number[]; label: (v: number) => number } {
  const node = exactNode(releaseOf(input), input.target, positions(input, input.known, input.known_values));
  const mixtures = node.mixtures.map((m) => m && { label: "", centres: [...m.centres], weights: Array.from(m.logWeights, Math.exp) });
  return { mixtures: mixtures.map((m) => m ?? undefined), prior: [...node.prior], label: (v) => input.domains[input.target].indexOf(v) };
}

function ratioAt(input: Json, r: number): number {
  const { mixtures, label } = drawn(input);
  const [a, b] = input.pair.map((v: number) => mixtures[label(v)]);
  return a && b ? curves.logRatio(a, b, input.lam, r) : 0;
}

/** A graph with the edges of a case; one increment each. */
function givenEdges({ first, edges }: Json): EdgeBounds {
  const n = first.length;
  const low = new Float64Array(n * columnCount(n) * n).fill(NaN);
  for (const [i, j, known, value] of edges) low[at(n, i, known) * n + j] = value;
  return { low, high: low };
}

const answers: Record<string, (input: Json, expected: Json) => Json> = {
  exact_node(input) {
    const release = releaseOf(input);
    const sup = input.convention === "sup";
    const known = sup ? worstKnown(release, input.target, input.known) : positions(input, input.known, input.known_values);
    const { value, determined } = exactNode(release, input.target, known);
    return { leakage: value, determined };
  },
  exact_all: (input, expected) => graph(exactAll(releaseOf(input), rowOf(input)).exact, input.domains.length, expected.nodes),
  exact_nodes(input, expected) {
    const { nodes } = graph(exactAll(releaseOf(input), rowOf(input)).exact, input.domains.length, expected.nodes);
    return { nodes };
  },
  chain_all(input, expected) {
    const n = input.domains.length;
    const { values, increments } = chainAll(releaseOf(input), rowOf(input));
    const edge = (i: number, j: number, known: number[]): number => increments[at(n, i, known) * n + j] as number;
    const edges = expected.edges.map(([i, j, known]: [number, number, number[]]) => {
      const value = edge(i, j, known);
      return [i, j, known, Number.isNaN(value) ? null : value];
    });
    return { ...graph(values, n, expected.nodes), edges };
  },
  chain_path(input) {
    const release = releaseOf(input);
    const n = input.domains.length;
    const { low, high } = edgeBounds(release, rowOf(input));
    const known = input.domains.map((_: Json, k: number) => k).filter((k: number) => k !== input.target);
    const values = [sensitivity(release.contributions[input.target] as Float64Array) / release.scale];
    const steps: number[] = [];
    for (const j of input.order) {
      known.splice(known.indexOf(j), 1);
      const edge = at(n, input.target, known) * n + j;
      const last = values[values.length - 1] as number;
      const step = Number.isNaN(high[edge]) ? 0 : maximising(last, low[edge] as number, high[edge] as number);
      steps.push(step);
      values.push(Math.abs(last + step));
    }
    return { values, edge_values: steps };
  },
  edge(input, expected) {
    // All pairs of labels are listed; the page needs the extremes.
    const n = input.domains.length;
    const row = input.domains.map(() => 0);
    positions(input, input.known, input.known_values).forEach((p, k) => (row[k] = p));
    const { low, high } = edgeBounds(releaseOf(input), row);
    const edge = at(n, input.target, input.known) * n + input.removed;
    const found = expected.gamma.map((pair: number[]) => pair[2]);
    expect([low[edge], high[edge]].map((value) => Number(value).toFixed(9))).toEqual([Math.min(...found), Math.max(...found)].map((value) => value.toFixed(9)));
    return {};
  },
  whg_given(input, expected) {
    return graph(layerByLayer(Float64Array.from(input.first), givenEdges(input)), input.first.length, expected.nodes);
  },
  group_bound(input) {
    const { contributions, scale } = releaseOf(input);
    const ls = contributions.map(sensitivity);
    return { ls, gs: largest(ls), bound: groupBound(contributions, scale, input.known), loose_bound: looseBound(contributions, scale, input.known) };
  },
  counts: ({ n }) => ({ nodes: adversaryCount(n) }),
  log_ratio(input) {
    return { log_ratio: input.r.map((r: number) => ratioAt(input, r)), minus_inf: ratioAt(input, -1e3), plus_inf: ratioAt(input, 1e3) };
  },
  density(input) {
    const { mixtures, label } = drawn(input);
    return { density: input.r.map((r: number) => curves.density(mixtures[label(input.value)] as Mixture, input.lam, r)) };
  },
  posterior(input) {
    const { mixtures, prior } = drawn(input);
    const posterior = input.r.map((r: number) => curves.posterior(mixtures, prior, input.lam, r));
    return { prior, posterior, gain: input.r.map((r: number) => ratioAt(input, r)) };
  },
  gaussian_node(input) {
    const { value, sigma, ...node } = gaussianNode(gaussianOf(input), input.target, input.known);
    return { ...node, leakage: value, sigma0: sigma };
  },
  gaussian_all: (input, expected) => graph(gaussianAll(gaussianOf(input)).exact, input.cov.length, expected.nodes),
  gaussian_log_ratio(input) {
    const release = gaussianOf({ ...input, M: 1 });
    const { coefficient, sigma, mu00, mu0k } = gaussianNode(release, input.target, input.known);
    const known = input.known.reduce((sum: number, k: number, q: number) => sum + ((release.weights[k] as number) + (mu0k[q] as number)) * input.known_values[q], 0);
    const [a, b] = input.pair.map((x: number) => mu00 + known + coefficient * x);
    return { log_ratio: input.r.map((r: number) => logRatio({ deviation: sigma, scale: input.lam }, r, a, b)) };
  },
};

/** What a page can get wrong: the others need names, shapes or labels that a page does not change. */
const faults: Record<string, (args: Json) => unknown> = {
  "s-err-sum": wrongTable,
  "s-err-negative": wrongTable,
  "s-err-nan": wrongTable,
  "s-err-lambda-zero": (args) => scaleFault(args.lam, { name: "sum", contributions: [Float64Array.of(0, 1)] }),
  "s-err-lambda-neg": (args) => scaleFault(args.lam, { name: "sum", contributions: [Float64Array.of(0, 1)] }),
  "s-err-instance-zero": (args) => !canOccur(releaseOf(args).table, rowOf(args) as number[]),
  "s-err-cov-indef"(args) {
    expect(() => asCovariance(Float64Array.from(flat(args.cov)), ["a", "b"])).toThrow(/must be from -1 to 1/);
    return true;
  },
};

function wrongTable(args: Json): unknown {
  const labels = args.domains.map((domain: number[]) => domain.map(String));
  return tableFault(releaseOf(args).table.entries, { title: "", names: ["a", "b"], labels, records: null });
}

/** Compares what a case expects, as far as the page has it. */
function compare(found: Json, expected: Json, tol: number, place: string): void {
  if (expected !== null && typeof expected === "object") {
    for (const name of Object.keys(expected)) {
      if (Array.isArray(expected)) expect(found, place).toHaveLength(expected.length);
      if (name in found) compare(found[name], expected[name], tol, `${place}.${name}`);
    }
  } else if (typeof expected === "number") {
    expect(Math.abs(found - expected), `${place}: ${found} and ${expected}`).toBeLessThanOrEqual(tol * Math.max(1, Math.abs(expected)));
  } else expect(found, place).toBe(expected);
}

describe("the shared cases", () => {
  const applicable = cases.filter(({ kind, id }) => kind in answers || id in faults);

  it("are those that a page computes", () => {
    const count: Record<string, number> = {};
    for (const { kind } of applicable) count[kind] = (count[kind] ?? 0) + 1;
    expect(count).toMatchObject({ exact_node: 12, exact_all: 21, exact_nodes: 1, chain_all: 16, gaussian_node: 11, gaussian_all: 3, error: 7 });
    expect(applicable.length).toBeGreaterThanOrEqual(95);
  });

  it.each(applicable)("$id ($kind)", ({ id, kind, input, expected, tol }) => {
    const wrong = faults[id];
    if (wrong) expect(wrong(input.args)).toBeTruthy();
    else compare((answers[kind] as (input: Json, expected: Json) => Json)(input, expected), expected, tol, id);
  });
});
