/** What a leakage means for one adversary: chances to guess, tests, the profile of delta, information; and what bounds them. */
import {
  areaUnder,
  densityAt,
  hockeyStick,
  labelCount,
  logRatios,
  logsAt,
  missed,
  onlyUnder,
  overShift,
  region,
  rowsOf,
  type LaplaceLaw,
  type Law,
} from "./best-test";
import { integral } from "./quadrature";

/** The laws of one adversary's output, and what was believed of the labels that can occur. */
export interface Meaning {
  law: Law;
  /** null where nothing says how likely they are: a guess is then one of two that are equally likely. */
  prior: readonly number[] | null;
}

/** What is believed beforehand. */
const priorOf = ({ law, prior }: Meaning): readonly number[] => prior ?? new Array<number>(labelCount(law)).fill(1 / labelCount(law));

/** delta(eps) of an ordered pair. */
export const delta = (law: Law, over: number, under: number, epsilon: number): number =>
  epsilon === Infinity ? onlyUnder(law, over, under) : hockeyStick(law, over, under, Math.exp(epsilon));

/** All ordered pairs of labels. */
export function pairsOf(law: Law): [number, number][] {
  const n = labelCount(law);
  return Array.from({ length: n * n }, (_, k): [number, number] => [Math.floor(k / n), k % n]).filter(([v, w]) => v !== w);
}

/** The largest delta of all ordered pairs. */
export const worstDelta = (law: Law, epsilon: number): number => pairsOf(law).reduce((most, [v, w]) => Math.max(most, delta(law, v, w, epsilon)), 0);

const leakages = new WeakMap<Law, number>();

/** The largest log ratio of all ordered pairs, nats; found once. */
export function leakageOf(law: Law): number {
  const known = leakages.get(law);
  if (known !== undefined) return known;
  const most = pairsOf(law).reduce((found, [v, w]) => logRatios(law, v, w).reduce((a, b) => Math.max(a, b), found), 0);
  leakages.set(law, most);
  return most;
}

const entropy = (chances: readonly number[]): number => chances.reduce((sum, p) => (p > 0 ? sum - p * Math.log(p) : sum), 0);

/** What a promise of epsilon nats allows at most, for any law that keeps it: randomised response attains all of it. */
export const allowed = {
  delta: (promise: number, epsilon: number): number => (promise === Infinity ? 1 : Math.max(0, -Math.expm1(epsilon - promise) / (1 + Math.exp(-promise)))),
  missed: (promise: number, alarms: number): number => Math.max(0, 1 - Math.exp(promise) * alarms, Math.exp(-promise) * (1 - alarms)),
  advantage: (leakage: number): number => Math.tanh(leakage / 2),
  area: (leakage: number): number => 1 / (1 + Math.exp(-leakage)),
  kl: (leakage: number): number => leakage * Math.tanh(leakage / 2),
  information: (leakage: number, prior: readonly number[]): number => {
    const keep = 1 / (1 + Math.exp(-leakage));
    const [q, n] = [Math.max(...prior), prior.length];
    if (n === 2) return entropy([q * keep + (1 - q) * (1 - keep), q * (1 - keep) + (1 - q) * keep]) - entropy([keep, 1 - keep]);
    const x = leakage === Infinity ? Infinity : leakage > 0 ? leakage / -Math.expm1(-leakage) - 1 : 0;
    const other = prior.reduce((sum, p) => sum - p * p, 1) * allowed.kl(leakage);
    return Math.min(entropy(prior), other, Math.log(n), x === Infinity ? Infinity : x - Math.log1p(x));
  },
  maximal: (leakage: number, labels: number): number => Math.log(labels / (1 + (labels - 1) * Math.exp(-leakage))),
  pointwise: (leakage: number, prior: readonly number[]): number => {
    const least = Math.min(...prior);
    return -Math.log(least + (1 - least) * Math.exp(-leakage));
  },
  right: (leakage: number, prior: readonly number[]): number => {
    let sum = 0;
    return Math.max(...[...prior].sort((a, b) => b - a).map((p, j) => (sum += p) / (1 + j * Math.exp(-leakage))));
  },
};

