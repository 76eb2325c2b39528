/** The answers of Python to a page with a stream simulator, computed in the page; see `stream_view` in Python. */
import type { Chunk, LaneChunk, StreamView } from "../stream/protocol";
import { toBytes } from "../ui/codec";
import type { StreamCore } from "./stream-core";
import { MOST_SHOWN } from "./stream-lane";
import type { StreamRecord } from "./stream-run";
import { stepsOf } from "./stream-script";
import { changesOf } from "./stream-words";

/** Steps in a view. */
export const WINDOW = 120;

function shortBytes(values: Uint16Array): DataView {
  return new DataView(values.slice().buffer);
}

/** The view of a simulator; what never changes in a page is taken from another view of it. */
export function streamView(view: StreamView, core: StreamCore): StreamView {
  const { run, chain, position, asked, fault } = core;
  const few = chain.n <= MOST_SHOWN;
  const first = Math.max(0, position - WINDOW);
  return {
    ...view,
    chain: {
      ...view.chain,
      start: toBytes(asked.start ?? chain.start),
      transitions: toBytes(few ? (asked.transitions ?? chain.transitions) : new Float64Array()),
    },
    epsilon: wired(asked.epsilon),
    // Words for what is no JSON number, as Python sends them.
    delta: wired(asked.delta) as number,
    seed: run.script.seed,
    distance: core.distance.name,
    lanes: run.lanes.map((key) => {
      const { largest, over, firstOver } = run.totals(key, position);
      return { key, largest: wired(largest), over, first_over: firstOver, ended: run.ended(key, position), line: core.lines[key] };
    }),
    run: core.number,
    same: core.same,
    position,
    playing: core.playing,
    speed: core.speed,
    changes: changesOf(run.script.segments, position, view.states),
    window: chunkOf(run.record(first, position - first, core.delta), core.number),
    most: stepsOf(run.script),
    fault,
    running: null,
    stopped: null,
    current: fault === null,
  };
}

function wired(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

function chunkOf(record: StreamRecord, run: number): Chunk {
  const parts = chunkParts(record);
  const next = (): DataView => parts.shift() as DataView;
  const head = { run, from: record.first, count: record.count };
  const common = { symbols: next(), promise: next(), linear: next(), advanced: next() };
  const lanes = record.lanes.map((): LaneChunk => ({
    released: next(),
    belief: next(),
    least: next(),
    leakage: next(),
    over: next(),
    sum: next(),
    error: next(),
    expected: next(),
  }));
  return { ...head, ...common, lanes };
}

/** The arrays of some steps as bytes, in the order of the message. */
export function chunkParts({ symbols, promise, linear, advanced, lanes }: StreamRecord): DataView[] {
  const parts = [shortBytes(symbols), toBytes(promise), toBytes(linear), toBytes(advanced)];
  for (const { released, belief, least, leakage, over, sum, error, expected } of lanes) {
    parts.push(shortBytes(released), ...[belief, least, leakage, over, sum, error, expected].map(toBytes));
  }
  return parts;
}
