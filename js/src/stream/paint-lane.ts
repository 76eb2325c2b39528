/** One lane: what was released, what the adversary believed before, and what it leaked against the promise. */
import { magnitude } from "../ui/colours";
import { leakage as leakageText, leakageTick, probability } from "../ui/format";
import { fit, textWidth } from "../ui/lettering";
import type { Brush, PixelColumns } from "./brush";
import { columnsOfBelief, columnsOfHeat, columnsOfLeakage, columnsOfSymbols } from "./paint-columns";
import { SQUARES, stepX, type LaneFrame, type PlotLayout, type Span, type Stretch } from "./plot-layout";
import { NOTHING, type LaneArrays, type StepRecord } from "./step-record";
import { isOverPromise, stateText } from "./words";
import { leakageUnit, preferences } from "../ui/preferences";

// Rows of symbols: squares for two states, bars at their places for more, and what is wrong underlined.

export interface SymbolRow {
  top: number;
  symbols: Uint16Array;
  /** What they should be; null for the true ones. */
  truth: Uint16Array | null;
}

export function paintSymbols(
  brush: Brush,
  layout: PlotLayout,
  span: Span,
  record: StepRecord,
  states: number,
  until: number,
  { top, symbols, truth }: SymbolRow,
): void {
  const width = (layout.right - layout.left) / span.places;
  const begin = Math.max(span.first, record.first);
  const size = Math.max(2, Math.min(8, width - 1.5));
  const place = layout.strip / states;
  const tall = Math.max(2, place - 1);
  const left = (step: number): number => stepX(layout, span, step) + (width - size) / 2;
  /** Calls back with the steps whose symbol is there. */
  const each = (visit: (x: number, symbol: number, right: number) => void): void => {
    for (let step = begin + 1; step <= until; step++) {
      const k = record.at(step);
      const symbol = symbols[k] as number;
      if (symbol !== NOTHING) visit(left(step), symbol, truth ? (truth[k] as number) : symbol);
    }
  };
  if (states <= SQUARES) {
    brush.rects("ink2", 1, (add) => each((x, symbol) => symbol > 0 && add(x, top, size, layout.strip)));
    // Where a square has no inside, a bar at its foot stands for an empty one.
    if (size < 4) brush.rects("ink2", 1, (add) => each((x, symbol) => symbol === 0 && add(x, top + layout.strip - 2, size, 2)));
    else {
      const context = brush.pen("ink2", 1);
      each((x, symbol) => symbol === 0 && context.rect(x + 0.5, top + 0.5, size - 1, layout.strip - 1));
      context.stroke();
    }
  } else {
    if (truth) brush.rects("ink2", 0.35, (add) => each((x, symbol, right) => symbol !== right && add(x, placeOf(layout, top, states, right), size, tall)));
    brush.rects(truth ? "ink" : "ink2", 1, (add) => each((x, symbol) => add(x, placeOf(layout, top, states, symbol), size, tall)));
  }
  if (truth) brush.rects("ink", 1, (add) => each((x, symbol, right) => symbol !== right && add(x, top + layout.strip + 2, size, 2)));
}

/** The first state lies lowest, as on an axis. */
function placeOf({ strip }: PlotLayout, top: number, states: number, symbol: number): number {
  return top + ((states - 1 - symbol) * (strip - Math.max(0, 2 - strip / states))) / states;
}

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
  /** The steps on screen; columns of pixels in a dense picture. */
  parts: readonly Stretch[];
  dense: boolean;
}

/** Beside a bar of leakage, px. */
const GAP = 0.75;

/** One text per place: captions at the left. */
function caption(brush: Brush, y: number, one: string, two: string): void {
  brush.text(0, y, one);
  brush.text(0, y + 12, two, { colour: "ink2" });
}

