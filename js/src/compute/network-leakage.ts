/**
 * What one adversary learns about a tuple of a network from a noisy number, exactly: the law of the query given each
 * label of the tuple and what is known, and what Laplace noise leaves of the ratios. Whole-number noise of the same
 * scale leaks the same. See `leakage/networks/laws` in Python.
 */
import { InputFault, short } from "./faults";
import {
  besides,
  componentOf,
  eliminated,
  inLogsToo,
  messagesOf,
  possibleTable,
  refuseImpossible,
  tableOf,
  times,
  Underflow,
  type Known,
  type Label,
  type Network,
} from "./network-model";
import { logAdd } from "./releases";

/** The labels themselves, how many tuples have a label, or numbers by tuple and label. */
export type Contributions = "sum" | { count: Label } | readonly (readonly number[])[];

/** Values of a query: `least` plus whole multiples of `step`, and how many each label adds. */
export interface Lattice {
  step: number;
  least: number;
  powers: readonly Int32Array[];
  /** Steps from the least value to the largest. */
  reach: number;
  /** By how much each tuple moves the query. */
  sensitivities: readonly number[];
}

/** What is gone through at most. */
export interface Limits {
  /** Steps of a query. */
  steps: number;
  /** Combinations of values of known tuples. */
  values: number;
  /** Options of a branch, or combinations of them, for the worst adversary. */
  options: number;
  /** Adversaries that climbing looks at where options are too many. */
  tries: number;
  /** Entries of the table of a tuple and its quilt. */
  entries: number;
  /** Seconds for one search for worst adversaries; tuples that come later have an interval. */
  seconds: number;
}

/** As far as a kernel goes; a page that follows a hand takes less. */
export const ALL: Limits = { steps: 20_000, values: 4096, options: 200_000, tries: Infinity, entries: 1_000_000, seconds: Infinity };
export const PAGE: Limits = { steps: 2_000, values: 256, options: 10_000, tries: 150, entries: 2048, seconds: 3 };

/** A share below which a number counts as none. */
const NOTHING = 1e-9;
const LEAST_DENSITY = 1e-200;

/** What every label of every tuple adds to the query. */
export function contributionsOf({ names, labels, sizes }: Network, given: Contributions): Float64Array[] {
  const where = { kind: "parameter", name: "contributions" } as const;
  if (given === "sum") {
    return labels.map((domain, j) => {
      const text = domain.find((label) => typeof label !== "number");
      if (text !== undefined) throw new InputFault(`The label ${short(String(text))} of ${short(names[j] as string)} is no number; give contributions.`, where);
      return Float64Array.from(domain as readonly number[]);
    });
  }
  if ("count" in given) {
    const { count } = given;
    if (!labels.some((domain) => domain.includes(count))) throw new InputFault(`No tuple has the label ${short(String(count))}, which is counted.`, where);
    return labels.map((domain) => Float64Array.from(domain, (label) => Number(label === count)));
  }
  if (given.length !== sizes.length || given.some((y, j) => y.length !== sizes[j] || !y.every(Number.isFinite))) {
    throw new InputFault("Contributions are one finite number for each label of each tuple.", where);
  }
  return given.map((y) => Float64Array.from(y));
}

/** The lattice of a query, or InputFault where it has too many steps. */
export function latticeOf(contributions: readonly Float64Array[], limits: Limits): Lattice {
  const lows = contributions.map((y) => Math.min(...y));
  const above = contributions.map((y, j) => y.map((one) => one - (lows[j] as number)));
  const sensitivities = above.map((y) => Math.max(...y));
  const least = lows.reduce((sum, one) => sum + one, 0);
  const largest = Math.max(...sensitivities);
  if (largest === 0) return { step: 1, least, powers: above.map((y) => new Int32Array(y.length)), reach: 0, sensitivities };
  let divisor = 0;
  for (const y of above) {
    for (const one of y) {
      let rest = one / largest;
      while (rest > NOTHING) [divisor, rest] = [rest, Math.abs(divisor - rest * Math.round(divisor / rest))];
    }
  }
  const most = Math.round(1 / divisor);
  const counts = above.map((y) => y.map((one) => Math.round((one / largest) * most)));
  const reach = counts.reduce((sum, y) => sum + Math.max(...y), 0);
  if (reach > limits.steps) {
    const [many, few] = [reach, limits.steps].map((one) => one.toLocaleString("en"));
    const text = `The query has ${many} steps of ${(largest / most).toPrecision(6)}; at most ${few} are followed here. Round contributions.`;
    throw new InputFault(text, { kind: "parameter", name: "contributions" });
  }
  return { step: largest / most, least, powers: counts.map((y) => Int32Array.from(y)), reach, sensitivities };
}

