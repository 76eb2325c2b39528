/**
 * Mechanisms on one stream, side by side: what each releases step by step, and what the adversary believes and learns.
 */
import { heldRatio, leakageOf, matrixOf, SMALLEST, within } from "./stream-mechanisms";
import { blockOf, drawnFrom, segmentAt, stepsOf, symbolsOf, uniforms, type Chain, type Script } from "./stream-script";

// What an adversary believes about the current symbol of a stream, release by release; see `StreamBelief` in Python.

export interface Belief {
  /** Law of the symbol that is released next. */
  predictive: Float64Array;
  /** Second order, from the second step on: law of the last symbol and the one to come, n x n. */
  pairs: Float64Array | null;
  /** How many symbols were released. */
  released: number;
}

export function beliefBefore({ start }: Chain): Belief {
  return { predictive: start, pairs: null, released: 0 };
}

function scaled(values: Float64Array, total: number): Float64Array {
  return values.map((value) => value / total);
}

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < values.length; k++) sum += values[k] as number;
  return sum;
}

/**
 * The belief after one more release. `likelihood`: how likely each true symbol made what was released. Null where the
 * release was impossible under the model: no belief follows from it.
 */
export function beliefAfter(chain: Chain, { predictive, pairs, released }: Belief, likelihood: Float64Array): Belief | null {
  const { n, order, transitions } = chain;
  const weights = (pairs ?? predictive).map((p, k) => p * (likelihood[pairs === null ? k : k % n] as number));
  const total = sumOf(weights);
  if (!(total > 0)) return null;
  const posterior = scaled(weights, total);
  if (order === 1) {
    const coming = product(posterior, transitions, 1, n);
    return { predictive: scaled(coming, sumOf(coming)), pairs: null, released: released + 1 };
  }
  let next: Float64Array;
  if (pairs === null) {
    next = (chain.early as Float64Array).map((p, k) => (posterior[Math.floor(k / n)] as number) * p);
  } else {
    const moved = secondOrder(posterior, transitions, n);
    next = scaled(moved, sumOf(moved));
  }
  const coming = new Float64Array(n);
  for (let k = 0; k < next.length; k++) coming[k % n]! += next[k] as number;
  return { predictive: scaled(coming, sumOf(coming)), pairs: next, released: released + 1 };
}

/** Rows of weights times a square matrix. */
function product(weights: Float64Array, matrix: Float64Array, rows: number, n: number): Float64Array {
  const found = new Float64Array(rows * n);
  for (let r = 0; r < rows; r++) {
    for (let i = 0; i < n; i++) {
      const weight = weights[r * n + i] as number;
      if (weight === 0) continue;
      for (let j = 0; j < n; j++) found[r * n + j]! += weight * (matrix[i * n + j] as number);
    }
  }
  return found;
}

/** From pairs (i, j) to pairs (j, k): the oldest symbol is summed out. */
function secondOrder(pairs: Float64Array, transitions: Float64Array, n: number): Float64Array {
  const found = new Float64Array(n * n);
  for (let pair = 0; pair < n * n; pair++) {
    const weight = pairs[pair] as number;
    if (weight === 0) continue;
    const row = (pair % n) * n;
    for (let k = 0; k < n; k++) found[row + k]! += weight * (transitions[pair * n + k] as number);
  }
  return found;
}

// One mechanism on one stream: what it releases step by step, and what the adversary believes and learns.

/** Stands for a symbol in steps that a lane that has ended does not reach. */
export const NOTHING = 0xffff;
/** States whose probabilities are shown one by one. */
export const MOST_SHOWN = 12;

/** Sums over all steps so far. */
interface Totals {
  leakage: number;
  largest: number;
  over: number;
  firstOver: number | null;
  error: number;
  expected: number;
}

/** A mechanism between two steps. */
interface LaneState {
  totals: Totals;
  /** Before the last step, and how likely each true symbol made what was released then; null before the first step. */
  last: { belief: Belief; likelihood: Float64Array; released: number } | null;
  /** Which step could not be released, and why. */
  ended: { step: number; why: string } | null;
}

