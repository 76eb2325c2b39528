/** The covariance editor in a page: the browser sets the cells, the page tells whether they are a covariance matrix. */
import { asCovariance, checkMeans, nearestCovariance } from "../compute/covariance";
import { InputFault, notFinite, short } from "../compute/faults";
import { mirrored, type MatrixState } from "../matrix/editing";
import { check } from "../matrix/validity";
import type { Bytes, Fault } from "../ui/protocol";
import type { AnyRequest, AnyView } from "../ui/session";
import { floats, sameBytes, toBytes } from "../ui/wire";
import widget from "../widgets/covariance_editor";
import { join, type Joined } from "./page-model";

interface MatrixView extends AnyView {
  matrix: MatrixState | null;
  correlation: boolean;
  fault: Fault | null;
}

interface MatrixRequest extends AnyRequest {
  cov: Bytes;
  mean: Bytes;
  weights: Bytes | null;
  correlation: boolean;
  command: "" | "nearest" | "import";
}

/** Beyond, the projections to the nearest matrix take longer than a hand may wait. */
const MOST_FOR_NEAREST = 16;
const KEPT = "The results still belong to the last valid matrix.";

/** How many records stood behind the matrix that was loaded, kept with the bytes that all its views share. */
const records = new WeakMap<object, number | null>();

function recordsOf(matrix: MatrixState): number | null {
  const { loaded_cov: loaded } = matrix;
  if (!records.has(loaded)) records.set(loaded, matrix.records);
  return records.get(loaded) ?? null;
}

function needs(what: string): InputFault {
  return new InputFault(`${what} needs a kernel, and this page has none.`, { kind: "table" });
}

function weightsFault({ weights, names }: MatrixState): Fault | null {
  const numbers = weights ? floats(weights) : new Float64Array();
  const axis = numbers.findIndex((value) => !Number.isFinite(value));
  if (axis < 0) return null;
  const text = `The weight of ${short(names[axis] as string)} is ${notFinite(numbers[axis] as number)}; give a finite number. ${KEPT}`;
  return { text, where: { kind: "axis", axis } };
}

/** The matrix with other numbers in its cells, and why they are none of a model. */
function judged(matrix: MatrixState, cov: Float64Array, mean: Float64Array, loadedRecords: number | null): { matrix: MatrixState; fault: Fault | null } {
  const n = matrix.names.length;
  const { valid, smallest } = check(cov, n);
  const made: MatrixState = { ...matrix, cov: toBytes(cov), mean: toBytes(mean), smallest };
  try {
    const sound = asCovariance(cov, matrix.names);
    checkMeans(mean, matrix.names);
    made.cov = made.sound = toBytes(sound);
    const loaded = sameBytes(made.cov, matrix.loaded_cov) && sameBytes(made.mean, matrix.loaded_mean);
    return { matrix: { ...made, valid: true, records: loaded ? loadedRecords : null }, fault: null };
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    const { text, where } = error.fault;
    return { matrix: { ...made, valid, records: null }, fault: { text: `${text} ${KEPT}`, where } };
  }
}

function answered(view: MatrixView, matrix: MatrixState, request: Partial<MatrixRequest>): MatrixView {
  const n = matrix.names.length;
  const loadedRecords = recordsOf(matrix);
  const { command, correlation = view.correlation, weights = matrix.weights } = request;
  if (command === "import") throw needs("Bringing in another matrix");
  if (command === "nearest" && n > MOST_FOR_NEAREST) throw needs(`The nearest valid matrix of ${n} tuples`);
  const cov = request.cov ? mirrored(floats(request.cov), n) : floats(matrix.cov);
  const mean = floats(request.mean ?? matrix.mean);
  let found = judged({ ...matrix, weights }, cov, mean, loadedRecords);
  if (command === "nearest" && found.fault !== null) found = judged(found.matrix, nearestCovariance(cov, matrix.names), mean, loadedRecords);
  return { ...view, matrix: found.matrix, correlation, fault: found.fault ?? weightsFault(found.matrix) };
}

const joined: Joined<MatrixView, MatrixRequest> = {
  render: widget.render,
  needsKernel: ({ matrix }) => (matrix ? null : "There is no matrix."),
  answer(view, request) {
    if (!view.matrix) return view;
    try {
      return answered(view, view.matrix, request);
    } catch (error) {
      if (!(error instanceof InputFault)) throw error;
      return { ...view, fault: error.fault };
    }
  },
};

export default join("covariance_editor", joined);
