/** The mechanisms of a stream: the matrix with which each releases one symbol, and what one release says at most. */
import { atMost, NOTHING, SHARE } from "../ui/format";
import type { Chain } from "./stream-script";

// How private matrices of a stream are built: a channel mixed with an independent draw from its output law.

/** Probabilities below this are zero: smaller floats have lost digits. */
export const SMALLEST = 2.3e-308;

/** exp(-epsilon), the weight of the independent draw: 0 for an infinite budget. */
function shared(epsilon: number): number {
  return Math.exp(-epsilon);
}

/** 1 - exp(-epsilon), the weight of the channel, without cancellation. */
function kept(epsilon: number): number {
  return -Math.expm1(-epsilon);
}

/** Possible, but less likely than 1 / (1 + exp(epsilon)). */
function isRare(belief: number, epsilon: number): boolean {
  const weight = shared(epsilon);
  return belief > 0 && belief * (1 + weight) < weight * (1 - 1e-9);
}

/** Raises entries that are too small for a float, and positive in truth, to the smallest that is not. In place. */
function holdAboveZero(matrix: Float64Array, output: Float64Array, epsilon: number): Float64Array {
  if (epsilon === Infinity) return matrix;
  const n = output.length;
  for (let k = 0; k < matrix.length; k++) matrix[k] = Math.max(matrix[k] as number, Math.min(output[k % n] as number, SMALLEST));
  return matrix;
}

// What one release says at most about a symbol, from its matrix; and whether that keeps a promise.

function logRatio(above: number, below: number): number {
  const ratio = above / below;
  // A quotient keeps more digits than a difference of logarithms, but may be no float.
  return ratio > SMALLEST && ratio < Infinity ? Math.log(ratio) : Math.log(above) - Math.log(below);
}

/**
 * The largest |ln(a[x, y] / p[y])|, nats. Symbols of belief 0 and outputs of probability 0 are skipped; an output that
 * excludes a possible symbol leaks infinitely much. `held`: the low side of an output whose least entry is too small for
 * a float and stands as the smallest one, from how likely the output is.
 */
export function leakageOf(matrix: Float64Array, belief: Float64Array, held: ((output: number) => number) | null = null): number {
  const n = belief.length;
  let leakage = 0;
  for (let y = 0; y < n; y++) {
    let [output, rest, high, low] = [0, 0, 0, Infinity];
    for (let x = 0; x < n; x++) {
      const p = belief[x] as number;
      if (p === 0) continue;
      const entry = matrix[x * n + y] as number;
      // What stands as the smallest float is less in truth, and nothing beside what is a float.
      if (held !== null && entry <= SMALLEST) rest += p * entry;
      else output += p * entry;
      if (entry > high) high = entry;
      if (entry < low) low = entry;
    }
    output ||= rest;
    if (output === 0) continue;
    // Where no symbol makes it in any other way all are alike.
    const small = held !== null && low > 0 && low <= SMALLEST && high > low;
    leakage = Math.max(leakage, logRatio(high, output), small ? held(output) : logRatio(output, low));
  }
  return leakage;
}

/** Whether a leakage keeps a budget, but for rounding: that is a share of the budget, however small. As in step_channel.py. */
export function within(leakage: number, epsilon: number): boolean {
  return leakage <= atMost(epsilon, 2 * SHARE, NOTHING);
}

// Conditional response where that is private; elsewhere rare symbols are mixed with each other. See `BalancedResponse`.

/** Most end within ten. */
const STEPS = 60;

/**
 * What is done with what is left of the budget. A likely symbol is kept with probability `stay`, or changed into a rare
 * one as `away` says. A rare symbol x is kept with probability own[x]; otherwise a likely symbol is published with the
 * probabilities `up`, or a rare one with (1 - own[x]) pool.
 */
interface Plan {
  rare: boolean[];
  stay: number;
  away: Float64Array;
  own: Float64Array;
  up: Float64Array;
  pool: Float64Array;
}

function balancedMatrix(belief: Float64Array, epsilon: number): Float64Array {
  const n = belief.length;
  const { rare, stay, away, own, up, pool } = planOf(belief, epsilon);
  const [weight, part] = [shared(epsilon), kept(epsilon)];
  const matrix = new Float64Array(n * n);
  for (let x = 0; x < n; x++) {
    const left = 1 - (own[x] as number);
    for (let y = 0; y < n; y++) {
      const share = belief[y] as number;
      let entry: number;
      if (belief[x] === 0) entry = share;
      else if (rare[x]) entry = left * (pool[y] as number) + (x === y ? (own[x] as number) : 0) + (up[y] as number);
      else entry = (x === y ? stay : 0) + (away[y] as number);
      matrix[x * n + y] = weight * share + part * entry;
    }
  }
  return holdAboveZero(matrix, belief, epsilon);
}