/** Chances of guessing right: before, after on average, and where the belief in each label may end. */
export interface Guess {
  before: number;
  after: number;
  /** The label that is likeliest beforehand, and the least and the largest belief in it afterwards. */
  best: number;
  low: number;
  high: number;
  /** The surest that any answer makes of any label. */
  surest: number;
}

export function guessing(meaning: Meaning): Guess {
  const { law } = meaning;
  const prior = priorOf(meaning);
  const before = Math.max(...prior);
  const best = prior.indexOf(before);
  const beliefs = posteriors(law, prior);
  const of = (k: number): number[] => beliefs.map((belief) => belief[k] as number);
  const after = Math.max(before, integralOfMax(law, prior));
  return { before, after, best, low: Math.min(...of(best)), high: Math.max(...of(best)), surest: beliefs.flat().reduce((a, b) => Math.max(a, b)) };
}

/** The belief in each label where it is extreme: at the centres, beyond which nothing changes, for each column, or far out. */
function posteriors(law: Law, prior: readonly number[]): number[][] {
  const logs =
    law.kind === "shift" ? [[0, 0], logRatios(law, 1, 0)] : rowsOf(law).map((row) => (law.kind === "laplace" ? logsAt(law, row) : [...row].map(Math.log)));
  return [...(logs[0] as number[]).keys()].flatMap((k) => {
    const each = prior.map((p, v) => Math.log(p) + ((logs[v] as number[])[k] as number));
    const top = Math.max(...each);
    if (top === -Infinity) return [];
    const raw = each.map((x) => Math.exp(x - top));
    const sum = raw.reduce((a, b) => a + b, 0);
    return [raw.map((x) => x / sum)];
  });
}

/** The integral of the largest of several densities, each times a factor. */
export function integralOfMax(law: Law, factors: readonly number[]): number {
  if (labelCount(law) === 2) {
    const [one, other] = factors as [number, number];
    // A label of factor 0 is never the largest.
    return other === 0 ? one : one + other * hockeyStick(law, 1, 0, one / other);
  }
  if (law.kind === "shift") throw new RangeError("A shift is of two labels.");
  const rows = rowsOf(law).map((row, v) => row.map((x) => x * (factors[v] as number)));
  const largest = (values: number[]): number => Math.max(...values);
  if (law.kind === "channel") return [...(rows[0] as Float64Array).keys()].reduce((sum, k) => sum + largest(rows.map((row) => row[k] as number)), 0);
  const cuts = cutsOf(law, factors);
  const density = rows.map((row) => (r: number): number => densityAt(law, row, r));
  let sum = law.scale * (largest(density.map((f) => f(cuts[0] as number))) + largest(density.map((f) => f(cuts[cuts.length - 1] as number))));
  for (let k = 1; k < cuts.length; k++) {
    const [low, high] = [cuts[k - 1] as number, cuts[k] as number];
    const at = density.map((f) => f((low + high) / 2));
    sum += integral(density[at.indexOf(largest(at))] as (r: number) => number, low, high, law.scale);
  }
  return sum;
}

/** Where the largest of several densities may change: the centres, and where two of them cross. */
function cutsOf(law: LaplaceLaw, factors: readonly number[]): number[] {
  const cuts = new Set<number>(law.centres);
  for (const [v, w] of pairsOf(law)) {
    if (v > w || !(factors[v] as number)) continue;
    const { intervals } = region(law, v, w, (factors[w] as number) / (factors[v] as number));
    for (const r of intervals.flat()) if (Number.isFinite(r)) cuts.add(r);
  }
  return [...cuts].sort((a, b) => a - b);
}

