/**
 * What is said of a covariance matrix: whether it is valid, its one message, and below it spread and correlations.
 */
import { createBars } from "../table/bars";
import { niceCeiling } from "../ui/axes";
import { button, CHECK, h, icon, listen, setAttr, setText, WARN, type Component } from "../ui/dom";
import { fixed, scientific, signed } from "../ui/format";
import { clip, textWidth } from "../ui/lettering";
import type { LineProps } from "../ui/lines";
import type { Fault } from "../ui/protocol";
import { correlationAt, deviations } from "./editing";
import type { Check, Culprit } from "./validity";
import { decimalsFor, entry, shortNames } from "./words";

// One line: the matrix is valid, or what is wrong with it and the button that helps.

export interface StatusProps {
  check: Check;
  culprit: Culprit | null;
  /** Short names. */
  names: readonly string[];
  disabled: boolean;
  /** Room in px. */
  width: number;
}

const SHORT = 12;
/** Sign, button and the gaps between, px. */
const BESIDE = 134;

/** An eigenvalue: three decimals, more where it would read as 0. Of a valid matrix none is below 0 but by rounding. */
export function eigenvalue(value: number, valid = false): string {
  if (Number.isNaN(value)) return "undefined";
  if (valid && value < 0) return "0";
  const size = Math.abs(value);
  if (size !== 0 && (size < 5e-4 || size >= 1e6)) return scientific(value, 1);
  return fixed(value, 3);
}

/** A sentence begins with a capital; a name stays as it is written. */
export function capital(text: string): string {
  return /^(variance|covariance|correlation|mean|weight) /.test(text) ? (text[0] as string).toUpperCase() + text.slice(1) : text;
}

/** What is wrong, in few words: "A, B too large". */
function verdict({ check, culprit, names }: Pick<StatusProps, "check" | "culprit" | "names">): string {
  if (check.valid) return "Valid";
  if (!culprit) return "Not valid";
  const { i, j, what } = culprit;
  const [a, b] = [clip(names[i] ?? "", SHORT), clip(names[j] ?? "", SHORT)];
  const cell = i === j ? `variance of ${a}` : `${a}, ${b}`;
  if (what === "unread") return `${cell}: no number`;
  if (what === "negative") return `${cell} below 0`;
  return `${cell} too ${what}`;
}

export function createStatus(first: StatusProps, onNearest: () => void): Component<StatusProps> {
  const sign = h("span", { class: "mx-sign" });
  const title = h("b");
  const note = h("span", { class: "small muted nowrap" });
  const words = h("span", { class: "mx-words", role: "status", tabindex: -1 }, title, note);
  const nearest = button("Nearest valid", { title: "The closest matrix without negative eigenvalues (Higham)" });
  const el = h("div", { class: "mx-status" }, sign, words, nearest);
  let drawn: boolean | null = null;
  listen(nearest, "click", onNearest);

  function draw(props: StatusProps): void {
    const { valid, smallest } = props.check;
    if (valid !== drawn) {
      drawn = valid;
      sign.replaceChildren(icon(valid ? CHECK : WARN));
      setAttr(el, "data-valid", valid);
    }
    setText(title, capital(verdict(props)));
    const measured = `eigenvalue ${eigenvalue(smallest, valid)}`;
    setText(note, textWidth(`smallest ${measured}`) <= props.width - BESIDE ? `smallest ${measured}` : measured);
    setAttr(note, "title", `smallest ${measured}`);
    const off = props.disabled || valid || Number.isNaN(smallest);
    // A button that is switched off lets go of the focus, and with it of the keys for undo.
    const root = nearest.getRootNode() as Document | ShadowRoot;
    if (off && root.activeElement === nearest) words.focus();
    nearest.disabled = off;
  }
  draw(first);
  return { el, update: draw, destroy: () => el.remove() };
}

// The one message of a covariance editor: what is wrong, where, and what helps.

export const KEPT = "The results still belong to the last valid matrix.";

export interface Spoken {
  /** What the hand just tried. */
  note: LineProps | null;
  /** Why a cell that was typed into cannot be read. */
  unread: { name: string; reason: string } | null;
  check: Check;
  culprit: Culprit | null;
  names: readonly string[];
  fault: Fault | null;
}

