/**
 * What two published mechanisms for networks look at: how far apart the laws of a query are given two labels (Wasserstein),
 * and what a set of tuples says about one (Markov quilts). See `leakage/networks/wasserstein` and `quilts` in Python.
 */
import { InputFault, short } from "./faults";
import { KnowingNone, logSum, noiselessRatio, shownLaw, type Lattice, type Limits, type ShownLaw } from "./network-leakage";
import { besides, componentOf, eliminated, inLogsToo, messagesOf, posterior, tableOf, times, type Network } from "./network-model";
import { logAdd } from "./releases";

/** Relative tolerance where two distribution functions are compared. */
const SLACK = Math.log1p(1e-9);

const add = (a: number, b: number): number => a + b;

// Wasserstein

/** The longest way that mass of one law must go to become another: from a value of one to a value of the other. */
export interface Arrow {
  distance: number;
  from: number;
  to: number;
}

/** The infinite Wasserstein distance of two laws, given as logarithms at ascending values. */
export function longestArrow(values: readonly number[], one: Float64Array, other: Float64Array): Arrow {
  const [there, back] = [way(values, one, other), way(values, other, one)];
  return there.distance >= back.distance ? there : { ...back, from: back.to, to: back.from };
}

/** How far down the mass of one law lies below the other at most. */
function way(values: readonly number[], one: Float64Array, other: Float64Array): Arrow {
  const [below, above] = tails(one);
  const [otherBelow, otherAbove] = tails(other);
  const last = values.length - 1;
  const found: Arrow = { distance: 0, from: values[0] as number, to: values[0] as number };
  let y = 0;
  one.forEach((p, x) => {
    if (p === -Infinity) return;
    // The least y with F(x) <= G(y), by the tail that is accurate there.
    const reaches = (k: number): boolean =>
      (otherBelow[k] as number) <= -Math.LN2
        ? (otherBelow[k] as number) + SLACK >= (below[x] as number)
        : (otherAbove[k] as number) <= (above[x] as number) + SLACK;
    while (y < last && !reaches(y)) y++;
    const distance = (values[y] as number) - (values[x] as number);
    if (distance > found.distance) Object.assign(found, { distance, from: values[x], to: values[y] });
  });
  return found;
}

/** Logarithms of the mass up to each value, and above it. */
function tails(law: Float64Array): [Float64Array, Float64Array] {
  const [below, above] = [new Float64Array(law.length), new Float64Array(law.length)];
  let level = -Infinity;
  law.forEach((p, k) => (below[k] = level = logAdd(level, p)));
  level = -Infinity;
  for (let k = law.length - 1; k >= 0; k--) {
    above[k] = level;
    level = logAdd(level, law[k] as number);
  }
  return [below, above];
}

/** The pair of labels, as positions, whose laws are farthest apart, with the arrow between them; null with one label. */
export function farthest({ labels, values, logs }: ShownLaw): (Arrow & { pair: readonly [number, number] }) | null {
  let best: (Arrow & { pair: readonly [number, number] }) | null = null;
  logs.forEach((one, v) => {
    logs.slice(v + 1).forEach((other, k) => {
      const arrow = longestArrow(values, one, other);
      if (best === null || arrow.distance > best.distance) best = { ...arrow, pair: [labels[v] as number, labels[v + 1 + k] as number] };
    });
  });
  return best;
}

/** W of every tuple, in units of the query: those who know nothing, and any two possible labels. */
export function distances(none: KnowingNone): number[] {
  return none.of(true).map((laws) => farthest(shownLaw(laws, none.lattice))?.distance ?? 0);
}

// Markov quilts

/** The best quilt of a tuple, or one of a family. */
export interface Quilt {
  target: number;
  /** None where the whole component counts as near. */
  quilt: readonly number[];
  near: readonly number[];
  /** What the quilt says about the target, nats. */
  influence: number;
  /** By how much the near tuples move the query. */
  reach: number;
  /** Of the noise; infinite where the influence is not below the promise. */
  scale: number;
}

