/** A release of dependent tuples: the noise that each mechanism adds, and what it rests on whatever the promise. */
import type { Coefficient, Knowing } from "../dependence/protocol";
import { dependentSensitivities, independentBlocks, pairsWithin, type Pairs } from "./dependence-coefficients";
import { sameOutputs } from "./dependence-grid";
import { knowingAny, knowingChosen, knowingNobody, largestLeak, Work, type Adversary, type OutputLaw } from "./dependence-leakage";
import type { DependentQuery, DependentTable } from "./dependence-table";
import { general, InputFault } from "./faults";

// The noise that each mechanism adds to a release of dependent tuples.

/** In the order of the table of mechanisms. */
export const COMPARED = ["lpm", "dpm_exact", "calibrated", "dpm_mean", "dpm_eq18", "baseline"] as const;
export type Compared = (typeof COMPARED)[number];

const TOLERANCE = 1e-12;
const MOST_STEPS = 200;
const TIE = 1e-12;

/** What scales depend on, beside the promise. */
interface Release {
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

// What a release of dependent tuples rests on, whatever the promise: found once for a table and a query, and kept while they stand.

/** Numbers that are gone through for one scale: about 25 scales are looked at for the least that keeps the promise, 7 for the others. */
const [MOST_NUMBERS, MOST_SEEN] = [1 << 16, 1 << 17];
/** Sets of known tuples times rows times tuples: of so few, one scale takes a moment. */
export const FEW_SETS = 30_000;
const MOST_FEW = 1 << 19;
const KERNEL = "needs a kernel. The last results stay.";

export interface Prepared extends Release {
  table: DependentTable;
  query: DependentQuery;
  /** Of all rows, those of probability 0 too. */
  probabilities: Float64Array;
  law: OutputLaw;
  /** Whoever is assumed to receive the release. */
  seen(knowing: Knowing, known: readonly number[]): readonly Adversary[];
}

/** Blocks take a while, and depend on no query. */
const blocksOf = new WeakMap<Float64Array, number[][]>();

export function prepared(table: DependentTable, query: DependentQuery, probabilities: Float64Array): Prepared {
  const law = lawOf(table, query, probabilities);
  const nobody = knowingNobody(law, new Work(MOST_NUMBERS, `So many outputs are too much for this page: “${query.label}” ${KERNEL}`, "query"));
  const blocks = blocksOf.get(probabilities) ?? independentBlocks(law);
  blocksOf.set(probabilities, blocks);
  const pairs = pairsWithin(law, table.sizes, query.reach, blocks);
  const kept = new Map<string, readonly Adversary[]>();
  const seen = (knowing: Knowing, known: readonly number[]): readonly Adversary[] => {
    if (knowing === "nobody" || (knowing === "chosen" && known.length === 0)) return nobody;
    const key = knowing === "worst" ? knowing : known.join();
    const few = 2 ** Math.min(law.n, 62) * table.rows * law.n <= FEW_SETS;
    const made = kept.get(key) ?? adversariesOf(law, knowing, known, few ? MOST_FEW : MOST_SEEN);
    // One at a time: they can be large.
    if (knowing === "chosen") for (const other of kept.keys()) if (other !== "worst") kept.delete(other);
    kept.set(key, made);
    return made;
  };
  return { table, query, probabilities, law, blocks, changes: query.sensitivities, pairs, nobody, seen };
}

function adversariesOf(law: OutputLaw, knowing: Knowing, known: readonly number[], most: number): Adversary[] {
  if (knowing === "worst")
    return knowingAny(
      law,
      new Work(
        most,
        `Whoever is worst among all who know some tuples is too much for this page: it ${KERNEL}`,
        "knowing",
      ),
    );
  return knowingChosen(
    law,
    known,
    new Work(most, `What these tuples tell is too much for this page: it ${KERNEL}`, "known"),
  );
}

function lawOf({ sizes, codes }: DependentTable, { width, outputs }: DependentQuery, probabilities: Float64Array): OutputLaw {
  const n = sizes.length;
  const rows = [...probabilities.keys()].filter((row) => (probabilities[row] as number) > 0);
  const taken = <T extends Int32Array | Float64Array>(from: T, each: number, into: T): T => {
    rows.forEach((row, k) => into.set(from.subarray(row * each, (row + 1) * each) as never, k * each));
    return into;
  };
  return {
    n,
    sizes,
    width,
    codes: taken(codes, n, new Int32Array(rows.length * n)),
    chances: taken(probabilities, 1, new Float64Array(rows.length)),
    outputs: sameOutputs(taken(outputs, width, new Float64Array(rows.length * width)), width),
  };
}
