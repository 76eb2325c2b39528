/**
 * Whether a saved state holds what it says: as many numbers as its names and labels ask for, and no more of these than
 * an explorer shows. Somebody may have changed the file, and a widget that trusted it could hold up the page.
 */
import type { PageState } from "./page-model";

/**
 * What explorers take: of a table of records, of a joint distribution, of a matrix, of a chain and its steps, of a
 * city, of dependent tuples and their rows, of records in classes.
 */
const MOST = {
  attributes: 40,
  labels: 1000,
  tuples: 40,
  cells: 2 ** 24,
  matrix: 2000,
  states: 2000,
  steps: 100_000,
  users: 2000,
  friendships: 16_000,
  work: 20_000_000,
  side: 50,
  clusters: 60,
  budgets: 1000,
  dependent: 60,
  rows: 2400,
  bars: 1200,
  columns: 60,
  people: 1e12,
  records: 2000,
  points: 101,
  shares: 41,
  classes: 200,
  replies: 100,
  hints: 20,
  parts: 8,
  network: 300,
} as const;
const [FLOAT, POSITION, WHOLE] = [8, 2, 4];

type Part = Record<string, unknown>;

function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof DataView);
}

function damaged(what: string): Error {
  return new Error(`The saved state is damaged: ${what}. Run the notebook again, and publish it again.`);
}

function part(value: unknown): Part {
  return isPart(value) ? value : {};
}

function list(value: unknown, most: number, what: string): unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw damaged(`it names no ${what}`);
  if (value.length > most) throw damaged(`it has ${value.length} ${what}, and there may be ${most}`);
  return value;
}

/** Bytes that are there have to be as many as they should; what is left out is left out. */
function bytes(value: unknown, length: number, what: string): void {
  if (value === undefined || value === null) return;
  if (!(value instanceof DataView)) throw damaged(`${what} are no numbers`);
  if (value.byteLength !== length) throw damaged(`${what} take ${value.byteLength} bytes, and not ${length}`);
}

function floats(held: Part, names: readonly string[], count: number): void {
  for (const name of names) bytes(held[name], count * FLOAT, name);
}

/** How many steps there are: as many as a script may have. */
function steps(value: unknown, what: string): void {
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > MOST.steps) throw damaged(`${what} is no whole number from 0 to ${MOST.steps}`);
}

function product(lengths: readonly number[]): number {
  return lengths.reduce((size, length) => size * length, 1);
}

/** A table of all attributes; each may have one label more where records of it are missing. */
function joint(value: unknown, sizes: readonly number[], more: 0 | 1, what: string): void {
  if (value === undefined || value === null) return;
  const { shape, cells } = part(value);
  const given = (Array.isArray(shape) ? shape : []) as unknown[];
  const fits = (size: number, place: number): boolean => given[place] === size || given[place] === size + more;
  if (given.length !== sizes.length || !sizes.every(fits)) throw damaged(`${what} has another shape than its attributes`);
  if (!(cells instanceof DataView)) throw damaged(`${what} has no cells`);
  bytes(cells, product(given as number[]) * FLOAT, what);
}

function local(view: Part, embedded: Part): void {
  const attributes = list(view["attributes"], MOST.attributes, "attributes").map(part);
  const sizes = attributes.map(({ labels }) => list(labels, MOST.labels, "labels").length);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  if (all > MOST.labels) throw damaged(`it has ${all} labels, and there may be ${MOST.labels}`);
  attributes.forEach(({ counts }, place) => bytes(counts, (sizes[place] as number) * FLOAT, "counts"));
  bytes(embedded["blocks"], all * all * FLOAT, "blocks");
  joint(embedded["joint"], sizes, 0, "The joint table");
  joint(embedded["gaps"], sizes, 1, "The table with missing values");
  const results = part(view["results"]);
  const n = list(results["names"], attributes.length, "results").length;
  floats(results, ["matrix"], n * n);
  floats(results, ["own", "kept", "other"], n);
  floats(part(results["totals"]), ["exact", "sum", "bound"], n);
}

