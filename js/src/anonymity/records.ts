/**
 * Records as table and map show them: values by position, which are counted, and where records, classes and letters
 * stand.
 */
import { valueText, type Column } from "../compute/anonymity-release";
import { linear, ticks, type Scale } from "../ui/axes";
import { tick } from "../ui/format";
import { clip, fit, isolate, textWidth } from "../ui/lettering";
import type { AnonymityView, ClassState } from "./protocol";
import { parted } from "./words";

// Records as the table and the map show them: values by position, and which of them are counted.

export interface Records {
  columns: readonly Column[];
  quasi: readonly number[];
  secret: number | null;
  /** The two columns of the map. */
  drawn: readonly [number, number | null];
  /** Positions of the records whose values are there; null where all are. */
  sampled: readonly number[] | null;
  /** How many there are. */
  count: number;
  noun: string;
  /** The value of the secret that is marked; null where none is. */
  marked: number | null;
}

export function recordsOf(view: AnonymityView, columns: readonly Column[]): Records {
  const { quasi, secret, drawn, sampled, records, noun } = view;
  return { columns, quasi, secret, drawn, sampled, count: records, noun: noun || "record", marked: markedValue(columns, secret, view.release) };
}

/** The value that is counted; a sum counts none. */
function markedValue(columns: readonly Column[], secret: number | null, release: string): number | null {
  const column = secret === null ? undefined : columns[secret];
  if (!column) return null;
  const [kind, name] = parted(release);
  const found = [...new Set(column.values)].filter((value) => !Number.isNaN(value));
  return kind === "sum" ? null : (found.find((value) => valueText(column, value) === name) ?? null);
}

const places = new WeakMap<readonly number[], Map<number, number>>();

/** Where the values of a record stand; undefined where they were not sent. */
export function placeOf({ sampled }: Pick<Records, "sampled">, row: number): number | undefined {
  if (sampled === null) return row;
  let found = places.get(sampled);
  if (!found) places.set(sampled, (found = new Map(sampled.map((position, k) => [position, k]))));
  return found.get(row);
}

/** A value of a record, as text; empty where it was not sent. */
export function recordText(records: Records, column: number, row: number, limit = 24): string {
  const place = placeOf(records, row);
  const found = records.columns[column];
  if (place === undefined || !found) return "";
  return isolate(clip(valueText(found, found.values[place] as number), limit));
}

/** Whether the secret of a record is the marked one. */
export function isMarked({ columns, secret, marked, sampled }: Records, row: number): boolean {
  const place = placeOf({ sampled }, row);
  return secret !== null && marked !== null && place !== undefined && columns[secret]?.values[place] === marked;
}

export function columnName({ columns }: Pick<Records, "columns">, column: number, limit = 40): string {
  return isolate(clip(columns[column]?.name ?? "", limit)) || "(no name)";
}

// Where records, classes and letters stand in the map of two quasi-identifiers; one of them makes a strip.

export interface MapLayout {
  width: number;
  height: number;
  x: Scale;
  y: Scale;
  left: number;
  right: number;
  top: number;
  bottom: number;
  xTicks: { at: number; text: string }[];
  yTicks: { at: number; text: string }[];
  strip: boolean;
}

/** A record, or all that would lie over each other. */
export interface Dot {
  rows: number[];
  x: number;
  y: number;
  /** How many of them are marked. */
  marked: number;
}

const TALL = 236;
const STRIP = 96;
const BELOW = 30;
/** A box reaches this far beyond its records, px. */
const RIM = 3.5;
/** Of more classes only the open ones carry their letters. */
export const MANY = 60;
/** Of more records those that would lie over each other are one dot; letters look for a place between fewer. */
export const FEW = 400;
/** Side of the square of which the records are one dot, px. */
export const CELL = 9;

/** Ends of an axis with room for the dots at its ends. */
function ends({ values, labels }: Column): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (labels) return [-0.5, labels.length - 0.5];
  if (!(high >= low)) return [0, 1];
  const room = (high - low) * 0.03 || Math.abs(high) * 0.1 || 1;
  return [low - room, high + room];
}

function axisTicks({ labels }: Column, low: number, high: number, count: number): { value: number; text: string }[] {
  if (!labels) return ticks(low, high, count).map((value) => ({ value, text: tick(value) }));
  const every = Math.max(1, Math.ceil(labels.length / count));
  return labels.flatMap((text, value) => (value % every === 0 ? [{ value, text }] : []));
}

export function layoutOf(records: Records, width: number): MapLayout | null {
  const across = records.columns[records.drawn[0]];
  const up = records.drawn[1] === null ? undefined : records.columns[records.drawn[1]];
  if (!across) return null;
  const height = up ? TALL : STRIP;
  const [bottom, top, right] = [height - BELOW, 8, width - 2];
  let left = 6;
  let y: Scale = linear(0, 1, bottom - (bottom - top) / 2, top);
  let yTicks: MapLayout["yTicks"] = [];
  if (up) {
    const [low, high] = ends(up);
    y = linear(low, high, bottom, top);
    const found = axisTicks(up, low, high, up.labels ? 12 : 4).map(({ value, text }) => ({
      at: y(value),
      text: fit(text, Math.min(84, 0.29 * width), 11, false, up.labels ?? []),
    }));
    left = Math.ceil(Math.max(12, ...found.map(({ text }) => textWidth(text)))) + 8;
    yTicks = found;
  }
  const [low, high] = ends(across);
  const x = linear(low, high, left, right);
  const room = across.labels ? Math.max(24, (right - left) / Math.max(1, Math.min(6, across.labels.length)) - 6) : 60;
  const xTicks = axisTicks(across, low, high, across.labels ? 6 : 4).map(({ value, text }) => ({
    at: x(value),
    text: fit(text, room, 11, false, across.labels ?? []),
  }));
  return { width, height, x, y, left, right, top, bottom, xTicks, yTicks, strip: !up };
}

