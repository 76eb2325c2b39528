/** Editing a transition matrix: a row sums to 1, and an edit of one cell rescales the others of its row. */
import { fromWeights, isNormalised, isProbability, normalise, setCell, setCells, showSum, total, type Edit } from "../table/editing";
import { Drafts, readProbability } from "../table/entry";

/** Rows of n entries each, of which the last may be the law of the first state. */
export interface Rows {
  entries: Float64Array;
  n: number;
}

const row = ({ entries, n }: Rows, r: number): Float64Array => entries.slice(r * n, (r + 1) * n);
const unlocked = (n: number): Uint8Array => new Uint8Array(n);

function withRow(rows: Rows, r: number, edit: Edit): Edit {
  if (!edit.ok) return edit;
  const entries = rows.entries.slice();
  entries.set(edit.entries, r * rows.n);
  return { ok: true, entries };
}

/** One cell by the hand. */
export function setEntry(rows: Rows, r: number, c: number, p: number, keepSum: boolean): Edit {
  return withRow(rows, r, setCell(row(rows, r), c, p, unlocked(rows.n), keepSum));
}

/** Scales every row that does not sum to 1. */
export function normaliseRows(rows: Rows): Edit {
  let edit: Edit = { ok: true, entries: rows.entries };
  for (let r = 0; r * rows.n < rows.entries.length && edit.ok; r++) {
    const now = { entries: edit.entries, n: rows.n };
    if (!isNormalised(row(now, r))) edit = withRow(now, r, normalise(row(now, r), unlocked(rows.n)));
  }
  return edit;
}

/** A pasted block: whole rows are read as weights, so that counts can be pasted; parts of rows rescale the rest. */
export function pasteRows(rows: Rows, r: number, c: number, block: readonly (readonly string[])[], keepSum: boolean, drafts: Drafts): Edit {
  const { n } = rows;
  const height = rows.entries.length / n;
  const width = Math.max(...block.map((cells) => cells.length));
  const short = block.findIndex((cells) => cells.length < width);
  if (short >= 0) return { ok: false, title: "The pasted lines differ in length.", text: `Line ${short + 1} has fewer than ${width} cells.` };
  if (r + block.length > height || c + width > n) {
    return {
      ok: false,
      title: `The pasted block has ${block.length} × ${width} cells.`,
      text: `From here ${height - r} × ${n - c} fit (rows × columns, without headings and sums).`,
    };
  }
  let edit: Edit = { ok: true, entries: rows.entries };
  block.forEach((cells, k) => {
    if (!edit.ok) return;
    const now = { entries: edit.entries, n };
    edit = withRow(now, r + k, pasteRow(row(now, r + k), (r + k) * n, c, cells, keepSum, drafts));
  });
  return edit;
}

function pasteRow(entries: Float64Array, offset: number, c: number, cells: readonly string[], keepSum: boolean, drafts: Drafts): Edit {
  const read = cells.map((text) => readProbability(text));
  const values = new Map(read.map(({ value }, k) => [c + k, value]));
  const whole = cells.length === entries.length && read.every(({ value }) => value >= 0 && Number.isFinite(value));
  if (keepSum && whole) {
    const given = Float64Array.from(read, ({ value }) => value);
    return Math.abs(total(given) - 1) <= 1e-12 ? { ok: true, entries: given } : fromWeights(given);
  }
  read.forEach((entry, k) => drafts.keep(offset + c + k, cells[k] as string, entry));
  const sound = [...values.values()].every(isProbability) && entries.every((p, k) => values.has(k) || isProbability(p));
  if (keepSum && sound) return setCells(entries, values, unlocked(entries.length));
  return { ok: true, entries: entries.map((p, k) => values.get(k) ?? p) };
}

/** What is wrong with the rows, the first of it; null where each is a law. */
export function rowFault(
  rows: Rows,
  drafts: Drafts,
  names: { row(r: number): string; cell(r: number, c: number): string },
): { title: string; text: string; normalise: boolean } | null {
  const { entries, n } = rows;
  const bad = entries.findIndex((p) => !isProbability(p));
  if (bad >= 0) {
    const value = entries[bad] as number;
    const reason = drafts.at(bad, value)?.reason ?? `${value} is not a probability. Enter a number from 0 to 1.`;
    const more = entries.filter((p) => !isProbability(p)).length - 1;
    const others = more > 0 ? ` ${more} more ${more === 1 ? "cell is" : "cells are"} marked.` : "";
    return { title: `${names.cell(Math.floor(bad / n), bad % n)}:`, text: reason + others, normalise: false };
  }
  for (let r = 0; r * n < entries.length; r++) {
    const sum = total(row(rows, r));
    if (!isNormalised(row(rows, r))) return { title: `The row ${names.row(r)} sums to ${showSum(sum)}.`, text: "Each row needs a sum of 1.", normalise: true };
  }
  return null;
}