function table(view: Part, embedded: Part): void {
  if (isPart(view["table"])) {
    const held = view["table"];
    const spec = part(held["spec"]);
    const names = list(spec["names"], MOST.tuples, "tuples");
    const labels = list(spec["labels"], MOST.tuples, "tuples");
    if (labels.length !== names.length) throw damaged("its tuples have no labels");
    const cells = product(labels.map((each) => list(each, MOST.cells, "labels").length));
    // Of a table that is shown in a few numbers the cells are not sent.
    const small = held["summary"] === null || held["summary"] === undefined;
    if (small && cells > MOST.cells) throw damaged(`it has ${cells} cells`);
    if (small) floats(held, ["entries", "loaded"], cells);
    if (small) bytes(held["locks"], cells, "locks");
    if (embedded["cells"] !== undefined) bytes(embedded["cells"], cells * FLOAT, "cells");
  }
  graph(part(view["results"])["graph"]);
}

function graph(value: unknown): void {
  if (!isPart(value)) return;
  const n = list(value["names"], MOST.tuples, "tuples").length;
  floats(value, ["exact"], n * 2 ** (n - 1));
}

function matrix(view: Part): void {
  if (isPart(view["matrix"])) {
    const held = view["matrix"];
    const n = list(held["names"], MOST.matrix, "tuples").length;
    floats(held, ["cov", "loaded_cov", "sound"], n * n);
    floats(held, ["mean", "loaded_mean", "weights"], n);
  }
  graph(part(view["results"])["graph"]);
}

function stream(view: Part, embedded: Part): void {
  const n = list(view["states"], MOST.states, "states").length;
  steps(view["position"], "its position");
  const chain = part(view["chain"]);
  const order = chain["order"] === 2 ? 2 : 1;
  // Of a chain that is only read not all numbers are sent.
  const sent = (name: string): boolean => chain["editable"] === true || (chain[name] as DataView | null)?.byteLength !== 0;
  floats(chain, ["start"].filter(sent), n);
  floats(chain, ["transitions", "loaded"].filter(sent), n ** (order + 1));
  floats(embedded, ["distances"], n * n);
  if (embedded["chains"] === undefined || embedded["chains"] === null) return;
  for (const each of list(embedded["chains"], 100_000, "chains").map(part)) {
    if (!(each["start"] instanceof DataView && each["transitions"] instanceof DataView)) throw damaged("a chain has no numbers");
    floats(each, ["start"], n);
    floats(each, ["transitions"], n ** (order + 1));
    floats(each, ["early"], n * n);
  }
}

/** A whole number from 1 on. */
function whole(value: unknown, most: number, what: string): number {
  if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > most) throw damaged(`${what} is no whole number from 1 to ${most}`);
  return value as number;
}

/** Positions of two bytes each among some things. */
function positions(value: unknown, count: number | null, things: number, what: string): number[] {
  if (!(value instanceof DataView)) throw damaged(`${what} are no numbers`);
  bytes(value, count === null ? value.byteLength - (value.byteLength % (2 * POSITION)) : count * POSITION, what);
  const found = Array.from({ length: value.byteLength / POSITION }, (_, k) => value.getUint16(k * POSITION, true));
  if (found.some((at) => at >= things)) throw damaged(`${what} name what is not there`);
  return found;
}

function attack(view: Part, embedded: Part): void {
  const city = part(view["city"]);
  const cells = whole(city["grid"], MOST.side, "its grid") ** 2;
  const clusters = whole(city["clusters"], MOST.clusters, "its number of clusters");
  const results = part(view["results"]);
  for (const one of Array.isArray(results["attacks"]) ? results["attacks"].map(part) : []) floats(one, ["prior", "posterior"], cells);
  const n = list(city["victims"], MOST.users, "victims").length;
  if (isPart(results["curves"])) {
    const { epsilon, printed, adds, error } = results["curves"];
    const budgets = epsilon instanceof DataView ? Math.min(epsilon.byteLength, MOST.budgets * FLOAT) : 0;
    for (const one of [epsilon, printed, ...[adds, error].flatMap((both) => (Array.isArray(both) ? both : [null]))]) bytes(one, budgets, "curves");
  }
  if (embedded["places"] === undefined) return;
  // Where users are embedded, each of them can be the victim, and all that is computed with is there.
  for (const [name, count] of [["places", 2 * n], ["box", 4], ["centroids", 2 * clusters]] as const) {
    if (!(embedded[name] instanceof DataView)) throw damaged(`${name} are no numbers`);
    floats(embedded, [name], count);
  }
  if (n * cells * clusters > MOST.work) throw damaged(`its ${n} users, ${cells} cells and ${clusters} clusters are too many for a page`);
  const edges = positions(embedded["edges"], null, n, "friendships");
  if (edges.length > 2 * MOST.friendships) throw damaged("it has too many friendships");
  if (edges.some((at, k) => k % 2 === 1 && at <= (edges[k - 1] as number))) throw damaged("friendships name the smaller of two users first");
  positions(embedded["assign"], n, clusters, "clusters");
  if (new Set(positions(embedded["order"], n, n, "the order of known users")).size !== n) throw damaged("the order of known users names one of them twice");
  whole(embedded["largest_component"], n, "the number of connected users");
}

