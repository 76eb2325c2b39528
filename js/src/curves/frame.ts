/**
 * What the charts over r share: their range and the points to sample, the look of labels, and the ground of a log
 * ratio.
 */
import { leakageTicks, niceCeiling, polyline, rule, type Scale, ticks, valueAxis } from "../ui/axes";
import { s, type Attrs } from "../ui/dom";
import { leakageTick } from "../ui/format";
import type { Chosen, Mixture } from "../ui/protocol";
import { centresOf, density, feasible, logRatio, support } from "./mixture";

// The look of the labels of one tuple: colour and dash, so that colour is never the only cue.

const COLOURS = ["var(--a)", "var(--b)", "var(--c)", "var(--d)"];
const DASHES: (string | null)[] = ["5 2.5", null, "2 2", "9 2.5 2 2.5"];

/** Line attributes of the label at position k; sixteen labels before a look repeats. */
export function series(k: number): Attrs {
  return {
    stroke: COLOURS[k % 4] as string,
    "stroke-width": 2,
    "stroke-dasharray": DASHES[(k + Math.floor(k / 4)) % 4] ?? null,
    fill: "none",
  };
}

export function seriesColour(k: number): string {
  return COLOURS[k % 4] as string;
}

/** A short piece of the line, to stand in text. */
export function lineSample(k: number): SVGSVGElement {
  const svg = s("svg", { viewBox: "0 0 22 8", width: 22, height: 8, class: "line-sample", "aria-hidden": "true" });
  svg.append(s("path", { d: "M1 4H21", ...series(k) }));
  return svg;
}

// The ground of a log ratio: the band of the promise, its lines, and the tint where the ratio leaves it.

export interface RatioPanel {
  /** Where the ratio is sampled, and the ticks of its axis. */
  points: readonly number[];
  ratioTicks: readonly number[];
}

export function ratioPanel(frame: RatioPanel, promise: number, z: Scale, x: Scale, left: number, right: number, ratio: (r: number) => number): SVGElement[] {
  const out: SVGElement[] = [];
  out.push(s("rect", { x: left, y: z(promise), width: Math.max(0, right - left), height: Math.max(0, z(-promise) - z(promise)), fill: "var(--tint)" }));
  out.push(valueAxis(frame.ratioTicks, z, left, right, leakageTick));
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

// What the two charts over r show: their range, the points to sample, the ends of their axes.

export interface Frame {
  /** Range of r. */
  low: number;
  high: number;
  /** Smallest and largest centre. */
  inner: [number, number];
  points: number[];
  rTicks: number[];
  /** Top of the density axis and its ticks. */
  densityTop: number;
  densityTicks: number[];
  /** The log ratio axis is symmetric about 0. */
  ratioTop: number;
  ratioTicks: number[];
  /** Domain positions [over, under] of the log ratio drawn; over is the later label of the attained pair. */
  pair: [number, number] | null;
}

const SAMPLES = 240;
/** How far an axis goes: its length is a number. As in curves_picture.py, like the next. */
const FARTHEST = Number.MAX_VALUE / 4;
/** A narrower axis, relative to what lies on it, would have no length: its ends would be one number. */
const NARROWEST = 1e-9;

/**
 * Beyond the support nothing new happens, so the margins follow the noise only while that leaves the
 * support readable: between an eighth of its width and twice its width.
 */
export function range(inner: [number, number], scale: number): [number, number] {
  const width = inner[1] - inner[0];
  const wished = width > 0 ? Math.min(2 * width, Math.max(width / 8, 2 * scale)) : 2 * scale;
  const margin = Math.max(wished, NARROWEST * Math.max(Math.abs(inner[0]), Math.abs(inner[1])));
  return [Math.max(-FARTHEST, inner[0] - margin), Math.min(FARTHEST, inner[1] + margin)];
}

/** An even grid, every centre (the curves have corners there), and a few points around each peak. */
export function samplePoints(low: number, high: number, centres: readonly number[], scale: number): number[] {
  const all = new Set<number>();
  for (let k = 0; k <= SAMPLES; k++) all.add(low + (high - low) * (k / SAMPLES));
  for (const c of centres) all.add(c);
  if (centres.length <= 40 && scale < (high - low) / 40) {
    for (const c of centres) for (const k of [0.25, 0.5, 1, 1.5, 2, 3, 5]) all.add(c - k * scale).add(c + k * scale);
  }
  return [...all].filter((r) => r >= low && r <= high).sort((a, b) => a - b);
}

/** The pair the log ratio is drawn for: the attained one, the later label over the earlier. */
export function ratioPair(chosen: Chosen): [number, number] | null {
  const pair = chosen.attained?.pair ?? feasiblePair(chosen.mixtures);
  return pair ? [Math.max(...pair), Math.min(...pair)] : null;
}

function feasiblePair(mixtures: readonly Mixture[]): [number, number] | null {
  const at = mixtures.flatMap((m, k) => (feasible(m) ? [k] : []));
  return at.length > 1 ? [at[0] as number, at[at.length - 1] as number] : null;
}

const frames = new WeakMap<Chosen, { scale: number; frame: Frame | null }>();

/** Computed once for each answer and scale. */
export function frameOf(chosen: Chosen, scale: number): Frame | null {
  const known = frames.get(chosen);
  if (known && known.scale === scale) return known.frame;
  const frame = computeFrame(chosen, scale);
  frames.set(chosen, { scale, frame });
  return frame;
}

function computeFrame(chosen: Chosen, scale: number): Frame | null {
  const inner = support(chosen.mixtures);
  if (!inner) return null;
  const [low, high] = range(inner, scale);
  const centres = centresOf(chosen.mixtures);
  const points = samplePoints(low, high, centres, scale);
  let peak = 0;
  for (const m of chosen.mixtures) if (feasible(m)) for (const r of points) peak = Math.max(peak, density(m, scale, r));
  const densityTop = niceCeiling(peak * 1.02, [1, 2, 4, 5, 10]);
  const pair = ratioPair(chosen);
  let largest = Math.abs(chosen.promise);
  if (pair) {
    const [over, under] = pair.map((k) => chosen.mixtures[k]) as [Mixture, Mixture];
    if (feasible(over) && feasible(under)) {
      for (const r of points) largest = Math.max(largest, Math.abs(logRatio(over, under, scale, r)));
    }
  }
  const ratioTop = niceCeiling(largest * 1.12, [1, 2, 3, 4, 5, 6, 8, 10]);
  return {
    low,
    high,
    inner,
    points,
    rTicks: ticks(low, high, 9),
    densityTop,
    densityTicks: [0, densityTop / 2, densityTop],
    ratioTop,
    ratioTicks: leakageTicks(-ratioTop, ratioTop, 6),
    pair,
  };
}

/** Where r stands before anyone has moved it: where the leakage is attained, or a little beyond. */
export function startingR(chosen: Chosen, frame: Frame): number {
  const side = chosen.attained?.side ?? ">=";
  const at = chosen.attained?.r ?? frame.inner[1];
  if (side === "<=") return at - 0.6 * (frame.inner[0] - frame.low);
  if (side === ">=") return at + 0.6 * (frame.high - frame.inner[1]);
  return at;
}
