/**
 * A page without tables: what leaks at another budget, of another pair, or by another mechanism that favours the same
 * sets follows from the points of all pairs that stand in its view. All else needs a kernel.
 */
import type { AttributeState, ComparedState, LocalRequest, LocalResults, LocalView, PairState, ReportsState, TotalsState } from "../local/protocol";
import { createRescaler, matrixAt, same, type Asked, type Shown } from "../local/results";
import { floats, number, toBytes } from "../ui/wire";
import { amountFault } from "./faults";
import type { Mechanism } from "./local-mechanisms";
import { comparedStates } from "./local-results";

const KERNEL = "This page has no tables for that: it needs a kernel. The last results stay.";
const TOGETHER = "All reports together need a kernel.";
const rescale = createRescaler();
const wired = (value: number): number | string => (Number.isFinite(value) ? value : String(value));

/** What was published: the pair with its table, and all reports together, by the points of the page. */
const published = new WeakMap<object, LocalResults>();

export function answersFromPoints(view: LocalView): boolean {
  return view.results?.points != null;
}

export function localAnswerFromPoints(view: LocalView, request: Partial<LocalRequest>): LocalView {
  const results = view.results as LocalResults;
  const points = results.points as object;
  if (!published.has(points)) published.set(points, results);
  const elsewhere = (["attributes", "min_count", "example", "budget"] as const).some(
    (name) => request[name] !== undefined && JSON.stringify(request[name]) !== JSON.stringify(standing(view, name)),
  );
  if (elsewhere) return { ...view, fault: { text: KERNEL, where: null } };
  const asked: LocalView = {
    ...view,
    mechanism: request.mechanism ?? view.mechanism,
    parameters: request.parameters ?? view.parameters,
    epsilon: request.epsilon ?? view.epsilon,
    output: request.output ?? view.output,
  };
  const epsilon = number(asked.epsilon);
  const wrong = amountFault("epsilon", epsilon, "epsilon");
  if (wrong !== null) return { ...asked, current: false, fault: wrong.fault };
  const pair = chosen(view, request, results);
  const mechanism: Mechanism = { key: asked.mechanism, epsilon, parameters: asked.parameters };
  const before = { ...results, pair: pairFor(results, pair, points) };
  const question: Asked = {
    mechanism,
    output: asked.output,
    minCount: results.min_count,
    names: results.names,
    sizes: view.attributes.map(({ labels }) => labels.length),
    records: view.records,
  };
  const shown = rescale(before, question);
  if (shown === null) return { ...view, fault: { text: KERNEL, where: null } };
  return {
    ...asked,
    source: pair?.source ?? null,
    secret: pair?.secret ?? null,
    fault: null,
    current: true,
    results: { ...written(before, shown, pair, known(points, question)), compared: compared(view, shown, question) },
  };
}

/** What stands in for numbers that a kernel was computing, and in the control they were computed for. */
export function withoutAwaited({ results, missing, budget }: LocalView): Pick<LocalView, "results" | "budget"> {
  if (results === null) return { results, budget };
  const goal = budget === null ? null : (results.calibration?.goal ?? null);
  return { results: { ...results, totals: results.totals ?? unknownTotals(results, missing.count) }, budget: goal };
}

function unknownTotals(results: LocalResults, missing: number | null): TotalsState {
  const n = results.names.length;
  const [matrix, own] = [floats(results.matrix), floats(results.own)];
  const nothing = new Float64Array(n).fill(NaN);
  // Where values are missing the sum is over the complete records, which nobody has counted.
  const sum = missing
    ? nothing
    : own.map((value, secret) =>
        results.names.reduce((total, _, source) => total + (matrix[source * n + secret] as number), value),
      );
  const composition = wired(own.reduce((total, value) => total + value, 0));
  return { exact: null, sum: toBytes(sum), bound: toBytes(nothing), composition, records: null, why: TOGETHER, kernel: true };
}

function standing(view: LocalView, name: "attributes" | "min_count" | "example" | "budget"): unknown {
  return name === "attributes" ? view.attributes.flatMap(({ chosen: on }, k) => (on ? [k] : [])) : view[name];
}

