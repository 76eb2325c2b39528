/** What a release of dependent tuples rests on, whatever the promise: found once for a table and a query, and kept while they stand. */
import type { Knowing } from "../dependence/protocol";
import { knowingAny, knowingChosen, knowingNobody, Work, type Adversary, type OutputLaw } from "./dependence-adversaries";
import { independentBlocks } from "./dependence-blocks";
import { sameOutputs } from "./dependence-outputs";
import { pairsWithin } from "./dependence-coefficients";
import type { Release } from "./dependence-scales";
import type { DependentQuery, DependentTable } from "./dependence-table";

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
