/** The noise that each mechanism adds to a release of dependent tuples. */
import type { Coefficient } from "../dependence/protocol";
import type { Adversary } from "./dependence-adversaries";
import { dependentSensitivities, type Pairs } from "./dependence-coefficients";
import { largestLeak } from "./dependence-leakage";
import { general, InputFault } from "./faults";

/** In the order of the table of mechanisms. */
export const COMPARED = ["lpm", "dpm_exact", "calibrated", "dpm_mean", "dpm_eq18", "baseline"] as const;
export type Compared = (typeof COMPARED)[number];

const TOLERANCE = 1e-12;
const MOST_STEPS = 200;
const TIE = 1e-12;

/** What scales depend on, beside the promise. */
export interface Release {
  blocks: readonly (readonly number[])[];
  /** The largest change of the output when one tuple changes. */
  changes: Float64Array;
  pairs: Pairs;
  /** Somebody who knows no tuple. */
  nobody: readonly Adversary[];
}

/** Sensitivity over the promise; 0 where nothing can change. */
export function laplaceScale(sensitivity: number, epsilon: number): number {
  const found = sensitivity / epsilon;
  if (!Number.isFinite(found) || (sensitivity > 0 && found === 0)) {
    throw new InputFault(
      `The sensitivity ${general(sensitivity, 6)} and epsilon ${general(epsilon, 6)} ask for a scale beyond what numbers hold.`,
      { kind: "parameter", name: "epsilon" },
    );
  }
  return found;
}

export function kindOf(key: Compared): Coefficient {
  return key === "dpm_mean" ? "mean" : key === "dpm_eq18" ? "eq18" : "exact";
}

/** The scale of a mechanism; 0 where no tuple changes the output. */
export function scaleOf({ blocks, changes, pairs, nobody }: Release, epsilon: number, key: Compared): number {
  const most = largest(changes);
  const least = laplaceScale(most, epsilon);
  if (key === "lpm" || least === 0) return least;
  if (key === "calibrated") return Math.max(leastScale(nobody, changes, epsilon), least);
  if (key === "baseline") return laplaceScale(Math.max(...blocks.map(({ length }) => length)) * most, epsilon);
  const kind = kindOf(key);
  if (kind === "mean") return laplaceScale(largest(dependentSensitivities(pairs, changes, 1, kind)), epsilon);
  const loss = (scale: number): number => largest(dependentSensitivities(pairs, changes, scale, kind)) / scale;
  // What is above by rounding alone is not above.
  if (loss(least) <= epsilon * (1 + 1e-13)) return least;
  const together = blocks.map((block) => block.reduce((sum, j) => sum + (changes[j] as number), 0));
  return fallingRoot(loss, epsilon, least, laplaceScale(Math.max(...together), epsilon));
}

function largest(values: Float64Array): number {
  return values.reduce((a, b) => Math.max(a, b), -Infinity);
}

/** The least scale that leaks at most epsilon about any tuple, to an adversary who knows none; 0 where none is needed. */
function leastScale(nobody: readonly Adversary[], changes: Float64Array, epsilon: number): number {
  if (noiseless(nobody) <= epsilon * (1 + TIE)) return 0;
  const leaks = (scale: number): number => largestLeak(nobody, scale);
  let most = laplaceScale(changes.reduce((sum, change) => sum + change, 0), epsilon);
  let low = most / 2;
  while (leaks(low) <= epsilon) [most, low] = [low, low / 2];
  return fallingRoot(leaks, epsilon, low, most);
}

/** What leaks without noise; infinite where an output tells a value apart. */
function noiseless(adversaries: readonly Adversary[]): number {
  let found = 0;
  for (const { groups, targets } of adversaries) {
    for (const { grid, weights, begins } of groups) {
      for (let place = 0; place < targets.length; place++) {
        const [from, to] = [begins[place] as number, begins[place + 1] as number];
        if (to - from < 2) continue;
        for (let g = 0; g < grid.size; g++) {
          let [high, low] = [0, Infinity];
          for (let law = from; law < to; law++) {
            const weight = weights[law * grid.size + g] as number;
            [high, low] = [Math.max(high, weight), Math.min(low, weight)];
          }
          if (high > 0 && low === 0) return Infinity;
          if (high > 0) found = Math.max(found, Math.log(high) - Math.log(low));
        }
      }
    }
  }
  return found;
}

/** Where a falling function meets a level, to a relative 1e-12: bisection, with steps along the chord of the reciprocal. */
export function fallingRoot(fall: (scale: number) => number, level: number, low: number, high: number): number {
  let [below, above] = [1 / high, 1 / low];
  let [atBelow, atAbove] = [fall(high) - level, fall(low) - level];
  for (let step = 0; step < MOST_STEPS; step++) {
    if (above - below <= TOLERANCE * above || atBelow === 0) break;
    let middle = Math.sqrt(below) * Math.sqrt(above);
    // Every third step halves; the others go where the chord says, a little on the side that is far.
    if (step % 3 < 2 && atAbove > atBelow) {
      const margin = 0.25 * TOLERANCE * above;
      const chord = below + (above - below) * (-atBelow / (atAbove - atBelow)) + (step % 3 === 0 ? -margin : margin);
      if (below < chord && chord < above) middle = chord;
    }
    const found = fall(1 / middle) - level;
    if (found > 0) [above, atAbove] = [middle, found];
    else [below, atBelow] = [middle, found];
  }
  return 1 / below;
}

/** Whether a mechanism keeps its promise by its construction, to an adversary who knows none of the tuples, or to whoever knows some. */
export function guaranteed(key: Compared, additive: boolean, blocks: readonly (readonly number[])[], someKnown: boolean): boolean {
  const most = Math.max(...blocks.map(({ length }) => length));
  if (key === "calibrated") return !someKnown || most === 1;
  if (key === "lpm") return most === 1;
  if (key === "dpm_exact") return most === 1 || (most === 2 && additive);
  return key === "dpm_mean" || key === "dpm_eq18" ? most === 1 || (additive && (most === 2 || !someKnown)) : true;
}
