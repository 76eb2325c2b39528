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

/**
 * Refused entries, kept as typed. A cell shows the text that was read as the value it holds, so that
 * undo and redo bring back what was typed; of several texts that are no number, the latest.
 */
export class Drafts {
  private readonly kept = new Map<number, Map<number, { text: string; reason: string }>>();

  keep(index: number, text: string, entry: Entry): void {
    if (entry.reason === null) return;
    const cell = this.kept.get(index) ?? new Map<number, { text: string; reason: string }>();
    cell.set(entry.value, { text: text.trim().slice(0, 999), reason: entry.reason });
    this.kept.set(index, cell);
  }

  /** What was typed into this cell and read as this value, and why it is refused. */
  at(index: number, value: number): { text: string; reason: string } | undefined {
    return this.kept.get(index)?.get(value);
  }
}
