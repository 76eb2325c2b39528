/** Attributes, reports and budgets in words. */
import type { Output } from "../compute/local-mechanisms";
import { labelOf, told, toldLabel, type Naming } from "../explorer/words";
import { count, fixed, leakage, list, parameter } from "../ui/format";
import { clip } from "../ui/lettering";
import { parseNumber, quoted, type Parsed } from "../ui/number-entry";

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/** "four": as words up to twelve. */
export function inWords(n: number): string {
  return NUMBERS[n] ?? fixed(n, 0);
}

/** With a capital where the name begins a sentence, in quotation marks or not. */
export function capital(text: string): string {
  return text.replace(/^(“?)(.)/su, (_, mark: string, first: string) => mark + first.toUpperCase());
}

/** Labels that a report favours: "1st", "1st or 2nd", "3 of 12 labels"; in quotation marks where they have several words. */
export function symbolsInWords(naming: Naming, attribute: number, symbols: readonly number[], limit = 24): string {
  const all = naming.labels[attribute]?.length ?? 0;
  if (symbols.length === 0) return "";
  if (symbols.length > 2) return `${symbols.length} of ${all} labels`;
  return symbols.map((u) => toldLabel(naming, attribute, u, limit)).join(" or ");
}

/** All of them, for titles. */
export function allSymbols(naming: Naming, attribute: number, symbols: readonly number[]): string {
  return list(symbols.map((u) => labelOf(naming, attribute, u, 60)));
}

export function pairInWords(naming: Naming, source: number, secret: number, limit = 40): string {
  return `${told(naming, source, limit)} about ${told(naming, secret, limit)}`;
}

/** A leakage beside the budget; infinite where nothing bounds it. */
export function nats(value: number, beside?: number): string {
  return Number.isFinite(value) ? leakage(value, beside !== undefined && Number.isFinite(beside) ? beside : undefined) : fixed(value, 3);
}

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

/** Why a budget is refused, or null. */
export function refuseBudget(value: number, typed = budgetText(value)): string | null {
  if (value >= 0) return null;
  return `The budget ${clip(typed.trim(), 24)} is refused. Enter 0 or more nats, or inf.`;
}

/** What stands in one attribute's place in a sentence: what was seen of it. */
export function seen(output: Output): string {
  return output === "raw" ? "report" : "guess";
}

/** All that was seen of a record: "both reports", "all four guesses". */
export function everything(output: Output, many: number): string {
  if (many === 1) return `its ${seen(output)}`;
  return `${many === 2 ? "both" : `all ${inWords(many)}`} ${seen(output)}${output === "raw" ? "s" : "es"}`;
}

/** "564 complete records", where numbers are about those alone; empty where every record counts. */
export function completeOnly(records: number | null, totals: { records: number | null } | null): string {
  const some = totals?.records ?? null;
  return records === null || some === null || some >= records ? "" : count(some, "complete record");
}

/** What the table of pairs is about, and how its numbers are to be taken. */
export function leaksHeading(output: Output): [string, string] {
  return output === "raw" ? ["What one report leaks about another attribute", "exact, nats"] : ["What a guess from one report says about another attribute", "a lower bound, nats"];
}
