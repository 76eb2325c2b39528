/** Scales, ticks and paths of small charts. Pixels in, pixels out; no chart library. */
import { s, text, type Attrs } from "./dom";
import { tick } from "./format";
import { perNat } from "./preferences";

/** Heights of texts that would overlap, moved apart by at least `gap` and kept inside [low, high]. */
export function apart(wanted: readonly number[], gap: number, low: number, high: number): number[] {
  const order = wanted.map((_, k) => k).sort((a, b) => (wanted[a] as number) - (wanted[b] as number) || a - b);
  const out = wanted.slice();
  let edge = low;
  for (const k of order) {
    out[k] = Math.max(out[k] as number, edge);
    edge = (out[k] as number) + gap;
  }
  edge = high;
  for (const k of order.reverse()) {
    out[k] = Math.min(out[k] as number, edge);
    edge = (out[k] as number) - gap;
  }
  return out;
}

export type Scale = (value: number) => number;

/** The straight line that takes [d0, d1] to [r0, r1]. */
export function linear(d0: number, d1: number, r0: number, r1: number): Scale {
  const length = d1 - d0;
  if (length === 0) return () => r0;
  // A slope may be no number where the share of the way is one: of numbers near 0, and of those near the largest.
  if (Number.isFinite(length)) return (value) => r0 + ((value - d0) / length) * (r1 - r0);
  return (value) => r0 + ((value / 2 - d0 / 2) / (d1 / 2 - d0 / 2)) * (r1 - r0);
}

/** The largest power of ten that is not above a positive value; the value itself where there is none. */
function powerBelow(value: number): number {
  return 10 ** Math.floor(Math.log10(value)) || value;
}

/** The smallest of 1, 2, 4, 5, 8, 10 times a power of ten that is not below `value`; never infinite. */
export function niceCeiling(value: number, steps: readonly number[] = [1, 2, 4, 5, 8, 10]): number {
  if (!(value > 0)) return 1;
  if (value === Infinity) return Number.MAX_VALUE;
  // Below the least normal number multiples are no longer exact: the value itself has to do.
  if (value < 1e-307) return value;
  const power = powerBelow(value);
  const end = steps.find((step) => step * power >= value * (1 - 1e-9)) ?? 10;
  return Math.min(Number.MAX_VALUE, clean(end * power));
}

/** About `count` round values that cover the inside of [low, high], in increasing order. */
export function ticks(low: number, high: number, count = 5): number[] {
  if (!(high > low) || !Number.isFinite(low) || !Number.isFinite(high)) return [low];
  const raw = (high / 2 - low / 2) / Math.max(1, count) || high - low;
  const power = powerBelow(Math.min(Number.MAX_VALUE, 2 * raw));
  const step = Math.min(Number.MAX_VALUE, ([1, 2, 5, 10].find((k) => (k / 2) * power >= raw * (1 - 1e-9)) ?? 10) * power);
  const out: number[] = [];
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  // Counted from the first: far from 0, one more than a number of steps may be the same number.
  for (let k = 0; k <= Math.min(last - first, 4 * Math.max(1, count)); k++) out.push(clean((first + k) * step));
  return out;
}

/** The same for leakages, given in nats: round in the unit that they are shown in. */
export function leakageTicks(low: number, high: number, count = 5): number[] {
  const per = perNat();
  return ticks(low * per, high * per, count).map((value) => value / per);
}

/** What a key of colours says: its ends and middle where they are round, else the round values between them; `per` is how many of what is shown are one. */
export function keyTicks(low: number, high: number, per = 1): number[] {
  const plain = [low, (low + high) / 2, high];
  const round = plain.every((value) => Math.abs(Number((value * per).toPrecision(2)) - value * per) <= 1e-9 * Math.abs(value));
  return round ? plain : ticks(low * per, high * per, 4).map((value) => value / per);
}

/** At an end of a key its number stands inside. */
export const keyAnchor = (x: number, left: number, right: number): string => (x < left + 14 ? "start" : x > right - 14 ? "end" : "middle");

/** Takes the rounding dust off a product of short decimals. */
function clean(value: number): number {
  return Number(value.toPrecision(12)) + 0;
}

/** The `d` of a polyline; points that are not finite break it. */
export function polyline(points: readonly (readonly [number, number])[]): string {
  let d = "";
  let pen = "M";
  for (const [x, y] of points) {
    if (!Number.isFinite(x) || !Number.isFinite(y)) {
      pen = "M";
      continue;
    }
    d += `${pen}${x.toFixed(1)} ${y.toFixed(1)}`;
    pen = "L";
  }
  return d;
}

/** Text with a rim of background, so that it stays readable over lines. */
export const HALO: Attrs = {
  "paint-order": "stroke",
  stroke: "var(--bg)",
  "stroke-width": 3,
  "stroke-linejoin": "round",
};

export function rule(x1: number, y1: number, x2: number, y2: number, attrs: Attrs = {}): SVGLineElement {
  return s("line", { x1, y1, x2, y2, stroke: "var(--line2)", ...attrs });
}

/** Muted text of an axis. */
export function axisText(x: number, y: number, content: string, attrs: Attrs = {}): SVGTextElement {
  return text(x, y, content, { style: "fill:var(--ink2)", ...attrs });
}

/** Horizontal grid lines with their values at the left. */
export function valueAxis(values: readonly number[], y: Scale, left: number, right: number, write = tick): SVGGElement {
  const g = s("g", { "aria-hidden": "true" });
  for (const v of values) {
    g.append(
      rule(left, y(v), right, y(v), { stroke: v === 0 ? "var(--line2)" : "var(--line)" }),
      axisText(left - 6, y(v) + 4, write(v), { "text-anchor": "end" }),
    );
  }
  return g;
}
