/** The normal step: how a Gaussian hides a shift, and the constants of Lemma 2. */
import { erfcx } from "../gaussian/laplace-normal";

/** Of Berry and Esseen, for records that need not be alike. */
export const C0 = 0.5591;

/** The slack of a normal release of deviation 1 whose mean moves by `r`. */
export function gaussianDelta(epsilon: number, r: number): number {
  if (r === 0) return 0;
  if (r === Infinity) return 1;
  if (epsilon === Infinity) return 0;
  const [a, b] = [epsilon / r - r / 2, epsilon / r + r / 2];
  // e^ε times the density at b is the density at a: what they share stands before the bracket.
  const bell = Math.exp((-a * a) / 2) / 2;
  if (bell === 0) return a > 0 ? 0 : 1;
  const far = bell * erfcx(b / Math.SQRT2);
  return a >= 0 ? Math.max(0, bell * erfcx(a / Math.SQRT2) - far) : 1 - bell * erfcx(-a / Math.SQRT2) - far;
}

/** y of a slack of the Gaussian step: y² is Lambert's W of 1/(2π delta²). */
export function stepY(delta: number): number {
  const level = -Math.log(2 * Math.PI) - 2 * Math.log(delta);
  let w = level > 1 ? level - Math.log(level) : Math.exp(level);
  for (let k = 0; k < 60; k++) {
    const next = (w * (1 + level - Math.log(w))) / (1 + w);
    if (Math.abs(next - w) <= 1e-16 * next) break;
    w = next;
  }
  return Math.sqrt(w);
}

/** The least multiplier of the Gaussian step that (C1) allows. */
export function stepC(delta: number): number {
  const y = stepY(delta);
  return (y + Math.sqrt(y * y + 2)) / 2;
}
