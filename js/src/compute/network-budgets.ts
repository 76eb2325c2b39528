/**
 * What the releases of a stream say about one event, when each is locally private by itself and the adversary knows how
 * the data move: bounds step by step, exact values for two states, windows of events, and budgets that keep a target. See
 * `leakage/sequence/temporal_*` in Python.
 */
import { amount, InputFault } from "./faults";
import { movesOf } from "./network-quilts";
import type { Network } from "./network-model";
import { logAdd } from "./releases";

/** Laws of a neighbouring event, one row for each label that can occur. */
export type Rows = readonly (readonly number[])[];

/** Moves that join each step with the next: from a label to the next one, and back. */
export interface BothWays {
  forward: readonly Rows[];
  backward: readonly Rows[];
}

/** The moves of a network that is a line; rows of labels that cannot occur are left out. */
export function bothWays(network: Network): BothWays {
  if (!network.isPath) throw new InputFault("The network is no line of tuples in their order, and has no steps.", { kind: "table" });
  const { forward, backward } = movesOf(network);
  const there = (rows: Rows, j: number): Rows => rows.filter((_, v) => network.possible[j]?.[v]);
  return { forward: forward.map((rows, j) => there(rows, j)), backward: backward.map((rows, j) => there(rows, j + 1)) };
}

/** What two rows give to the sets of labels that can be best: those with the largest ratios. */
const sets = new WeakMap<Rows, readonly (readonly [number, number])[]>();

function setsOf(rows: Rows): readonly (readonly [number, number])[] {
  const had = sets.get(rows);
  if (had) return had;
  const found: (readonly [number, number])[] = [];
  rows.forEach((more, s) => {
    rows.forEach((less, t) => {
      if (s === t) return;
      const ratio = (k: number): number => ((less[k] as number) > 0 ? (more[k] as number) / (less[k] as number) : (more[k] as number) > 0 ? Infinity : 0);
      let [q, d] = [0, 0];
      for (const k of more.map((_, at) => at).sort((a, b) => ratio(b) - ratio(a) || 0)) {
        q += more[k] as number;
        d += less[k] as number;
        found.push([Math.min(q, 1), Math.min(d, 1)]);
      }
    });
  });
  sets.set(rows, found);
  return found;
}

/** log of a share grown by e^alpha - 1, less alpha; exp(-alpha) may be too small for a float, and decides where a row gives nothing. */
const grown = (share: number, alpha: number): number =>
  alpha < 0.5 ? Math.log1p(share * Math.expm1(alpha)) - alpha : logAdd(Math.log(share), Math.log1p(-share) - alpha);

/** What a leakage of alpha nats about one event says about the next, whose laws given it are the rows (Cao et al., L). */
export function carried(rows: Rows, alpha: number): number {
  if (!(alpha > 0)) return 0;
  if (alpha === Infinity) return setsOf(rows).reduce((most, [q, d]) => Math.max(most, q > 0 ? Math.log(q / d) : 0), 0);
  return setsOf(rows).reduce((most, [q, d]) => Math.max(most, Math.min(alpha, grown(q, alpha) - grown(d, alpha))), 0);
}

/** What the releases on one side say in the end, for equal budgets without an end; the budget itself counts. */
export function carriedForEver(rows: Rows, epsilon: number): number {
  if (epsilon === 0) return 0;
  const [kept, low] = [-Math.expm1(-epsilon), Math.exp(-epsilon)];
  let largest = 0;
  for (const [q, d] of setsOf(rows)) {
    if (!(q > d)) continue;
    // The fixed point is e^epsilon (1 + x), both ways without cancellation.
    const p = low + d * (1 + kept) - q;
    const root = Math.sqrt(p ** 2 + 4 * d * kept * (q - d));
    largest = Math.max(largest, p > 0 ? (2 * kept * (q - d)) / (root + p) : d === 0 ? Infinity : (root - p) / (2 * d));
  }
  return epsilon + Math.log1p(largest);
}

/** Bounds that hold for every mechanism with these promises, nats, one for each step. */
export interface Temporal {
  budgets: readonly number[];
  /** What the releases up to a step say about it, and those from it on. */
  backward: readonly number[];
  forward: readonly number[];
  /** Both together: event level. */
  total: readonly number[];
}

