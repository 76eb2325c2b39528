/** The stream simulator in a page: it goes on with the stream, step by step, from what is embedded. */
import { askedCore, chunkParts, coreOf, isEmbedded, isLong, shownCore, streamView } from "../compute/stream-answer";
import { sameNumbers } from "../compute/prior-inputs";
import { whyNotInPage } from "../compute/stream-mechanisms";
import { stepsOf, type Segment } from "../compute/stream-script";
import type { Chunk, LaneState, StreamRequest, StreamView } from "../stream/protocol";
import { buffersOf } from "../stream/step-record";
import { fixed } from "../ui/format";
import type { Bytes } from "../ui/protocol";
import { floats, toBytes } from "../ui/wire";
import widget from "../widgets/stream_simulator";
import { join, perPage, type Embedded, type Joined, type PageModel } from "./page-model";

type StreamModel = PageModel<StreamView, StreamRequest>;

/** Steps that are sent at once. */
const MOST_SENT = 2000;
/** Computing ends after so long and goes on later: frames are drawn in between, ms. */
const SLICE = 10;

/** The simulator of each page. */
const cores = perPage(coreOf);

function reasonOf({ states, lanes, menu, position, chain }: StreamView, embedded: Embedded): string | null {
  if (!isEmbedded(embedded)) return "Its chains are too large to go on with.";
  const lane = lanes.find(({ key }) => whyNotInPage(key, states.length) !== null);
  // Before it goes on it has to come as far as this.
  if (!lane) return isLong(position, lanes.length, states.length, chain.order) ? `Its ${fixed(position, 0)} steps take too long to compute in it.` : null;
  const label = menu.find(({ key }) => key === lane.key)?.label ?? lane.key;
  return `“${label}” solves a linear program at every step.`;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** Sends steps as Python does: later, so that who asked goes on first. */
function send(model: StreamModel, head: { run: number; from: number; count: number }, buffers: readonly Bytes[], lanes: number): void {
  setTimeout(() => model.tell("msg:custom", { steps: { ...head, lanes } }, buffers), 0);
}

/** Computes until there is one of the steps that are asked for, and sends what there is by then. */
function giveSteps(model: StreamModel, run: number, from: number, count: number): void {
  const core = cores.of(model.view, model.embedded);
  if (core.number !== run || from > stepsOf(core.run.script)) return;
  const made = core.run.extended(from + count, performance.now() + SLICE);
  cores.keep(model.embedded, { ...core, run: made });
  if (made.steps <= from && from < stepsOf(made.script)) {
    setTimeout(() => giveSteps(model, run, from, count), 0);
    return;
  }
  const there = Math.max(0, Math.min(from + count, made.steps) - from);
  send(model, { run, from, count: there }, chunkParts(made.record(from, there, core.delta)), made.lanes.length);
}

/** What was saved, where the page cannot compute: the steps of the window, if any of them are asked for. */
function giveSaved(model: StreamModel, { window }: StreamView, from: number): void {
  const inside = from >= window.from && from < window.from + window.count;
  const chunk: Chunk = inside ? window : { ...window, from, count: 0 };
  send(model, { run: window.run, from: chunk.from, count: chunk.count }, buffersOf(window), window.lanes.length);
}

// Documents say what held from which step on, as numbers that people can read.

interface WrittenSegment {
  first: number;
  epsilon: number | string;
  start?: number[];
  transitions?: number[] | number[][];
  early?: number[][] | null;
}

interface ResumedSettings extends Partial<StreamView> {
  segments: WrittenSegment[];
  start?: number[];
  transitions?: number[];
  lanes: string[] & StreamView["lanes"];
}

const packed = (numbers: readonly unknown[]): DataView => toBytes(Float64Array.from((numbers as number[]).flat(2), Number));

function rowsOf(numbers: Float64Array, n: number): number[][] {
  return Array.from({ length: numbers.length / n }, (_, k) => [...numbers.subarray(k * n, (k + 1) * n)]);
}

interface GivenChain {
  start: Bytes;
  transitions: Bytes;
  early: Bytes | null;
}

/** The chain that the document was made with: the first one of the page. */
const givenChain = ({ given, chains }: Embedded): GivenChain => (given ?? (chains as GivenChain[])[0]) as GivenChain;

/** Budget and chain from a step on, without a chain that is the given one. */
function writtenSegment({ first, epsilon, chain }: Segment, given: GivenChain): WrittenSegment {
  const head = { first, epsilon: Number.isFinite(epsilon) ? epsilon : String(epsilon) };
  if (sameNumbers(floats(given.start), chain.start) && sameNumbers(floats(given.transitions), chain.transitions)) return head;
  const rows = rowsOf(chain.transitions, chain.n);
  const transitions = (chain.order === 2 ? Array.from({ length: chain.n }, (_, k) => rows.slice(k * chain.n, (k + 1) * chain.n)) : rows) as number[][];
  const early = chain.early === null ? {} : { early: rowsOf(chain.early, chain.n) };
  return { ...head, start: [...chain.start], transitions, ...early };
}

/** What a page embeds of segments; one without a chain has that of the page's beginning. */
function embeddedSegments(segments: WrittenSegment[], start: number[] | undefined, transitions: number[] | undefined, embedded: Embedded, n: number): Embedded {
  const given = givenChain(embedded);
  const found = segments.map((one) =>
    one.transitions ? { start: packed(one.start ?? []), transitions: packed(one.transitions), early: one.early ? packed(one.early) : null } : given,
  );
  // What stands in the controls is a chain where it makes sense; else the last one that did holds.
  const stands =
    start &&
    transitions &&
    start.length === n &&
    [start, ...rowsOf(Float64Array.from(transitions, Number), n)].every((row) => Math.abs(row.reduce((sum, one) => sum + Number(one), 0) - 1) < 1e-9);
  const now = stands ? [{ start: packed(start), transitions: packed(transitions), early: null }] : [];
  return {
    given,
    chains: [...found, ...now],
    segments: segments.map(({ first, epsilon }, chain) => ({ first, epsilon, chain })),
    chain: found.length - 1 + now.length,
  };
}

const joined: Joined<StreamView, StreamRequest> = {
  render: widget.render,
  picture: "stream.svg",
  opened(saved, embedded) {
    const menu = saved.menu.map((choice) => ({ ...choice, why: choice.why ?? whyNotInPage(choice.key, saved.states.length) }));
    // What waited for the kernel waits no more, and nothing plays before somebody wants it.
    const settled = { ...saved, menu, playing: false, running: null, stopped: null, current: saved.fault === null };
    if (reasonOf(settled, embedded) !== null) return { ...settled, most: settled.position };
    if (saved.source.kind !== "live") return settled;
    // What has come from outside is all there is.
    const steps = stepsOf(cores.of(settled, embedded).run.script);
    return { ...settled, source: { ...saved.source, kind: "data", steps, waiting: null }, most: steps };
  },
  kept(view, embedded) {
    if (!isEmbedded(embedded)) return {};
    const given = givenChain(embedded);
    return { segments: cores.of(view, embedded).run.script.segments.map((one) => writtenSegment(one, given)) };
  },
  resumed(state, settings) {
    const saved = state.traits["_view"] as StreamView;
    if (!isEmbedded(state.embedded) || reasonOf(saved, state.embedded) !== null) return state;
    const { segments, start, transitions, lanes, ...shown } = settings as unknown as ResumedSettings;
    const embedded = { ...state.embedded, ...embeddedSegments(segments, start, transitions, state.embedded, saved.states.length) };
    const chain = { ...saved.chain, ...(start && { start: packed(start) }), ...(transitions && { transitions: packed(transitions) }) };
    const view = {
      ...saved,
      ...shown,
      chain,
      lanes: lanes.map((key) => saved.lanes.find((one) => one.key === key) ?? { ...(saved.lanes[0] as LaneState), key, line: undefined }),
    };
    return { ...state, embedded, traits: { ...state.traits, _view: joined.answer(view, {}, embedded) } };
  },
  needsKernel: reasonOf,
  answer(view, request, embedded) {
    const core = askedCore(cores.of(view, embedded), view, request);
    cores.keep(embedded, core);
    return streamView(view, core);
  },
  hear(model, { steps, at }) {
    const wanted = steps as { run?: unknown; from?: unknown; count?: unknown } | undefined;
    if (wanted && isCount(wanted.run) && isCount(wanted.from) && isCount(wanted.count)) {
      if (model.reason === null) giveSteps(model, wanted.run, wanted.from, Math.min(wanted.count, MOST_SENT));
      else giveSaved(model, model.view, wanted.from);
    }
    const shown = at as { run?: unknown; position?: unknown } | undefined;
    if (!shown || !isCount(shown.run) || !isCount(shown.position) || model.reason !== null) return;
    const core = cores.of(model.view, model.embedded);
    const moved = shownCore(core, { run: shown.run, position: shown.position });
    if (moved === core) return;
    cores.keep(model.embedded, moved);
    model.moved();
    setTimeout(() => model.tell("msg:custom", { at: { run: moved.number, position: moved.position } }), 0);
  },
};

export default join("stream_simulator", joined);
