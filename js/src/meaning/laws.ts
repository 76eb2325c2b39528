/** The laws that the panel of meanings is about, from what each explorer holds of its adversary. */
import type { LaplaceLaw } from "../compute/best-test";
import { centresOf, feasible } from "../curves/mixture";
import { density, logRatio, reaches, tail } from "../gaussian/laplace-normal";
import type { GaussianChosen } from "../gaussian/protocol";
import { count } from "../ui/format";
import { fit, inQuotes } from "../ui/lettering";
import type { Chosen } from "../ui/protocol";
import type { MeaningProps } from "./panel";

export type Laws = Pick<MeaningProps, "meaning" | "labels" | "name" | "pair" | "between" | "emptyText">;

/** Why there is nothing to show. */
export const noLaws = (emptyText: string): Laws => ({ meaning: null, labels: [], name: "", pair: [0, 1], between: "", emptyText });

export const NO_RESULTS = "No results yet.";
export const NOTHING = "The release says nothing about it: a guess is as good before as after.";
const DETERMINED = "The known values leave nothing to learn: a guess is right before the release and after it.";
const several = (numbers: number): Laws => noLaws(`${count(numbers, "number")} released together: this is said of one number.`);

/** Rows of chances and a prior, of the labels that can occur. */
interface Rows {
  rows: readonly Float64Array[];
  prior: ArrayLike<number> | null;
  labels: readonly string[];
  name: string;
  /** The pair that the leakage is attained between, of all labels. */
  attained?: readonly [number, number] | null | undefined;
  between?: string;
}

/** Without what cannot occur; `made` puts the rows into a law. */
function lawsOf(
  { rows, prior, labels, name, attained, between = "" }: Rows,
  made: (rows: Float64Array[]) => NonNullable<MeaningProps["meaning"]>["law"],
): Laws {
  const there = rows.flatMap((row, v) => (row.some((w) => w > 0) && (prior === null || (prior[v] as number) > 0) ? [v] : []));
  if (there.length < 2) return noLaws(DETERMINED);
  const scaled = there.map((v) => {
    const row = rows[v] as Float64Array;
    const sum = row.reduce((a, b) => a + b, 0);
    return row.map((w) => w / sum);
  });
  const chances = prior && there.map((v) => prior[v] as number);
  const mass = chances?.reduce((a, b) => a + b, 0) ?? 1;
  const at = (attained ?? []).map((v) => there.indexOf(v));
  const pair: [number, number] = at.length === 2 && !at.includes(-1) ? [Math.min(...at), Math.max(...at)] : [0, there.length - 1];
  return {
    meaning: { law: made(scaled), prior: chances && chances.map((p) => p / mass) },
    labels: there.map((v) => labels[v] ?? ""),
    name,
    pair,
    between,
    emptyText: "",
  };
}

const channel = (rows: Float64Array[]) => ({ kind: "channel" as const, rows });
const laplace = (scale: number, centres: readonly number[]) => (weights: Float64Array[]): LaplaceLaw => ({ kind: "laplace", scale, centres, weights });

/** One noisy number, of a table. */
export function ofMixtures(
  chosen: (Chosen & { bins?: readonly unknown[] }) | null,
  scale: number,
  names: readonly string[],
  labels: readonly (readonly string[])[],
): Laws {
  if (!chosen) return noLaws(NO_RESULTS);
  if (chosen.bins) return several(chosen.bins.length);
  const centres = centresOf(chosen.mixtures.filter(feasible));
  const at = new Map(centres.map((centre, k) => [centre, k]));
  const rows = chosen.mixtures.map((mixture) => {
    const row = new Float64Array(centres.length);
    mixture.centres.forEach((centre, k) => {
      const place = at.get(centre);
      if (place !== undefined) row[place] = (row[place] as number) + (mixture.weights[k] as number);
    });
    return row;
  });
  const { target, prior, attained } = chosen;
  const name = names[target] ?? "";
  return lawsOf(
    { rows, prior, labels: labels[target] ?? [], name: inQuotes(name, fit(name, 240, 12)), attained: attained?.pair as [number, number] | undefined },
    laplace(scale, centres),
  );
}

/** One number of Gaussian data: two values of the attacked tuple, one change apart; `values` are their texts. */
export function ofShift(chosen: GaussianChosen | null, scale: number, change: number, name: string, values: [string, string], apart: string): Laws {
  if (!chosen) return noLaws(NO_RESULTS);
  const { coefficient, determined, sigma: deviation } = chosen;
  const shift = Math.abs(coefficient) * change;
  if (determined) return noLaws(DETERMINED);
  if (shift === 0) return noLaws("The release is the same whatever the value is: nothing can be learned.");
  const between = `Of two values of ${name} that are ${apart} apart`;
  if (deviation === 0)
    return lawsOf({ rows: [Float64Array.of(1, 0), Float64Array.of(0, 1)], prior: null, labels: values, name, between }, laplace(scale, [0, shift]));
  const noise = { deviation, scale };
  const law = {
    kind: "shift" as const,
    shift,
    ...noise,
    density: (t: number) => density(noise, t),
    tail: (t: number) => tail(noise, t),
    ratio: (r: number) => logRatio(noise, r, shift, 0),
    reaches: (level: number) => reaches(noise, level, shift),
  };
  return { meaning: { law, prior: null }, labels: values, name, pair: [0, 1], between, emptyText: "" };
}

/** One report, through a channel: what each label of the secret makes of the source's symbols, and what each of these reports. */
export function ofReport(rows: readonly Float64Array[], reported: Float64Array, about: Omit<Rows, "rows">): Laws {
  const reports = reported.length / Math.max(1, rows[0]?.length ?? 1);
  const seen = rows.map((row) => {
    const sums = new Float64Array(reports);
    row.forEach((p, symbol) => {
      if (p > 0) for (let y = 0; y < reports; y++) sums[y] = (sums[y] as number) + p * (reported[symbol * reports + y] as number);
    });
    return sums;
  });
  return lawsOf({ rows: seen, ...about }, channel);
}

/** One step of a stream: the matrix it was released by, and what was believed of its symbol. */
export function ofStep(matrix: Float64Array, belief: Float64Array, states: readonly string[], step: number): Laws {
  const n = states.length;
  const rows = states.map((_, x) => matrix.slice(x * n, (x + 1) * n));
  return lawsOf({ rows, prior: belief, labels: states, name: `the symbol of step ${step}` }, channel);
}

/** One noisy number of dependent tuples: its law before noise for each label, row by row, and how likely they are. */
export function ofOutputs(
  outputs: { points: Float64Array; weights: Float64Array; prior: Float64Array | null } | null,
  scale: number,
  about: Omit<Rows, "rows" | "prior">,
): Laws {
  if (scale === 0) return noLaws("No tuple changes what is released: nobody learns anything.");
  if (!outputs) return noLaws("The release has several numbers, or too many values: this is said of one number with few.");
  const { points, weights, prior } = outputs;
  const n = points.length;
  const rows = about.labels.map((_, v) => weights.slice(v * n, (v + 1) * n));
  const between = prior ? "" : `Of two values of ${about.name}`;
  return lawsOf({ rows, prior, ...about, between }, laplace(scale, [...points]));
}

/** What is published with and without a change of one record: two laws of the same outcomes. */
export function ofStates(laws: readonly [Float64Array, Float64Array] | null, labels: [string, string], between: string, why: string): Laws {
  return laws ? lawsOf({ rows: laws, prior: null, labels, name: "the record", between }, channel) : noLaws(why);
}
