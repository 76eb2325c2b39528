/** The sum of step leakages of every lane against linear and advanced composition. */
import { apart, niceCeiling, ticks } from "../ui/axes";
import { bound, leakage, tick } from "../ui/format";
import { fit, textWidth } from "../ui/lettering";
import type { Brush, ColourName } from "./brush";
import { laneLine } from "./lane-lines";
import { stepX, type PlotLayout, type Span } from "./plot-layout";
import type { StepRecord } from "./step-record";
import { Way } from "./way";

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

export function paintSum(brush: Brush, picture: SumPicture): void {
  const { layout, span, record, until, cursor, valueX, names, lines, broken } = picture;
  const foot = layout.sum + layout.sumHeight;
  const top = sumTop(picture);
  const y = (v: number): number => foot - (v / top) * layout.sumHeight;
  const from = Math.max(span.first, record.first);
  brush.line(0, layout.sum - 8, layout.width, layout.sum - 8, "line");
  // Where the numbers of the axis come near, the words stand between two of them.
  const caption = layout.sum + (layout.narrow ? 24 : 8);
  brush.text(0, caption, "sum", { bold: true, size: 12 });
  brush.text(0, caption + 14, layout.narrow ? "nats" : "so far, nats", { colour: "ink2" });
  for (const value of ticks(0, top, 3)) {
    brush.line(layout.left, y(value), layout.right, y(value), value === 0 ? "line2" : "line");
    brush.text(layout.left - 5, y(value) + 4, tick(value), { colour: "ink2", align: "end" });
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