export function temporal({ forward, backward }: BothWays, budgets: readonly number[]): Temporal {
  budgets.forEach((one) => amount("epsilon", one, "epsilon"));
  const [past, future] = [[...budgets], [...budgets]];
  for (let t = 1; t < budgets.length; t++) past[t] = carried(backward[t - 1] as Rows, past[t - 1] as number) + (budgets[t] as number);
  for (let t = budgets.length - 1; t > 0; t--) future[t - 1] = carried(forward[t - 1] as Rows, future[t] as number) + (budgets[t - 1] as number);
  const total = budgets.map((own, t) => (past[t] as number) + (future[t] as number) - (own === Infinity ? 0 : own));
  return { budgets, backward: past, forward: future, total };
}

/** What they say about each window of events, by its first step; a window of all steps is worth the sum of all budgets. */
export function windows({ budgets, backward, forward, total }: Temporal, width: number): number[] {
  const sum = (from: number, to: number): number => budgets.slice(from, to).reduce((all, one) => all + one, 0);
  if (width >= budgets.length) return budgets.length ? [sum(0, budgets.length)] : [];
  if (width === 1) return [...total];
  return Array.from({ length: budgets.length - width + 1 }, (_, t) => {
    const last = t + width - 1;
    const found = (backward[t] as number) - (budgets[t] as number) + sum(t, t + width) + (forward[last] as number) - (budgets[last] as number);
    return Number.isNaN(found) ? Infinity : found;
  });
}

/** What they say about each event exactly, for two states and releases that reach both likelihood ratios of their promise. */
export function twoStates({ forward, backward }: BothWays, budgets: readonly number[]): number[] {
  if ([...forward, ...backward].some((rows) => rows.some((row) => row.length !== 2))) {
    throw new InputFault("The exact values are for two states; the bounds hold for any number.", { kind: "table" });
  }
  const through = (moves: readonly Rows[], order: readonly number[]): [number, number][] => {
    const found: [number, number][] = [];
    order.forEach((own, t) => {
      const rows = moves[t - 1];
      const before = found[t - 1];
      if (!before || !rows || rows.length < 2) return void found.push([own, own]);
      const [[p00, p01], [p10, p11]] = rows.map((row) => row.map(Math.log)) as [[number, number], [number, number]];
      const ends = [before[0], -before[1]].map((r) => logAdd(p00 + r, p01) - logAdd(p10 + r, p11));
      found.push([Math.max(...ends) + own, -Math.min(...ends) + own]);
    });
    return found;
  };
  const past = through(backward, budgets);
  const future = through([...forward].reverse(), [...budgets].reverse()).reverse();
  return budgets.map((own, t) => Math.max(0, ...[0, 1].map((s) => (past[t]?.[s] as number) + (future[t]?.[s] as number))) - own);
}

/** Budgets that keep what is learned about any event, or window of events, at or below a target. */
export interface Plan {
  /** The largest budget that keeps it at every step for ever; 0 where no positive one does. */
  constant: number;
  /** One for each step; empty for a stream without an end. */
  budgets: readonly number[];
}

const NOTHING = 1e-12;

/** A plan for a stream whose steps are all alike; `steps` null without an end. Single events of a known number of steps each leak exactly the target. */
export function budgetsFor(forward: Rows, backward: Rows, target: number, steps: number | null, width = 1): Plan {
  const goal = amount("budget", target, "target");
  const found = root((one) => {
    const both = carriedForEver(backward, one) + carriedForEver(forward, one);
    return both === Infinity ? Infinity : both + (width - 2) * one;
  }, goal);
  const constant = found <= NOTHING * goal ? 0 : found;
  if (steps === null) {
    const text = "No positive budget lasts for a stream without an end, since one step determines the next; give the number of steps.";
    if (constant === 0) throw new InputFault(text, { kind: "parameter", name: "steps" });
    return { constant, budgets: [] };
  }
  if (width > 1 || steps < 2) {
    return { constant, budgets: new Array<number>(steps).fill(width > 1 && width < steps && constant ? constant : goal / Math.max(steps, 1)) };
  }
  const first = root((one) => one + carried(forward, goal - carried(backward, one)), goal);
  const past = carried(backward, first);
  if (first - past <= NOTHING * goal) return { constant, budgets: new Array<number>(steps).fill(goal / steps) };
  return { constant, budgets: [first, ...new Array<number>(steps - 2).fill(first - past), goal - past] };
}

/** The largest number up to the goal at which a function that rises is not above the goal. */
function root(rising: (at: number) => number, goal: number): number {
  if (rising(goal) <= goal) return goal;
  let [low, high] = [0, goal];
  for (;;) {
    const middle = (low + high) / 2;
    if (!(low < middle && middle < high) || high <= NOTHING * NOTHING * goal) return low;
    if (rising(middle) <= goal) low = middle;
    else high = middle;
  }
}
