/** What is looked for among the adversaries: filters, order and page; and the names that a person types. */
import { fixed, list } from "../ui/format";
import { quoted } from "../ui/number-entry";
import { isAbove, paperError, type NameBook, type Scene } from "./data";
import { adversaryOf, bitsSet, columnOfFlat } from "./nodes";
import type { GraphMeasure } from "../ui/protocol";
import { wordsOf } from "./measure";

export type SortKey = "about" | "known" | "value" | "difference";
export type Only = "low" | "high";

export interface Filters {
  /** The attacked tuple; null = any. */
  about: number | null;
  /** Number of unknown tuples, the attacked one included; null = any. */
  unknown: number | null;
  /** Tuples that are known, and tuples that are not; ascending. */
  knows: number[];
  lacks: number[];
  /** Only above the threshold, which without one stands at the promise. */
  above: boolean;
  /** Only where the paper's estimate is too low or too high. */
  only: Only | "all";
}

export interface Search extends Filters {
  by: SortKey;
  down: boolean;
  /** Place of the first row of the page, from 0. */
  first: number;
}

export const NO_FILTERS: Filters = { about: null, unknown: null, knows: [], lacks: [], above: false, only: "all" };
export const FIRST_SEARCH: Search = { ...NO_FILTERS, by: "value", down: true, first: 0 };

export function isFiltered({ about, unknown, knows, lacks, above, only }: Filters): boolean {
  return about !== null || unknown !== null || knows.length + lacks.length > 0 || above || only !== "all";
}

/** Whether an adversary fits. */
export function fits(scene: Scene, filters: Filters, flat: number): boolean {
  const { data } = scene;
  if (filters.only !== "all" && scene.paper) {
    const error = paperError(scene, flat) ?? 0;
    if (!(filters.only === "low" ? error < 0 : error > 0)) return false;
  }
  if (filters.above && !isAbove(data.exact[flat] as number, scene.threshold ?? data.promise)) return false;
  if (filters.unknown !== null && data.n - bitsSet(columnOfFlat(data.n, flat)) !== filters.unknown) return false;
  if (filters.about === null && filters.knows.length + filters.lacks.length === 0) return true;
  const { target, known } = adversaryOf(data.n, flat);
  if (filters.about !== null && target !== filters.about) return false;
  return filters.knows.every((tuple) => known.includes(tuple)) && !filters.lacks.some((tuple) => known.includes(tuple));
}

/** The filters in words: "know 2 and 4, not 7; about 3; above 1.250 nats"; empty without any. */
export function filterWords(filters: Filters, names: NameBook, line: number, measure?: GraphMeasure): string {
  const { unit, write } = wordsOf(measure);
  const named = (tuples: readonly number[], word: string): string => list(tuples.map((tuple) => names.spoken[tuple] as string)).replace(/ and /, ` ${word} `);
  const { knows, lacks } = filters;
  const parts: string[] = [];
  if (knows.length) parts.push(`know ${named(knows, "and")}${lacks.length ? `, not ${named(lacks, "or")}` : ""}`);
  else if (lacks.length) parts.push(`do not know ${named(lacks, "or")}`);
  if (filters.about !== null) parts.push(`about ${names.spoken[filters.about]}`);
  if (filters.unknown !== null) parts.push(`${filters.unknown} unknown`);
  if (filters.above) parts.push(`above ${write(line)}${unit}`);
  if (filters.only !== "all") parts.push(`paper’s estimate too ${filters.only}`);
  return parts.join("; ");
}

/** "3,072 of 245,760 adversaries: know 2 and 4, not 7". */
export function countWords(count: number | null, total: number, filters: Filters, names: NameBook, line: number, measure?: GraphMeasure): string {
  const words = filterWords(filters, names, line, measure);
  const many = total === 1 ? "adversary" : "adversaries";
  if (!words) return `All ${fixed(total, 0)} ${many}`;
  return `${count === null ? "…" : count === 0 ? "None" : fixed(count, 0)} of ${fixed(total, 0)} ${many}: ${words}`;
}

export type ParsedTuples = { ok: true; knows: number[]; lacks: number[] } | { ok: false; reason: string };

const SEPARATOR = /[,;\n]|\band\b/i;
const NOT = /^(?:not|without|[-−!])\s*/i;

/** Reads known tuples as a person names them: "q2, q4, not q7", or "2 4 -7" where names are numbered. */
export function parseTuples(text: string, names: NameBook): ParsedTuples {
  const knows = new Set<number>();
  const lacks = new Set<number>();
  const pieces = text.split(SEPARATOR).map((piece) => piece.trim()).filter(Boolean);
  let not = false;
  while (pieces.length) {
    const piece = pieces.shift() as string;
    const negated = NOT.exec(piece);
    const name = negated ? piece.slice(negated[0].length) : piece;
    // A name may itself begin with a sign or hold spaces: the whole piece comes first.
    const whole = tupleNamed(piece, names);
    const tuple = whole ?? (negated ? tupleNamed(name, names) : null);
    if (tuple !== null) {
      ((negated && whole === null) || not ? lacks : knows).add(tuple);
      not = false;
      continue;
    }
    const words = piece.split(/\s+/);
    if (words.length > 1) {
      pieces.unshift(...words);
      continue;
    }
    if (negated && !name) {
      not = true;
      continue;
    }
    return { ok: false, reason: `No tuple is called ${quoted(name)}. Names are ${some(names)}.` };
  }
  const both = [...knows].find((tuple) => lacks.has(tuple));
  if (both !== undefined) return { ok: false, reason: `${names.spoken[both]} cannot be both known and not known.` };
  const ascending = (set: Set<number>): number[] => [...set].sort((a, b) => a - b);
  return { ok: true, knows: ascending(knows), lacks: ascending(lacks) };
}

function some(names: NameBook): string {
  const shown = names.spoken.slice(0, 3).join(", ");
  return names.spoken.length > 3 ? `${shown} and so on` : shown;
}

/** A tuple by its name, its number, or a beginning that only one name has; the letters' case does not count. */
function tupleNamed(text: string, names: NameBook): number | null {
  const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
  const named = names.full.findIndex((name) => same(name.trim(), text));
  if (named >= 0) return named;
  const numbered = names.numbered ? names.short.findIndex((name) => name === text) : -1;
  if (numbered >= 0) return numbered;
  const starting = names.full.flatMap((name, tuple) => (same(name.slice(0, text.length), text) ? [tuple] : []));
  return starting.length === 1 && text ? (starting[0] as number) : null;
}

/** The filters as they are typed; what `parseTuples` reads back. */
export function typedTuples({ knows, lacks }: Pick<Filters, "knows" | "lacks">, names: NameBook): string {
  return [...knows.map((tuple) => names.full[tuple]), ...lacks.map((tuple) => `not ${names.full[tuple]}`)].join(", ");
}
