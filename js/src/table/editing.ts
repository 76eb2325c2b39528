/**
 * Editing the cells of a probability table. Every edit returns a new table or says why it cannot be;
 * nothing is changed in place, so that undo restores exact floats.
 */
import { fixed, probability, scientific } from "../ui/format";
import { parseNumber, quoted } from "../ui/number-entry";

export type Edit = { ok: true; entries: Float64Array } | { ok: false; title: string; text: string };

/** How far from 1 the sum of a table may be and still count as normalised. */
export const SUM_TOLERANCE = 1e-9;
/** Room that rounding alone may take. */
const ROUNDING = 1e-12;

/** Compensated sum (Neumaier): the error does not grow with the number of cells. */
export function total(entries: ArrayLike<number>): number {
  let sum = 0;
  let lost = 0;
  for (let k = 0; k < entries.length; k++) {
    const x = entries[k] as number;
    const next = sum + x;
    lost += Math.abs(sum) >= Math.abs(x) ? sum - next + x : x - next + sum;
    sum = next;
  }
  return Number.isFinite(sum) ? sum + lost : sum;
}

export function isProbability(p: number): boolean {
  return p >= 0 && p <= 1;
}

export function isNormalised(entries: ArrayLike<number>): boolean {
  return Math.abs(total(entries) - 1) <= SUM_TOLERANCE;
}

/** A sum that is off is shown with enough digits to see it. */
export function showSum(sum: number): string {
  let decimals = 3;
  while (decimals < 12 && Math.abs(sum - 1) > ROUNDING && Number(sum.toFixed(decimals)) === 1) decimals += 1;
  return sum !== 0 && Math.abs(sum) < 5e-4 ? scientific(sum) : fixed(sum, decimals);
}

/** Room shown to a person: rounded down, so that typing it is accepted. */
function showRoom(room: number): string {
  const r = Math.max(0, room);
  return r < 1e-6 ? probability(r, 6) : probability(Math.floor(r * 1e6) / 1e6, 6).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
}

/** Puts what rounding left over into the largest of the given cells, so that the sum is 1. */
function settle(entries: Float64Array, free: readonly number[]): void {
  for (let round = 0; round < 3; round++) {
    const rest = 1 - total(entries);
    if (rest === 0) return;
    let largest = -1;
    for (const k of free) if (largest < 0 || (entries[k] as number) > (entries[largest] as number)) largest = k;
    if (largest < 0 || (entries[largest] as number) + rest < 0) return;
    entries[largest] = (entries[largest] as number) + rest;
  }
}

/**
 * Gives some unlocked cells new values and rescales the other unlocked ones in proportion, so that the
 * table sums to 1. When the others are all 0 the rest is spread evenly over them.
 */
export function setCells(
  entries: Float64Array,
  values: ReadonlyMap<number, number>,
  locks: Uint8Array,
): Edit {
  const next = entries.slice();
  for (const [k, p] of values) if (!locks[k]) next[k] = p;
  const free: number[] = [];
  const fixedCells: number[] = [];
  const set: number[] = [];
  for (let k = 0; k < next.length; k++) {
    if (values.has(k) && !locks[k]) set.push(next[k] as number);
    else if (locks[k]) fixedCells.push(next[k] as number);
    else free.push(k);
  }
  const locked = total(fixedCells);
  const asked = total(set);
  const rest = 1 - asked - locked;
  const who = set.length === 1 ? "his cell" : "hese cells together";
  if (rest < -ROUNDING) {
    const room = showRoom(1 - locked);
    if (locked > 0) {
      return {
        ok: false,
        title: "The locked cells leave no room.",
        text: `They hold ${showSum(locked)}, so t${who} can hold at most ${room}. Unlock a cell or enter less.`,
      };
    }
    return { ok: false, title: `T${who} would hold ${showSum(asked)}.`, text: "Probabilities sum to at most 1." };
  }
  if (free.length === 0) {
    if (rest > ROUNDING) {
      return {
        ok: false,
        title: "No unlocked cell is left to take up the rest.",
        text: `T${who} can only hold ${probability(1 - locked, 6)}. Unlock another cell first.`,
      };
    }
    return { ok: true, entries: next };
  }
  const left = Math.max(0, rest);
  const before = total(free.map((k) => entries[k] as number));
  for (const k of free) {
    // Proportions first: before may be tiny, and left / before would then overflow.
    next[k] = before > 0 ? ((entries[k] as number) / before) * left : left / free.length;
  }
  if (left > 0) settle(next, free);
  return { ok: true, entries: next };
}

