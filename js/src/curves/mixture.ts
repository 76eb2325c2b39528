/** Finite mixtures of Laplace densities: what r looks like to an adversary, for each label. */
import type { Mixture } from "../ui/protocol";

/** False for a label that the known values rule out: it has no density. */
export function feasible(mixture: Mixture | undefined): mixture is Mixture {
  if (mixture && mixture.weights.length !== mixture.centres.length) throw new RangeError("a mixture has other weights than centres");
  return mixture !== undefined && mixture.weights.some((w) => w > 0);
}

/**
 * log p(r | label, known) for noise of the given scale, in nats. Sums in the log domain, so that
 * a tiny scale (1e-8) gives finite numbers too.
 */
export function logDensity(mixture: Mixture, scale: number, r: number): number {
  let top = -Infinity;
  const { centres, weights } = mixture;
  for (let k = 0; k < centres.length; k++) {
    const term = Math.log(weights[k] as number) - Math.abs(r - (centres[k] as number)) / scale;
    if (term > top) top = term;
  }
  if (top === -Infinity) return -Infinity;
  let sum = 0;
  for (let k = 0; k < centres.length; k++) {
    sum += Math.exp(Math.log(weights[k] as number) - Math.abs(r - (centres[k] as number)) / scale - top);
  }
  // Twice the scale may be no number where its logarithm is one.
  return top + Math.log(sum) - Math.LN2 - Math.log(scale);
}

export function density(mixture: Mixture, scale: number, r: number): number {
  // The peak over the least scales is larger than any number.
  return Math.min(Number.MAX_VALUE, Math.exp(logDensity(mixture, scale, r)));
}

/** Below this distance in scales a density hardly differs from its peak: what two have apart is told from what they fall. */
const NEAR = 1e-4;

/** log of a density over its peak, with all its digits near 0; null where it falls by more. */
function fallen({ centres, weights }: Mixture, scale: number, r: number): number | null {
  let mass = 0;
  let sum = 0;
  for (let k = 0; k < centres.length; k++) {
    const weight = weights[k] as number;
    const distance = Math.abs(r - (centres[k] as number)) / scale;
    if (weight === 0) continue;
    if (!(distance < NEAR)) return null;
    mass += weight;
    sum += weight * Math.expm1(-distance);
  }
  return Math.log1p(sum / mass);
}

/** log p(r | over) - log p(r | under), nats: what r says for the one label against the other. */
export function logRatio(over: Mixture, under: Mixture, scale: number, r: number): number {
  const [one, other] = [fallen(over, scale, r), fallen(under, scale, r)];
  if (one !== null && other !== null) return one - other;
  return logDensity(over, scale, r) - logDensity(under, scale, r);
}

/** Smallest and largest centre with positive weight; outside, every log ratio is constant. */
export function support(mixtures: readonly Mixture[]): [number, number] | null {
  let low = Infinity;
  let high = -Infinity;
  for (const { centres, weights } of mixtures) {
    centres.forEach((c, k) => {
      if (!((weights[k] as number) > 0)) return;
      low = Math.min(low, c);
      high = Math.max(high, c);
    });
  }
  return low <= high ? [low, high] : null;
}

/** Every distinct centre with positive weight, ascending. */
export function centresOf(mixtures: readonly Mixture[]): number[] {
  const all = new Set<number>();
  for (const { centres, weights } of mixtures) {
    centres.forEach((c, k) => {
      if ((weights[k] as number) > 0) all.add(c);
    });
  }
  return [...all].sort((a, b) => a - b);
}

/** Posterior of every label after r (Bayes), from the prior given what is known. Infeasible labels keep 0. */
export function posterior(mixtures: readonly (Mixture | undefined)[], prior: readonly number[], scale: number, r: number): number[] {
  const logs = prior.map((p, k) => {
    const m = mixtures[k];
    return p > 0 && feasible(m) ? Math.log(p) + logDensity(m, scale, r) : -Infinity;
  });
  const top = Math.max(...logs);
  if (top === -Infinity) return prior.map(() => 0);
  const raw = logs.map((v) => Math.exp(v - top));
  const sum = raw.reduce((a, b) => a + b, 0);
  return raw.map((v) => v / sum);
}

/** The two labels that r speaks for most and against most, among the feasible ones. */
export function extremePair(mixtures: readonly (Mixture | undefined)[], scale: number, r: number): [number, number] | null {
  let best = -1;
  let worst = -1;
  let high = -Infinity;
  let low = Infinity;
  mixtures.forEach((m, k) => {
    if (!feasible(m)) return;
    const v = logDensity(m, scale, r);
    if (v > high) {
      high = v;
      best = k;
    }
    if (v <= low) {
      low = v;
      worst = k;
    }
  });
  return best >= 0 && worst >= 0 && best !== worst ? [best, worst] : null;
}
