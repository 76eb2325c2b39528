/** What a page asks for beside its model, part by part: the cells, the query, the row, the adversary, the scale. */
import type { PriorRequest } from "../prior/protocol";
import { plural } from "../explorer/words";
import type { QueryState, TableState } from "../ui/protocol";
import { flags, floats, toBytes } from "../ui/wire";
import { amountFault, general, InputFault } from "./faults";
import { type Embedded, type Query, queryOf } from "./linear-query";
import { largest, sensitivity } from "./releases";
import { cellAt, indexOf, tableFault, type Table } from "./table";

/** The last inputs that made sense. */
export interface Standing {
  /** Cells that were a table, and the records behind them. */
  entries: Float64Array;
  records: number | null;
  loadedRecords: number | null;
  query: Query;
  /** Why the query in the controls is none. */
  queryFault: InputFault | null;
}

export function shapeOf(table: TableState | null): number[] {
  return table === null ? [] : table.spec.labels.map((labels) => labels.length);
}

// The table

export interface Edited {
  table: TableState;
  entries: Float64Array;
  records: number | null;
}

export function editedTable(table: TableState, before: Standing, request: Partial<PriorRequest>): Edited {
  const size = before.entries.length;
  const sent = request.entries === undefined ? null : floats(request.entries);
  const locks = request.locks === undefined ? null : flags(request.locks);
  for (const { length } of [sent, locks].filter((part) => part !== null)) {
    if (length !== size) throw new InputFault(`The table has ${size} cells and ${length} numbers came; reload the page.`, { kind: "table" });
  }
  const rows = request.rows ?? table.rows;
  const columns = request.columns ?? table.columns;
  const pivoted = [...rows, ...columns].sort((a, b) => a - b).join() === table.spec.names.map((_, j) => j).join();
  const made: Edited = {
    table: {
      ...table,
      ...(pivoted ? { rows: [...rows], columns: [...columns] } : {}),
      keep_sum: request.keep_sum ?? table.keep_sum,
      locks: locks ? toBytes(locks) : table.locks,
    },
    entries: before.entries,
    records: before.records,
  };
  if (sent === null || sameNumbers(sent, floats(table.entries))) return made;
  made.table.entries = toBytes(sent);
  if (tableFault(sent, table.spec) !== null) return made;
  // Back at the numbers that were loaded it is that table again, records included.
  if (!sameNumbers(sent, before.entries)) made.records = sameNumbers(sent, floats(table.loaded)) ? before.loadedRecords : null;
  made.entries = sent;
  made.table.spec = { ...table.spec, records: made.records };
  return made;
}

export function sameNumbers(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, k) => value === b[k] || (Number.isNaN(value) && Number.isNaN(b[k])));
}

// The query

export interface Asked {
  state: QueryState;
  query: Query;
  fault: InputFault | null;
}

export function askedQuery(state: QueryState, table: TableState, before: Standing, request: Partial<PriorRequest>, embedded: Embedded): Asked {
  const key = request.query ?? state.key;
  const weights = request.weights ?? state.weights;
  if (weights.length !== table.spec.names.length) {
    throw new InputFault("The browser sent something for 'weights' that is not understood; reload the page.", { kind: "table" });
  }
  const stays = key === state.key && sameNumbers(Float64Array.from(weights), Float64Array.from(state.weights));
  if (stays) return { state, query: before.query, fault: before.queryFault };
  const { query, fault } = queryAsked(state, key, weights, table, embedded);
  // A key that is not offered stands in the menu, as its own label, while it is the one picked.
  const offered = state.choices.filter((choice) => choice.key !== choice.label);
  const choices = offered.some((choice) => choice.key === key) ? offered : [...offered, { key, label: key }];
  const now = { ...state, key, weights: [...weights], choices };
  if (query === null) return { state: now, query: before.query, fault };
  return { state: { ...now, subject: `A noisy ${query.name}`, text: queryText(query, table.spec.names.length, state.noun) }, query, fault };
}

/** The query that is asked for, or why there is none. */
export function queryAsked(
  state: QueryState,
  key: string,
  weights: readonly number[],
  table: TableState,
  embedded: Embedded,
): { query: Query | null; fault: InputFault | null } {
  try {
    return { query: queryOf(key, weights, table.spec, state.choices, embedded), fault: null };
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    return { query: null, fault: error };
  }
}

/** One line on what a query adds up: "Sum of 3 answers". */
function queryText({ name, bins }: Query, n: number, noun: string): string {
  if (bins) return `${bins.length} counts among ${n} ${n === 1 ? noun : plural(noun)}, each with noise of its own`;
  const among = name.startsWith("count") ? "among" : "of";
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)} ${among} ${n} ${n === 1 ? noun : plural(noun)}`;
}

// The other inputs

export function askedRow(row: number[] | undefined, shape: readonly number[]): number[] | null {
  const fits = row?.length === shape.length && row.every((p, j) => p >= 0 && p < (shape[j] as number));
  return row && fits ? [...row] : null;
}

/** Target and known tuples of a request; a target that does not exist is ignored. */
export function askedAdversary(
  now: { target: number; known: number[] },
  request: { target?: number; known?: number[] },
  n: number,
): { target: number; known: number[] } {
  const target = request.target ?? now.target;
  if (!(target >= 0 && target < n)) return { target: now.target, known: now.known };
  const known = new Set((request.known ?? now.known).filter((k) => k >= 0 && k < n && k !== target));
  return { target, known: [...known].sort((a, b) => a - b) };
}

export function scaleFault(scale: number, { contributions }: Query): InputFault | null {
  const fault = amountFault("scale", scale, "scale");
  if (fault !== null) return fault;
  const reach = contributions.reduce((sum, y) => sum + sensitivity(y), 0) / scale;
  if (Number.isFinite(reach)) return null;
  const text = `The scale ${general(scale)} is too small: the query's range over it is not a finite number.`;
  return new InputFault(text, { kind: "parameter", name: "scale" });
}

export function canOccur({ shape, entries }: Table, row: readonly number[]): boolean {
  return (entries[cellAt(shape, row)] as number) > 0;
}

/** The most probable row; among equals the first in table order. */
export function mostProbable({ shape, entries }: Table): number[] {
  return indexOf(shape, entries.indexOf(largest(entries)));
}
