/** What Python and the browser say to each other about a network: see ../ui/protocol for what is common. */
import type { Ack, Fault, Running } from "../ui/protocol";

/** A JSON number, or a word such as "Infinity". */
export type Wired = number | string;

export type AdversaryKind = "none" | "mine" | "worst";
export type Shown = "network" | "quilts" | "temporal";

/** Tuples and labels are positions everywhere; leakages are nats. */
export interface NodeState {
  name: string;
  labels: string[];
}

/** 1 is the distance of two neighbours; a line is broken where it is too long. */
export interface LayoutState {
  kind: "line" | "layers" | "free";
  x: number[];
  y: number[];
}

export interface LearnedState {
  value: Wired;
  /** At most one label is left. */
  determined: boolean;
}

export interface Between {
  lower: Wired;
  upper: Wired;
  status: "exact" | "bound";
}

/** Whom the worst adversary does not know beside the target, and the labels beside them. */
export interface WorstState extends Between {
  unknown: number[];
  known: number[][];
}

export interface QuiltState {
  target: number;
  quilt: number[];
  near: number[];
  influence: Wired;
  reach: Wired;
  scale: Wired;
}

export interface NoiseState {
  epsilon: number;
  rows: { name: string; scale: Wired; keeps: string; none: Wired; anyone: Between | null }[];
  leftOut: string[];
}

export interface TemporalState {
  budgets: Wired[];
  /** What the releases up to a step say about it, those from it on, and both: bounds. */
  backward: Wired[];
  forward: Wired[];
  total: Wired[];
  /** Exactly, of two labels. */
  exact: Wired[] | null;
  /** Budgets that keep the goal at every step. */
  plan: { constant: Wired; budgets: Wired[] } | null;
}

export interface NetworkResults {
  promise: number;
  scale: number;
  /** Which labels each tuple can have beside the known ones. */
  choices: boolean[][];
  none: LearnedState[];
  mine: LearnedState;
  /** What each tuple leaks to the chosen adversary; null for those that are known, and where nobody asked. */
  each: (LearnedState | null)[] | null;
  matters: { unknown: number[]; boundary: number[]; beyond: number[] };
  strongest: Wired | null;
  law: { labels: number[]; values: number[]; probabilities: number[][] };
  arrow: { distance: number; from: number; to: number; pair: number[] } | null;
  worst: WorstState[] | null;
  quilts: { best: QuiltState[]; curve: QuiltState[]; leftOut: string[] } | null;
  noise: NoiseState | null;
  temporal: TemporalState | null;
}

export interface NetworkView {
  revision: number;
  since: number;
  ack: Ack | null;
  title: string;
  noun: string;
  nodes: NodeState[];
  edges: number[][];
  /** Edges go from parent to child. */
  directed: boolean;
  layout: LayoutState;
  query: string;
  queries: { key: string; label: string }[];
  /** What each label of each tuple adds to the query. */
  contributions: number[][];
  scale: Wired;
  epsilon: Wired;
  goal: Wired;
  adversary: AdversaryKind;
  show: Shown;
  /** Distance of the quilt that is looked at; null for the best. */
  radius: Wired | null;
  target: number;
  known: number[];
  /** Labels of the known tuples, in their order. */
  values: number[];
  budgets: Wired[];
  fault: Fault | null;
  running: Running | null;
  stopped: string | null;
  current: boolean;
  results: NetworkResults | null;
  disabled: boolean;
}

export interface NetworkRequest {
  origin: string;
  seq: number;
  base: number;
  query: string;
  scale: Wired;
  epsilon: Wired;
  goal: Wired;
  adversary: AdversaryKind;
  show: Shown;
  radius: Wired | null;
  target: number;
  known: number[];
  values: number[];
  budgets: Wired[];
}
