/** Several mechanisms on one stream, side by side; a run is never changed, a longer one is a new one. */
import { FIRST, type LaneBlock, laneSteps, type LaneState, MOST_SHOWN, type Totals } from "./stream-lane";
import { blockOf, type Script, segmentAt, stepsOf, symbolsOf, uniforms } from "./stream-script";

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