function quiltOf({ graph }: Network, lattice: Lattice, epsilon: number, target: number, quilt: readonly number[], influence: number): Quilt {
  const near = [...componentOf(graph, target, new Set(quilt))].sort((a, b) => a - b);
  const reach = near.map((j) => lattice.sensitivities[j] as number).reduce(add, 0);
  return { target, quilt, near, influence, reach, scale: influence < epsilon ? reach / (epsilon - influence) : Infinity };
}

const best = (quilts: readonly Quilt[]): Quilt => quilts.reduce((a, b) => (b.scale < a.scale ? b : a));
const countOf = (flags: readonly boolean[] | undefined): number => (flags ?? []).filter(Boolean).length;

/** What the tuples of a quilt, ascending, say about one, nats. */
export function influenceOf(network: Network, target: number, quilt: readonly number[], limits: Limits): number {
  const there = network.possible[target] as readonly boolean[];
  if (quilt.length === 0 || countOf(there) < 2) return 0;
  if (network.isTree && Math.max(...network.sizes) < 3) return influenceInTree(network, target, new Set(quilt));
  const kept = [...quilt, target].sort((a, b) => a - b);
  const cells = times(kept.map((j) => network.sizes[j] as number));
  if (cells > limits.entries) {
    const name = short(network.names[target] as string);
    const text = `The table of ${name} and its quilt of ${quilt.length} tuples has ${cells.toLocaleString("en")} entries, too many for a page.`;
    throw new InputFault(text, { kind: "parameter", name: "quilt" });
  }
  const logs = inLogsToo((inLogs) => {
    const { values, possible } = eliminated(network, messagesOf(network, new Map(), inLogs), kept, null, inLogs);
    return inLogs ? values : values.map((p, cell) => (possible === null || possible[cell] ? Math.log(p) : -Infinity));
  });
  const inner = times(kept.slice(kept.indexOf(target) + 1).map((j) => network.sizes[j] as number));
  const rows = there.flatMap((can, v) => (can ? [logs.filter((_, cell) => Math.floor(cell / inner) % there.length === v)] : []));
  // As laws of the quilt given each label, the largest ratio is that of a query without noise.
  return noiselessRatio({ rows: rows.map((row) => row.map((p) => p - logSum(row))), feasible: rows.map(() => true), logs: true, first: 0 });
}

/** The same in a tree of at most two labels: one pass that carries between which log odds what is known below lies. */
function influenceInTree(network: Network, target: number, quilt: ReadonlySet<number>): number {
  const { graph, possible, sizes } = network;
  const behindOf = (j: number, p: number): { sent: readonly number[]; low: number; high: number } => {
    const behind = (graph[j] as readonly number[]).filter((c) => c !== p).map((c) => behindOf(c, j));
    const [own, pair] = [tableOf(network, [j]), tableOf(network, p < j ? [p, j] : [j, p])];
    const [size, above] = [sizes[j] as number, sizes[p] as number];
    const link = (a: number, u: number): number => pair[p < j ? a * size + u : u * above + a] as number;
    const both = Array.from({ length: above }, (_, a) =>
      Array.from(own, (o, u) => behind.reduce((all, { sent }) => all + (sent[u] as number), Math.log(o) + Math.log(link(a, u)))),
    );
    const sent = both.map((row) => row.reduce(logAdd, -Infinity));
    const labels = possible[j] as readonly boolean[];
    if (countOf(possible[p]) < 2) return { sent, low: 0, high: 0 };
    const [g0, g1] = both.map((row, a) => row.map((x) => x - (sent[a] as number))) as [number[], number[]];
    const ratio = (u: number): number => (g1[u] as number) - (g0[u] as number);
    if (quilt.has(j)) {
      const seen = labels.flatMap((can, u) => (can && Math.max(g0[u] as number, g1[u] as number) > -Infinity ? [ratio(u)] : []));
      return { sent, low: Math.min(...seen), high: Math.max(...seen) };
    }
    if (countOf(labels) < 2) return { sent, low: 0, high: 0 };
    const ends = [behind.reduce((all, { low }) => all + low, 0), behind.reduce((all, { high }) => all + high, 0)].map((odds) => {
      if (!Number.isFinite(odds)) return ratio(Number(odds > 0));
      return logAdd(g1[0] as number, (g1[1] as number) + odds) - logAdd(g0[0] as number, (g0[1] as number) + odds);
    });
    return { sent, low: Math.min(...ends), high: Math.max(...ends) };
  };
  const around = (graph[target] as readonly number[]).map((j) => behindOf(j, target));
  return Math.max(0, around.reduce((all, { high }) => all + high, 0), -around.reduce((all, { low }) => all + low, 0));
}

