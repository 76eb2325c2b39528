/** Results as the parts read them: numbers instead of bytes, and what follows from them. */
import { isOver } from "../explorer/words";
import type { GraphMeasure } from "../ui/protocol";
import { floats, number } from "../ui/wire";
import type { ChosenTuple, Coefficient, DependenceResults, MechanismRow } from "./protocol";

export interface ShownTuple extends Omit<ChosenTuple, "leakage" | "paper" | "mean" | "plain" | "group" | "worst" | "outputs"> {
  leakage: number;
  paper: number;
  mean: number | null;
  plain: number;
  group: number;
  worst: { leakage: number; known: number[]; values: number[] } | null;
  outputs: { points: Float64Array; weights: Float64Array; prior: Float64Array | null } | null;
}

export interface ShownMechanism extends Omit<MechanismRow, "scale" | "largest"> {
  scale: number;
  largest: number;
}

export interface Shown {
  n: number;
  epsilon: number;
  scale: number;
  scalar: boolean;
  outputs: number;
  sensitivity: number;
  dependent: number;
  enough: number;
  /** By tuple, nats. */
  exact: Float64Array;
  paper: Float64Array;
  /** NaN where the query has no such bound. */
  mean: Float64Array;
  plain: Float64Array;
  /** n x n, [of this tuple, of the other]. */
  coefficients: Record<Coefficient, Float64Array>;
  chosen: ShownTuple;
  /** The same for the graph where it shows another measure than the leakage: `exact` and `epsilon` are of that. */
  measured: { measure: GraphMeasure; drawn: Shown } | null;
  mechanisms: ShownMechanism[];
  bounds: { mean: number | null; group: number };
}

/** A coefficient below this is 0 but for rounding. */
const NOTHING = 1e-9;
const TIE = 1e-9;

const decoded = new WeakMap<DependenceResults, Shown>();

function maybe(value: number | string | null): number | null {
  return value === null ? null : number(value);
}

export function decode(results: DependenceResults): Shown {
  const known = decoded.get(results);
  if (known) return known;
  const exact = floats(results.exact);
  const { coefficients, chosen, bounds } = results;
  const shown: Shown = {
    n: exact.length,
    epsilon: number(results.epsilon),
    scale: number(results.scale),
    scalar: results.scalar,
    outputs: results.outputs,
    sensitivity: results.sensitivity,
    dependent: results.dependent,
    enough: number(results.enough),
    exact,
    paper: floats(results.paper),
    mean: floats(results.mean),
    plain: floats(results.plain),
    coefficients: { exact: floats(coefficients.exact), mean: floats(coefficients.mean), eq18: floats(coefficients.eq18) },
    chosen: {
      ...chosen,
      leakage: number(chosen.leakage),
      paper: number(chosen.paper),
      mean: maybe(chosen.mean),
      plain: number(chosen.plain),
      group: number(chosen.group),
      worst: chosen.worst && { ...chosen.worst, leakage: number(chosen.worst.leakage) },
      outputs: chosen.outputs && {
        points: floats(chosen.outputs.points),
        weights: floats(chosen.outputs.weights),
        prior: chosen.outputs.prior ? floats(chosen.outputs.prior) : null,
      },
    },
    measured: null,
    mechanisms: results.mechanisms.map((row) => ({ ...row, scale: number(row.scale), largest: number(row.largest) })),
    bounds: { mean: maybe(bounds.mean), group: number(bounds.group) },
  };
  const { measured } = results;
  if (measured) shown.measured = { measure: measured.measure, drawn: { ...shown, exact: floats(measured.values), epsilon: measured.promise } };
  decoded.set(results, shown);
  return shown;
}

/** Coefficient of the second given the first; what rounding alone makes of 0 is 0. */
export function coefficientOf({ coefficients, n }: Shown, kind: Coefficient, first: number, second: number): number {
  const value = coefficients[kind][first * n + second] ?? 0;
  return Math.abs(value) < NOTHING ? 0 : value;
}

/** The tuple that leaks most; of those that differ by rounding alone the first. */
export function mostLeaking({ exact }: Shown): number {
  const most = exact.reduce((found, value) => Math.max(found, value), 0);
  return Math.max(0, exact.findIndex((value) => value >= most * (1 - TIE)));
}

/** How the paper's estimate stands to the exact number; null where they are the same. */
export function paperError({ exact, paper }: Shown, tuple: number): { direction: "low" | "high"; by: number } | null {
  const [truth, said] = [exact[tuple] as number, paper[tuple] as number];
  if (!isOver(truth, said) && !isOver(said, truth)) return null;
  return { direction: said < truth ? "low" : "high", by: Math.abs(truth - said) };
}

/** About how many tuples the estimate is too low, and too high. */
export function paperErrors(shown: Shown): { low: number; high: number } {
  const all = Array.from(shown.exact, (_, k) => paperError(shown, k)?.direction);
  return { low: all.filter((one) => one === "low").length, high: all.filter((one) => one === "high").length };
}

export function countOver(shown: Shown): number {
  return shown.exact.filter((value) => isOver(value, shown.epsilon)).length;
}

/** The other tuples of a tuple's block. */
export function neighboursOf(blocks: readonly number[], tuple: number): number[] {
  return blocks.flatMap((block, k) => (k !== tuple && block === blocks[tuple] ? [k] : []));
}

/** Independent of every other one, pair by pair, and yet in a block with others. */
export function isApart(shown: Shown, blocks: readonly number[], tuple: number): boolean {
  const others = neighboursOf(blocks, tuple);
  return others.length > 0 && others.every((other) => coefficientOf(shown, "exact", tuple, other) === 0);
}

/** The tuple that is shown beside another one: whom it was shown with before, or whoever is joined to it most closely. */
export function partnerOf(shown: Shown | null, blocks: readonly number[], tuple: number, before: number): number | null {
  const others = neighboursOf(blocks, tuple);
  if (others.includes(before)) return before;
  const from = others.length > 0 ? others : blocks.flatMap((_, k) => (k === tuple ? [] : [k]));
  if (shown === null || others.length === 0) return from.includes(before) ? before : (from[0] ?? null);
  const tie = (other: number): number => coefficientOf(shown, "exact", tuple, other) + 1e-3 * coefficientOf(shown, "mean", tuple, other);
  return from.reduce((best, other) => (tie(other) > tie(best) ? other : best), from[0] as number);
}
