/**
 * Which matrices are covariances: symmetric with no eigenvalue below 0. One tolerance throughout, relative to
 * the largest eigenvalue; the same one as in Python.
 */
import { eigen } from "./eigen";

export const TOLERANCE = 1e-9;

export interface Check {
  valid: boolean;
  /** NaN when an entry is not finite. */
  smallest: number;
}

const least = (values: Float64Array): number => values.reduce((a, b) => Math.min(a, b), Infinity);
const most = (values: Float64Array): number => values.reduce((a, b) => Math.max(a, b), 0);
const passes = (values: Float64Array, slack = 0): boolean => least(values) >= -TOLERANCE * most(values) - slack;

/** What rounding leaves of entries of the size of a variance. */
const ROUNDING = 1e-13;

/**
 * The eigenvalues are looked at twice: of the matrix as it is, and on the scale of correlations, or a tuple in
 * large units would hide what is wrong among the others.
 */
export function check(matrix: Float64Array, n: number): Check {
  if (!matrix.every(Number.isFinite)) return { valid: false, smallest: NaN };
  const { values } = eigen(matrix, n);
  const size = most(values);
  // What rounding leaves of an eigenvalue of 0 is 0.
  const smallest = Math.abs(least(values)) <= ROUNDING * size ? 0 : least(values);
  if (!passes(values)) return { valid: false, smallest };
  const variance = (i: number): number => Math.max(0, matrix[i * (n + 1)] as number);
  const largest = Math.max(0, ...Array.from({ length: n }, (_, i) => variance(i)));
  for (let i = 0; i < n; i++) if ((matrix[i * (n + 1)] as number) < -ROUNDING * largest) return { valid: false, smallest };
  if (beyondVariances(matrix, n)) return { valid: false, smallest };
  const moving = Array.from({ length: n }, (_, i) => i).filter((i) => variance(i) > 0);
  const m = moving.length;
  const deviation = moving.map((i) => Math.sqrt(variance(i)));
  const scaled = new Float64Array(m * m);
  let slack = 0;
  moving.forEach((i, a) => {
    let apart = 0;
    moving.forEach((j, b) => {
      const [one, two] = [deviation[a] as number, deviation[b] as number];
      scaled[a * m + b] = a === b ? 1 : (matrix[i * n + j] as number) / two / one;
      // On the scale of correlations rounding of an entry is worth more the farther apart the two variances are.
      if (a !== b && scaled[a * m + b] !== 0) apart += Math.max(one, two) / Math.min(one, two);
    });
    slack = Math.max(slack, ROUNDING * apart);
  });
  return { valid: passes(eigen(scaled, m).values, slack), smallest };
}

/** The first covariance that is larger than its two variances allow, as row and column; null when none is. */
export function beyondVariances(matrix: Float64Array, n: number): readonly [number, number] | null {
  const variance = (i: number): number => Math.max(0, matrix[i * (n + 1)] as number);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      if (i === j) continue;
      const limit = Math.sqrt(variance(i)) * Math.sqrt(variance(j));
      const rounding = ROUNDING * Math.max(variance(i), variance(j));
      if (Math.abs(matrix[i * n + j] as number) > limit * (1 + TOLERANCE) + rounding) return [i, j];
    }
  }
  return null;
}

/** The ends of what one cell may hold; `high` is Infinity for a variance. */
export type Interval = readonly [low: number, high: number];

/**
 * What cell (i, j) may hold, its mirror with it, while all others stay. With the others R known, the pair has the
 * covariance x - C_iR C_RR^+ C_Rj, which may not exceed the root of the two variances left: a Schur complement.
 * Null when no value makes the matrix valid.
 */
