/**
 * A covariance matrix as a grid: weights above, means below, colour by signed amount; a drag on a cell, a pasted
 * block.
 */
import type { Drafts } from "../table/editing";
import { niceCeiling } from "../ui/axes";
import type { GridCell, GridProps } from "../ui/grid";
import { fit, textWidth } from "../ui/lettering";
import {
  correlationAt,
  deviations,
  fromCorrelation,
  notSymmetric,
  readNumber,
  sizeOf,
  SYMMETRY,
  type Numbers,
  type Refusal,
} from "./editing";
import type { Culprit } from "./validity";
import { decimalsFor, decimalsOf, entry, plain, shortNames, signedFill } from "./words";

// A covariance matrix as a grid: weights above, means below, colour by the signed amount.

export interface MatrixView {
  names: string[];
  numbers: Numbers;
  /** Show correlations: the diagonal is then 1 and cannot be edited. */
  correlation: boolean;
  /** Where the colours end. */
  domain: number;
  chosen: Place;
  culprit: Culprit | null;
  drafts: Drafts;
  /** The attacked tuple, when there is one. */
  target: number | null;
  dark: boolean;
  disabled: boolean;
  width: number;
}

export interface Place {
  part: "weight" | "entry" | "mean";
  /** Row of an entry; the tuple of a weight or mean. */
  i: number;
  j: number;
}

const ROW_HEADS = { weight: "weight a", mean: "mean" };
const MOST_CELL = 64;
const MOST_HEAD = 120;
const NARROW_HEAD = 76;
/** Twenty tuples with their weights and means stand whole. */
const TALL = 22;

/** Where each row of the grid is in the numbers. */
export function placeAt(numbers: Numbers, r: number, c: number): Place {
  const n = sizeOf(numbers);
  const top = numbers.weights ? 1 : 0;
  if (r < top) return { part: "weight", i: c, j: c };
  return r < top + n ? { part: "entry", i: r - top, j: c } : { part: "mean", i: c, j: c };
}

/** A number for each cell: the same for the same cell with and without weights, another one for another size. */
function keyOf(n: number, { part, i, j }: Place): number {
  const row = part === "weight" ? 0 : part === "mean" ? n + 1 : i + 1;
  return (n * 100 + row) * 100 + j;
}

/** Where a cell keeps its drafts: one number for an entry and its mirror. */
export function draftKey(n: number, { part, i, j }: Place): number {
  return keyOf(n, { part, i: Math.min(i, j), j: Math.max(i, j) });
}

export function valueAt(view: Pick<MatrixView, "numbers" | "correlation">, { part, i, j }: Place): number {
  const { cov, mean, weights } = view.numbers;
  if (part === "weight") return weights?.[j] ?? NaN;
  if (part === "mean") return mean[j] as number;
  return view.correlation ? correlationAt(cov, mean.length, i, j) : (cov[i * mean.length + j] as number);
}

export function matrixDecimals(view: Pick<MatrixView, "correlation" | "domain">): number {
  return view.correlation ? 2 : decimalsFor(view.domain);
}

export function isReadOnly(view: Pick<MatrixView, "numbers" | "correlation">, { part, i, j }: Place): boolean {
  if (part !== "entry" || !view.correlation) return false;
  const { cov, mean } = view.numbers;
  // Without a variance there is no correlation to set.
  return i === j || [i, j].some((k) => !((cov[k * mean.length + k] as number) > 0));
}

/** What a cell is, before its value: "covariance of flat A and flat B". */
export function nameOf(view: MatrixView, { part, i, j }: Place): string {
  const name = (k: number): string => (view.names[k] as string).slice(0, 60);
  if (part !== "entry") return `${part} of ${name(j)}`;
  if (i === j && !view.correlation) return `variance of ${name(i)}`;
  return `${view.correlation ? "correlation" : "covariance"} of ${name(i)} and ${name(j)}`;
}