/** Laws of the query, one row for each label of the target; those of labels that are not feasible mean nothing. */
export interface Laws {
  /** Probabilities or, where `logs`, their logarithms. */
  rows: readonly Float64Array[];
  feasible: readonly boolean[];
  logs: boolean;
  /** Steps of the known tuples, which every row is shifted by. */
  first: number;
}

/** Given each label of a tuple, and known labels that can occur. */
export function lawsOf(network: Network, lattice: Lattice, target: number, known: Known, logs: boolean): Laws {
  const { many, values, possible } = eliminated(network, messagesOf(network, known, logs), [target], lattice.powers, logs);
  const power = lattice.powers[target] as Int32Array;
  const length = many + Math.max(...power);
  const rows = Array.from(power, (shift, v) => {
    const row = new Float64Array(length).fill(logs ? -Infinity : 0);
    row.set(values.subarray(v * many, (v + 1) * many), shift);
    return normalised(row, logs);
  });
  const feasible = rows.map((row, v) => (logs ? row.some((p) => p > -Infinity) : possible === null || Boolean(possible[v])));
  let first = 0;
  known.forEach((label, j) => (first += lattice.powers[j]?.[label] as number));
  return { rows, feasible, logs, first };
}

export const logSum = (row: Float64Array): number => row.reduce(logAdd, -Infinity);

/** A row as a law; one of zeros stays. */
export function normalised(row: Float64Array, logs: boolean): Float64Array {
  let sum = logs ? logSum(row) : 0;
  if (!logs) for (let k = 0; k < row.length; k++) sum += row[k] as number;
  if (sum === (logs ? -Infinity : 0)) return row;
  const found = new Float64Array(row.length);
  for (let k = 0; k < row.length; k++) found[k] = logs ? (row[k] as number) - sum : (row[k] as number) / sum;
  return found;
}

/** Densities at the values of a query, up to a constant, or their logarithms; `decay` is the step over the scale. `found` may be longer. */
export function densities(law: Float64Array, decay: number, logs: boolean, found: Float64Array = new Float64Array(law.length)): Float64Array {
  if (logs) {
    let level = -Infinity;
    for (let k = 0; k < law.length; k++) found[k] = level = logAdd(level - decay, law[k] as number);
    level = -Infinity;
    for (let k = law.length - 2; k >= 0; k--) {
      level = logAdd(level, law[k + 1] as number) - decay;
      found[k] = logAdd(found[k] as number, level);
    }
    return found;
  }
  const share = Math.exp(-decay);
  let level = 0;
  for (let k = 0; k < law.length; k++) found[k] = level = level * share + (law[k] as number);
  level = 0;
  for (let k = law.length - 1; k >= 0; k--) {
    if (((found[k] as number) += level) < LEAST_DENSITY) throw new Underflow();
    level = (level + (law[k] as number)) * share;
  }
  return found;
}

/** The logarithm of the ratio of two densities. */
export const logRatio = (a: number, b: number, logs: boolean): number => (logs ? a - b : Math.log(a / b));

/** The largest log ratio of densities: at how many steps, and of which labels. */
export interface Ratio {
  value: number;
  at: number;
  more: number;
  less: number;
}

export function largestRatio({ rows, feasible, logs }: Laws, decay: number): Ratio {
  const there = rows.flatMap((row, v) => (feasible[v] ? [{ v, row: densities(row, decay, logs) }] : []));
  const length = there.length < 2 ? 0 : (there[0] as { row: Float64Array }).row.length;
  const found: Ratio = { value: 0, at: 0, more: 0, less: 0 };
  // Of all values the one with the largest ratio, or difference of logarithms; its logarithm is taken once.
  let largest = logs ? 0 : 1;
  for (let k = 0; k < length; k++) {
    let [high, low, more, less] = [-Infinity, Infinity, 0, 0];
    for (const { v, row } of there) {
      const p = row[k] as number;
      if (p > high) [high, more] = [p, v];
      if (p < low) [low, less] = [p, v];
    }
    const apart = logs ? high - low : high / low;
    if (apart > largest) {
      largest = apart;
      Object.assign(found, { value: logRatio(high, low, logs), at: k, more, less });
    }
  }
  return found;
}

