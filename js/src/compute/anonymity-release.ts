/** What is published beside the classes: a count of one value, or the sum of a column. */
import type { ReleaseChoice } from "../anonymity/protocol";
import { recordLaw, type RecordLaw } from "./anonymity-laws";
import { countedValues, valueText, type Column, type Table } from "./anonymity-table";

export type ReleaseKind = "count" | "suppressed" | "records" | "sum";

export interface Release {
  kind: ReleaseKind;
  column: number;
  /** The value that is counted; null for a sum. */
  value: number | null;
}

/** Every release that the table offers, in the order of the menu. */
export function releasesOf(table: Table, secret: number | null): { choice: ReleaseChoice; release: Release }[] {
  const out: { choice: ReleaseChoice; release: Release }[] = [];
  const column = secret === null ? null : (table.columns[secret] as Column);
  const values = column && countedValues(column);
  const written = column && values ? values.map((value) => [value, valueText(column, value)] as const) : [];
  // Values that are written alike have one key: none of them can be asked for.
  const counts = new Set(written.map(([, text]) => text)).size === written.length ? written : [];
  const words = { count: "Count of", suppressed: "Count, none below k, of", records: "Records with" };
  for (const kind of ["count", "suppressed", "records"] as const) {
    for (const [value, text] of counts)
      out.push({
        choice: { key: `${kind}:${text}`, label: `${words[kind]} ${(column as Column).name} = ${text}` },
        release: { kind, column: secret as number, value },
      });
  }
  table.columns.forEach(({ name, labels }, j) => {
    if (labels === null) out.push({ choice: { key: `sum:${name}`, label: `Sum of ${name}` }, release: { kind: "sum", column: j, value: null } });
  });
  return out;
}

/** How many rows add to what is published: who has no value adds nothing to a sum, and hides nobody in it. */
export function addingTo(table: Table, { column, value }: Release, rows: readonly number[]): number {
  const { values } = table.columns[column] as Column;
  return value === null ? rows.filter((row) => !Number.isNaN(values[row])).length : rows.length;
}

/** The law of one record of the release, among the rows that are published. */
export function lawOf(table: Table, { column, value }: Release, rows: readonly number[]): RecordLaw {
  const { values } = table.columns[column] as Column;
  if (value === null) return recordLaw(rows.map((row) => values[row] as number).filter((x) => !Number.isNaN(x)));
  const hits = rows.reduce((sum, row) => sum + (values[row] === value ? 1 : 0), 0);
  const share = rows.length === 0 ? 0 : hits / rows.length;
  return { values: Float64Array.of(0, 1), chances: Float64Array.of(1 - share, share) };
}
