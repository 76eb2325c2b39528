/** Conditional response where that is private; elsewhere rare symbols are mixed with each other. See `BalancedResponse`. */
import { holdAboveZero, isRare, kept, shared } from "./stream-common";

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

export function balancedMatrix(belief: Float64Array, epsilon: number): Float64Array {
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
