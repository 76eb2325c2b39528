/** From a joint table and its pivot to what the grid draws: headings, widths, cells, sums. */
import { count, fixed, probability, probabilityDecimals } from "../ui/format";
import type { GridCell, GridProps, HeadCell } from "../ui/grid";
import { TALL } from "../ui/grid-rows";
import { textWidth } from "../ui/lettering";
import type { TableSpec } from "../ui/protocol";
import { differs, editedTitle, isEdited } from "../ui/undo";
import { isNormalised, isProbability, showSum, total, type Drafts } from "./editing";
import { cellNames, commonStem, layOut, numberOf, positions, size, type Layout, type Pivot, type Side } from "./pivot";

export interface Fit {
  known: number[];
  /** Label position of every tuple. */
  instance: number[];
}

export interface TableView {
  spec: TableSpec;
  entries: Float64Array;
  locks: Uint8Array;
  loaded: Float64Array;
  pivot: Pivot;
  fit: Fit | null;
  drafts: Drafts;
  disabled: boolean;
  /** Width the table may take, in pixels. */
  width: number;
}

export function shapeOf(spec: TableSpec): number[] {
  return spec.labels.map((domain) => domain.length);
}

interface Widths {
  /** Of the row headings. */
  heads: number[];
  compact: boolean;
  least: number;
  sum: number;
  /** The columns do not fit: they scroll under headings and sums. */
  scrolls: boolean;
}

const SUM = "sum";
/** Left and right of a heading in the two forms, as in the style sheet and a little more, px. */
const ROOMY = 14;
const COMPACT = 6;

/** A heading at least so wide says something, px. */
const READABLE = 66;

/** What the name of the row of sums takes. */
function wordRoom(pad: number): number {
  return Math.ceil(textWidth(SUM, 12)) + pad + 4;
}

const add = (xs: readonly number[]): number => xs.reduce((a, b) => a + b, 0);
const wide = (text: string): number => textWidth(text.slice(0, 80), 12);
const longest = (texts: readonly string[]): number => Math.max(0, ...texts.map(wide));

/** What a name needs in two lines without breaking a word. */
function inTwoLines(name: string): number {
  return Math.min(wide(name), Math.max(longest(name.split(/\s+/)), wide(name) / 2 + 10));
}

/** Widths in `room`: narrow columns give what they do not need to the others. */
export function shared(wants: readonly number[], room: number): number[] {
  let left = room;
  let limit = Infinity;
  [...wants].sort((a, b) => a - b).forEach((want, k) => {
    const share = left / (wants.length - k);
    if (limit === Infinity && want >= share) limit = share;
    left -= want;
  });
  return wants.map((want) => Math.floor(Math.min(want, limit)));
}

/** What row headings and a cell of the compact form need so that nothing in them is cut, px. */
function compactNeeds(spec: TableSpec, pivot: Pivot, decimals: number): { heads: number[]; least: number; cell: number; sum: number } {
  const stem = commonStem(spec.names);
  const number = Math.ceil(textWidth(`0.${"0".repeat(decimals)}`, 12));
  const heads = pivot.rows.map((j, k) => {
    const name = spec.names[j] as string;
    const want = Math.max(stem === null ? inTwoLines(name) : wide(numberOf(name)), longest(spec.labels[j] as string[]));
    return Math.ceil(Math.min(want, 140)) + COMPACT + (k === 0 ? 5 : 0);
  });
  const last = pivot.columns[pivot.columns.length - 1];
  const label = last === undefined ? 0 : longest(spec.labels[last] as string[]);
  const least = number + 9;
  return { heads: withSum(heads, COMPACT), least, cell: Math.max(least, Math.min(64, Math.ceil(label) + 9)), sum: Math.max(36, number + 4) };
}

/** The width at which the compact form cuts no name and no label, px; for a table beside other things. */
export function wantedWidth(spec: TableSpec, pivot: Pivot): number {
  const { heads, cell, sum } = compactNeeds(spec, pivot, 3);
  return add(heads) + size(pivot.columns.map((j) => (spec.labels[j] as string[]).length)) * cell + sum;
}

/** The name of the last row stands below all headings and has their room together. */
function withSum(widths: readonly number[], pad: number): number[] {
  const missing = wordRoom(pad) - add(widths);
  return widths.map((w, k) => (k === widths.length - 1 ? w + Math.max(0, missing) : w));
}