function planOf(belief: Float64Array, epsilon: number): Plan {
  const n = belief.length;
  const rare = Array.from(belief, (p) => isRare(p, epsilon));
  const weight = shared(epsilon);
  const edge = weight / (1 + weight);
  const some = belief.map((p, k) => (rare[k] ? p : 0));
  const mass = some.reduce((sum, p) => sum + p, 0);
  const none = new Float64Array(n);
  if (mass === 0) return { rare, stay: 1, away: none, own: none, up: none, pool: none };
  if (mass > edge) return { rare, stay: 1, away: none, up: none, ...pooled(some, mass, edge) };
  // 1 - K mass, with K = 1 / edge.
  const left = 1 - mass / edge;
  const leave = (mass * left) / (1 - mass);
  return {
    rare,
    stay: 1 - leave,
    away: some.map((p) => (leave / mass) * p),
    own: none,
    up: belief.map((p, k) => (rare[k] ? 0 : (left / (1 - mass)) * p)),
    pool: some.map((p) => p / edge),
  };
}

/** How likely each rare symbol is kept, and what is published instead; `mass` is above the edge. */
function pooled(rare: Float64Array, mass: number, edge: number): { own: Float64Array; pool: Float64Array } {
  const gap = (size: number): number => rare.reduce((sum, p) => sum + p * (1 - keptOf(p, size, edge)), 0) - size;
  let [low, high] = [edge, mass];
  let [above, weightHigh] = [gap(low), gap(high)];
  // The caps of all symbols cannot be reached: keep less, in proportion.
  const scaled = above < 0;
  // Regula falsi, halving the weight of an end that stays (Illinois). The lower end always keeps the caps.
  let weightLow = above;
  let moved: boolean | null = null;
  for (let k = 0; k < STEPS && !scaled && above > 1e-15 * low && high - low > 1e-15 * high; k++) {
    const middle = Math.min(Math.max((low * -weightHigh + high * weightLow) / (weightLow - weightHigh), low), high);
    const found = gap(middle);
    const fits = found >= 0;
    const stays = fits === moved;
    if (fits) {
      if (stays) weightHigh /= 2;
      [weightLow, above, low] = [found, found, middle];
    } else {
      if (stays) weightLow /= 2;
      [weightHigh, high] = [found, middle];
    }
    moved = fits;
  }
  const plain = rare.map((p) => keptOf(p, low, edge));
  const held = rare.reduce((sum, p, k) => sum + p * (plain[k] as number), 0);
  const shrink = scaled && held > 0 ? (mass - edge) / held : 1;
  const own = plain.map((s) => s * shrink);
  const left = rare.map((p, k) => p * (1 - (own[k] as number)));
  const total = left.reduce((sum, p) => sum + p, 0);
  return { own, pool: left.map((p) => p / total) };
}

/** The larger root s in [0, 1] of s + (1 - s)^2 b / size = b / edge. */
function keptOf(belief: number, size: number, edge: number): number {
  const c = belief / size;
  const kb = belief / edge;
  const u = 1 - 2 * c;
  const q = Math.sqrt(Math.max(1 + 4 * c * (kb - 1), 0));
  const root = u > 0 ? (2 * (kb - c)) / (u + q) : (q - u) / (2 * c);
  return Math.min(Math.max(root, 0), 1);
}

// The mechanisms of a stream: the matrix with which each releases one symbol, at what the adversary believes.

/** A release of one step. */
export interface Step {
  epsilon: number;
  chain: Chain;
  /** Sums to 1; entries below the smallest float are 0. */
  belief: Float64Array;
  distances: Float64Array;
  /** What was released before, or null in the first step. */
  last: number | null;
}

/** a[x, y], the probability that y is released for x, row after row. */
type MatrixOf = (step: Step) => Float64Array;

const MATRICES: Record<string, MatrixOf> = {
  crr: ({ belief, epsilon }) => drawMatrix(belief, mostKept(epsilon), epsilon),
  crr_shrunk: shrunkMatrix,
  crr_trimmed: trimmedMatrix,
  crr_balanced: ({ belief, epsilon }) => balancedMatrix(belief, epsilon),
  optimum: optimumOfTwo,
  grr: ({ belief, epsilon }) => randomisedMatrix(belief.length, epsilon),
  grr2: ({ belief, epsilon }) => randomisedMatrix(belief.length, 2 * epsilon),
  temporal_safe: temporalMatrix,
  mip: informationMatrix,
};

