/** What a hand sets about k-anonymity, checked; what is wrong is said in the words of Python. */
import type { Events, Level, Neighbour } from "../anonymity/protocol";

/** What results belong to. */
export interface AnonymityInputs {
  quasi: number[];
  secret: number | null;
  k: number;
  release: string;
  /** Records that it is of; null for those of the table. */
  n: number | null;
  neighbour: Neighbour;
  groupChange: number;
  shift: number | null;
  level: Level;
  known: number;
  neighbours: number;
  epsilon: number;
  events: Events;
  delta1: number | null;
  printed: boolean;
  reading: string;
}

/** Share known and records that move together, as the level has it. */
export function adversaryOf({ level, known, neighbours }: Pick<AnonymityInputs, "level" | "known" | "neighbours">): { share: number; d: number } {
  return { share: level === "III" || level === "IV" ? known : 0, d: level === "II" || level === "IV" ? neighbours : 1 };
}

export interface Unknown {
  /** Unknown records, the target among them, those that move with it, and the others. */
  all: number;
  block: number;
  others: number;
}

export function unknownOf(n: number, share: number, d: number): Unknown {
  const all = n - Math.floor(share * n + 0.5);
  const targets = Math.min(d, all);
  return { all, block: Math.max(1, targets), others: all - targets };
}

/** The end of the axis of ε: 2.5, or the next of 5, 10, 25, 50 and so on. */
export function axisEnd(epsilon: number): number {
  if (!Number.isFinite(epsilon) || epsilon <= 2.5) return 2.5;
  for (let power = 1; ; power *= 10) {
    for (const step of [2.5, 5, 10]) if (step * power >= epsilon) return step * power;
    if (power > 1e300) return Number.MAX_VALUE;
  }
}

