/**
 * Scales of published mechanisms for a network, beside the least ones and what leaks at each: how far apart the laws of a
 * query are (Wasserstein), what a set of tuples says about one (Markov quilts), and the table of all. See
 * `leakage/networks` in Python.
 */
import { InputFault, short } from "./faults";
import { KnowingNone, lawsOf, logSum, noiselessRatio, shownLaw, strongest, type Lattice, type Limits, type ShownLaw } from "./network-leakage";
import { besides, componentOf, eliminated, inLogsToo, messagesOf, posterior, possibleTable, someRow, tableOf, times, type Known, type Network } from "./network-model";
import { connectedSets, WorstSearch, type Worst } from "./network-worst";
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
    const text = `The table of ${short(network.names[target] as string)} and its quilt of ${quilt.length} tuples has ${cells.toLocaleString("en")} entries, too many for a page.`;
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
    const both = Array.from({ length: above }, (_, a) =>
      Array.from(own, (o, u) => behind.reduce((all, { sent }) => all + (sent[u] as number), Math.log(o) + Math.log(pair[p < j ? a * size + u : u * above + a] as number))),
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

/** Moves of a line forward and back, and the law of each tuple; rows of labels that cannot occur are 0. */
export interface Moves {
  forward: number[][][];
  backward: number[][][];
  laws: number[][];
}

export function movesOf(network: Network): Moves {
  const { sizes, names } = network;
  const chain = isChain(network);
  const rowsIn = (table: Float64Array, width: number): number[][] => Array.from({ length: table.length / width }, (_, r) => [...table.subarray(r * width, (r + 1) * width)]);
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

/** The approximate quilts of a chain: the least scale by the smallest stationary probability and how fast the start is forgotten. */
export function approximateScale(n: number, epsilon: number, piMin: number, rate: number): number {
  const says = Array.from({ length: n }, (_, t) => {
    const share = Math.exp(-rate * t) / piMin;
    return t > 0 && share < 1 ? Math.log1p(share) - Math.log1p(-share) : Infinity;
  });
  let largest = 0;
  for (let i = 1; i <= n; i++) {
    let least = n / epsilon;
    // 0 stands for no tuple on that side.
    for (let a = 0; a < i; a++) {
      for (let b = 0; b <= n - i; b++) {
        const said = (a ? 2 * (says[a] as number) : 0) + (b ? (says[b] as number) : 0);
        if (said < epsilon) least = Math.min(least, ((a || i) + (b || n - i + 1) - 1) / (epsilon - said));
      }
    }
    largest = Math.max(largest, least);
  }
  return largest;
}

/** The smallest stationary probability and the rate of a chain, or why it has none. */
export function rateOf(moves: readonly (readonly number[])[]): { piMin: number; rate: number } {
  const n = moves.length;
  const law = stationary(moves);
  const piMin = Math.min(...law);
  if (!(piMin > 0)) throw new InputFault("A state does not occur in the long run; take the exact quilts.", { kind: "parameter", name: "chain" });
  const flow = (i: number, j: number): number => (law[i] as number) * (moves[i]?.[j] as number);
  const reversible = moves.every((row, i) => row.every((_, j) => Math.abs(flow(i, j) - flow(j, i)) <= 1e-12));
  // By the roots of the law the chain, or the chain followed by its reversal, becomes symmetric.
  const root = moves.map((row, i) => row.map((p, j) => p * Math.sqrt((law[i] as number) / (law[j] as number))));
  const squared = root.map((row) => root.map((other) => row.reduce((sum, p, k) => sum + p * (other[k] as number), 0)));
  const moduli = eigenvalues(reversible ? root : squared).map(Math.abs).sort((a, b) => b - a);
  const second = n > 1 ? (moduli[1] as number) : 0;
  const rate = reversible ? 1 - second : (1 - second) / 2;
  if (!(rate > 1e-12)) throw new InputFault("The chain is periodic or falls into parts, so that its start is never forgotten; take the exact quilts.", { kind: "parameter", name: "chain" });
  return { piMin, rate };
}

/** The law that a chain stays in, or InputFault where there are several. */
export function stationary(moves: readonly (readonly number[])[]): number[] {
  const n = moves.length;
  const rows = moves.map((_, i) => [...moves.map((row, j) => (i === n - 1 ? 1 : (row[i] as number) - Number(i === j))), i === n - 1 ? 1 : 0]);
  for (let k = 0; k < n; k++) {
    const at = rows.reduce((top, row, i) => (i > k && Math.abs(row[k] as number) > Math.abs(rows[top]?.[k] as number) ? i : top), k);
    [rows[k], rows[at]] = [rows[at] as number[], rows[k] as number[]];
    const pivot = rows[k]?.[k] as number;
    if (Math.abs(pivot) < 1e-12) throw new InputFault("The chain has more than one stationary law; give the law of its first step.", { kind: "parameter", name: "chain" });
    rows[k] = (rows[k] as number[]).map((x) => x / pivot);
    rows.forEach((row, i) => {
      if (i !== k) rows[i] = row.map((x, c) => x - (row[k] as number) * (rows[k]?.[c] as number));
    });
  }
  return rows.map((row) => Math.max(0, row[n] as number));
}

/** Eigenvalues of a symmetric matrix, by rotations (Jacobi). */
function eigenvalues(matrix: readonly (readonly number[])[]): number[] {
  const a = matrix.map((row) => [...row]) as number[][];
  const n = a.length;
  const at = (i: number, j: number): number => a[i]?.[j] as number;
  for (let sweep = 0; sweep < 60; sweep++) {
    let left = 0;
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        left += at(p, q) ** 2;
        if (at(p, q) === 0) continue;
        const theta = (at(q, q) - at(p, p)) / (2 * at(p, q));
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1));
        const c = 1 / Math.hypot(t, 1);
        for (const row of a) [row[p], row[q]] = [c * ((row[p] as number) - t * (row[q] as number)), c * ((row[q] as number) + t * (row[p] as number))];
        const [one, other] = [a[p] as number[], a[q] as number[]];
        a[p] = one.map((x, k) => c * (x - t * (other[k] as number)));
        a[q] = other.map((x, k) => c * (x + t * (one[k] as number)));
      }
    }
    if (left < 1e-30) break;
  }
  return a.map((row, i) => row[i] as number);
}