const PROGRAM = "It solves a linear program at every step, which a page without a kernel does not.";

/** Why a page cannot compute a mechanism for this many states, or null. */
export function whyNotInPage(key: string, n: number): string | null {
  return key === "optimum" && n > 2 ? PROGRAM : null;
}

export function matrixOf(key: string, step: Step): Float64Array {
  const made = MATRICES[key];
  if (made === undefined) throw new RangeError(`There is no mechanism ${key}.`);
  return made(step);
}

/**
 * What a matrix says least of an output, ln(p[y] / a[x, y]), where a[x, y] is too small for a float; null where such
 * entries are what they are. Mechanisms that mix with a draw of weight exp(-epsilon) make it by that draw alone.
 */
export function heldRatio(key: string, step: Step): ((output: number) => number) | null {
  const { epsilon, belief } = step;
  if (epsilon === Infinity || key === "mip") return null;
  const symmetric = key === "grr" || key === "grr2" || key === "temporal_safe";
  if (!symmetric) return () => epsilon;
  const level = key === "grr2" ? 2 * epsilon : epsilon;
  const size = key === "temporal_safe" ? following(step).filter(Boolean).length : belief.length;
  return (output) => Math.log(output) + level + Math.log1p((size - 1) * Math.exp(-level));
}

/** How likely a symbol is kept, and how likely a draw is published: never 1 less the other, which would be rounded. */
type Parts = [keep: number, weight: number];

function mostKept(epsilon: number): Parts {
  return [kept(epsilon), shared(epsilon)];
}

/** How likely a symbol may be kept, if the rarest one has this probability and others are possible; and the rest. */
function largestKeep(least: number, epsilon: number): Parts {
  const [most, weight] = mostKept(epsilon);
  if (least * (1 + weight) >= weight) return [most, weight];
  return [Math.min(most, (most * (least / weight)) / (1 - least)), Math.max(weight, (1 - least / weight) / (1 - least))];
}

/** Keep the symbol with one probability; otherwise publish a fresh draw from the output law. */
function drawMatrix(law: Float64Array, [keep, weight]: Parts, epsilon: number): Float64Array {
  const n = law.length;
  const matrix = new Float64Array(n * n);
  for (let x = 0; x < n; x++) {
    const published = (law[x] as number) > 0;
    for (let y = 0; y < n; y++) matrix[x * n + y] = published ? weight * (law[y] as number) : (law[y] as number);
    if (published) matrix[x * n + x]! += keep;
  }
  return holdAboveZero(matrix, law, epsilon);
}

function shrunkMatrix({ belief, epsilon }: Step): Float64Array {
  const least = belief.reduce((smallest, p) => (p > 0 && p < smallest ? p : smallest), Infinity);
  return drawMatrix(belief, least === 1 ? mostKept(epsilon) : largestKeep(least, epsilon), epsilon);
}

/** Only the likeliest symbols, as many as make the release right most often. */
function trimmedMatrix({ belief, epsilon }: Step): Float64Array {
  const rounded = belief.map(fewerBits);
  const order = [...belief.keys()].sort((a, b) => (rounded[b] as number) - (rounded[a] as number) || a - b);
  let [mass, squares] = [0, 0];
  const keeps: Parts[] = [];
  const hits = order.map((symbol, k) => {
    const p = belief[symbol] as number;
    mass += p;
    squares += p * p;
    const parts: Parts = k === 0 ? [0, 1] : largestKeep(p / mass, epsilon);
    keeps.push(parts);
    return p === 0 ? -1 : parts[0] * mass + (parts[1] * squares) / mass;
  });
  // The first that is the largest, but for rounding.
  const most = Math.max(...hits) - 1e-12;
  const best = hits.findIndex((hit) => hit > most);
  const law = new Float64Array(belief.length);
  for (const symbol of order.slice(0, best + 1)) law[symbol] = belief[symbol] as number;
  const total = law.reduce((sum, p) => sum + p, 0);
  return drawMatrix(law.map((p) => p / total), keeps[best] as Parts, epsilon);
}

/** 36 of the 53 bits: rounding must not decide which of equal beliefs comes first. */
function fewerBits(value: number): number {
  const shifted = value * (2 ** 17 + 1);
  return shifted - (shifted - value);
}

