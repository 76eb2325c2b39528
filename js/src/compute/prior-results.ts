/** What a page shows of results: the graph of all adversaries, and one of them in full. */
import type { DrawnChosen, PriorResults } from "../prior/protocol";
import { columnCount, columnOf } from "../graph/nodes";
import type { ChosenEdge, Convention, GraphState, MeasureName } from "../ui/protocol";
import { toBytes } from "../ui/wire";
import { chainAll, type ChainRule } from "./chain-rule";
import { exactAll, type Leakages } from "./exact-all";
import { exactNode, jointNode, worstKnown } from "./exact-node";
import { countAbove, digestOf, largestOf, misjudged, MOST_DRAWN, type Largest, type Question } from "./graph-digest";
import type { Bin, Query } from "./linear-query";
import { measureAsked, measuredAll } from "./measured";
import { groupBound, largest, promiseOf, type Release } from "./releases";
import type { Table } from "./table";

/** Up to here all edges are drawn, and their increments are part of the graph. */
const WHOLE_TO = 7;

/** All leakages, and what they belong to. */
export interface Solved {
  release: Release;
  /** What the query is called, and the numbers of which a histogram is made. */
  query: string;
  bins?: readonly Bin[];
  /** Records behind the table when it is a sample. */
  records: number | null;
  /** Instance as label positions. */
  row: readonly number[];
  convention: Convention;
  leakages: Leakages;
  /** null until the paper's estimate is asked for. */
  chain: ChainRule | null;
}

export interface Words {
  names: string[];
  /** Text of each label, by tuple. */
  labels: string[][];
}

/** What the whole results say beside the graph. */
export interface Whole {
  promise: number;
  largest: Largest;
  group_bound: number;
}

/** The release of a query: of one number, or of all bins of a histogram. */
export function releaseOf(table: Table, { contributions, bins }: Query, scale: number): Release {
  return { table, contributions, scale, ...(bins && { bins: bins.map((bin) => bin.contributions) }) };
}

export function solve(release: Release, { name, bins }: Query, records: number | null, row: readonly number[], convention: Convention): Solved {
  const leakages = exactAll(release, convention === "sup" ? null : row);
  return { release, query: name, ...(bins && { bins }), records, row, convention, leakages, chain: null };
}

export function withPaper(solved: Solved): Solved {
  if (solved.chain !== null) return solved;
  return { ...solved, chain: chainAll(solved.release, solved.convention === "sup" ? null : solved.row) };
}

/** Label positions that one adversary knows: of the instance, or the worst ones. */
function knownValues({ release, row, convention }: Solved, target: number, known: readonly number[]): Map<number, number> {
  return convention === "sup" ? worstKnown(release, target, known) : new Map(known.map((k) => [k, row[k] as number]));
}

/** The instance, in the worst case with the values that one adversary knows. */
function rowWith(row: readonly number[], values: ReadonlyMap<number, number>): number[] {
  return row.map((p, j) => values.get(j) ?? p);
}

/** What the graph is asked to show. */
export interface Shown {
  measure?: MeasureName;
  measure_epsilon?: number | null;
}

