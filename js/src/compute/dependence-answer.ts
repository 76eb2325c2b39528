/**
 * The answers of Python to a page of dependent tuples, computed in the page: what the hand set is checked, computed
 * and shown.
 */
import type { Coefficient, DependenceRequest, DependenceResults, DependenceView, Knowing, MechanismChoice } from "../dependence/protocol";
import type { Bytes, Fault, MeasureName } from "../ui/protocol";
import { floats, toBytes } from "../ui/wire";
import { askedInputs } from "./asked-inputs";
import { coefficientsAt, pairsOf } from "./dependence-coefficients";
import { prepared, type Compared, type Prepared } from "./dependence-release";
import { measuredState, resultsState, roundHalfEven, solved, type Inputs, type Solved } from "./dependence-results";
import { shownTable, tableOf, type DependentQuery, type DependentTable, type EmbeddedTable, type EmbeddedWhole } from "./dependence-table";
import { amount, general, InputFault, pythonFloat, wiredNumber } from "./faults";

// What a hand sets in the explorer of dependent tuples, checked; what is wrong is said in the words of Python.

const SUM_TOLERANCE = 1e-9;
/** Smaller scales of noise have no digits left to divide by; as in pdp_widgets/widgets/dependence_solved.py. */
const LEAST_SCALE = 1e-290;

/** What one tuple changes at most over the promise is a scale of noise that numbers can hold. */
function checkNoise(changes: Float64Array, epsilon: number): void {
  const most = Math.max(...changes);
  if (most === 0 || most / epsilon > LEAST_SCALE) return;
  const text =
    `One tuple changes the query by ${general(most, 3)} at most, and epsilon is ${general(epsilon, 3)}: the ` +
    "noise is too small for the numbers of a computer. Multiply the weights.";
  throw new InputFault(text, { kind: "parameter", name: "epsilon" });
}

function same(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((x, k) => x === b[k]);
}

/** The entries, if they are probabilities: those that stood, or as given, where they are the same numbers. */
function checkedProbabilities(table: DependentTable, entries: Float64Array, stood: Float64Array): Float64Array {
  if (same(entries, stood)) return stood;
  if (same(entries, table.given)) return table.given;
  entries.forEach((entry, row) => {
    if (entry >= 0 && Number.isFinite(entry)) return;
    const n = table.sizes.length;
    const index = [...table.codes.subarray(row * n, (row + 1) * n)];
    throw new InputFault(`The probability of ${rowWords(table, row, index)} is ${pythonFloat(entry)}; give 0 or more.`, { kind: "cell", index });
  });
  const total = exactSum(entries);
  if (Math.abs(total - 1) > SUM_TOLERANCE)
    throw new InputFault(`The probabilities sum to ${general(total, 9)}, not 1; change a cell, or keep the sum.`, {
      kind: "table",
    });
  return entries;
}

function rowWords({ tuples, said }: DependentTable, row: number, index: readonly number[]): string {
  if (said === null) return `row ${row + 1}`;
  return tuples.map(({ name }, j) => `${name} ${said[j]?.[index[j] as number] as string}`).join(", ");
}

/** A sum with what rounding takes carried along. */
function exactSum(values: Float64Array): number {
  let [sum, lost] = [0, 0];
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}

// The explorer of dependent tuples in a page: its inputs, and the results of the last that made sense. Every input has
// what was asked for and the last value of it that made sense; results are those of the latter.

/** The table of the user while an example stands in its place. */
interface Own {
  table: DependentTable;
  entries: Float64Array;
  query: string;
}

interface DependenceCore {
  /** As given, before any entry was edited. */
  table: DependentTable;
  /** Probabilities of the rows as they stand, and the last ones that make sense. */
  entries: Float64Array;
  value: Float64Array;
  examples: ReadonlyMap<string, DependentTable>;
  example: string;
  own: Own | null;
  query: string;
  epsilon: number;
  mechanism: MechanismChoice["key"];
  coefficient: Coefficient;
  knowing: Knowing;
  known: readonly number[];
  alpha: number;
  measure: MeasureName;
  measure_epsilon: number | null;
  /** What the graph shows instead of leakages. */
  measured: DependenceResults["measured"];
  paper: boolean;
  tuple: number;
  other: number | null;
  /** Null until the page has computed something: what was published stands. */
  solved: Solved | null;
  /** The table of the results that were published; null where there are none. */
  published: DependentTable | null;
  fault: Fault | null;
}