/** ln of the largest factor by which any answer, on average, raises the chance to guess right: the prior does not matter. */
export const maximalLeakage = (law: Law): number => Math.max(0, Math.log(integralOfMax(law, new Array<number>(labelCount(law)).fill(1))));

/** The most that one answer can raise the belief in a label: ln of posterior over prior. */
export function pointwiseLeakage(meaning: Meaning): number {
  const prior = priorOf(meaning);
  return posteriors(meaning.law, prior).reduce((most, belief) => belief.reduce((m, b, k) => Math.max(m, Math.log(b / (prior[k] as number))), most), 0);
}

/** Kullback and Leibler's divergence of a law from a mean of laws. */
function divergence(law: Exclude<Law, { kind: "shift" }>, over: number, under: readonly number[]): number {
  const rows = rowsOf(law);
  const p = rows[over] as Float64Array;
  const q = p.map((_, k) => under.reduce((sum, share, v) => sum + share * ((rows[v] as Float64Array)[k] as number), 0));
  const term = (x: number, y: number): number => (x > 0 ? x * Math.log(x / y) : 0);
  if (law.kind === "channel") return p.reduce((sum, x, k) => sum + term(x, q[k] as number), 0);
  const at = (r: number): number => term(densityAt(law, p, r), densityAt(law, q, r));
  const { centres, scale } = law;
  let sum = scale * (at(centres[0] as number) + at(centres[centres.length - 1] as number));
  for (let k = 1; k < centres.length; k++) sum += integral(at, centres[k - 1] as number, centres[k] as number, scale);
  return Math.max(0, sum);
}

export function kl(law: Law, over: number, under: number): number {
  // The shift is symmetric: both ways are alike.
  if (law.kind === "shift") return overShift(law, (r) => law.density(r - law.shift) * law.ratio(r));
  return divergence(law, over, rowsOf(law).map((_, v) => Number(v === under)));
}

/** Information of the label and the output, nats. */
export function mutualInformation(meaning: Meaning): number {
  const { law } = meaning;
  const prior = priorOf(meaning);
  if (law.kind === "shift") throw new RangeError("The information about a value that is any number is of another law.");
  return prior.reduce((sum, p, v) => sum + p * divergence(law, v, prior), 0);
}

/** Where as many are missed as are false alarms. */
export function equalError(law: Law, blank: number, found: number): number {
  let [low, high] = [0, 1];
  for (let k = 0; k < 48; k++) {
    const middle = (low + high) / 2;
    if (missed(law, blank, found, middle) > middle) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** One line of the table: a measure, and what the leakage alone allows. */
export interface Measure {
  key: string;
  name: string;
  value: number;
  bound: number;
  unit: "" | "nats";
}

/** The measures of a pair and of all labels beside their bounds; without a prior those that need none. */
export function measures(meaning: Meaning, blank: number, found: number): Measure[] {
  const { law, prior } = meaning;
  const leakage = leakageOf(law);
  const one = (key: string, name: string, value: number, bound: number, unit: Measure["unit"] = ""): Measure => ({ key, name, value, bound, unit });
  const maximal = one("maximal_leakage", "Maximal leakage", maximalLeakage(law), allowed.maximal(leakage, labelCount(law)), "nats");
  return [
    one("advantage", "Advantage", hockeyStick(law, found, blank, 1), allowed.advantage(leakage)),
    one("auc", "Area under the curve", areaUnder(law, blank, found), allowed.area(leakage)),
    ...(prior === null
      ? [maximal]
      : [
          one("posterior_vulnerability", "Chance to guess right", guessing(meaning).after, allowed.right(leakage, prior)),
          maximal,
          one("pml", "Largest pointwise leakage", pointwiseLeakage(meaning), allowed.pointwise(leakage, prior), "nats"),
          one("mutual_information", "Mutual information", mutualInformation(meaning), allowed.information(leakage, prior), "nats"),
        ]),
    one("kl", "Divergence", Math.max(kl(law, found, blank), kl(law, blank, found)), allowed.kl(leakage), "nats"),
  ];
}