/** Behind everything: where the promise is broken, the beliefs that keep it, and the feet of the axes. */
export function paintGround(brush: Brush, frame: LaneFrame, picture: LanePicture): void {
  const { layout, span, record, until, marked } = picture;
  const from = Math.max(span.first, record.first);
  brush.line(0, frame.top - 6, layout.width, frame.top - 6, "line");
  if (marked !== null && marked <= until) {
    const x = stepX(layout, span, Math.max(marked, from + 1));
    brush.rect(x, frame.released - 6, stepX(layout, span, until + 1) - x, frame.bottom - frame.released + 2, "overtint");
  }
  if (until <= from) return;
  const band = bandOf(picture);
  if (band !== null) {
    const now = stepX(layout, span, until + 1);
    const y = (p: number): number => frame.belief + (1 - p) * layout.beliefHeight;
    brush.rect(layout.left, y(1 - band), now - layout.left, y(band) - y(1 - band), "promise", 0.12);
    for (const edge of [band, 1 - band]) brush.line(layout.left, y(edge), now, y(edge), "promise", 1, [2, 2]);
  }
}

/** The lower end of the beliefs in the second state that keep the promise, where they are shown as a band. */
function bandOf({ states, record, band }: LanePicture): number | null {
  return states.length === 2 && record.columns === 2 && band !== null && band > 0 && band < 0.5 ? band : null;
}

/** Beliefs in all states have colours. */
function isHeat({ states, record, heat }: LanePicture): boolean {
  return states.length > 2 && record.columns > 1 && heat;
}

/** Columns of pixels of the lane; they are shown with those of all lanes. */
export function fillColumns(brush: Brush, image: PixelColumns, lane: LaneArrays, frame: LaneFrame, picture: LanePicture): void {
  columnsOfSymbols(brush, image, picture, frame.released, lane.released, picture.record.symbols);
  if (isHeat(picture)) columnsOfHeat(image, picture, lane, frame, heatScale(picture.dark));
  else columnsOfBelief(brush, image, picture, lane, frame, shownBelief(lane, picture));
  columnsOfLeakage(brush, image, picture, lane, frame);
}

export function paintLane(brush: Brush, lane: LaneArrays, frame: LaneFrame, picture: LanePicture): void {
  const { layout, span, record, states, until, dense } = picture;
  const from = Math.max(span.first, record.first);
  brush.text(0, frame.released + Math.min(8, layout.strip / 2 + 4), "released");
  if (!dense) paintSymbols(brush, layout, span, record, states.length, until, { top: frame.released, symbols: lane.released, truth: record.symbols });
  else paintRims(brush, frame.released, picture);
  if (until > from) {
    if (isHeat(picture)) paintHeat(brush, lane, frame, picture);
    else paintBelief(brush, lane, frame, picture, from);
    paintLeakage(brush, lane, frame, picture, from);
  } else paintAxes(brush, frame, picture);
}

/** Above and below a row of shares, which may be empty. */
export function paintRims(
  brush: Brush,
  top: number,
  { layout, span, record, states, until }: Pick<LanePicture, "layout" | "span" | "record" | "states" | "until">,
): void {
  const from = Math.max(span.first, record.first);
  if (states.length > SQUARES || until <= from) return;
  const [start, end] = [stepX(layout, span, from + 1), stepX(layout, span, until + 1)];
  brush.line(start, top, end, top, "line2");
  brush.line(start, top + layout.strip, end, top + layout.strip, "line2");
}

/** The belief that is drawn as a line: that in the second of two states, or in the true one. */
function shownBelief(lane: LaneArrays, { states, record }: LanePicture): (k: number) => number {
  const many = record.columns;
  if (states.length === 2 && many === 2) return (k) => lane.belief[k * 2 + 1] as number;
  if (many > 1) return (k) => lane.belief[k * many + (record.symbols[k] as number)] as number;
  return (k) => lane.belief[k] as number;
}

