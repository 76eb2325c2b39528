/** Budgets in nats: how they stand in a sentence and in their field, how they are read, and which are refused. */
import { parameter } from "./format";
import { clip } from "./lettering";
import { parseNumber, quoted, type Parsed } from "./number-entry";

/** A budget as it stands in a sentence and in its field. */
export function budgetText(value: number): string {
  return value === Infinity ? "∞" : parameter(value).replace(/,/g, "");
}

/** Reads a budget: a number, or one of the words for infinity. */
export function readBudget(text: string): Parsed {
  if (/^\s*\+?(∞|inf|infinity|infinite)\s*$/i.test(text)) return { ok: true, value: Infinity };
  const parsed = parseNumber(text);
  return parsed.ok || !/not a number/.test(parsed.reason) ? parsed : { ok: false, reason: `${quoted(text)} is no budget. Enter a number of nats, or inf.` };
}

function refusal(typed: string, accepted: string): string {
  return `The budget ${clip(typed.trim(), 24)} is refused. Enter ${accepted}.`;
}

/** Why a budget is refused, or null; no noise and nothing but noise are budgets too. */
export function refuseBudget(value: number, typed = budgetText(value)): string | null {
  return value >= 0 ? null : refusal(typed, "0 or more nats, or inf");
}

/** Where noise is added: why a budget that gives it no scale is refused, or null. */
export function refuseNoiseBudget(value: number, typed = budgetText(value)): string | null {
  return value > 0 && Number.isFinite(value) ? null : refusal(typed, "a number of nats above 0");
}
