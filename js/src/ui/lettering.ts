/** Texts that have to fit: measured in the host's font, cut between visible characters, safe in both directions. */

/** Isolates keep a right-to-left name from reordering the words around it. */
const ISOLATE = "\u2068";
const POP = "\u2069";
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdfd\ufe70-\ufefc]/;
/** Direction controls, which turn what follows them around, but not the isolates above; and characters that are none. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066\u2067]/g;
const CONTROL = /\p{Cc}/gu;
const ODD = new RegExp(`${TURNING.source}|${CONTROL.source}`, "u");
const ELLIPSIS = "…";
/** Nothing drawn is longer, whatever the room. */
const LONGEST = 400;

const segmenter = new Intl.Segmenter();

/** What a reader sees as single characters: an emoji with its modifiers is one. */
function graphemes(text: string, limit: number): string[] {
  return Array.from(segmenter.segment(text.slice(0, limit * 16)), (part) => part.segment).slice(0, limit);
}

export function isolate(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? ISOLATE + text + POP : text;
}

/** Without what would turn the text beside it around; line ends and tabs as spaces, as in publish/labels.py. */
function clean(text: string): string {
  return ODD.test(text) ? text.replace(TURNING, "").replace(/\s/g, " ").replace(CONTROL, "\ufffd") : text;
}

/** At most `limit` visible characters; see `cut` for where something is left out. */
export function clip(given: string, limit: number, among: readonly string[] = []): string {
  const text = clean(given.slice(0, limit * 16 + LONGEST));
  const fits = (part: string): boolean => part.length <= limit || graphemes(part, limit + 1).length <= limit;
  return fits(text) ? text : cut(text, fits, among, `${limit} signs`);
}

type Fits = (part: string) => boolean;

/** The most parts of a list for which a text made of them fits, none where nothing does. */
function most(parts: readonly string[], made: (kept: number) => string, fits: Fits): string {
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fits(made(middle))) low = middle;
    else high = middle - 1;
  }
  return low > 0 ? made(low) : "";
}

function beginning(text: string, fits: Fits, before = ""): string {
  if (before && fits(before + text)) return before + text;
  const parts = graphemes(text, LONGEST);
  return most(parts, (kept) => before + parts.slice(0, kept).join("").trimEnd() + ELLIPSIS, fits) || before + (parts[0] ?? "") + ELLIPSIS;
}

/** Both ends: all of the last word where it has room, else three of five signs at the beginning. */
function bothEnds(text: string, fits: Fits, before = ""): string {
  if (fits(before + text)) return before + text;
  const parts = graphemes(text, LONGEST);
  const word = graphemes(/\S*$/.exec(text)?.[0] ?? "", LONGEST).length;
  const first = graphemes(/^\S*/.exec(text)?.[0] ?? "", LONGEST).length;
  const made = (kept: number): string => {
    const tail = word > 0 && word <= 0.7 * kept ? word : Math.floor(0.4 * kept);
    const head = kept - tail;
    // Three letters of the first word say less than the last word alone.
    if (before === "" && tail === word && head < 4 && head < first) return ELLIPSIS + parts.slice(-tail).join("");
    const left = parts.slice(0, head).join("");
    // Before a whole word no splinter of another one.
    return before + (tail === word ? left.replace(/(\s\S{0,2})+$/, "") : left).trimEnd() + ELLIPSIS + (tail > 0 ? parts.slice(-tail).join("").trimStart() : "");
  };
  return most(parts, made, fits) || beginning(text, fits, before);
}

/** The first parts of a list: without those in the middle it would say something else. */
function firstParts(text: string, fits: Fits): string {
  const parts = text.split(", ");
  return most(parts, (kept) => `${parts.slice(0, kept).join(", ")}, ${ELLIPSIS}`, fits) || beginning(text, fits);
}

/** What all begin with; a number stays whole. */
function shared(texts: readonly string[]): number {
  const [one = "", ...others] = texts;
  let length = 0;
  while (length < one.length && others.every((other) => other[length] === one[length])) length += 1;
  while (length > 0 && /[\d\ud800-\udfff]/.test(one[length - 1] as string)) length -= 1;
  return length;
}

type Way = ((one: string) => string) | null;

/** Texts that are shown together, in order, and by room and beginning the way in which those of that beginning are cut. */
class Together {
  private readonly sorted: readonly string[];
  private readonly rooms = new Map<string, Map<string, Way>>();

  constructor(texts: readonly string[]) {
    this.sorted = [...new Set(texts.map((text) => clean(text.slice(0, LONGEST))))].sort();
  }

  ways(room: string): Map<string, Way> {
    const known = this.rooms.get(room) ?? new Map<string, Way>();
    this.rooms.set(room, known);
    return known;
  }

  beginningWith(kept: string): readonly string[] {
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.sorted[middle] as string) < kept) low = middle + 1;
      else high = middle;
    }
    while (this.sorted[high]?.startsWith(kept)) high += 1;
    return this.sorted.slice(low, high);
  }
}