/** The tuples at each distance from one, 1, 2 and so on. */
export function balls(graph: Network["graph"], target: number): number[][] {
  const seen = new Set([target]);
  const found: number[][] = [];
  for (let ring = besides(graph, seen); ring.length; ring = besides(graph, seen)) {
    found.push(ring);
    ring.forEach((j) => seen.add(j));
  }
  return found;
}

/** The quilt at each radius around a tuple: all tuples at that distance; those with too large a table are left out, in words. */
export function quiltCurve(network: Network, lattice: Lattice, epsilon: number, target: number, limits: Limits): { quilts: Quilt[]; leftOut: string[] } {
  const leftOut: string[] = [];
  const quilts = balls(network.graph, target).flatMap((quilt) => {
    try {
      return [quiltOf(network, lattice, epsilon, target, quilt, influenceOf(network, target, quilt, limits))];
    } catch (error) {
      if (!(error instanceof InputFault)) throw error;
      leftOut.push(error.message);
      return [];
    }
  });
  return { quilts, leftOut };
}

/** The best quilt of each tuple: of one or two tuples around it on a line, else of balls. */
export function bestQuilts(network: Network, lattice: Lattice, epsilon: number, limits: Limits, printed = false): { quilts: Quilt[]; leftOut: string[] } {
  const whole = network.names.map((_, i) => quiltOf(network, lattice, epsilon, i, [], 0));
  if (network.isPath) return { quilts: intervals(network, lattice, epsilon, printed), leftOut: [] };
  const found = whole.map((one, i) => ({ one, curve: quiltCurve(network, lattice, epsilon, i, limits) }));
  return { quilts: found.map(({ one, curve }) => best([one, ...curve.quilts])), leftOut: found.flatMap(({ curve }) => curve.leftOut) };
}

/** Of each tuple the best of given quilts. */
export function bestOf(network: Network, lattice: Lattice, epsilon: number, family: readonly (readonly (readonly number[])[])[], limits: Limits): Quilt[] {
  return family.map((sets, i) => best([[], ...sets].map((quilt) => quiltOf(network, lattice, epsilon, i, quilt, influenceOf(network, i, quilt, limits)))));
}

/** Whether each tuple is the only parent of the next. */
export const isChain = ({ parents, names }: Network): boolean =>
  names.length > 1 && parents !== null && parents.every((above, j) => String(above) === (j ? String(j - 1) : ""));

/** Moves of a line forward and back, and the law of each tuple; rows of labels that cannot occur are 0. */
export interface Moves {
  forward: number[][][];
  backward: number[][][];
  laws: number[][];
}

