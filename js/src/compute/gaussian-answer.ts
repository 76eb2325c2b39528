/**
 * The answers of Python to a page about Gaussian data, computed in the page: what the hand set becomes the next view.
 * Inputs that make no sense become the view's fault, and the last results stay. Where there is a kernel, it has the
 * last word.
 */
import type { GaussianRequest, GaussianResults, GaussianView } from "../gaussian/protocol";
import { columnCount, columnOf } from "../graph/nodes";
import { FIRST_SEARCH, type Search } from "../graph/search";
import type { MatrixState } from "../matrix/editing";
import { check, TOLERANCE } from "../matrix/validity";
import type { Fault } from "../ui/protocol";
import { floats, number, toBytes } from "../ui/wire";
import { askedInputs } from "./asked-inputs";
import { asCovariance, checkMeans, nearestCovariance } from "./covariance";
import type { Leakages } from "./exact-all";
import { amountFault, general, InputFault, notFinite, short } from "./faults";
import { gaussianAll, gaussianNode, gaussianPromise, type GaussianRelease } from "./gaussian-leakage";
import { askedSearch, countAbove, digestOf, largestOf, MOST_DRAWN, type Question } from "./graph-digest";
import { askedAdversary, sameNumbers } from "./prior-inputs";
import { largest, least } from "./releases";

/** Beyond, all adversaries take longer than a hand may wait. */
export const MOST_TUPLES = 14;
/** Known tuples or not, leakage grows with the spread of the others: no number bounds it. */
const UNBOUNDED = Infinity;
const KEPT = "The results still belong to the last valid matrix.";
const QUERIES: Readonly<Record<string, string>> = { sum: "sum", mean: "mean", weights: "weighted sum" };

/** A valid model: matrix, means and the records behind them. */
interface Model {
  cov: Float64Array;
  mean: Float64Array;
  records: number | null;
}

interface Solved extends Leakages {
  release: GaussianRelease;
}

/** What a view does not say, but the next one depends on. */
interface Held {
  /** The last model and the last weights that made sense. */
  model: Model;
  weights: Float64Array;
  /** Why the cells are no model. */
  fault: InputFault | null;
  loadedRecords: number | null;
  /** Why no sum can be made of the last weights. */
  impossible: InputFault | null;
  /** Why the release makes no sense for these inputs although each of them does. */
  refused: InputFault | null;
  solved: Solved;
}

/** By the results of a view, which copies of it share. */
const memory = new WeakMap<object, Held>();

/** Why a page cannot answer for itself, or null. */
export function gaussianNeedsKernel(view: GaussianView): string | null {
  if (view.matrix === null || view.results === null) return "This page has no matrix to compute from: it needs a kernel.";
  if (view.matrix.names.length <= MOST_TUPLES && view.matrix.weights !== null) return null;
  return `This page computes matrices of up to ${MOST_TUPLES} tuples: a larger one needs a kernel.`;
}

/** The view after a request; what the request does not carry stays. */
export function gaussianAnswer(view: GaussianView, request: Partial<GaussianRequest>): GaussianView {
  const { matrix } = view;
  const reason = gaussianNeedsKernel(view);
  if (matrix === null || reason !== null) throw new RangeError(reason ?? "");
  const { origin, seq } = request;
  const heard: GaussianView = {
    ...view,
    revision: view.revision + 1,
    ack: origin === undefined || seq === undefined ? view.ack : { origin, seq },
  };
  // Cells of a matrix that is gone would be taken for those of the present one.
  if (view.disabled || (request.base ?? view.since) < view.since) return heard;
  const before = held(view, matrix);
  try {
    return answered(heard, matrix, before, request);
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    // Nothing was taken. What stood in the controls is as wrong as before.
    return { ...heard, fault: inputFault(heard, matrix, before) ?? error.fault };
  }
}

