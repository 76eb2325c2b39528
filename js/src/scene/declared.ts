/** What a result declares of its figures, as Python writes it (`Chart.declared`, `Cells.declared`), and how it is read. */
import { fixed, leakage, number } from "../ui/format";

/** A number; null where there is none, and text where it is infinite. */
export type Numeral = number | null | "Infinity" | "-Infinity";
export type Colour = "a" | "b" | "c" | "d" | "ink" | "ink2" | "promise" | "paper" | "over" | "est";
export type Dashes = "solid" | "dashed" | "dotted";
export type Shape = "disc" | "ring" | "diamond" | "triangle" | "cross";

export interface Axis {
  label: string;
  low?: Numeral;
  high?: Numeral;
  /** What stands at 0, 1, 2 ... in place of numbers. */
  names?: readonly string[];
  /** Values are exponents of ten. */
  powers?: boolean;
  whole?: boolean;
}

export interface Series {
  name: string;
  x: readonly Numeral[];
  y: readonly Numeral[];
  mark: "line" | "dots" | "boxes";
  low?: readonly Numeral[] | null;
  high?: readonly Numeral[] | null;
  corners?: readonly [readonly Numeral[], readonly Numeral[]] | null;
  labels?: readonly string[];
  sizes?: readonly Numeral[] | null;
  /** What the sizes stand for, and how much it is at each point. */
  amounts?: readonly [string, readonly Numeral[]] | null;
  colour?: Colour | null;
  dashes?: Dashes | null;
  shape?: Shape | null;
  /** The series that stands in the table in its place. */
  told?: Series | null;
}

export interface Level {
  name: string;
  at: Numeral;
  along: "x" | "y";
  colour: Colour;
}

export interface Chart {
  kind: "chart";
  title: string;
  series: readonly Series[];
  x: Axis;
  y: Axis;
  levels?: readonly Level[];
  note?: string;
  equal?: boolean;
}

export interface Cells {
  kind: "cells";
  title: string;
  rows: readonly string[];
  columns: readonly string[];
  values: readonly (readonly Numeral[])[];
  down?: string;
  across?: string;
  texts?: readonly (readonly string[])[] | null;
  key?: string;
  signed?: boolean;
  top?: Numeral;
  note?: string;
}

export type Declared = Chart | Cells;

/** A number as it was declared; NaN where there is none. */
export function read(given: Numeral | undefined): number {
  return given === null || given === undefined ? NaN : Number(given);
}

/** A series with its numbers read. */
export interface Points extends Series {
  x: readonly number[];
  y: readonly number[];
  low: readonly number[] | null;
  high: readonly number[] | null;
  corners: readonly [readonly number[], readonly number[]] | null;
}

export function pointsOf(series: Series): Points {
  const { low, high, corners } = series;
  return {
    ...series,
    x: series.x.map(read),
    y: series.y.map(read),
    low: low?.map(read) ?? null,
    high: high?.map(read) ?? null,
    corners: corners ? [corners[0].map(read), corners[1].map(read)] : null,
  };
}

/** What differs in so many digits is told apart; more are what rounding alone makes of a number. */
const MOST_DIGITS = 10;

/** Numbers with as many digits, at least four, as tell them apart. */
function toldApart(values: readonly number[], write: (value: number, digits: number) => string): string[] {
  const all = new Set(values.map((value) => value.toPrecision(MOST_DIGITS))).size;
  for (let digits = 4; ; digits++) {
    const texts = values.map((value) => write(value, digits));
    if (digits >= MOST_DIGITS || new Set(texts).size >= all) return texts;
  }
}

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Ten to the power of an exponent: 10⁻³; between whole exponents 0.316 or 3.2e−4: no float holds the smallest. */
export function powerOfTen(exponent: number): string {
  if (exponent === -Infinity) return "0";
  if (!Number.isFinite(exponent)) return fixed(exponent, 0);
  if (Number.isInteger(exponent)) {
    const digits = [...String(Math.abs(exponent))].map((digit) => RAISED[Number(digit)] ?? "").join("");
    return `10${exponent < 0 ? "⁻" : ""}${digits}`;
  }
  return exponent > -3 && exponent < 6 ? leakage(10 ** exponent) : mantissaOf(exponent);
}

function mantissaOf(exponent: number, decimals = 1): string {
  const whole = Math.floor(exponent);
  const mantissa = (10 ** (exponent - whole)).toFixed(decimals);
  const [first, power] = mantissa.startsWith("10") ? [(1).toFixed(decimals), whole + 1] : [mantissa, whole];
  return `${first}e${power < 0 ? "−" : ""}${Math.abs(power)}`;
}

/** The power as a plain number, one significant digit less than so many, or as 2.3e−5: in a table all are written alike. */
function plainPower(exponent: number, digits = 4): string {
  if (!Number.isFinite(exponent)) return powerOfTen(exponent);
  const value = 10 ** exponent;
  return value < 0.0005 || value >= 1e15 ? mantissaOf(exponent, digits - 3) : number(value, digits - 1);
}