export function gridProps(view: MatrixView): GridProps {
  const { names, numbers, chosen, culprit, drafts, disabled } = view;
  const n = sizeOf(numbers);
  const rows = n + 1 + (numbers.weights ? 1 : 0);
  const decimals = matrixDecimals(view);
  const meanDecimals = Math.max(1, decimalsOf(numbers.mean, 2));
  const weightDecimals = numbers.weights ? decimalsOf(numbers.weights, 2) : 0;
  const write = (place: Place, value: number): string =>
    place.part === "entry"
      ? view.correlation && place.i === place.j ? "1" : entry(value, decimals)
      : plain(value, place.part === "mean" ? meanDecimals : weightDecimals);
  const texts = Array.from({ length: rows * n }, (_, k) => {
    const place = placeAt(numbers, Math.floor(k / n), k % n);
    return write(place, valueAt(view, place));
  });
  const bold = (k: number): boolean => {
    const { part, i, j } = placeAt(numbers, Math.floor(k / n), k % n);
    return part === "entry" && i === j;
  };
  // With the air that the style sheet leaves at both sides.
  const widest = (size: number, air: number): number => Math.ceil(Math.max(...texts.map((text, k) => textWidth(text, size, bold(k))))) + 2 * air + 1;
  const headTexts = [...names, ...Object.values(ROW_HEADS)];
  const longest = Math.ceil(Math.max(...headTexts.map((text) => textWidth(text.slice(0, 80), 12)))) + 10;
  const mostHead = view.width < 480 ? NARROW_HEAD : MOST_HEAD;
  const heads = Math.max(52, Math.min(longest, mostHead));
  const roomy = Math.max(44, widest(13, 6));
  const compact = heads + n * roomy > view.width;
  const least = compact ? Math.max(36, widest(12, 4)) : roomy;
  const scrolls = heads + n * least > view.width;
  const most = Math.max(MOST_CELL, least);
  const cellRoom = Math.max(least, Math.min(most, (view.width - heads) / n)) - (compact ? 6 : 8);
  const short = shortNames(names);
  const fits = names.every((name) => textWidth(name.slice(0, 80), 12) <= cellRoom);
  const twin = chosen.part === "entry" && chosen.i !== chosen.j ? chosen : null;

  return {
    label: view.correlation ? "Correlation matrix" : "Covariance matrix",
    rowCount: rows,
    columnCount: n,
    structure: JSON.stringify([names, numbers.weights !== null, heads, compact, scrolls, least, fits, Math.round(cellRoom), view.target]),
    key: (r, c) => keyOf(n, placeAt(numbers, r, c)),
    locate(key) {
      const [row, j] = [Math.floor(key / 100) % 100, key % 100];
      if (Math.floor(key / 10000) !== n) return null;
      if (row > 0) return [row - (numbers.weights ? 0 : 1), j];
      return numbers.weights ? [0, j] : null;
    },
    corner: [{ text: "", width: heads }],
    head: [
      names.map((name, j) => ({
        text: fit((fits ? name : short[j]) as string, cellRoom, 12, false, fits ? names : short),
        title: name,
        span: 1,
        align: "end" as const,
        marked: j === view.target,
      })),
    ],
    rowHead(r) {
      const { part, i } = placeAt(numbers, r, 0);
      const text = part === "entry" ? (names[i] as string) : ROW_HEADS[part];
      return [{ text: fit(text, heads - 8, 12, false, names), title: text }];
    },
    rowMarked: (r) => {
      const { part, i } = placeAt(numbers, r, 0);
      return part === "entry" && i === view.target;
    },
    rowGroup: () => false,
    columnGroup: () => false,
    cell(r, c): GridCell {
      const place = placeAt(numbers, r, c);
      const { part, i, j } = place;
      const value = valueAt(view, place);
      const draft = drafts.at(draftKey(n, place), value);
      const own = part === "entry";
      const wrong = own && culprit !== null && culprit.i === i && culprit.j === j;
      const invalid = wrong || draft !== undefined || (!own && !Number.isFinite(value));
      const readOnly = isReadOnly(view, place);
      const text = draft ? draft.text : (texts[r * n + c] as string);
      const exact = String(value);
      const kind = [
        own ? "entry" : "plain",
        own && i === j ? "diagonal" : "",
        chosen.part === part && chosen.i === i && chosen.j === j ? "chosen" : "",
        twin && twin.i === j && twin.j === i ? "twin" : "",
      ];
      const states = [text.slice(0, 80), invalid ? "invalid" : "", readOnly ? "read only" : ""];
      return {
        text,
        label: `${nameOf(view, place)}: ${states.filter((word) => word !== "").join(", ")}`,
        title: invalid ? (draft?.reason ?? exact) : Number.isFinite(value) && exact !== text ? exact : null,
        share: own && Number.isFinite(value) ? Math.min(1, Math.abs(value) / view.domain) : 0,
        invalid,
        zero: own && value === 0,
        readOnly,
        fill: own && Number.isFinite(value) ? signedFill(value / view.domain, view.dark) : null,
        kind: kind.filter((word) => word !== "").join(" "),
      };
    },
    sumLabel: null,
    cellWidth: { least, most },
    sumWidth: 0,
    compact,
    scrolls,
    tall: TALL,
    disabled,
  };
}

