/** What undo and redo cover in the explorer of prior knowledge: the table's entries and locks, the scale, the goal, the query and its weights. */
import type { Bytes } from "../ui/protocol";
import { sameBytes } from "../ui/wire";

export interface Edit {
  entries: Bytes;
  locks: Bytes;
  scale: number;
  goal: number;
  query: string;
  weights: number[];
}

export function sameEdit(a: Edit, b: Edit): boolean {
  const release = Object.is(a.scale, b.scale) && Object.is(a.goal, b.goal) && a.query === b.query && sameNumbers(a.weights, b.weights);
  return release && sameBytes(a.entries, b.entries) && sameBytes(a.locks, b.locks);
}

export function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((x, k) => Object.is(x, b[k]));
}