/** What is remembered of a view; of one that comes from elsewhere, what it says itself. */
function held(view: GaussianView, matrix: MatrixState): Held {
  const results = view.results as GaussianResults;
  const known = memory.get(results);
  if (known) return known;
  const mean = floats(matrix.mean);
  const { records } = matrix;
  const soundMean = mean.every(Number.isFinite) ? mean : floats(matrix.loaded_mean);
  let model: Model = { cov: floats(matrix.sound ?? matrix.loaded_cov), mean: soundMean, records };
  const { made, fault } = judged(floats(matrix.cov), mean, matrix, [model]);
  if (made !== null) model = { ...made, records };
  const weights = floats(matrix.weights as DataView);
  const release = { ...model, weights: Float64Array.from(results.weights), scale: results.scale, maxChange: results.max_change };
  const found: Held = {
    model,
    weights: weights.every(Number.isFinite) ? weights : release.weights,
    fault,
    loadedRecords: records,
    impossible: null,
    refused: null,
    solved: { release, ...gaussianAll(release) },
  };
  memory.set(results, found);
  return found;
}

/** A model of what stands in the cells, or why there is none; back at numbers that were there it is that one again. */
function judged(
  cov: Float64Array,
  mean: Float64Array,
  { names }: MatrixState,
  known: readonly Model[],
): { made: Model | null; fault: InputFault | null } {
  const again = known.find((model) => sameNumbers(model.cov, cov) && sameNumbers(model.mean, mean));
  if (again) return { made: again, fault: null };
  try {
    const sound = asCovariance(cov, names);
    checkMeans(mean, names);
    return { made: { cov: sound, mean, records: null }, fault: null };
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    return { made: null, fault: new InputFault(`${error.message} ${KEPT}`, error.where) };
  }
}

function answered(view: GaussianView, matrix: MatrixState, before: Held, request: Partial<GaussianRequest>): GaussianView {
  if (request.command === "import") throw new InputFault("Bringing in another matrix needs a kernel.", { kind: "table" });
  const after: Held = { ...before, refused: null };
  const now: MatrixState = { ...matrix };
  takeCells(now, after, request);
  if (request.command === "nearest" && after.fault !== null) {
    put(now, after, nearestCovariance(floats(now.cov), now.names), floats(now.mean));
  }
  const query = takeQuery(now, after, view.query, request);
  const asking: GaussianView = {
    ...view,
    matrix: now,
    ...askedInputs("gaussian_explorer", view, request),
    query,
    subject: query === view.query ? view.subject : `A noisy ${QUERIES[query]}`,
    ...askedAdversary(view, request, now.names.length),
  };
  solveAgain(asking, after, matrix.names);
  const results = resultsOf(after.solved, now.names, { ...asking, search: askedSearch(request, searchOf(view), now.names.length) });
  memory.set(results, after);
  const fault = inputFault(asking, now, after);
  return { ...asking, fault, current: fault === null, results };
}

function takeCells(now: MatrixState, after: Held, request: Partial<GaussianRequest>): void {
  const n = now.names.length;
  const standing = { cov: floats(now.cov), mean: floats(now.mean) };
  const cov = request.cov === undefined ? standing.cov : mirrored(floats(request.cov), n);
  const mean = request.mean === undefined ? standing.mean : floats(request.mean);
  if (cov.length !== n * n || mean.length !== n) {
    throw new InputFault(`The table has ${n * n} cells and ${cov.length} numbers came; reload the page.`, { kind: "table" });
  }
  if (!sameNumbers(cov, standing.cov) || !sameNumbers(mean, standing.mean)) put(now, after, cov, mean);
}

/** The matrix with what stands above the diagonal on both sides. */
function mirrored(entries: Float64Array, n: number): Float64Array {
  return entries.map((value, cell) => {
    const [i, j] = [Math.floor(cell / n), cell % n];
    return j < i ? (entries[j * n + i] as number) : value;
  });
}

