/**
 * What the stream simulator says: about itself, steps, states and mechanisms in words, and each mechanism's line.
 */
import { within as keeps } from "../compute/stream-mechanisms";
import { s } from "../ui/dom";
import { capital, fixed, probability, scientific } from "../ui/format";
import type { HeadWords } from "../ui/head";
import { clip, isolate } from "../ui/lettering";
import { budgetText, budgetWithin, ENTRY_ROOM, within } from "../ui/scale";
import type { LaneTotals } from "./step-record";
export { ENTRY, wholeNumber } from "../ui/scale";

// What the stream simulator says about itself.

export const HEAD: HeadWords = {
  name: "Streams",
  equation: "papers/sequence#leakage-of-a-step",
  about: [
    "A correlated stream is released symbol by symbol. Each release promises how much it may say about its own " +
      "symbol. What was released before has already told something, and a promise may rest on that.",
    "The adversary knows the law of the stream and all releases so far. The belief is what they say about the " +
      "next symbol before it is released. Leakage is computed at every step from the matrix that releases it: " +
      "what is achieved, not what is promised.",
    "Conditional randomised response as printed keeps its promise while every belief is 1/(1+e^ε) or more. Below that it breaks it.",
    "Play, and change the chain or the budget meanwhile: changes apply from the next step. Click into the " +
      "lanes, or use the arrows there, to read an earlier step.",
  ],
  legend: [
    ["exact", "exact: computed from the released matrix"],
    ["promise", "promise of a step"],
    ["over", "a step over its promise"],
    ["bound", "composition: what all promises together allow"],
    ["estimate", "an average of this one run"],
  ],
  paper: "B. Jiang, M. Li, R. Tandon: Online Context-aware Data Release with Sequence Information Privacy.",
};

// Steps, states and mechanisms in words.

/** Over a promise by more than rounding, as steps are counted. */
export function isOverPromise(leaks: number, promise: number): boolean {
  return !keeps(leaks, promise);
}

/** The label of a state in a sentence or a heading; one that nobody would see is told. */
export function stateText(states: readonly string[], k: number, limit = 24): string {
  const name = states[k] ?? `${k + 1}`;
  if (name.trim() === "") return name === "" ? "(empty)" : "(blank)";
  return isolate(clip(name, limit));
}

/** A change as it begins a sentence; a budget is a letter that stays as it is. */
export function sentence(words: string): string {
  return words.startsWith("ε") ? words : capital(words);
}

/** A probability of the chain as it stands in a field: every digit, but at least two. */
export function chance(value: number): string {
  if (!Number.isFinite(value)) return "?";
  if (value !== 0 && Math.abs(value) < 1e-4) return probability(value, 4, 2);
  for (let decimals = 2; decimals < 4; decimals++) if (Math.abs(Number(value.toFixed(decimals)) - value) < 1e-12) return fixed(value, decimals);
  return fixed(value, 4);
}

/** A probability with as many of the digits of `text` as there is room for. */
export function chanceWithin(p: number, text: string, room: number, size: number): string {
  if (!(p > 0 && p < 1)) return text;
  const fewer = p < 1e-3 ? [scientific(p, 1), scientific(p, 0), "<0.001", "<0.01", "<.01"] : [fixed(p, 3), fixed(p, 2), ...(p < 0.01 ? ["<.01"] : [])];
  return within([text, ...fewer], room, size) ?? "…";
}

/** A probability in an entry. */
export function entryChance(p: number): string {
  return chanceWithin(p, chance(p), ENTRY_ROOM, 13);
}

/** A budget in an entry: with fewer digits where all of them would be cut off. */
export function entryBudget(value: number): string {
  return budgetWithin(value, budgetText(value));
}

/** "within its promise", "over its promise since step 45", "over its promise at 3 steps, first at step 45"; short "over since 45". */
export function statusWords({ over, first }: LaneTotals, position: number, ended: string | null, short = false): string {
  if (first === null) return ended === null ? (position === 0 ? "nothing released" : "within its promise") : `ended: ${ended}`;
  const always = over === position - first + 1;
  const steps = `${fixed(over, 0)} step${over === 1 ? "" : "s"}`;
  if (short) return always ? `over since ${fixed(first, 0)}` : `over at ${steps}`;
  return `over its promise ${always ? `since step ${fixed(first, 0)}` : `at ${steps}, first at step ${fixed(first, 0)}`}`;
}

/** Where the conditional response keeps its promise: beliefs of at least 1/(1+e^ε). */
export function validFrom(epsilon: number): number {
  return 1 / (1 + Math.exp(epsilon));
}

/** Wrong symbols among those released, where errors are counted so. */
export function wrongSymbols(error: number, steps: number): number {
  return Math.round(error * steps);
}

// Lines of mechanisms: a mechanism keeps its colour and dashes as long as it is shown.

const LINES = [
  { colour: "b", dash: [] },
  { colour: "a", dash: [5, 2.5] },
  { colour: "c", dash: [8, 2, 2, 2] },
  { colour: "d", dash: [2, 2] },
] as const;

export type LaneLine = (typeof LINES)[number];
export type LinesByLane = Readonly<Record<string, number>>;

export function laneLine(line: number): LaneLine {
  return LINES[line % LINES.length] as LaneLine;
}

/** Lines of the lanes of a view; those of an older one are in their order. */
export function linesOf(lanes: readonly { key: string; line?: number }[]): LinesByLane {
  return Object.fromEntries(lanes.map(({ key, line }, k) => [key, line ?? k]));
}

/** A line for each lane: its own, or the first that is free. */
export function keptLines(before: LinesByLane, lanes: readonly string[]): LinesByLane {
  const taken = new Set(lanes.map((key) => before[key]));
  const free = LINES.map((_, k) => k).filter((k) => !taken.has(k));
  return Object.fromEntries(lanes.map((key) => [key, before[key] ?? free.shift() ?? 0]));
}

/** The line as it is drawn in the sum. */
export function laneSample(line: number): SVGSVGElement {
  const { colour, dash } = laneLine(line);
  return s(
    "svg",
    { width: 16, height: 8, class: "sx-sample", "aria-hidden": "true" },
    s("path", { d: "M0 4h16", fill: "none", stroke: `var(--${colour})`, "stroke-width": 2.5, "stroke-dasharray": dash.join(" ") || null }),
  );
}
