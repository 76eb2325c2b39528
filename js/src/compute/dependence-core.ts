/**
 * The explorer of dependent tuples in a page: its inputs, and the results of the last that made sense. Every input has
 * what was asked for and the last value of it that made sense; results are those of the latter.
 */
import type { Coefficient, DependenceRequest, Knowing, MechanismChoice } from "../dependence/protocol";
import type { Fault } from "../ui/protocol";
import { coefficientsAt, pairsOf } from "./dependence-coefficients";
import { checkedProbabilities, checkNoise } from "./dependence-inputs";
import { prepared, type Prepared } from "./dependence-prepared";
import { roundHalfEven, solved, type Inputs, type Solved } from "./dependence-results";
import type { Compared } from "./dependence-scales";
import type { DependentQuery, DependentTable } from "./dependence-table";
import { amount, amountFault, InputFault, wiredNumber } from "./faults";

/** The table of the user while an example stands in its place. */
interface Own {
  table: DependentTable;
  entries: Float64Array;
  query: string;
}

export interface DependenceCore {
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
export function isShown({ table, published, solved: found }: DependenceCore): boolean {
  return found === null ? published === table : sameTuples(found.inputs.on.table, table);
}

function sameTuples(a: DependentTable, b: DependentTable): boolean {
  if (a === b) return true;
  const values = ({ tuples, points }: DependentTable): string => JSON.stringify([tuples, points.map((one) => one && [...one.at])]);
  return values(a) === values(b);
}

export function queryOf({ table, query }: DependenceCore): DependentQuery {
  return (table.queries.find(({ key }) => key === query) ?? table.queries[0]) as DependentQuery;
}

/** What the hand set; what the request does not carry stays. */
export function askedCore(core: DependenceCore, request: Partial<DependenceRequest>): DependenceCore {
  const example = request.example ?? core.example;
  const moves = example !== core.example && (example === "" ? core.own !== null : core.examples.has(example));
  const shown = moves ? withExample(core, example) : core;
  const n = shown.table.sizes.length;
  const alpha = request.alpha === undefined ? NaN : wiredNumber(request.alpha);
  const listed = request.known ?? shown.known;
  const asked = {
    ...shown,
    entries: entriesOf(shown, request),
    query: shown.table.queries.some(({ key, listed: offered }) => offered && key === request.query) ? (request.query as string) : shown.query,
    mechanism: request.mechanism ?? shown.mechanism,
    coefficient: request.coefficient ?? shown.coefficient,
    epsilon: request.epsilon === undefined ? shown.epsilon : wiredNumber(request.epsilon),
    knowing: request.knowing ?? shown.knowing,
    known: [...new Set(listed)].filter((k) => k >= 0 && k < n).sort((a, b) => a - b),
    alpha: amountFault("not_negative", alpha, "alpha") === null ? alpha : shown.alpha,
    paper: request.paper ?? shown.paper,
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
export function computed(core: DependenceCore): DependenceCore {
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
  const next = { ...asked, solved: found, fault: faults[0] ?? null };
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
