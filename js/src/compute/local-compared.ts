/** All mechanisms at one budget: what they leak, as shares of what any mechanism may, and how useful they are. */
import type { ComparedState } from "../local/protocol";
import { guessError } from "./local-calibration";
import { promiseOf, type Mechanism, type Output } from "./local-mechanisms";
import { shareError } from "./local-shares";

/** Mechanisms that are compared, with the parameters that they choose themselves. */
const COMPARED = ["GRR", "EXP", "OUE", "SUE", "RAPPOR", "BLH", "OLH", "SHE", "SS"];

export interface Compared {
  mechanism: Mechanism;
  /** Labels of every released attribute. */
  sizes: readonly number[];
  /** Records of every label, by released attribute; null for probabilities. */
  counts: readonly ArrayLike<number>[] | null;
  /** All leakages; null where they are not known. */
  leakages(mechanism: Mechanism, output: Output): ArrayLike<number> | null;
}

export function comparedStates({ mechanism, sizes, counts, leakages }: Compared): ComparedState[] {
  const epsilon = mechanism.key === "RAPPOR" ? promiseOf(mechanism, 2) : mechanism.epsilon;
  const at = (key: string): Mechanism => ({ key, epsilon, parameters: {} });
  const generic = leakages(at("generic"), "raw");
  return COMPARED.map((key) => ({
    key,
    raw: shareOf(leakages(at(key), "raw"), generic),
    inferred: shareOf(leakages(at(key), "inferred"), generic),
    error: guessError(sizes, at(key)),
    frequency: counts && shareError(at(key), counts),
  }));
}

/** One sum over the other; null where one is not known, nothing leaks, or both are infinite. */
function shareOf(leakages: ArrayLike<number> | null, generic: ArrayLike<number> | null): number | null {
  if (leakages === null || generic === null) return null;
  const [values, all] = [Array.from(leakages), Array.from(generic)];
  const most = Math.max(0, ...all);
  if (most === Infinity) return values.every(Number.isFinite) ? 0 : null;
  // In shares of the largest: sums of huge ones would leave the floats.
  const sum = (list: number[]): number => list.reduce((total, value) => total + value / most, 0);
  const found = sum(values) / sum(all);
  return most > 0 && Number.isFinite(found) ? found : null;
}
