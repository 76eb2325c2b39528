/** How private matrices of a stream are built: a channel mixed with an independent draw from its output law. */

/** Probabilities below this are zero: smaller floats have lost digits. */
export const SMALLEST = 2.3e-308;

/** exp(-epsilon), the weight of the independent draw: 0 for an infinite budget. */
export function shared(epsilon: number): number {
  return Math.exp(-epsilon);
}

/** 1 - exp(-epsilon), the weight of the channel, without cancellation. */
export function kept(epsilon: number): number {
  return -Math.expm1(-epsilon);
}

/** Possible, but less likely than 1 / (1 + exp(epsilon)). */
export function isRare(belief: number, epsilon: number): boolean {
  const weight = shared(epsilon);
  return belief > 0 && belief * (1 + weight) < weight * (1 - 1e-9);
}

/** Raises entries that are too small for a float, and positive in truth, to the smallest that is not. In place. */
export function holdAboveZero(matrix: Float64Array, output: Float64Array, epsilon: number): Float64Array {
  if (epsilon === Infinity) return matrix;
  const n = output.length;
  for (let k = 0; k < matrix.length; k++) matrix[k] = Math.max(matrix[k] as number, Math.min(output[k % n] as number, SMALLEST));
  return matrix;
}