// The table of noise

/** A mechanism in the table. */
export interface NoiseRow {
  name: "entry" | "group" | "approximate quilts" | "quilts" | "quilts as printed" | "wasserstein" | "least" | "least for anyone";
  scale: number;
  /** For whom the scale keeps the promise. */
  keeps: string;
  /** What those who know nothing learn about some tuple, nats, exactly. */
  none: number;
  /** What anyone learns about some tuple; null where it was not asked for. */
  anyone: Pick<Worst, "lower" | "upper" | "status"> | null;
}

export interface NoiseTable {
  rows: NoiseRow[];
  /** Why mechanisms or quilts are left out. */
  leftOut: string[];
}

const NOBODY = "those who know nothing";

/** All mechanisms for a promise in nats; with `anyone`, what the worst adversary learns at each, which takes longer. */
export function compareNoise(none: KnowingNone, epsilon: number, limits: Limits, anyone: boolean): NoiseTable {
  const { network, lattice } = none;
  const row = (name: NoiseRow["name"], scale: number, keeps: string): NoiseRow => {
    return { name, scale, keeps, none: scale > 0 ? none.largest(scale) : none.noiseless(), anyone: null };
  };
  const most = Math.max(...lattice.sensitivities);
  const quilts = bestQuilts(network, lattice, epsilon, limits);
  const scaleOf = (some: readonly Quilt[]): number => Math.max(...some.map(({ scale }) => scale));
  const rows = [
    row("entry", most / epsilon, "independent tuples; those who know all others"),
    row("group", groupReach(network, lattice) / epsilon, "everyone"),
  ];
  const leftOut: string[] = [];
  const attempt = (what: string, work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof InputFault)) throw error;
      leftOut.push(`${what}: ${error.message}`);
    }
  };
  const moves = oneMove(network);
  if (moves && most > 0) {
    attempt("Approximate quilts", () => {
      const { piMin, rate } = rateOf(moves);
      rows.push(row("approximate quilts", most * approximateScale(network.names.length, epsilon, piMin, rate), NOBODY));
    });
  }
  rows.push(row("quilts", scaleOf(quilts.quilts), NOBODY));
  if (isChain(network)) {
    const printed = scaleOf(bestQuilts(network, lattice, epsilon, limits, true).quilts);
    if (printed > scaleOf(quilts.quilts) * (1 + 1e-9)) rows.push(row("quilts as printed", printed, NOBODY));
  }
  rows.push(row("wasserstein", Math.max(...distances(none)) / epsilon, NOBODY), row("least", leastAgainstNone(none, epsilon), NOBODY));
  if (anyone) attempt("What anyone learns", () => rows.splice(0, rows.length, ...withAnyone(none, rows, epsilon, limits)));
  return { rows, leftOut: [...leftOut, ...quilts.leftOut] };
}