function paintAxes(brush: Brush, frame: LaneFrame, { layout, states }: LanePicture): void {
  caption(brush, frame.belief + layout.beliefHeight / 2, "belief", layout.narrow ? "" : states.length === 2 ? "next" : "true one");
  caption(brush, frame.leakage + layout.leakHeight / 2, "leakage", leakageUnit());
}

function paintBelief(brush: Brush, lane: LaneArrays, frame: LaneFrame, picture: LanePicture, from: number): void {
  const { layout, span, record, states, until, cursor, valueX } = picture;
  const height = layout.beliefHeight;
  const foot = frame.belief + height;
  const y = (p: number): number => foot - p * height;
  const two = states.length === 2 && record.columns === 2;
  const room = layout.left - 4;
  const forms = two ? [`next is ${stateText(states, 1)}`, `is ${stateText(states, 1)}`] : ["in the true one", "true one"];
  const whose = forms.find((words) => textWidth(words) <= room) ?? (forms[1] as string);
  caption(brush, frame.belief + height / 2 - 2, "belief", fit(whose, room));
  brush.line(layout.left, foot, layout.right, foot, "line2");
  brush.text(layout.left - 5, foot + 1, "0", { colour: "ink2", align: "end" });
  brush.text(layout.left - 5, frame.belief + 8, "1", { colour: "ink2", align: "end" });
  const value = shownBelief(lane, picture);
  if (!picture.dense) {
    paintStairs(brush, lane, picture, value, y, false);
    paintStairs(brush, lane, picture, value, y, true);
  }
  const band = bandOf(picture);
  if (band !== null && !layout.narrow) {
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
    if (p >= 0)
      brush.text(valueX, Math.min(foot - 1, Math.max(frame.belief + 9, y(p) + 4)), probability(p), {
        bold: true,
        colour: lane.over[k] ? "over" : "ink",
        halo: true,
      });
  }
}

/** A belief that stays for the length of a step; of the steps over their promise alone, thick. Rectangles are drawn faster than a line with as many corners. */
function paintStairs(
  brush: Brush,
  lane: LaneArrays,
  { record, parts }: LanePicture,
  value: (k: number) => number,
  y: (p: number) => number,
  only: boolean,
): void {
  const thick = only ? 3 : 1.5;
  const half = thick / 2;
  brush.rects(only ? "over" : "ink", 1, (add) => {
    let [begin, level] = [NaN, NaN];
    const end = (x: number): void => {
      if (level >= 0) add(begin, level - half, x - begin, thick);
    };
    parts.forEach(({ x, from }) => {
      const k = record.at(from);
      const p = value(k);
      const now = (only && !lane.over[k]) || !(p >= 0) ? NaN : y(p);
      if (now === level) return;
      end(x);
      // Between two levels it stands on both of them.
      if (now >= 0 && level >= 0) add(x - half, Math.min(now, level) - half, thick, Math.abs(now - level) + thick);
      [begin, level] = [x, now];
    });
    const last = parts[parts.length - 1];
    if (last) end(last.x + last.width);
  });
}

