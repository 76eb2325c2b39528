/**
 * What the front end's parts expect of a browser, for where there is none. The build puts these names in the place of
 * the browser's, so that nothing global is set and the host's own engine is left as it is.
 */
import { StillContext, StillImage } from "./canvas";
import { StillElement, StillNode, still } from "./document";

const nothing = (): void => {};
const never = (): number => 0;
/** What went wrong while something was drawn. */
export const faults: string[] = [];

/** What comes within a frame is drawn; nobody waits for what comes later. */
const SOON = 50;
/** Rounds after which a drawing that asks for another one again and again is taken as it is. */
const ROUNDS = 200;
type Callback = (...values: unknown[]) => void;
let waiting: { id: number; run: Callback }[] = [];
let ids = 0;
const later = (run: Callback, delay = 0): number => {
  ids += 1;
  if (delay <= SOON) waiting.push({ id: ids, run });
  return ids;
};
const forget = (id?: number | null): void => void (waiting = waiting.filter((one) => one.id !== id));

/** Runs what was put off for a moment. */
export function settle(): void {
  for (let round = 0; round < ROUNDS && waiting.length > 0; round++) waiting.shift()?.run(0);
  waiting = [];
}

class Observer {
  observe = nothing;
  unobserve = nothing;
  disconnect = nothing;
}
class Absent {}

const timers = {
  setTimeout: later,
  setInterval: never,
  requestAnimationFrame: (run: Callback) => later(run),
  queueMicrotask: (run: Callback) => void later(run),
  clearTimeout: forget,
  clearInterval: nothing,
  cancelAnimationFrame: forget,
};
export const { setTimeout, setInterval, requestAnimationFrame, clearTimeout, clearInterval, cancelAnimationFrame, queueMicrotask } = timers;
export const document = still;
export const navigator = { platform: "", userAgent: "" };
export const performance = { now: never };
export const window = {
  devicePixelRatio: 1,
  addEventListener: nothing,
  removeEventListener: nothing,
  matchMedia: () => ({ matches: false, addEventListener: nothing, removeEventListener: nothing }),
  ...timers,
};
export const matchMedia = window.matchMedia;
export const console = { log: nothing, info: nothing, warn: nothing, error: (...said: unknown[]) => void faults.push(said.map(String).join(" ")) };
/** Colours stay names of the style sheet: the drawing brings their values, light and dark. */
export const getComputedStyle = (): unknown => ({ fontFamily: "var(--font)", getPropertyValue: (name: string) => `var(${name})` });
export const Intl = {
  Segmenter: class {
    /** A sign with its marks, modifiers and joiners is one to a reader. */
    *segment(text: string): Generator<{ segment: string }> {
      for (const [segment] of text.matchAll(/\P{M}(?:[\p{M}\u{1f3fb}-\u{1f3ff}]|\u200d\P{M})*|\p{M}/gsu)) yield { segment };
    }
  },
};
class TextNodes extends StillNode {
  static readonly ELEMENT_NODE = 1;
  static readonly TEXT_NODE = 3;
}
export {
  StillContext as CanvasRenderingContext2D,
  StillElement as Element,
  StillElement as HTMLElement,
  StillImage as ImageData,
  Observer as IntersectionObserver,
  Observer as MutationObserver,
  TextNodes as Node,
};
export {
  Absent as CustomEvent,
  Absent as Event,
  Absent as HTMLInputElement,
  Absent as HTMLTextAreaElement,
  Absent as ShadowRoot,
};
export class AbortController {
  readonly signal = { aborted: false, addEventListener: nothing };
  abort = nothing;
}
export class TextDecoder {
  decode(bytes: Uint8Array): string {
    return decodeURIComponent([...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""));
  }
}

const SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export function atob(text: string): string {
  const out: string[] = [];
  let [held, bits] = [0, 0];
  for (const sign of text) {
    const value = SIGNS.indexOf(sign);
    if (value < 0) continue;
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) out.push(String.fromCharCode((held >> (bits -= 8)) & 255));
  }
  return out.join("");
}