/** Tuples by their rows; the view of a table that is too large for a page has none. Returns how many values each has, and rows. */
function dependentRows(held: Part): { sizes: number[]; rows: number } {
  const tuples = list(held["tuples"], MOST.dependent, "tuples").map(part);
  const sizes = tuples.map(({ labels }) => list(labels, MOST.labels, "labels").length);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  if (all > MOST.labels) throw damaged(`it has ${all} values, and there may be ${MOST.labels}`);
  const { support, probabilities } = held;
  if (!(support instanceof DataView && probabilities instanceof DataView)) throw damaged("its rows are no numbers");
  const rows = Math.floor(probabilities.byteLength / FLOAT);
  if (rows > MOST.rows) throw damaged(`it has ${rows} rows, and there may be ${MOST.rows}`);
  bytes(probabilities, rows * FLOAT, "probabilities");
  bytes(support, rows * sizes.length * WHOLE, "the support");
  for (let k = 0; k < rows * sizes.length; k++) {
    const value = support.getInt32(k * WHOLE, true);
    if (value < 0 || value >= (sizes[k % sizes.length] as number)) throw damaged("a row names a value that is not there");
  }
  return { sizes, rows };
}

/** What is computed with: coordinates of values, and queries. */
function dependentNumbers(held: Part, sizes: readonly number[], rows: number): void {
  const n = sizes.length;
  const points = list(held["points"], n, "points");
  if (points.length !== n) throw damaged("some tuples have no points");
  if (typeof held["noun"] !== "string") throw damaged("a tuple is called nothing");
  const coordinates = points.map((each, j) => {
    if (each === null) return null;
    const width = each instanceof DataView ? each.byteLength / (FLOAT * (sizes[j] as number)) : 0;
    if (!Number.isInteger(width) || width < 1 || width > MOST.rows) throw damaged("points have no coordinates");
    return width;
  });
  for (const query of list(held["queries"], MOST.dependent, "queries").map(part)) {
    const { kind, numbers, sensitivities, width } = query;
    if (typeof query["key"] !== "string" || !["linear", "identity", "table"].includes(String(kind))) throw damaged("a query is none");
    if (kind === "identity" && coordinates.includes(null)) throw damaged("a query adds up text");
    if (kind === "identity") continue;
    const count = kind === "linear" ? sizes.reduce((sum, size) => sum + size, 0) : rows * positive(width);
    if (!(numbers instanceof DataView)) throw damaged("a query has no numbers");
    bytes(numbers, count * FLOAT, "the numbers of a query");
    if (kind === "table" && !(sensitivities instanceof DataView)) throw damaged("a query has no sensitivities");
    bytes(sensitivities, n * FLOAT, "sensitivities");
  }
}

function positive(value: unknown): number {
  return whole(value, MOST.rows, "the width of a query");
}

function dependent(view: Part, embedded: Part): void {
  const model = part(view["model"]);
  const { sizes, rows } = dependentRows(model);
  const n = sizes.length;
  floats(model, ["loaded"], rows);
  const places = (value: unknown, what: string): void => {
    if (!Array.isArray(value) || value.length > n || value.some((at) => !Number.isInteger(at) || at < 0 || at >= n))
      throw damaged(`${what} name what is not there`);
  };
  places(model["blocks"], "blocks");
  places(view["known"], "known tuples");
  places([view["tuple"], ...(view["other"] === null ? [] : [view["other"]])].slice(0, n), "the chosen tuples");
  const results = part(view["results"]);
  floats(results, ["exact", "paper", "mean", "plain"], n);
  floats(part(results["coefficients"]), ["exact", "mean", "eq18"], n * n);
  const { outputs } = part(results["chosen"]);
  if (isPart(outputs)) {
    const { points } = outputs;
    const drawn = points instanceof DataView ? Math.min(points.byteLength / FLOAT, MOST.bars) : 0;
    floats(outputs, ["points"], drawn);
    floats(outputs, ["weights"], drawn * (sizes[view["tuple"] as number] as number));
  }
  if (embedded["table"] === undefined) return;
  dependentNumbers(part(embedded["table"]), sizes, rows);
  if (isPart(embedded["sound"])) {
    if (!(embedded["sound"]["probabilities"] instanceof DataView)) throw damaged("its last results have no probabilities");
    floats(embedded["sound"], ["probabilities"], rows);
    places(embedded["sound"]["known"], "tuples known before");
  }
  const own = part(embedded["own"]);
  const tables = Object.values(part(embedded["examples"])).map(part);
  if (tables.length > MOST.dependent) throw damaged(`it has ${tables.length} examples`);
  for (const each of isPart(own["table"]) ? [...tables, own["table"]] : tables) {
    const found = dependentRows(each);
    dependentNumbers(each, found.sizes, found.rows);
    if (each === own["table"]) bytes(own["entries"], found.rows * FLOAT, "entries");
  }
}

