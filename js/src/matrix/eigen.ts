/** Eigenvalues of small symmetric matrices, for the check that runs while a hand drags. Python has the last word. */

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