/** A list is often cut text by text: what one of them needs to know of the others is found once. */
const lists = new WeakMap<readonly string[], Together>();

function togetherOf(texts: readonly string[]): Together {
  const known = lists.get(texts) ?? new Together(texts);
  lists.set(texts, known);
  return known;
}

/**
 * A text that is too long, so that it is told from the others that are shown with it: the beginning; where the last
 * word has a number or another one begins alike, both ends; else what differs. As publish/labels.py has it.
 */
function cut(text: string, fits: Fits, among: readonly string[], room: string): string {
  const [first = "", last = ""] = [/^\S*/.exec(text)?.[0], /\S*$/.exec(text)?.[0]];
  // Of "$40k to $45k" a piece of its first number would be another number.
  const numbered = /\d/.test(last) && (!/\d/.test(first) || fits(first + ELLIPSIS + last));
  const list = isList(text);
  const start = list ? firstParts(text, fits) : numbered ? bothEnds(text, fits) : beginning(text, fits);
  const kept = start.slice(0, start.indexOf(ELLIPSIS));
  const together = togetherOf(among);
  const ways = together.ways(room);
  let way = ways.get(kept);
  if (way === undefined) ways.set(kept, (way = wayOf(new Set([text, ...together.beginningWith(kept)]), fits)));
  const found = way ? way(text) : start;
  return fits(found) ? found : start;
}

const isList = (text: string): boolean => text.split(", ").length > 2;

/** How texts that begin alike are told apart; null for one alone. */
function wayOf(group: ReadonlySet<string>, fits: Fits): Way {
  if (group.size === 1) return null;
  const same = shared([...group]);
  const rest: Way = (one) => (fits(one) ? one : bothEnds(one.slice(same), fits, ELLIPSIS));
  const ways = [
    (one: string) => (isList(one) ? firstParts(one, fits) : bothEnds(one, fits)),
    (one: string) => (fits(one) ? one : beginning(one.slice(same), fits, ELLIPSIS)),
    rest,
  ];
  return ways.find((made) => new Set([...group].map(made)).size === group.size) ?? rest;
}

/**
 * A text within a sentence: in quotation marks where the whole of it has several words, so that it is seen where it
 * ends. "item 1" and "flat A" need none.
 */
export function inQuotes(whole: string, shown: string): string {
  const trimmed = whole.trim();
  return trimmed.includes(" ") && !/^[^ ]+ ([^ ]{1,2}|[0-9]+)$/u.test(trimmed) ? `“${shown}”` : shown;
}

/** A text that fits the width in px; `among`: those that are shown with it, see `cut`. */
export function fit(given: string, width: number, size = 11, bold = false, among: readonly string[] = []): string {
  const text = clean(given.slice(0, LONGEST * 16));
  const fits = (part: string): boolean => textWidth(part, size, bold) <= width;
  return isolate(text.length <= LONGEST && fits(text) ? text : cut(text.slice(0, LONGEST), fits, among, `${width} ${size} ${bold} ${family}`));
}

let family = "sans-serif";
let font = "";
let canvas: CanvasRenderingContext2D | null | undefined;

function measuring(): CanvasRenderingContext2D | null {
  if (canvas === undefined) {
    // jsdom has no canvas and says so on the console: there the estimate is used.
    const able = typeof CanvasRenderingContext2D !== "undefined";
    canvas = able ? document.createElement("canvas").getContext("2d") : null;
  }
  return canvas;
}

/** Texts are measured in the font that this element is drawn in: the host's. */
export function measureLike(el: Element): void {
  family = (measuring() && getComputedStyle(el).fontFamily) || family;
}

/** Width of a text in px as it is drawn. */
export function textWidth(text: string, size = 11, bold = false): number {
  const context = measuring();
  if (!context) return [...text].length * size * 0.5;
  const wanted = `${bold ? 600 : 400} ${size}px ${family}`;
  if (wanted !== font) context.font = font = wanted;
  return context.measureText(text).width;
}

/** Names without the first and last words that all of them share, where the rest still tells them apart. */
export function distinctNames(names: readonly string[]): string[] {
  const words = names.map((name) => name.trim().split(/\s+/));
  const least = Math.min(...words.map(({ length }) => length));
  const same = (at: (list: string[]) => string | undefined): boolean => words.every((list) => at(list) === at(words[0] ?? []));
  let [first, last] = [0, 0];
  while (first < least - 1 && same((list) => list[first])) first += 1;
  while (last < least - 1 - first && same((list) => list[list.length - 1 - last])) last += 1;
  const cut = (from: number): string[] => words.map((list) => list.slice(from, list.length - last).join(" "));
  // A bare number beside numbers would be taken for one of them.
  const short = cut(first > 0 && cut(first).some((name) => /^[\d.,−-]+$/.test(name)) ? first - 1 : first);
  return names.length > 1 && new Set(short).size === names.length ? short : [...names];
}