// What a hand that drags a cell makes of its value.

type Held = Pick<MatrixView, "numbers" | "correlation" | "domain">;

/** What a step of 4 px changes: about a hundredth of what the cell can hold. */
function stepOf({ numbers, correlation, domain }: Held, at: Place): number {
  if (at.part === "weight") return 0.1;
  if (at.part === "entry") return correlation ? 0.01 : niceCeiling(domain / 100, [1, 2, 5, 10]);
  const spread = deviations(numbers.cov, sizeOf(numbers))[at.j] as number;
  return spread > 0 && Number.isFinite(spread) ? niceCeiling(spread / 40, [1, 2, 5, 10]) : 0.1;
}

/** The value of a cell after so many steps: whole tenths of a step, so that dragging back gives clean numbers. */
export function moved(before: Held, at: Place, steps: number): number {
  const step = stepOf(before, at);
  return Number((Math.round((valueAt(before, at) + steps * step) / (step / 10)) * (step / 10)).toPrecision(12));
}

/** A hand does not pass what no matrix can hold. */
export function limited(at: Place, value: number, correlation: boolean): number {
  if (at.part !== "entry") return value;
  if (correlation) return Math.min(1, Math.max(-1, value));
  return at.i === at.j ? Math.max(0, value) : value;
}

// A pasted block becomes one edit of matrix, weights and means.

export type Pasted = { ok: true; numbers: Numbers } | ({ ok: false } & Refusal);

interface Target {
  row: number;
  column: number;
  numbers: Numbers;
  correlation: boolean;
  names: readonly string[];
}

/**
 * A cell above the diagonal takes its mirror with it. Where the block holds both they must agree, and the first cell
 * that differs is named. Text that is no number is kept as typed and marked.
 */
export function pasteBlock(block: readonly (readonly string[])[], target: Target, drafts: Drafts): Pasted {
  const { row, column, numbers, correlation, names } = target;
  const n = sizeOf(numbers);
  const rows = n + 1 + (numbers.weights ? 1 : 0);
  const [height, width] = [block.length, Math.max(...block.map((cells) => cells.length))];
  const short = block.findIndex((cells) => cells.length < width);
  if (short >= 0) return { ok: false, title: "The pasted lines differ in length.", text: `Line ${short + 1} has fewer than ${width} cells.` };
  if (row + height > rows || column + width > n) {
    return {
      ok: false,
      title: `The pasted block has ${height} × ${width} cells.`,
      text: `From here ${rows - row} × ${n - column} fit (rows × columns). Another size comes in by Import.`,
    };
  }
  const entries = new Map<number, { i: number; j: number; value: number; text: string }>();
  const others: { place: Place; value: number }[] = [];
  const typed: { place: Place; text: string; value: number; reason: string | null }[] = [];
  for (let r = 0; r < height; r++) {
    for (let c = 0; c < width; c++) {
      const place = placeAt(numbers, row + r, column + c);
      const text = block[r]?.[c] as string;
      const read = readNumber(text);
      typed.push({ place, text, ...read });
      const { part, i, j } = place;
      if (part !== "entry") {
        others.push({ place, value: read.value });
        continue;
      }
      const mirror = entries.get(j * n + i);
      // Two texts that are no number are no contradiction: both cells are marked.
      if (mirror && i !== j && Math.abs(mirror.value - read.value) > SYMMETRY * Math.max(Math.abs(mirror.value), Math.abs(read.value))) {
        return { ok: false, ...notSymmetric(names, j, i, mirror.text, text) };
      }
      if (correlation && i === j && read.value !== 1) {
        return { ok: false, title: `The correlation of ${names[i]} with itself is 1.`, text: "To paste variances, switch to covariance." };
      }
      if (!mirror || i === j) entries.set(i * n + j, { i, j, value: read.value, text });
    }
  }
  const cov = numbers.cov.slice();
  for (const { i, j, value } of entries.values()) {
    if (correlation && i === j) continue;
    const covariance = correlation ? fromCorrelation(numbers.cov, n, i, j, value) : value;
    cov[i * n + j] = cov[j * n + i] = covariance;
  }
  const mean = numbers.mean.slice();
  const weights = numbers.weights?.slice() ?? null;
  for (const { place, value } of others) {
    if (place.part === "mean") mean[place.j] = value;
    else if (weights) weights[place.j] = value;
  }
  for (const { place, text, value, reason } of typed) drafts.keep(draftKey(n, place), text, { value, reason } as Parameters<Drafts["keep"]>[2]);
  return { ok: true, numbers: { cov, mean, weights } };
}
