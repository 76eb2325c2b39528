/** What Python and the browser say to each other about dependent tuples: see ../ui/protocol for what is common. */
import type { Ack, Bytes, Fault, GraphMeasure, MeasureName, QueryChoice, Running } from "../ui/protocol";

/** A JSON number, or a word such as "Infinity". */
export type Wired = number | string;

/** How a dependence coefficient is found: the defining ratio, the bound without noise, the paper's Eq. 18. */
export type Coefficient = "exact" | "mean" | "eq18";

/** Who receives the release: knows no other tuple, the chosen ones, or whichever are worst for each tuple. */
export type Knowing = "nobody" | "chosen" | "worst";

export interface TupleState {
  name: string;
  /** Text of every value, in the order of the domain. */
  labels: string[];
}

export interface MechanismChoice {
  key: "lpm" | "dpm" | "baseline" | "calibrated";
  label: string;
  short: string;
  /** It has a coefficient to choose. */
  coefficient: boolean;
  /** Why it cannot be chosen here; null where it can. */
  why: string | null;
}

/** The joint distribution by the rows that occur. */
export interface ModelState {
  tuples: TupleState[];
  /** int32 rows x tuples: positions of labels; empty where the rows are too many to send. */
  support: Bytes;
  /** float64: what stands in the tables, valid or not. */
  probabilities: Bytes;
  /** float64, as given: entries that differ carry the changed corner. */
  loaded: Bytes;
  /** Entries can be typed. */
  editable: boolean;
  /** The independent block of every tuple. */
  blocks: number[];
  /** In a sentence: what is assumed, and where the table is from. */
  note: string;
}

/** The tuple whose leakage is told in full. */
export interface ChosenTuple {
  tuple: number;
  leakage: Wired;
  /** Sum of pairs over the scale, as the paper has it. */
  paper: Wired;
  /** The bound by mean distances, for a block of any size; null where the query has none. */
  mean: Wired | null;
  /** Against whom knows all others: plain differential privacy. */
  plain: Wired;
  /** Of all tuples of its block together. */
  group: Wired;
  /** The adversary who learns most about this tuple: positions known, and of their values. */
  worst: { leakage: Wired; known: number[]; values: number[] } | null;
  /** What the adversary shown knows, and the values where it learns most. */
  known: number[];
  values: number[];
  /** Positions of the two labels [more, less likely] and the output that parts them most; null where nothing leaks. */
  attained: { pair: [number, number]; output: number[]; side: "<=" | ">=" | "=" } | null;
  /**
   * Scalar queries: outputs before noise, and their probability for every label, row by row; null for others. Saved
   * views may lack how likely the labels are.
   */
  outputs: { points: Bytes; weights: Bytes; prior?: Bytes } | null;
}

/** One row of the table of mechanisms. */
export interface MechanismRow {
  key: string;
  label: string;
  scale: Wired;
  /** The largest exact leakage about any tuple, for the adversary shown. */
  largest: Wired;
  /** It keeps the promise always, here, or not at all, and where the proof holds in a sentence. */
  holds: "always" | "here" | "no";
  why: string;
}

export interface DependenceResults {
  epsilon: Wired;
  scale: Wired;
  /** The query has one output. */
  scalar: boolean;
  outputs: number;
  /** The largest number by which one tuple changes the query, and the largest dependent sensitivity in use. */
  sensitivity: number;
  dependent: number;
  /** The least scale that keeps the promise for every tuple of this table; not below that of plain privacy. */
  enough: Wired;
  /** What the graph shows of every tuple instead of its leakage, and what the promise allows of it; left out where it shows leakages. */
  measured?: { measure: GraphMeasure; values: Bytes; promise: number };
  /** float64, one for each tuple, nats: exact, DS_i / scale, bound by means (NaN where none), DQ_i / scale. */
  exact: Bytes;
  paper: Bytes;
  mean: Bytes;
  plain: Bytes;
  /** float64 n x n each, [of this tuple, of the other]: its second given its first; 0 between blocks. */
  coefficients: Record<Coefficient, Bytes>;
  chosen: ChosenTuple;
  mechanisms: MechanismRow[];
  /** The largest bounds of all: of means, of whole blocks. */
  bounds: { mean: Wired | null; group: Wired };
}

/** A table that shows how a rule of the paper fails. */
export interface ExampleChoice {
  key: string;
  label: string;
}

export interface DependenceView {
  revision: number;
  since: number;
  ack: Ack | null;
  title: string;
  /** What one tuple is called: "person". */
  noun: string;
  /** Opens the lead: "the head count". */
  subject: string;
  model: ModelState;
  /** Empty while the user's own table stands. */
  example: string;
  examples: ExampleChoice[];
  query: string;
  queries: QueryChoice[];
  mechanism: MechanismChoice["key"];
  mechanisms: MechanismChoice[];
  coefficient: Coefficient;
  epsilon: Wired;
  knowing: Knowing;
  /** Tuples that the chosen adversary knows. */
  known: number[];
  /** The chosen tuple, and the one whose table with it is shown; null for a single one. */
  tuple: number;
  other: number | null;
  /** An error as large as this, in the accuracy curve. */
  alpha: Wired;
  /** What the graph shows; left out in what was saved before it could be chosen. */
  measure?: MeasureName;
  /** Where delta is taken, nats; null = at the promise. */
  measure_epsilon?: number | null;
  /** The paper's estimates are shown. */
  paper: boolean;
  fault: Fault | null;
  running: Running | null;
  stopped: string | null;
  current: boolean;
  results: DependenceResults | null;
  disabled: boolean;
}

export interface DependenceRequest {
  origin: string;
  seq: number;
  base: number;
  /** float64 of all rows, as edited; null where nothing was. */
  probabilities: number[] | null;
  example: string;
  query: string;
  mechanism: MechanismChoice["key"];
  coefficient: Coefficient;
  epsilon: Wired;
  knowing: Knowing;
  known: number[];
  tuple: number;
  other: number | null;
  alpha: Wired;
  measure: MeasureName;
  measure_epsilon: number | null;
  paper: boolean;
}
