/** What Python and the browser say to each other about streams: see ../ui/protocol for what is common. */
import type { Ack, Bytes, Fault, Running } from "../ui/protocol";

/** A JSON number, or a word such as "Infinity". */
export type Wired = number | string;

/** The source of the symbols: a chain that can be edited, or data that are released as they come. */
export interface SourceState {
  kind: "chain" | "data" | "live";
  /** In words: "Seattle, daily precipitation". Empty for a chain. */
  text: string;
  /** What else is to be said of it, in a sentence: that the law was fitted on these very data. */
  note?: string;
  /** Steps that there are; null where there is no end. */
  steps: number | null;
  /** Values that wait to be released, from a live source; null for others. */
  waiting: number | null;
}

/** The law of the stream that the adversary knows too. */
export interface ChainState {
  order: 1 | 2;
  /** float64 n. */
  start: Bytes;
  /** float64 n x n, n x n x n of second order: what stands in the grid, valid or not; empty with many states. */
  transitions: Bytes;
  /** float64, as given: entries that differ carry the changed corner; empty where nothing can be edited. */
  loaded: Bytes;
  /** First order and few states: its entries can be typed. */
  editable: boolean;
}

export interface MechanismChoice {
  key: string;
  /** "Conditional response, as printed". */
  label: string;
  /** "CRR, as printed": for chips and the ends of lines. */
  short: string;
  /** Its promise holds for every belief. */
  private: boolean;
  /** Why it cannot be chosen here; null where it can. */
  why: string | null;
}

export interface DistanceChoice {
  key: string;
  label: string;
}

/** Something that was edited while the stream ran. */
export interface ChangeState {
  /** The first step it counts for, from 1. */
  step: number;
  /** "stay 0.60", "stay 0.90". */
  before: string;
  after: string;
}

/** What was released in some consecutive steps. Numbers of step s stand at s - from - 1, steps count from 1. */
export interface LaneChunk {
  /** uint16: the released symbol. */
  released: Bytes;
  /** float64 count x n: the adversary's belief about the symbol before it is released; with many states
   *  count x 1, the belief in the true one. */
  belief: Bytes;
  /** float64: the smallest positive belief. A conditional response keeps its promise while it is 1/(1+e^eps) or more. */
  least: Bytes;
  /** float64: achieved leakage of the step, from the matrix, nats; may be infinite. */
  leakage: Bytes;
  /** uint8, 1 = the promise of the step is broken. */
  over: Bytes;
  /** float64: sum of achieved leakages of all steps from the first to this one. */
  sum: Bytes;
  /** float64: mean error of all steps so far, and its expectation for these beliefs. */
  error: Bytes;
  expected: Bytes;
}

export interface Chunk {
  /** Which run they belong to. */
  run: number;
  /** Steps before the first of these. */
  from: number;
  count: number;
  /** uint16: the true symbols. */
  symbols: Bytes;
  /** float64: what is promised for the step, nats. */
  promise: Bytes;
  /** float64: sum of promises up to the step, and advanced composition for it. */
  linear: Bytes;
  advanced: Bytes;
  /** In the order of the view's lanes. */
  lanes: LaneChunk[];
}

export interface LaneState {
  key: string;
  /** Over all steps up to the position. */
  largest: Wired;
  over: number;
  /** The first step over its promise, null where there is none. */
  first_over: number | null;
  /** Why the lane ended; null while it goes on. */
  ended: string | null;
  /** Which colour and dashes it has, of four, as long as it is shown; saved views may lack it. */
  line?: number;
}

/** A mechanism of the run, with its line. */
export interface Lane extends MechanismChoice {
  line: number;
}

export interface StreamView {
  revision: number;
  since: number;
  ack: Ack | null;
  title: string;
  states: string[];
  source: SourceState;
  chain: ChainState;
  epsilon: Wired;
  /** Of the advanced composition. */
  delta: number;
  seed: number;
  distance: string;
  distances: DistanceChoice[];
  menu: MechanismChoice[];
  /** Up to four. */
  lanes: LaneState[];
  /** Identity of the run. Steps up to `same` are those of the run before it. */
  run: number;
  same: number;
  /** Steps that have been released: the one that is shown last. */
  position: number;
  playing: boolean;
  /** Steps a second. */
  speed: number;
  changes: ChangeState[];
  /** The last steps up to the position. */
  window: Chunk;
  /** Largest position. */
  most: number;
  fault: Fault | null;
  running: Running | null;
  stopped: string | null;
  current: boolean;
  disabled: boolean;
}

/**
 * Edits count from the next step: Python forgets what it has computed beyond `position`, and says so by a new `run`.
 * A reset is a request with position 0.
 */
export interface StreamRequest {
  origin: string;
  seq: number;
  base: number;
  /** The step that was shown when the hand set the rest; it travels with every request. */
  position: number;
  playing: boolean;
  speed: number;
  /** float64, null for what stands in the chain. */
  start: Bytes | null;
  transitions: Bytes | null;
  epsilon: Wired;
  delta: number;
  seed: number;
  distance: string;
  lanes: string[];
}

/** Custom messages. Browser to Python: steps that it lacks, and, a few times a second, how far it has shown them. */
export interface StepsWanted {
  steps: { run: number; from: number; count: number };
}
export interface ShownSoFar {
  at: { run: number; position: number };
}
/**
 * Python to all views: steps of the run (fewer than asked for where they take long; ask again for the rest), with
 * their arrays as the buffers of the message: symbols, promise, linear, advanced, then for each lane released,
 * belief, least, leakage, over, sum, error, expected. No steps of a run that is gone are ever sent.
 */
export interface StepsGiven {
  steps: { run: number; from: number; count: number; lanes: number };
}
/** Python to all views: another view, or Python, has shown more. */
export interface ShownElsewhere {
  at: { run: number; position: number };
}
