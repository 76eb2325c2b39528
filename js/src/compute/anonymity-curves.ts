/** Every curve of the slack over ε: exact, by bounds with a proof, and by the theorems as the paper prints them. */
import type { Events, Recipe, Status, Wired } from "../anonymity/protocol";
import { eventsLabel, readingLabel } from "../anonymity/words";
import { erfcx } from "../gaussian/laplace-normal";
import type { AnonymityInputs, Exact } from "./anonymity-exact";
import { runningLeast, type Moments } from "./anonymity-laws";
import type { ReleaseKind } from "./anonymity-release";

// The normal step: how a Gaussian hides a shift, and the constants of Lemma 2.

/** Of Berry and Esseen, for records that need not be alike. */
const C0 = 0.5591;

/** The slack of a normal release of deviation 1 whose mean moves by `r`. */
function gaussianDelta(epsilon: number, r: number): number {
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
function stepY(delta: number): number {
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
function stepC(delta: number): number {
  const y = stepY(delta);
  return (y + Math.sqrt(y * y + 2)) / 2;
}

// Upper bounds on the slack with a proof: Theorems 1, 4 to 7 of the paper, corrected.

/** Of Ross, for dependency neighbourhoods. */
const ROSS = 28;

/** What the normal bound needs: deviation of the unknown sum, and how far its law is from a normal one. */
interface NormalBound {
  deviation: number;
  /** Largest distance of the distribution functions. */
  distance: number;
  /** The Berry-Esseen ratio; null where there are no unknown records. */
  ratio: number | null;
}

/** Theorems 4 and 6: m independent records. */
function independentBound(m: number, { variance, absolute }: Moments): NormalBound {
  const deviation = Math.sqrt(m * variance);
  if (!(deviation > 0)) return { deviation: 0, distance: NaN, ratio: null };
  const ratio = (m * absolute) / deviation ** 3;
  return { deviation, distance: C0 * ratio, ratio };
}

/** Deviation of the sum of m records in blocks of D equal ones and one of what is left. */
function blockDeviation(m: number, d: number, { variance }: Moments): number {
  const left = m % d;
  return Math.sqrt((d * d * Math.floor(m / d) + left * left) * variance);
}

/** Theorems 5 and 7: neighbourhoods of at most D records. */
function dependentBound(m: number, d: number, moments: Moments): NormalBound {
  const deviation = blockDeviation(m, d, moments);
  if (!(deviation > 0)) return { deviation: 0, distance: NaN, ratio: null };
  const { absolute, fourth } = moments;
  const wasserstein = (d * d * m * absolute) / deviation ** 3 + (Math.sqrt(ROSS) * d ** 1.5 * Math.sqrt(m * fourth)) / (Math.sqrt(Math.PI) * deviation ** 2);
  return { deviation, distance: (2 / Math.PI) ** 0.25 * Math.sqrt(wasserstein), ratio: (m * absolute) / deviation ** 3 };
}

/** Delta at ε for half-lines or intervals of the sum. */
function normalDelta({ deviation, distance }: NormalBound, shift: number, epsilon: number, events: Events): number {
  if (shift === 0) return 0;
  if (deviation === 0) return 1;
  const kappa = events === "interval" ? 2 : 1;
  return kappa * (1 + Math.exp(epsilon)) * distance + gaussianDelta(epsilon, Math.abs(shift) / deviation);
}

/** ε and δ of a chosen slack of the normal step, for a shift of so many deviations. */
function normalRecipe(delta1: number, distance: number, ratio: number, events: Events): [number, number] {
  const epsilon = stepY(delta1) * ratio + ratio ** 2 / 2;
  return [epsilon, (events === "interval" ? 2 : 1) * (1 + Math.exp(epsilon)) * distance + delta1];
}

/** Where the ratio of the chances of a count is e^ε: below the first and above the second it is larger. */
function turningPoints(n: number, p: number, epsilon: number): [number, number] {
  const [q, small] = [1 - p, Math.exp(-epsilon)];
  // With e^-ε: e^ε would leave the floats.
  return [(p * (n + 1) * small) / (q + p * small), (n * p - q * small) / (p + q * small)];
}

/** n times the divergence of a share from p, nats. */
function divergence(a: number, n: number, p: number): number {
  const x = a / n;
  const part = (u: number, v: number): number => (u === 0 ? 0 : u * Math.log(u / v));
  return n * (part(x, p) + part(1 - x, 1 - p));
}

/** Theorem 1 corrected, in the tighter form: a count of n unknown records and one more, for any event. */
function countDelta(n: number, p: number, epsilon: number): number {
  const [low, high] = turningPoints(n, p, epsilon);
  const below = low < n * p ? Math.exp(-divergence(Math.max(0, low), n, p)) : 1;
  const above = high > n * p ? Math.exp(-divergence(Math.min(n, high), n, p)) : 1;
  return Math.max(below, above);
}

// The theorems as the paper prints them, in the readings its typesetting allows: never a bound, and never used for one.

type Printed = (epsilon: number) => number;

/** Theorem 1, part II: n records, each counted with chance p, at least k. */
function printedCount(reading: string, n: number, p: number, k: number): Printed {
  const [q, least] = [1 - p, Math.exp((-2 * (n * p - k + 1) ** 2) / n)];
  const tail = (a: number): number => Math.exp((-2 * (a - n * p) ** 2) / n);
  return (epsilon) => {
    const [low, high] = turningPoints(n, p, epsilon);
    const first = tail(low) - least;
    if (reading === "proof") return p < 0.5 - k / (2 * n) ? first : tail(high);
    if (reading === "final") return Math.max(tail(low), least, tail(high));
    if (reading === "garbled") {
      const e = Math.exp(epsilon);
      // E (np - 1 + p)^2 / (E p + q), which tends to the square over p.
      const inner = e === Infinity ? (n * p - 1 + p) ** 2 / p : (e * (n * p - 1 + p) ** 2) / (e * p + q);
      return Math.max(first, Math.exp((-2 / n) * inner ** 2));
    }
    return Math.max(first, tail(high));
  };
}

/** Theorems 4 and 6 hold from an ε of their own on. */
export interface PrintedStep {
  epsilon: number;
  delta: number;
}

/** `n` unknown records with the target; `s` the change of the group size. */
function printedSum(reading: string, n: number, { variance, third }: Moments, s: number, k: number): PrintedStep {
  const b = Math.sqrt(n * variance);
  const powers = reading === "power_of_sum" ? b ** 3 : n * variance ** 1.5;
  const root = 1 / Math.sqrt(n);
  const factor = 1 + Math.exp((s * Math.sqrt(Math.log(n))) / b);
  const delta = powers > 0 && b > 0 ? (third === 0 ? 0 : 1.1182 * ((n * third) / powers) * factor) + root : NaN;
  return { epsilon: ownEpsilon(n, b, s, k), delta };
}

/** c' s / B with (C2) of its own ε. */
function ownEpsilon(n: number, b: number, s: number, k: number): number {
  if (!(b > 0)) return Infinity;
  return (Math.max(stepC(1 / Math.sqrt(n)), (k + s / 2) / b) * s) / b;
}

/** Theorems 5 and 7; `deviation` of the sum of all unknown records, `share` of the known ones. */
function printedDependent(reading: string, n: number, d: number, moments: Moments, deviation: number, share: number): Printed {
  const a = 2 * (2 / Math.PI) ** 0.25;
  const z = (n * moments.rawThird) / deviation ** 3;
  const w = (Math.sqrt(26) * Math.sqrt(n * moments.rawFourth)) / (Math.sqrt(Math.PI) * deviation ** 2);
  const root = 1 / Math.sqrt(n);
  return (epsilon) => {
    const e = Math.exp(epsilon);
    if (reading === "t5:statement") return a * Math.sqrt(d * d * z + d ** 3 * w * (1 + e)) + root;
    if (reading === "t7:statement") return a * Math.sqrt(share * share * z + d ** 3 * w * (1 + e) + root);
    if (reading === "t7:mixed") return a * Math.sqrt(share * share * z + d ** 3 * w) * (1 + e) + root;
    return a * Math.sqrt(d * d * z + d ** 1.5 * w) * (1 + e) + root;
  };
}

// Every curve over ε: exact, bounds, and the theorems as printed.

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