/** What one adversary learns, in nats, exactly. */
export interface Learned {
  value: number;
  /** At most one label is left. */
  determined: boolean;
  /** The released value at which it is learned, from which side on, and the positions of the two labels. */
  attained: { value: number; side: "<=" | "=" | ">="; pair: readonly [number, number] } | null;
  /** The known tuples with the labels where it is learned. */
  known: readonly (readonly [number, number])[];
}

const countOf = (flags: readonly boolean[]): number => flags.filter(Boolean).length;

function learned(lattice: Lattice, laws: Laws, decay: number, known: Known): Learned {
  const { value, at, more, less } = largestRatio(laws, decay);
  const determined = countOf(laws.feasible) < 2;
  const last = (laws.rows[0] as Float64Array).length - 1;
  const side = at === 0 ? "<=" : at === last ? ">=" : "=";
  const attained = determined ? null : ({ value: lattice.least + lattice.step * (at + laws.first), side, pair: [more, less] } as const);
  return { value, determined, attained, known: [...known] };
}

/** What who knows some labels learns; they must be able to occur. */
export function nodeLeakage(network: Network, lattice: Lattice, scale: number, target: number, known: Known): Learned {
  refuseTarget(network, target, [...known.keys()]);
  refuseImpossible(network, known);
  const decay = lattice.step / scale;
  return inLogsToo((logs) => learned(lattice, lawsOf(network, lattice, target, known, logs), decay, known));
}

/** What who knows some tuples learns at most, over all their values that can occur. */
export function largestLeakage(network: Network, lattice: Lattice, scale: number, target: number, known: readonly number[], limits: Limits): Learned {
  refuseTarget(network, target, known);
  const decay = lattice.step / scale;
  let best: Learned | null = null;
  for (const values of valuesOf(network, known, limits.values)) {
    const found = inLogsToo((logs) => learned(lattice, lawsOf(network, lattice, target, values, logs), decay, values));
    if (best === null || found.value > best.value || (best.determined && !found.determined)) best = found;
  }
  return best as Learned;
}

function refuseTarget({ names, sizes }: Network, target: number, known: readonly number[]): void {
  const text = `${short(names[target] as string)} is attacked and known at once; leave it out of the known tuples.`;
  if (known.includes(target)) throw new InputFault(text, { kind: "parameter", name: "known" });
  const missing = [target, ...known].find((j) => !(j in sizes));
  if (missing !== undefined) throw new InputFault(`There is no tuple ${missing}; positions end at ${sizes.length - 1}.`, { kind: "parameter", name: "target" });
}

/** All values of known tuples that can occur, or InputFault where they are too many. */
export function valuesOf(network: Network, known: readonly number[], most: number): Known[] {
  const { sizes } = network;
  let found: Known[] = [new Map()];
  const ahead = [...known].sort((a, b) => (sizes[a] as number) - (sizes[b] as number));
  while (ahead.length) {
    const block = [ahead.shift() as number];
    while (ahead.length && times([...block, ahead[0] as number].map((k) => sizes[k] as number)) <= most) block.push(ahead.shift() as number);
    block.sort((a, b) => a - b);
    const longer: Known[] = [];
    for (const values of found) {
      possibleTable(network, block, values).forEach((there, row) => {
        if (!there) return;
        const more = new Map(values);
        for (let k = block.length - 1; k >= 0; k--) {
          const size = sizes[block[k] as number] as number;
          more.set(block[k] as number, row % size);
          row = Math.floor(row / size);
        }
        longer.push(more);
      });
      if (longer.length > most) {
        const text =
          `The known tuples have more than ${most.toLocaleString("en")} combinations of values that can occur. ` +
          "Give their values, or take the worst adversary, who needs no such list.";
        throw new InputFault(text, { kind: "parameter", name: "known" });
      }
    }
    found = longer;
  }
  return found;
}

/** What those who know nothing learn about each tuple: the laws are computed once for all scales. */
export class KnowingNone {
  private readonly laws = new Map<boolean, Laws[]>();

  constructor(
    readonly network: Network,
    readonly lattice: Lattice,
  ) {}

  /** Logarithms say of every value whether it can be reached. */
  of(logs: boolean): readonly Laws[] {
    let found = this.laws.get(logs);
    if (!found) {
      found = this.network.names.map((_, j) => lawsOf(this.network, this.lattice, j, new Map(), logs));
      this.laws.set(logs, found);
    }
    return found;
  }

  leakages(scale: number): Learned[] {
    const decay = this.lattice.step / scale;
    return inLogsToo((logs) => this.of(logs).map((laws) => learned(this.lattice, laws, decay, new Map())));
  }

