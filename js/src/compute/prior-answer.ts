/**
 * The answers of Python to a page about prior knowledge, computed in the page: what the hand set becomes the next view.
 * Inputs that make no sense become the view's fault, and the last results stay. Where there is a kernel, it has the
 * last word.
 */
import type { PriorRequest, PriorView, ShownTable } from "../prior/protocol";
import type { Enough, Fault } from "../ui/protocol";
import { floats } from "../ui/wire";
import { askedInputs } from "./asked-inputs";
import { leastScaleForAll } from "./calibration";
import { densitiesCompared, narrowFault, secondsAlone } from "./exact-all";
import { InputFault } from "./faults";
import { askedSearch, largestOf } from "./graph-digest";
import { countReleases, type Embedded, type Query } from "./linear-query";
import { measureFault } from "./measured";
import {
  askedAdversary,
  askedQuery,
  askedRow,
  canOccur,
  editedTable,
  mostProbable,
  queryAsked,
  sameNumbers,
  scaleFault,
  shapeOf,
  type Standing,
} from "./prior-inputs";
import { releaseOf, resultsOf, solve, type Solved, withPaper } from "./prior-results";
import { promiseOf, type Release } from "./releases";
import { impossibleRow, sizeOf, tableFault } from "./table";

export { askedAdversary } from "./prior-inputs";

/** Beyond, all adversaries take longer than a hand may wait, and the cells too much room in a page. */
export const MOST_CELLS = 16_384;
export const MOST_TUPLES = 14;
/** Densities of released values by cell: about a second. Small tables take less, whatever the query. */
const MOST_WORK = 4e6;
const SMALL = 1024;
/** The least scale takes many tables: with so much work for each, or so few cells, about a quarter of a second. */
const MOST_WORK_FOR_ENOUGH = 1e5;
const SMALL_FOR_ENOUGH = 256;
/** Seconds for one table whose noise is narrow. */
const MOST_ALONE_FOR_ENOUGH = 0.01;
/** Densities compared for the worst case within about a second. */
const MOST_COMPARED = 1e8;

/** What a view does not say, but the next one depends on. */
interface Held extends Standing {
  solved: Solved;
  /** Why the results are not those of inputs that make sense. */
  refused: InputFault | null;
  /** What the records of the published table are too few for. */
  caution: string;
  /** The number of the last sample interval, whether or not there was one. */
  sample: number;
}

/** By the results of a view, which copies of it share. */
const memory = new WeakMap<object, Held>();

/** What a page holds beside the view. */
export interface Source {
  /** Queries where the text of the labels does not tell what they contribute. */
  queries: Embedded;
  /** Cells of a table that the view shows in a few numbers. */
  cells: Float64Array | null;
}

const NO_CALIBRATION = "The least scale is computed for one released number, not for a whole histogram.";
const NO_ESTIMATE = "The paper estimates what one released number leaks; for a whole histogram it has no estimate.";

const NOTHING: Source = { queries: {}, cells: null };

/** Why a page cannot answer for itself, or null. */
export function needsKernel(view: PriorView, source: Source = NOTHING): string | null {
  const { table } = view;
  const shape = shapeOf(table);
  if (sizeOf(shape) > MOST_CELLS || shape.length > MOST_TUPLES) {
    return `This page computes tables of up to ${MOST_TUPLES} tuples and ${MOST_CELLS.toLocaleString("en")} cells: a larger one needs a kernel.`;
  }
  if (view.results === null || table === null || cellsOf(table, source).length !== sizeOf(shape)) {
    return "This page has no table to compute from: it needs a kernel.";
  }
  const { query, fault } = queryAsked(view.query, view.query.key, view.query.weights, table, source.queries);
  // The results came from elsewhere, and here they would turn into those of another query.
  if (query === null && !memory.has(view.results)) return fault?.message ?? "Its query needs a kernel.";
  const release = query && releaseOf({ shape, entries: cellsOf(table, source) }, query, view.results.scale);
  const narrow = release && narrowFault(release, view.results.convention === "sup");
  if (narrow) return narrow.message;
  if (release && takesLong(release)) return "Its query takes so many values that a page would compute for long: it needs a kernel.";
  return null;
}

function cellsOf(table: ShownTable, { cells }: Source): Float64Array {
  return table.summary && cells ? cells : floats(table.entries);
}

function takesLong(release: Release): boolean {
  // Values of several numbers are combined: they may be many of a small table too.
  return (release.bins !== undefined || sizeOf(release.table.shape) > SMALL) && workOf(release) > MOST_WORK;
}

function workOf(release: Release): number {
  return countReleases(release) * sizeOf(release.table.shape);
}

