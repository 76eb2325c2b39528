/** The scale of the noise as an input: what is accepted, how it reads, and the track of its slider. */
import { parameter, tick } from "./format";
import { clip } from "./lettering";

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

/** Both ends, and 1 where it has room. */
export function trackTicks({ min, max }: Track): { value: number; text: string }[] {
  const share = -Math.log10(min) / Math.log10(max / min);
  const inner = share > 0.2 && share < 0.8 ? [{ value: 1, text: "1" }] : [];
  return [{ value: min, text: tick(min) }, ...inner, { value: max, text: tick(max) }];
}
