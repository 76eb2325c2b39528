/** Scales of noise and budgets as inputs: what is accepted, how it reads, and the track of the slider. */
import { fixed, parameter, scientific, tick } from "./format";
import { clip, textWidth } from "./lettering";
import { parseNumber, quoted, type Parsed } from "./number-entry";
import { toShare } from "./slider";

// Budgets in nats: how they stand in a sentence and in their field, how they are read, and which are refused.

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

// The scale of the noise as an input: what is accepted, how it reads, and the track of its slider.

/** Why a scale is refused, or null; `typed` as it was entered. */
export function refuseScale(value: number, typed = parameter(value)): string | null {
  if (value > 0 && Number.isFinite(value)) return null;
  return `The scale ${clip(typed.trim(), 24)} is refused. Enter a number above 0.`;
}

/** Why a goal is refused, or null. */
export function refuseGoal(value: number, typed = parameter(value)): string | null {
  if (value > 0 && Number.isFinite(value)) return null;
  return `The goal ${clip(typed.trim(), 24)} is refused. Enter a number of nats above 0.`;
}

export function acceptScale(value: number, typed?: string): { ok: true } | { ok: false; reason: string } {
  const reason = refuseScale(value, typed);
  return reason === null ? { ok: true } : { ok: false, reason };
}

/** The scale as it stands in a field: no thousands signs, which could be taken for a decimal comma. */
export function entryText(value: number): string {
  return parameter(value).replace(/,/g, "");
}

/** A scale that is enough, as it is shown and taken over: three digits, the last one rounded up. */
export function enoughScale(value: number): number {
  if (!(value > 0) || !Number.isFinite(value)) return value;
  const rounded = Number(value.toPrecision(3));
  // What the computation leaves open is no reason for another digit.
  if (rounded >= value * (1 - 1e-9)) return rounded;
  const unit = 10 ** (Math.floor(Math.log10(rounded)) - 2);
  return Number((rounded + unit).toPrecision(3));
}

export interface Track {
  min: number;
  max: number;
}

export const TRACK: Track = { min: 0.1, max: 10 };

/** The track, widened to the next power of ten when the value lies outside. It never shrinks under a thumb. */
export function widen(track: Track, value: number): Track {
  if (!(value > 0) || !Number.isFinite(value)) return track;
  const { min, max } = track;
  const power = Math.log10(value);
  return {
    min: value < min ? Math.max(Number.MIN_VALUE, 10 ** Math.floor(power + 1e-12)) : min,
    max: value > max ? Math.min(Number.MAX_VALUE, 10 ** Math.ceil(power - 1e-12)) : max,
  };
}

export interface Tick {
  value: number;
  text: string;
}

/** The shortest track beside an entry, and what texts below it leave between them, px. */
const SHORTEST = 104;
const GAP = 8;

/** Both ends, whose texts stand inside, and of the ticks between them those that meet no other text. */
export function apartTicks(values: readonly number[], log: boolean): Tick[] {
  const ticks = values.map((value) => ({ value, text: tick(value) }));
  const [first, last] = [ticks[0], ticks[ticks.length - 1]] as [Tick, Tick];
  const end = SHORTEST - textWidth(last.text) - GAP;
  let free = textWidth(first.text) + GAP;
  const inner = ticks.slice(1, -1).filter(({ value, text }) => {
    const [middle, half] = [SHORTEST * toShare(value, first.value, last.value, log), textWidth(text) / 2];
    if (middle - half < free || middle + half > end) return false;
    free = middle + half + GAP;
    return true;
  });
  return [first, ...inner, last];
}

/** Both ends of a scale, and 1 where it has room. */
export function trackTicks({ min, max }: Track): Tick[] {
  return apartTicks(min < 1 && max > 1 ? [min, 1, max] : [min, max], true);
}

/** Width of a number entry beside a track, and what its frame and paddings leave for the number, px. */
export const ENTRY = 72;
export const ENTRY_ROOM = ENTRY - 18;

/** The first of several ways to write a number that is not cut off; a cut exponent would read as another number. */
export function within(forms: readonly string[], room: number, size: number): string | null {
  return forms.find((text) => textWidth(text, size) <= room) ?? null;
}

/** A budget in an entry, `text` in full: with fewer digits where all of them would be cut off. */
export function budgetWithin(value: number, text: string): string {
  const plain = Number.isFinite(value) && value >= 0.01 && value < 1e6;
  const forms = plain ? [1, 0].filter((decimals) => value >= 10 ** (3 - decimals)).map((decimals) => fixed(value, decimals).replace(/,/g, "")) : [];
  return within([text, ...forms, scientific(value, 2), scientific(value, 1), scientific(value, 0)], ENTRY_ROOM, 13) ?? scientific(value, 0);
}

/** The whole number for a tooltip, where what is shown says less. */
export function wholeNumber(value: number, shown: string): string | null {
  const reads = Number(shown.replace("−", "-").replace("∞", "Infinity"));
  return reads === value || Number.isNaN(value) ? null : String(value);
}