export function validRange(matrix: Float64Array, n: number, i: number, j: number): Interval | null {
  const rest = Array.from({ length: n }, (_, k) => k).filter((k) => k !== i && k !== j);
  const at = (r: number, c: number): number => matrix[r * n + c] as number;
  const block = (of: number[]): Float64Array => Float64Array.from({ length: of.length ** 2 }, (_, k) => at(of[Math.floor(k / of.length)] as number, of[k % of.length] as number));
  const own = i === j ? [Infinity, Infinity] : [at(i, i), at(j, j)];
  const cross = [i, j].map((k) => rest.map((r) => at(k, r)));
  if (!check(block(rest), rest.length).valid || ![...cross.flat(), ...(i === j ? [] : own)].every(Number.isFinite)) return null;
  const largest = Array.from({ length: n }, (_, k) => at(k, k)).reduce((a, b) => Math.max(a, b), 0);
  const varies = rest.map((r) => at(r, r) > ROUNDING * largest);
  // What does not vary has no covariance.
  if (cross.some((c) => c.some((x, k) => !varies[k] && Math.abs(x) > ROUNDING * largest))) return null;
  const live = rest.filter((_, k) => varies[k]);
  const m = live.length;
  const deviation = live.map((r) => Math.sqrt(at(r, r)));
  const { values, vectors } = eigen(block(live).map((x, k) => x / (deviation[Math.floor(k / m)] as number) / (deviation[k % m] as number)), m);
  const cutoff = TOLERANCE * most(values);
  // In the eigenvectors of the others: what they explain, and what lies where they do not vary together.
  const parts = [i, j].map((k) =>
    values.map((_, e) => live.reduce((sum, r, q) => sum + (at(k, r) / (deviation[q] as number)) * (vectors[q * m + e] as number), 0)),
  );
  const [p, q] = parts as [Float64Array, Float64Array];
  const explained = (a: Float64Array, b: Float64Array): number =>
    a.reduce((sum, x, e) => ((values[e] as number) > cutoff ? sum + (x * (b[e] as number)) / (values[e] as number) : sum), 0);
  const odd = (a: Float64Array): number => a.reduce((sum, x, e) => ((values[e] as number) > cutoff ? sum : sum + x * x), 0);
  const [one, two] = [explained(p, p), explained(q, q)];
  if (odd(p) > TOLERANCE * Math.max(one, i === j ? 0 : (own[0] as number)) || odd(q) > TOLERANCE * Math.max(two, i === j ? 0 : (own[1] as number))) return null;
  if (i === j) return [one, Infinity];
  const left = [own[0] as number, own[1] as number].map((v, k) => v - ((k === 0 ? one : two) as number));
  // A variance that is used up but for rounding is used up.
  const over = left.map((v, k) => (Math.abs(v) <= TOLERANCE * Math.max(own[k] as number, ROUNDING * largest) ? 0 : v));
  if (over.some((v) => v < 0)) return null;
  const middle = explained(p, q);
  const reach = Math.sqrt(over[0] as number) * Math.sqrt(over[1] as number);
  return [middle - reach, middle + reach];
}

/** The cell that is to blame for a matrix that is not valid. */
export interface Culprit {
  i: number;
  j: number;
  what: "unread" | "negative" | "large" | "small";
}

/** Above this many tuples only pairs that are wrong by themselves are looked for. */
const SEARCHED = 12;

/** The cell that was changed last if changing it alone would do, else the first such cell; null when none would. */
export function culprit(matrix: Float64Array, n: number, touched: readonly [number, number] | null): Culprit | null {
  const unread = matrix.findIndex((x) => !Number.isFinite(x));
  if (unread >= 0) return { i: Math.floor(unread / n), j: unread % n, what: "unread" };
  const size = matrix.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  for (let i = 0; i < n; i++) if ((matrix[i * n + i] as number) < -TOLERANCE * size) return { i, j: i, what: "negative" };
  const tried = (i: number, j: number): Culprit | null => {
    const range = validRange(matrix, n, i, j);
    const value = matrix[i * n + j] as number;
    if (range && value > range[1]) return { i, j, what: "large" };
    return range && value < range[0] ? { i, j, what: "small" } : null;
  };
  const first = touched && tried(...touched);
  if (first) return first;
  const pair = beyondVariances(matrix, n);
  if (pair) return { i: pair[0], j: pair[1], what: (matrix[pair[0] * n + pair[1]] as number) > 0 ? "large" : "small" };
  if (n > SEARCHED) return null;
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      const found = tried(i, j);
      if (found) return found;
    }
  }
  return null;
}
