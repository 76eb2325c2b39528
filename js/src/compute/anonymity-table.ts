/** The table of a page: columns of numbers or coded labels, as they stand in the view. */
import type { AnonymityView } from "../anonymity/protocol";
import { floats } from "../ui/codec";
import { general } from "./faults";

export interface Column {
  name: string;
  labels: readonly string[] | null;
  /** Whether the order of its values means something. */
  ordered: boolean;
  /** NaN where nothing is known. */
  values: Float64Array;
}

export interface Table {
  records: number;
  columns: readonly Column[];
}

export function tableOf({ columns, records }: Pick<AnonymityView, "columns" | "records">): Table {
  return { records, columns: columns.map(({ name, labels, ordered, values }) => ({ name, labels, ordered, values: floats(values) })) };
}

/** A value as it is read. */
export function valueText({ labels }: Pick<Column, "labels">, value: number): string {
  if (Number.isNaN(value)) return "missing";
  return labels ? (labels[value] ?? "") : numberText(value);
}

/** A number of the table, as Python writes it. */
export function numberText(value: number): string {
  return general(value + 0, 10).replace("-", "−");
}

/** Records with a value of every quasi-identifier, and those without. */
export function publishedRows({ columns, records }: Table, quasi: readonly number[]): { rows: number[]; suppressed: number } {
  const rows: number[] = [];
  for (let row = 0; row < records; row++) if (quasi.every((j) => !Number.isNaN((columns[j] as Column).values[row]))) rows.push(row);
  return { rows, suppressed: records - rows.length };
}

/** Different values of a numeric column up to which they are counted like labels. */
export const MOST_COUNTED = 12;

/** The values of a column that a count can be of, ascending; null where there are too many. */
export function countedValues({ labels, values }: Column): number[] | null {
  const found = [...new Set(values)].filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  return labels === null && found.length > MOST_COUNTED ? null : found;
}
