/** One lane: what was released, what the adversary believed before, and what it leaked against the promise. */
import { viridis } from "../ui/palette";
import { leakage as leakageText, probability, tick } from "../ui/format";
import { fit, textWidth } from "../ui/lettering";
import type { Brush } from "./brush";
import { stepX, stretches, type LaneFrame, type PlotLayout, type Span, type Stretch } from "./plot-layout";
import { paintSymbols } from "./paint-symbols";
import type { LaneArrays, StepRecord } from "./step-record";
import { isOverPromise, stateText } from "./words";

export interface LanePicture {
  layout: PlotLayout;
  span: Span;
  record: StepRecord;
  states: readonly string[];
  /** The last step on screen, and the one whose numbers are written. */
  until: number;
  cursor: number;
  /** Where the numbers stand. */
  valueX: number;
  /** Largest leakage of the axis. */
  top: number;
  /** The band of beliefs for which a conditional response keeps its promise; null for others. */
  band: number | null;
  /** The first step over its promise, where it is to be marked. */
  marked: number | null;
  dark: boolean;
  /** Beliefs in all states as colours; else that in the true one as a line. */
  heat: boolean;
  /** The uppermost lane says what its lines are. */
  first: boolean;
}

/** One text per place: captions at the left. */
function caption(brush: Brush, y: number, one: string, two: string): void {
  brush.text(0, y, one);
  brush.text(0, y + 12, two, { colour: "ink2" });
}

export function paintLane(brush: Brush, lane: LaneArrays, frame: LaneFrame, picture: LanePicture): void {
  const { layout, span, record, states, until, marked } = picture;
  const from = Math.max(span.first, record.first);
  if (marked !== null && marked <= until) {
    const x = stepX(layout, span, Math.max(marked, from + 1));
    brush.rect(x, frame.released - 6, stepX(layout, span, until + 1) - x, frame.bottom - frame.released + 2, "overtint");
  }
  brush.text(0, frame.released + Math.min(8, layout.strip / 2 + 4), "released");
  paintSymbols(brush, layout, span, record, states.length, until, { top: frame.released, symbols: lane.released, truth: record.symbols });
  if (until > from) {
    if (states.length > 2 && record.columns > 1 && picture.heat) paintHeat(brush, lane, frame, picture, from);
    else paintBelief(brush, lane, frame, picture, from);
    paintLeakage(brush, lane, frame, picture, from);
  } else paintAxes(brush, frame, picture);
}

/** Calls back with each step, or with the least and largest of the steps that share a pixel. */
function columns({ layout, span, record, until }: LanePicture, from: number, visit: (x: number, width: number, low: number, high: number, over: boolean) => void, value: (k: number) => number, over: Uint8Array): void {
  for (const { x, width, from: begin, to } of stretches(layout, span, from + 1, until)) {
    let [low, high, broken] = [Infinity, -Infinity, false];
    for (let at = begin; at <= to; at++) {
      const k = record.at(at);
      const v = value(k);
      if (v < low) low = v;
      if (v > high) high = v;
      if (over[k]) broken = true;
    }
    visit(x, width, low, high, broken);
  }
}

function paintAxes(brush: Brush, frame: LaneFrame, { layout, states }: LanePicture): void {
  caption(brush, frame.belief + layout.beliefHeight / 2, "belief", layout.narrow ? "" : states.length === 2 ? "next" : "true one");
  caption(brush, frame.leakage + layout.leakHeight / 2, "leakage", "nats");
}

