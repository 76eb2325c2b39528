/** The slack between two laws on one lattice: how far one may exceed e^ε times the other. */
import type { Events } from "../anonymity/protocol";

/** Chances of `start`, `start + 1`, ... steps of a lattice. */
export interface Law {
  start: number;
  chances: Float64Array;
}

/** Beyond it e^ε no longer fits beside small chances. */
const LARGE = 700;

/** The least delta at which the two are alike within e^ε for these events, in both directions. */
export function slackBetween(first: Law, second: Law, epsilon: number, events: Events): number {
  return Math.max(oneWay(first, second, epsilon, events), oneWay(second, first, epsilon, events));
}

/** What of p remains above e^ε q at one outcome. */
export function excess(p: number, q: number, epsilon: number): number {
  if (q === 0) return p;
  if (epsilon === Infinity) return -Infinity;
  if (epsilon <= LARGE) return p - Math.exp(epsilon) * q;
  if (p === 0) return -Infinity;
  const above = Math.log(p) - Math.log(q) - epsilon;
  return above > 0 ? -p * Math.expm1(-above) : -Infinity;
}

function oneWay(p: Law, q: Law, epsilon: number, events: Events): number {
  const from = Math.min(p.start, q.start);
  const to = Math.max(p.start + p.chances.length, q.start + q.chances.length);
  // All: the sum of what is above. Interval: the best block. Half-line: the best beginning or end.
  let [all, lost] = [0, 0];
  let [sum, least, block, prefix, suffix] = [0, 0, 0, 0, 0];
  const total: number[] = [];
  for (let x = from; x < to; x++) {
    const g = excess(p.chances[x - p.start] ?? 0, q.chances[x - q.start] ?? 0, epsilon);
    if (events === "all") {
      if (!(g > 0)) continue;
      // Compensated: small terms beside large ones.
      const term = g - lost;
      const next = all + term;
      lost = next - all - term;
      all = next;
    } else if (events === "interval") {
      sum = Math.max(0, sum + g);
      if (sum > block) block = sum;
    } else {
      least += g;
      if (least > prefix) prefix = least;
      total.push(g);
    }
  }
  if (events === "all") return all;
  if (events === "interval") return block;
  let end = 0;
  for (let k = total.length - 1; k >= 0; k--) {
    end += total[k] as number;
    if (end > suffix) suffix = end;
  }
  return Math.max(prefix, suffix);
}

/** The least of all values so far: what holds at a smaller ε holds at a larger one. */
export function runningLeast(values: ArrayLike<number>): Float64Array {
  let least = Infinity;
  return Float64Array.from(values, (value) => {
    if (value < least) least = value;
    // Nothing was defined before.
    return least === Infinity ? NaN : least;
  });
}