interface LaneBlock {
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

const FIRST: LaneState = { totals: { leakage: 0, largest: 0, over: 0, firstOver: null, error: 0, expected: 0 }, last: null, ended: null };

/** What a mechanism makes of the next symbols; `numbers` are two random ones for each of them. */
function laneSteps(script: Script, key: string, before: LaneState, first: number, symbols: Uint16Array, numbers: Float64Array): LaneBlock {
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

// Several mechanisms on one stream, side by side; a run is never changed, a longer one is a new one.

interface Block {
  /** Steps before it. */
  first: number;
  symbols: Uint16Array;
  /** What is promised for each step; sums of it, of its square and of its drift up to the step. */
  promise: Float64Array;
  linear: Float64Array;
  /** Root of the sum of squares of the promises. */
  length: Float64Array;
  drift: Float64Array;
  lanes: ReadonlyMap<string, LaneBlock>;
}

/** Arrays of a lane in consecutive steps. */
export type LaneRecord = Omit<LaneBlock, "end">;

export interface StreamRecord {
  first: number;
  count: number;
  symbols: Uint16Array;
  promise: Float64Array;
  linear: Float64Array;
  advanced: Float64Array;
  /** In the order of the lanes. */
  lanes: LaneRecord[];
}

const LANE_PARTS = ["released", "belief", "least", "leakage", "over", "sum", "error", "expected"] as const;

export class StreamRun {
  constructor(
    readonly script: Script,
    /** Keys of the mechanisms. */
    readonly lanes: readonly string[],
    private readonly blocks: readonly Block[] = [],
  ) {}

  /** How many steps there are. */
  get steps(): number {
    const last = this.blocks[this.blocks.length - 1];
    return last === undefined ? 0 : last.first + last.symbols.length;
  }

  /** The run with these steps at least, as far as there are so many, until a moment by the clock has come. */
  extended(steps: number, until = Infinity): StreamRun {
    const goal = Math.min(steps, stepsOf(this.script));
    if (this.steps >= goal) return this;
    const size = blockOf(segmentAt(this.script, 1).chain.n);
    const blocks = [...this.blocks];
    let done = this.steps;
    do {
      const end = Math.min(Math.ceil((done + 1) / size) * size, stepsOf(this.script));
      blocks.push(this.block(blocks, done, end - done));
      done = end;
    } while (done < goal && performance.now() < until);
    return new StreamRun(this.script, this.lanes, blocks);
  }

  /** The run with its first steps alone. */
  cut(steps: number): StreamRun {
    if (steps >= this.steps) return this;
    const blocks = this.blocks.filter(({ first, symbols }) => first + symbols.length <= steps);
    const last = blocks[blocks.length - 1];
    const done = last === undefined ? 0 : last.first + last.symbols.length;
    if (done < steps) blocks.push(this.block(blocks, done, steps - done));
    return new StreamRun(this.script, this.lanes, blocks);
  }

  /** The run so far with another future: the script differs from this one's after its last step. */
  changed(script: Script): StreamRun {
    return new StreamRun(script, this.lanes, this.blocks);
  }

  /** The run of other mechanisms on the same stream; those that are in both are not run again. */
  withLanes(lanes: readonly string[]): StreamRun {
    const blocks: Block[] = [];
    for (const old of this.blocks) {
      const numbers = uniforms(this.script.seed, old.first, old.symbols.length);
      const before = blocks[blocks.length - 1];
      const made = lanes.map((key): [string, LaneBlock] => [
        key,
        old.lanes.get(key) ?? laneSteps(this.script, key, stateOf(before, key), old.first, old.symbols, numbers),
      ]);
      blocks.push({ ...old, lanes: new Map(made) });
    }
    return new StreamRun(this.script, lanes, blocks);
  }

  private block(blocks: readonly Block[], first: number, count: number): Block {
    const before = blocks[blocks.length - 1];
    const numbers = uniforms(this.script.seed, first, count);
    const symbols = symbolsOf(this.script, first, numbers, lastSymbols(blocks));
    const made = this.lanes.map((key): [string, LaneBlock] => [key, laneSteps(this.script, key, stateOf(before, key), first, symbols, numbers)]);
    return { first, symbols, ...this.promises(before, first, count), lanes: new Map(made) };
  }

  private promises(before: Block | undefined, first: number, count: number): Pick<Block, "promise" | "linear" | "length" | "drift"> {
    const promise = Float64Array.from({ length: count }, (_, k) => segmentAt(this.script, first + k + 1).epsilon);
    const summed = (of: (level: number) => number, held: Float64Array | undefined): Float64Array => {
      let sum = held?.[held.length - 1] ?? 0;
      return promise.map((level) => (sum += of(level)));
    };
    // Not by squares: those of tiny budgets are 0.
    let length = before?.length[before.length.length - 1] ?? 0;
    return {
      promise,
      linear: summed((level) => level, before?.linear),
      length: promise.map((level) => (length = Math.hypot(length, level))),
      drift: summed((level) => level * Math.tanh(level / 2), before?.drift),
    };
  }

  /** Sums of a lane over its first steps. */
  totals(key: string, steps: number): Totals {
    const index = this.indexOf(steps);
    const block = this.blocks[index];
    const held = stateOf(this.blocks[index - 1], key).totals;
    const lane = block?.lanes.get(key);
    if (block === undefined || lane === undefined) return held;
    let { largest, over, firstOver } = held;
    const inside = steps - block.first;
    for (let k = 0; k < inside; k++) {
      const leakage = lane.leakage[k] as number;
      if (leakage > largest) largest = leakage;
      if (lane.over[k]) {
        over += 1;
        firstOver ??= block.first + k + 1;
      }
    }
    return { ...held, largest, over, firstOver };
  }

  /** Why a lane released nothing any more within its first steps; null while it did. */
  ended(key: string, steps: number): string | null {
    const { ended } = stateOf(this.blocks[this.blocks.length - 1], key);
    return ended !== null && ended.step <= steps ? ended.why : null;
  }

  /** Consecutive steps; `delta` is that of the advanced composition. */
  record(first: number, count: number, delta: number): StreamRecord {
    const end = first + count;
    const chosen = this.blocks.filter((block) => block.first < end && block.first + block.symbols.length > first);
    const n = segmentAt(this.script, 1).chain.n;
    const joined = <A extends Float64Array | Uint16Array | Uint8Array>(made: (size: number) => A, of: (block: Block) => A, width = 1): A => {
      const found = made(count * width);
      for (const block of chosen) {
        const [low, high] = [Math.max(first, block.first), Math.min(end, block.first + block.symbols.length)];
        found.set(of(block).subarray((low - block.first) * width, (high - block.first) * width), (low - first) * width);
      }
      return found;
    };
    const real = (of: (block: Block) => Float64Array, width?: number): Float64Array => joined((size) => new Float64Array(size), of, width);
    const root = delta > 0 ? Math.sqrt(2 * Math.log(1 / delta)) : Infinity;
    const lengths = real((block) => block.length);
    const lanes = this.lanes.map((key) => {
      const lane = (block: Block): LaneBlock => block.lanes.get(key) as LaneBlock;
      const parts = LANE_PARTS.map((part) => {
        if (part === "released") return [part, joined((size) => new Uint16Array(size), (block) => lane(block).released)];
        if (part === "over") return [part, joined((size) => new Uint8Array(size), (block) => lane(block).over)];
        return [part, real((block) => lane(block)[part], part === "belief" && n <= MOST_SHOWN ? n : 1)];
      });
      return Object.fromEntries(parts) as LaneRecord;
    });
    return {
      first,
      count,
      symbols: joined((size) => new Uint16Array(size), (block) => block.symbols),
      promise: real((block) => block.promise),
      linear: real((block) => block.linear),
      // Without a leakage nothing is passed, whatever delta is.
      advanced: real((block) => block.drift).map((drift, k) => drift + ((lengths[k] as number) > 0 ? root * (lengths[k] as number) : 0)),
      lanes,
    };
  }

  /** Which block a step lies in, from 1; that before the first step is the first one. */
  private indexOf(step: number): number {
    const index = this.blocks.findIndex(({ first, symbols }) => step <= first + symbols.length);
    return index < 0 ? this.blocks.length : index;
  }
}

function stateOf(block: Block | undefined, key: string): LaneState {
  return block?.lanes.get(key)?.end ?? FIRST;
}

/** The true symbols of the two steps before the next one, fewer at the beginning. */
function lastSymbols(blocks: readonly Block[]): number[] {
  const found: number[] = [];
  for (let k = blocks.length - 1; k >= 0 && found.length < 2; k--) found.unshift(...(blocks[k] as Block).symbols.slice(found.length - 2));
  return found;
}
