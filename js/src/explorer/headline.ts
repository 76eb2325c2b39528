/** What the data of an explorer are, in a few words. */
import { count } from "../ui/format";

/** Tuples that stand for a title, and letters of their names together; more are counted. */
const NAMED = 6;
const LETTERS = 60;

/** Whether a title says a number, with commas or without. */
export function saysCount(title: string, number: number): boolean {
  return (title.match(/\d[\d,]*/g) ?? []).some((found) => found.replace(/,/g, "") === String(number));
}

/** What the data are: their title or their tuples, and how many records they come from unless the title says it. */
export function headline(title: string, names: readonly string[], records: number | null): string {
  const of = records === null || saysCount(title, records) ? "" : count(records, "record");
  const all = names.join(", ");
  const named = names.length > NAMED || all.length > LETTERS ? count(names.length, "tuple") : all;
  return [title || named, of].filter(Boolean).join(", ");
}