function put(now: MatrixState, after: Held, cov: Float64Array, mean: Float64Array): void {
  const loaded = { cov: floats(now.loaded_cov), mean: floats(now.loaded_mean), records: after.loadedRecords };
  const { made, fault } = judged(cov, mean, now, [after.model, loaded]);
  after.fault = fault;
  if (made !== null) after.model = made;
  const numbers = made ?? { cov, mean };
  now.cov = toBytes(numbers.cov);
  now.mean = toBytes(numbers.mean);
  now.sound = toBytes(after.model.cov);
  now.records = fault === null ? after.model.records : null;
  const { valid, smallest } = check(numbers.cov, now.names.length);
  now.valid = fault === null || valid;
  now.smallest = smallest;
}

function namedWeights(key: string, n: number): Float64Array {
  return new Float64Array(n).fill(key === "mean" ? 1 / n : 1);
}

/** Takes weights and the key of the query; returns the key. */
function takeQuery(now: MatrixState, after: Held, key: string, request: Partial<GaussianRequest>): string {
  const n = now.names.length;
  const standing = floats(now.weights as DataView);
  const weights = request.weights ? floats(request.weights) : standing;
  if (weights.length !== n) throw new InputFault(`The table has ${n} cells and ${weights.length} numbers came; reload the page.`, { kind: "table" });
  const asked = request.query ?? key;
  const edited = !sameNumbers(weights, standing);
  if (edited) {
    setWeights(now, after, weights);
    const named = request.query !== undefined && asked !== "weights" && sameNumbers(namedWeights(asked, n), weights);
    return named ? asked : "weights";
  }
  if (asked !== key && asked !== "weights") setWeights(now, after, namedWeights(asked, n));
  return asked;
}

function setWeights(now: MatrixState, after: Held, weights: Float64Array): void {
  now.weights = toBytes(weights);
  if (weights.every(Number.isFinite)) after.weights = weights;
}

function weightsFault({ weights, names }: MatrixState): InputFault | null {
  const numbers = floats(weights as DataView);
  const axis = numbers.findIndex((value) => !Number.isFinite(value));
  if (axis < 0) return null;
  const text = `The weight of ${short(names[axis] as string)} is ${notFinite(numbers[axis] as number)}; give a finite number. ${KEPT}`;
  return new InputFault(text, { kind: "axis", axis });
}

function scaleFault({ scale }: GaussianView): InputFault | null {
  return amountFault("scale", number(scale), "scale");
}

function changeFault({ max_change }: GaussianView): InputFault | null {
  return amountFault("max_change", number(max_change), "max_change");
}

/** Beyond, a few factors more make numbers infinite; the same in Python. */
const LARGEST_PRODUCT = 2 ** 1000;
const FARTHEST = 2 ** 1020;

/** Numbers that leakages and pictures are made of must be finite. */
function reachFault({ cov, mean, weights, scale, maxChange }: GaussianRelease, names: readonly string[]): InputFault | null {
  const n = weights.length;
  const deviations = weights.map((_, j) => Math.sqrt(cov[j * (n + 1)] as number));
  const sizes = weights.map(Math.abs);
  const dot = (of: Float64Array): number => sizes.reduce((total, a, j) => total + a * Math.abs(of[j] as number), 0);
  const moving = deviations.filter((deviation) => deviation > 0);
  const [spread, centre] = [dot(deviations), dot(mean)];
  // No adversary sees more of a target: the deviation of the query over the least one that is left.
  const most = moving.length > 0 ? spread / (least(moving) * Math.sqrt(TOLERANCE)) : 0;
  const factor = maxChange / scale;
  const top = Math.max(largest(sizes), most);
  if (!(Math.max(top, centre, spread * spread) <= LARGEST_PRODUCT)) {
    const shares = sizes.map((a, j) => a * Math.max(deviations[j] as number, Math.abs(mean[j] as number)));
    const axis = shares.indexOf(largest(shares));
    const text =
      `The weight of ${short(names[axis] as string)} is ${general(weights[axis] as number)}: with it the weighted ` +
      "sum has no finite mean and variance; give a smaller one.";
    return new InputFault(text, { kind: "axis", axis });
  }
  if (!(top * maxChange <= LARGEST_PRODUCT)) {
    const text = `The largest change is ${general(maxChange)}: what the sum moves with it is no finite number; give a smaller one.`;
    return new InputFault(text, { kind: "parameter", name: "max_change" });
  }
  // Densities are as high as one over the scale; far out, those of two centres part at a distance of spread**2 / scale.
  const apart = Math.max(spread / scale, (spread / scale) * spread);
  if (!(Math.max(factor, top * factor, 1 / scale) <= LARGEST_PRODUCT && apart <= FARTHEST)) {
    const text = `The scale ${general(scale)} is too small: leakages over it are not finite numbers.`;
    return new InputFault(text, { kind: "parameter", name: "scale" });
  }
  if (scale <= LARGEST_PRODUCT) return null;
  const text = `The scale ${general(scale)} is too large: scales that are enough beside it are no finite numbers; give at most 1e301.`;
  return new InputFault(text, { kind: "parameter", name: "scale" });
}

