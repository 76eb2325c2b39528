/** What Python and the browser say to each other about Gaussian data: see ../ui/protocol for what is common. */
import type { DigestState } from "../graph/digest";
import type { Search } from "../graph/search";
import type { MatrixState } from "../matrix/editing";
import type { Ack, Bytes, Fault, GraphState, Running } from "../ui/protocol";

/** What one more unit of the attacked tuple shows through one unknown tuple, in units of the release. */
export interface Through {
  tuple: number;
  value: number;
}

/** One adversary of Gaussian data, at the scale and change of the results. */
export interface GaussianChosen {
  target: number;
  known: number[];
  /** Nats; exact. 0 when determined. */
  value: number;
  /** The known tuples leave the attacked one no variance. */
  determined: boolean;
  /** The value is a limit for r to infinity that no release attains. */
  limit: boolean;
  /** The attacked tuple's own weight, and what comes through the unknown ones; together the coefficient. */
  own: number;
  through: Through[];
  coefficient: number;
  /** Mean and standard deviation of the attacked tuple given that the known ones are at their means. */
  expected: number;
  spread: number;
  /** Mean of the release when the attacked tuple is at `expected` and the known ones at their means. */
  centre: number;
  /** Standard deviation of the unknown sum, given the attacked and the known tuples. */
  sigma: number;
  /** The two values compared: `expected`, and `max_change` more. null when determined. */
  pair: [number, number] | null;
  /** Releases at and beyond which the log ratio is at least the promise in size; null when none. */
  over: [number, number] | null;
  /** The same for 99 % of the limit. */
  nearly: [number, number] | null;
}

export interface GaussianResults {
  scale: number;
  max_change: number;
  weights: number[];
  promise: number;
  /** All values, or of a larger graph what was asked about it: one of the two. */
  graph: GraphState | null;
  digest: DigestState | null;
  largest: { target: number; known: number[]; value: number; limit: boolean };
  chosen: GaussianChosen;
  adversaries: number;
  above_promise: number;
}

export interface GaussianView {
  revision: number;
  since: number;
  ack: Ack | null;
  matrix: MatrixState | null;
  correlation: boolean;
  /** "sum", "mean" or "weights". */
  query: string;
  /** Opens the lead: "A noisy sum". */
  subject: string;
  noun: string;
  scale: number;
  max_change: number;
  target: number;
  known: number[];
  threshold: number | null;
  /** What all adversaries may learn at most, nats. */
  goal: number;
  fault: Fault | null;
  /** A computation that the results wait for. */
  running: Running | null;
  /** Why what was asked for is not computed any more, and what the results belong to; null while nothing was given up. */
  stopped: string | null;
  /** Which values the results belong to then. */
  kept: string;
  /** false when the results belong to the last valid input, not to what stands in the controls. */
  current: boolean;
  results: GaussianResults | null;
  disabled: boolean;
}

/** What Python is asked to do, beside taking the numbers: nothing, or one of these. */
export type MatrixCommand = "" | "nearest" | "import";

export interface GaussianRequest {
  origin: string;
  seq: number;
  base: number;
  cov: Bytes;
  mean: Bytes;
  weights: Bytes | null;
  correlation: boolean;
  command: MatrixCommand;
  names: string[];
  import: Bytes;
  query: string;
  scale: number;
  max_change: number;
  target: number;
  known: number[];
  threshold: number | null;
  goal: number;
  search: Search;
}