/** A table of records: a number of each in every column, columns that there are, and curves as long as their axis. */
/** How often every value of a column occurs: different values, ascending, and how many records have each. */
function laws(held: unknown, records: number, columns: readonly Part[]): void {
  if (held === undefined || held === null) return;
  const { published: many, columns: each } = part(held);
  const published = whole(many, records, "its number of published records");
  if (!Array.isArray(each) || each.length !== columns.length) throw damaged("its laws are of other columns");
  each.forEach((one: unknown, place) => {
    if (one === null) return;
    const { values, counts } = part(one);
    if (!(values instanceof DataView && counts instanceof DataView)) throw damaged("a law has no numbers");
    const n = Math.floor(values.byteLength / FLOAT);
    floats({ values, counts }, ["values", "counts"], n);
    const labels = columns[place]?.["labels"];
    let [last, sum] = [-Infinity, 0];
    for (let at = 0; at < n; at++) {
      const [value, count] = [values, counts].map((numbers) => numbers.getFloat64(at * FLOAT, true)) as [number, number];
      const code = !Array.isArray(labels) || (Number.isInteger(value) && value >= 0 && value < labels.length);
      if (!(value > last && value < Infinity && code)) throw damaged("values of a law are not in order");
      if (!(Number.isInteger(count) && count > 0)) throw damaged("a law counts what are no records");
      [last, sum] = [value, sum + count];
    }
    if (sum > published) throw damaged("a law counts more records than there are");
  });
}

function anonymity(view: Part, embedded: Part): void {
  const columns = list(view["columns"], MOST.columns, "columns").map(part);
  const { sampled } = view;
  const records = whole(view["records"], MOST.people, "its number of records");
  const sent = Array.isArray(sampled) ? sampled.length : records;
  if (sent > MOST.records) throw damaged(`it has values of ${sent} records, and there may be ${MOST.records}`);
  for (const { values, labels } of columns) {
    if (!(values instanceof DataView)) throw damaged("a column has no values");
    bytes(values, sent * FLOAT, "values");
    if (labels === null || labels === undefined) continue;
    const many = list(labels, MOST.labels, "labels").length;
    for (let k = 0; k < sent; k++) {
      const code = values.getFloat64(k * FLOAT, true);
      if (!Number.isNaN(code) && !(Number.isInteger(code) && code >= 0 && code < many)) throw damaged("a label is none of its column");
    }
  }
  if (sampled !== null && sampled !== undefined && !Array.isArray(sampled))
    throw damaged("the records that it shows are no list");
  if (
    Array.isArray(sampled) &&
    !sampled.every((row, k) => Number.isInteger(row) && row > (sampled[k - 1] ?? -1) && row < records)
  )
    throw damaged("a record that it shows is none of them");
  const there = (place: unknown): boolean =>
    Number.isInteger(place) && (place as number) >= 0 && (place as number) < columns.length;
  if (!list(view["quasi"], columns.length, "quasi-identifiers").every(there))
    throw damaged("a quasi-identifier is no column");
  if (view["secret"] !== null && !there(view["secret"])) throw damaged("the secret is no column");
  if (!list(view["drawn"], 2, "columns of the map").every((place, k) => there(place) || (k === 1 && place === null)))
    throw damaged("the map shows what is no column");
  for (const [name, words] of [
    ["level", ["I", "II", "III", "IV"]],
    ["neighbour", ["value", "presence"]],
    ["events", ["all", "interval", "halfline"]],
  ] as const) {
    if (!words.some((word) => word === view[name])) throw damaged(`its ${name} is none`);
  }
  laws(embedded["laws"], records, columns);
  const results = part(view["results"]);
  if (results["axis"] === undefined) return;
  bytes(results["axis"], MOST.points * FLOAT, "the axis");
  for (const one of Array.isArray(results["curves"]) ? results["curves"].map(part) : []) floats(one, ["delta", "drawn"], MOST.points);
  const { share, delta } = part(results["known"]);
  for (const one of [share, delta]) bytes(one, MOST.shares * FLOAT, "the curve by share");
  if (Array.isArray(results["classes"]) && results["classes"].length > MOST.classes) throw damaged(`it lists more than ${MOST.classes} classes`);
}

