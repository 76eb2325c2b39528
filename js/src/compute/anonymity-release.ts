/**
 * What a page about k-anonymity holds and publishes: its table of records, a count or a sum beside the classes, and
 * what it knows where not all records are there.
 */
import type { AnonymityResults, AnonymityView, ReleaseChoice } from "../anonymity/protocol";
import { parted } from "../anonymity/words";
import type { Bytes } from "../ui/protocol";
import { floats } from "../ui/wire";
import { recordLaw, type RecordLaw } from "./anonymity-laws";
import { general } from "./faults";

// The table of a page: columns of numbers or coded labels, as they stand in the view.

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
function countedValues({ labels, values }: Column): number[] | null {
  const found = [...new Set(values)].filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  return labels === null && found.length > MOST_COUNTED ? null : found;
}

// What is published beside the classes: a count of one value, or the sum of a column.

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

// What a page knows of a table whose records are not all in it: how often every value of a column occurs, which is
// the law of one record, and the classes as they were saved. All that k, quasi-identifiers and the secret do not
// change follows from it.

/** Different values of a column among the published records, ascending, and how many have each. */
export interface Occurrences {
  values: Float64Array;
  counts: Float64Array;
}

/** What results say of classes alone. */
export type ClassNumbers = Pick<AnonymityResults, "achieved" | "sizes" | "classes" | "classes_in_all" | "suppressed" | "single" | "diversity" | "closeness">;

export interface Summary {
  /** Records that are in classes. */
  published: number;
  /** By column; null where there are too many values, or nothing is counted or added up. */
  columns: (Occurrences | null)[];
  /** Keys of what can be published, as they were saved. */
  releases: string[];
  groups: ClassNumbers;
}

/** What a page embeds where its view has a sample of the records; null where it has nothing of the kind. */
export function summaryOf(view: AnonymityView, embedded: unknown): Summary | null {
  const { results, releases, columns, secret, release } = view;
  const laws = embedded as { published?: unknown; columns?: unknown } | null | undefined;
  if (!results || !laws || typeof laws.published !== "number" || !Array.isArray(laws.columns) || laws.columns.length !== columns.length) return null;
  const { achieved, sizes, classes, classes_in_all, suppressed, single, diversity, closeness } = results;
  const made: Summary = {
    published: laws.published,
    columns: (laws.columns as ({ values: Bytes; counts: Bytes } | null)[]).map((one) => one && { values: floats(one.values), counts: floats(one.counts) }),
    releases: releases.map(({ key }) => key),
    groups: { achieved, sizes, classes, classes_in_all, suppressed, single, diversity, closeness },
  };
  // Nothing takes the place of a release that cannot be told from its key.
  return releaseIn(made, tableOf(view).columns, secret, release) ? made : null;
}

/** A release by its key; null where no column has it. */
export function releaseIn(summary: Summary, columns: readonly Column[], secret: number | null, key: string): Release | null {
  const [kind, name] = parted(key) as [ReleaseKind, string];
  if (!summary.releases.includes(key)) return null;
  if (kind === "sum") {
    const column = columns.findIndex((one) => one.labels === null && one.name === name);
    return column < 0 ? null : { kind, column, value: null };
  }
  const found = secret === null ? undefined : columns[secret];
  if (!found) return null;
  const values = found.labels?.map((_, code) => code) ?? Array.from(summary.columns[secret as number]?.values ?? []);
  const value = values.find((one) => valueText(found, one) === name);
  return value === undefined ? null : { kind, column: secret as number, value };
}

/** The law of one record of a release, and how many add to it; null where the page does not have it. */
export function lawIn({ published, columns }: Summary, { column, value }: Release): { law: RecordLaw; records: number } | null {
  const found = columns[column];
  if (!found) return null;
  const { values, counts } = found;
  if (value === null) {
    const records = counts.reduce((sum, count) => sum + count, 0);
    return { law: { values, chances: counts.map((count) => count / records) }, records };
  }
  const share = (counts[values.indexOf(value)] ?? 0) / published;
  return { law: { values: Float64Array.of(0, 1), chances: Float64Array.of(1 - share, share) }, records: published };
}