/** The same rows, and one more, with what the worst adversary learns. */
function withAnyone(none: KnowingNone, rows: readonly NoiseRow[], epsilon: number, limits: Limits): NoiseRow[] {
  const search = new WorstSearch(none.network, none.lattice, limits);
  const { scale, exact } = leastAgainstAnyone(none, epsilon, limits, search);
  const keeps = exact ? "everyone" : "everyone; enough, and perhaps not the least";
  const least: NoiseRow = { name: "least for anyone", scale, keeps, none: scale > 0 ? none.largest(scale) : none.noiseless(), anyone: null };
  const found = [...rows, least].map((row) => ({ ...row, anyone: row.scale > 0 ? largestWorst(none.network, search, row.scale) : noiselessWorst(none, limits) }));
  search.refuseLate();
  return found;
}

function noiselessWorst(none: KnowingNone, limits: Limits): NoiseRow["anyone"] {
  const most = noiselessOfAnyone(none, limits);
  return { lower: most, upper: most, status: "exact" };
}

/** Whether each tuple is the only parent of the next. */
const isChain = ({ parents, names }: Network): boolean =>
  names.length > 1 && parents !== null && parents.every((above, j) => String(above) === (j ? String(j - 1) : ""));

/** By how much the query moves when a whole component changes. */
export function groupReach({ components }: Network, { sensitivities }: Lattice): number {
  return Math.max(...components.map((members) => members.map((j) => sensitivities[j] as number).reduce(add, 0)));
}

/** The matrix of a chain whose steps are all alike, else null. */
function oneMove(network: Network): number[][] | null {
  if (!isChain(network)) return null;
  const { forward } = movesOf(network);
  return forward.every((one) => String(one) === String(forward[0])) ? (forward[0] as number[][]) : null;
}

/** The worst of all tuples at a scale. */
function largestWorst(network: Network, search: WorstSearch, scale: number): Pick<Worst, "lower" | "upper" | "status"> {
  const found = network.names.map((_, j) => search.of(j, scale));
  const [lower, upper] = [Math.max(...found.map((one) => one.lower)), Math.max(...found.map((one) => one.upper))];
  return { lower, upper, status: lower === upper ? "exact" : "bound" };
}

/** The least scale that keeps a promise which the group scale keeps and no noise does not. */
function leastScale(exceeds: (scale: number) => boolean, group: number): number {
  let high = group;
  for (let k = 0; k < 1100 && !exceeds(high / 2); k++) high /= 2;
  let low = high / 2;
  while (high - low > 1e-12 * high) {
    const middle = (low + high) / 2;
    if (exceeds(middle)) low = middle;
    else high = middle;
  }
  return high;
}

export function leastAgainstNone(none: KnowingNone, epsilon: number): number {
  const group = groupReach(none.network, none.lattice) / epsilon;
  if (group === 0 || none.noiseless() <= epsilon) return 0;
  return leastScale((scale) => none.largest(scale) > epsilon, group);
}

/** The least scale at which nobody learns more, and whether it is exact or only enough. */
export function leastAgainstAnyone(none: KnowingNone, epsilon: number, limits: Limits, search = new WorstSearch(none.network, none.lattice, limits)): { scale: number; exact: boolean } {
  const group = groupReach(none.network, none.lattice) / epsilon;
  if (group === 0 || noiselessOfAnyone(none, limits, epsilon) <= epsilon) return { scale: 0, exact: true };
  let exact = true;
  const scale = leastScale((middle) => {
    const { more, certain } = search.exceeds(middle, epsilon);
    exact = exact && certain;
    return more;
  }, group);
  return { scale, exact };
}

/** What anyone learns from the query without noise, or some number above `enough`; infinite where too many would have to be gone through. */
function noiselessOfAnyone(none: KnowingNone, limits: Limits, enough = Infinity): number {
  const { network, lattice } = none;
  if (network.names.some((_, j) => strongest(network, lattice, 1, j) !== 0)) return Infinity;
  let largest = none.noiseless();
  let left = limits.options;
  for (let j = 0; j < network.names.length; j++) {
    for (const inside of connectedSets(network.graph, j, componentOf(network.graph, j))) {
      if (largest > enough) return largest;
      const beside = besides(network.graph, new Set([j, ...inside]));
      const sizes = beside.map((k) => network.sizes[k] as number);
      if ((left -= times(sizes)) < 0) return Infinity;
      possibleTable(network, beside, new Map()).forEach((there, cell) => {
        if (!there) return;
        const labels: [number, number][] = beside.map((k, at) => [k, Math.floor(cell / times(sizes.slice(at + 1))) % (sizes[at] as number)]);
        const row = someRow(network, new Map(labels));
        const known: Known = new Map([...row.entries()].filter(([k]) => k !== j && !inside.has(k)));
        largest = Math.max(largest, noiselessRatio(lawsOf(network, lattice, j, known, true)));
      });
    }
  }
  return largest;
}
