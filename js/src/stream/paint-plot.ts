/** What a run looks like at one step, on one canvas: symbols, lanes and sums, without its headings. */
import { apart, leakageTicks, niceCeiling } from "../ui/axes";
import { bound, fixed, leakage, leakageTick, tick } from "../ui/format";
import { fit, textWidth } from "../ui/lettering";
import { Way, type Brush, type ColourName, type PixelColumns } from "./brush";
import { columnsOfSymbols } from "./paint-columns";
import { fillColumns, leakageTop, paintGround, paintLane, paintRims, paintSymbols, type LanePicture } from "./paint-lane";
import type { PlotProps } from "./plot";
import { isDense, spanOf, SQUARES, stepX, stretches, timeTicks, type PlotLayout, type Span } from "./plot-layout";
import type { ChangeState } from "./protocol";
import type { StepRecord } from "./step-record";
import { laneLine, stateText, validFrom } from "./words";
import { leakageUnit } from "../ui/preferences";

// The sum of step leakages of every lane against linear and advanced composition.

export interface SumPicture {
  layout: PlotLayout;
  span: Span;
  record: StepRecord;
  until: number;
  cursor: number;
  valueX: number;
  /** The chance with which advanced composition may be passed. */
  delta: number;
  names: readonly string[];
  /** Which line each lane has. */
  lines: readonly number[];
  /** Which lanes have broken their promise. */
  broken: readonly boolean[];
}

/** Length of a line that stands for a name, px. */
const SAMPLE = 16;
/** Bounds so many times above the sum leave the picture: their numbers stand beside it. */
const FAR = 8;

/** The largest number to show: bounds a little beyond the sum fit in, far and infinite ones are cut. */
export function sumTop({ record, span, until }: Pick<SumPicture, "record" | "span" | "until">): number {
  const last = Math.min(record.end, span.first + span.places);
  // Sums only grow: the last finite one is the largest.
  const most = (array: Float64Array, step: number): number => {
    for (let at = step; at > Math.max(span.first, record.first); at--) {
      const value = array[record.at(at)] as number;
      if (Number.isFinite(value)) return value;
    }
    return 0;
  };
  const lanes = Math.max(0, ...record.lanes.map(({ sum }) => most(sum, until)));
  const bounds = [most(record.linear, last), most(record.advanced, last)].filter((value) => value > 0);
  const far = lanes > 0 ? FAR * lanes : Infinity;
  return niceCeiling(Math.max(lanes, ...bounds.map((value) => Math.min(value, far))) || 1, [1, 1.5, 2, 3, 4, 5, 6, 8, 10]);
}

function paintSum(brush: Brush, picture: SumPicture): void {
  const { layout, span, record, until, cursor, valueX, names, lines, broken } = picture;
  const foot = layout.sum + layout.sumHeight;
  const top = sumTop(picture);
  const y = (v: number): number => foot - (v / top) * layout.sumHeight;
  const from = Math.max(span.first, record.first);
  brush.line(0, layout.sum - 8, layout.width, layout.sum - 8, "line");
  // Where the numbers of the axis come near, the words stand between two of them.
  const caption = layout.sum + (layout.narrow ? 24 : 8);
  brush.text(0, caption, "sum", { bold: true, size: 12 });
  brush.text(0, caption + 14, layout.narrow ? leakageUnit() : `so far, ${leakageUnit()}`, { colour: "ink2" });
  for (const value of leakageTicks(0, top, 3)) {
    brush.line(layout.left, y(value), layout.right, y(value), value === 0 ? "line2" : "line");
    brush.text(layout.left - 5, y(value) + 4, leakageTick(value), { colour: "ink2", align: "end" });
  }
  const { context } = brush;
  context.save();
  context.beginPath();
  context.rect(layout.left - 1, layout.sum - 4, layout.right - layout.left + 2, layout.sumHeight + 6);
  context.clip();
  const ahead = Math.min(record.end, span.first + span.places);
  // The full line first: where sums are equal, the dashes of the others lie on it, and the bounds on all.
  const styled = record.lanes.map(({ sum }, k) => ({ sum, style: laneLine(lines[k] ?? k) }));
  for (const { sum, style } of styled.sort((a, b) => a.style.dash.length - b.style.dash.length))
    line(brush, picture, sum, until, from, y, style.colour, 2.5, style.dash);
  line(brush, picture, record.linear, ahead, from, y, "promise", 1.5, [4, 3]);
  line(brush, picture, record.advanced, ahead, from, y, "promise", 1.5, [1, 3]);
  context.restore();
  // Sums grow: the left of the top is free.
  if (!layout.narrow) brush.text(layout.left + 6, layout.sum + 8, `advanced: holds except with probability ${tick(picture.delta)}`, { colour: "promise" });
  if (record.has(cursor)) labels(brush, picture, y, top, names, broken, valueX);
}

