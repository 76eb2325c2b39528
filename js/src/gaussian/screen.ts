/** One look at the state: what the view says, what the hand asks for, and what follows for each part. */
import type { Stable } from "../explorer/hand";
import type { Naming } from "../explorer/words";
import { FIRST_SEARCH } from "../graph/search";
import type { MatrixState, Numbers } from "../matrix/editing";
import { parameter } from "../ui/format";
import type { Bytes, Running } from "../ui/protocol";
import type { Session, Wish } from "../ui/session";
import { floats, sameBytes } from "../ui/wire";
import type { GaussianChosen, GaussianRequest, GaussianResults, GaussianView } from "./protocol";

export type GaussianSession = Session<GaussianView, GaussianRequest>;

/** What undo and redo cover. */
export type Edit = Pick<Wish<GaussianRequest>, "cov" | "mean" | "weights" | "query" | "scale" | "max_change" | "goal">;

export interface Screen {
  view: GaussianView;
  wish: Wish<GaussianRequest>;
  matrix: MatrixState | null;
  naming: Naming;
  unit: string;
  numbers: Numbers;
  loaded: Numbers;
  sound: Float64Array | null;
  /** Those that stand above the matrix, or the last valid ones. */
  weights: Float64Array;
  /** The largest weight times M / lambda: arithmetic on what the hand asks for. */
  promise: number;
  /** The same of what the results belong to: other weights, once numbers for the new ones were given up. */
  kept: number;
  /** At the scale and change that the hand asks for, or at their own once those were given up; null when there are none, or they are awaited. */
  results: GaussianResults | null;
  /** The chosen adversary of the results, which may lag behind the wish by one answer. */
  chosen: GaussianChosen | null;
  /** Whom the facts are about: what the hand chose once it waits visibly, else whom the numbers belong to. */
  subject: { target: number; known: number[] };
  /** Every number is awaited: the matrix or the weights are others. */
  busy: boolean;
  /** Those of the chosen adversary are awaited. */
  choosing: boolean;
  /** Something is under way for a while. */
  waiting: boolean;
  /** A computation that has lasted. */
  running: Running | null;
  /** What the results belong to instead of what stands in the controls, as in "the last valid matrix"; empty when they belong to that. */
  stale: string;
  disabled: boolean;
}

export const NO_BYTES = new DataView(new ArrayBuffer(0));

/** The request that asks for exactly what a view shows. */
export function wishOf(view: GaussianView): Wish<GaussianRequest> {
  const { matrix, results } = view;
  return {
    cov: matrix?.cov ?? NO_BYTES,
    mean: matrix?.mean ?? NO_BYTES,
    weights: matrix?.weights ?? null,
    correlation: view.correlation,
    command: "",
    names: [],
    import: NO_BYTES,
    query: view.query,
    scale: view.scale,
    max_change: view.max_change,
    target: view.target,
    known: view.known,
    threshold: view.threshold,
    goal: view.goal,
    search: results?.digest?.search ?? FIRST_SEARCH,
  };
}

const sameWeights = (a: Bytes | null, b: Bytes | null): boolean => (a && b ? sameBytes(a, b) : a === b);

export function editOf({ cov, mean, weights, query, scale, max_change, goal }: Wish<GaussianRequest>): Edit {
  return { cov, mean, weights, query, scale, max_change, goal };
}

export function sameEdit(a: Edit, b: Edit): boolean {
  const release = Object.is(a.scale, b.scale) && Object.is(a.max_change, b.max_change) && Object.is(a.goal, b.goal) && a.query === b.query;
  return release && sameBytes(a.cov, b.cov) && sameBytes(a.mean, b.mean) && sameWeights(a.weights, b.weights);
}

/** The coefficient that the promise allows. */
export function largestWeight(weights: Float64Array): number {
  return weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0);
}

type Rescale = (results: GaussianResults, scale: number, change: number) => GaussianResults | null;

export function look(session: GaussianSession, kept: Stable, rescale: Rescale, running: Running | null = null): Screen {
  const view = session.view();
  const wish = session.desired();
  const { matrix } = view;
  const read = (name: string, bytes: Bytes): Float64Array => kept.read(name, bytes, floats);
  const cov = read("cov", wish.cov);
  const mean = read("mean", wish.mean);
  const weights = wish.weights && read("weights", wish.weights);
  const stale = staleness(view);
  // Results of other values stay as they are: what is said of them names their scale and change.
  const { scale, max_change } = view.results && outlived(view) ? view.results : wish;
  const results = view.results && rescale(view.results, scale, max_change);
  const chosen = results?.chosen ?? null;
  const valid = weights?.every(Number.isFinite) ? weights : kept.value("valid weights", Float64Array.from(view.results?.weights ?? []));
  const waiting = session.busy();
  const asked = wishOf(view);
  const others = wish.query !== view.query || wish.command !== "" || !sameBytes(wish.cov, asked.cov) || !sameWeights(wish.weights, asked.weights);
  const busy = running !== null || (waiting && (others || (view.results !== null && results === null)));
  const another = chosen !== null && (chosen.target !== wish.target || chosen.known.join() !== wish.known.join());
  const choosing = busy || (waiting && (another || !sameBytes(wish.mean, asked.mean)));
  const promise = (largestWeight(valid) * wish.max_change) / wish.scale;
  return {
    view,
    wish,
    matrix,
    naming: kept.value("naming", { names: matrix?.names ?? [], labels: [], noun: view.noun || "tuple" }),
    unit: matrix?.unit ?? "",
    numbers: numbersOf(cov, mean, weights),
    loaded: numbersOf(read("loaded", matrix?.loaded_cov ?? NO_BYTES), read("loaded mean", matrix?.loaded_mean ?? NO_BYTES), weights),
    sound: matrix?.sound ? read("sound", matrix.sound) : null,
    weights: valid,
    promise,
    kept: stale !== "" && results ? results.promise : promise,
    results,
    chosen,
    subject: kept.value("subject", chosen && !choosing ? { target: chosen.target, known: chosen.known } : { target: wish.target, known: wish.known }),
    busy,
    choosing,
    waiting,
    running,
    stale,
    disabled: view.disabled || !session.connected(),
  };
}

const made = new WeakMap<Float64Array, Numbers>();

/** The same object while the arrays are the same: what was computed of them holds. */
function numbersOf(cov: Float64Array, mean: Float64Array, weights: Float64Array | null): Numbers {
  const known = made.get(cov);
  if (known && known.mean === mean && known.weights === weights) return known;
  const numbers = { cov, mean, weights };
  made.set(cov, numbers);
  return numbers;
}

/** Whether the results are at another scale or change than those that stand in the controls. */
function outlived({ stopped, current, fault }: GaussianView): boolean {
  return stopped !== null || (!current && fault?.where?.kind === "parameter");
}

/** What the results belong to, unless that is what stands in the controls. */
function staleness(view: GaussianView): string {
  const { stopped, kept, current, results } = view;
  if (stopped !== null) return `the values as last computed${kept && ` (${kept})`}`;
  if (current) return "";
  if (!outlived(view)) return "the last valid matrix";
  return `the values as last computed${results ? ` (scale ${parameter(results.scale)}, change ${parameter(results.max_change)})` : ""}`;
}