/** `told` is true when the line about validity says it already. */
export function matrixMessage({ note, unread, check, culprit, names, fault }: Spoken): { line: LineProps | null; told: boolean } {
  if (note?.kind === "error") return { line: note, told: false };
  if (unread) return { line: { kind: "error", title: `${capital(unread.name)}:`, text: `${unread.reason} ${KEPT}` }, told: false };
  if (!check.valid) {
    const title = `${capital(verdict({ check, culprit, names }))}.`;
    const why = Number.isNaN(check.smallest) ? "" : `The smallest eigenvalue is ${eigenvalue(check.smallest)}; it may not be below 0. `;
    return { line: { kind: "error", title, text: why + KEPT }, told: true };
  }
  if (fault && fault.where?.kind !== "parameter") {
    const end = fault.text.search(/[.:] /);
    const [title, text] = end < 0 ? [fault.text, ""] : [fault.text.slice(0, end + 1), fault.text.slice(end + 2)];
    return { line: { kind: "error", title, text }, told: false };
  }
  return { line: note, told: false };
}

// Spread of every tuple and correlation of every pair, each with a bar.

export interface SummariesProps {
  names: string[];
  /** The last valid matrix, n x n; null when there was none. */
  cov: Float64Array | null;
  unit: string;
  /** It is not what stands in the cells. */
  stale: boolean;
}

/** Pairs shown at once: the strongest, when there are more. */
const LEAST_PAIRS = 6;
/** Characters of a name in a pair. */
const LONGEST = 24;
/** What a bar and its number take beside a name, px. */
const BAR = 84;
const AXES = [0.1, 0.25, 0.5, 1];

export function createSummaries(first: SummariesProps): Component<SummariesProps> {
  const spreadHead = h("div", { class: "label" });
  const pairHead = h("div", { class: "label" });
  const spreads = createBars(false);
  const pairs = createBars(true);
  const more = h("div", { class: "small muted" });
  const right = h("section", {}, pairHead, pairs.el, more);
  const el = h("div", { class: "jt-summaries" }, h("section", {}, spreadHead, spreads.el), right);

  function draw({ names, cov, unit, stale }: SummariesProps): void {
    // A grid is displayed in spite of the attribute.
    el.hidden = cov === null;
    el.style.display = cov ? "" : "none";
    if (!cov) {
      // What is left belongs to other tuples.
      spreads.update([], 1);
      pairs.update([], 1);
      for (const words of [spreadHead, pairHead, more]) setText(words, "");
      return;
    }
    const n = names.length;
    const short = shortNames(names);
    const sd = deviations(cov, n);
    const most = niceCeiling(Math.max(...sd), [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]);
    const decimals = decimalsFor(Math.max(...sd));
    const old = stale ? ", last valid" : "";
    setText(spreadHead, `Spread${unit ? `, ${unit}` : ""}${old}`);
    setAttr(spreadHead, "title", `Standard deviation; the bar ends at ${most}${stale ? ". These belong to the last valid matrix" : ""}`);
    const lines = names.map((name, j) => ({ name: [name], joint: "", title: name, value: sd[j] as number, text: entry(sd[j] as number, decimals) }));
    spreads.update(lines, most);
    const all: { pair: [number, number]; value: number }[] = [];
    for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) all.push({ pair: [i, j], value: correlationAt(cov, n, i, j) });
    const size = (value: number): number => (Number.isNaN(value) ? -1 : Math.abs(value));
    const room = Math.max(LEAST_PAIRS, n);
    const chosen = all.length <= room ? all : [...all].sort((a, b) => size(b.value) - size(a.value)).slice(0, room);
    const limit = AXES.find((axis) => all.every(({ value }) => !(Math.abs(value) > axis))) ?? 1;
    setText(pairHead, stale ? `Correlation${old}` : `Correlation, axis ±${limit}`);
    setAttr(pairHead, "title", `The axis ends at ±${limit}`);
    const rows = chosen.map(({ pair, value }) => ({
      name: pair.map((j) => clip(short[j] as string, LONGEST, short)),
      joint: ", ",
      title: pair.map((j) => names[j] as string).join(", "),
      value,
      text: Number.isNaN(value) ? "undefined" : signed(value, 2),
    }));
    pairs.update(rows, limit);
    // Beside each other where the longest name has the room there, else one under the other.
    const longest = Math.max(...[...lines, ...rows].map(({ name, joint }) => textWidth(name.join(joint).slice(0, 80), 12)));
    el.style.gridTemplateColumns = `repeat(auto-fit,minmax(min(100%,${Math.ceil(longest) + BAR}px),1fr))`;
    setText(more, all.length > chosen.length ? `${chosen.length} largest of ${fixed(all.length, 0)} pairs` : "");
    right.hidden = all.length === 0;
  }
  draw(first);
  return { el, update: draw, destroy: () => el.remove() };
}