/** The roomy form where it fits, else the compact one. */
function measure(view: TableView, decimals: number): Widths {
  const { spec, pivot, width } = view;
  const columns = size(pivot.columns.map((j) => (spec.labels[j] as string[]).length));
  const digits = `0.${"0".repeat(decimals)}`;
  const names = pivot.rows.map((j) => Math.ceil(Math.min(longest([spec.names[j] as string, ...(spec.labels[j] as string[])]), 140)) + ROOMY);
  const roomy = withSum(names, ROOMY);
  const roomyCell = Math.max(50, Math.ceil(textWidth(digits, 13)) + 17);
  if (add(roomy) + (columns + 1) * roomyCell <= width) return { heads: roomy, compact: false, least: roomyCell, sum: roomyCell, scrolls: false };
  const { heads: tight, least, cell, sum } = compactNeeds(spec, pivot, decimals);
  // Headings give way before numbers do: an ellipsis has its tooltip, a digit has none. Where the columns scroll
  // in any case they keep what can be read.
  const narrowest = Math.max(26, wordRoom(COMPACT) / Math.max(1, tight.length));
  const room = width - columns * least - sum;
  const scrolls = room < Math.min(add(tight), narrowest * tight.length);
  // First what can be read of row headings, then the labels of columns, then the rest of the headings.
  const spare = width - columns * cell - sum;
  const free = scrolls ? width * 0.45 : Math.max(spare, Math.min(room, READABLE * tight.length));
  const heads = add(tight) <= free ? tight : shared(tight, free).map((w, k) => Math.max(w, Math.floor(Math.min(tight[k] as number, narrowest))));
  return { heads, compact: true, least, sum, scrolls };
}

/** Runs of equal leading labels share one heading. */
function headRows(view: TableView, layout: Layout, scrolls: boolean, marked: (c: number) => boolean): HeadCell[][] {
  const { spec, pivot } = view;
  const tuples = pivot.columns;
  const count = layout.columnCount;
  if (tuples.length === 0) {
    return [[{ text: "probability", span: 1, align: "end" }]];
  }
  const names = tuples.map((j) => spec.names[j] as string).join(", ");
  const rows: HeadCell[][] = [[{ text: names, title: names, span: count, align: scrolls ? "start" : "center" }]];
  const label = (a: number, p: number): string => (spec.labels[tuples[a] as number] as string[])[p] as string;
  const short = tuples.every((j) => (spec.labels[j] as string[]).every((text) => text.length <= 2));
  const at = Array.from({ length: count }, (_, c) => layout.columnPositions(c));
  if (!short) {
    for (let a = 0; a < tuples.length - 1; a++) {
      const span = size(tuples.slice(a + 1).map((j) => (spec.labels[j] as string[]).length));
      const row: HeadCell[] = [];
      for (let c = 0; c < count; c += span) {
        const text = label(a, at[c]?.[a] as number);
        row.push({ text, title: `${spec.names[tuples[a] as number]}: ${text}`, span, align: "center", group: c > 0 });
      }
      rows.push(row);
    }
  }
  rows.push(
    at.map((position, c) => {
      const own = short ? position.map((p, a) => label(a, p)).join(" ") : label(tuples.length - 1, position[tuples.length - 1] as number);
      const full = position.map((p, a) => `${spec.names[tuples[a] as number]}: ${label(a, p)}`).join(", ");
      return { text: own, title: full, span: 1, align: "end", marked: marked(c), group: !short && isGroup(view, "columns", c) };
    }),
  );
  return rows;
}

/** A new value of the outermost tuple of a side begins here, and there is more than one tuple. */
function isGroup(view: TableView, side: Side, k: number): boolean {
  const tuples = view.pivot[side];
  if (k === 0 || tuples.length < 2) return false;
  const inner = size(tuples.slice(1).map((j) => (view.spec.labels[j] as string[]).length));
  return k % inner === 0;
}

function fits(view: TableView, side: Side, at: readonly number[]): boolean {
  const known = view.fit?.known.filter((j) => view.pivot[side].includes(j)) ?? [];
  if (known.length === 0) return false;
  return known.every((j) => at[view.pivot[side].indexOf(j)] === view.fit?.instance[j]);
}

/** "rows that fit what the adversary knows", or null when nothing is marked. */
export function fitCaption(view: TableView): string | null {
  const on = (side: Side): boolean => view.fit?.known.some((j) => view.pivot[side].includes(j)) ?? false;
  const sides = [on("rows") ? "rows" : "", on("columns") ? "columns" : ""].filter((text) => text !== "");
  return sides.length ? `${sides.join(" and ")} that fit what the adversary knows` : null;
}

/** "20 of 64 rows and 3 of 8 columns in view", or null when all are. */
export function seenCaption({ rowCount, columnCount, corner, cellWidth, sumWidth, scrolls }: GridProps, width: number): string | null {
  const heads = corner.reduce((sum, c) => sum + c.width, 0);
  const columns = Math.max(1, Math.floor((width - heads - sumWidth) / cellWidth.least));
  const rows = rowCount > TALL ? `${TALL} of ${count(rowCount, "row")}` : "";
  const parts = [rows, scrolls && columns < columnCount ? `${columns} of ${count(columnCount, "column")}` : ""].filter(Boolean);
  return parts.length ? `${parts.join(" and ")} in view: scroll for the rest` : null;
}

