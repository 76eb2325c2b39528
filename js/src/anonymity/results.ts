/** Results as the parts draw them: bytes read once. */
import type { Stable } from "../explorer/hand";
import { floats, number } from "../ui/wire";
import type { AnonymityResults, ClassState, CurveState } from "./protocol";

export interface ShownCurve extends Omit<CurveState, "delta" | "drawn"> {
  delta: Float64Array;
  drawn: Float64Array;
}

export interface ShownRemovals {
  changes: Float64Array;
  largest: number;
  worst: number;
  sampled: number | null;
}

export interface Shown extends Omit<AnonymityResults, "epsilon" | "axis" | "curves" | "known" | "removals"> {
  epsilon: number;
  axis: Float64Array;
  curves: ShownCurve[];
  exact: ShownCurve | null;
  known: { share: Float64Array; delta: Float64Array };
  removals: ShownRemovals | null;
}

const made = new WeakMap<AnonymityResults, Shown>();

export function decode(results: AnonymityResults, kept: Stable): Shown {
  const seen = made.get(results);
  if (seen) return seen;
  const curves = results.curves.map((curve): ShownCurve => ({ ...curve, delta: floats(curve.delta), drawn: floats(curve.drawn) }));
  const shown: Shown = {
    ...results,
    epsilon: number(results.epsilon),
    classes: kept.value("classes", results.classes),
    axis: floats(results.axis),
    curves,
    exact: curves.find(({ kind }) => kind === "exact") ?? null,
    known: { share: floats(results.known.share), delta: floats(results.known.delta) },
    removals: results.removals && { ...results.removals, changes: kept.read("changes", results.removals.changes, floats) },
  };
  made.set(results, shown);
  return shown;
}

/** The height of a line at a place: straight between its points, in logs where both are positive; NaN outside. */
export function along(axis: ArrayLike<number>, values: ArrayLike<number>, at: number): number {
  const n = axis.length;
  if (n === 0 || !(at >= (axis[0] as number)) || !(at <= (axis[n - 1] as number))) return NaN;
  let k = 0;
  while (k < n - 2 && (axis[k + 1] as number) < at) k += 1;
  const [a, b] = [values[k] as number, values[k + 1] ?? values[k]] as [number, number];
  const [from, to] = [axis[k] as number, axis[k + 1] ?? axis[k]] as [number, number];
  if (at <= from || to === from) return a;
  if (at >= to) return b;
  const share = (at - from) / (to - from);
  return a > 0 && b > 0 ? a * (b / a) ** share : a + share * (b - a);
}

/** What a curve says at an ε: the value itself where it is known, else what its line says there. */
export function valueAt(shown: Shown, curve: ShownCurve, epsilon: number): number | null {
  if (epsilon === shown.epsilon) return curve.at;
  const read = along(shown.axis, curve.delta, epsilon);
  return Number.isNaN(read) ? null : read;
}

/** The least ε at which the exact slack is above a printed one, rounded down: they cross between two points of the axis. */
export function violatedFrom({ violated }: Pick<ShownCurve, "violated">): number | null {
  const first = violated[0];
  return first ? Math.floor(100 * first[0] + 1e-9) / 100 : null;
}

/** Bounds, the ones that hold for most events first. */
export function boundsOf({ curves }: Shown): ShownCurve[] {
  const order = { all: 0, interval: 1, halfline: 2 };
  return curves.filter(({ kind }) => kind === "bound").sort((a, b) => order[a.events] - order[b.events]);
}

export function printedOf({ curves }: Shown): ShownCurve | null {
  return curves.find(({ kind }) => kind === "printed") ?? null;
}

/** The least bound at an ε; of equal ones the one for more events. */
export function bestBound(shown: Shown, epsilon: number): { value: number; curve: ShownCurve } | null {
  let best: { value: number; curve: ShownCurve } | null = null;
  for (const curve of boundsOf(shown)) {
    const value = epsilon === shown.epsilon ? drawnAt(shown, curve, epsilon) : along(shown.axis, curve.drawn, epsilon);
    if (!Number.isNaN(value) && (best === null || value < best.value)) best = { value, curve };
  }
  return best;
}

/** A bound as it is drawn: what holds at a smaller ε holds at a larger one. */
export function drawnAt(shown: Shown, curve: ShownCurve, epsilon: number): number {
  const { axis } = shown;
  const own = valueAt(shown, curve, epsilon) ?? NaN;
  let least = own;
  for (let k = 0; k < axis.length && (axis[k] as number) <= epsilon; k++) {
    const value = curve.delta[k] as number;
    if (!(value >= least)) least = Number.isNaN(value) ? least : value;
  }
  return least;
}

/** The classes that are looked at where none is chosen: a small one that gives its secret away, and a mixed one that is near to it. */
export function featured(classes: readonly ClassState[]): string[] {
  const small = [...classes].sort((a, b) => a.size - b.size);
  const single = small.find(({ one }) => one);
  const after = classes.slice(single ? classes.indexOf(single) : 0);
  const mixes = ({ one, shared, colour }: ClassState): boolean => !one && shared !== "" && !shared.startsWith("0 ") && colour !== single?.colour;
  const mixed = after.find(mixes) ?? small.find(mixes);
  const both = [single, mixed].flatMap((found) => (found ? [found.letter] : []));
  return both.length > 0 ? both : small.slice(0, 1).map(({ letter }) => letter);
}

/** The value that all classes with a single secret share; null where they differ, or where not all are listed. */
export function onlyValue({ classes, classes_in_all, single }: Shown): string | null {
  if (classes_in_all > classes.length || single === 0) return null;
  const values = new Set(classes.filter(({ one }) => one).map(({ shared }) => shared.replace(/^all /, "")));
  return values.size === 1 ? ([...values][0] ?? null) : null;
}