/** The best for one step of two symbols, for every distance that is the same both ways. */
function optimumOfTwo({ belief, epsilon, distances }: Step): Float64Array {
  if (belief.length === 1) return Float64Array.of(1);
  // Each symbol is answered with the nearest one: itself, unless nothing is far.
  if (epsilon === Infinity) return (distances[1] as number) > 0 ? Float64Array.of(1, 0, 0, 1) : Float64Array.of(1, 0, 1, 0);
  const [b0, b1] = belief as unknown as [number, number];
  const second = b1 <= b0;
  const m = second ? b1 : b0;
  const weight = shared(epsilon);
  let [rare, likely] = [1, 0];
  if (m > 0 && m >= weight / (1 + weight)) [rare, likely] = [weight * (1 - m), weight * m];
  else if (m > weight / 2) [rare, likely] = [weight / (1 + weight), (weight - m) / ((1 + weight) * (1 - m))];
  else return twoSymbols(second, 1, 0);
  // A probability that is too small for a float would exclude a symbol.
  return twoSymbols(second, Math.max(rare, SMALLEST), Math.max(likely, Math.min(m, SMALLEST)));
}

/** The matrix of two symbols from how likely the rarer and the likelier one change; `second`: symbol 1 is the rarer. */
function twoSymbols(second: boolean, rare: number, likely: number): Float64Array {
  const [zero, one] = second ? [likely, rare] : [rare, likely];
  return Float64Array.of(1 - zero, zero, one, 1 - one);
}

/** How likely randomised response among some symbols reports the true one, and each other one. */
function rates(size: number, epsilon: number): [number, number] {
  if (size === 1) return [1, 0];
  const low = Math.exp(-epsilon);
  const total = 1 + (size - 1) * low;
  return [1 / total, epsilon < Infinity ? Math.max(low / total, SMALLEST) : low / total];
}

function randomisedMatrix(n: number, epsilon: number): Float64Array {
  const [keep, other] = rates(n, epsilon);
  return Float64Array.from({ length: n * n }, (_, k) => (Math.floor(k / n) === k % n ? keep : other));
}

/** What can follow the released symbol. */
function following({ belief, chain, last }: Step): boolean[] {
  const n = belief.length;
  return Array.from({ length: n }, (_, y) => last === null || (chain.transitions[last * n + y] as number) > 0);
}

/** Randomised response among what can follow the released symbol; others are answered with a uniform draw from these. */
function temporalMatrix(step: Step): Float64Array {
  const { belief, epsilon } = step;
  const n = belief.length;
  const inside = following(step);
  const size = inside.filter(Boolean).length;
  const [keep, other] = rates(size, epsilon);
  return Float64Array.from({ length: n * n }, (_, k) => {
    const [x, y] = [Math.floor(k / n), k % n];
    if (!inside[y]) return 0;
    if (!inside[x]) return 1 / size;
    return x === y ? keep : other;
  });
}

function entropy(p: number): number {
  const q = 1 - p;
  return -p * Math.log(p > 0 ? p : 1) - q * Math.log(q > 0 ? q : 1);
}

const HALVINGS = 80;

/** The release of one of two symbols that is wrong least often within a bound on mutual information. */
function informationMatrix({ belief, epsilon }: Step): Float64Array {
  if (belief.length === 1) return Float64Array.of(1);
  const [b0, b1] = belief as unknown as [number, number];
  const second = b1 <= b0;
  const m = second ? b1 : b0;
  const error = leastError(m, epsilon);
  const even = 1 - 2 * error;
  const published = m === 0.5 ? 0.5 : Math.max(0, even > 0 ? (m - error) / even : 0);
  const rare = m > 0 ? Math.min(1, Math.max(0, (published * (1 - error)) / m)) : 0;
  const likely = (published * error) / (1 - m);
  // How likely symbol 1 is published for each.
  const [zero, one] = second ? [likely, rare] : [1 - rare, 1 - likely];
  return Float64Array.of(1 - zero, zero, 1 - one, one);
}

/** How often the release is wrong: what has the entropy of m less epsilon. */
function leastError(m: number, epsilon: number): number {
  if (epsilon === 0) return m;
  const goal = entropy(m) - epsilon;
  if (goal <= 0) return 0;
  let [low, high] = [0, m];
  for (let k = 0; k < HALVINGS; k++) {
    const middle = (low + high) / 2;
    if (entropy(middle) > goal) high = middle;
    else low = middle;
  }
  return high;
}