/** One cell by the hand: rescales the others when the sum is kept, and only then. */
export function setCell(
  entries: Float64Array,
  index: number,
  p: number,
  locks: Uint8Array,
  keepSum: boolean,
): Edit {
  if (locks[index]) return { ok: false, title: "This cell is locked.", text: "Unlock it to change it." };
  const othersSound = entries.every((q, k) => k === index || isProbability(q));
  if (keepSum && isProbability(p) && othersSound) return setCells(entries, new Map([[index, p]]), locks);
  const next = entries.slice();
  next[index] = p;
  return { ok: true, entries: next };
}

/** Scales the unlocked cells so that the table sums to 1. */
export function normalise(entries: Float64Array, locks: Uint8Array): Edit {
  if (!entries.every(isProbability)) {
    return { ok: false, title: "A cell holds no probability.", text: "Correct the marked cells first." };
  }
  if (entries.every((_, k) => locks[k])) {
    return { ok: false, title: "Every cell is locked.", text: "Unlock a cell to normalise." };
  }
  if (total(entries) === 0) {
    return { ok: false, title: "All cells are 0.", text: "Enter at least one probability above 0 to normalise." };
  }
  return setCells(entries, new Map(), locks);
}

/** The table with the same marginals in which the tuples are independent. */
export function independent(entries: Float64Array, shape: readonly number[], locks: Uint8Array): Edit {
  if (locks.some((lock) => lock !== 0)) {
    return { ok: false, title: "Some cells are locked.", text: "Unlock all cells to make the tuples independent: every cell changes." };
  }
  const scaled = normalise(entries, locks);
  if (!scaled.ok) return scaled;
  const parts = marginals(scaled.entries, shape);
  const next = new Float64Array(entries.length).fill(1);
  forEachPosition(shape, (k, at) => {
    at.forEach((p, j) => (next[k] = (next[k] as number) * ((parts[j] as Float64Array)[p] as number)));
  });
  settle(next, Array.from(next.keys()));
  return { ok: true, entries: next };
}

/** Probabilities proportional to weights of 0 or more, for instance counts. */
export function fromWeights(weights: Float64Array): Edit {
  // By the largest first: the sum of huge weights overflows.
  const largest = Math.max(...weights);
  if (largest === 0) return { ok: false, title: "All counts are 0.", text: "At least one count must be above 0." };
  const shares = weights.map((w) => w / largest);
  const sum = total(shares);
  const next = shares.map((w) => w / sum);
  settle(next, Array.from(next.keys()));
  return { ok: true, entries: next };
}

/** Calls back for every cell in C order with its label positions; the array is reused. */
export function forEachPosition(shape: readonly number[], visit: (index: number, at: readonly number[]) => void): void {
  const at = shape.map(() => 0);
  const count = shape.reduce((product, m) => product * m, 1);
  for (let k = 0; k < count; k++) {
    visit(k, at);
    for (let j = shape.length - 1; j >= 0; j--) {
      at[j] = (at[j] as number) + 1;
      if ((at[j] as number) < (shape[j] as number)) break;
      at[j] = 0;
    }
  }
}

/** Marginal of every tuple. */
export function marginals(entries: Float64Array, shape: readonly number[]): Float64Array[] {
  const out = shape.map((m) => new Float64Array(m));
  forEachPosition(shape, (k, at) => {
    at.forEach((p, j) => ((out[j] as Float64Array)[p] = ((out[j] as Float64Array)[p] as number) + (entries[k] as number)));
  });
  return out;
}

// What people type or paste into a cell, read as a probability or explained.

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
