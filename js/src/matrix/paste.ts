/** A pasted block becomes one edit of matrix, weights and means. */
import type { Drafts } from "../table/entry";
import { fromCorrelation, notSymmetric, readNumber, sizeOf, SYMMETRY, type Numbers, type Refusal } from "./editing";
import { draftKey, placeAt, type Place } from "./grid-view";

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
