/** How the classes of the others change when one record is left out: syntactic sensitivity by removal. */
import { toBytes } from "../ui/codec";
import type { Classes } from "./anonymity-classes";
import { mondrian } from "./anonymity-mondrian";
import type { Removals } from "./anonymity-results";
import type { Column, Table } from "./anonymity-table";

/** Records that a page leaves out one after the other. */
export const MOST_REMOVED = 300;

/** A run for each record; yields the share done. NaN for records that are not published. */
export function* removalSteps(
  { columns, records }: Table,
  quasi: readonly number[],
  k: number,
  { rows, classes }: Classes,
): Generator<number, Removals | null> {
  // Without one there must be enough for a class.
  if (rows.length - 1 < k) return null;
  const values = quasi.map((j) => (columns[j] as Column).values);
  const sizes = new Int32Array(records);
  for (const one of classes) for (const row of one.rows) sizes[row] = one.rows.length;
  const changes = new Float64Array(records).fill(NaN);
  let worst = rows[0] as number;
  for (const [done, left] of rows.entries()) {
    let most = 0;
    for (const group of mondrian(values, rows.filter((row) => row !== left), k)) {
      for (const row of group) most = Math.max(most, Math.abs(group.length - (sizes[row] as number)));
    }
    changes[left] = most;
    if (most > (changes[worst] as number)) worst = left;
    yield (done + 1) / rows.length;
  }
  return { changes: toBytes(changes), largest: changes[worst] as number, worst, sampled: null };
}
