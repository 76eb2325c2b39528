/** Lanes in which several steps share a column of pixels: symbols, beliefs and leakages, column by column. */
import { faded, type Brush, type PixelColumns } from "./brush";
import { SQUARES, type LaneFrame, type PlotLayout, type Stretch } from "./plot-layout";
import { NOTHING, type LaneArrays, type StepRecord } from "./step-record";
import { isOverPromise } from "./words";

export interface ColumnPicture {
  layout: PlotLayout;
  record: StepRecord;
  states: readonly string[];
  /** The steps of each column. */
  parts: readonly Stretch[];
  /** Largest leakage of the axis. */
  top: number;
}

/** A row of symbols: for two states the share of the second, for more the places they were at; what is wrong is underlined. */
export function columnsOfSymbols(
  brush: Brush,
  image: PixelColumns,
  { layout, record, states: { length: states }, parts }: Omit<ColumnPicture, "top">,
  top: number,
  symbols: Uint16Array,
  truth: Uint16Array | null,
): void {
  const { strip } = layout;
  const rows = states <= SQUARES ? 1 : Math.min(states, Math.floor(strip));
  const ink = brush.pixel(truth && states > SQUARES ? "ink" : "ink2");
  const mark = brush.pixel("ink");
  for (const { x, from, to } of parts) {
    const column = x - layout.left;
    let [above, off] = [0, 0];
    for (let step = from; step <= to; step++) {
      const k = record.at(step);
      const symbol = symbols[k] as number;
      if (symbol === NOTHING) continue;
      if (rows > 1) {
        const row = Math.floor(((states - 1 - symbol) * rows) / states);
        image.block(column, top + (row * strip) / rows, top + ((row + 1) * strip) / rows, ink);
      } else if (symbol > 0) above += 1;
      if (truth && symbol !== truth[k]) off += 1;
    }
    const many = to - from + 1;
    if (above > 0) image.block(column, top, top + strip, faded(ink, above / many));
    if (off > 0) image.block(column, top + strip + 2, top + strip + 4, faded(mark, off / many));
  }
}

/** From the least to the largest belief of a column, joined to the column before; thick where the promise is broken. */
export function columnsOfBelief(
  brush: Brush,
  image: PixelColumns,
  { layout, record, parts }: ColumnPicture,
  lane: LaneArrays,
  frame: LaneFrame,
  value: (k: number) => number,
): void {
  const height = layout.beliefHeight;
  const foot = frame.belief + height;
  const count = parts.length;
  const [lows, highs, broken] = [new Float64Array(count), new Float64Array(count), new Uint8Array(count)];
  parts.forEach(({ from, to }, j) => {
    let [low, high, over] = [Infinity, -Infinity, 0];
    for (let step = from; step <= to; step++) {
      const k = record.at(step);
      const v = value(k);
      if (v < low) low = v;
      if (v > high) high = v;
      over |= lane.over[k] as number;
    }
    [lows[j], highs[j], broken[j]] = [low, high, over];
  });
  const draw = (only: boolean, pixel: number, half: number): void => {
    let [below, above] = [NaN, NaN];
    parts.forEach(({ x }, j) => {
      const [low, high] = [lows[j] as number, highs[j] as number];
      if ((only && !broken[j]) || !(high >= 0)) {
        below = above = NaN;
        return;
      }
      const upper = foot - (below > high ? below : high) * height - half;
      const lower = foot - (above < low ? above : low) * height + half;
      const column = x - layout.left;
      image.bar(column, upper, lower, pixel);
      if (only) image.bar(column - 1, upper, lower, pixel);
      [below, above] = [low, high];
    });
  };
  draw(false, brush.pixel("ink"), 0.5);
  draw(true, brush.pixel("over"), 1);
}

/** Small rows of belief, one for each state, of the last step of each column. */
export function columnsOfHeat(
  image: PixelColumns,
  { layout, record, states: { length: states }, parts }: ColumnPicture,
  lane: LaneArrays,
  frame: LaneFrame,
  scale: Uint32Array,
): void {
  const row = layout.beliefHeight / states;
  for (const { x, to } of parts) {
    const k = record.at(to) * states;
    for (let state = 0; state < states; state++) {
      const p = lane.belief[k + state] as number;
      const top = frame.belief + (states - 1 - state) * row;
      image.block(x - layout.left, top, top + row, scale[Math.round(Math.min(1, Math.max(0, p)) * 255)] as number);
    }
  }
}

/** Bars of the largest leakage of each column, up to the promise and above it. */
export function columnsOfLeakage(brush: Brush, image: PixelColumns, { layout, record, parts, top }: ColumnPicture, lane: LaneArrays, frame: LaneFrame): void {
  const height = layout.leakHeight;
  const foot = frame.leakage + height;
  const y = (v: number): number => foot - (Math.min(v, top) / top) * height;
  const [none, above] = [brush.pixel("promise"), brush.pixel("over")];
  const inside = faded(none, 0.42);
  for (const { x, from, to } of parts) {
    const column = x - layout.left;
    let [leaks, promise] = [-1, 0];
    for (let step = from; step <= to; step++) {
      const k = record.at(step);
      const v = lane.leakage[k] as number;
      if (v > leaks) [leaks, promise] = [v, record.promise[k] as number];
    }
    if (leaks < 0) continue;
    const within = Math.min(leaks, promise);
    if (within > 0) image.bar(column, Math.min(foot - 1, y(within)), foot, inside);
    else image.bar(column, foot - 2, foot, none);
    if (isOverPromise(leaks, promise)) image.bar(column, y(leaks), Math.max(y(leaks) + 2, y(promise)), above);
  }
}
