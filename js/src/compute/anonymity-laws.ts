/** Laws of one record and of the sum of many on a lattice of equal steps, and the slack between two of them. */

// The slack between two laws on one lattice: how far one may exceed e^ε times the other.

/** Chances of `start`, `start + 1`, ... steps of a lattice. */
export interface Law {
  start: number;
  chances: Float64Array;
}

/** Beyond it e^ε no longer fits beside small chances. */
const LARGE = 700;

/** The least delta at which the two are alike within e^ε for any event, in both directions. */
export function slackBetween(first: Law, second: Law, epsilon: number): number {
  return Math.max(oneWay(first, second, epsilon), oneWay(second, first, epsilon));
}

/** The sum of what is above e^ε times the other, compensated: small terms beside large ones. */
function oneWay(p: Law, q: Law, epsilon: number): number {
  const factor = Math.exp(epsilon);
  const apart = p.start - q.start;
  const width = q.chances.length;
  let [sum, lost] = [0, 0];
  for (let k = 0; k < p.chances.length; k++) {
    const own = p.chances[k] as number;
    const place = k + apart;
    const other = place >= 0 && place < width ? (q.chances[place] as number) : 0;
    const above = other === 0 ? own : epsilon <= LARGE ? own - factor * other : farAbove(own, other, epsilon);
    if (!(above > 0)) continue;
    const term = above - lost;
    const next = sum + term;
    lost = next - sum - term;
    sum = next;
  }
  return sum;
}

/** The same where e^ε would leave the floats. */
function farAbove(p: number, q: number, epsilon: number): number {
  if (p === 0 || epsilon === Infinity) return 0;
  const above = Math.log(p) - Math.log(q) - epsilon;
  return above > 0 ? -p * Math.expm1(-above) : 0;
}

/** The least of all values so far: what holds at a smaller ε holds at a larger one. */
export function runningLeast(values: ArrayLike<number>): Float64Array {
  let least = Infinity;
  return Float64Array.from(values, (value) => {
    if (value < least) least = value;
    // Nothing was defined before.
    return least === Infinity ? NaN : least;
  });
}

// Laws of one record and of the sum of many, on a lattice of equal steps.

/** Chances of different values, ascending. */
export interface RecordLaw {
  values: Float64Array;
  chances: Float64Array;
}

/** A record law in whole steps from its least value. */
export interface Lattice {
  /** Distance of neighbouring points, in units of the values. */
  step: number;
  /** Value of the point 0. */
  least: number;
  law: Law;
}

/** Decimals that values may have to have a common step. */
const DECIMALS = 6;
/** Ends below it are dropped: numbers close to the least that floats hold are slow. */
const NOTHING = 1e-280;

export function recordLaw(values: Iterable<number>): RecordLaw {
  const counts = new Map<number, number>();
  let n = 0;
  for (const value of values) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
    n += 1;
  }
  const sorted = [...counts.keys()].sort((a, b) => a - b);
  return { values: Float64Array.from(sorted), chances: Float64Array.from(sorted, (value) => (counts.get(value) as number) / n) };
}

export function rangeOf({ values }: RecordLaw): number {
  return values.length === 0 ? 0 : (values[values.length - 1] as number) - (values[0] as number);
}

/** Moments that bounds are made of: mean, variance, third central, third absolute, fourth central; raw third and fourth. */
export interface Moments {
  mean: number;
  variance: number;
  third: number;
  absolute: number;
  fourth: number;
  rawThird: number;
  rawFourth: number;
}

export function momentsOf({ values, chances }: RecordLaw): Moments {
  const of = (f: (x: number) => number): number => {
    let [sum, lost] = [0, 0];
    values.forEach((x, k) => {
      const term = f(x) * (chances[k] as number) - lost;
      const next = sum + term;
      lost = next - sum - term;
      sum = next;
    });
    return sum;
  };
  // Distances from the mean, measured from the least value: of values that are large and close together no digits are lost.
  const least = values[0] ?? 0;
  const above = of((x) => x - least);
  const apart = (x: number): number => x - least - above;
  return {
    mean: of((x) => x),
    variance: of((x) => apart(x) ** 2),
    third: of((x) => apart(x) ** 3),
    absolute: of((x) => Math.abs(apart(x)) ** 3),
    fourth: of((x) => apart(x) ** 4),
    rawThird: of((x) => x ** 3),
    rawFourth: of((x) => x ** 4),
  };
}

/** A whole number where the value is that far from one at most. */
function whole(value: number, apart: (size: number) => number): number | null {
  const near = Math.round(value);
  return Math.abs(value - near) <= apart(Math.abs(near)) ? near : null;
}

/** Rounding of a decimal number is forgiven, and a little of what arithmetic adds; never a part of a unit. */
const ofValues = (size: number): number => 1e-9 * Math.min(Math.max(size, 1), 1e3) + 4e-16 * size;
const ofSteps = (size: number): number => 1e-9 * Math.max(1, size);

/** Values on the coarsest lattice that has them all; null where they have no common step. */
export function latticeOf({ values, chances }: RecordLaw): Lattice | null {
  for (let d = 0; d <= DECIMALS; d++) {
    const scale = 10 ** d;
    const found = Array.from(values, (value) => whole(value * scale, ofValues));
    // Differences of larger numbers lose steps.
    if (!found.every(Number.isSafeInteger)) continue;
    // Values that differ by less than the last place that counts have no step.
    if (found.some((x, k) => k > 0 && x === found[k - 1])) return null;
    const least = found[0] ?? 0;
    const gaps = found.map((x) => (x as number) - least);
    const unit = gaps.reduce(divisor, 0) || scale;
    const all = new Float64Array(Math.min(MOST_POINTS + 1, (gaps[gaps.length - 1] ?? 0) / unit + 1));
    gaps.forEach((x, k) => (all[x / unit] = chances[k] as number));
    return { step: unit / scale, least: least / scale, law: { start: 0, chances: all } };
  }
  return null;
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}

