/** Steps, states and mechanisms in words. */
import { capital } from "../local/words";
import { fixed, probability } from "../ui/format";
import { clip, isolate } from "../ui/lettering";
import type { LaneTotals } from "./totals";

/** What is over a promise by less is over by rounding alone. */
const ROUNDING = 1e-9;

export function isOverPromise(leaks: number, promise: number): boolean {
  return leaks > promise + ROUNDING * Math.max(1, promise);
}

/** The label of a state in a sentence or a heading. */
export function stateText(states: readonly string[], k: number, limit = 24): string {
  return isolate(clip(states[k] ?? `${k + 1}`, limit)) || "(empty)";
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

/** "within its promise", "over its promise since step 45", "over its promise at 3 steps, first at step 45". */
export function statusWords({ over, first }: LaneTotals, position: number, ended: string | null, short = false): string {
  const its = short ? "" : "its promise ";
  if (first === null) return ended === null ? (position === 0 ? "nothing released" : "within its promise") : `ended: ${ended}`;
  if (over === position - first + 1) return `over ${its}since step ${fixed(first, 0)}`;
  return `over ${its}at ${fixed(over, 0)} step${over === 1 ? "" : "s"}, first ${short ? "" : "at step "}${fixed(first, 0)}`;
}

/** Where the conditional response keeps its promise: beliefs of at least 1/(1+e^ε). */
export function validFrom(epsilon: number): number {
  return 1 / (1 + Math.exp(epsilon));
}

/** Wrong symbols among those released, where errors are counted so. */
export function wrongSymbols(error: number, steps: number): number {
  return Math.round(error * steps);
}
