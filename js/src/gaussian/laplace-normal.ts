/**
 * The sum of a normal and a Laplace variable: its log density, and the log ratio of two shifted copies. The same
 * forms as in laplace_normal.py, so that both ends draw one number. With z the distance from the centre in noise
 * scales and b the deviation in noise scales,
 *
 *   log density + log(2 lambda) = b^2/2 + log[ e^z (1 - Phi(z/b + b)) + e^-z Phi(z/b - b) ];
 *
 * written with the scaled complementary error function, the leading part of each regime stands alone.
 */

export interface LaplaceNormal {
  /** Standard deviation of the normal part, 0 or more. */
  deviation: number;
  /** Scale of the Laplace part, positive. */
  scale: number;
}

const ROOT_PI = Math.sqrt(Math.PI);
/** Below this the series converges fast, and what cancels costs less than three digits. */
const SERIES_TO = 2;
/** Terms of the continued fraction: enough for all digits from there on. */
const DEPTH = 60;
const HALVINGS = 200;

/** exp(x^2) erfc(x) for x of 0 or more. */
export function erfcx(x: number): number {
  if (x < SERIES_TO) {
    // erf(x) = 2/sqrt(pi) exp(-x^2) (x + 2 x^3 / 3 + 4 x^5 / 15 + ...): no term is negative.
    let term = x;
    let sum = x;
    for (let k = 3; term > sum * 1e-17; k += 2) {
      term *= (2 * x * x) / k;
      sum += term;
    }
    return Math.exp(x * x) - (2 / ROOT_PI) * sum;
  }
  // 1/sqrt(pi) 1/(x + (1/2)/(x + 1/(x + (3/2)/(x + ...)))), from the inside out.
  let rest = 0;
  for (let k = DEPTH; k >= 1; k--) rest = k / 2 / (x + rest);
  return 1 / (ROOT_PI * (x + rest));
}

/**
 * How far a distance is inside the normal's own region, e = max(0, b - z/b), and the rest: log density + log(2 lambda)
 * is -(z/b)^2/2 + rest where e > 0, and b^2/2 - z + rest elsewhere.
 */
function parts(distance: number, { deviation, scale }: LaplaceNormal): { inside: number; rest: number } {
  if (deviation === 0) return { inside: 0, rest: 0 };
  const [u, b] = [distance / deviation, deviation / scale];
  const outside = u - b;
  const far = erfcx((u + b) / Math.SQRT2) / 2;
  if (outside < 0) return { inside: -outside, rest: Math.log(erfcx(-outside / Math.SQRT2) / 2 + far) };
  const bell = Math.exp((-outside * outside) / 2);
  return { inside: 0, rest: Math.log(1 - (bell * erfcx(outside / Math.SQRT2)) / 2 + bell * far) };
}

/** Log density at a distance t from the centre. */
export function logDensity(noise: LaplaceNormal, t: number): number {
  const { deviation, scale } = noise;
  const distance = Math.abs(t);
  const { inside, rest } = parts(distance, noise);
  const [u, b] = [distance / deviation, deviation / scale];
  // b^2/2 - z: neither of the two need be a number when their difference is one.
  const outer = b > 1 ? b * (b / 2 - u) : b ** 2 / 2 - distance / scale;
  const leading = inside > 0 ? -(u ** 2) / 2 : outer;
  return leading + rest - Math.LN2 - Math.log(scale);
}

export function density(noise: LaplaceNormal, t: number): number {
  return Math.min(Number.MAX_VALUE, Math.exp(logDensity(noise, t)));
}

/** log p(r - a) - log p(r - b), exact also far out and at infinite r. */
export function logRatio(noise: LaplaceNormal, r: number, a: number, b: number): number {
  const { deviation, scale } = noise;
  const [first, second] = [Math.abs(r - a), Math.abs(r - b)];
  // Beyond both centres the difference of the distances is that of the centres: r must not swallow it.
  const between = r > Math.min(a, b) && r < Math.max(a, b);
  const apart = between ? first - second : r >= Math.max(a, b) ? b - a : a - b;
  const [one, two] = [parts(first, noise), parts(second, noise)];
  // Where both are inside, squares of large numbers would cancel.
  const leading =
    one.inside > 0 && two.inside > 0
      ? -(apart / deviation) * ((first / 2 + second / 2) / deviation)
      : -apart / scale - ((one.inside - two.inside) * (one.inside + two.inside)) / 2;
  return leading + one.rest - two.rest;
}

/** Chance of lying a distance t or more above the centre: exact far out too. */
export function tail(noise: LaplaceNormal, t: number): number {
  const { deviation, scale } = noise;
  if (t < 0) return 1 - tail(noise, -t);
  if (deviation === 0) return Math.exp(-t / scale) / 2;
  const [u, b] = [t / deviation, deviation / scale];
  const outside = u - b;
  const half = (x: number): number => erfcx(x / Math.SQRT2) / 2;
  const bell = Math.exp((-u * u) / 2);
  if (outside < 0) return bell * (half(u) + (half(-outside) - half(u + b)) / 2);
  const beyond = Math.exp(b > 1 ? b * (b / 2 - u) : b ** 2 / 2 - t / scale) * (1 - Math.exp((-outside * outside) / 2) * half(outside));
  return bell * (half(u) - half(u + b) / 2) + beyond / 2;
}

/** How far from the midpoint of two copies their log ratio reaches a level in nats; null if never. */
export function reaches(noise: LaplaceNormal, level: number, distance: number): number | null {
  const { deviation, scale } = noise;
  const half = distance / 2;
  const limit = distance / scale;
  if (level <= 0) return 0;
  if (deviation === 0) return level <= limit ? (level * scale) / 2 : null;
  if (level >= limit) return null;
  const short = (t: number): boolean => logRatio(noise, t, half, -half) < level;
  let low = 0;
  const end = half + (deviation / scale) * deviation + 10 * deviation;
  // Where the normal part is wide the level may be reached long before the end: near its own place there.
  let high = Math.min(end, Math.max(half + 2 * level * (deviation / distance) * deviation, 1e-300));
  while (high < end && short(high)) high = Math.min(2 * high, end);
  // Rounding decides whether a level just below the limit is reached at all.
  if (short(high)) return null;
  for (let k = 0; k < HALVINGS && high - low > 1e-14 * high; k++) {
    const middle = (low + high) / 2;
    if (short(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
