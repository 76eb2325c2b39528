/** The axes of a declared chart: where they end, what is marked on them, and how it is written. */
import { linear, ticks, type Scale } from "../ui/axes";
import { fixed, scientific, tick } from "../ui/format";
import { fit, textWidth } from "../ui/lettering";
import { powerOfTen, read, type Axis } from "./declared";

/** How wide whatever is written may be in another font than the one that is measured. */
export const WIDER = 1.08;

export type Ends = readonly [low: number, high: number];

/** Room beyond the values, as a share of their range. */
const ROOM = 0.04;
/** A level is near where the values still take this share of the axis. */
const NEAR = 3;

/** Numbers nearer than this share of them are one: marked values would not tell them apart. */
const DUST = 1e-10;

interface Wanted {
  /** What has to be seen. */
  values: readonly (readonly number[])[];
  /** What is seen where it is near. */
  levels?: readonly number[];
  /** Whether 0 is shown where it is near: lengths are then compared by eye. */
  zero?: boolean;
  /** Whether there is room beyond the values. */
  room?: boolean;
}

/** Where an axis ends: as declared, else where its values do, at 0 where that is near. */
export function endsOf(axis: Axis, wanted: Wanted): Ends {
  const [first, last] = [read(axis.low), read(axis.high)];
  const [from, to] = axis.names?.length ? [-0.5, axis.names.length - 0.5] : found(axis, wanted);
  if (Number.isFinite(first) && Number.isFinite(last)) return first < last ? [first, last] : around(first);
  if (Number.isFinite(first)) return [first, to > first ? to : around(first)[1]];
  if (Number.isFinite(last)) return [from < last ? from : around(last)[0], last];
  return [from, to];
}

const LARGEST = Number.MAX_VALUE;
const held = (value: number): number => Math.max(-LARGEST, Math.min(LARGEST, value));

/** Numbers that are surely below and above another one, and of its size. */
function around(value: number): Ends {
  const half = Math.abs(value) / 2 || 0.5;
  return [held(value - half), held(value + half)];
}

function found(axis: Axis, { values, levels = [], zero = true, room = true }: Wanted): Ends {
  let [low, high] = [Infinity, -Infinity];
  const take = (value: number): void => {
    if (!Number.isFinite(value)) return;
    if (value < low) low = value;
    if (value > high) high = value;
  };
  for (const list of values) list.forEach(take);
  const reach = low <= high ? Math.max(high - low, Math.abs(low), Math.abs(high)) : LARGEST;
  // Chosen before any is taken: one level does not bring the next one near.
  const near = levels.filter((level) => !(level > high + NEAR * reach) && !(level < low - NEAR * reach));
  for (const level of near.length > 0 ? near : low <= high ? [] : levels) take(level);
  if (!(low <= high)) return [0, 1];
  if (axis.powers) return powerEnds(low, high);
  // What rounding alone makes of one value is no range.
  if (high - low <= DUST * Math.max(Math.abs(low), Math.abs(high))) {
    if (!zero || low === 0) return around(low);
    return low > 0 ? [0, held(low * 1.25)] : [held(low * 1.25), 0];
  }
  if (zero && low > 0 && low < high / 2) low = 0;
  if (zero && high < 0 && high > low / 2) high = 0;
  const beyond = room ? ROOM * high - ROOM * low : 0;
  return [zero && low === 0 ? 0 : held(low - beyond), zero && high === 0 ? 0 : held(high + beyond)];
}

/** Whole powers of ten around the values. */
function powerEnds(low: number, high: number): Ends {
  const [from, to] = [Math.floor(low + 1e-9), Math.ceil(high - 1e-9)];
  return from < to ? [from, to] : [from - 1, from + 1];
}

export interface Tick {
  at: number;
  text: string;
}

/** About `count` marked values of an axis; its names, where it has some. */
export function marksOf(axis: Axis, [low, high]: Ends, count: number): Tick[] {
  if (axis.names?.length) {
    return axis.names.flatMap((text, at) => (at >= low && at <= high ? [{ at, text }] : []));
  }
  if (axis.powers) {
    const whole = ticks(low, high, Math.min(count, Math.max(1, high - low))).filter(Number.isInteger);
    const values = whole.length > 1 ? whole : ticks(low, high, count);
    return values.map((at) => ({ at, text: powerOfTen(at) }));
  }
  const most = axis.whole ? Math.min(count, Math.max(1, high - low)) : count;
  const values = ticks(low, high, most).filter((value) => value >= low && value <= high && (!axis.whole || Number.isInteger(value)));
  return written(values);
}