/** The results as Python sends them. The estimate is shown when it is there and asked for. */
export function resultsOf(solved: Solved, words: Words, asked: Question & Shown, paper: boolean): PriorResults & Whole {
  const { target, known } = asked;
  const { release, row, convention, leakages } = solved;
  const { contributions, scale } = release;
  const n = contributions.length;
  const chain = paper ? solved.chain : null;
  const top = largestOf(leakages.exact, n);
  const promise = promiseOf(release);
  const bound = groupBound(contributions, scale, []);
  const wrong = chain && misjudged(chain.values, leakages.exact, leakages.determined, bound);
  const large = n > MOST_DRAWN;
  const { measure: name = "leakage", measure_epsilon: epsilon = null } = asked;
  const other = name === "leakage" ? null : measuredAll(solved, measureAsked(name, epsilon, release));
  const shown = other ?? { exact: leakages.exact, promise, groupBound: bound };
  const edged = other ? null : chain;
  const graph: GraphState | null = large ? null : {
    names: words.names,
    promise: shown.promise,
    exact: toBytes(shown.exact),
    paper: edged && toBytes(edged.values),
    determined: leakages.determined.some((flag) => flag !== 0) ? toBytes(leakages.determined) : null,
    increments: edged && n <= WHOLE_TO ? toBytes(edged.increments) : null,
    largest: other ? largestOf(other.exact, n) : top,
    group_bound: shown.groupBound,
    ...(other && { measure: other.measure }),
  };
  return {
    scale,
    convention,
    instance: [...row],
    promise,
    largest: top,
    largest_instance: rowWith(row, knownValues(solved, top.target, top.known)),
    group_bound: bound,
    graph,
    // Of a large graph the estimate stays once it is there, as in Python.
    digest: large ? digestOf({ ...leakages, names: words.names, paper: other ? null : (solved.chain?.values ?? null), ...shown }, asked) : null,
    chosen: chosenOf(solved, words, target, known, chain),
    above_promise: countAbove(leakages.exact, promise),
    too_low: wrong && wrong.low,
    too_high: wrong && wrong.high,
    paper_largest: chain && largest(chain.values),
  };
}

/** One adversary of a histogram: bins instead of densities, and no estimate. */
function binsOf(solved: Solved, bins: readonly Bin[], target: number, known: readonly number[]): DrawnChosen {
  const { release, row, leakages } = solved;
  const n = release.contributions.length;
  const values = knownValues(solved, target, known);
  const { alone, r, determined, prior, support } = jointNode(release, release.bins ?? [], target, values);
  return {
    target,
    known: [...known],
    instance: rowWith(row, values),
    value: leakages.exact[target * columnCount(n) + columnOf(n, target, known)] as number,
    determined,
    paper: null,
    group_bound: groupBound(release.contributions, release.scale, known),
    promise: promiseOf(release),
    attained: null,
    prior: [...prior],
    mixtures: [],
    grouped: null,
    edges: [],
    links: [],
    bins: bins.map(({ name }, b) => ({ name, alone: alone[b] as number, r: r && (r[b] as number) })),
    support,
  };
}

function chosenOf(solved: Solved, words: Words, target: number, known: readonly number[], chain: ChainRule | null): DrawnChosen {
  if (solved.bins) return binsOf(solved, solved.bins, target, known);
  const { release, row, leakages } = solved;
  const n = release.contributions.length;
  const flat = target * columnCount(n) + columnOf(n, target, known);
  const values = knownValues(solved, target, known);
  const node = exactNode(release, target, values);
  return {
    target,
    known: [...known],
    instance: rowWith(row, values),
    value: leakages.exact[flat] as number,
    determined: node.determined,
    paper: chain && (chain.values[flat] as number),
    group_bound: groupBound(release.contributions, release.scale, known),
    promise: promiseOf(release),
    attained: node.attained,
    prior: [...node.prior],
    mixtures: node.mixtures.flatMap((mixture, v) =>
      mixture === null
        ? []
        : [{ label: words.labels[target]?.[v] as string, centres: [...mixture.centres], weights: Array.from(mixture.logWeights, Math.exp) }],
    ),
    // Each label of a table this small has few centres: none are drawn together.
    grouped: null,
    edges: chain ? edgesOf(chain.increments, n, target, known) : [],
    support: node.support,
  };
}

/** The increments of all edges at one adversary, to stronger and to weaker ones. */
function edgesOf(increments: Float64Array, n: number, target: number, known: readonly number[]): ChosenEdge[] {
  const edges: ChosenEdge[] = [];
  for (let j = 0; j < n; j++) {
    if (j === target) continue;
    const weaker = known.filter((k) => k !== j);
    const node = target * columnCount(n) + columnOf(n, target, weaker);
    const value = increments[node * n + j] as number;
    edges.push({ known: weaker, removed: j, increment: Number.isNaN(value) ? null : value });
  }
  return edges;
}