/** The key of a mechanism of the menu among those that are compared. */
export function comparedKey(mechanism: MechanismChoice["key"], coefficient: Coefficient): Compared {
  return mechanism === "dpm" ? `dpm_${coefficient}` : mechanism;
}

/** The results are about the tuples and values that stand in the table. */
function isShown({ table, published, solved: found }: DependenceCore): boolean {
  return found === null ? published === table : sameTuples(found.inputs.on.table, table);
}

function sameTuples(a: DependentTable, b: DependentTable): boolean {
  if (a === b) return true;
  const values = ({ tuples, points }: DependentTable): string => JSON.stringify([tuples, points.map((one) => one && [...one.at])]);
  return values(a) === values(b);
}

function queryOf({ table, query }: DependenceCore): DependentQuery {
  return (table.queries.find(({ key }) => key === query) ?? table.queries[0]) as DependentQuery;
}

/** What the hand set; what the request does not carry stays. */
function askedCore(core: DependenceCore, request: Partial<DependenceRequest>): DependenceCore {
  const example = request.example ?? core.example;
  const moves = example !== core.example && (example === "" ? core.own !== null : core.examples.has(example));
  const shown = moves ? withExample(core, example) : core;
  const n = shown.table.sizes.length;
  const listed = request.known ?? shown.known;
  const asked = {
    ...shown,
    entries: entriesOf(shown, request),
    query: shown.table.queries.some(({ key, listed: offered }) => offered && key === request.query) ? (request.query as string) : shown.query,
    mechanism: request.mechanism ?? shown.mechanism,
    coefficient: request.coefficient ?? shown.coefficient,
    ...askedInputs("dependence_explorer", shown, request, wiredNumber),
    known: [...new Set(listed)].filter((k) => k >= 0 && k < n).sort((a, b) => a - b),
  };
  const next = computed(asked);
  return isShown(next) ? { ...next, ...pairOf(next, request) } : next;
}

function entriesOf({ table, entries }: DependenceCore, { probabilities }: Partial<DependenceRequest>): Float64Array {
  if (probabilities === undefined) return entries;
  if (probabilities === null) return table.given;
  return probabilities.length === table.rows ? Float64Array.from(probabilities, wiredNumber) : entries;
}

function withExample(core: DependenceCore, example: string): DependenceCore {
  const own = core.example === "" ? { table: core.table, entries: core.entries, query: core.query } : core.own;
  if (example !== "") return { ...replaced(core, core.examples.get(example) as DependentTable), example, own };
  const mine = own as Own;
  return { ...replaced(core, mine.table), entries: mine.entries, query: mine.query, example, own: null };
}

/** Another table in the place of the one that stands. */
function replaced(core: DependenceCore, table: DependentTable): DependenceCore {
  const names = ({ tuples }: DependentTable): string => JSON.stringify(tuples.map(({ name }) => name));
  const same = names(table) === names(core.table);
  const query = table.queries.some(({ key }) => key === core.query) ? core.query : (table.queries[0] as DependentQuery).key;
  const knowing = same || core.knowing !== "chosen" ? core.knowing : "nobody";
  return { ...core, table, entries: table.given, value: table.given, query, known: same ? core.known : [], knowing };
}

/** Results for the last inputs that make sense, and what is wrong with those that stand. */
function computed(core: DependenceCore): DependenceCore {
  const faults: Fault[] = [];
  const tried = <T>(make: () => T, kept: T): T => {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof InputFault)) throw error;
      faults.push(error.fault);
      return kept;
    }
  };
  const value = tried(() => checkedProbabilities(core.table, core.entries, core.value), core.value);
  const epsilon = tried(() => amount("budget", core.epsilon, "epsilon"), core.solved?.inputs.epsilon ?? NaN);
  const asked = { ...core, value };
  const found = Number.isNaN(epsilon) ? core.solved : tried(() => solved(inputsOf(asked, epsilon)), core.solved);
  const unmeasured = faults.length;
  const measured = tried(() => found && measuredState(found, core.measure, core.measure_epsilon), undefined) ?? undefined;
  const measure = faults.length > unmeasured ? "leakage" : core.measure;
  const next = { ...asked, solved: found, measure, measured, fault: faults[0] ?? null };
  const before = core.solved?.inputs.on.table;
  return found === null || (before && sameTuples(before, found.inputs.on.table)) ? next : { ...next, ...startOf(found) };
}