function chosen(view: LocalView, request: Partial<LocalRequest>, { names }: LocalResults): { source: number; secret: number } | null {
  const source = request.source === undefined ? view.source : request.source;
  const secret = request.secret === undefined ? view.secret : request.secret;
  const sound = source !== null && secret !== null && source !== secret && names.includes(source) && names.includes(secret);
  if (sound) return { source, secret };
  return view.source === null || view.secret === null ? null : { source: view.source, secret: view.secret };
}

/** Of the published pair all is known, of the others what leaks. */
function pairFor(results: LocalResults, pair: { source: number; secret: number } | null, points: object): PairState | null {
  if (pair === null) return null;
  const first = published.get(points)?.pair;
  if (first?.source === pair.source && first.secret === pair.secret) return first;
  if (results.pair?.source === pair.source && results.pair.secret === pair.secret) return results.pair;
  return {
    ...pair,
    leakage: 0,
    mirror: 0,
    worst: null,
    rows: null,
    supports: null,
    generic: "NaN",
    limit: null,
    mirror_limit: null,
    table: null,
    curve: null,
    left_out: 0,
  };
}

/** All reports together as published, where the release is the published one. */
function known(points: object, question: Asked): TotalsState | null {
  const first = published.get(points);
  return first && same(first, question) ? first.totals : null;
}

/** The published curve of all reports, where no more than the budget is another one. */
function reportsKept({ reports }: LocalResults, shown: Shown, pair: { secret: number } | null): ReportsState | null {
  return reports && shown.reports && pair?.secret === reports.secret ? reports : null;
}

function written(results: LocalResults, shown: Shown, pair: { source: number; secret: number } | null, saved: TotalsState | null): LocalResults {
  const { names, matrix } = shown;
  const n = names.length;
  const at = (source: number, secret: number): number => matrix[names.indexOf(source) * n + names.indexOf(secret)] as number;
  const { totals, pair: numbers } = shown;
  const rows = numbers?.rows;
  const optional = (value: number | null | undefined): number | string | null => (value == null ? null : wired(value));
  return {
    ...results,
    epsilon: wired(shown.mechanism.epsilon),
    mechanism: shown.mechanism.key,
    parameters: shown.mechanism.parameters,
    output: shown.output,
    promise: wired(shown.promise),
    matrix: toBytes(matrix),
    own: toBytes(shown.own),
    kept: toBytes(shown.kept),
    other: toBytes(shown.other),
    totals: saved ?? (totals && {
      exact: totals.awaited ? null : totals.exact && toBytes(totals.exact),
      sum: toBytes(totals.sum),
      bound: toBytes(totals.awaited ? new Float64Array(n).fill(NaN) : (totals.bound as Float64Array)),
      composition: wired(totals.composition),
      records: totals.records,
      why: totals.awaited ? TOGETHER : totals.why,
      constant: [...totals.constant],
      kernel: true,
    }),
    pair: pair && numbers && results.pair
      ? {
          ...results.pair,
          leakage: wired(at(pair.source, pair.secret)),
          mirror: wired(at(pair.secret, pair.source)),
          worst: numbers.worst,
          rows: rows ? toBytes(Float64Array.of(...rows[0], ...rows[1])) : null,
          supports: numbers.supports,
          generic: wired(numbers.generic),
          limit: optional(numbers.limit),
          mirror_limit: optional(numbers.mirrorLimit),
        }
      : null,
    reports: reportsKept(results, shown, pair),
    compared: null,
    calibration: null,
  };
}

/** Of mechanisms that favour other sets than those of the points it is known how useful they are, not what they leak. */
function compared({ attributes }: LocalView, { points, names }: Shown, { mechanism, sizes, records }: Asked): ComparedState[] {
  const counts = names.map((name) => floats((attributes[name] as AttributeState).counts));
  return comparedStates({
    mechanism,
    sizes: names.map((name) => sizes[name] as number),
    counts: records === null ? null : counts,
    leakages: (made, output) => points && matrixAt(points, names, sizes, made, output),
  });
}