function withWas(exact: string | null, was: string | null): string | null {
  return was === null ? exact : [exact, `edited, it was ${was}`].filter((part) => part !== null).join("; ");
}

export function gridProps(view: TableView): GridProps {
  const { spec, entries, locks, loaded, pivot, drafts, disabled } = view;
  const shape = shapeOf(spec);
  const layout = layOut(shape, pivot);
  // As many decimals as the smallest value asks for where they fit; else three, so that no digit hides a column.
  const wanted = probabilityDecimals(entries);
  const ample = measure(view, wanted);
  const decimals = ample.compact ? 3 : wanted;
  const { heads, compact, least, sum, scrolls } = ample.compact ? measure(view, 3) : ample;
  const stem = compact ? commonStem(spec.names) : null;
  const show = (value: number): string => (Number.isFinite(value) ? probability(value, decimals, compact ? 0 : 1) : "?");
  let largest = 0;
  for (const p of entries) if (p > largest && Number.isFinite(p)) largest = p;
  const rowSums = new Float64Array(layout.rowCount);
  const columnSums = new Float64Array(layout.columnCount);
  for (let r = 0; r < layout.rowCount; r++) {
    for (let c = 0; c < layout.columnCount; c++) {
      const p = entries[layout.index(r, c)] as number;
      rowSums[r] = (rowSums[r] as number) + p;
      columnSums[c] = (columnSums[c] as number) + p;
    }
  }
  const sound = entries.every(isProbability);
  const good = sound && isNormalised(entries);
  const all = total(entries);
  const columnMarks = Array.from({ length: layout.columnCount }, (_, c) => fits(view, "columns", layout.columnPositions(c)));
  const head = headRows(view, layout, scrolls, (c) => columnMarks[c] as boolean);

  const nameOf = cellNames(spec);
  const cell = (r: number, c: number): GridCell => {
    const k = layout.index(r, c);
    const p = entries[k] as number;
    const draft = drafts.at(k, p);
    const invalid = !isProbability(p);
    const locked = locks[k] === 1;
    const changed = differs(p, loaded[k] as number);
    const text = invalid && draft ? draft.text : show(p);
    const states = [invalid ? "invalid" : "", locked ? "locked" : "", changed ? "changed" : ""].filter((word) => word !== "");
    return {
      text,
      label: `${nameOf(positions(k, shape))}: ${[text.slice(0, 80), ...states].join(", ")}`,
      title: invalid ? (draft?.reason ?? text) : withWas(exactTitle(p, text), changed ? show(loaded[k] as number) : null),
      share: largest > 0 && p > 0 && Number.isFinite(p) ? p / largest : 0,
      locked,
      changed,
      invalid,
      zero: p === 0,
      readOnly: locked,
    };
  };

  return {
    label: spec.title ? `Joint distribution: ${editedTitle(spec.title, isEdited(entries, loaded))}` : "Joint distribution",
    rowCount: layout.rowCount,
    columnCount: layout.columnCount,
    structure: JSON.stringify([spec.names, spec.labels, pivot, heads, compact, scrolls, least, sum, columnMarks]),
    key: layout.index,
    locate: (k) => (k < entries.length ? layout.locate(k) : null),
    corner: pivot.rows.map((j, k) => {
      const name = spec.names[j] as string;
      const text = stem === null ? name : numberOf(name);
      const lines = compact && wide(text) + COMPACT > (heads[k] as number) && /\s/.test(text) ? 2 : 1;
      return { text, title: name, width: heads[k] as number, lines };
    }),
    head,
    rowHead(r) {
      const at = layout.rowPositions(r);
      const before = r > 0 ? layout.rowPositions(r - 1) : null;
      let same = before !== null;
      return at.map((p, a) => {
        same &&= before?.[a] === p;
        const j = pivot.rows[a] as number;
        const text = (spec.labels[j] as string[])[p] as string;
        return { text, repeated: same, title: `${spec.names[j]}: ${text}` };
      });
    },
    rowMarked: (r) => fits(view, "rows", layout.rowPositions(r)),
    rowGroup: (r) => isGroup(view, "rows", r),
    columnGroup: (c) => !compact && isGroup(view, "columns", c),
    cell,
    sumLabel: SUM,
    rowSum: (r) => show(rowSums[r] as number),
    columnSum: (c) => show(columnSums[c] as number),
    total: {
      text: Number.isFinite(all) ? (good ? (compact ? "1" : fixed(1, 3)) : showSum(all)) : "?",
      good,
      title: good ? "Normalised: the cells sum to 1" : sound ? `The cells sum to ${showSum(all)}, not 1` : "A cell holds no probability",
    },
    cellWidth: { least, most: Math.max(88, least) },
    sumWidth: sum,
    compact,
    scrolls,
    disabled,
  };
}

/** Every digit, where the cell shows fewer. */
function exactTitle(p: number, text: string): string | null {
  const exact = String(p);
  return Number.isFinite(p) && exact !== text ? exact : null;
}
