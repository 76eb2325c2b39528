/** Every curve over ε: exact, bounds, and the theorems as printed. */
import type { Events, Recipe, Status, Wired } from "../anonymity/protocol";
import { eventsLabel, readingLabel } from "../anonymity/names";
import { blockDeviation, countDelta, dependentBound, independentBound, normalDelta, normalRecipe, type NormalBound } from "./anonymity-bounds";
import type { Exact } from "./anonymity-exact";
import type { AnonymityInputs } from "./anonymity-inputs";
import type { Moments } from "./anonymity-laws";
import { printedCount, printedDependent, printedSum, type Printed } from "./anonymity-printed";
import type { ReleaseKind } from "./anonymity-release";
import { runningLeast } from "./anonymity-slack";

/** A curve before it is packed. */
export interface Curve {
  key: string;
  label: string;
  kind: "exact" | "bound" | "printed";
  events: Events;
  delta: Float64Array;
  drawn: Float64Array;
  at: number | null;
  status: Status;
  violated: [number, number][];
  why: string | null;
}

/** The adversary and the release of one answer, in numbers. */
export interface Case {
  inputs: AnonymityInputs;
  kind: ReleaseKind;
  /** Share of the counted value; NaN for sums. */
  share: number;
  moments: Moments;
  /** Unknown records with the target, others, and records that move together. */
  all: number;
  others: number;
  block: number;
  shift: number;
}

export function statusOf(delta: number): Status {
  if (Number.isNaN(delta)) return "undefined";
  return delta < 0 ? "negative" : delta >= 1 ? "vacuous" : "ok";
}

function curveOf(part: Pick<Curve, "key" | "label" | "kind" | "events">, axis: Float64Array, epsilon: number, at: (epsilon: number) => number): Curve {
  const delta = axis.map(at);
  // A bound at a smaller ε holds at a larger one too.
  const value = part.kind === "bound" ? delta.reduce((least, x, k) => ((axis[k] as number) <= epsilon ? Math.min(least, x) : least), at(epsilon)) : at(epsilon);
  return { ...part, delta, drawn: runningLeast(delta), at: Number.isNaN(value) ? null : value, status: statusOf(value), violated: [], why: null };
}

/** A place that stays empty, with the reason. */
function noCurve(part: Pick<Curve, "key" | "label" | "kind" | "events">, axis: Float64Array, why: string): Curve {
  const none = new Float64Array(axis.length).fill(NaN);
  return { ...part, delta: none, drawn: none, at: null, status: "undefined", violated: [], why };
}

export function exactCurve(exact: Exact, axis: Float64Array, epsilon: number): Curve {
  const part = { key: "exact", label: "exact, any event", kind: "exact", events: "all" } as const;
  return "why" in exact ? noCurve(part, axis, exact.why) : curveOf(part, axis, epsilon, exact.at);
}

const isWhole = (x: number): boolean => Math.abs(x - Math.round(x)) <= 1e-9 * Math.max(1, Math.abs(x));
const isCount = (kind: ReleaseKind): boolean => kind === "count" || kind === "suppressed";
const isDependent = ({ inputs: { level } }: Case): boolean => level === "II" || level === "IV";

/** The normal bound of the level: deviation and distance of the sum of the others. */
export function normalBound({ others, block, moments, inputs }: Case): NormalBound {
  const dependent = inputs.level === "II" || inputs.level === "IV";
  return dependent ? dependentBound(others, block, moments) : independentBound(others, moments);
}

/** Why a distance to the normal law bounds nothing here; null where it does. */
function whyNoBound({ inputs: { events }, kind, shift, block }: Case): string | null {
  if (kind === "records") return "it bounds sums and counts, not published records";
  return events === "all" && !(isCount(kind) && isWhole(shift / block)) ? "it holds for thresholds and intervals only" : null;
}

/** The ε and the δ that follow from the slack of the normal step that is chosen, else the paper's: one over the root of the unknown. */
export function recipeOf(one: Case): Recipe | null {
  if (whyNoBound(one) !== null) return null;
  const { inputs, others, shift } = one;
  const delta1 = inputs.delta1 ?? (others > 0 ? 1 / Math.sqrt(others) : null);
  const { deviation, distance } = normalBound(one);
  const [epsilon, delta] =
    shift === 0
      ? [0, 0]
      : delta1 === null || deviation === 0
        ? [Infinity, 1]
        : normalRecipe(delta1, distance, shift / deviation, inputs.events);
  const sent = (value: number): Wired => (Number.isFinite(value) ? value : String(value));
  return { delta1, epsilon: sent(epsilon), delta: sent(delta), status: statusOf(delta) };
}

