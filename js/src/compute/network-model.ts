/**
 * Networks of tuples in a page: tables whose product is the joint distribution up to a factor, and variable elimination
 * with polynomials in place of numbers where a sum is followed; see `models/networks` in Python.
 */
import { general, InputFault, short } from "./faults";
import { logAdd } from "./releases";

export type Label = string | number;

/** A network as it travels: of each tuple one row for each combination of its parents' labels, the last one fastest. */
export interface GivenNode {
  name: string;
  labels: readonly Label[];
  /** Names, in the order in which the rows count them. */
  parents?: readonly string[];
  table?: readonly (readonly number[])[];
}

/** A Markov network has tables of its own, the labels of the last tuple of a scope fastest. */
export interface GivenNetwork {
  nodes: readonly GivenNode[];
  factors?: readonly { scope: readonly string[]; table: readonly number[] }[];
}

/** A table over the labels of tuples in ascending order, the last one fastest. */
export interface Factor {
  scope: readonly number[];
  table: Float64Array;
}

export interface Network {
  names: readonly string[];
  labels: readonly (readonly Label[])[];
  sizes: readonly number[];
  factors: readonly Factor[];
  /** Positions of the parents of every tuple; null for a Markov network. */
  parents: readonly (readonly number[])[] | null;
  /** Neighbours of every tuple, ascending. */
  graph: readonly (readonly number[])[];
  components: readonly (readonly number[])[];
  /** No table has more than two tuples, and the graph no circle. */
  isTree: boolean;
  /** The graph is a line through all tuples in their order. */
  isPath: boolean;
  /** Whether no table has a zero. */
  positive: boolean;
  /** Of every tuple, which labels can occur: decided by the zeros of the tables alone. */
  possible: readonly (readonly boolean[])[];
}

/** Labels by position of the tuple. */
export type Known = ReadonlyMap<number, number>;

/** A row may miss 1 by so much. */
const ROUNDING = 1e-8;
/** Numbers of one message; a page has less room than a kernel. */
export const MOST_NUMBERS = 1 << 23;
const LEAST_SHARE = 1e-50;

export const times = (sizes: Iterable<number>): number => [...sizes].reduce((all, size) => all * size, 1);

function distinct(listed: readonly unknown[], what: string): void {
  const twice = listed.find((one, k) => listed.indexOf(one) !== k);
  if (twice !== undefined) throw new InputFault(`${what} ${short(String(twice))} is there twice; each is there once.`, { kind: "table" });
}

/** Reads a network that was given, or throws what is wrong with it. */
export function networkOf({ nodes, factors }: GivenNetwork): Network {
  if (nodes.length === 0) throw new InputFault("The network has no tuple; give at least one.", { kind: "table" });
  const names = nodes.map(({ name }) => name);
  distinct(names, "The tuple");
  const sizes = nodes.map(({ name, labels }) => {
    if (labels.length === 0) throw new InputFault(`${short(name)} has no label; give at least one.`, { kind: "table" });
    distinct(labels, `The label of ${short(name)}`);
    return labels.length;
  });
  const place = (name: string): number => {
    const at = names.indexOf(name);
    if (at < 0) throw new InputFault(`There is no tuple named ${short(name)}; the tuples are ${names.slice(0, 12).map(short).join(", ")}.`, { kind: "table" });
    return at;
  };
  const parents = factors ? null : nodes.map(({ parents: above = [] }) => above.map(place));
  if (parents) refuseCircle(parents, names);
  const tables = parents
    ? nodes.map((node, j) => ascending([...(parents[j] as number[]), j], lawsOf(node, parents[j] as number[], sizes), sizes))
    : (factors ?? []).map(({ scope, table }) => markovTable(scope.map(place), table, sizes, names));
  const covered = new Set(tables.flatMap(({ scope }) => scope));
  names.forEach((_, j) => covered.has(j) || tables.push({ scope: [j], table: new Float64Array(sizes[j] as number).fill(1) }));
  return withGraph(names, nodes.map(({ labels }) => labels), sizes, tables, parents);
}

function refuseCircle(parents: readonly (readonly number[])[], names: readonly string[]): void {
  const done = new Set<number>();
  for (let more = true; more; ) {
    more = false;
    parents.forEach((above, j) => {
      if (done.has(j) || !above.every((p) => done.has(p))) return;
      done.add(j);
      more = true;
    });
  }
  const left = names.filter((_, j) => !done.has(j));
  if (left.length) throw new InputFault(`The parents run in a circle: ${left.slice(0, 12).map(short).join(", ")}.`, { kind: "table" });
}

