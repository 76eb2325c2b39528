/** What Python and the browser say to each other about the attack on locations: see ../ui/protocol for what is common. */
import type { Ack, Bytes, Fault, Running } from "../ui/protocol";

/** A JSON number, or a word such as "Infinity". */
export type Wired = number | string;

/** How far one user can move the centres: only the last holds for every data set. */
export type Sensitivity = "unit" | "local" | "fixed_bound" | "worst_case";

export interface Choice {
  key: string;
  label: string;
  /** It does not rest on these data; whom the promise holds against is another question. */
  formal?: boolean;
  /** Why it cannot be chosen here; null where it can. */
  why?: string | null;
}

export interface VictimChoice {
  /** The user, as in the file. */
  label: string;
  friends: number;
}

/** What does not change with the controls. */
export interface CityState {
  /** "Simulated New York, 155 users": follows the heading. */
  text: string;
  users: number;
  /** Kilometres from west to east and from south to north. */
  size: [number, number];
  victims: VictimChoice[];
  /** Cells a side, and cluster centres. */
  grid: number;
  clusters: number;
  /** Of friends' reach, in the unit square. */
  radius: number;
  /** Added to how many known users are in each cell. */
  smoothing: number;
}

/** One attack on the chosen victim: 1 weighs all other users alike, 2 those near friends more. */
export interface AttackState {
  /** float64, one for each cell; row 0 is the south. */
  prior: Bytes;
  posterior: Bytes;
  /** Cells. */
  before: number;
  after: number;
  /** How many cells are as likely as these, before and after: they are the first. */
  equal: [number, number];
  /** Entropies in nats of the prior and the posterior. */
  entropy: [number, number];
  /** Kilometres from the truth. */
  error: [number, number];
  /** Mean error after the release over many draws, and how many; null until computed. */
  draws: { error: number; count: number } | null;
  /** Mass on the true cell. */
  mass: [number, number];
  /** Nats: what was known beforehand, what the release adds, and their sum as printed. */
  gap: number;
  adds: number;
  printed: number;
}

/** Means over all users by budget; null until computed. */
export interface CurvesState {
  /** float64 each. */
  epsilon: Bytes;
  printed: Bytes;
  adds: [Bytes, Bytes];
  error: [Bytes, Bytes];
  gap: number;
  users: number;
}

export interface AttackResults {
  epsilon: Wired;
  /** How far one user moves the release, its scale, and the factor of the mechanism on it. */
  sensitivity: number;
  scale: Wired;
  factor: number;
  /** Entropy of the independent prior, nats. */
  entropy: number;
  /** Unit square: east, north. */
  truth: [number, number];
  /** Those whose places the adversary knows, by number; of many the first 400. */
  friends: [number, number][];
  /** Noisy centres; those far outside the map are drawn at its rim. */
  centres: [number, number][];
  attacks: [AttackState, AttackState];
  curves: CurvesState | null;
  /**
   * Mean over all users at the budget: printed, gap, adds of attack 2 with a half width of 95 % over draws of the
   * noise (null: one draw), adds of attack 1, errors.
   */
  mean: {
    printed: number;
    gap: number;
    adds: number;
    half: number | null;
    adds_1: number;
    error: [number, number];
    users: number;
  } | null;
}

export interface AttackView {
  revision: number;
  since: number;
  ack: Ack | null;
  title: string;
  city: CityState;
  mechanism: "lpm" | "dpm" | "baseline";
  mechanisms: Choice[];
  epsilon: Wired;
  sensitivity: Sensitivity;
  sensitivities: Choice[];
  /** Position among the victims. */
  victim: number;
  /** How often a cell near a friend counts. */
  weight: Wired;
  /** Share of the other users whose place is known, 0 to 1. */
  known: Wired;
  /** Which noise, from 1. */
  draw: number;
  fault: Fault | null;
  running: Running | null;
  stopped: string | null;
  current: boolean;
  results: AttackResults | null;
  disabled: boolean;
}

export interface AttackRequest {
  origin: string;
  seq: number;
  base: number;
  mechanism: AttackView["mechanism"];
  epsilon: Wired;
  sensitivity: Sensitivity;
  victim: number;
  weight: Wired;
  known: Wired;
  draw: number;
}
