/** Steps, states and mechanisms in words. */
import { within as keeps } from "../compute/stream-mechanisms";
import { capital, fixed, probability, scientific } from "../ui/format";
import { clip, isolate } from "../ui/lettering";
import { budgetText, budgetWithin, ENTRY_ROOM, within } from "../ui/scale";
import type { LaneTotals } from "./totals";

export { ENTRY, wholeNumber } from "../ui/scale";

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