function entries(table: readonly number[], name: string): Float64Array {
  const wrong = table.find((p) => !(Number.isFinite(p) && p >= 0));
  if (wrong !== undefined) throw new InputFault(`The table of ${short(name)} has the entry ${wrong}; entries are finite and 0 or more.`, { kind: "table" });
  return Float64Array.from(table);
}

function lawsOf({ name, table = [], labels }: GivenNode, parents: readonly number[], sizes: readonly number[]): Float64Array {
  const rows = times(parents.map((p) => sizes[p] as number));
  if (table.length !== rows || table.some((row) => row.length !== labels.length)) {
    throw new InputFault(`The table of ${short(name)} has ${rows} rows of ${labels.length} entries, one for each of its labels.`, { kind: "table" });
  }
  const found = entries(table.flat(), name);
  for (let at = 0; at < found.length; at += labels.length) {
    const row = found.subarray(at, at + labels.length);
    const sum = row.reduce((all, p) => all + p, 0);
    if (!(Math.abs(sum - 1) <= ROUNDING)) {
      throw new InputFault(`Row ${at / labels.length + 1} of the table of ${short(name)} sums to ${general(sum, 6)}; rows sum to 1.`, { kind: "table" });
    }
    row.forEach((p, k) => (row[k] = p / sum));
  }
  return found;
}

function markovTable(scope: readonly number[], table: readonly number[], sizes: readonly number[], names: readonly string[]): Factor {
  distinct(scope, "In a scope the tuple number");
  const name = scope.map((j) => names[j]).join(", ");
  const cells = times(scope.map((j) => sizes[j] as number));
  if (table.length !== cells) throw new InputFault(`The table of ${short(name)} has ${table.length} entries, but its tuples ${cells}.`, { kind: "table" });
  return ascending(scope, entries(table, name), sizes);
}

/** A table with its axes in ascending order of the tuples. */
function ascending(scope: readonly number[], table: Float64Array, sizes: readonly number[]): Factor {
  const sorted = [...scope].sort((a, b) => a - b);
  const places = placesIn(sorted, scope, sizes);
  return { scope: sorted, table: Float64Array.from(places, (at) => table[at] as number) };
}

function withGraph(
  names: readonly string[],
  labels: Network["labels"],
  sizes: readonly number[],
  factors: readonly Factor[],
  parents: Network["parents"],
): Network {
  const near = names.map(() => new Set<number>());
  for (const { scope } of factors) for (const j of scope) for (const k of scope) if (j !== k) near[j]?.add(k);
  const graph = near.map((around) => [...around].sort((a, b) => a - b));
  const components: number[][] = [];
  names.forEach((_, j) => components.some((one) => one.includes(j)) || components.push([...componentOf(graph, j)].sort((a, b) => a - b)));
  const edges = graph.reduce((sum, around) => sum + around.length, 0) / 2;
  const positive = factors.every(({ table }) => table.every((p) => p > 0));
  const isTree = factors.every(({ scope }) => scope.length < 3) && edges === names.length - components.length;
  const isPath = graph.every((around, j) => String(around) === String([j - 1, j + 1].filter((k) => k >= 0 && k < names.length)));
  const all = sizes.map((d) => new Array<boolean>(d).fill(true));
  const network = { names, labels, sizes, factors, parents, graph, components, isTree, isPath, positive, possible: all };
  if (positive) return network;
  if (!canOccur(network, new Map())) throw new InputFault("No row can occur: the product of the tables is 0 everywhere.", { kind: "table" });
  const possible = names.map((_, j) => possibleTable(network, [j], new Map()));
  return { ...network, possible };
}

/** The tuples that are joined to one by tuples that are not left out. */
export function componentOf(graph: Network["graph"], start: number, without: ReadonlySet<number> = new Set()): Set<number> {
  const found = new Set([start]);
  for (const j of found) for (const k of graph[j] as readonly number[]) if (!without.has(k)) found.add(k);
  return found;
}

/** Tuples outside a set that are neighbours of it, ascending. */
export function besides(graph: Network["graph"], inside: ReadonlySet<number>): number[] {
  const found = new Set([...inside].flatMap((j) => graph[j] as readonly number[]).filter((k) => !inside.has(k)));
  return [...found].sort((a, b) => a - b);
}

const tables = new WeakMap<Network, Map<string, Float64Array>>();

