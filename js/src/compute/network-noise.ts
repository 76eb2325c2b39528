/**
 * The table of noise for a network: scales of published mechanisms beside the least ones, for whom each keeps a promise, and
 * what leaks at it. See `leakage/networks/noise` and `scales` in Python.
 */
import { InputFault } from "./faults";
import { connectedSets } from "./network-branches";
import { KnowingNone, lawsOf, noiselessRatio, strongest, type Lattice, type Limits } from "./network-leakage";
import { besides, componentOf, possibleTable, someRow, times, type Known, type Network } from "./network-model";
import { bestQuilts, distances, isChain, movesOf, type Quilt } from "./network-quilts";
import { WorstSearch, type Worst } from "./network-worst";

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
  const worstAt = (at: number): NoiseRow["anyone"] => (at > 0 ? largestWorst(none.network, search, at) : noiselessWorst(none, limits));
  const found = [...rows, least].map((row) => ({ ...row, anyone: worstAt(row.scale) }));
  search.refuseLate();
  return found;
}

function noiselessWorst(none: KnowingNone, limits: Limits): NoiseRow["anyone"] {
  const most = noiselessOfAnyone(none, limits);
  return { lower: most, upper: most, status: "exact" };
}

/** By how much the query moves when a whole component changes. */
export function groupReach({ components }: Network, { sensitivities }: Lattice): number {
  return Math.max(...components.map((members) => members.reduce((sum, j) => sum + (sensitivities[j] as number), 0)));
}

/** The matrix of a chain whose tuples and steps are all alike, else null. */
function oneMove(network: Network): number[][] | null {
  if (!isChain(network)) return null;
  if (network.sizes.some((size) => size !== network.sizes[0])) return null;
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
export function leastAgainstAnyone(
  none: KnowingNone,
  epsilon: number,
  limits: Limits,
  search = new WorstSearch(none.network, none.lattice, limits),
): { scale: number; exact: boolean } {
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

// Approximate quilts

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
  const text = "The chain is periodic or falls into parts, so that its start is never forgotten; take the exact quilts.";
  if (!(rate > 1e-12)) throw new InputFault(text, { kind: "parameter", name: "chain" });
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
    const text = "The chain has more than one stationary law; give the law of its first step.";
    if (Math.abs(pivot) < 1e-12) throw new InputFault(text, { kind: "parameter", name: "chain" });
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