function line(
  brush: Brush,
  { layout, span, record }: SumPicture,
  values: Float64Array,
  until: number,
  from: number,
  y: (v: number) => number,
  colour: ColourName,
  width: number,
  dash: readonly number[],
): void {
  const context = brush.pen(colour, width, dash);
  const each = Math.max(1, Math.floor(span.places / (layout.right - layout.left)));
  let way: Way | null = from === 0 ? new Way(context, layout.left, y(0)) : null;
  for (let step = from + 1; step <= until; step += step === from + 1 && each > 1 ? each - (step % each) : Math.min(each, Math.max(1, until - step))) {
    const value = values[record.at(step)] as number;
    if (!Number.isFinite(value)) {
      way?.end();
      way = null;
      continue;
    }
    const x = stepX(layout, span, step + 1);
    if (way) way.to(x, y(value));
    else way = new Way(context, x, y(value));
  }
  way?.end();
  context.stroke();
}

function labels(
  brush: Brush,
  { layout, span, record, cursor, lines }: SumPicture,
  y: (v: number) => number,
  top: number,
  names: readonly string[],
  broken: readonly boolean[],
  valueX: number,
): void {
  const k = record.at(cursor);
  const items = [
    ...record.lanes.map(({ sum }, j) => ({
      value: sum[k] as number,
      write: leakage,
      name: names[j] ?? "",
      colour: (broken[j] ? "over" : "ink") as ColourName,
      bold: true,
      style: laneLine(lines[j] ?? j),
    })),
    {
      value: record.linear[k] as number,
      write: bound,
      name: "linear",
      colour: "promise" as ColourName,
      bold: false,
      style: null,
    },
    {
      value: record.advanced[k] as number,
      write: bound,
      name: "advanced",
      colour: "promise" as ColourName,
      bold: false,
      style: null,
    },
  ].filter(({ value }) => !Number.isNaN(value));
  const height = (value: number): number => (Number.isFinite(value) ? y(Math.min(top, value)) : layout.sum);
  const places = apart(items.map(({ value }) => height(value) + 4), 14, layout.sum + 6, layout.sum + layout.sumHeight);
  const x = stepX(layout, span, cursor + 1);
  const near = valueX - x < 30;
  const room = layout.width - valueX;
  const said = items.map(({ value, write, name, bold }) => ({ number: write(value), words: `${write(value)} ${name}`, bold }));
  // Where a name would be cut, the lines of all lanes stand for their names.
  const named = said.every(({ words, bold }) => !bold || textWidth(words, 11, bold) <= room);
  items.forEach(({ value, colour, bold, style }, j) => {
    const at = places[j] as number;
    if (near) brush.line(x, height(value), valueX - 2, at - 4, colour, 0.75);
    const { number, words: whole } = said[j] as (typeof said)[number];
    const sampled = style !== null && !named;
    const words = fit(sampled ? number : whole, room, 11, bold);
    const width = textWidth(words, 11, bold);
    brush.rect(valueX - 2, at - 11, width + 4 + (sampled ? SAMPLE + 5 : 0), 14, "bg");
    brush.text(valueX, at, words, { colour, bold });
    if (sampled) brush.line(valueX + width + 5, at - 4, valueX + width + 5 + SAMPLE, at - 4, style.colour, 2.5, style.dash);
  });
}

/** From the handle to the step beside it, px. */
export const AT = 12;
/** Lanes whose promise depends on the belief. */
const CONDITIONAL = "crr";

/** First step on screen that is there. */
export function earliestOf({ position, zoom, record }: PlotProps): number {
  return Math.max(spanOf(position, zoom).first, record.first) + 1;
}

/** The step that is read: the last one while there is no cursor. */
export function readingOf(props: PlotProps, cursor: number | null): number {
  return cursor === null ? props.position : Math.min(props.position, Math.max(earliestOf(props), cursor));
}

/** The step beside the handle. */
export function readText({ narrow }: PlotLayout, step: number): string {
  return `${narrow ? "" : "step "}${fixed(step, 0)}`;
}