/** The product of the tables of just these tuples, ascending. */
export function tableOf(network: Network, scope: readonly number[]): Float64Array {
  let had = tables.get(network);
  if (!had) {
    had = new Map();
    for (const factor of network.factors) {
      const [key, before] = [String(factor.scope), had.get(String(factor.scope))];
      had.set(key, before ? before.map((p, k) => p * (factor.table[k] as number)) : factor.table);
    }
    tables.set(network, had);
  }
  return had.get(String(scope)) ?? new Float64Array(times(scope.map((j) => network.sizes[j] as number))).fill(1);
}

// Elimination. A message is an array over the labels of its scope and, last, over coefficients: that of z^k belongs to
// the partial sum k. Only sums of products of non-negative numbers are made, each divided by its largest entry. Where
// doubles lose digits all is done again in logarithms, which show by themselves what cannot occur.

/** Doubles lose what must not be lost; the same in logarithms does not. */
export class Underflow extends Error {}

export function inLogsToo<T>(compute: (logs: boolean) => T): T {
  try {
    return compute(false);
  } catch (error) {
    if (!(error instanceof Underflow)) throw error;
    return compute(true);
  }
}

export interface Message {
  scope: readonly number[];
  /** Number of coefficients. */
  many: number;
  values: Float64Array;
  /** Which combinations of labels the zeros of the tables allow; null where all are, and with logarithms. */
  possible: Uint8Array | null;
}

/** For every combination of labels of `scope`, where that of `inner` stands in an array over `inner`; what it lacks counts as its first. */
function placesIn(scope: readonly number[], inner: readonly number[], sizes: readonly number[], fixed?: Known): Int32Array {
  const strides = new Map<number, number>();
  let width = 1;
  for (let k = inner.length - 1; k >= 0; k--) {
    strides.set(inner[k] as number, width);
    width *= sizes[inner[k] as number] as number;
  }
  let start = 0;
  fixed?.forEach((label, j) => (start += label * (strides.get(j) ?? 0)));
  let found = Int32Array.of(start);
  for (const j of scope) {
    const [d, step] = [sizes[j] as number, strides.get(j) ?? 0];
    const next = new Int32Array(found.length * d);
    found.forEach((at, k) => {
      for (let v = 0; v < d; v++) next[k * d + v] = at + v * step;
    });
    found = next;
  }
  return found;
}

/** Tables at known labels. */
export function messagesOf({ factors, sizes }: Pick<Network, "factors" | "sizes">, known: Known, logs: boolean): Message[] {
  return factors.map(({ scope, table }) => {
    const kept = scope.filter((j) => !known.has(j));
    const values = kept.length === scope.length ? table : Float64Array.from(placesIn(kept, scope, sizes, known), (at) => table[at] as number);
    const possible = logs || values.every((p) => p > 0) ? null : Uint8Array.from(values, (p) => Number(p > 0));
    return { scope: kept, many: 1, values: logs ? values.map(Math.log) : values, possible };
  });
}

/** Adds the product of two polynomials to a third. */
export function convolve(
  into: Float64Array,
  at: number,
  a: Float64Array,
  from: number,
  many: number,
  b: Float64Array,
  start: number,
  few: number,
  logs: boolean,
): void {
  for (let i = 0; i < few; i++) {
    const factor = b[start + i] as number;
    if (logs ? factor === -Infinity : factor === 0) continue;
    if (logs) for (let k = 0; k < many; k++) into[at + i + k] = logAdd(into[at + i + k] as number, (a[from + k] as number) + factor);
    else for (let k = 0; k < many; k++) (into[at + i + k] as number) += (a[from + k] as number) * factor;
  }
}

export const nothing = (length: number, logs: boolean): Float64Array => (logs ? new Float64Array(length).fill(-Infinity) : new Float64Array(length));

/** A message over its largest entry, or Underflow where entries may have lost digits. */
function checked(message: Message, logs: boolean): Message {
  const { values, possible, many } = message;
  let most = logs ? -Infinity : 0;
  for (const value of values) if (value > most) most = value;
  if (logs) {
    if (most > -Infinity) for (let k = 0; k < values.length; k++) (values[k] as number) -= most;
    return message;
  }
  if (possible?.every((one) => !one)) return message;
  if (!(most > 0)) throw new Underflow();
  for (let row = 0; row * many < values.length; row++) {
    let sum = 0;
    for (let k = row * many; k < (row + 1) * many; k++) sum += values[k] = (values[k] as number) / most;
    if (sum < LEAST_SHARE && (possible === null || possible[row])) throw new Underflow();
  }
  return message;
}

