/** What Python and the browser say to each other in the explorer of prior knowledge: see ../ui/protocol for what is common. */
import type { DigestState } from "../graph/digest";
import type { Search } from "../graph/search";
import type { TableSummary } from "../table/table-summary";
import type { Ack, Bytes, Chosen, Convention, Fault, GraphState, MeasureName, QueryState, Running, TableState } from "../ui/protocol";

/** A table whose cells are sent has no summary, and one with a summary has no cells. */
export interface ShownTable extends TableState {
  summary: TableSummary | null;
}

export interface DrawnChosen extends Chosen {
  /** Densities with very many centres travel as fewer groups of them: how many stand for how many. */
  grouped: { of: number; drawn: number } | null;
  /** The edges of this adversary, where the graph is small enough to have them all. */
  links?: Link[];
  /** The numbers that are released together; left out where it is one. There are no mixtures then. */
  bins?: Bin[];
}

/** One edge: what the paper says of it, and how the two tuples depend on each other. */
export interface Link {
  /** Known set of the weaker end, and the tuple whose value it lacks. */
  known: number[];
  removed: number;
  /** Smallest and largest IC, nats, and IR; null where undefined. As printed. */
  ic: [number, number] | null;
  ir: [number, number] | null;
  /** Correlation of the two contributions given the known values: exact; null where undefined. */
  rho: number | null;
}

/** One of several numbers that are released together. */
export interface Bin {
  name: string;
  /** What it would leak alone, nats. */
  alone: number;
  /** Where the leakage of all together is reached; null when the target is determined. */
  r: number | null;
}

export interface PriorResults {
  /** The scale these results belong to. */
  scale: number;
  convention: Convention;
  /** Positions of the instance these results belong to. */
  instance: number[];
  /** The same with the values that the best informed adversary knows: others than the instance's in the worst case. */
  largest_instance: number[];
  promise: number;
  /** Who learns most. */
  largest: { target: number; known: number[]; value: number };
  /** Holds for every table and every adversary. */
  group_bound: number;
  /** All values, or of a larger graph what was asked about it: one of the two. */
  graph: GraphState | null;
  digest: DigestState | null;
  chosen: DrawnChosen;
  above_promise: number;
  /** null until the paper's estimate is asked for. */
  too_low: number | null;
  too_high: number | null;
  paper_largest: number | null;
}

export interface PriorView {
  revision: number;
  /** The first revision with these tuples and labels: positions of an earlier one mean something else. */
  since: number;
  ack: Ack | null;
  table: ShownTable | null;
  query: QueryState;
  scale: number;
  /** What this query with this scale promises, whether or not the results are there. */
  promise: number;
  instance: number[];
  convention: Convention;
  target: number;
  known: number[];
  /** Nobody chose the adversary: with another convention it is the one who learns most then. */
  automatic: boolean;
  show_paper: boolean;
  /** What the graph shows; left out in what was saved before it could be chosen. */
  measure?: MeasureName;
  /** Where delta is taken, nats; null = at the promise. */
  measure_epsilon?: number | null;
  threshold: number | null;
  /** What all adversaries may learn at most, nats: the late numbers say which scale is enough for that. */
  goal: number;
  /** Of the table of a large graph. */
  search: Search;
  /** A computation that the results wait for; `paper`: for nothing but the paper's estimate. */
  running: Running | null;
  /** Why what was asked for is not computed any more, and what the results belong to; null while nothing was given up. */
  stopped: string | null;
  /** Which values the results belong to, where something was given up: "scale 2.00"; else empty. */
  kept: string;
  /** What that takes, where it was refused for that alone, such as "about 90 s"; else empty. */
  cost?: string;
  fault: Fault | null;
  /** What to know before the largest leakages are believed: a table of few records; "" where there is nothing. */
  caution?: string;
  /** false when the results belong to the last valid input, not to what stands in the controls. */
  current: boolean;
  results: PriorResults | null;
  /** Which late numbers belong to this view; `sample` is null when the table is no sample. */
  late: { enough: number; sample: number | null };
  disabled: boolean;
}

/** All a request can carry; the parts that the hand did not set are left out. */
export interface PriorRequest {
  origin: string;
  seq: number;
  /** Revision of the view the hand saw. */
  base: number;
  entries: Bytes;
  locks: Bytes;
  keep_sum: boolean;
  rows: number[];
  columns: number[];
  query: string;
  weights: number[];
  scale: number;
  instance: number[];
  convention: Convention;
  target: number;
  known: number[];
  show_paper: boolean;
  measure: MeasureName;
  measure_epsilon: number | null;
  threshold: number | null;
  goal: number;
  search: Search;
}