export function boundCurves(one: Case, axis: Float64Array): Curve[] {
  const { inputs, kind, share, others, shift } = one;
  const { epsilon, events, neighbour, level } = inputs;
  const theorem = { I: 4, II: 5, III: 6, IV: 7 }[level];
  const part = { key: "bound-events", label: `Theorem ${theorem} corrected, ${eventsLabel(events)}`, kind: "bound", events } as const;
  const out: Curve[] = [];
  const bound = normalBound(one);
  const why = whyNoBound(one);
  out.push(
    why !== null ? noCurve(part, axis, why) : curveOf(part, axis, epsilon, (e) => normalDelta(bound, shift, e, events)),
  );
  if (
    isCount(kind) &&
    !isDependent(one) &&
    neighbour === "value" &&
    share > 0 &&
    share < 1 &&
    others > 0 &&
    shift === 1
  ) {
    out.push(
      curveOf(
        { key: "bound-all", label: "Theorem 1 corrected, all events", kind: "bound", events: "all" },
        axis,
        epsilon,
        (e) => countDelta(others, share, e),
      ),
    );
  }
  return out;
}

/** Readings that fit the release and the level, the first the one that is meant. */
export function readingsOf(kind: ReleaseKind, level: AnonymityInputs["level"]): string[] {
  const sums = {
    I: ["t4:sum_of_powers", "t4:power_of_sum"],
    II: ["t5:statement", "t5:proof"],
    III: ["t4:sum_of_powers", "t4:power_of_sum"],
    IV: ["t7:statement", "t7:mixed", "t7:proof"],
  }[level];
  if (kind === "records") return [];
  return isCount(kind) ? ["t1:statement", "t1:proof", "t1:final", "t1:garbled", ...sums] : sums;
}

/** Delta by ε of a theorem as printed; NaN where it says nothing. */
export function printedAt(reading: string, one: Case): Printed {
  const { inputs, share, moments, all, others, block } = one;
  const { k, groupChange, known } = inputs;
  const [theorem, form] = reading.split(":") as [string, string];
  if (theorem === "t1") return others >= 1 && k <= others && share > 0 && share < 1 ? printedCount(form, others, share, k) : () => NaN;
  if (all < 1) return () => NaN;
  if (theorem === "t4") {
    const { epsilon, delta } = printedSum(form, all, moments, groupChange, k);
    return (e) => (e >= epsilon ? delta : NaN);
  }
  const deviation = blockDeviation(all, block, moments);
  if (!(deviation > 0)) return () => NaN;
  return printedDependent(reading, all, block, moments, deviation, known);
}

/** Relative distance by which the exact value lies above a printed one. */
const ABOVE = 1e-9;

export const isAbove = (exact: number, printed: number): boolean => exact > printed + ABOVE * Math.abs(printed);

export function printedCurve(reading: string, one: Case, axis: Float64Array, exact: Curve): Curve {
  const { epsilon, level } = one.inputs;
  const made = curveOf({ key: reading, label: readingLabel(reading, level), kind: "printed", events: "all" }, axis, epsilon, printedAt(reading, one));
  made.violated = stretches(axis, (k) => exact.why === null && isAbove(exact.delta[k] as number, made.delta[k] as number));
  return made;
}

/** From where to where on the axis something holds. */
function stretches(axis: Float64Array, holds: (k: number) => boolean): [number, number][] {
  const out: [number, number][] = [];
  let from: number | null = null;
  for (let k = 0; k <= axis.length; k++) {
    const now = k < axis.length && holds(k);
    if (now) from ??= axis[k] as number;
    else if (from !== null) {
      out.push([from, axis[k - 1] as number]);
      from = null;
    }
  }
  return out;
}

export interface PrintedValue {
  key: string;
  label: string;
  delta: number | null;
  status: Status;
  holds: boolean | null;
}

/** One reading of every theorem that fits, at ε. */
export function printedValues(readings: readonly string[], chosen: string, one: Case, exact: Curve): PrintedValue[] {
  const theorems = [...new Set(readings.map((key) => key.slice(0, 2)))];
  return theorems.map((theorem): PrintedValue => {
    const fitting = readings.filter((key) => key.startsWith(theorem));
    const key = fitting.includes(chosen) ? chosen : (fitting[0] as string);
    const value = printedAt(key, one)(one.inputs.epsilon);
    const known = Number.isNaN(value) ? null : value;
    return {
      key,
      label: readingLabel(key, one.inputs.level),
      delta: known,
      status: statusOf(value),
      holds: known === null || exact.at === null ? null : !isAbove(exact.at, known),
    };
  });
}
