/** How tuples, labels and cells are called, at length and in little room. */
import { clip } from "../ui/lettering";
import type { TableSpec } from "../ui/protocol";

/** In sentences and accessible names; the whole text stands in the tooltip of its heading. */
const LONG = 60;

/** "item 1 wrong"; a bare number needs its sign: "item 1 = 0". */
export function assignment(name: string, label: string): string {
  return /^[+\-−]?[\d.]/.test(label) ? `${clip(name, LONG)} = ${clip(label, LONG)}` : `${clip(name, LONG)} ${clip(label, LONG)}`;
}

/** "item 1 wrong, item 2 right": a whole cell, tuples in their own order. */
export function cellName(spec: TableSpec, at: readonly number[]): string {
  return cellNames(spec)(at);
}

/** The same for many cells of one table: every part is worded once. */
export function cellNames(spec: TableSpec): (at: readonly number[]) => string {
  const parts = spec.names.map((name, j) => (spec.labels[j] ?? []).map((label) => assignment(name, label)));
  return (at) => parts.map((part, j) => part[at[j] as number] ?? "").join(", ");
}

export function capital(text: string): string {
  return /^[a-z]/.test(text) ? (text[0] as string).toUpperCase() + text.slice(1) : text;
}

/** "item", when all names are that word and a number: headings then need only the numbers. One letter is no word: "x1" is short as it is. */
export function commonStem(names: readonly string[]): string | null {
  const parts = names.map((name) => /^(.*?)\s*(\d+)$/.exec(name));
  const stem = parts[0]?.[1];
  return stem && stem.length > 2 && names.length > 1 && parts.every((part) => part?.[1] === stem) ? stem : null;
}

export function numberOf(name: string): string {
  return /(\d+)$/.exec(name)?.[1] ?? name;
}