/** What stands for a value of an axis: a name, a power of ten, or nothing where it decides how numbers are written. */
export function named(axis: Axis, value: number): string | null {
  if (Number.isNaN(value)) return "";
  if (axis.powers) return powerOfTen(value);
  return axis.names?.[value] ?? null;
}

export interface Cell {
  text: string;
  head: boolean;
}

export interface Table {
  caption: string;
  rows: Cell[][];
}

/** Rows of a table beside a drawing: more say no more. */
const MOST_ROWS = 60;

/** Places of the rows that are listed: all, or evenly chosen ones with both ends. */
function listed(count: number): number[] {
  if (count <= MOST_ROWS) return Array.from({ length: count }, (_, k) => k);
  return Array.from({ length: MOST_ROWS }, (_, k) => Math.round((k * (count - 1)) / (MOST_ROWS - 1)));
}

/** One column: its head and its cells. */
interface Column {
  head: string;
  cells: string[];
  /** Its cells name their rows. */
  names: boolean;
}

/** Values at some places, written alike: whole numbers where all are, else the digits that the quantity has. */
function column(head: string, given: readonly Numeral[], axis: Axis, at: readonly number[]): Column {
  const values = at.map((k) => read(given[k]));
  const whole = values.every((value) => !Number.isFinite(value) || (Number.isInteger(value) && Math.abs(value) < 1e15));
  const write = (value: number): string => named(axis, value) ?? (whole ? number(value, 4) : leakage(value));
  const cells = values.map((value) => (axis.powers && !Number.isNaN(value) ? plainPower(value) : write(value)));
  return { head, cells, names: false };
}

/** Where something stands: no two places are written alike. */
function places(head: string, given: readonly Numeral[], axis: Axis, at: readonly number[], names = false): Column {
  const write = (value: number, digits: number): string => {
    if (axis.powers && !Number.isNaN(value)) return plainPower(value, digits);
    return named(axis, value) ?? number(value, digits);
  };
  return { head, cells: toldApart(at.map((k) => read(given[k])), write), names };
}

function tableOf(title: string, about: string, columns: readonly Column[], shown: number, all: number): Table {
  const caption = [about ? `${title} (${about})` : title, shown < all ? `${shown} of ${fixed(all, 0)} points` : ""].filter(Boolean).join(", ");
  const heads = columns.map(({ head }) => ({ text: head, head: true }));
  const rows = Array.from({ length: shown }, (_, k) => columns.map(({ cells, names }) => ({ text: cells[k] ?? "", head: names })));
  return { caption, rows: [heads, ...rows] };
}

/** Whether all series have the same values there. */
function alike(lists: readonly (readonly Numeral[])[]): boolean {
  const [first, ...others] = lists;
  return others.every((other) => other.length === first?.length && other.every((value, k) => value === first[k]));
}

/** The ends of intervals and bands beside their values. */
function endsOf({ low, high }: Series, head: string, axis: Axis, at: readonly number[]): Column[] {
  return [
    ...(low ? [column(`${head}, low`, low, axis, at)] : []),
    ...(high ? [column(`${head}, high`, high, axis, at)] : []),
  ];
}

/** A chart with what names stand for across: what is measured, and what it lies between, is then along y. */
function upright(chart: Chart): Chart {
  if (!chart.y.names?.length) return chart;
  // A line without a name only joins what others show.
  const shown = chart.series.filter(({ name, mark }) => name || mark !== "line");
  const series = (shown.length > 0 ? shown : chart.series).map((one): Series => ({
    ...one,
    x: one.y,
    y: one.x,
    corners: one.corners && [one.corners[1], one.corners[0]],
  }));
  return { ...chart, series, x: chart.y, y: chart.x };
}

/** Whether each series has one value at most for a name, and none elsewhere. */
function oneForEach({ x: { names = [] }, series }: Chart): boolean {
  return series.every(({ x }) => new Set(x).size === x.length && x.every((at) => names[read(at)] !== undefined));
}

/** Whether a label is more than the number that it stands at. */
function saysMore({ y, labels = [] }: Series): boolean {
  const value = (label: string): number => Number(label.replace("−", "-").replace(/,/g, ""));
  return labels.some((label, k) => label && !(Math.abs(value(label) - read(y[k])) <= 1e-3 * Math.abs(read(y[k]))));
}

