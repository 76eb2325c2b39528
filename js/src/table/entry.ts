/** What people type or paste into a cell, read as a probability or explained. */
import { parseNumber, quoted } from "../ui/number-entry";
import { isProbability } from "./editing";

export type Entry = { value: number; reason: null } | { value: number; reason: string };

/** The reason why a number is refused as a probability, or null. */
export function refusal(value: number, shown: string): string | null {
  return isProbability(value) ? null : `${shown} is not a probability. Enter a number from 0 to 1.`;
}

/** Text that is no number has the value NaN. */
export function readProbability(text: string): Entry {
  const parsed = parseNumber(text);
  if (!parsed.ok) return { value: NaN, reason: parsed.reason.replace("a number such as", "a number from 0 to 1, such as") };
  return { value: parsed.value, reason: refusal(parsed.value, quoted(text).slice(1, -1)) } as Entry;
}

/** Refused entries, kept as typed for as long as their cell holds what they were read as. */
export class Drafts {
  private readonly kept = new Map<number, { text: string; entry: Entry }>();

  keep(index: number, text: string, entry: Entry): void {
    if (entry.reason === null) this.kept.delete(index);
    else this.kept.set(index, { text: text.trim(), entry });
  }

  /** The text typed into this cell, if it is what made the value. */
  text(index: number, value: number): string | null {
    const draft = this.kept.get(index);
    return draft && Object.is(draft.entry.value, value) ? draft.text : null;
  }

  reason(index: number, value: number): string | null {
    const draft = this.kept.get(index);
    return draft && Object.is(draft.entry.value, value) ? draft.entry.reason : null;
  }
}
