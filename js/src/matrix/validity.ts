/**
 * Which matrices are covariances: best linear prediction, eigenvalues, and the check that runs while a hand drags.
 */

// Best linear prediction from a covariance matrix: what some tuples say about the others. The given tuples are taken up
// one after the other; with C what the tuples before leave, tuple k takes C to its Schur complement C - C[:,k] C[k,:] /
// C[k,k].

/** A variance left after conditioning counts as none up to this part of the variance before; the same in Python. */
const TOLERANCE = 1e-9;

export interface Regression {
  /** n x k: row j predicts tuple j from the given ones. */
  coefficients: Float64Array;
  /** n x n: covariances of what is left; rows and columns of the given tuples are 0. */
  residual: Float64Array;
}

/** Powers of two near the standard deviations; they bring all tuples to one size without rounding. */
export function unitsOf(cov: Float64Array, n: number): Float64Array {
  return Float64Array.from({ length: n }, (_, j) => {
    const variance = cov[j * (n + 1)] as number;
    return variance > 0 ? 2 ** Math.round(Math.log2(Math.sqrt(variance))) : 1;
  });
}

/** Every entry divided by the units of its row and column. */
export function inUnits(cov: Float64Array, units: Float64Array): Float64Array {
  const n = units.length;
  return cov.map((value, cell) => value / (units[Math.floor(cell / n)] as number) / (units[cell % n] as number));
}

/** A given tuple of which those before leave no variance, within the tolerance, tells nothing more. */
export function regression(cov: Float64Array, n: number, given: readonly number[]): Regression {
  const units = unitsOf(cov, n);
  const unit = (j: number): number => units[j] as number;
  let left = inUnits(cov, units);
  const floors = Float64Array.from({ length: n }, (_, j) => TOLERANCE * (left[j * (n + 1)] as number));
  const count = given.length;
  const found = new Float64Array(n * count);
  given.forEach((k, place) => {
    const variance = left[k * (n + 1)] as number;
    if (!(variance > (floors[k] as number))) return;
    const inverse = 1 / variance;
    const before = left;
    const row = found.slice(k * count, (k + 1) * count);
    left = before.map((value, cell) => {
      const [i, j] = [Math.floor(cell / n), cell % n];
      return value - (before[i * n + k] as number) * inverse * (before[j * n + k] as number);
    });
    for (let j = 0; j < n; j++) {
      const ratio = (before[j * n + k] as number) * inverse;
      for (let q = 0; q < count; q++) found[j * count + q] = (found[j * count + q] as number) - ratio * (row[q] as number);
      found[j * count + place] = ratio;
    }
  });
  const coefficients = found.map((value, cell) => {
    const [j, q] = [Math.floor(cell / count), cell % count];
    return given.includes(j) ? (given[q] === j ? 1 : 0) : (value * unit(j)) / unit(given[q] as number);
  });
  const residual = left.map((value, cell) => {
    const [i, j] = [Math.floor(cell / n), cell % n];
    if (given.includes(i) || given.includes(j)) return 0;
    return (value / 2 + (left[j * n + i] as number) / 2) * unit(i) * unit(j);
  });
  return { coefficients, residual };
}

// Eigenvalues of small symmetric matrices, for the check that runs while a hand drags. Python has the last word.

export interface Eigen {
  /** Not sorted. */
  values: Float64Array;
  /** Column k belongs to value k: entry (i, k) at i * n + k. */
  vectors: Float64Array;
}

const SWEEPS = 60;

/**
 * Cyclic Jacobi rotations (Golub and Van Loan, Matrix Computations, section 8.5), n x n in C order. The
 * upper triangle is read. Entries must be finite.
 */
export function eigen(matrix: ArrayLike<number>, n: number): Eigen {
  // In a unit of their own, squares of entries are numbers whatever their size; a power of two rounds nothing.
  const size = Array.prototype.reduce.call(matrix, (most, x) => Math.max(most as number, Math.abs(x as number)), 0) as number;
  const unit = size > 0 ? 2 ** Math.round(Math.log2(size)) : 1;
  const a = Float64Array.from(matrix, (x) => x / unit);
  const vectors = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    vectors[i * n + i] = 1;
    for (let j = 0; j < i; j++) a[i * n + j] = a[j * n + i] as number;
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let off = 0;
    let all = 0;
    for (let k = 0; k < n * n; k++) {
      const square = (a[k] as number) ** 2;
      all += square;
      if (k % (n + 1) !== 0) off += square;
    }
    if (off <= 1e-32 * all) break;
    for (let p = 0; p < n - 1; p++) for (let q = p + 1; q < n; q++) rotate(a, vectors, n, p, q);
  }
  return { values: Float64Array.from({ length: n }, (_, i) => (a[i * n + i] as number) * unit), vectors };
}

/** Turns rows and columns p and q so that the entry between them is 0. */
function rotate(a: Float64Array, vectors: Float64Array, n: number, p: number, q: number): void {
  const apq = a[p * n + q] as number;
  if (apq === 0) return;
  const tau = ((a[q * n + q] as number) - (a[p * n + p] as number)) / (2 * apq);
  const t = Number.isFinite(tau) ? (tau >= 0 ? 1 : -1) / (Math.abs(tau) + Math.hypot(1, tau)) : 0;
  const c = 1 / Math.hypot(1, t);
  const s = t * c;
  for (let k = 0; k < n; k++) {
    const kp = a[k * n + p] as number;
    const kq = a[k * n + q] as number;
    a[k * n + p] = c * kp - s * kq;
    a[k * n + q] = s * kp + c * kq;
  }
  for (let k = 0; k < n; k++) {
    const pk = a[p * n + k] as number;
    const qk = a[q * n + k] as number;
    a[p * n + k] = c * pk - s * qk;
    a[q * n + k] = s * pk + c * qk;
    const vp = vectors[k * n + p] as number;
    const vq = vectors[k * n + q] as number;
    vectors[k * n + p] = c * vp - s * vq;
    vectors[k * n + q] = s * vp + c * vq;
  }
}