export function product(a: Message, b: Message, sizes: readonly number[], logs: boolean): Message {
  const scope = [...new Set([...a.scope, ...b.scope])].sort((x, y) => x - y);
  const [one, other] = [placesIn(scope, a.scope, sizes), placesIn(scope, b.scope, sizes)];
  const many = a.many + b.many - 1;
  const values = nothing(one.length * many, logs);
  const sure = (m: Message, at: number): number => (m.possible === null ? 1 : (m.possible[at] as number));
  const possible = a.possible === null && b.possible === null ? null : Uint8Array.from(one, (at, row) => sure(a, at) & sure(b, other[row] as number));
  one.forEach((at, row) => convolve(values, row * many, a.values, at * a.many, a.many, b.values, (other[row] as number) * b.many, b.many, logs));
  return checked({ scope, many, values, possible }, logs);
}

/** A message times what a tuple of its scope contributes, summed over its labels. */
function summed(message: Message, j: number, powers: Int32Array | null, sizes: readonly number[], logs: boolean): Message {
  const scope = message.scope.filter((k) => k !== j);
  const many = message.many + (powers === null ? 0 : Math.max(...powers));
  const rows = times(scope.map((k) => sizes[k] as number));
  const values = nothing(rows * many, logs);
  const possible = message.possible && new Uint8Array(rows);
  for (let v = 0; v < (sizes[j] as number); v++) {
    const places = placesIn(scope, message.scope, sizes, new Map([[j, v]]));
    places.forEach((from, row) => {
      const at = row * many + (powers?.[v] ?? 0);
      for (let k = 0; k < message.many; k++) {
        const value = message.values[from * message.many + k] as number;
        if (logs) values[at + k] = logAdd(values[at + k] as number, value);
        else (values[at + k] as number) += value;
      }
      if (possible && message.possible?.[from]) possible[row] = 1;
    });
  }
  return checked({ scope, many, values, possible }, logs);
}

interface Order {
  tuples: readonly number[];
  /** Cells of the largest table on the way, and how many tuples it has beside the one that goes. */
  cells: number;
  width: number;
}

/** Orders of the last graph: while numbers are dragged the graph stays. */
let orders = { graph: "", of: new Map<string, Order>() };
const MOST_ORDERS = 5000;
const graphs = new WeakMap<Network["graph"], string>();

/** The order in which tuples are eliminated: least fill, fewest neighbours, first. */
function orderOf({ graph, sizes }: Pick<Network, "graph" | "sizes">, tuples: ReadonlySet<number>, keep: ReadonlySet<number>): Order {
  const named = graphs.get(graph) ?? `${graph.join("|")};${sizes.join()}`;
  graphs.set(graph, named);
  if (orders.graph !== named || orders.of.size > MOST_ORDERS) orders = { graph: named, of: new Map() };
  const key = `${[...tuples].sort((a, b) => a - b).join()};${[...keep].join()}`;
  const had = orders.of.get(key);
  if (had) return had;
  const near = new Map([...tuples].map((j) => [j, new Set((graph[j] as readonly number[]).filter((k) => tuples.has(k)))]));
  const fillOf = (j: number): number => {
    const around = [...(near.get(j) as Set<number>)];
    return around.reduce((sum, k, at) => sum + around.slice(at + 1).filter((other) => !near.get(k)?.has(other)).length, 0);
  };
  const fills = new Map([...tuples].filter((j) => !keep.has(j)).sort((a, b) => a - b).map((j) => [j, fillOf(j)]));
  const order: Order = { tuples: [], cells: times([...keep].map((j) => sizes[j] as number)), width: Math.max(0, keep.size - 1) };
  const found: number[] = [];
  while (fills.size) {
    let best = -1;
    let least: [number, number] = [Infinity, Infinity];
    for (const [j, fill] of fills) {
      const degree = (near.get(j) as Set<number>).size;
      if (fill < least[0] || (fill === least[0] && degree < least[1])) [best, least] = [j, [fill, degree]];
    }
    const around = near.get(best) as Set<number>;
    order.cells = Math.max(order.cells, times([best, ...around].map((k) => sizes[k] as number)));
    order.width = Math.max(order.width, around.size);
    found.push(best);
    near.delete(best);
    fills.delete(best);
    const stale = new Set(around);
    for (const k of around) {
      near.get(k)?.delete(best);
      for (const other of around) {
        if (other === k || near.get(k)?.has(other)) continue;
        near.get(k)?.add(other);
        near.get(k)?.forEach((one) => stale.add(one));
      }
    }
    stale.forEach((k) => fills.has(k) && fills.set(k, fillOf(k)));
  }
  order.tuples = found;
  orders.of.set(key, order);
  return order;
}

