/** Scales, ticks and paths of small charts. Pixels in, pixels out; no chart library. */
import { s, text, type Attrs } from "./dom";
import { tick } from "./format";

export type Scale = (value: number) => number;

/** The straight line that takes [d0, d1] to [r0, r1]. */
export function linear(d0: number, d1: number, r0: number, r1: number): Scale {
  const slope = d1 === d0 ? 0 : (r1 - r0) / (d1 - d0);
  return (value) => r0 + (value - d0) * slope;
}

/** The smallest of 1, 2, 4, 5, 8, 10 times a power of ten that is not below `value`. */
export function niceCeiling(value: number, steps: readonly number[] = [1, 2, 4, 5, 8, 10]): number {
  if (!(value > 0) || !Number.isFinite(value)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  for (const step of steps) if (step * power >= value * (1 - 1e-9)) return clean(step * power);
  return clean(10 * power);
}

/** About `count` round values that cover the inside of [low, high], in increasing order. */
export function ticks(low: number, high: number, count = 5): number[] {
  if (!(high > low) || !Number.isFinite(high - low)) return [low];
  const raw = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5, 10].find((k) => k * power >= raw * (1 - 1e-9)) ?? 10) * power;
  const out: number[] = [];
  const last = Math.floor(high / step + 1e-9);
  for (let k = Math.ceil(low / step - 1e-9); k <= last; k++) out.push(clean(k * step));
  return out;
}

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
export function valueAxis(values: readonly number[], y: Scale, left: number, right: number): SVGGElement {
  const g = s("g", { "aria-hidden": "true" });
  for (const v of values) {
    g.append(
      rule(left, y(v), right, y(v), { stroke: v === 0 ? "var(--line2)" : "var(--line)" }),
      axisText(left - 6, y(v) + 4, tick(v), { "text-anchor": "end" }),
    );
  }
  return g;
}