/** A place between 0 and 1 that belongs to a record for good, so that labels do not hide each other. */
function apart(row: number, turn: number): number {
  const mixed = Math.sin((row + 1) * turn) * 43758.5453;
  return mixed - Math.floor(mixed);
}

/** Every record whose values are there; codes of labels and strips are spread out where there are few. */
export function dotsOf(records: Records, layout: MapLayout): Dot[] {
  const { columns, drawn, secret, marked, sampled } = records;
  const across = columns[drawn[0]] as Column;
  const up = drawn[1] === null ? null : (columns[drawn[1]] as Column);
  const secrets = secret === null ? null : columns[secret]?.values;
  const many = across.values.length > FEW;
  const cells = new Map<string, Dot>();
  // A label with room for a dot is a place of its own, as in anonymity_table_picture.py.
  const roomy = (labels: Column["labels"] | undefined, length: number): boolean => !!labels && length / labels.length >= CELL;
  const [wide, tall] = [
    roomy(across.labels, layout.right - layout.left),
    roomy(up?.labels, layout.bottom - layout.top),
  ];
  const middle = (px: number): number => (Math.floor(px / CELL) + 0.5) * CELL;
  for (let place = 0; place < across.values.length; place++) {
    const [a, b] = [across.values[place] as number, up ? (up.values[place] as number) : 0];
    if (Number.isNaN(a) || Number.isNaN(b)) continue;
    const row = sampled === null ? place : (sampled[place] as number);
    const spread = (turn: number): number => (many ? 0 : (apart(row, turn) - 0.5) * 0.7);
    let x = layout.x(across.labels ? a + spread(12.9898) : a);
    let y = up ? layout.y(up.labels ? b + spread(78.233) : b) : layout.top + 12 + apart(row, 78.233) * (layout.bottom - layout.top - 24);
    if (many && !wide) x = layout.left + middle(x - layout.left);
    if (many && !tall) y = layout.bottom - middle(layout.bottom - y);
    const key = many ? `${x.toFixed(1)} ${y.toFixed(1)}` : String(place);
    const dot = cells.get(key) ?? { rows: [], x, y, marked: 0 };
    dot.rows.push(row);
    if (marked !== null && secrets?.[place] === marked) dot.marked += 1;
    cells.set(key, dot);
  }
  return [...cells.values()];
}

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function rectOf({ box }: ClassState, records: Records, { x, y, strip, top, bottom }: MapLayout): Rect | null {
  if (!box) return null;
  const wide = records.columns[records.drawn[0]]?.labels ? 0.4 : 0;
  const tall = records.drawn[1] !== null && records.columns[records.drawn[1]]?.labels ? 0.4 : 0;
  const [from, to] = [x(box[0] - wide) - RIM, x(box[1] + wide) + RIM];
  const [high, low] = strip ? [top, bottom] : [y(box[3] + tall) - RIM, y(box[2] - tall) + RIM];
  return { x: from, y: high, width: to - from, height: low - high };
}

/** A place for each letter, as far from dots and other letters as there is. */
export function letterPlaces(classes: readonly ClassState[], rects: readonly (Rect | null)[], dots: readonly Dot[]): ([number, number] | null)[] {
  const placed: [number, number][] = [];
  const crowded = dots.some(({ rows }) => rows.length > 1) || classes.length > MANY;
  return classes.map((_, k) => {
    const rect = rects[k];
    if (!rect || rect.width < 9 || rect.height < 11) return null;
    const middle: [number, number] = [rect.x + rect.width / 2, rect.y + rect.height / 2];
    if (crowded) return middle;
    const near = dots.filter((dot) => dot.x > rect.x - 12 && dot.x < rect.x + rect.width + 12 && dot.y > rect.y - 12 && dot.y < rect.y + rect.height + 12);
    let best = { far: -1, at: middle };
    const [w, t] = [Math.max(0, rect.width - 14), Math.max(0, rect.height - 14)];
    for (let i = 0; i <= 12; i++) {
      for (let j = 0; j <= 12; j++) {
        const [px, py] = [rect.x + (rect.width - w) / 2 + (w * i) / 12, rect.y + (rect.height - t) / 2 + (t * j) / 12];
        let far = 12;
        for (const dot of near) far = Math.min(far, Math.hypot(dot.x - px, dot.y - py));
        for (const [ox, oy] of placed) far = Math.min(far, Math.hypot(ox - px, oy - py) - 3);
        if (far > best.far) best = { far, at: [px, py] };
      }
    }
    placed.push(best.at);
    return best.at;
  });
}