/** Series over the same places, or over names: a row for each, a column for each series. */
function together(chart: Chart): Table {
  const { x, y, series } = chart;
  const shared = alike(series.map((one) => one.x));
  const across = shared ? (series[0]?.x ?? []) : (x.names ?? []).map((_, k) => k);
  const rows = listed(across.length);
  const single = series.length === 1 && !series[0]?.name;
  const columns = [places(x.label, across, x, rows, true)];
  for (const one of series) {
    const at = shared ? rows : rows.map((k) => one.x.indexOf(k));
    const head = one.name || y.label;
    columns.push(column(head, one.y, y, at), ...endsOf(one, head, y, at));
    if (saysMore(one)) columns.push({ head: `${head}, label`, cells: at.map((k) => one.labels?.[k] ?? ""), names: false });
  }
  return tableOf(chart.title, single ? "" : y.label, columns, rows.length, across.length);
}

/** Series over places of their own: a row for each point. */
function apart(chart: Chart): Table {
  const { x, y } = chart;
  // What breaks a line is no point.
  const points = chart.series.flatMap((one) => one.x.flatMap((at, k) => (at === null && one.y[k] === null ? [] : [{ one, k }])));
  const measure = chart.series.find(({ amounts }) => amounts)?.amounts?.[0];
  const amount = ({ one, k }: (typeof points)[number]): number => read(one.amounts?.[1][k]);
  // Of many the largest are what is seen.
  const sized = points.filter(({ one }) => one.amounts).sort((one, other) => amount(other) - amount(one));
  const bare = points.filter(({ one }) => !one.amounts);
  const some = (of: typeof points): typeof points => listed(of.length).map((k) => of[k] as (typeof points)[number]);
  const chosen = [...some(bare), ...sized.slice(0, MOST_ROWS)];
  const at = chosen.map((_, k) => k);
  const gathered = (pick: (one: Series) => readonly Numeral[] | null | undefined): Numeral[] => chosen.map(({ one, k }) => pick(one)?.[k] ?? null);
  const columns: Column[] = [];
  if (chart.series.some(({ name }) => name)) columns.push({ head: "series", cells: chosen.map(({ one }) => one.name), names: true });
  const boxes = chart.series.some(({ corners }) => corners);
  columns.push(places(x.label, gathered((one) => one.x), x, at), (boxes ? places : column)(y.label, gathered((one) => one.y), y, at));
  if (boxes) {
    columns.push(places(`${x.label}, to`, gathered((one) => one.corners?.[0]), x, at));
    columns.push(places(`${y.label}, to`, gathered((one) => one.corners?.[1]), y, at));
  }
  if (chart.series.some(({ low }) => low)) columns.push(column("low", gathered((one) => one.low), y, at));
  if (chart.series.some(({ high }) => high)) columns.push(column("high", gathered((one) => one.high), y, at));
  if (measure) columns.push(column(measure, gathered((one) => one.amounts?.[1]), { label: measure }, at));
  const labels = chosen.map(({ one, k }) => one.labels?.[k] ?? "");
  if (labels.some(Boolean)) columns.push({ head: "label", cells: labels, names: false });
  return tableOf(measure ? `${chart.title}, by ${measure}` : chart.title, "", columns, chosen.length, points.length);
}

/** What a cell says: its text, or its number. */
export function cellText({ texts, values, signed }: Cells, row: number, k: number): string {
  const text = texts?.[row]?.[k];
  if (text !== undefined) return text;
  const value = read(values[row]?.[k]);
  if (Number.isNaN(value)) return "–";
  return signed && value > 0 && !Number.isInteger(value) ? `+${leakage(value)}` : Number.isInteger(value) ? number(value, 4) : leakage(value);
}

function cellTable(cells: Cells): Table {
  const [down, across] = [listed(cells.rows.length), listed(cells.columns.length)];
  const corner = [cells.down, cells.across].filter(Boolean).join(" \\ ");
  const heads = [corner, ...across.map((k) => cells.columns[k] ?? "")].map((text) => ({ text, head: true }));
  const rows = down.map((row) => [
    { text: cells.rows[row] ?? "", head: true },
    ...across.map((k) => ({ text: cellText(cells, row, k), head: false })),
  ]);
  const part = (shown: number, all: number, what: string): string => (shown < all ? `, ${shown} of ${fixed(all, 0)} ${what}` : "");
  const parts = part(down.length, cells.rows.length, "rows") + part(across.length, cells.columns.length, "columns");
  return { caption: (cells.key ? `${cells.title} (${cells.key})` : cells.title) + parts, rows: [heads, ...rows] };
}

/** The numbers of a declaration as a table of at most 60 rows, and 60 more of what has a size. */
export function numbers(declared: Declared): Table {
  if (declared.kind === "cells") return cellTable(declared);
  const chart = upright({ ...declared, series: declared.series.map((one) => one.told ?? one) });
  const has = (part: "corners" | "labels" | "amounts"): boolean => chart.series.some((one) => one[part]?.some(Boolean));
  const shared = oneForEach(chart) || (!has("labels") && alike(chart.series.map(({ x }) => x)));
  return shared && !has("corners") && !has("amounts") ? together(chart) : apart(chart);
}
