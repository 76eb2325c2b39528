/**
 * Leakage of Gaussian data is (M/lambda) |a + mu|: at another scale, or for another change M, every number is known
 * at once. Here the answer of Python becomes that for what the hand asks.
 */
import type { DigestLayer, DigestState } from "../graph/digest";
import { columnOf, columnOfFlat, flatOf, incrementIndex, knownOf, targetOf } from "../graph/nodes";
import type { Enough, GraphState } from "../ui/protocol";
import { floats, number, toBytes } from "../ui/wire";
import { reaches } from "./laplace-normal";
import type { GaussianChosen, GaussianResults } from "./protocol";

export type Sufficient = Pick<Enough, "scale" | "why">;

/** Up to here whole lattices are drawn, and their edges carry numbers. */
export const LATTICES_TO = 7;
const NEARLY = 0.99;

/** What the leakages become; null when they cannot be told from those for a change of 0. */
export function factorTo(results: GaussianResults, scale: number, change: number): number | null {
  if (results.scale === scale && results.max_change === change) return 1;
  if (results.max_change === 0) return change === 0 ? 1 : null;
  return (change / results.max_change) * (results.scale / scale);
}

/** The results at another scale and change; `factor` from `factorTo`. */
export function rescaled(results: GaussianResults, scale: number, change: number, factor: number): GaussianResults {
  const graph = results.graph && withChanges(scaledGraph(results.graph, factor));
  if (results.scale === scale && results.max_change === change) return { ...results, graph };
  const promise = results.promise * factor;
  return {
    ...results,
    scale,
    max_change: change,
    promise,
    graph,
    digest: results.digest && scaledDigest(results.digest, factor),
    largest: { ...results.largest, value: results.largest.value * factor },
    chosen: scaledChosen(results.chosen, scale, change, factor, promise),
  };
}

function scaledChosen(chosen: GaussianChosen, scale: number, change: number, factor: number, promise: number): GaussianChosen {
  const value = chosen.value * factor;
  const from = (level: number): [number, number] | null => {
    if (chosen.determined) return null;
    const distance = Math.abs(chosen.coefficient) * change;
    const found = reaches({ deviation: chosen.sigma, scale }, level, distance);
    const middle = chosen.centre + (chosen.coefficient * change) / 2;
    return found === null ? null : [middle - found, middle + found];
  };
  return {
    ...chosen,
    value,
    limit: chosen.limit && value > 0,
    pair: chosen.determined ? null : [chosen.expected, chosen.expected + change],
    over: from(promise),
    nearly: value > 0 ? from(NEARLY * value) : null,
  };
}

function scaledGraph(graph: GraphState, factor: number): GraphState {
  if (factor === 1) return graph;
  const { largest } = graph;
  return {
    ...graph,
    promise: number(graph.promise) * factor,
    exact: toBytes(floats(graph.exact).map((value) => value * factor)),
    largest: { ...largest, value: largest.value * factor },
    group_bound: number(graph.group_bound) * factor,
  };
}

/** What stands on the edges: how the leakage changes when one more tuple becomes known. */
function withChanges(graph: GraphState): GraphState {
  const n = graph.names.length;
  if (n > LATTICES_TO) return graph;
  const exact = floats(graph.exact);
  const changes = new Float64Array(exact.length * n).fill(NaN);
  for (let flat = 0; flat < exact.length; flat++) {
    const target = targetOf(n, flat);
    const column = columnOfFlat(n, flat);
    const known = knownOf(n, target, column);
    for (let tuple = 0; tuple < n; tuple++) {
      if (tuple === target || known.includes(tuple)) continue;
      const stronger = flatOf(n, target, column | (1 << (tuple < target ? tuple : tuple - 1)));
      changes[incrementIndex(n, target, column, tuple)] = (exact[stronger] as number) - (exact[flat] as number);
    }
  }
  return { ...graph, increments: toBytes(changes) };
}

function scaledDigest(digest: DigestState, factor: number): DigestState {
  const times = (value: number): number => value * factor;
  const ends = (pair: [number, number] | null): [number, number] | null => pair && [times(pair[0]), times(pair[1])];
  const layer = (each: DigestLayer): DigestLayer => ({ ...each, quartiles: each.quartiles.map(times), range: ends(each.range), own: ends(each.own) });
  return {
    ...digest,
    promise: times(digest.promise),
    domain: [times(digest.domain[0]), times(digest.domain[1])],
    layers: digest.layers.map(layer),
    // How many are above the scaled line is what was counted above the line before.
    threshold: digest.threshold === null ? null : times(digest.threshold),
    values: { ...digest.values, exact: digest.values.exact.map((value) => times(number(value))) },
  };
}

/** Reads the leakage of adversaries out of the results by their flat numbers; null for those that were not sent. */
export function reader({ graph, digest }: GaussianResults): (flat: number) => number | null {
  if (graph) {
    const exact = floats(graph.exact);
    return (flat) => exact[flat] ?? null;
  }
  return (flat) => {
    const at = digest?.values.flats.indexOf(flat) ?? -1;
    return at < 0 ? null : number(digest?.values.exact[at]);
  };
}

/** What knowing one more tuple would change most in what the chosen adversary learns. */
export function nextKnown(results: GaussianResults): { tuple: number; change: number } | null {
  const { target, known, value } = results.chosen;
  const n = results.weights.length;
  const read = reader(results);
  let best: { tuple: number; change: number } | null = null;
  for (let tuple = 0; tuple < n; tuple++) {
    if (tuple === target || known.includes(tuple)) continue;
    const then = read(flatOf(n, target, columnOf(n, target, [...known, tuple])));
    if (then === null || !Number.isFinite(then)) continue;
    if (!best || Math.abs(then - value) > Math.abs(best.change)) best = { tuple, change: then - value };
  }
  return best;
}

/** Scales beyond are not accepted. */
const FARTHEST = 1e301;

/** The least scale at which a leakage at some scale is no more than the goal; null where any will do, or `why` not. */
export function enoughFor(value: number, scale: number, goal: number): Sufficient {
  if (!(value > 0)) return { scale: null, why: null };
  const found = Math.max((value * scale) / goal, 1 / FARTHEST);
  return found <= FARTHEST ? { scale: found, why: null } : { scale: null, why: "It is beyond what numbers can hold." };
}

/** Rescales once for each answer, scale and change. */
export function createRescaler(): (results: GaussianResults, scale: number, change: number) => GaussianResults | null {
  let last: { results: GaussianResults; scale: number; change: number; made: GaussianResults | null } | null = null;
  return (results, scale, change) => {
    if (last && last.results === results && last.scale === scale && last.change === change) return last.made;
    const factor = factorTo(results, scale, change);
    last = { results, scale, change, made: factor === null ? null : rescaled(results, scale, change, factor) };
    return last.made;
  };
}