export function movesOf(network: Network): Moves {
  const { sizes, names } = network;
  const chain = isChain(network);
  const rowsIn = (table: Float64Array, width: number): number[][] =>
    Array.from({ length: table.length / width }, (_, r) => [...table.subarray(r * width, (r + 1) * width)]);
  const laws = [[...(chain ? tableOf(network, [0]) : posterior(network, [0], new Map()))]];
  const [forward, backward]: [number[][][], number[][][]] = [[], []];
  const over = (row: number[]): number[] => {
    const sum = row.reduce(add, 0);
    return sum > 0 ? row.map((p) => p / sum) : row;
  };
  for (let j = 0; j < names.length - 1; j++) {
    const size = sizes[j + 1] as number;
    const law = laws[j] as number[];
    const both = chain
      ? rowsIn(tableOf(network, [j, j + 1]), size).map((row, v) => row.map((p) => p * (law[v] as number)))
      : rowsIn(posterior(network, [j, j + 1], new Map()), size);
    forward.push(chain ? rowsIn(tableOf(network, [j, j + 1]), size) : both.map(over));
    const turned = Array.from({ length: size }, (_, u) => both.map((row) => row[u] as number));
    laws.push(turned.map((row) => row.reduce(add, 0)));
    backward.push(turned.map(over));
  }
  return { forward, backward, laws };
}

const through = (a: readonly number[][], b: readonly number[][]): number[][] =>
  a.map((row) => (b[0] as number[]).map((_, k) => row.reduce((sum, p, j) => sum + p * (b[j]?.[k] as number), 0)));

/** The largest log ratio of two rows over what can occur, by pair of labels; minus infinity where one cannot occur. */
function ratios(given: readonly number[][], there: readonly boolean[]): number[] {
  return there.flatMap((a, s) => there.map((b, t) => (a && b ? rowRatio(given[s] as number[], given[t] as number[]) : -Infinity)));
}

const rowRatio = (more: readonly number[], less: readonly number[]): number =>
  more.reduce((most, p, k) => (p > 0 ? Math.max(most, Math.log(p) - Math.log(less[k] as number)) : most), -Infinity);

/** The best quilt of one or two tuples around each tuple of a line. */
function intervals(network: Network, lattice: Lattice, epsilon: number, printed: boolean): Quilt[] {
  const { forward, backward, laws } = movesOf(network);
  const n = network.names.length;
  return network.names.map((_, i) => {
    const there = network.possible[i] as readonly boolean[];
    const none = ratios(there.map(() => [1]), there);
    const [left, right] = [[none], [none]];
    for (let j = i - 1, back: number[][] | null = null; j >= 0; j--) {
      if (printed) {
        back = back ? through(forward[j] as number[][], back) : (forward[j] as number[][]);
        left.push(printedRatios(back, laws[i] as number[], there));
      } else {
        back = back ? through(back, backward[j] as number[][]) : (backward[j] as number[][]);
        left.push(ratios(back, there));
      }
    }
    for (let j = i, ahead: number[][] | null = null; j < n - 1; j++) {
      ahead = ahead ? through(ahead, forward[j] as number[][]) : (forward[j] as number[][]);
      right.push(ratios(ahead, there));
    }
    let found = quiltOf(network, lattice, epsilon, i, [], 0);
    const sums = lattice.sensitivities.reduce<number[]>((all, one) => [...all, (all[all.length - 1] as number) + one], [0]);
    left.forEach((before, a) => {
      right.forEach((after, b) => {
        const influence = before.reduce((most, x, k) => Math.max(most, x + (after[k] as number)), 0);
        const reach = (sums[b ? i + b : n] as number) - (sums[a ? i - a + 1 : 0] as number);
        if (!(influence < epsilon && reach / (epsilon - influence) < found.scale)) return;
        found = quiltOf(network, lattice, epsilon, i, [...(a ? [i - a] : []), ...(b ? [i + b] : [])], influence);
      });
    });
    return found;
  });
}

/** The ratios of a tuple before, as the paper has them: over all its labels, from the laws of the label at hand, by Bayes' rule. */
function printedRatios(given: readonly number[][], law: readonly number[], there: readonly boolean[]): number[] {
  const column = (s: number): number[] => given.map((row) => row[s] as number);
  return there.flatMap((a, s) =>
    there.map((b, t) => (a && b ? rowRatio(column(s), column(t)) + Math.log(law[t] as number) - Math.log(law[s] as number) : -Infinity)),
  );
}