function paintBelief(brush: Brush, lane: LaneArrays, frame: LaneFrame, picture: LanePicture, from: number): void {
  const { layout, span, record, states, until, cursor, band, valueX } = picture;
  const height = layout.beliefHeight;
  const foot = frame.belief + height;
  const y = (p: number): number => foot - p * height;
  const two = states.length === 2 && record.columns === 2;
  const now = stepX(layout, span, until + 1);
  const room = layout.left - 4;
  const forms = two ? [`next is ${stateText(states, 1)}`, `is ${stateText(states, 1)}`] : ["in the true one", "true one"];
  const whose = forms.find((words) => textWidth(words) <= room) ?? (forms[1] as string);
  caption(brush, frame.belief + height / 2 - 2, "belief", fit(whose, room));
  if (two && band !== null && band > 0 && band < 0.5) {
    brush.rect(layout.left, y(1 - band), now - layout.left, y(band) - y(1 - band), "promise", 0.12);
    for (const edge of [band, 1 - band]) brush.line(layout.left, y(edge), now, y(edge), "promise", 1, [2, 2]);
  }
  brush.line(layout.left, foot, layout.right, foot, "line2");
  brush.text(layout.left - 5, foot + 1, "0", { colour: "ink2", align: "end" });
  brush.text(layout.left - 5, frame.belief + 8, "1", { colour: "ink2", align: "end" });
  const wide = (layout.right - layout.left) / span.places >= 2;
  const many = record.columns;
  const value = (k: number): number => lane.belief[two ? k * 2 + 1 : many > 1 ? k * many + (record.symbols[k] as number) : k] as number;
  const draw = (only: boolean, colour: "ink" | "over", width: number): void => {
    const context = brush.pen(colour, width);
    let pen = false;
    columns(picture, from, (x, w, low, high, over) => {
      if (only && !over) pen = false;
      else if (!(high >= 0)) pen = false;
      else {
        if (pen) context.lineTo(x, y(wide ? high : low));
        else context.moveTo(x, y(wide ? high : low));
        if (wide) context.lineTo(x + w, y(high));
        else context.lineTo(x, y(high));
        pen = true;
      }
    }, value, lane.over);
    context.stroke();
  };
  draw(false, "ink", wide ? 1.5 : 1);
  draw(true, "over", wide ? 3 : 2);
  if (two && band !== null && band > 0 && band < 0.5 && !layout.narrow) {
    const words = `valid between ${probability(band)} and ${probability(1 - band)}`;
    const needed = textWidth(words) + 8;
    // Below the band or above it, where no belief passes; else not at all.
    const last = Math.min(until, span.first + Math.ceil((needed / (layout.right - layout.left)) * span.places));
    const free = (low: number, high: number): boolean => {
      for (let step = from + 1; step <= last; step++) {
        const p = value(record.at(step));
        if (p >= low && p <= high) return false;
      }
      return true;
    };
    const tall = 14 / height;
    if (free(band - tall, band)) brush.text(layout.left + 4, y(band) + 12, words, { colour: "promise" });
    else if (free(1 - band, 1 - band + tall)) brush.text(layout.left + 4, y(1 - band) - 4, words, { colour: "promise" });
  }
  if (record.has(cursor)) {
    const k = record.at(cursor);
    const p = value(k);
    if (p >= 0) brush.text(valueX, Math.min(foot - 1, Math.max(frame.belief + 9, y(p) + 4)), probability(p), { bold: true, colour: lane.over[k] ? "over" : "ink", halo: true });
  }
}

/** Small rows of belief, one for each state, dark where it is large. */
function paintHeat(brush: Brush, lane: LaneArrays, frame: LaneFrame, picture: LanePicture, from: number): void {
  const { layout, span, record, states, until, cursor, valueX, dark } = picture;
  const n = states.length;
  const parts = stretches(layout, span, from + 1, until);
  const count = parts.length;
  caption(brush, frame.belief + layout.beliefHeight / 2 - 2, "belief", layout.narrow ? "" : "by state");
  const scale = heatScale(dark);
  const x = (parts[0] as Stretch).x;
  const end = parts[count - 1] as Stretch;
  brush.image(count, n, x, frame.belief, end.x + end.width - x, layout.beliefHeight, (pixels) => {
    parts.forEach(({ to }, column) => {
      const k = record.at(to) * n;
      for (let state = 0; state < n; state++) {
        const p = lane.belief[k + state] as number;
        pixels[(n - 1 - state) * count + column] = scale[Math.round(Math.min(1, Math.max(0, p)) * 255)] as number;
      }
    });
  });
  const row = layout.beliefHeight / n;
  const free = layout.left - 9 - textWidth(layout.narrow ? "belief" : "by state");
  const label = (state: number): void => brush.text(layout.left - 5, frame.belief + (n - 1 - state) * row + row / 2 + 4, fit(stateText(states, state), free), { colour: "ink2", align: "end" });
  if (row >= 11) states.forEach((_, state) => label(state));
  else for (const state of [0, n - 1]) label(state);
  if (record.has(cursor)) {
    const k = record.at(cursor);
    const truth = record.symbols[k] as number;
    const p = lane.belief[k * n + truth] as number;
    brush.text(valueX, frame.belief + layout.beliefHeight / 2 + 4, probability(p), { bold: true, colour: lane.over[k] ? "over" : "ink", halo: true });
    if (!layout.narrow) brush.text(valueX, frame.belief + layout.beliefHeight / 2 + 16, "in the true one", { colour: "ink2", halo: true });
  }
}

const scales = new Map<boolean, Uint32Array>();

function heatScale(dark: boolean): Uint32Array {
  const known = scales.get(dark);
  if (known) return known;
  const made = Uint32Array.from({ length: 256 }, (_, k) => {
    const [r, g, b] = viridis(k / 255, dark);
    return (255 << 24) | (b << 16) | (g << 8) | r;
  });
  scales.set(dark, made);
  return made;
}