/** The view after a request; what the request does not carry stays. */
export function priorAnswer(view: PriorView, request: Partial<PriorRequest>, source: Source = NOTHING): PriorView {
  const { table, results } = view;
  const reason = needsKernel(view, source);
  if (table === null || results === null || reason !== null) throw new RangeError(reason ?? "");
  const { origin, seq } = request;
  const heard: PriorView = {
    ...view,
    revision: view.revision + 1,
    ack: origin === undefined || seq === undefined ? view.ack : { origin, seq },
  };
  // Cells and tuples of a table that is gone would be taken for those of the present one.
  if (view.disabled || (request.base ?? view.since) < view.since) return heard;
  try {
    return answered(heard, table, held(view, table, source), request, source.queries);
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    // Nothing was taken. What stood in the controls is as wrong as before.
    return { ...heard, fault: inputFault(heard, table, held(view, table, source)) ?? error.fault };
  }
}

/** Whether the least scale is found at a hand's pace. */
export function enoughIsQuick(view: PriorView, source: Source = NOTHING): boolean {
  if (view.table === null) return true;
  const { release, convention } = held(view, view.table, source).solved;
  if (release.bins) return true;
  if (secondsAlone(release, convention === "sup") > MOST_ALONE_FOR_ENOUGH) return false;
  return sizeOf(release.table.shape) <= SMALL_FOR_ENOUGH || (convention !== "sup" && workOf(release) <= MOST_WORK_FOR_ENOUGH);
}

/** The least scale at which no adversary learns more than the goal, for the results of a view. */
export function priorEnough(view: PriorView, source: Source = NOTHING): Enough {
  const of = view.late.enough;
  if (view.table === null) return { of, scale: null, why: null };
  const { release, row, convention } = held(view, view.table, source).solved;
  if (release.bins) return { of, scale: null, why: NO_CALIBRATION };
  if (!(promiseOf(release) > 0)) return { of, scale: null, why: null };
  try {
    const scale = leastScaleForAll(release, view.goal, convention === "sup" ? null : row);
    return { of, scale: scale || null, why: null };
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    return { of, scale: null, why: error.message };
  }
}

/** What is remembered of a view; of one that comes from elsewhere, what it says itself. */
function held(view: PriorView, table: ShownTable, source: Source): Held {
  const results = view.results;
  if (results === null) throw new RangeError(needsKernel(view, source) ?? "");
  const known = memory.get(results);
  if (known) return known;
  const cells = cellsOf(table, source);
  const { queries } = source;
  const sound = tableFault(cells, table.spec) === null;
  const entries = sound ? cells : floats(table.loaded);
  const { query, fault } = queryAsked(view.query, view.query.key, view.query.weights, table, queries);
  if (query === null) throw new RangeError(fault?.message ?? "This page does not know what its query adds up: it needs a kernel.");
  const release = releaseOf({ shape: shapeOf(table), entries }, query, results.scale);
  const found: Held = {
    entries,
    records: table.spec.records,
    loadedRecords: table.spec.records,
    caution: view.caution ?? "",
    query,
    queryFault: fault,
    solved: solve(release, query, table.spec.records, results.instance, results.convention),
    refused: null,
    sample: view.late.sample ?? view.late.enough,
  };
  memory.set(results, found);
  return found;
}

function answered(view: PriorView, table: ShownTable, before: Held, request: Partial<PriorRequest>, embedded: Embedded): PriorView {
  const edited = editedTable(table, before, request);
  const release = askedQuery(view.query, table, before, request, embedded);
  const shape = shapeOf(table);
  const asking: PriorView = {
    ...view,
    table: { ...edited.table, summary: table.summary },
    query: release.state,
    ...askedInputs("prior_explorer", view, request),
    instance: askedRow(request.instance, shape) ?? view.instance,
    ...askedAdversary(view, request, shape.length),
    automatic: view.automatic && request.target === undefined && request.known === undefined,
    search: askedSearch(request, view.search, shape.length),
  };
  const after: Held = { ...before, entries: edited.entries, records: edited.records, query: release.query, queryFault: release.fault };
  const wanted = solvedFor(asking, after, shape);
  after.refused = wanted instanceof InputFault ? wanted : null;
  if (!(wanted instanceof InputFault)) after.solved = wanted;
  if (asking.automatic && after.solved.convention !== before.solved.convention) {
    // Edits leave the one who is looked at; another convention is another question.
    const { target, known } = largestOf(after.solved.leakages.exact, shape.length);
    Object.assign(asking, { target, known });
  }
  const unpapered = asking.show_paper && after.solved.bins !== undefined;
  if (unpapered) asking.show_paper = false;
  if (asking.show_paper) after.solved = withPaper(after.solved);
  if (asking.measure !== view.measure && request.threshold === undefined) asking.threshold = null;
  const unmeasured = (asking.measure ?? "leakage") === "leakage" ? null : measureFault(after.solved);
  if (unmeasured) asking.measure = "leakage";
  const fresh = after.solved.leakages !== before.solved.leakages;
  const moved = asking.target !== view.target || String(asking.known) !== String(view.known);
  let number = Math.max(view.late.enough, before.sample);
  const other = asking.goal !== view.goal || !sameButScale(after.solved, before.solved);
  const enough = other ? ++number : view.late.enough;
  after.sample = fresh || moved ? ++number : before.sample;
  const results = resultsOf(after.solved, edited.table.spec, asking, asking.show_paper);
  memory.set(results, after);
  const fault = inputFault(asking, { ...edited.table, summary: table.summary }, after);
  const late = { enough, sample: after.solved.records === null ? null : after.sample };
  // An edited table is no sample any more.
  const caution = after.records === null ? "" : after.caution;
  const refusal = unpapered ? new InputFault(NO_ESTIMATE, { kind: "parameter", name: "show_paper" }).fault : (unmeasured?.fault ?? null);
  const answer: PriorView & { promise: number } = {
    ...asking,
    promise: results.promise,
    caution,
    fault: fault ?? refusal,
    current: fault === null,
    results,
    late,
  };
  return answer;
}