/** Values with as many digits as tell them apart, and no more. */
function written(values: readonly number[]): Tick[] {
  const largest = Math.max(...values.map(Math.abs));
  const step = values.length > 1 ? Math.abs((values[1] as number) - (values[0] as number)) : largest;
  let write = tick;
  if (largest >= 1e6 || largest < 1e-3) {
    const lost = (digits: number): boolean => values.some((value) => Math.abs(Number(value.toExponential(digits)) - value) > 1e-6 * step);
    let digits = 0;
    while (digits < 15 && lost(digits)) digits += 1;
    // So many digits are easier to read in full.
    const full = digits > 3 && largest >= 1 && largest < 1e15;
    write = (value) => (value === 0 ? "0" : full ? fixed(value, decimalsOf(step)) : scientific(value, digits));
  } else if (step < 1e-3) write = (value) => (value === 0 ? "0" : fixed(value, decimalsOf(step)));
  return values.map((at) => ({ at, text: write(at) }));
}

const decimalsOf = (step: number): number => Math.min(15, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));

/** The scale of an axis over some px. */
export function scaleOf([low, high]: Ends, from: number, to: number): Scale {
  return linear(low, high, from, to);
}

/** Words in lines of a width, two unless more are allowed; what is too long for the last is cut there. */
export function wrapped(words: string, room: number, most = 2, breaks = /\s+/): string[] {
  const wide = (part: string): number => textWidth(part) * WIDER;
  const out: string[] = [];
  let left = words.trim().split(breaks);
  while (left.length > 0 && left[0] && out.length < most) {
    let kept = out.length === most - 1 || wide(left.join(" ")) <= room ? left.length : left.length - 1;
    if (kept < left.length) while (kept > 1 && wide(left.slice(0, kept).join(" ")) > room) kept -= 1;
    out.push(fit(left.slice(0, kept).join(" "), room / WIDER));
    left = left.slice(kept);
  }
  return out;
}

/** Where a name may break: "item 4" stays together. */
const APART = /\s+(?!\S{1,2}(?:[,;\s]|$))/;

/** Names beside rows, each in up to two lines: cut, one adversary could read as another. */
export function namesBeside(names: readonly string[], room: number): string[][] {
  return names.map((name) => {
    const whole = wrapped(name, room, 2, APART);
    if (whole.join(" ") === name) return whole;
    return wrapped(fit(name, (1.6 * room) / WIDER, 11, false, names), room, 2, APART);
  });
}

/** How names stand along a row of places. */
export interface Along {
  /** The lines of each. */
  texts: string[][];
  slanted: boolean;
  /** Every how many are written. */
  every: number;
  /** px below, or above, the row. */
  height: number;
}

/** Names on a slant of 45°: the longest, px, and how near they may stand; and names in lines. */
const [LONGEST, NEAREST] = [110, 16];
export const NAME_LINE = 13;
const MOST_LINES = 3;

/**
 * Names with `slot` px for each: in a line, in up to three, or on a slant with `room` px beside the place to which they
 * lean.
 */
export function namesAlong(names: readonly string[], slot: number, room: (k: number) => number): Along {
  const stacked: string[][] = [];
  for (const name of names) {
    const lines = wrapped(name, slot - 6, MOST_LINES);
    if (lines.join(" ") !== name) break;
    stacked.push(lines);
  }
  if (stacked.length === names.length) {
    const most = Math.max(1, ...stacked.map((lines) => lines.length));
    return { texts: stacked, slanted: false, every: 1, height: NAME_LINE * most };
  }
  const every = Math.max(1, Math.ceil(NEAREST / slot));
  const shown = names.filter((_, k) => k % every === 0);
  const texts = names.map((name, k) => (k % every === 0 ? fit(name, Math.min(LONGEST, room(k) * Math.SQRT2) / WIDER, 11, false, shown) : ""));
  const longest = Math.max(...texts.map((name) => textWidth(name) * WIDER));
  return { texts: texts.map((name) => [name]), slanted: true, every, height: longest * Math.SQRT1_2 + 10 };
}
