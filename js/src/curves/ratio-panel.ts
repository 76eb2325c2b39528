/** The ground of a log ratio: the band of the promise, its lines, and the tint where the ratio leaves it. */
import { polyline, rule, valueAxis, type Scale } from "../ui/axes";
import { s } from "../ui/dom";

export interface RatioPanel {
  /** Where the ratio is sampled, and the ticks of its axis. */
  points: readonly number[];
  ratioTicks: readonly number[];
}

export function ratioPanel(frame: RatioPanel, promise: number, z: Scale, x: Scale, left: number, right: number, ratio: (r: number) => number): SVGElement[] {
  const out: SVGElement[] = [];
  out.push(s("rect", { x: left, y: z(promise), width: Math.max(0, right - left), height: Math.max(0, z(-promise) - z(promise)), fill: "var(--tint)" }));
  out.push(valueAxis(frame.ratioTicks, z, left, right));
  for (const sign of [1, -1]) {
    const edge = z(sign * promise);
    out.push(rule(left, edge, right, edge, { stroke: "var(--promise)", "stroke-dasharray": "4 3", "stroke-width": 1.5 }));
    const beyond = frame.points.map((r) => [x(r), z(sign * Math.max(promise, sign * ratio(r)))] as const);
    if (frame.points.some((r) => sign * ratio(r) > promise * (1 + 1e-9))) {
      out.push(s("path", { d: `${polyline([[left, edge], ...beyond, [right, edge]])}Z`, fill: "var(--overtint)" }));
    }
  }
  return out;
}