function inputsOf(core: DependenceCore, epsilon: number): Inputs {
  const on = preparedFor(core);
  checkNoise(on.changes, epsilon);
  return { on, epsilon, mechanism: comparedKey(core.mechanism, core.coefficient), knowing: core.knowing, known: core.knowing === "chosen" ? core.known : [] };
}

/** What stands is kept while only the promise moves. */
function preparedFor(core: DependenceCore): Prepared {
  const query = queryOf(core);
  const last = core.solved?.inputs.on;
  return last && last.table === core.table && last.query === query && last.probabilities === core.value ? last : prepared(core.table, query, core.value);
}

/** The tuple that leaks most, and the one that it is joined to most closely. */
function startOf(found: Solved): { tuple: number; other: number | null } {
  const leaks = found.leaks.map(({ value }) => value);
  // Of tuples that leak alike but for rounding the first counts.
  const tuple = leaks.findIndex((leak) => leak >= Math.max(...leaks) * (1 - 1e-9));
  return { tuple, other: closest(found, tuple) };
}

function closest({ inputs: { on }, scale }: Solved, tuple: number): number | null {
  const { n } = on.law;
  if (n === 1) return null;
  const block = on.blocks.find((one) => one.includes(tuple)) as readonly number[];
  const pairs = pairsOf(on.law, on.table.sizes, on.query.reach, tuple);
  const row = coefficientsAt(pairs, on.changes, scale, "mean").subarray(tuple * n, (tuple + 1) * n);
  // Of coefficients that are equal but for rounding the first counts.
  const ties = Array.from(row, (value, j) => (j === tuple ? -1 : roundHalfEven(value * 1e9) / 1e9 + (block.includes(j) ? 10 : 0)));
  return ties.indexOf(Math.max(...ties));
}

function pairOf(core: DependenceCore, request: Partial<DependenceRequest>): { tuple: number; other: number | null } {
  const n = core.table.sizes.length;
  const inside = (asked: number | null | undefined): asked is number => typeof asked === "number" && asked >= 0 && asked < n;
  const tuple = inside(request.tuple) ? request.tuple : core.tuple;
  const asked = request.other === undefined ? core.other : request.other;
  if (inside(asked) && asked !== tuple) return { tuple, other: asked };
  if (core.other !== tuple) return { tuple, other: core.other };
  // Of published results alone nothing tells which tuple is nearest: the next one.
  return { tuple, other: core.solved === null ? (tuple + 1) % n : closest(core.solved, tuple) };
}

// The answers of Python to a page of dependent tuples, computed in the page.

/** Rows of a table that can be edited. */
const EDITABLE = 512;
const EDITED = "Edited from ";

/** What a view does not say; see `dependence_embedded` in Python. */
export interface EmbeddedDependence {
  table: EmbeddedTable;
  /** The inputs of the results that stand; null where they belong to another table. */
  sound: { probabilities: Bytes; query: string; epsilon: number; mechanism: Compared; knowing: Knowing; known: number[] } | null;
  examples: Record<string, EmbeddedWhole>;
  own: { table: EmbeddedWhole; entries: Bytes; query: string } | null;
}

/** Whether there is something to compute from. */
export function isEmbedded(embedded: Record<string, unknown>): boolean {
  return embedded["table"] !== undefined;
}

/** The explorer as it stands in a view. */
export function coreOf(view: DependenceView, embedded: Record<string, unknown>): DependenceCore {
  const { table: rest, sound, examples, own } = embedded as unknown as EmbeddedDependence;
  const made = new Map(Object.entries(examples).map(([key, whole]) => [key, tableOf(whole)]));
  const table = { ...shownTable(view.model, rest), note: made.get(view.example)?.note ?? "" };
  if (view.example !== "") made.set(view.example, table);
  const core: DependenceCore = {
    table,
    entries: floats(view.model.probabilities),
    value: sound ? floats(sound.probabilities) : table.given,
    examples: made,
    example: view.example,
    own: own && { table: tableOf(own.table), entries: floats(own.entries), query: own.query },
    query: view.query,
    epsilon: wiredNumber(view.epsilon),
    mechanism: view.mechanism,
    coefficient: view.coefficient,
    knowing: view.knowing,
    known: view.known,
    alpha: wiredNumber(view.alpha),
    measure: view.measure ?? "leakage",
    measure_epsilon: view.measure_epsilon ?? null,
    measured: view.results?.measured,
    paper: view.paper,
    tuple: view.tuple,
    other: view.other,
    solved: null,
    published: view.results === null ? null : table,
    fault: view.fault,
  };
  return sound ? { ...core, solved: stood(core, sound) } : computed(core);
}