/** The whole canvas: ground, symbols, lanes, sums, what was edited, and the line of the step that is read. */
export function paintPlot(brush: Brush, image: PixelColumns, props: PlotProps, layout: PlotLayout, cursor: number | null): void {
  const { record, position, states, lanes, totals, mark, changes, dark, forced, epsilon, delta } = props;
  const now = spanOf(position, props.zoom);
  const earliest = earliestOf(props);
  const { left, right, bottom } = layout;
  const seen = readingOf(props, cursor);
  const promise = record.has(seen) ? (record.promise[record.at(seen)] as number) : epsilon;
  brush.clear(layout.width, layout.height);
  const end = stepX(layout, now, position + 1);
  const free = cursor === null || seen === position;
  const valueX = (free ? end : right) + 8;
  brush.text(0, layout.true + Math.min(8, layout.strip / 2 + 4), "true");
  const dense = isDense(layout, now);
  const parts = stretches(layout, now, earliest, position);
  const top = leakageTop(record, earliest, position);
  const pictures = record.lanes.map((lane, k) => {
    const frame = layout.lanes[k];
    const choice = lanes[k];
    if (!frame || !choice) return null;
    const band = choice.key === CONDITIONAL ? validFrom(promise) : null;
    const picture: LanePicture = {
      layout,
      span: now,
      record,
      states,
      until: position,
      cursor: seen,
      valueX,
      top,
      band,
      marked: mark ? (totals[k]?.first ?? null) : null,
      dark,
      heat: !forced,
      first: k === 0,
      parts,
      dense,
    };
    return { lane, frame, picture };
  });
  for (const each of pictures) if (each) paintGround(brush, each.frame, each.picture);
  if (dense) {
    image.begin(left, layout.true, Math.floor(right - left), layout.sum, brush.ratio);
    columnsOfSymbols(brush, image, { layout, record, states, parts }, layout.true, record.symbols, null);
    for (const each of pictures) if (each && parts.length > 0) fillColumns(brush, image, each.lane, each.frame, each.picture);
    brush.columns(image);
    paintRims(brush, layout.true, { layout, span: now, record, states, until: position });
  } else paintSymbols(brush, layout, now, record, states.length, position, { top: layout.true, symbols: record.symbols, truth: null });
  if (record.has(seen)) {
    const word = states.length === SQUARES ? `filled is ${stateText(states, 1, 60)}` : stateText(states, record.symbols[record.at(seen)] as number, 60);
    brush.text(valueX, layout.true + Math.min(8, layout.strip / 2 + 4), fit(word, layout.width - valueX), { colour: "ink2", halo: true });
    const first = layout.lanes[0];
    const underlined = ["underlined: wrong", "▁ wrong"].find((text) => textWidth(text) <= layout.width - valueX);
    if (first && underlined) brush.text(valueX, first.released + layout.strip / 2 + 8, underlined, { colour: "ink2", halo: true });
  }
  for (const each of pictures) if (each) paintLane(brush, each.lane, each.frame, each.picture);
  paintSum(brush, {
    layout,
    span: now,
    record,
    until: position,
    cursor: seen,
    valueX,
    delta,
    names: lanes.map(({ short }) => short),
    lines: lanes.map(({ line }) => line),
    broken: totals.map(({ first }) => first !== null),
  });
  paintChanges(brush, layout, changes, now);
  // The handle and the step beside it stand in the line of the ticks.
  const mine = stepX(layout, now, seen + 1);
  const taken = mine + AT + textWidth(readText(layout, seen), 11, true) + 4;
  for (const tick of timeTicks(now, layout.narrow ? 4 : 6)) {
    const x = Math.max(left + 3, (stepX(layout, now, tick) + stepX(layout, now, tick + 1)) / 2);
    const half = textWidth(fixed(tick, 0)) / 2;
    if (position === 0 || x + half < mine - AT || x - half > taken) brush.text(x, bottom + 9, fixed(tick, 0), { colour: "ink2", align: "center" });
  }
  brush.text(0, bottom + 9, "step", { colour: "ink2" });
  if (position === 0) return;
  brush.line(mine, 14, mine, bottom, "brand", 1.5);
  if (!free) brush.line(end, 14, end, bottom - 8, "line2", 1);
}

/** Where something was edited: a line through all, and in words what it was and what it is. */
function paintChanges(brush: Brush, layout: PlotLayout, changes: readonly ChangeState[], now: Span): void {
  let free = layout.width;
  for (const { step, before, after } of [...changes].reverse()) {
    if (step <= now.first + 1 || step > now.first + now.places) continue;
    const x = stepX(layout, now, step);
    brush.line(x, 14, x, layout.bottom - 8, "ink", 1, [2, 3]);
    const words = `${after} from step ${fixed(step, 0)}`;
    const width = textWidth(words, 11, true) + 8;
    if (x + 6 + width <= free) {
      brush.text(x + 6, 9, words, { bold: true, halo: true });
      free = x - 2;
      const was = textWidth(before, 11) + 12;
      if (x - was > 0) {
        brush.text(x - 6, 9, before, { colour: "ink2", align: "end", halo: true });
        free = x - was;
      }
    } else if (x - 6 - width >= 0 && x - 6 <= free) {
      brush.text(x - 6, 9, words, { bold: true, align: "end", halo: true });
      free = x - 6 - width;
    }
  }
}