/** What a page would draw, and the tables that it would compute with. */
function network(view: Part, embedded: Part): void {
  const nodes = list(view["nodes"], MOST.network, "tuples").map(part);
  const labels = nodes.map((node) => list(node["labels"], MOST.labels, "labels").length);
  const within = (place: unknown, many: number): boolean => Number.isInteger(place) && (place as number) >= 0 && (place as number) < many;
  const there = (place: unknown): boolean => within(place, nodes.length);
  if (nodes.length === 0 || !there(view["target"])) throw damaged("its target is no tuple");
  const all = (value: unknown): unknown[] => (Array.isArray(value) && value.length <= nodes.length ** 2 ? value : [null]);
  for (const edge of all(view["edges"])) if (!list(edge, 2, "ends of an edge").every(there)) throw damaged("an edge joins what is no tuple");
  const { x, y } = part(view["layout"]);
  if (![x, y].every((one) => Array.isArray(one) && one.length === nodes.length && one.every(Number.isFinite))) throw damaged("its tuples have no places");
  const [known, values] = [all(view["known"]), all(view["values"])];
  const labelled = (j: unknown, k: number): boolean => there(j) && within(values[k], labels[j as number]!);
  if (known.length !== values.length || !known.every(labelled)) throw damaged("what is known is no label of a tuple");
  if (list(view["budgets"], nodes.length, "budgets").length !== nodes.length) throw damaged("not every tuple has a budget");
  const { tables, parents, factors, queries } = embedded;
  if (tables !== undefined || parents !== undefined) {
    for (const part of [tables, parents]) if (!Array.isArray(part) || part.length !== nodes.length) throw damaged("not every tuple has a table");
    if (!(parents as unknown[]).every((above) => Array.isArray(above) && above.every(there))) throw damaged("a parent is no tuple");
  }
  if (factors !== undefined && !all(factors).map(part).every(({ scope }) => Array.isArray(scope) && scope.every(there)))
    throw damaged("a table is about what is no tuple");
  const row = (one: unknown, j: number): boolean => Array.isArray(one) && one.length === labels[j] && one.every(Number.isFinite);
  const fits = (one: unknown): boolean => Array.isArray(one) && one.length === nodes.length && one.every(row);
  if (!fits(view["contributions"]) || !Object.values(part(queries ?? {})).every(fits)) throw damaged("a query does not fit its tuples");
}

/** A question costs a page time for each reply, and for each part twice as much. */
function question(view: Part): void {
  const asked = part(view["question"]);
  const most = { replies: MOST.replies, options: MOST.replies, hints: MOST.hints, parts: MOST.parts };
  for (const [name, limit] of Object.entries(most)) {
    const held = asked[name];
    if (!Array.isArray(held) || held.length > limit) throw damaged(`its question has more than ${limit} ${name}, or none`);
  }
  const cells = (asked["replies"] as unknown[]).map((reply) => Object.keys(part(part(reply)["cells"])).length);
  if (cells.some((many) => many > MOST.parts)) throw damaged("a reply is about more than there may be");
}

const CHECKS: Record<string, (view: Part, embedded: Part) => void> = {
  local_explorer: local,
  prior_explorer: table,
  joint_table: table,
  gaussian_explorer: matrix,
  covariance_editor: matrix,
  whg_graph: (view) => graph(view["graph"]),
  stream_simulator: stream,
  attack_explorer: attack,
  anonymity_explorer: anonymity,
  dependence_explorer: dependent,
  network_explorer: network,
  question,
};

/** Throws what is wrong with the sizes of a state. */
export function checkLimits({ module, traits, embedded }: PageState): void {
  if (Object.hasOwn(CHECKS, module)) CHECKS[module]?.(part(traits["_view"]), part(embedded));
}