  /** The largest of them. */
  largest(scale: number): number {
    const decay = this.lattice.step / scale;
    return inLogsToo((logs) => Math.max(...this.of(logs).map((laws) => largestRatio(laws, decay).value)));
  }

  /** What is learned from the query without noise. */
  noiseless(): number {
    return Math.max(...this.of(true).map(noiselessRatio));
  }
}

/** The largest log ratio of the probabilities of a value that a feasible label reaches; the laws are logarithms. */
export function noiselessRatio({ rows, feasible }: Laws): number {
  const there = rows.filter((_, v) => feasible[v]);
  if (there.length < 2) return 0;
  let largest = 0;
  (there[0] as Float64Array).forEach((_, k) => {
    const column = there.map((row) => row[k] as number);
    const high = Math.max(...column);
    if (high > -Infinity) largest = Math.max(largest, high - Math.min(...column));
  });
  return largest;
}

/** The law of the query given each feasible label, at the values that one of them reaches. */
export interface ShownLaw {
  labels: readonly number[];
  values: readonly number[];
  /** Logarithms of the probabilities. */
  logs: readonly Float64Array[];
}

/** By the zeros of the tables: the laws are logarithms. */
export function shownLaw({ rows, feasible, first }: Laws, { least, step }: Lattice): ShownLaw {
  const labels = rows.flatMap((_, v) => (feasible[v] ? [v] : []));
  const there = labels.map((v) => rows[v] as Float64Array);
  const reached = Array.from(rows[0] as Float64Array, (_, k) => k).filter((k) => there.some((row) => (row[k] as number) > -Infinity));
  return { labels, values: reached.map((k) => least + step * (k + first)), logs: there.map((row) => Float64Array.from(reached, (k) => row[k] as number)) };
}

/** Who learns at least as much as one adversary: only the unknown tuples joined to the target, and the labels beside them, matter. */
export interface Dominating {
  /** The unknown tuples, the target among them. */
  unknown: readonly number[];
  boundary: readonly number[];
  /** Tuples beyond the boundary: knowing them or not lowers nothing. */
  beyond: readonly number[];
}

export function dominating({ graph }: Network, target: number, known: readonly number[]): Dominating {
  const inside = componentOf(graph, target, new Set(known));
  const boundary = besides(graph, inside);
  const beyond = graph.flatMap((_, j) => (inside.has(j) || boundary.includes(j) ? [] : [j]));
  return { unknown: [...inside].sort((a, b) => a - b), boundary, beyond };
}

/** Combinations of labels beside a tuple that are looked at. */
const MOST_BESIDE = 1 << 18;

/** What who knows all other tuples learns at most, over two labels that some of their values allow both; null where they are too many. */
export function strongest(network: Network, { powers, step }: Lattice, scale: number, target: number): number | null {
  const { graph, isTree, possible, sizes } = network;
  const [own, near] = [powers[target] as Int32Array, graph[target] as readonly number[]];
  const size = own.length;
  /** Combinations of labels of some tuples beside the target that each of its labels allows. */
  const allowed = (beside: readonly number[], table: (kept: readonly number[]) => ArrayLike<number | boolean>): Set<number>[] => {
    const kept = [...beside, target].sort((a, b) => a - b);
    const inner = times(kept.slice(kept.indexOf(target) + 1).map((j) => sizes[j] as number));
    const found = Array.from(own, () => new Set<number>());
    Array.from(table(kept)).forEach((there, cell) => {
      if (there) found[Math.floor(cell / inner) % size]?.add(Math.floor(cell / (inner * size)) * inner + (cell % inner));
    });
    return found;
  };
  if (!isTree && times([...near, target].map((j) => sizes[j] as number)) > MOST_BESIDE) return null;
  // What is beside a tuple of a tree is independent given the tuple.
  const listed = isTree
    ? near.map((k) => allowed([k], (kept) => tableOf(network, kept)).map((labels) => new Set([...labels].filter((u) => possible[k]?.[u]))))
    : [allowed(near, (kept) => possibleTable(network, kept, new Map()))];
  let most = 0;
  own.forEach((power, v) => {
    own.forEach((other, w) => {
      if (power <= other || !possible[target]?.[v] || !possible[target]?.[w]) return;
      if (listed.every((of) => [...(of[v] as Set<number>)].some((cell) => of[w]?.has(cell)))) most = Math.max(most, power - other);
    });
  });
  return (most * step) / scale;
}
