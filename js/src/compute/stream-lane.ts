/** One mechanism on one stream: what it releases step by step, and what the adversary believes and learns. */
import { type Belief, beliefAfter, beliefBefore, sumOf } from "./stream-belief";
import type { Chain } from "./stream-chain";
import { SMALLEST } from "./stream-common";
import { leakageOf, within } from "./stream-lift";
import { heldRatio, matrixOf } from "./stream-mechanisms";
import { drawnFrom, type Script, segmentAt } from "./stream-script";

/** Stands for a symbol in steps that a lane that has ended does not reach. */
export const NOTHING = 0xffff;
/** States whose probabilities are shown one by one. */
export const MOST_SHOWN = 12;

/** Sums over all steps so far. */
export interface Totals {
  leakage: number;
  largest: number;
  over: number;
  firstOver: number | null;
  error: number;
  expected: number;
}

/** A mechanism between two steps. */
export interface LaneState {
  totals: Totals;
  /** Before the last step, and how likely each true symbol made what was released then; null before the first step. */
  last: { belief: Belief; likelihood: Float64Array; released: number } | null;
  /** Which step could not be released, and why. */
  ended: { step: number; why: string } | null;
}

export interface LaneBlock {
  released: Uint16Array;
  /** As they are shown: of all states, or of the true one. */
  belief: Float64Array;
  least: Float64Array;
  leakage: Float64Array;
  over: Uint8Array;
  sum: Float64Array;
  error: Float64Array;
  expected: Float64Array;
  end: LaneState;
}

export const FIRST: LaneState = { totals: { leakage: 0, largest: 0, over: 0, firstOver: null, error: 0, expected: 0 }, last: null, ended: null };

/** What a mechanism makes of the next symbols; `numbers` are two random ones for each of them. */
export function laneSteps(script: Script, key: string, before: LaneState, first: number, symbols: Uint16Array, numbers: Float64Array): LaneBlock {
  const [count, n] = [symbols.length, segmentAt(script, 1).chain.n];
  const shown = n <= MOST_SHOWN ? n : 1;
  const nothing = (size: number): Float64Array => new Float64Array(size).fill(NaN);
  const block = {
    released: new Uint16Array(count).fill(NOTHING),
    belief: nothing(count * shown),
    least: nothing(count),
    leakage: nothing(count),
    over: new Uint8Array(count),
    sum: nothing(count),
    error: nothing(count),
    expected: nothing(count),
  };
  let state = before;
  for (let k = 0; k < count && state.ended === null; k++) {
    const step = first + k + 1;
    const { chain, epsilon } = segmentAt(script, step);
    const belief = beliefOf(state, chain);
    if (belief === null) {
      state = { ...state, ended: { step, why: impossible(state) } };
      break;
    }
    const symbol = symbols[k] as number;
    const checked = checkedBelief(belief.predictive);
    const now = { epsilon, chain, belief: checked, distances: script.distances, last: state.last?.released ?? null };
    const matrix = matrixOf(key, now);
    const released = drawnFrom(matrix.subarray(symbol * n, (symbol + 1) * n), numbers[2 * k + 1] as number);
    const leakage = leakageOf(matrix, checked, heldRatio(key, now));
    const over = !within(leakage, epsilon);
    const error = script.distances[symbol * n + released] as number;
    const totals = added(state.totals, step, leakage, over, error, costOf(matrix, checked, script.distances));
    const likelihood = Float64Array.from({ length: n }, (_, x) => matrix[x * n + released] as number);
    state = { totals, last: { belief, likelihood, released }, ended: null };
    block.released[k] = released;
    if (shown === 1 && n > 1) block.belief[k] = belief.predictive[symbol] as number;
    else block.belief.set(belief.predictive, k * n);
    block.least[k] = belief.predictive.reduce((least, p) => (p > 0 && p < least ? p : least), Infinity);
    block.leakage[k] = leakage;
    block.over[k] = Number(over);
    block.sum[k] = totals.leakage;
    block.error[k] = totals.error / step;
    block.expected[k] = totals.expected / step;
  }
  return { ...block, end: state };
}

/** The belief before the next step, whose chain may be another one than that of the last. */
function beliefOf({ last }: LaneState, chain: Chain): Belief | null {
  return last === null ? beliefBefore(chain) : beliefAfter(chain, last.belief, last.likelihood);
}

function impossible({ last }: LaneState): string {
  const step = (last?.belief.released ?? 0) + 1;
  return `Symbol ${last?.released} at step ${step} has probability 0 under the model: no belief follows from it. Use ` +
    "the model and the mechanism that made it, or smooth the transitions.";
}

function checkedBelief(predictive: Float64Array): Float64Array {
  const total = sumOf(predictive);
  return predictive.map((p) => (p / total < SMALLEST ? 0 : p / total));
}

function costOf(matrix: Float64Array, belief: Float64Array, distances: Float64Array): number {
  const n = belief.length;
  let cost = 0;
  for (let x = 0; x < n; x++) {
    let row = 0;
    for (let y = 0; y < n; y++) row += (matrix[x * n + y] as number) * (distances[x * n + y] as number);
    cost += (belief[x] as number) * row;
  }
  return cost;
}

function added(totals: Totals, step: number, leakage: number, over: boolean, error: number, cost: number): Totals {
  return {
    leakage: totals.leakage + leakage,
    largest: Math.max(totals.largest, leakage),
    over: totals.over + Number(over),
    firstOver: over && totals.firstOver === null ? step : totals.firstOver,
    error: totals.error + error,
    expected: totals.expected + cost,
  };
}
