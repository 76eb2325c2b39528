/**
 * Linear queries: what every label of every tuple contributes to the published number. A view says by which key a query
 * is picked, and shows labels as text; what text alone does not tell, a page embeds.
 */
import type { QueryChoice, TableSpec } from "../ui/protocol";
import { WEIGHTS } from "../ui/protocol";
import { own } from "../ui/own";
import { standIn } from "./centres";
import { InputFault, notFinite, short } from "./faults";
import { largest } from "./releases";

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
  if (key === WEIGHTS && added) return { name: "weighted sum", contributions: weighted(weights, spec, embedded) };
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

function weighted(weights: readonly number[], spec: TableSpec, embedded: Embedded): Float64Array[] {
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