/** The results that stand, computed again: they stay where what is asked next makes no sense. */
function stood(core: DependenceCore, { epsilon, mechanism, knowing, known, query }: NonNullable<EmbeddedDependence["sound"]>): Solved | null {
  const asked = core.table.queries.find(({ key }) => key === query) ?? queryOf(core);
  try {
    return solved({ on: prepared(core.table, asked, core.value), epsilon, mechanism, knowing, known });
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    return null;
  }
}

/** The explorer after what the hand set, and its view. */
export function dependenceAnswer(
  view: DependenceView,
  core: DependenceCore,
  request: Partial<DependenceRequest>,
): { core: DependenceCore; view: DependenceView } {
  const next = askedCore(core, request);
  return { core: next, view: dependenceView(view, next) };
}

/** The explorer with all that was awaited, and its view. */
export function computedView(view: DependenceView, core: DependenceCore): { core: DependenceCore; view: DependenceView } {
  const next = computed(core);
  return { core: next, view: dependenceView(view, next) };
}

/** Why nothing can be computed about a table: every query of it has too many outputs. */
export function whyNotInPage({ table, value, solved: found }: DependenceCore): string | null {
  const fits = (query: DependentQuery): boolean => {
    try {
      prepared(table, query, value);
      return true;
    } catch (error) {
      if (!(error instanceof InputFault)) throw error;
      return false;
    }
  };
  return found !== null || table.queries.some(fits) ? null : "Its outputs are too many to compute with in this page: they need a kernel.";
}

/** The view of an explorer; what never changes in a page is taken from another view of it. */
export function dependenceView(view: DependenceView, core: DependenceCore): DependenceView {
  const { table, value } = core;
  const shown = isShown(core);
  const edited = !sameNumbers(value, table.given);
  const query = queryOf(core);
  return {
    ...view,
    title: edited ? editedTitle(table.title) : table.title,
    noun: table.noun,
    subject: query.subject,
    model: {
      tuples: [...table.tuples],
      support: new DataView(table.codes.slice().buffer),
      probabilities: toBytes(core.entries),
      loaded: toBytes(table.given),
      editable: table.rows <= EDITABLE,
      blocks: blocksIn(view, core, shown),
      note: core.solved === null ? view.model.note : noteOf(core, edited),
    },
    example: core.example,
    query: core.query,
    queries: table.queries.filter((one) => one.listed || isGiven(one, core.query)).map(({ key, label }) => ({ key, label })),
    mechanism: core.mechanism,
    coefficient: core.coefficient,
    epsilon: Number.isFinite(core.epsilon) ? core.epsilon : String(core.epsilon),
    knowing: core.knowing,
    known: [...core.known],
    tuple: shown ? core.tuple : 0,
    other: shown ? core.other : table.sizes.length === 1 ? null : 1,
    alpha: core.alpha,
    measure: core.measure,
    measure_epsilon: core.measure_epsilon,
    paper: core.paper,
    fault: core.fault,
    running: null,
    stopped: null,
    current: core.fault === null,
    results: !shown ? null : core.solved === null ? view.results : resultsState(core.solved, core.tuple, core.measured),
  };
}

/** A query that was given in Python stands in the menu while it is picked. */
function isGiven({ key }: DependentQuery, picked: string): boolean {
  return key === "given" && picked === "given";
}

function sameNumbers(a: Float64Array, b: Float64Array): boolean {
  return a === b || (a.length === b.length && a.every((x, k) => x === b[k]));
}

function editedTitle(title: string): string {
  return title === "" || title.startsWith(EDITED) ? title : EDITED + title;
}

/** The block of every tuple, as far as it is known. */
function blocksIn(view: DependenceView, { table, solved: found }: DependenceCore, shown: boolean): number[] {
  if (!shown) return table.sizes.map(() => 0);
  if (found === null) return view.model.blocks;
  const { on } = found.inputs;
  return Array.from({ length: on.law.n }, (_, j) => on.blocks.findIndex((block) => block.includes(j)));
}

function noteOf(core: DependenceCore, edited: boolean): string {
  const { table, solved: found } = core;
  if (core.example !== "" && isShown(core) && !edited) return table.note;
  const blocks = found?.inputs.on.blocks.length ?? 0;
  if (blocks === 1) return table.sizes.length > 1 ? "One block: no part of the tuples is independent of the rest." : "";
  return `${blocks} blocks, independent of each other by this table.`;
}
