/** Records as the table and the map show them: values by position, and which of them are counted. */
import { valueText, type Column } from "../compute/anonymity-release";
import { clip, isolate } from "../ui/lettering";
import { parted } from "./names";
import type { AnonymityView } from "./protocol";

export interface Records {
  columns: readonly Column[];
  quasi: readonly number[];
  secret: number | null;
  /** The two columns of the map. */
  drawn: readonly [number, number | null];
  /** Positions of the records whose values are there; null where all are. */
  sampled: readonly number[] | null;
  /** How many there are. */
  count: number;
  noun: string;
  /** The value of the secret that is marked; null where none is. */
  marked: number | null;
}

export function recordsOf(view: AnonymityView, columns: readonly Column[]): Records {
  const { quasi, secret, drawn, sampled, records, noun } = view;
  return { columns, quasi, secret, drawn, sampled, count: records, noun: noun || "record", marked: markedValue(columns, secret, view.release) };
}

/** The value that is counted; a sum counts none. */
function markedValue(columns: readonly Column[], secret: number | null, release: string): number | null {
  const column = secret === null ? undefined : columns[secret];
  if (!column) return null;
  const [kind, name] = parted(release);
  const found = [...new Set(column.values)].filter((value) => !Number.isNaN(value));
  return kind === "sum" ? null : (found.find((value) => valueText(column, value) === name) ?? null);
}

const places = new WeakMap<readonly number[], Map<number, number>>();

/** Where the values of a record stand; undefined where they were not sent. */
export function placeOf({ sampled }: Pick<Records, "sampled">, row: number): number | undefined {
  if (sampled === null) return row;
  let found = places.get(sampled);
  if (!found) places.set(sampled, (found = new Map(sampled.map((position, k) => [position, k]))));
  return found.get(row);
}

/** A value of a record, as text; empty where it was not sent. */
export function recordText(records: Records, column: number, row: number, limit = 24): string {
  const place = placeOf(records, row);
  const found = records.columns[column];
  if (place === undefined || !found) return "";
  return isolate(clip(valueText(found, found.values[place] as number), limit));
}

/** Whether the secret of a record is the marked one. */
export function isMarked({ columns, secret, marked, sampled }: Records, row: number): boolean {
  const place = placeOf({ sampled }, row);
  return secret !== null && marked !== null && place !== undefined && columns[secret]?.values[place] === marked;
}

export function columnName({ columns }: Pick<Records, "columns">, column: number, limit = 40): string {
  return isolate(clip(columns[column]?.name ?? "", limit)) || "(no name)";
}
