/** The logarithmic axis of the slack: powers of ten from 1 down, with a band above 1 that promises nothing. */
import { axisText, rule, type Scale } from "../ui/axes";
import { fixed, scientific } from "../ui/format";

export interface LogAxis {
  /** Least power of ten that is drawn, negative. */
  low: number;
  y: Scale;
  left: number;
  right: number;
  /** y of 1 and of the least value, px. */
  top: number;
  bottom: number;
}

export function logAxis(low: number, left: number, right: number, top: number, bottom: number): LogAxis {
  // What is 0 stands below the foot, what is beyond 1 in the band.
  const y: Scale = (value) => (value > 0 ? Math.min(bottom + 40, top + ((bottom - top) * Math.log10(value)) / low) : bottom + 40);
  return { low, y, left, right, top, bottom };
}

function powerText(power: number): string {
  return power === 0 ? "1" : power > -4 ? fixed(10 ** power, -power) : scientific(10 ** power, 0);
}

/** A line at every power of ten, or at some where there are many; short ticks at 2 and 5 between them. */
export function logLines({ low, y, left, right }: LogAxis): SVGElement[] {
  const out: SVGElement[] = [];
  const every = Math.ceil(-low / 6);
  for (let power = 0; power >= low; power -= 1) {
    const at = y(10 ** power);
    const shown = power % every === 0;
    out.push(shown ? rule(left, at, right, at, { stroke: power === 0 || power === low ? "var(--line2)" : "var(--line)" }) : rule(left - 3, at, left, at));
    if (shown) out.push(axisText(left - 6, at + 4, powerText(power), { "text-anchor": "end" }));
    if (every === 1 && power > low) for (const step of [2, 5]) out.push(rule(left - 3, y(step * 10 ** (power - 1)), left, y(step * 10 ** (power - 1))));
  }
  return out;
}
