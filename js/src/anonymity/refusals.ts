/** What is refused before it is sent, and why; and how shares are read. */
import { parameter, fixed } from "../ui/format";
import { clip } from "../ui/lettering";
import { parseNumber, quoted, type Parsed } from "../ui/number-entry";

export type Verdict = { ok: true } | { ok: false; reason: string };

const verdict = (reason: string | null): Verdict => (reason === null ? { ok: true } : { ok: false, reason });
const typedText = (typed: string): string => clip(typed.trim(), 24);

/** A number as it stands in an entry. */
export function amountText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return String(value).replace("-", "−");
  return parameter(value).replace(/,/g, "").replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
}

export function refuseBudget(value: number, typed = amountText(value)): string | null {
  return value >= 0 ? null : `The budget ${typedText(typed)} is refused. Enter a number of nats, 0 or more.`;
}

/** A class has at least one record, and at most all. */
export function refuseGroup(value: number, records: number, typed = amountText(value)): string | null {
  if (Number.isInteger(value) && value >= 1 && value <= Math.max(1, records)) return null;
  return `The class size ${typedText(typed)} is refused. Enter a whole number from 1 to ${fixed(records, 0)}, the records that can be published.`;
}

/** Records that a release can be of. */
export const MOST_RELEASED = 1e12;

/** A release is of k records or more; also of more than the table has. */
export function refuseCount(value: number, k: number, typed = amountText(value)): string | null {
  if (Number.isInteger(value) && value >= k && value <= MOST_RELEASED) return null;
  return `The number of records ${typedText(typed)} is refused. Enter a whole number from k = ${fixed(k, 0)} to ${fixed(MOST_RELEASED, 0)}, or leave it empty.`;
}

export function refuseShare(value: number, typed = `${amountText(value)} %`): string | null {
  return value >= 0 && value <= 100 ? null : `The share ${typedText(typed)} is refused. Enter 0 to 100 %.`;
}

export function refuseNeighbours(value: number, records: number, typed = amountText(value)): string | null {
  if (Number.isInteger(value) && value >= 1 && value <= Math.max(1, records)) return null;
  return `The neighbourhood ${typedText(typed)} is refused. Enter a whole number from 1 to ${fixed(records, 0)}, the records that can be published.`;
}

export function refuseAbove(value: number, what: string, typed = amountText(value)): string | null {
  return value > 0 && Number.isFinite(value) ? null : `The ${what} ${typedText(typed)} is refused. Enter a number above 0.`;
}

export function refuseShift(value: number, typed = amountText(value)): string | null {
  return Number.isFinite(value) ? null : `The change ${typedText(typed)} is refused. Enter a finite number, or leave it empty.`;
}

export function refuseSlack(value: number, typed = amountText(value)): string | null {
  return value > 0 && value < 1 ? null : `The slack ${typedText(typed)} is refused. Enter a number between 0 and 1, or leave it empty.`;
}

export const acceptBudget = (value: number, typed?: string): Verdict => verdict(refuseBudget(value, typed));
export const acceptGroup = (value: number, records: number, typed?: string): Verdict => verdict(refuseGroup(value, records, typed));
export const acceptShare = (value: number, typed?: string): Verdict => verdict(refuseShare(value, typed));
export const acceptNeighbours = (value: number, records: number, typed?: string): Verdict => verdict(refuseNeighbours(value, records, typed));

/** The field is in per cent: its sign may be left out. */
export function readPercent(text: string): Parsed {
  return parseNumber(text.trim().replace(/%$/, ""));
}

/** A whole number: a comma or a blank before three digits parts thousands, as where such numbers are shown; a point could be either. */
export function readWhole(text: string): Parsed {
  const body = text.trim();
  if (/^\d{1,3}(\.\d{3})+$/.test(body)) return { ok: false, reason: `${quoted(text)} has two readings. Leave out the point.` };
  if (body !== "" && !/[\d∞]/.test(body)) return { ok: false, reason: `${quoted(text)} is not a number. Enter a whole number such as 200.` };
  return parseNumber(/^\d{1,3}([,\s]\d{3})+$/.test(body) ? body.replace(/[,\s]/g, "") : body);
}

/** ∞ and its words are a budget too. */
export function readBudget(text: string): Parsed {
  return /^(∞|inf(inity)?|infinite)$/i.test(text.trim()) ? { ok: true, value: Infinity } : parseNumber(text);
}
