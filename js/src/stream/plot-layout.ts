/** Where everything of the picture of a run stands, in px, and which steps are on it. */

export interface LaneFrame {
  /** Top of the heading. */
  top: number;
  released: number;
  belief: number;
  leakage: number;
  bottom: number;
}

export interface PlotLayout {
  width: number;
  height: number;
  narrow: boolean;
  /** Left and right of the steps. */
  left: number;
  right: number;
  /** Height of a row of symbols. */
  strip: number;
  true: number;
  beliefHeight: number;
  leakHeight: number;
  lanes: LaneFrame[];
  sum: number;
  sumHeight: number;
  /** Where lines through all steps end. */
  bottom: number;
}

const NARROW = 600;
const HEAD = 18;
const UNDER = 12;
/** Up to this many states a symbol is a square, filled or not; beyond it is a bar at its place. */
export const SQUARES = 2;

export function stripHeight(states: number): number {
  return states <= SQUARES ? 8 : Math.min(30, Math.max(15, 3 * states));
}

export function plotLayout(width: number, states: number, lanes: number): PlotLayout {
  const narrow = width < NARROW;
  const strip = stripHeight(states);
  const many = lanes > 2;
  const beliefHeight = many ? 38 : 50;
  const leakHeight = many ? 34 : 46;
  const left = narrow ? 74 : 86;
  const right = width - (narrow ? 78 : 144);
  const top = 20;
  let y = top + strip + UNDER + 6;
  const frames: LaneFrame[] = [];
  for (let k = 0; k < lanes; k++) {
    const released = y + HEAD + 8;
    const belief = released + strip + UNDER;
    const leakage = belief + beliefHeight + 12;
    const bottom = leakage + leakHeight + 10;
    frames.push({ top: y, released, belief, leakage, bottom });
    y = bottom + 12;
  }
  const sum = y + 12;
  const sumHeight = 128;
  const bottom = sum + sumHeight + 8;
  return { width, height: bottom + 18, narrow, left, right, strip, true: top, beliefHeight, leakHeight, lanes: frames, sum, sumHeight, bottom };
}

export interface Span {
  /** Steps before the first one on screen, and how many places there are. */
  first: number;
  places: number;
}

/** The last `zoom` steps up to a position; before there are as many, the first ones. */
export function spanOf(position: number, zoom: number): Span {
  return { first: Math.max(0, position - zoom), places: zoom };
}

/** Left edge of a step, counted from 1. */
export function stepX({ left, right }: PlotLayout, { first, places }: Span, step: number): number {
  return left + ((step - 1 - first) / places) * (right - left);
}

/** The step under a point, whether there is one or not. */
export function stepAt({ left, right }: PlotLayout, { first, places }: Span, x: number): number {
  return first + 1 + Math.floor(((x - left) / (right - left)) * places);
}

/** Round steps for ticks of time, the first and others at round numbers. */
export function timeTicks({ first, places }: Span, most: number): number[] {
  const raw = places / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const every = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= raw) ?? raw;
  const step = Math.max(1, Math.round(every));
  const found = first === 0 ? [1] : [];
  for (let at = Math.ceil((first + 1) / step) * step; at <= first + places; at += step)
    if (at > 1 && (found.length === 0 || at - (found[0] as number) >= step / 2)) found.push(at);
  return found;
}

/** A stretch of the picture that shows some consecutive steps. */
export interface Stretch {
  x: number;
  width: number;
  /** First and last step. */
  from: number;
  to: number;
}

/** Narrower than this a step has no square and no bar of its own, px: columns of pixels are drawn in their place. */
const LEAST = 3;

/** Whether the picture consists of columns of pixels. */
export function isDense({ left, right }: PlotLayout, { places }: Span): boolean {
  return (right - left) / places < LEAST;
}

/** Steps side by side; in a dense picture columns of 1 px, each with the step that it shows or with all that share it. */
export function stretches(layout: PlotLayout, span: Span, first: number, last: number): Stretch[] {
  const room = layout.right - layout.left;
  const made: Stretch[] = [];
  if (!isDense(layout, span)) {
    const width = room / span.places;
    for (let step = first; step <= last; step++) made.push({ x: stepX(layout, span, step), width, from: step, to: step });
    return made;
  }
  const pixels = Math.floor(room);
  const shared = span.places > pixels;
  for (let k = 0; k < pixels; k++) {
    const begin = Math.floor(((shared ? k : k + 0.5) * span.places) / pixels);
    const end = shared ? Math.floor(((k + 1) * span.places) / pixels) : begin + 1;
    const from = Math.max(first, span.first + begin + 1);
    const to = Math.min(last, span.first + end);
    if (from <= to) made.push({ x: layout.left + k, width: 1, from, to });
  }
  return made;
}