/** Whether two queries are made of the same contributions, bin by bin. */
function sameNumbersOf(a: Pick<Release, "contributions" | "bins">, b: Pick<Release, "contributions" | "bins">): boolean {
  const [these, those] = [a, b].map(({ contributions, bins }) => (bins ?? [contributions]).flat()) as [Float64Array[], Float64Array[]];
  return a.bins?.length === b.bins?.length && these.every((y, j) => sameNumbers(y, those[j] as Float64Array));
}

/** Whether the leakages at every scale are the same. */
function sameButScale(a: Solved, b: Solved): boolean {
  return (
    a.query === b.query &&
    a.convention === b.convention &&
    (a.convention === "sup" || String(a.row) === String(b.row)) &&
    sameNumbers(a.release.table.entries, b.release.table.entries) &&
    sameNumbersOf(a.release, b.release)
  );
}

/** The first fault of what stands in the controls. */
function inputFault(view: PriorView, { spec, entries, summary }: ShownTable, { query, queryFault, refused, ...held }: Held): Fault | null {
  const table = { shape: spec.labels.map((labels) => labels.length), entries: held.entries };
  const impossible = view.convention === "instance" && !canOccur(table, view.instance) ? impossibleRow(spec, view.instance) : null;
  const first = impossible ?? (summary ? null : tableFault(floats(entries), spec)) ?? queryFault ?? scaleFault(view.scale, query) ?? refused;
  return first && first.fault;
}

/**
 * The results for the last inputs that make sense: the ones there are, unless something they depend on changed; or why
 * they would take too long.
 */
function solvedFor(view: PriorView, { entries, records, query, solved }: Held, shape: readonly number[]): Solved | InputFault {
  const sound = scaleFault(view.scale, query) === null;
  const asked: Query = sound ? query : { name: solved.query, contributions: [...solved.release.contributions], ...(solved.bins && { bins: [...solved.bins] }) };
  const scale = sound ? view.scale : solved.release.scale;
  let row: readonly number[] = view.instance;
  let cells = { entries, records };
  if (!canOccur({ shape, entries }, row)) {
    if (view.convention === "sup") {
      // The row stays for later: the worst case is over all rows that can occur.
      row = mostProbable({ shape, entries });
    } else {
      cells = { entries: solved.release.table.entries, records: solved.records };
      row = solved.row;
    }
  }
  const last = solved.release;
  const release = releaseOf({ shape, entries: cells.entries }, asked, scale);
  const unchanged =
    sameNumbers(cells.entries, last.table.entries) &&
    cells.records === solved.records &&
    scale === last.scale &&
    asked.name === solved.query &&
    sameNumbersOf(release, last) &&
    String(row) === String(solved.row) &&
    view.convention === solved.convention;
  if (unchanged) return solved;
  const narrow = narrowFault(release, view.convention === "sup");
  if (narrow) return narrow;
  if (takesLong(release)) {
    return new InputFault("That query takes so many values that a page would compute for long. Take another one, or run the notebook.", {
      kind: "parameter",
      name: "query",
    });
  }
  if (view.convention === "sup" && densitiesCompared(release) > MOST_COMPARED) {
    return new InputFault(
      "The worst case over all known values takes too long in a page: the query takes too many values. " +
        "Take the known values of one row, or run the notebook.",
      { kind: "parameter", name: "convention" },
    );
  }
  return solve(release, asked, cells.records, row, view.convention);
}
