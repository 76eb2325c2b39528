/**
 * What Python and the browser say to each other. Two synced traits, one for each direction:
 * `_request` (browser to Python: the latest of every part the hand set and Python has not answered) and
 * `_view` (Python to browser: the whole authoritative state). Labels travel as text with positions;
 * positions come back.
 */

/** Bytes as the host delivers them: a DataView in notebooks. */
export type Bytes = DataView | ArrayBuffer | Uint8Array;

export interface TableSpec {
  title: string;
  names: string[];
  /** Text of each label, by tuple, in domain order. */
  labels: string[][];
  /** Records behind the table when it came from counts. */
  records: number | null;
}

export interface Where {
  kind: "cell" | "axis" | "parameter" | "row" | "table";
  /** Positions of the labels of a cell or row. */
  index?: number[];
  axis?: number;
  name?: string;
}

export interface Fault {
  /** Plain words; the first sentence names the culprit. */
  text: string;
  where: Where | null;
}

export interface TableState {
  spec: TableSpec;
  /** float64, C order over `labels`. What stands in the grid, valid or not. */
  entries: Bytes;
  /** uint8, 1 = locked. */
  locks: Bytes;
  /** float64, as loaded: cells that differ carry the changed corner. */
  loaded: Bytes;
  keep_sum: boolean;
  rows: number[];
  columns: number[];
  /** The cells can be read and not edited. */
  disabled: boolean;
}

export interface Ack {
  origin: string;
  seq: number;
}

/** One Laplace mixture: the density of r given one label of the attacked tuple. */
export interface Mixture {
  label: string;
  centres: number[];
  weights: number[];
}

export interface ChosenEdge {
  /** Known set of the weaker end, and the tuple whose value it lacks. */
  known: number[];
  removed: number;
  increment: number | null;
}

export interface Chosen {
  target: number;
  known: number[];
  /** Label position of every tuple, the attacked one included. */
  instance: number[];
  value: number;
  determined: boolean;
  paper: number | null;
  group_bound: number;
  promise: number;
  /** null when determined. `pair` = positions of the labels [more, less likely] at r. */
  attained: { r: number; side: "<=" | ">=" | "="; pair: [number, number] } | null;
  /** Prior of every label of the attacked tuple, domain order. */
  prior: number[];
  mixtures: Mixture[];
  edges: ChosenEdge[];
  /** Probability of the known values, and how many records agree when the table came from counts. */
  support: number;
}

/** What the numbers of a graph are; see graph_measure.py. */
export interface GraphMeasure {
  name: MeasureName;
  /** Where delta is taken, nats; null for the others. */
  epsilon: number | null;
}

export type MeasureName = "leakage" | "delta" | "advantage" | "posterior_vulnerability";

export interface GraphState {
  names: string[];
  promise: number;
  /** float64 n x 2^(n-1): row = attacked tuple, column = bitmask of known tuples among the others, in order. */
  exact: Bytes;
  /** Same shape; null until asked for. The paper's chain rule. */
  paper: Bytes | null;
  /** uint8, same shape, 1 = determined; null when none is. */
  determined: Bytes | null;
  /** float64 n x 2^(n-1) x n: increment of the edge that ends at this node by removing tuple j; NaN where none.
   *  null above n = 7 (then `Chosen.edges` carries those of the chosen node). */
  increments: Bytes | null;
  largest: { target: number; known: number[]; value: number };
  group_bound: number;
  /** What the numbers are, the promise and the bound with them; left out where they are leakages. */
  measure?: GraphMeasure;
}

/** Whether known values are those of one row, or the worst of all that can occur. */
export type Convention = "instance" | "sup";

export interface QueryChoice {
  key: string;
  label: string;
}

export interface QueryState {
  /** Opens the lead: "A noisy sum". */
  subject: string;
  /** What it adds up, in a line. */
  text: string;
  /** What one tuple is called. */
  noun: string;
  /** Which of the choices stands in the controls. */
  key: string;
  choices: QueryChoice[];
  /** One for each tuple: in use with the key "weights", else where a weighted sum starts. */
  weights: number[];
}

/** The key of the choice with one weight for each tuple. */
export const WEIGHTS = "weights";

/**
 * What takes longer than an edit and comes after it, in the trait `_late`. Each number names what it belongs
 * to: it is shown while the view names the same.
 */
export interface Late {
  enough?: Enough;
  sample?: Sample;
}

/** The least scale at which no adversary learns more than the goal; null where any will do, or `why` not. */
export interface Enough {
  of: number;
  scale: number | null;
  why: string | null;
}

/** Interval of the chosen adversary's leakage when the table is a sample; null where there is none, and `why`. */
export interface Sample {
  of: number;
  low: number | null;
  high: number | null;
  level: number;
  why: string | null;
}

/** A computation that lasts; `paper`: for nothing but the paper's estimate. */
export interface Running {
  number: number;
  paper: boolean;
}

/** How far it is, in the trait `_progress`. */
export interface ProgressState {
  of?: number;
  /** 0 to 1. */
  share?: number;
}