/** Why no sum can be made of the last weights, whatever scale and change. */
function sumFault({ model, weights }: Held, names: readonly string[]): InputFault | null {
  return reachFault({ ...model, weights, scale: 1, maxChange: 0 }, names);
}

/** The first fault of what stands in the controls. */
function inputFault(view: GaussianView, matrix: MatrixState, { fault, impossible, refused }: Held): Fault | null {
  const first = fault ?? weightsFault(matrix) ?? impossible ?? scaleFault(view) ?? changeFault(view) ?? refused;
  return first && first.fault;
}

/** Brings the results up to date with the last inputs that make sense. */
function solveAgain(view: GaussianView, after: Held, names: readonly string[]): void {
  const last = after.solved.release;
  after.impossible = sumFault(after, names);
  const release: GaussianRelease = {
    cov: after.model.cov,
    mean: after.model.mean,
    weights: after.impossible === null ? after.weights : last.weights,
    scale: scaleFault(view) === null ? number(view.scale) : last.scale,
    maxChange: changeFault(view) === null ? number(view.max_change) : last.maxChange,
  };
  const unchanged =
    release.scale === last.scale &&
    release.maxChange === last.maxChange &&
    sameNumbers(release.weights, last.weights) &&
    sameNumbers(release.cov, last.cov) &&
    sameNumbers(release.mean, last.mean);
  if (unchanged) return;
  after.refused = reachFault(release, names);
  if (after.refused === null) after.solved = { release, ...gaussianAll(release) };
}

function searchOf({ results }: GaussianView): Search {
  return results?.digest?.search ?? FIRST_SEARCH;
}

function resultsOf({ release, exact, determined }: Solved, names: string[], asked: Question): GaussianResults {
  const { target, known } = asked;
  const n = names.length;
  const promise = gaussianPromise(release);
  const top = largestOf(exact, n);
  const large = n > MOST_DRAWN;
  const value = exact[target * columnCount(n) + columnOf(n, target, known)] as number;
  const { mu00: _start, mu0i: _own, mu0k: _known, ...chosen } = gaussianNode(release, target, known);
  return {
    scale: release.scale,
    max_change: release.maxChange,
    weights: [...release.weights],
    promise,
    graph: large ? null : {
      names,
      promise,
      exact: toBytes(exact),
      paper: null,
      determined: determined.some((flag) => flag !== 0) ? toBytes(determined) : null,
      increments: null,
      largest: top,
      group_bound: UNBOUNDED,
    },
    digest: large ? digestOf({ exact, determined, names, promise, paper: null, groupBound: UNBOUNDED }, asked) : null,
    largest: { ...top, limit: gaussianNode(release, top.target, top.known).limit },
    chosen: { ...chosen, value },
    adversaries: exact.length,
    above_promise: countAbove(exact, promise),
  };
}
