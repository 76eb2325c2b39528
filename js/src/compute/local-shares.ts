/** How well the shares of all symbols can be told from local reports: what is expected of unbiased estimates. */
import { bitRates, isBits, isHashed, namesSymbol, promiseOf, subsetSize, groupCount, wrongWeight, type Mechanism } from "./local-mechanisms";

/** How often a report supports the true symbol and how often a given wrong one; `difference` is p - q, not subtracted. */
export interface SupportRates {
  p: number;
  q: number;
  difference: number;
}

/** The rates for an attribute of k symbols; null where reports are no support of symbols. */
export function supportOf(mechanism: Mechanism, k: number): SupportRates | null {
  const { key, epsilon } = mechanism;
  if (namesSymbol(key)) {
    const promise = promiseOf(mechanism, k);
    const low = Math.exp(-promise);
    const total = 1 + (k - 1) * low;
    return { p: 1 / total, q: low / total, difference: -Math.expm1(-promise) / total };
  }
  if (isBits(key)) return bitRates(mechanism);
  if (isHashed(key)) {
    const [wrong, c] = [wrongWeight(mechanism), 1 / groupCount(mechanism)];
    return { p: 1 / (1 + wrong), q: c, difference: ((1 - c) * -Math.expm1(-epsilon)) / (1 + wrong) };
  }
  if (key !== "SS") return null;
  if (k === 1) return { p: 1, q: 0, difference: 1 };
  const size = subsetSize(mechanism, k);
  const low = Math.exp(-epsilon);
  const total = size + (k - size) * low;
  return {
    p: size / total,
    q: (size * (size - 1) + (k - size) * size * low) / (total * (k - 1)),
    difference: (size * (k - size) * -Math.expm1(-epsilon)) / (total * (k - 1)),
  };
}

/** Variances of the estimates from n reports about symbols with these shares; NaN where nothing can be told. */
export function variances(mechanism: Mechanism, shares: readonly number[], n: number): number[] {
  const { key, epsilon } = mechanism;
  // One division at a time: the square of a tiny number may be too small for a float.
  if (key === "SHE") return shares.map(() => (epsilon === 0 ? NaN : 8 / epsilon / n / epsilon));
  const rates = supportOf(mechanism, shares.length);
  if (rates === null || rates.difference === 0) return shares.map(() => NaN);
  const { p, q, difference } = rates;
  return shares.map((share) => (share * p * (1 - p) + (1 - share) * q * (1 - q)) / difference / (n * difference));
}

/**
 * The expected squared error of all estimated shares over the sum of their squares (Eq. 23); null where it is not a
 * finite number.
 *
 * @param counts Records of every label, by attribute.
 */
export function shareError(mechanism: Mechanism, counts: readonly ArrayLike<number>[]): number | null {
  let [error, square] = [0, 0];
  for (const one of counts) {
    const labels = Array.from(one);
    const n = labels.reduce((sum, count) => sum + count, 0);
    if (!(n > 0)) return null;
    const shares = labels.map((count) => count / n);
    for (const variance of variances(mechanism, shares, n)) error += variance;
    for (const share of shares) square += share * share;
  }
  const found = error / square;
  return Number.isFinite(found) ? found : null;
}
