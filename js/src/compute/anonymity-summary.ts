/**
 * What a page knows of a table whose records are not all in it: how often every value of a column occurs, which is
 * the law of one record, and the classes as they were saved. All that k, quasi-identifiers and the secret do not
 * change follows from it.
 */
import { parted } from "../anonymity/names";
import type { AnonymityResults, AnonymityView } from "../anonymity/protocol";
import { floats } from "../ui/codec";
import type { Bytes } from "../ui/protocol";
import type { RecordLaw } from "./anonymity-laws";
import type { Release, ReleaseKind } from "./anonymity-release";
import { tableOf, valueText, type Column } from "./anonymity-table";

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
