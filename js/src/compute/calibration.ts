/**
 * The least noise scale at which no adversary learns more than a target. Leakage never increases with the scale. The
 * group bound gives a scale that is enough; from there the scale goes down until the target is passed, and Brent's
 * method finds the place between.
 */
import { columnCount, knownOf } from "../graph/nodes";
import { brent } from "./brent";
import { exactAll, type Leakages } from "./exact-all";
import { exactNode, worstKnown } from "./exact-node";
import { exactGap } from "./extreme-noise";
import { general, InputFault } from "./faults";
import { bitCount } from "./graph-digest";
import { largest, type Release, sensitivity, smallestGap, smallestProbability } from "./releases";

const TIE = 1e-12;
const EPSILON = Number.EPSILON;

/**
 * Least scale with which every adversary learns at most `target` nats; 0 when no noise is needed. Known values are
 * those of the instance, or with null the worst ones. Throws an InputFault where the scale is beyond numbers.
 */
export function leastScaleForAll(release: Release, target: number, instance: readonly number[] | null): number {
  const { table, contributions } = release;
  const reach = contributions.reduce((sum, y) => sum + sensitivity(y), 0);
  const enough = scaleFor(reach, target);
  if (enough === 0) return 0;
  const at = (scale: number): Leakages => exactAll({ ...release, scale }, instance);
  if (at(Math.max(1, reach)).determined.every((flag) => flag === 1)) return 0;
  const tolerance = Math.min(1e-9, 1e-10 * target);
  // So small that leakage there tells what the release without noise leaks.
  const span = -Math.log(smallestProbability(table));
  const gap = Math.min(exactGap(contributions) ?? smallestGap(contributions), reach) || 1;
  const floor = Math.max(gap / (Math.max(target, span) + span + 100), reach * 1e-300);
  const scale = leastScale((tried) => largest(at(tried).exact), target, tolerance, enough, floor);
  return scale === 0 ? 0 : settled(release, target, instance, scale);
}

/** The least float with reach / scale at most the target; 0 where nothing can leak. */
function scaleFor(reach: number, target: number): number {
  if (reach === 0) return 0;
  let scale = reach / target;
  if (!(scale > 1e-290 && scale < 1e300) || !(target < 1e290)) {
    throw new InputFault(
      `The target leakage ${general(target, 6)} asks for a scale of about ${general(scale, 3)}, beyond what numbers can ` +
        "hold; give a target nearer to 1 nat, or math.inf for no limit at all.",
      { kind: "parameter", name: "target_leakage" },
    );
  }
  while (reach / scale > target) scale *= 1 + EPSILON;
  return scale;
}

function leastScale(leakage: (scale: number) => number, target: number, tolerance: number, enough: number, floor: number): number {
  let high = enough;
  let low = enough;
  let gain = leakage(enough);
  if (gain >= target - tolerance) return high;
  let value = gain;
  for (let halvings = 0; halvings < 2000; halvings++) {
    // Leakage times scale changes slowly, if at all: try that first, then go down ever faster.
    low = Math.max(floor, high * Math.min(gain / target, 0.5 ** halvings));
    value = leakage(low);
    if (value > target) break;
    [high, gain] = [low, value];
    if (gain >= target - tolerance) return high;
    if (high <= floor) return 0;
  }
  const aim = target - tolerance / 2;
  const start = high;
  const span = Math.log(start / low);
  let best = start;
  const miss = (down: number): number => {
    const scale = start * Math.exp(-down);
    const now = down === 0 ? gain : down === span ? value : leakage(scale);
    if (now <= target) {
      best = Math.min(best, scale);
      if (now >= target - tolerance) return 0;
    }
    return Math.log(Math.max(now, 1e-300) / aim);
  };
  brent(miss, 0, span, { absolute: 1e-15, relative: 4 * EPSILON, steps: 200 });
  return best;
}

/** Moves the scale up by a few roundings until every way to compute the leakage stays within the target. */
function settled(release: Release, target: number, instance: readonly number[] | null, scale: number): number {
  let moved = scale;
  let step = EPSILON;
  let leakage = inTwoWays({ ...release, scale }, instance);
  while (leakage > target && step < Math.max(1e-11, Math.min(1e-9, 1e-14 / target))) {
    moved *= 1 + step;
    step *= 4;
    leakage = inTwoWays({ ...release, scale: moved }, instance);
  }
  return leakage <= target ? moved : scale;
}

/** The largest leakage, computed for all at once and for the adversary who attains it. */
function inTwoWays(release: Release, instance: readonly number[] | null): number {
  const { exact } = exactAll(release, instance);
  const n = release.contributions.length;
  const top = largest(exact);
  let best = -1;
  exact.forEach((value, flat) => {
    if (value < top * (1 - TIE)) return;
    const columns = columnCount(n);
    const same = best >= 0 && Math.floor(best / columns) === Math.floor(flat / columns);
    if (best < 0 || (same && bitCount(flat % columns) < bitCount(best % columns))) best = flat;
  });
  const target = Math.floor(best / columnCount(n));
  const known = knownOf(n, target, best % columnCount(n));
  const values = instance === null ? worstKnown(release, target, known) : new Map(known.map((k) => [k, instance[k] as number]));
  return Math.max(top, exactNode(release, target, values).value);
}
