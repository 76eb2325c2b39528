/** What the best guess of one local report is worth: right with one probability, each wrong symbol with another. */

export interface Guess {
  /** Probability of the right symbol. */
  keep: number;
  /** Probability of each wrong symbol. */
  other: number;
  /** ln(keep / other) in nats; apart because `other` can be too small for a float. */
  level: number;
}

/** How often the true symbol's bit and another one's are set; `lost` is 1 - p and `difference` p - q, not subtracted. */
export interface Rates {
  p: number;
  q: number;
  lost: number;
  difference: number;
  logLost: number;
  logQ: number;
}

const CERTAIN: Guess = { keep: 1, other: 0, level: 0 };

/** Nodes and weights of Gauss-Legendre quadrature on [0, 1], by Newton's method on the polynomial. */
function gaussLegendre(points: number): { x: number; w: number }[] {
  return Array.from({ length: points }, (_, k) => {
    let z = Math.cos((Math.PI * (k + 0.75)) / (points + 0.5));
    let slope = 1;
    for (let round = 0; round < 8; round++) {
      let [last, now] = [1, z];
      for (let n = 2; n <= points; n++) [last, now] = [now, ((2 * n - 1) * z * now - (n - 1) * last) / n];
      slope = (points * (z * now - last)) / (z * z - 1);
      z -= now / slope;
    }
    return { x: (1 + z) / 2, w: 1 / ((1 - z * z) * slope * slope) };
  });
}

let nodes: { x: number; w: number }[] | null = null;

/** The integral of a smooth function over [0, 1]. */
function integral(f: (x: number) => number): number {
  nodes ??= gaussLegendre(64);
  return nodes.reduce((sum, { x, w }) => sum + w * f(x), 0);
}

/** E[1 / (j + B)] with B binomial of n trials of probability c. */
export function meanInverse(j: 1 | 2, n: number, c: number): number {
  if (c >= 1) return 1 / (j + n);
  if (n * c > 50) {
    const [first, second] = [1, 2].map((i) => -Math.expm1((n + i) * Math.log1p(-c)) / (n + i)) as [number, number];
    return j === 1 ? first / c : (second - (1 - c) * first) / c ** 2;
  }
  return integral((x) => x ** (j - 1) * Math.exp(n * Math.log1p(-c * (1 - x))));
}

function guess(keep: number, other: number, difference: number | null, logOther: number | null = null): Guess {
  let level = other > 0 ? Math.log(keep) - Math.log(other) : Infinity;
  if (other > 0 && difference !== null && difference < other) level = Math.log1p(difference / other);
  else if (logOther !== null) level = Math.log(keep) - logOther;
  return { keep, other, level: Math.max(level, 0) };
}

/** The report itself, one symbol that is exp(level) times as likely as another. */
export function guessOfSymbol(level: number, k: number): Guess {
  if (k === 1) return CERTAIN;
  const low = Math.exp(-level);
  const total = 1 + (k - 1) * low;
  return { keep: 1 / total, other: low / total, level };
}

/** A symbol drawn from the bits that are set; from all if none is. */
export function guessOfBits({ p, q, lost, difference, logLost, logQ }: Rates, k: number): Guess {
  if (k === 1) return CERTAIN;
  const none = (lost * (1 - q) ** (k - 1)) / k;
  const single = meanInverse(1, k - 2, q);
  const bit = p * meanInverse(2, k - 2, q) + lost * single;
  const other = q * bit + none;
  let logOther: number | null = null;
  if (other < 1e-100) {
    // As a multiple of the larger of q and 1 - p, either of which may be too small for a float.
    const most = Math.max(logLost, logQ);
    if (most > -Infinity) logOther = most + Math.log(Math.exp(logQ - most) * bit + Math.exp(logLost - most) / k);
  }
  return guess(p * meanInverse(1, k - 1, q) + none, other, difference * single, logOther);
}

/** A symbol drawn from the reported group of g; from all if it is empty. `wrong` is (g - 1) exp(-epsilon). */
export function guessOfGroup(g: number, wrong: number, epsilon: number, k: number): Guess {
  if (k === 1) return CERTAIN;
  const [p, c, lost] = [1 / (1 + wrong), 1 / g, wrong / (1 + wrong)];
  const single = meanInverse(1, k - 2, c);
  const empty = (lost * (1 - c) ** (k - 1)) / k;
  const other = c * (p * meanInverse(2, k - 2, c) + lost * single) + empty;
  const difference = ((1 - c) * -Math.expm1(-epsilon)) / (1 + wrong);
  return guess(p * meanInverse(1, k - 1, c) + empty, other, difference * single);
}

/** A symbol drawn from the reported set. */
export function guessOfSet(size: number, epsilon: number, k: number): Guess {
  if (k === 1) return CERTAIN;
  const low = Math.exp(-epsilon);
  const total = size + (k - size) * low;
  if (size === 1) return { keep: 1 / total, other: low / total, level: epsilon };
  const weight = size - 1 + (k - size) * low;
  const level = Math.log1p(((k - size) * -Math.expm1(-epsilon)) / weight);
  return { keep: 1 / total, other: weight / ((k - 1) * total), level };
}

/** The symbol with the largest of k noisy numbers; a is half the budget. */
export function guessOfNumbers(a: number, k: number): Guess {
  if (k === 1) return CERTAIN;
  if (a === Infinity) return { keep: 1, other: 0, level: Infinity };
  const n = k - 2;
  const low = Math.exp(-a);
  const w0 = low / 2;
  let tail = a;
  for (let i = 1; i <= n; i++) tail -= (Math.exp(i * Math.log1p(-w0)) - 0.5 ** i) / i;
  let overLow = 2 ** -Math.min(k, 1000) / k + tail / 4;
  let other: number;
  if (n * w0 <= 5) {
    overLow += integral((x) => Math.exp(n * Math.log1p(-w0 * x)) * (1 - x / 2)) / 2;
    other = low * overLow;
  } else {
    const [first, second] = [1, 2].map((j) => -Math.expm1((n + j) * Math.log1p(-w0)) / (n + j)) as [number, number];
    other = low * overLow + first - (first - second) / low;
    overLow = other / low;
  }
  const difference = a > 0.5 ? null : gain(a, k);
  const keep = difference === null ? 1 - (k - 1) * other : other + difference;
  return guess(keep, other, difference, Math.log(overLow) - a);
}

/** keep - other without subtracting: what the true symbol gains over one other, given the rest. */
function gain(a: number, k: number): number {
  const low = Math.exp(-a);
  const up = -Math.expm1(-a);
  const inside = integral((x) => {
    const s = low + up * x;
    return (Math.exp((k - 2) * Math.log1p(-s / 2)) * (1 - s)) / s ** 2;
  });
  return (up / 2) * meanInverse(1, k - 2, low / 2) + (low / 2) * inside * up;
}
