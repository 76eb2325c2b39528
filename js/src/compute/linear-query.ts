/**
 * Linear queries: what every label of every tuple contributes, and how far the rows of a table are from the releases
 * that matter.
 */
import { WEIGHTS, type QueryChoice, type TableSpec } from "../ui/protocol";
import { own } from "../ui/wire";
import { InputFault, notFinite, short } from "./faults";
import { largest, needsLogarithms, queryValues, releasesOf, weighted, type Release } from "./releases";

// Centres of the noise: how far every row of a table is from every release that may attain a supremum. For one number
// these releases are the values of the query; for several, with independent noise, all combinations of a value of
// each, because a log ratio is monotone between neighbouring values in each number alone.

export interface Centres {
  /** How many candidate releases there are. */
  count: number;
  /** Whether products of probabilities and noise densities could underflow. */
  logarithms: boolean;
  /** P(x) exp(-distance) for every cell x and the releases from `start` on, side by side; logarithms of logarithms. */
  weighted(base: Float64Array, start: number, width: number): Float64Array;
  /** Distance of one release from one cell, in scales of the noise. */
  distance(release: number, cell: number): number;
}

export function centresOf(release: Release): Centres {
  return release.bins ? centresOfBins(release, release.bins) : centresOfNumber(release);
}

function centresOfNumber(release: Release): Centres {
  const f = queryValues(release.contributions);
  const places = releasesOf(release, f);
  const logarithms = needsLogarithms(release);
  return {
    count: places.length,
    logarithms,
    weighted: (base, start, width) => weighted(base, f, places.subarray(start, start + width), release.scale, logarithms),
    distance: (k, cell) => Math.abs((places[k] as number) - (f[cell] as number)) / release.scale,
  };
}

function centresOfBins(release: Release, bins: readonly (readonly Float64Array[])[]): Centres {
  const { scale } = release;
  const values = bins.map(queryValues);
  const places = bins.map((contributions, b) => releasesOf({ ...release, contributions }, values[b] as Float64Array));
  const count = places.reduce((all, { length }) => all * length, 1);
  const logarithms = needsLogarithms(release);
  /** The value of each number at a release; the last number changes first. */
  const at = (k: number): number[] => {
    const found: number[] = [];
    for (let b = bins.length - 1; b >= 0; b--) {
      const own = places[b] as Float64Array;
      found[b] = own[k % own.length] as number;
      k = Math.floor(k / own.length);
    }
    return found;
  };
  const apart = (r: readonly number[], cell: number): number => {
    let sum = 0;
    for (let b = 0; b < r.length; b++) sum += Math.abs((r[b] as number) - (values[b]?.[cell] as number));
    return sum / scale;
  };
  let last: { k: number; r: number[] } = { k: -1, r: [] };
  return {
    count,
    logarithms,
    weighted(base, start, width) {
      const block = Array.from({ length: Math.min(width, count - start) }, (_, k) => at(start + k));
      const made = new Float64Array(base.length * block.length);
      base.forEach((p, cell) => {
        const never = p === (logarithms ? -Infinity : 0);
        block.forEach((r, k) => {
          const distance = never ? 0 : apart(r, cell);
          made[cell * block.length + k] = never ? p : logarithms ? p - distance : p * Math.exp(-distance);
        });
      });
      return made;
    },
    distance(k, cell) {
      // One release is compared with many cells in a row.
      if (k !== last.k) last = { k, r: at(k) };
      return apart(last.r, cell);
    },
  };
}

/** How many candidate releases there are, of which nothing is computed: with many numbers they are very many. */
export function countReleases(release: Release): number {
  const numbers = release.bins ?? [release.contributions];
  return numbers.reduce((all, contributions) => all * releasesOf({ ...release, contributions }, queryValues(contributions)).length, 1);
}

/** For each tuple, the largest sum of changes of all numbers when it alone changes. */
export function jointSensitivities(bins: readonly (readonly Float64Array[])[]): number[] {
  const labels = (bins[0] ?? []).map((y) => y.length);
  return labels.map((count, j) => {
    const changes: number[] = [];
    for (let v = 0; v < count; v++) {
      for (let w = 0; w <= v; w++) {
        changes.push(bins.reduce((sum, y) => sum + Math.abs((y[j]?.[v] as number) - (y[j]?.[w] as number)), 0));
      }
    }
    return largest(changes);
  });
}

/** One number that moves as far with each tuple as several together: what is promised of it, and bounds it, holds of them. */
function standIn(bins: readonly (readonly Float64Array[])[]): Float64Array[] {
  return jointSensitivities(bins).map((reach, j) => Float64Array.from(bins[0]?.[j] as Float64Array, (_, v) => (v === 0 ? 0 : reach)));
}

// Linear queries: what every label of every tuple contributes to the published number. A view says by which key a query
// is picked, and shows labels as text; what text alone does not tell, a page embeds.

export interface Query {
  /** Short text: "sum", "count of label 1". */
  name: string;
  contributions: Float64Array[];
  /** Several numbers that are released together; `contributions` then stand in for them, see `Release`. */
  bins?: Bin[];
}

export interface Bin {
  name: string;
  contributions: Float64Array[];
}

interface Sent {
  name: string;
  contributions: readonly (readonly number[])[];
}

/** Queries of a page by key; without them contributions are read from the labels. A histogram has one for each bin. */
export type Embedded = Readonly<Record<string, Sent | { name: string; bins: readonly Sent[] }>>;

const COUNT = "count:";
/** All bins together. */
const HISTOGRAM = "histogram";
/** Sums beyond are no longer finite numbers with room. */
const TOO_LARGE = 2 ** 1022;

