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

/** At most `limit` visible characters, the last an ellipsis when something was left out. */
export function clip(given: string, limit: number): string {
  const text = clean(given.slice(0, limit * 16 + LONGEST));
  if (text.length <= limit) return text;
  const parts = graphemes(text, limit + 1);
  return parts.length <= limit ? parts.join("") : parts.slice(0, limit - 1).join("") + ELLIPSIS;
}

/**
 * A text within a sentence: in quotation marks where the whole of it has several words, so that it is seen where it
 * ends. "item 1" and "flat A" need none.
 */
export function inQuotes(whole: string, shown: string): string {
  const trimmed = whole.trim();
  return trimmed.includes(" ") && !/^[^ ]+ ([^ ]{1,2}|[0-9]+)$/u.test(trimmed) ? `“${shown}”` : shown;
}

/** The longest beginning that fits the width in px, with an ellipsis where something was cut. */
export function fit(given: string, width: number, size = 11, bold = false): string {
  const text = clean(given.slice(0, LONGEST * 16));
  const fits = (part: string): boolean => textWidth(part, size, bold) <= width;
  if (text.length <= LONGEST && fits(text)) return isolate(text);
  const parts = graphemes(text, LONGEST);
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fits(parts.slice(0, middle).join("") + ELLIPSIS)) low = middle;
    else high = middle - 1;
  }
  return isolate((parts.slice(0, low).join("").trimEnd() || (parts[0] ?? "")) + ELLIPSIS);
}

let family = "sans-serif";
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
  context.font = `${bold ? 600 : 400} ${size}px ${family}`;
  return context.measureText(text).width;
}
