/** The cases of what a leakage means that the Python code is held to, as far as a page computes them. */
import { describe, expect, it } from "vitest";
import { areaUnder, hockeyStick, missed, region, type ChannelLaw, type LaplaceLaw } from "../../src/compute/best-test";
import { allowed, delta, equalError, guessing, kl, leakageOf, maximalLeakage, mutualInformation, pointwiseLeakage, worstDelta, type Meaning } from "../../src/compute/meaning";
import { ofShift } from "../../src/meaning/laws";
import type { GaussianChosen } from "../../src/gaussian/protocol";
import file from "../../../pdp_widgets/data/vectors/meaning.json";

type Json = any;

const num = (value: Json): number => (value === "inf" ? Infinity : value === "-inf" ? -Infinity : Number(value));

/** The laws of a sum over a table, given values of some tuples: only what the cases need. */
function ofTable({ domains, table, counts, target, known, known_values, scale, weights }: Json): { law: LaplaceLaw; prior: number[] } {
  const rows = new Map<number, Map<number, number>>();
  const visit = (cell: Json, row: number[]): void => {
    if (Array.isArray(cell)) return cell.forEach((inner, k) => visit(inner, [...row, k]));
    const values = row.map((k, j) => domains[j][k]);
    const p = known.some((j: number, k: number) => values[j] !== known_values[k]) ? 0 : cell;
    const sum = values.reduce((all: number, v: number, j: number) => all + v * (weights?.[j] ?? 1), 0);
    const law = rows.get(row[target] as number) ?? new Map<number, number>();
    rows.set(row[target] as number, law.set(sum, (law.get(sum) ?? 0) + p));
  };
  visit(table ?? counts, []);
  const total = (law: Map<number, number>): number => [...law.values()].reduce((a, b) => a + b, 0);
  const laws = [...rows].sort(([a], [b]) => a - b).map(([, law]) => law);
  const centres = [...new Set(laws.flatMap((law) => [...law].filter(([, w]) => w > 0).map(([s]) => s)))].sort((a, b) => a - b);
  const mass = laws.reduce((sum, law) => sum + total(law), 0);
  return {
    law: { kind: "laplace", scale, centres, weights: laws.map((law) => Float64Array.from(centres, (s) => (law.get(s) ?? 0) / total(law))) },
    prior: laws.map((law) => total(law) / mass),
  };
}

/** Coefficient and spread of one adversary of Gaussian data: what remains when the target and the known tuples are regressed out. */
function ofGaussian({ cov, weights, scale, target, known, distance }: Json): Meaning | null {
  const n = cov.length;
  const rows: number[][] = cov.map((row: number[]) => [...row]);
  for (const k of known) {
    const by = rows.map((row) => row[k] as number);
    const size = by[k] as number;
    if (size > 0) rows.forEach((row, i) => row.forEach((_, j) => (row[j]! -= ((by[i] as number) * (by[j] as number)) / size)));
  }
  const a = (k: number): number => (known.includes(k) ? 0 : (weights?.[k] ?? 1));
  const along = rows.map((row) => row.reduce((sum, c, j) => sum + c * a(j), 0));
  const variance = rows[target]![target] as number;
  if (!(variance > 1e-12)) return null;
  const coefficient = (along[target] as number) / variance;
  const rest = along.reduce((sum, c, i) => sum + c * a(i), 0) - coefficient * (along[target] as number);
  const sigma = rest < 1e-14 * n ? 0 : Math.sqrt(rest);
  return ofShift({ coefficient, sigma, determined: false } as GaussianChosen, scale, distance, "x", ["", ""], "").meaning;
}

/** Without labels that cannot occur; `there` are the positions of the others. */
function meaningOf(law: Json): (Meaning & { there: number[] }) | null {
  if (law.type === "gaussian_data") {
    const found = law.noise === "laplace" && ofGaussian(law);
    return found ? { ...found, there: [0, 1] } : null;
  }
  const all = asGiven(law);
  if (!all) return null;
  const rows = all.law.kind === "channel" ? all.law.rows : all.law.weights;
  const there = [...rows.keys()].filter((v) => all.prior?.[v] !== 0);
  const kept = <T>(list: readonly T[]): T[] => there.map((v) => list[v] as T);
  const laws = all.law.kind === "channel" ? { ...all.law, rows: kept(all.law.rows) } : { ...all.law, weights: kept(all.law.weights) };
  return { law: laws, prior: all.prior && kept(all.prior), there };
}

