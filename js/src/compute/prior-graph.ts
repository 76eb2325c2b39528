/** Arrays over all adversaries: who learns most, and how many learn more or are misjudged. */
import { columnCount, knownOf } from "../graph/nodes";
import { largest } from "./releases";

const ROUNDING = 1e-9;
const TIE = 1e-12;

export interface Largest {
  target: number;
  known: number[];
  value: number;
}

export function bitCount(column: number): number {
  let count = 0;
  for (let rest = column; rest > 0; rest &= rest - 1) count += 1;
  return count;
}

/** The adversary who learns most; among equals the first target and the adversary who knows least. */
export function largestOf(exact: Float64Array, n: number): Largest {
  const columns = columnCount(n);
  const top = largest(exact);
  const near = (value: number): boolean => value >= top - TIE * Math.max(1, top);
  const target = Math.floor(exact.findIndex(near) / columns);
  let best = -1;
  for (let c = 0; c < columns; c++) {
    if (near(exact[target * columns + c] as number) && (best < 0 || bitCount(c) < bitCount(best))) best = c;
  }
  return { target, known: knownOf(n, target, best), value: exact[target * columns + best] as number };
}

/** How many leakages are above a level, rounding aside. */
export function countAbove(exact: Float64Array, level: number): number {
  return exact.filter((value) => value - level > ROUNDING * Math.max(1, Math.abs(level))).length;
}

/** How often the paper's estimate is too low and too high: roundings are as large as the bound of all leakages. */
export function misjudged(paper: Float64Array, exact: Float64Array, determined: Uint8Array, bound: number): { low: number; high: number } {
  const rounding = ROUNDING * Math.max(1, bound);
  let low = 0;
  let high = 0;
  paper.forEach((estimate, node) => {
    const error = estimate - (exact[node] as number);
    if (determined[node] || Math.abs(error) <= rounding) return;
    if (error < 0) low += 1;
    else high += 1;
  });
  return { low, high };
}