/** A distance in whole steps, be it larger than any sum; null where it ends between two points. */
export function stepsOf(distance: number, step: number): number | null {
  const found = whole(distance / step, ofSteps);
  // A little is not nothing.
  return found === 0 && distance !== 0 ? null : found;
}

/** Points that a law may have. */
export const MOST_POINTS = 200_000;

/** A law of one value. */
export function certain(steps: number): Law {
  return { start: steps, chances: Float64Array.of(1) };
}

export function shifted(law: Law, steps: number): Law {
  return { start: law.start + steps, chances: law.chances };
}

/** Every value times a whole number of one or more. */
export function stretched({ start, chances }: Law, times: number): Law {
  if (times === 1) return { start, chances };
  const out = new Float64Array((chances.length - 1) * times + 1);
  chances.forEach((p, k) => (out[k * times] = p));
  return { start: start * times, chances: out };
}

export function convolved(a: Law, b: Law): Law {
  const [long, short] = a.chances.length >= b.chances.length ? [a.chances, b.chances] : [b.chances, a.chances];
  const out = new Float64Array(long.length + short.length - 1);
  for (let j = 0; j < short.length; j++) {
    const p = short[j] as number;
    if (p === 0) continue;
    for (let i = 0; i < long.length; i++) out[i + j] = (out[i + j] as number) + p * (long[i] as number);
  }
  return trimmed({ start: a.start + b.start, chances: out });
}

function trimmed({ start, chances }: Law): Law {
  let from = 0;
  let to = chances.length;
  while (from < to - 1 && (chances[from] as number) < NOTHING) from += 1;
  while (to > from + 1 && (chances[to - 1] as number) < NOTHING) to -= 1;
  return from === 0 && to === chances.length ? { start, chances } : { start: start + from, chances: chances.slice(from, to) };
}

/** The sum of `n` independent draws, by repeated squaring. */
export function power(law: Law, n: number): Law {
  if (law.chances.length === 2 && law.chances[0] !== 0) return binomial(n, law.chances[1] as number, law.start * n);
  let out: Law | null = null;
  for (let square = law; n > 0; n = Math.floor(n / 2)) {
    if (n % 2 === 1) out = out ? convolved(out, square) : square;
    if (n > 1) square = convolved(square, square);
  }
  return out ?? certain(0);
}

const factorials = [0];
let [sum, lost] = [0, 0];

function logFactorial(n: number): number {
  for (let k = factorials.length; k <= n; k++) {
    const term = Math.log(k) - lost;
    const next = sum + term;
    lost = next - sum - term;
    sum = next;
    factorials.push(sum);
  }
  return factorials[n] as number;
}

/** How many of `n` there are where each is with chance `p`; starts at `start`. */
export function binomial(n: number, p: number, start = 0): Law {
  if (p <= 0 || p >= 1) return certain(start + (p <= 0 ? 0 : n));
  const [logP, logQ] = [Math.log(p), Math.log1p(-p)];
  const all = logFactorial(n);
  const chance = (j: number): number => Math.exp(all - logFactorial(j) - logFactorial(n - j) + j * logP + (n - j) * logQ);
  // Of many only those around the likeliest count are found: the others would be dropped.
  let [from, to] = [Math.min(n, Math.floor((n + 1) * p)), Math.min(n, Math.floor((n + 1) * p))];
  while (from > 0 && chance(from - 1) >= NOTHING) from -= 1;
  while (to < n && chance(to + 1) >= NOTHING) to += 1;
  return { start: start + from, chances: Float64Array.from({ length: to - from + 1 }, (_, k) => chance(from + k)) };
}

/** Laws of sums of equal records, where that of more begins with that of fewer. */
export class Powers {
  private last: { n: number; law: Law } | null = null;
  private readonly differences = new Map<number, Law>();

  constructor(private readonly one: Law) {}

  of(n: number): Law {
    const { one, last } = this;
    if (n === 0) return certain(0);
    if (one.chances.length === 2 || last === null || n < last.n) return this.keep(n, power(one, n));
    if (n === last.n) return last.law;
    const more = n - last.n;
    let difference = this.differences.get(more);
    if (!difference) this.differences.set(more, (difference = power(one, more)));
    return this.keep(n, convolved(last.law, difference));
  }

  private keep(n: number, law: Law): Law {
    this.last = { n, law };
    return law;
  }
}

/** Multiplications that a power takes at most. */
export function workOf(points: number, n: number): number {
  const width = points - 1;
  // Each law is as wide as its draws together; the last square is the largest.
  return points === 2 ? n : ((width * n) ** 2 / 4) * 1.4 + width * n * points;
}

/** Multiplications that powers take together, each made from the one before. */
export function growingWork(points: number, counts: readonly number[]): number {
  let [sum, last] = [0, 0];
  for (const n of [...new Set(counts)].sort((a, b) => a - b)) {
    sum += points === 2 || last === 0 ? workOf(points, n) : workOf(points, n - last) + (points - 1) ** 2 * last * (n - last);
    last = n;
  }
  return sum;
}