/** The query that a key stands for. Throws an InputFault when there is no such query of the table. */
export function queryOf(key: string, weights: readonly number[], spec: TableSpec, choices: readonly QueryChoice[], embedded: Embedded = {}): Query {
  const given = own(embedded, key);
  if (given && key !== WEIGHTS) return readQuery(given);
  const added = choices.some((choice) => choice.key === "sum");
  if (key === "sum" && added) return { name: "sum", contributions: numbersOf(spec, embedded) };
  if (key === "mean" && added) {
    const n = spec.names.length;
    return { name: "mean", contributions: numbersOf(spec, embedded).map((y) => y.map((value) => value / n)) };
  }
  if (key === WEIGHTS && added) return { name: "weighted sum", contributions: weightedSum(weights, spec, embedded) };
  if (key === HISTOGRAM) throw new InputFault("A whole histogram needs a kernel; a page computes one released number.", { kind: "parameter", name: "query" });
  const counted = key.startsWith(COUNT) ? countOf(key.slice(COUNT.length), spec, choices) : null;
  if (counted === null) throw unknownQuery(key, choices);
  const label = choices.find((choice) => choice.key === key)?.label ?? key;
  return { name: label.slice(0, 1).toLowerCase() + label.slice(1), contributions: counted };
}

function readQuery(sent: Embedded[string]): Query {
  if (!("bins" in sent)) return { name: sent.name, contributions: sent.contributions.map((y) => Float64Array.from(y)) };
  const bins = sent.bins.map(readQuery);
  return { name: sent.name, bins, contributions: standIn(bins.map(({ contributions }) => contributions)) };
}

/** Keys of the menu that are no names of queries. */
const BESIDE: ReadonlySet<string> = new Set([WEIGHTS, "histogram", "given"]);

function unknownQuery(key: string, choices: readonly QueryChoice[]): InputFault {
  const offered = choices.map((choice) => choice.key).filter((name) => !BESIDE.has(name));
  if (offered.length === 0) offered.push(`${COUNT}{label}`);
  return new InputFault(
    `The query is ${short(`'${key}'`)}; give '${offered[0]}', a list of weights or a LinearQuery. ` +
      `Queries of this table by name: ${offered.join(", ")}.`,
    { kind: "parameter", name: "query" },
  );
}

/** The number behind each label, by tuple. */
function numbersOf(spec: TableSpec, embedded: Embedded): Float64Array[] {
  const sum = embedded.sum;
  if (sum && "contributions" in sum) return sum.contributions.map((y) => Float64Array.from(y));
  return spec.labels.map((labels, axis) =>
    Float64Array.from(labels, (label) => {
      const value = asNumber(label);
      if (!Number.isNaN(value)) return value;
      throw new InputFault(
        `The label ${short(label)} of ${short(spec.names[axis] as string)} is not shown in full; this query needs a kernel.`,
        { kind: "axis", axis },
      );
    }),
  );
}

/** What the text of a label that is no text stands for; NaN for other text. */
function asNumber(label: string): number {
  if (label === "True" || label === "False") return label === "True" ? 1 : 0;
  if (label === "inf" || label === "-inf") return label === "inf" ? Infinity : -Infinity;
  return label.trim() === "" ? NaN : Number(label);
}

function weightedSum(weights: readonly number[], spec: TableSpec, embedded: Embedded): Float64Array[] {
  const bad = weights.findIndex((weight) => !Number.isFinite(weight));
  if (bad >= 0) {
    throw new InputFault(`The weight of ${short(spec.names[bad] as string)} is ${notFinite(weights[bad] as number)}; it must be finite.`, {
      kind: "axis",
      axis: bad,
    });
  }
  const made = numbersOf(spec, embedded).map((y, j) => y.map((value) => (weights[j] as number) * value));
  made.forEach((y, axis) => {
    const position = y.findIndex((value) => !Number.isFinite(value));
    if (position < 0) return;
    throw new InputFault(
      `The contribution of label ${position} of tuple ${axis} is ${notFinite(y[position] as number)}; it must be a finite number.`,
      { kind: "axis", axis },
    );
  });
  const reach = made.reduce((sum, y) => sum + largest(y.map(Math.abs)), 0);
  if (!(reach < TOO_LARGE)) {
    throw new InputFault("The contributions are too large to be added; scale them down.", { kind: "parameter", name: "contributions" });
  }
  return made;
}

/**
 * 1 for the labels that a key names, 0 for others; null when there is none. Text that could be taken for a number
 * stands in quotes in a key, so that "0" and 0 differ; numbers count where they are equal, 1 as well as 1.0.
 */
function countOf(named: string, spec: TableSpec, choices: readonly QueryChoice[]): Float64Array[] | null {
  const text = unquoted(named);
  const value = text === null ? asNumber(named) : NaN;
  const quoted = new Set(choices.map((choice) => unquoted(choice.key.slice(COUNT.length))));
  const counts = (label: string): boolean => {
    if (text !== null) return label === text;
    return Number.isNaN(value) ? label === named : asNumber(label) === value && !quoted.has(label);
  };
  if (!spec.labels.some((labels) => labels.some(counts))) return null;
  return spec.labels.map((labels) => Float64Array.from(labels, (label) => (counts(label) ? 1 : 0)));
}

/** Text that stands in quotes, or null. */
function unquoted(named: string): string | null {
  const found = /^(['"])(.*)\1$/s.exec(named);
  return found && (found[2] as string).replace(/\\(['"\\])/g, "$1");
}