// Which matrices are covariances: symmetric with no eigenvalue below 0. One tolerance throughout, relative to
// the largest eigenvalue; the same one as in Python.

export { TOLERANCE };

export interface Check {
  valid: boolean;
  /** NaN when an entry is not finite. */
  smallest: number;
}

const least = (values: Float64Array): number => values.reduce((a, b) => Math.min(a, b), Infinity);
const most = (values: Float64Array): number => values.reduce((a, b) => Math.max(a, b), 0);
const passes = (values: Float64Array, slack = 0): boolean => least(values) >= -TOLERANCE * most(values) - slack;

/** What rounding leaves of an eigenvalue of 0, as a part of the largest one; the same in Python. */
const ROUNDING = 1e-13;
/** What rounding leaves of entries of the size of the larger variance, for each tuple; the same in Python. */
const EACH_ROUNDING = 2e-15;
/** Beyond, on the scale of correlations, it is no rounding however far apart two variances are. */
const MOST_ROUNDING = 1e-6;

/** What rounding of a covariance is worth on the scale of correlations; both deviations are positive. */
const rounding = (one: number, two: number, n: number): number =>
  Math.min((EACH_ROUNDING * n * Math.max(one, two)) / Math.min(one, two), MOST_ROUNDING);

/** Whether a variance is below 0 by more than rounding. */
export function negative(matrix: Float64Array, n: number, i: number): boolean {
  let size = 0;
  for (let j = 0; j < n; j++) size = Math.max(size, matrix[j * (n + 1)] as number);
  return (matrix[i * (n + 1)] as number) < -EACH_ROUNDING * n * size;
}

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
  for (let i = 0; i < n; i++) if (negative(matrix, n, i)) return { valid: false, smallest };
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
      if (a !== b && scaled[a * m + b] !== 0) apart += rounding(one, two, n);
    });
    slack = Math.max(slack, apart);
  });
  return { valid: passes(eigen(scaled, m).values, slack), smallest };
}

/** The first covariance that is larger than its two variances allow, as row and column; null when none is. */
export function beyondVariances(matrix: Float64Array, n: number): readonly [number, number] | null {
  const variance = (i: number): number => Math.max(0, matrix[i * (n + 1)] as number);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      if (i === j) continue;
      const [one, two] = [Math.sqrt(variance(i)), Math.sqrt(variance(j))];
      // Next to a tuple without variance what is left is measured by the other one.
      const limit =
        one > 0 && two > 0
          ? one * two * (1 + TOLERANCE + rounding(one, two, n))
          : EACH_ROUNDING * n * Math.max(variance(i), variance(j));
      if (Math.abs(matrix[i * n + j] as number) > limit) return [i, j];
    }
  }
  return null;
}

/** The ends of what one cell may hold; `high` is Infinity for a variance. */
export type Interval = readonly [low: number, high: number];

/**
 * What cell (i, j) may hold, its mirror with it, while all others stay: the covariance that the others leave the pair
 * may not exceed the root of the two variances they leave. Null when no value makes the matrix valid. As in Python.
 */
export function validRange(matrix: Float64Array, n: number, i: number, j: number): Interval | null {
  const rest = Array.from({ length: n }, (_, k) => k).filter((k) => k !== i && k !== j);
  const numbers = matrix.slice();
  numbers[i * n + j] = numbers[j * n + i] = 0;
  const valid = (of: number[]): boolean =>
    of.every((k) => (numbers[k * (n + 1)] as number) >= 0) &&
    check(
      Float64Array.from(
        { length: of.length ** 2 },
        (_, c) => numbers[(of[Math.floor(c / of.length)] as number) * n + (of[c % of.length] as number)] as number,
      ),
      of.length,
    ).valid;
  if (!numbers.every(Number.isFinite) || !valid(rest)) return null;
  if (i !== j && !(valid([...rest, i]) && valid([...rest, j]))) return null;
  const { residual } = regression(numbers, n, rest);
  if (!residual.every(Number.isFinite)) return null;
  const left = (r: number, c: number): number => residual[r * n + c] as number;
  if (i === j) {
    const least = Math.max(0, -left(i, i));
    // Tried with a variance of the size that the others ask for: a larger one would hide what does not fit.
    const each = rest.map((k) => (numbers[k * (n + 1)] as number) && Math.abs(numbers[i * n + k] as number) / Math.sqrt(numbers[k * (n + 1)] as number));
    numbers[i * (n + 1)] = 2 * Math.max(least, ...each.map((share) => share * share)) || 1;
    return valid([...rest, i]) ? [least, Infinity] : null;
  }
  const reach = Math.sqrt(Math.max(left(i, i), 0)) * Math.sqrt(Math.max(left(j, j), 0));
  return [-left(i, j) - reach, -left(i, j) + reach];
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
  for (let i = 0; i < n; i++) if (negative(matrix, n, i)) return { i, j: i, what: "negative" };
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
