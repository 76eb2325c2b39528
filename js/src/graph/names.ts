/** Names of tuples: in full for titles, capped for sentences, short for cards. Always plain text. */

import { clip, fit, isolate, textWidth } from "../ui/lettering";

export interface NameBook {
  full: string[];
  /** For sentences and labels of nodes: at most `SPOKEN` characters. */
  spoken: string[];
  /** For cards: the trailing number when all names share what stands before it. */
  short: string[];
  /** All names are one prefix and a number. */
  numbered: boolean;
}

const SPOKEN = 200;

export function nameBook(names: readonly string[]): NameBook {
  const matches = names.map((name) => /^(\D[\s\S]{0,60}?)(\d{1,4})$/.exec(name));
  const prefix = matches[0]?.[1];
  const numbered =
    prefix !== undefined &&
    matches.every((m) => m !== null && m[1] === prefix) &&
    new Set(matches.map((m) => m?.[2])).size === names.length;
  return {
    full: [...names],
    spoken: names.map((name) => isolate(clip(name, SPOKEN))),
    short: numbered ? matches.map((m) => m?.[2] as string) : names.map((name) => clip(name, 40)),
    numbered,
  };
}

/** What an adversary knows, to fit a card: "knows 1, 5", "1 5", "age inc…", "4 known". */
export function knownLabel(known: readonly number[], names: NameBook, width: number, size: number, lead = "knows "): string {
  if (!known.length) return "none";
  const shorts = known.map((tuple) => names.short[tuple] as string);
  const tries = [lead + shorts.map(isolate).join(", "), shorts.map(isolate).join(", "), shorts.map(isolate).join(" ")];
  for (const attempt of lead ? tries : tries.slice(2)) if (textWidth(attempt, size) <= width) return attempt;
  const share = (width - (shorts.length - 1) * textWidth(" ", size)) / shorts.length;
  if (!names.numbered && share >= 2.2 * size) return shorts.map((name) => fit(name, share, size, false, names.full)).join(" ");
  return `${known.length} known`;
}
