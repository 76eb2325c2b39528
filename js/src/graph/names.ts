/** Names of tuples: in full for titles, capped for sentences, short for cards. Always plain text. */

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
const ELLIPSIS = "…";
/** Isolates keep a right-to-left name from reordering the words around it. */
const ISOLATE = "\u2068";
const POP = "\u2069";
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdfd\ufe70-\ufefc]/;

const segmenter = typeof Intl !== "undefined" && "Segmenter" in Intl ? new Intl.Segmenter() : null;

/** What a reader sees as single characters: an emoji with its modifiers is one. */
export function graphemes(text: string, limit: number): string[] {
  const head = text.slice(0, limit * 16);
  if (!segmenter) return Array.from(head).slice(0, limit);
  const out: string[] = [];
  for (const part of segmenter.segment(head)) {
    if (out.length === limit) break;
    out.push(part.segment);
  }
  return out;
}

export function isolate(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? ISOLATE + text + POP : text;
}

/** At most `limit` visible characters, the last an ellipsis when something was left out. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const parts = graphemes(text, limit + 1);
  return parts.length <= limit ? parts.join("") : parts.slice(0, limit - 1).join("") + ELLIPSIS;
}

/** An estimate of the drawn width in px; good enough to choose where to cut, needs no layout. */
export function textWidth(text: string, size: number): number {
  let ems = 0;
  for (const ch of text) {
    const code = ch.codePointAt(0) as number;
    if (code >= 0x200b && code <= 0x206f) continue;
    if (code >= 0x1100) ems += 1.05;
    else if (/[mMW@%—…]/.test(ch)) ems += 0.88;
    else if (ch === "w") ems += 0.74;
    else if (/[A-Z]/.test(ch)) ems += 0.68;
    else if (/[iljtf.,;:'|!() ]/.test(ch)) ems += 0.31;
    else ems += 0.56;
  }
  return ems * size;
}

/** The longest beginning that fits the width, with an ellipsis where something was cut. */
export function fit(text: string, width: number, size: number): string {
  const parts = graphemes(text, 400);
  const whole = parts.join("");
  if (whole.length === text.length && textWidth(text, size) <= width) return isolate(text);
  let kept = "";
  for (const part of parts) {
    if (textWidth(kept + part + ELLIPSIS, size) > width) break;
    kept += part;
  }
  return isolate((kept.trimEnd() || (parts[0] ?? "")) + ELLIPSIS);
}

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
  const share = (width - (shorts.length - 1) * 0.31 * size) / shorts.length;
  if (!names.numbered && share >= 2.2 * size) return shorts.map((name) => fit(name, share, size)).join(" ");
  return `${known.length} known`;
}