/** The product of messages, summed over all tuples that are not kept; over all kept ones, ascending. Known ones are in no scope. */
export function eliminated(
  network: Pick<Network, "graph" | "sizes">,
  messages: readonly Message[],
  kept: readonly number[],
  powers: readonly Int32Array[] | null,
  logs: boolean,
): Message {
  const { sizes } = network;
  const keep = new Set([...kept].sort((a, b) => a - b));
  const tuples = new Set(messages.flatMap(({ scope }) => scope));
  const order = orderOf(network, tuples, keep);
  const steps = powers === null ? 0 : order.tuples.reduce((sum, j) => sum + Math.max(...(powers[j] as Int32Array)), 0);
  if (order.cells * (steps + 1) > MOST_NUMBERS) {
    throw new InputFault(
      `Groups of up to ${order.width + 1} tuples depend on each other directly: tables of ${order.cells.toLocaleString("en")} cells ` +
        `and ${steps + 1} values of the query are too large for a page. Let more tuples be known, or run the notebook.`,
      { kind: "table" },
    );
  }
  const one: Message = { scope: [], many: 1, values: Float64Array.of(logs ? 0 : 1), possible: null };
  const multiplied = (parts: Message[]): Message =>
    parts.sort((a, b) => a.values.length - b.values.length).reduce((all, part) => (all === one ? part : product(all, part, sizes, logs)), one);
  let pool = [...messages];
  for (const j of order.tuples) {
    const whole = multiplied(pool.filter(({ scope }) => scope.includes(j)));
    pool = [...pool.filter(({ scope }) => !scope.includes(j)), summed(whole, j, powers?.[j] ?? null, sizes, logs)];
  }
  const found = multiplied(pool);
  const scope = [...keep];
  if (found.scope.length === scope.length) return found;
  // Where no table has a kept tuple, all its labels are alike.
  const places = placesIn(scope, found.scope, sizes);
  const values = new Float64Array(places.length * found.many);
  places.forEach((at, row) => values.set(found.values.subarray(at * found.many, (at + 1) * found.many), row * found.many));
  return { scope, many: found.many, values, possible: found.possible && Uint8Array.from(places, (at) => (found.possible as Uint8Array)[at] as number) };
}

// What can occur, and posteriors

/** Which combinations of labels of some tuples, ascending, can occur with known labels. */
export function possibleTable(network: Network, tuples: readonly number[], known: Known): boolean[] {
  const cells = times(tuples.map((j) => network.sizes[j] as number));
  if (network.positive) return new Array<boolean>(cells).fill(true);
  return Array.from(eliminated(network, messagesOf(network, known, true), tuples, null, true).values, (value) => value > -Infinity);
}

export const canOccur = (network: Network, known: Known): boolean => possibleTable(network, [], known)[0] as boolean;

/** A row that can occur with known labels. */
export function someRow(network: Network, known: Known): number[] {
  const row = new Map(known);
  return network.sizes.map((_, j) => {
    if (!row.has(j)) row.set(j, network.positive ? 0 : possibleTable(network, [j], row).indexOf(true));
    return row.get(j) as number;
  });
}

/** Refuses known labels that cannot occur together: also where the rest could be answered. */
export function refuseImpossible(network: Network, known: Known): void {
  if (canOccur(network, known)) return;
  const listed = [...known].map(([j, v]) => `${short(network.names[j] as string)} = ${short(String(network.labels[j]?.[v]))}`);
  const text = `The known values ${listed.slice(0, 12).join(", ")}${listed.length > 12 ? ", ..." : ""} have probability 0; give values that can occur.`;
  throw new InputFault(text, { kind: "parameter", name: "known" });
}

/** The joint distribution of some tuples, ascending, given the labels of others. */
export function posterior(network: Network, tuples: readonly number[], known: Known): Float64Array {
  refuseImpossible(network, known);
  const found = inLogsToo((logs) => {
    const { values } = eliminated(network, messagesOf(network, known, logs), tuples, null, logs);
    return logs ? values.map(Math.exp) : values;
  });
  const sum = found.reduce((all, p) => all + p, 0);
  return found.map((p) => p / sum);
}
