/** Data, adversaries and amounts in words: the same wording in the lead, the facts and the audit strip. */
import { isAbove } from "../graph/data";
import { amount, count, fixed, leakage, list } from "../ui/format";
import { clip, inQuotes, isolate } from "../ui/lettering";
import { perNat, preferences } from "../ui/preferences";

// What the data of an explorer are, in a few words.

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

// Adversaries and amounts.

/** Above the promise by more than rounding, as the graph counts it. */
export const isOver = isAbove;

export interface Naming {
  names: readonly string[];
  labels: readonly (readonly string[])[];
  /** One entry of the table: "tuple", or what the query calls it. */
  noun: string;
}

/** More known values than this are counted, not listed. */
const LISTED = 4;

export function nameOf(naming: Naming, tuple: number, limit = 60): string {
  return isolate(clip(naming.names[tuple] ?? `tuple ${tuple + 1}`, limit)) || "(no name)";
}

/** A name within a sentence. */
export function told(naming: Naming, tuple: number, limit = 60): string {
  return inQuotes(naming.names[tuple] ?? "", nameOf(naming, tuple, limit));
}

export function labelOf(naming: Naming, tuple: number, position: number, limit = 40): string {
  return isolate(clip(naming.labels[tuple]?.[position] ?? "", limit)) || "(empty)";
}

/** A label within a sentence. */
export function toldLabel(naming: Naming, tuple: number, position: number, limit = 40): string {
  return inQuotes(naming.labels[tuple]?.[position] ?? "", labelOf(naming, tuple, position, limit));
}

export function plural(noun: string): string {
  if (noun === "person") return "people";
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

function values(naming: Naming, known: readonly number[], instance: readonly number[]): string[] {
  return known.map((t) => `${told(naming, t)} is ${toldLabel(naming, t, instance[t] ?? 0)}`);
}

/** "item 1 is 0, item 2 is 1": every known value, as many as there are. */
export function knownValues(naming: Naming, known: readonly number[], instance: readonly number[]): string {
  return values(naming, known, instance).join(", ");
}

/** "Someone who knows that item 1 is 0": the subject of the lead's second sentence. */
export function someone(naming: Naming, known: readonly number[], instance: readonly number[]): string {
  const others = naming.names.length - 1;
  if (others === 0) return "Someone";
  if (known.length === 0 && others === 1) return `Someone who does not know the other ${naming.noun}`;
  if (known.length === 0) return `Someone who knows none of the other ${plural(naming.noun)}`;
  if (known.length <= LISTED) return `Someone who knows that ${list(values(naming, known, instance))}`;
  if (known.length === others) return `Someone who knows all ${others} other ${plural(naming.noun)}`;
  return `Someone who knows ${known.length} of the other ${others} ${plural(naming.noun)}`;
}

/**
 * "About item 5, knowing item 1 is 0": the heading of the chosen adversary. In the worst case the values are those
 * that leak most; `instance` is null while they are awaited.
 */
export function about(naming: Naming, target: number, known: readonly number[], instance: readonly number[] | null, worst = false): string {
  const head = `About ${told(naming, target)}`;
  const others = naming.names.length - 1;
  if (others === 0) return head;
  if (known.length === 0) return `${head}, knowing no other ${naming.noun}`;
  const knowing = worst ? "at worst knowing" : "knowing";
  if (known.length <= LISTED) {
    const what = instance ? values(naming, known, instance) : known.map((t) => told(naming, t));
    return `${head}, ${knowing} ${what.join(", ")}`;
  }
  return `${head}, ${knowing} ${known.length === others ? "all" : `${known.length} of`} ${others} others`;
}

/** "item 5, knowing item 1": short, for the audit strip. */
export function briefly(naming: Naming, target: number, known: readonly number[], worst = false): string {
  const head = told(naming, target, 24);
  if (naming.names.length === 1) return head;
  const what = known.length === 0 ? "nothing" : known.length <= 2 ? known.map((t) => told(naming, t, 16)).join(", ") : `${known.length} others`;
  return `${head}, ${worst ? "at worst " : ""}knowing ${what}`;
}

/** "40 % more than promised". */
export function moreThanPromised(value: number, promise: number): string {
  if (promise === 0) return "although nothing may leak";
  const percent = (value / promise - 1) * 100;
  if (percent >= 1000) return `${fixed(value / promise, 0)} times what is promised`;
  if (percent >= 0.95) return `${fixed(percent, 0)} % more than promised`;
  if (percent >= 0.1) return `${fixed(percent, 1)} % more than promised`;
  return "slightly more than promised";
}

/** Pieces of a sentence with a number in it. */
export interface Said {
  before: string;
  number: string;
  after: string;
  over: boolean;
}

/** One adversary and what is learnt; null while that is awaited. */
export interface Learner {
  target: number;
  known: readonly number[];
  value: number | null;
}

/** The sentence after a lead, in pieces: what the chosen adversary learns, where that is not who learns most. */
export function chosenToo(naming: Naming, chosen: Learner | null, largest: Learner | null, promise: number): Said {
  const same = !chosen || !largest || (chosen.target === largest.target && chosen.known.join() === largest.known.join());
  if (same) return { before: "", number: "", after: "", over: false };
  const { value, target } = chosen;
  if (value === 0) return { before: ` The chosen adversary learns nothing about ${told(naming, target)}.`, number: "", after: "", over: false };
  const number = value === null ? "…" : leakage(value, promise);
  return { before: " The chosen adversary learns up to ", number, after: ` about ${told(naming, target)}.`, over: value !== null && isOver(value, promise) };
}

/** Numbers that belong together, the first of them: "(1.300, 1.200)". */
export function together(parts: readonly string[], most = 6): string {
  return `(${[...parts.slice(0, most), ...(parts.length > most ? ["…"] : [])].join(", ")})`;
}

/** What a mark of old results says; empty where they are not old. */
export function belongs(stale: string): string {
  return stale && `Results belong to ${stale}.`;
}

/** A difference of leakages in nats, to three decimals, more where three would read 0. */
export function gap(nats: number): string {
  const size = Math.abs(nats) * perNat();
  if (size < 1e-6) return amount(size);
  let decimals = size >= 1000 ? 0 : (preferences().decimals ?? 3);
  while (decimals < 12 && size > 0 && Number(size.toFixed(decimals)) === 0) decimals += 1;
  return fixed(size, decimals);
}

/** The query as the subject of a sentence: "The sum of all tuples"; other texts stand as they are. */
export function subject(query: string): string {
  const text = isolate(clip(query.trim(), 120));
  if (text === "") return "The release";
  if (/^(sum|weighted sum|mean|count|number|share|query)\b/i.test(text)) return `The ${text[0]?.toLowerCase()}${text.slice(1)}`;
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** For which known values the least scale is enough, short and in full. */
export function givenValues(worst: boolean): { short: string; long: string } {
  return worst
    ? { short: "in the worst case", long: "whatever the known values are" }
    : { short: "given these values", long: "given the known values set below" };
}
