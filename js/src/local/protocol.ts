/** What Python and the browser say to each other about local privacy: see ../ui/protocol for what is common. */
import type { Output, Parameters } from "../compute/local-mechanisms";
import type { Ack, Bytes, Fault, Running } from "../ui/protocol";

/** A JSON number, or a word such as "Infinity". */
export type Wired = number | string;

export interface AttributeState {
  name: string;
  labels: string[];
  /** float64: records of every label, or its share where there are no records. */
  counts: Bytes;
  /** Part of the analysis. */
  chosen: boolean;
}

export interface MechanismChoice {
  key: string;
  label: string;
  /** Somebody can guess a symbol from its report. */
  inferred: boolean;
  /** It has a budget to set. */
  epsilon: boolean;
}

/** Points (A, B) of the ordered pairs, source first: those of pair k lie from starts[k] to starts[k + 1]. */
export interface PointsState {
  family: "singletons" | "subsets";
  /** int32 */
  starts: Bytes;
  /** float64 */
  a: Bytes;
  b: Bytes;
}

/** All reports together, one number for each secret, nats. */
export interface TotalsState {
  /** float64, NaN where one is too large to compute; null when none was. */
  exact: Bytes | null;
  /** Own report and the sum of the others, Eq. 6. */
  sum: Bytes;
  /** The joint bound. */
  bound: Bytes;
  /** Sum of what is promised. */
  composition: Wired;
  /** Records that have all chosen attributes: all of these numbers are about them; null for probabilities. */
  records: number | null;
  /** Why there is no exact number. */
  why: string | null;
  /** Places among the chosen attributes of those of which one value counts: a bound, never an exact number. */
  constant?: number[];
  /** Set by a page: what is missing here a kernel could compute. */
  kernel?: boolean;
}

export interface PairState {
  /** Positions among all attributes. */
  source: number;
  secret: number;
  leakage: Wired;
  mirror: Wired;
  /** Positions of labels, and the chance of such a report for the two of the secret; null where nothing leaks. */
  worst: { secret: [number, number]; symbols: number[]; probability: [number, number] | null; output?: number | null } | null;
  /** float64, P(source symbol | secret) for the two labels of the worst pair; null without one. */
  rows: Bytes | null;
  /** Records behind the two labels; null where there are none. */
  supports: [number, number] | null;
  /** What any mechanism with this budget may leak. */
  generic: Wired;
  /** What leaks at an infinite budget; null without a budget. */
  limit: Wired | null;
  mirror_limit: Wired | null;
  /** float64: counts or probabilities, the secret on rows; null where it is large. */
  table: Bytes | null;
  /** Both directions by budget, where the table is large; null also until it is there. `coarse`: at few budgets. */
  curve: { epsilon: Bytes; pair: Bytes; mirror: Bytes; coarse?: boolean } | null;
  /** Of mechanisms with a delta: what it is for the secret, and the paper's larger one. */
  delta?: { tight: number; paper: number } | null;
  /** Secret values left out: without records, or with fewer than asked for. */
  left_out: number;
}

/** All reports together about the chosen secret, by the budget of each report. */
export interface ReportsState {
  /** Position among all attributes. */
  secret: number;
  /** float64 */
  epsilon: Bytes;
  values: Bytes;
  /** Exact numbers, or joint bounds. */
  exact: boolean;
}

export interface AssociationState {
  /** float64 n x n */
  nmi: Bytes;
  pcc: Bytes;
  normalisation: string;
}

/** One mechanism against the worst of all with the same budget: shares of its leakage, and the error of the guess. */
export interface ComparedState {
  key: string;
  raw: number | null;
  inferred: number | null;
  error: number | null;
  /** Expected squared error of all estimated shares over the sum of their squares; null where it is not known. */
  frequency: number | null;
}

export interface CalibrationMethod {
  key: string;
  /** The budget that every attribute may spend. */
  epsilon: Wired;
  /** What all reports together then say about the worst attribute. */
  leak: Wired;
  /** `leak` is the exact number, not a bound. */
  exact: boolean;
  /** No attribute can leak more than the goal. */
  safe: boolean;
  /** Chance that a guess from one report is wrong, on average. */
  error: number | null;
}

export interface CalibrationState {
  goal: Wired;
  methods: CalibrationMethod[];
  why: string | null;
}

export interface LocalResults {
  /** Positions of the chosen attributes among all; matrices follow this order. */
  names: number[];
  epsilon: Wired;
  mechanism: string;
  parameters: Parameters;
  output: Output;
  min_count: number;
  /** The largest of what the reports promise about their own attribute. */
  promise: Wired;
  /** float64 n x n, L[source, secret]. */
  matrix: Bytes;
  /** float64 n: what each report says about its own attribute. */
  own: Bytes;
  /** float64 n: chance that a guess from one report is right, and that it is a given wrong symbol; NaN where none is defined. */
  kept: Bytes;
  other: Bytes;
  points: PointsState | null;
  totals: TotalsState | null;
  pair: PairState | null;
  /** null without budgets, where it takes too long, and until it is there. */
  reports?: ReportsState | null;
  association: AssociationState | null;
  calibration: CalibrationState | null;
  compared: ComparedState[] | null;
}

export interface LocalView {
  revision: number;
  since: number;
  ack: Ack | null;
  title: string;
  /** What one record is called. */
  noun: string;
  records: number | null;
  attributes: AttributeState[];
  min_count: number;
  missing: { rule: string; count: number | null };
  mechanisms: MechanismChoice[];
  mechanism: string;
  parameters: Parameters;
  epsilon: Wired;
  output: Output;
  /** Positions among all attributes; null for a single one. */
  source: number | null;
  secret: number | null;
  /** What all reports together may say about an attribute, for the calibration; null until asked for. */
  budget: Wired | null;
  /** "xor" while the counterexample to the sum stands in place of the data. */
  example: "" | "xor";
  fault: Fault | null;
  running: Running | null;
  stopped: string | null;
  current: boolean;
  results: LocalResults | null;
  disabled: boolean;
}

export interface LocalRequest {
  origin: string;
  seq: number;
  base: number;
  attributes: number[];
  mechanism: string;
  parameters: Parameters;
  epsilon: Wired;
  output: Output;
  source: number | null;
  secret: number | null;
  min_count: number;
  budget: Wired | null;
  example: "" | "xor";
}
