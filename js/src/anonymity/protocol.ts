/** What Python and the browser say to each other about k-anonymity: see ../ui/protocol for what is common. */
import type { Ack, Bytes, Fault, Running } from "../ui/protocol";

/** A JSON number, or a word such as "Infinity". */
export type Wired = number | string;

/** What an adversary knows: nothing but the group size; dependence too; values too; both. */
export type Level = "I" | "II" | "III" | "IV";

/** What the released numbers are compared for. */
export type Neighbour = "value" | "presence";

/** Which events a bound holds for. */
export type Events = "all" | "interval" | "halfline";

/** What becomes of a value of delta. */
export type Status = "ok" | "vacuous" | "negative" | "undefined";

export interface ColumnState {
  name: string;
  /** Numbers, or codes of labels in a declared order. */
  labels: string[] | null;
  /** Whether the order of its values means something: always so for numbers. */
  ordered: boolean;
  /** float64, one for each record. */
  values: Bytes;
}

/** What is published beside the classes: a count of one value, or a sum. */
export interface ReleaseChoice {
  key: string;
  label: string;
}

export interface ClassState {
  /** "A", "B", ... "AA". */
  letter: string;
  /** Positions of its records. */
  rows: number[];
  /**
   * Colour 0 to 3: class k takes the first of k, k + 1, k + 2, k + 3 (mod 4) that no earlier class near it has, else k mod 4.
   * Boxes are near that are no farther apart than 6 % of the extent of all boxes in both directions (mechanisms/anonymity/class_map.py).
   */
  colour: number;
  /** Published range of every quasi-identifier, as text. */
  ranges: string[];
  /** How many records it has; `rows` names at most twelve. */
  size: number;
  /** Corners in the plane of the two shown quasi-identifiers, in their units: x from, x to, y from, y to. */
  box: [number, number, number, number] | null;
  /** "all no", "1 yes". */
  shared: string;
  /** Every member has the same secret. */
  one: boolean;
}

/** A curve over epsilon; numbers are float64 and may be infinite, NaN where undefined. */
export interface CurveState {
  key: string;
  label: string;
  kind: "exact" | "bound" | "printed";
  events: Events;
  delta: Bytes;
  /** Running minimum over smaller epsilon; what is drawn. */
  drawn: Bytes;
  /** At the chosen epsilon. */
  at: number | null;
  status: Status;
  /** Stretches of the axis, from and to, where the exact curve lies above it. Printed only. */
  violated: [number, number][];
  /** Why there is no curve; null where there is one. */
  why: string | null;
}

/** A slack of the normal step, and the ε and δ that follow from it. */
export interface Recipe {
  /** null where nobody is unknown, and none was chosen. */
  delta1: number | null;
  epsilon: Wired;
  delta: Wired;
  status: Status;
}

export interface AnonymityResults {
  k: number;
  epsilon: Wired;
  /** Least size of the classes there are. */
  achieved: number;
  sizes: [number, number];
  classes: ClassState[];
  /** How many there are; at most 200 are sent. */
  classes_in_all: number;
  /** Records without a value of a quasi-identifier: not published. */
  suppressed: number;
  /** Classes in which everybody has the same secret. */
  single: number;
  /** l-diversity and t-closeness of the secret. */
  diversity: number | null;
  closeness: number | null;
  /** Unknown records other than the target, their share of the counted value, and how much one record moves the release. */
  unknown: number;
  share: number | null;
  shift: number;
  /** Exact delta at epsilon with nothing known; null where it is not computed. */
  nothing_known: number | null;
  /** Standard deviation of the unknown sum, and the Berry-Esseen ratio; null without unknown records. */
  spread: number;
  ratio: number | null;
  /** float64: the axis of all curves. */
  axis: Bytes;
  curves: CurveState[];
  /** Every printed theorem that fits, at epsilon, whether its curve is drawn or not. */
  printed: { key: string; label: string; delta: number | null; status: Status; holds: boolean | null }[];
  /** Exact delta at epsilon by the share known. */
  known: { share: Bytes; delta: Bytes };
  /** null where no bound holds for the chosen events. */
  recipe?: Recipe | null;
  /**
   * float64: the chances of what is published if the record changed, or is there, and if it is as it is, or not there;
   * null where they are not computed, or too many. Saved views may lack it.
   */
  laws?: { changed: Bytes; same: Bytes } | null;
  /** float64, the largest change of a group without a record: one for each, of a sample (`sampled`) those that were tried; null until computed. */
  removals: { changes: Bytes; largest: number; worst: number; sampled: number | null } | null;
}

export interface AnonymityView {
  revision: number;
  since: number;
  ack: Ack | null;
  title: string;
  /** What one record is called: "patient". */
  noun: string;
  records: number;
  /** Positions of the records whose values are sent; null where all are. */
  sampled: number[] | null;
  columns: ColumnState[];
  /** Positions of columns: quasi-identifiers, the two drawn, and the secret. */
  quasi: number[];
  drawn: [number, number | null];
  secret: number | null;
  k: number;
  release: string;
  releases: ReleaseChoice[];
  /** How many records the release is of; null for those of the table. What was saved by an earlier version lacks it. */
  n?: Wired | null;
  /** Whether the target's value changes, or its record is there or not. */
  neighbour: Neighbour;
  /** Change in group size, for the theorems as printed; and in the released sum, null for the column's range. */
  group_change: Wired;
  shift: Wired | null;
  level: Level;
  /** Share of the records known, and the largest neighbourhood. */
  known: Wired;
  neighbours: number;
  epsilon: Wired;
  events: Events;
  /** Slack of the normal step, chosen for the recipe; null for one over the root of the number unknown; it may be missing as well. */
  delta1?: Wired | null;
  /** Theorems as printed are drawn, and in which reading. */
  printed: boolean;
  reading: string;
  readings: ReleaseChoice[];
  fault: Fault | null;
  running: Running | null;
  stopped: string | null;
  current: boolean;
  results: AnonymityResults | null;
  disabled: boolean;
  /** Why k, quasi-identifiers and the secret cannot be changed; of a page that has not all records. */
  fixed?: string;
}

export interface AnonymityRequest {
  origin: string;
  seq: number;
  base: number;
  quasi: number[];
  secret: number | null;
  k: number;
  release: string;
  n: Wired | null;
  neighbour: Neighbour;
  group_change: Wired;
  shift: Wired | null;
  level: Level;
  known: Wired;
  neighbours: number;
  epsilon: Wired;
  events: Events;
  delta1: Wired | null;
  printed: boolean;
  reading: string;
}
