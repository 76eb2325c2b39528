/** What a pair and its mirror leak at every budget of an axis, and where the two are equal. */
import { readingOf, type Mechanism, type Output } from "../compute/local-mechanisms";
import { twoLevelAt, valueOfRows, type Rows } from "../compute/local-pair";
import { niceCeiling } from "../ui/axes";
import { largestOf, type Shown, type ShownPair } from "./results";

export interface CurveLines {
  budgets: number[];
  pair: number[];
  mirror: number[];
  /** The first budget above 0 at which the two are equal; null where none is. */
  equal: { budget: number; value: number } | null;
  /** Few budgets were computed: each is a point, with straight lines between. */
  coarse: boolean;
}

const SAMPLES = 96;

/** The axis ends at 4, or at a round number above a larger budget. */
export function axisEnd(epsilon: number): number {
  if (!Number.isFinite(epsilon)) return 10;
  return epsilon <= 3.8 ? 4 : niceCeiling(epsilon * 1.05, [1, 2, 4, 5, 8, 10]);
}

type Line = (budget: number) => number;

/** Both directions as functions of the budget, or null where only the kernel knows them. */
function linesOf(facts: ShownPair, shown: Shown, mechanism: Mechanism, output: Output, sizes: readonly number[]): [Line, Line] | null {
  const at = (budget: number, k: number) => readingOf({ ...mechanism, epsilon: budget }, k, output);
  if (facts.table) {
    const of = (rows: Rows): Line => (budget) => {
      const reading = at(budget, rows.symbols);
      return reading ? valueOfRows(rows, reading) : NaN;
    };
    return [of(facts.table.forward), of(facts.table.mirror)];
  }
  const { points, names } = shown;
  if (!points) return null;
  const of = (source: number, secret: number): Line => {
    const place = names.indexOf(source) * names.length + names.indexOf(secret);
    return (budget) => {
      const reading = at(budget, sizes[source] as number);
      return reading && reading.kind === points.family ? largestOf(points, place, twoLevelAt(reading.level)) : NaN;
    };
  };
  return [of(facts.source, facts.secret), of(facts.secret, facts.source)];
}

export function curveLines(facts: ShownPair, shown: Shown, mechanism: Mechanism, output: Output, sizes: readonly number[], end: number): CurveLines | null {
  const lines = linesOf(facts, shown, mechanism, output, sizes);
  if (!lines) {
    if (!facts.curve) return null;
    const { epsilon, pair, mirror, coarse } = facts.curve;
    return { budgets: [...epsilon], pair: [...pair], mirror: [...mirror], equal: null, coarse };
  }
  const budgets = Array.from({ length: SAMPLES + 1 }, (_, k) => end * (k / SAMPLES));
  const [pair, mirror] = lines.map((line) => budgets.map(line)) as [number[], number[]];
  return { budgets, pair, mirror, equal: crossing(budgets, lines), coarse: false };
}

/** Looked for between neighbouring budgets; curves that jump are taken as they are. */
function crossing(budgets: readonly number[], [first, second]: [Line, Line]): { budget: number; value: number } | null {
  const end = budgets[budgets.length - 1] as number;
  const most = Math.max(...budgets.map((budget) => Math.abs(first(budget) - second(budget))));
  // Curves that lie on each other for the eye cross nowhere in particular.
  if (!(most > 0.02 * Math.max(first(end), second(end)))) return null;
  const gap = (budget: number): number => first(budget) - second(budget);
  const noise = (budget: number): number => 1e-9 * Math.max(1e-3, first(budget));
  for (let k = 2; k < budgets.length; k++) {
    let [low, high] = [budgets[k - 1] as number, budgets[k] as number];
    let start = gap(low);
    if (!(Math.abs(start) > noise(low)) || !(Math.abs(gap(high)) > noise(high)) || Math.sign(start) === Math.sign(gap(high))) continue;
    for (let round = 0; round < 40; round++) {
      const middle = low / 2 + high / 2;
      const value = gap(middle);
      if (Math.sign(value) === Math.sign(start)) [low, start] = [middle, value];
      else high = middle;
    }
    // A jump over the other curve is no place where both are equal.
    if (Math.abs(gap(low) - gap(high)) > 1e-3) continue;
    return { budget: low, value: first(low) };
  }
  return null;
}