function paintLeakage(brush: Brush, lane: LaneArrays, frame: LaneFrame, picture: LanePicture, from: number): void {
  const { layout, span, record, until, cursor, valueX, top } = picture;
  const height = layout.leakHeight;
  const foot = frame.leakage + height;
  const y = (v: number): number => foot - (Math.min(v, top) / top) * height;
  caption(brush, frame.leakage + height / 2 - 2, "leakage", "nats");
  const gap = (layout.right - layout.left) / span.places >= 3 ? 0.75 : 0;
  const over: [number, number, number, number][] = [];
  const none: [number, number, number, number][] = [];
  brush.rects("promise", 0.42, (add) => {
    for (const stretch of stretches(layout, span, from + 1, until)) {
      let [leaks, promise] = [-1, 0];
      for (let at = stretch.from; at <= stretch.to; at++) {
        const k = record.at(at);
        const v = lane.leakage[k] as number;
        if (v > leaks) [leaks, promise] = [v, record.promise[k] as number];
      }
      if (leaks < 0) continue;
      // Bars side by side end on whole pixels, or their edges would show.
      const x = gap > 0 ? stretch.x + gap : brush.snap(stretch.x);
      const w = gap > 0 ? stretch.width - 2 * gap : brush.snap(stretch.x + stretch.width) - x;
      const within = Math.min(leaks, promise);
      if (within > 0) add(x, Math.min(foot - 1, y(within)), w, Math.max(1, foot - y(within)));
      else none.push([x, foot - 2, w, 2]);
      if (isOverPromise(leaks, promise)) over.push([x, y(leaks), w, Math.max(2, y(promise) - y(leaks))]);
    }
  });
  if (none.length) brush.rects("promise", 1, (add) => none.forEach((bar) => add(...bar)));
  if (over.length) brush.rects("over", 1, (add) => over.forEach((bar) => add(...bar)));
  brush.line(layout.left, foot, layout.right, foot, "line2");
  brush.text(layout.left - 5, foot + 1, "0", { colour: "ink2", align: "end" });
  const promiseNow = record.promise[record.at(until)] as number;
  if (promiseNow > top * 0.25 && promiseNow < top * 0.82) brush.text(layout.left - 5, y(promiseNow) + 4, tick(threeDigits(promiseNow)), { colour: "promise", align: "end" });
  brush.text(layout.left - 5, frame.leakage + 8, tick(threeDigits(top)), { colour: "ink2", align: "end" });
  paintPromise(brush, picture, from, y);
  // At the right end of the line, where no number stands.
  if (picture.first && !layout.narrow && valueX < layout.right - 60 && Number.isFinite(promiseNow)) brush.text(layout.right + 4, y(promiseNow) + 4, "promise", { colour: "promise" });
  if (record.has(cursor)) {
    const k = record.at(cursor);
    const leaks = lane.leakage[k] as number;
    if (leaks >= 0) brush.text(valueX, Math.min(foot - 1, Math.max(frame.leakage + 9, y(leaks) - 5)), leakageText(leaks, record.promise[k]), { bold: true, colour: lane.over[k] ? "over" : "ink", halo: true });
  }
}

/** The end of the axis of leakages from one step up to another, the same for all lanes: multiples of half the promise. */
export function leakageTop(record: StepRecord, from: number, until: number): number {
  let most = 0;
  let promised = 0;
  for (let step = from; step <= until; step++) {
    const k = record.at(step);
    const promise = record.promise[k] as number;
    if (Number.isFinite(promise) && promise > promised) promised = promise;
    for (const { leakage: leaks } of record.lanes) {
      const v = leaks[k] as number;
      if (Number.isFinite(v) && v > most) most = v;
    }
  }
  if (promised === 0) return most > 0 ? most * 1.1 : 1;
  const top = Math.max(2 * promised, Math.ceil(most / (promised / 2) - 1e-9) * (promised / 2));
  // Near the largest float nothing above what is shown is a number.
  return Number.isFinite(top) ? top : Math.max(promised, most);
}

/** Three digits of a number, or all where fewer would be infinite. */
export function threeDigits(value: number): number {
  const short = Number(value.toPrecision(3));
  return Number.isFinite(short) ? short : value;
}

/** What was promised, step by step, and from the last on what will be. */
function paintPromise(brush: Brush, { layout, span, record, until }: LanePicture, from: number, y: (v: number) => number): void {
  const context = brush.pen("promise", 1.5, [4, 3]);
  let last = NaN;
  for (let step = from + 1; step <= until; step++) {
    const promise = record.promise[record.at(step)] as number;
    if (promise === last) continue;
    const x = stepX(layout, span, step);
    if (Number.isFinite(last)) context.lineTo(x, y(last));
    if (Number.isFinite(promise)) {
      if (Number.isFinite(last)) context.lineTo(x, y(promise));
      else context.moveTo(x, y(promise));
    }
    last = promise;
  }
  if (Number.isFinite(last)) context.lineTo(layout.right, y(last));
  context.stroke();
}