function asGiven(law: Json): { law: ChannelLaw | LaplaceLaw; prior: readonly number[] | null } | null {
  if (law.type === "channel") return { law: { kind: "channel", rows: law.rows.map((row: number[]) => Float64Array.from(row)) }, prior: law.prior ?? null };
  if (law.noise !== "laplace") return null;
  if (law.type === "table") return ofTable(law);
  if (law.type !== "mixture") return null;
  return { law: { kind: "laplace", scale: law.scale, centres: law.centres, weights: law.weights.map((row: number[]) => Float64Array.from(row)) }, prior: law.prior ?? null };
}

const checks: Record<string, (meaning: Meaning, input: Json) => Json> = {
  profile: ({ law }, { pair: [v, w], eps }) => ({
    delta: eps.map((e: Json) => delta(law, v, w, num(e))),
    reverse: eps.map((e: Json) => delta(law, w, v, num(e))),
    worst: eps.map((e: Json) => worstDelta(law, num(e))),
  }),
  tradeoff: ({ law }, { pair: [v, w], alpha }) => ({ beta: alpha.map((a: number) => missed(law, v, w, a)) }),
  test: ({ law }, { pair: [v, w], threshold }) => ({
    tests: threshold.map((t: number) => {
      const { over, under, intervals } = region(law, w, v, t);
      return { region: law.kind === "channel" ? intervals.map(([k]) => k) : intervals, type_one: under, power: over };
    }),
  }),
  roc: ({ law }, { pair: [v, w] }) => {
    const advantage = hockeyStick(law, w, v, 1);
    return { auc: areaUnder(law, v, w), advantage, balanced_guess: (1 + advantage) / 2, equal_error: equalError(law, v, w) };
  },
  sup_log_ratio: ({ law }) => ({ leakage: leakageOf(law) }),
  vulnerability: (meaning) => {
    const { before, after } = guessing(meaning);
    return { prior_vulnerability: before, posterior_vulnerability: after, maximal_leakage: maximalLeakage(meaning.law) };
  },
  pml: (meaning) => ({ max: pointwiseLeakage(meaning), log_mean_exp: maximalLeakage(meaning.law) }),
  information: (meaning, { pair: [v, w] }) => ({
    kl: kl(meaning.law, v, w),
    kl_reverse: kl(meaning.law, w, v),
    total_variation: hockeyStick(meaning.law, v, w, 1),
    ...(meaning.prior && meaning.law.kind !== "shift" && { mutual_information: mutualInformation(meaning) }),
  }),
};

/** Compares what was found with what is expected of it. */
function close(found: Json, expected: Json, tol: number, where: string): void {
  if (Array.isArray(found)) {
    expect(found.length, where).toBe(expected.length);
    return found.forEach((one, k) => close(one, expected[k], tol, `${where}[${k}]`));
  }
  if (typeof found === "object") return Object.entries(found).forEach(([key, one]) => close(one, expected[key], tol, `${where}.${key}`));
  const wanted = num(expected);
  if (!Number.isFinite(wanted)) return expect(found, where).toBe(wanted);
  expect(Math.abs(found - wanted), `${where}: ${found} is not ${wanted}`).toBeLessThanOrEqual(tol * Math.max(1, Math.abs(wanted)));
}

// No page draws a profile as far as e^eps is no number.
const drawn = ({ eps = [] }: Json): boolean => eps.every((e: Json) => e === "inf" || e < 700);
const cases = (file.cases as Json[]).filter(
  ({ kind, input }) => kind in checks && meaningOf(input.law) && input.convention !== "mean" && drawn(input),
);

describe("what a leakage means", () => {
  it("has cases of every kind", () => {
    expect(cases.length).toBeGreaterThan(35);
    expect(new Set(cases.map(({ kind }) => kind))).toEqual(new Set(Object.keys(checks)));
  });

  it.each(cases)("$id, $kind: $note", ({ kind, input, expected, tol }) => {
    const meaning = meaningOf(input.law)!;
    const pair = input.pair?.map((v: number) => meaning.there.indexOf(v));
    close(checks[kind]!(meaning, { ...input, pair }), expected, tol, kind);
  });

  it.each((file.cases as Json[]).filter(({ kind }) => kind === "bounds"))("$id, bounds: $note", ({ input, expected, tol }) => {
    const leakage = num(input.leakage);
    const found = {
      advantage: allowed.advantage(leakage),
      auc: allowed.area(leakage),
      delta: input.eps.map((e: Json) => allowed.delta(leakage, num(e))),
      kl: allowed.kl(leakage),
      mutual_information_prior: allowed.information(leakage, input.prior),
      maximal_leakage: allowed.maximal(leakage, input.labels),
      posterior_vulnerability: allowed.right(leakage, input.prior),
      pml: allowed.pointwise(leakage, input.prior),
    };
    close(found, expected, tol, "bounds");
  });
});
