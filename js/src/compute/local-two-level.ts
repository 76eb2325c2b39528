/** The log ratio of two likelihoods with two levels, for any budget from next to nothing to infinity. */

/** Below, ln(1 + x) of a small x keeps all digits; above LARGE, exp(-level) underflows. */
const SMALL = 0.5;
export const LARGE = 700;

/** ln(exp(x) + exp(y)). */
export function logAdd(x: number, y: number): number {
  const top = Math.max(x, y);
  return top === -Infinity ? top : top + Math.log1p(Math.exp(Math.min(x, y) - top));
}

/** ln (1 + (rho - 1) a) / (1 + (rho - 1) b) with rho = exp(level), at least 0 and at most the level. */
export type TwoLevel = (a: number, b: number) => number;

/**
 * The log ratio at one level, ln rho from 0 to infinity. At infinity it is ln a - ln b, where a positive a over 0 gives
 * infinity, and 0 over 0 tells nothing.
 */
export function twoLevelAt(level: number): TwoLevel {
  const clip = (value: number): number => Math.min(level, Math.max(0, value));
  if (level < SMALL) {
    const gain = Math.expm1(level);
    return (a, b) => clip(Math.log1p(gain * a) - Math.log1p(gain * b));
  }
  const rest = (p: number): number => Math.max(1 - p, 0);
  if (level <= LARGE) {
    const low = Math.exp(-level);
    return (a, b) => clip(Math.log(a + low * rest(a)) - Math.log(b + low * rest(b)));
  }
  if (level < Infinity) {
    const log = (p: number): number => logAdd(Math.log(p), Math.log(rest(p)) - level);
    return (a, b) => clip(log(a) - log(b));
  }
  return (a, b) => (a > 0 ? Math.max(0, Math.log(a) - Math.log(b)) : 0);
}