/** Small rows of belief, one for each state, dark where it is large. */
function paintHeat(brush: Brush, lane: LaneArrays, frame: LaneFrame, picture: LanePicture): void {
  const { layout, record, states, cursor, valueX, dark, parts } = picture;
  const n = states.length;
  const count = parts.length;
  caption(brush, frame.belief + layout.beliefHeight / 2 - 2, "belief", layout.narrow ? "" : "by state");
  const [x, end] = [(parts[0] as Stretch).x, parts[count - 1] as Stretch];
  if (!picture.dense) {
    const scale = heatScale(dark);
    brush.image(count, n, x, frame.belief, end.x + end.width - x, layout.beliefHeight, (pixels) => {
      parts.forEach(({ to }, column) => {
        const k = record.at(to) * n;
        for (let state = 0; state < n; state++) {
          const p = lane.belief[k + state] as number;
          pixels[(n - 1 - state) * count + column] = scale[Math.round(Math.min(1, Math.max(0, p)) * 255)] as number;
        }
      });
    });
  }
  const row = layout.beliefHeight / n;
  const free = layout.left - 9 - textWidth(layout.narrow ? "belief" : "by state");
  const names = states.map((_, k) => stateText(states, k));
  const label = (state: number): void => {
    const y = frame.belief + (n - 1 - state) * row + row / 2 + 4;
    brush.text(layout.left - 5, y, fit(names[state] as string, free, 11, false, names), { colour: "ink2", align: "end" });
  };
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

const scales = new Map<string, Uint32Array>();

function heatScale(dark: boolean): Uint32Array {
  const key = `${preferences().palette} ${dark}`;
  const known = scales.get(key);
  if (known) return known;
  const made = Uint32Array.from({ length: 256 }, (_, k) => {
    const [r, g, b] = magnitude(k / 255, dark);
    return (255 << 24) | (b << 16) | (g << 8) | r;
  });
  scales.set(key, made);
  return made;
}

function paintLeakage(brush: Brush, lane: LaneArrays, frame: LaneFrame, picture: LanePicture, from: number): void {
  const { layout, record, until, cursor, valueX, top } = picture;
  const height = layout.leakHeight;
  const foot = frame.leakage + height;
  const y = (v: number): number => foot - (Math.min(v, top) / top) * height;
  caption(brush, frame.leakage + height / 2 - 2, "leakage", leakageUnit());
  if (!picture.dense) paintBars(brush, lane, picture, foot, y);
  brush.line(layout.left, foot, layout.right, foot, "line2");
  brush.text(layout.left - 5, foot + 1, "0", { colour: "ink2", align: "end" });
  const promiseNow = record.promise[record.at(until)] as number;
  if (promiseNow > top * 0.25 && promiseNow < top * 0.82)
    brush.text(layout.left - 5, y(promiseNow) + 4, leakageTick(threeDigits(promiseNow)), { colour: "promise", align: "end" });
  brush.text(layout.left - 5, frame.leakage + 8, leakageTick(threeDigits(top)), { colour: "ink2", align: "end" });
  paintPromise(brush, picture, from, y);
  // At the right end of the line, where no number stands.
  if (picture.first && !layout.narrow && valueX < layout.right - 60 && Number.isFinite(promiseNow))
    brush.text(layout.right + 4, y(promiseNow) + 4, "promise", { colour: "promise" });
  if (record.has(cursor)) {
    const k = record.at(cursor);
    const leaks = lane.leakage[k] as number;
    if (leaks >= 0)
      brush.text(
        valueX,
        Math.min(foot - 1, Math.max(frame.leakage + 9, y(leaks) - 5)),
        leakageText(leaks, record.promise[k]),
        { bold: true, colour: lane.over[k] ? "over" : "ink", halo: true },
      );
  }
}

/** Bars of leakage, up to the promise and above it. */
function paintBars(brush: Brush, lane: LaneArrays, { record, parts }: LanePicture, foot: number, y: (v: number) => number): void {
  const over: [number, number, number, number][] = [];
  const none: [number, number, number, number][] = [];
  brush.rects("promise", 0.42, (add) => {
    for (const part of parts) {
      const k = record.at(part.from);
      const [leaks, promise] = [lane.leakage[k] as number, record.promise[k] as number];
      if (!(leaks >= 0)) continue;
      const [x, w] = [part.x + GAP, part.width - 2 * GAP];
      const within = Math.min(leaks, promise);
      if (within > 0) add(x, Math.min(foot - 1, y(within)), w, Math.max(1, foot - y(within)));
      else none.push([x, foot - 2, w, 2]);
      if (isOverPromise(leaks, promise)) over.push([x, y(leaks), w, Math.max(2, y(promise) - y(leaks))]);
    }
  });
  if (none.length) brush.rects("promise", 1, (add) => none.forEach((bar) => add(...bar)));
  if (over.length) brush.rects("over", 1, (add) => over.forEach((bar) => add(...bar)));
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
