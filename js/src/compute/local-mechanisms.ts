/** Local mechanisms by name: what a report promises, what its outputs say about a symbol, and how useful it is. */
import type { Where } from "../ui/protocol";
import { number, own } from "../ui/wire";
import { general, type AmountKind } from "./faults";
import table from "./local-mechanisms.json";

// What the table in Python says of mechanisms, pdp_widgets/mechanisms/local/mechanism_by_name.py.

export interface Parameter {
  kind: AmountKind;
  /** null where the mechanism then chooses. */
  default: number | null;
  /** There is a field for it. */
  label?: string;
  title?: string;
}

interface Row {
  epsilon?: boolean;
  compared?: boolean;
  jumps?: readonly Output[];
  parameters?: Readonly<Record<string, Parameter>>;
}

const TABLE = table as Readonly<Record<string, Row>>;

/** Mechanisms that are compared, with the parameters that they choose themselves. */
export const COMPARED = Object.keys(TABLE).filter((key) => TABLE[key]?.compared !== false);

/** Of COMPARED those of which a larger budget never leaks less. */
export const EVEN = COMPARED.filter((key) => hasBudget(key) && !TABLE[key]?.jumps);

/** Whether the budget can be set, and does not follow from the parameters. */
export function hasBudget(key: string): boolean {
  return own(TABLE, key)?.epsilon !== false;
}

/** How a mechanism is read where a larger budget can leak less: sets or groups change their size with it. */
export function jumpsOf(key: string): readonly Output[] {
  return own(TABLE, key)?.jumps ?? [];
}

/** Its parameters beside the budget, by name. */
export function parametersOf(key: string): [ParameterName, Parameter][] {
  return Object.entries(own(TABLE, key)?.parameters ?? {}) as [ParameterName, Parameter][];
}

/** Names as "f, p and q". */
export function listed(names: readonly string[], word: "and" | "or"): string {
  return names.join(", ").replace(/, ([^,]*)$/, ` ${word} $1`);
}

/** What a budget follows from that cannot be set. */
export function followsFrom(key: string): readonly string[] {
  if (hasBudget(key)) return [];
  return key === OWN ? ["its matrix"] : parametersOf(key).map(([name]) => name);
}

/** Why there is no budget to set. */
export function followsWords(key: string): string {
  return `The budget of ${key === OWN ? "your own channel" : key} follows from ${listed(followsFrom(key), "and")}`;
}

// What the best guess of one local report is worth: right with one probability, each wrong symbol with another.

interface Guess {
  /** Probability of the right symbol. */
  keep: number;
  /** Probability of each wrong symbol. */
  other: number;
  /** ln(keep / other) in nats; apart because `other` can be too small for a float. */
  level: number;
}

/** How often the true symbol's bit and another one's are set; `lost` is 1 - p and `difference` p - q, not subtracted. */
interface Rates {
  p: number;
  q: number;
  lost: number;
  difference: number;
  logLost: number;
  logQ: number;
}

const CERTAIN: Guess = { keep: 1, other: 0, level: 0 };

/** Nodes and weights of Gauss-Legendre quadrature on [0, 1], by Newton's method on the polynomial. */
function gaussLegendre(points: number): { x: number; w: number }[] {
  return Array.from({ length: points }, (_, k) => {
    let z = Math.cos((Math.PI * (k + 0.75)) / (points + 0.5));
    let slope = 1;
    for (let round = 0; round < 8; round++) {
      let [last, now] = [1, z];
      for (let n = 2; n <= points; n++) [last, now] = [now, ((2 * n - 1) * z * now - (n - 1) * last) / n];
      slope = (points * (z * now - last)) / (z * z - 1);
      z -= now / slope;
    }
    return { x: (1 + z) / 2, w: 1 / ((1 - z * z) * slope * slope) };
  });
}

let nodes: { x: number; w: number }[] | null = null;

/** The integral of a smooth function over [0, 1]. */
function integral(f: (x: number) => number): number {
  nodes ??= gaussLegendre(64);
  return nodes.reduce((sum, { x, w }) => sum + w * f(x), 0);
}

/** E[1 / (j + B)] with B binomial of n trials of probability c. */
export function meanInverse(j: 1 | 2, n: number, c: number): number {
  if (c >= 1) return 1 / (j + n);
  if (n * c > 50) {
    const [first, second] = [1, 2].map((i) => -Math.expm1((n + i) * Math.log1p(-c)) / (n + i)) as [number, number];
    return j === 1 ? first / c : (second - (1 - c) * first) / c ** 2;
  }
  return integral((x) => x ** (j - 1) * Math.exp(n * Math.log1p(-c * (1 - x))));
}

function guess(keep: number, other: number, difference: number | null, logOther: number | null = null): Guess {
  let level = other > 0 ? Math.log(keep) - Math.log(other) : Infinity;
  if (other > 0 && difference !== null && difference < other) level = Math.log1p(difference / other);
  else if (logOther !== null) level = Math.log(keep) - logOther;
  return { keep, other, level: Math.max(level, 0) };
}

/** The report itself, one symbol that is exp(level) times as likely as another. */
function guessOfSymbol(level: number, k: number): Guess {
  if (k === 1) return CERTAIN;
  const low = Math.exp(-level);
  const total = 1 + (k - 1) * low;
  return { keep: 1 / total, other: low / total, level };
}

/** A symbol drawn from the bits that are set; from all if none is. */
function guessOfBits({ p, q, lost, difference, logLost, logQ }: Rates, k: number): Guess {
  if (k === 1) return CERTAIN;
  const none = (lost * (1 - q) ** (k - 1)) / k;
  const single = meanInverse(1, k - 2, q);
  const bit = p * meanInverse(2, k - 2, q) + lost * single;
  const other = q * bit + none;
  let logOther: number | null = null;
  if (other < 1e-100) {
    // As a multiple of the larger of q and 1 - p, either of which may be too small for a float.
    const most = Math.max(logLost, logQ);
    if (most > -Infinity) logOther = most + Math.log(Math.exp(logQ - most) * bit + Math.exp(logLost - most) / k);
  }
  return guess(p * meanInverse(1, k - 1, q) + none, other, difference * single, logOther);
}

/** A symbol drawn from the reported group of g; from all if it is empty. `wrong` is (g - 1) exp(-epsilon). */
function guessOfGroup(g: number, wrong: number, epsilon: number, k: number): Guess {
  if (k === 1) return CERTAIN;
  const [p, c, lost] = [1 / (1 + wrong), 1 / g, wrong / (1 + wrong)];
  const single = meanInverse(1, k - 2, c);
  const empty = (lost * (1 - c) ** (k - 1)) / k;
  const other = c * (p * meanInverse(2, k - 2, c) + lost * single) + empty;
  const difference = ((1 - c) * -Math.expm1(-epsilon)) / (1 + wrong);
  return guess(p * meanInverse(1, k - 1, c) + empty, other, difference * single);
}

/** A symbol drawn from the reported set. */
function guessOfSet(size: number, epsilon: number, k: number): Guess {
  if (k === 1) return CERTAIN;
  const low = Math.exp(-epsilon);
  const total = size + (k - size) * low;
  if (size === 1) return { keep: 1 / total, other: low / total, level: epsilon };
  const weight = size - 1 + (k - size) * low;
  const level = Math.log1p(((k - size) * -Math.expm1(-epsilon)) / weight);
  return { keep: 1 / total, other: weight / ((k - 1) * total), level };
}

/** The symbol with the largest of k noisy numbers; a is half the budget. */
function guessOfNumbers(a: number, k: number): Guess {
  if (k === 1) return CERTAIN;
  if (a === Infinity) return { keep: 1, other: 0, level: Infinity };
  const n = k - 2;
  const low = Math.exp(-a);
  const w0 = low / 2;
  let tail = a;
  for (let i = 1; i <= n; i++) tail -= (Math.exp(i * Math.log1p(-w0)) - 0.5 ** i) / i;
  let overLow = 2 ** -Math.min(k, 1000) / k + tail / 4;
  let other: number;
  if (n * w0 <= 5) {
    overLow += integral((x) => Math.exp(n * Math.log1p(-w0 * x)) * (1 - x / 2)) / 2;
    other = low * overLow;
  } else {
    const [first, second] = [1, 2].map((j) => -Math.expm1((n + j) * Math.log1p(-w0)) / (n + j)) as [number, number];
    other = low * overLow + first - (first - second) / low;
    overLow = other / low;
  }
  const difference = a > 0.5 ? null : gain(a, k);
  const keep = difference === null ? 1 - (k - 1) * other : other + difference;
  return guess(keep, other, difference, Math.log(overLow) - a);
}

/** keep - other without subtracting: what the true symbol gains over one other, given the rest. */
function gain(a: number, k: number): number {
  const low = Math.exp(-a);
  const up = -Math.expm1(-a);
  const inside = integral((x) => {
    const s = low + up * x;
    return (Math.exp((k - 2) * Math.log1p(-s / 2)) * (1 - s)) / s ** 2;
  });
  return (up / 2) * meanInverse(1, k - 2, low / 2) + (low / 2) * inside * up;
}

// Local mechanisms by name: what a report promises, and what its outputs say about a symbol.

export type Output = "raw" | "inferred";

/** Parameters beside the budget; null or left out takes the default. */
export type ParameterName = "g" | "omega" | "f" | "p" | "q" | "delta" | "theta" | "alpha";
export type Parameters = Readonly<Partial<Record<ParameterName, number | null>> & { channel?: OwnChannel | null }>;

/** The key of a channel of one's own. */
export const OWN = "channel";

export interface OwnChannel {
  /** A row for each label, and in it the probability of each output. */
  matrix: (number | string)[][];
  /** The attribute that it releases, by position; null for all of them. */
  attribute: number | null;
  /** The mechanism that releases the others, and its budget. */
  others: string;
  epsilon: number | string;
}

export interface Mechanism {
  /** "GRR", "OUE", ... or "generic" for any mechanism with the budget. */
  key: string;
  /** 0 to infinity. */
  epsilon: number;
  parameters: Parameters;
}

/** Each output makes the symbols of a set exp(level) times as likely as the others: one symbol, any set, or one of `size`. */
export interface Reading {
  kind: "singletons" | "subsets" | "exactly" | "matrix";
  level: number;
  size: number;
  /** Of a channel, whose outputs have levels of their own: a row for each symbol. */
  matrix?: readonly (readonly number[])[];
}

/** The numbers of a channel of one's own. */
export function matrixOf({ parameters }: Mechanism): number[][] {
  return (parameters.channel?.matrix ?? []).map((row) => row.map(number));
}

/** The mechanism of one attribute: a channel of one's own may be for another one alone. */
export function mechanismOf(mechanism: Mechanism, attribute: number): Mechanism {
  const channel = mechanism.key === OWN ? mechanism.parameters.channel : null;
  if (channel == null || channel.attribute === null || channel.attribute === attribute) return mechanism;
  return { key: channel.others, epsilon: number(channel.epsilon), parameters: {} };
}

/** The largest ln ratio within a column. */
function matrixPromise(mechanism: Mechanism): number {
  const rows = matrixOf(mechanism);
  const columns = (rows[0] ?? []).map((_, output) => rows.map((row) => row[output] as number));
  return columns.reduce((most, column) => {
    const top = Math.max(...column);
    return top > 0 ? Math.max(most, Math.log(top) - Math.log(Math.min(...column))) : most;
  }, 0);
}

/** What is wrong with the rows of a channel, in the words of Python, and where; null where nothing is. */
export function matrixFault(rows: readonly (readonly number[])[]): { text: string; where: Where } | null {
  const [width, name] = [rows[0]?.length ?? 0, "matrix"];
  if (width === 0 || rows.some((row) => row.length !== width)) {
    const text = "The matrix of the channel has rows of different lengths; give rows of probabilities, all of one length.";
    return { text, where: { kind: "parameter", name } };
  }
  for (const [row, values] of rows.entries()) {
    const column = values.findIndex((value) => !(value >= 0 && value < Infinity));
    if (column < 0) continue;
    const text = `The matrix of the channel has ${general(values[column] as number)} in row ${row}, column ${column}; an entry is a probability, 0 or more.`;
    return { text, where: { kind: "cell", index: [row, column], name } };
  }
  for (const [row, values] of rows.entries()) {
    const sum = values.reduce((total, value) => total + value, 0);
    if (Math.abs(sum - 1) <= 1e-9) continue;
    const text = `The matrix of the channel: row ${row} sums to ${general(sum)}; every row must sum to 1.`;
    return { text, where: { kind: "row", index: [row], name } };
  }
  return null;
}

/** Size of the sets that subset selection reports. */
export function subsetSize({ epsilon, parameters }: Mechanism, k: number): number {
  if (parameters.omega != null) return Math.min(k, parameters.omega);
  return epsilon < 709 ? Math.max(1, Math.floor(k / (Math.exp(epsilon) + 1))) : 1;
}

/** Half to even, as Python rounds. */
function rounded(value: number): number {
  const down = Math.floor(value);
  if (value - down !== 0.5) return Math.round(value);
  return down % 2 === 0 ? down : down + 1;
}

/** Groups that local hashing puts symbols into. */
export function groupCount({ key, epsilon, parameters }: Mechanism): number {
  if (key === "BLH") return 2;
  if (parameters.g != null) return parameters.g;
  return epsilon < 709.7 ? Math.max(2, rounded(Math.exp(epsilon)) + 1) : Infinity;
}

/** The weight of all wrong groups beside the true one: (g - 1) exp(-epsilon). */
function wrongWeight(mechanism: Mechanism): number {
  const { key, epsilon, parameters } = mechanism;
  // By default g - 1 is exp(epsilon) but for rounding.
  return key === "OLH" && parameters.g == null && epsilon > 40 ? 1 : (groupCount(mechanism) - 1) * Math.exp(-epsilon);
}

function rapporBits(f: number, p: number, q: number): [number, number, number] {
  const [kept, drawn] = [1 - f / 2, f / 2];
  return [kept * q + drawn * p, kept * (1 - q) + drawn * (1 - p), drawn * q + kept * p];
}

function rapporOf({ f, p, q }: Parameters): { f: number; p: number; q: number } {
  const first = table.RAPPOR.parameters;
  return { f: f ?? first.f.default, p: p ?? first.p.default, q: q ?? first.q.default };
}

function rapporRates({ parameters }: Mechanism): Rates {
  const { f, p, q } = rapporOf(parameters);
  const [set, lost, other] = rapporBits(f, p, q);
  return { p: set, q: other, lost, difference: (1 - f) * (q - p), logLost: Math.log(lost), logQ: Math.log(other) };
}

function rapporPromise({ parameters }: Mechanism): number {
  const { f, p, q } = rapporOf(parameters);
  const [, lost, other] = rapporBits(f, p, q);
  const difference = (1 - f) * (q - p);
  if (difference === 0) return 0;
  return other === 0 || lost === 0 ? Infinity : Math.log1p(difference / other) + Math.log1p(difference / lost);
}

function rapporFault(parameters: Parameters): ParametersFault {
  const { p, q } = rapporOf(parameters);
  if (q >= p) return null;
  return [`q is ${general(q)} and below p = ${general(p)}; a memoised 1 must be reported as 1 at least as often as a memoised 0.`, "q"];
}

function symmetricRates({ epsilon }: Mechanism): Rates {
  const level = epsilon / 2;
  const small = Math.exp(-level);
  const [q, logQ] = [small / (1 + small), -level - Math.log1p(small)];
  return { p: 1 / (1 + small), q, lost: q, difference: Math.tanh(level / 2), logLost: logQ, logQ };
}

function optimisedRates({ epsilon }: Mechanism): Rates {
  const small = Math.exp(-epsilon);
  const logQ = -epsilon - Math.log1p(small);
  return { p: 0.5, q: small / (1 + small), lost: 0.5, difference: Math.tanh(epsilon / 2) / 2, logLost: -Math.LN2, logQ };
}

/** Numbers with Laplace noise above a threshold; without one, that whose estimates have the least variance. */
function thresholdRates({ epsilon, parameters }: Mechanism): Rates {
  const half = epsilon / 2;
  const below = parameters.theta == null ? bestBelow(half) : half * (1 - parameters.theta);
  const above = parameters.theta == null ? half - below : half * parameters.theta;
  const [logLost, logQ] = [-below - Math.LN2, -above - Math.LN2];
  const lost = Math.exp(logLost);
  return { p: 1 - lost, q: Math.exp(logQ), lost, difference: -(Math.expm1(-below) + Math.expm1(-above)) / 2, logLost, logQ };
}

/** How far the threshold lies below 1, in scales of the noise: where the slope of q (1 - q) / (p - q)^2 is 0. */
function bestBelow(half: number): number {
  let [low, high] = [0, Math.min(half / 2, 0.5)];
  for (;;) {
    const middle = (low + high) / 2;
    if (!(low < middle && middle < high)) return low;
    const [lost, q] = [-Math.expm1(-middle), -Math.expm1(middle - half)];
    if ((q - lost) * (1 + q) >= q * (lost + q)) low = middle;
    else high = middle;
  }
}

function thresholdPromise(mechanism: Mechanism): number {
  const { p, q, lost, difference, logLost, logQ } = thresholdRates(mechanism);
  if (mechanism.epsilon < 1) return Math.log1p(difference / q) + Math.log1p(difference / lost);
  return p === 1 ? Infinity : Math.log(p) - logLost + Math.log1p(-q) - logQ;
}

function promiseWithDelta({ epsilon, parameters }: Mechanism, k: number): number {
  const delta = parameters.delta ?? 0;
  return epsilon === Infinity ? Infinity : epsilon + Math.log1p((delta / (1 - delta)) * (1 + (k - 1) * Math.exp(-epsilon)));
}

/** What is wrong with parameters together, and the name of the one to change. */
type ParametersFault = [text: string, name: ParameterName] | null;

/** What only one mechanism does. */
interface Channel {
  /** Which symbols an output makes likelier: one, any set, or one of `subsetSize`. */
  kind: Reading["kind"];
  /** Of a raw report about its own attribute of k > 1 symbols, nats. */
  promise(mechanism: Mechanism, k: number): number;
  /** null where no guess is defined. */
  guess(mechanism: Mechanism, k: number): Guess | null;
  /** null where reports are no support of symbols. */
  support(mechanism: Mechanism, k: number): SupportRates | null;
  /** Of parameters that are numbers of their kinds, for attributes of these sizes. */
  fault?(parameters: Parameters, sizes: readonly number[]): ParametersFault;
}

type Promised = Channel["promise"];

const wholeBudget: Promised = ({ epsilon }) => epsilon;

/** A report is a symbol, and the best guess the report itself. */
function symbols(promise: Promised): Channel {
  return {
    kind: "singletons",
    promise,
    guess: (mechanism, k) => guessOfSymbol(promiseOf(mechanism, k), k),
    support(mechanism, k) {
      const level = promiseOf(mechanism, k);
      const low = Math.exp(-level);
      const total = 1 + (k - 1) * low;
      return { p: 1 / total, q: low / total, difference: -Math.expm1(-level) / total };
    },
  };
}

/** A report has a bit for every symbol. */
function bits(rates: (mechanism: Mechanism) => Rates, promise = wholeBudget): Channel {
  return { kind: "subsets", promise, guess: (mechanism, k) => guessOfBits(rates(mechanism), k), support: rates };
}

/** A report is a group of symbols. */
const HASHING: Channel = {
  kind: "subsets",
  promise: wholeBudget,
  guess: (mechanism, k) => guessOfGroup(groupCount(mechanism), wrongWeight(mechanism), mechanism.epsilon, k),
  support(mechanism) {
    const [wrong, c] = [wrongWeight(mechanism), 1 / groupCount(mechanism)];
    return { p: 1 / (1 + wrong), q: c, difference: ((1 - c) * -Math.expm1(-mechanism.epsilon)) / (1 + wrong) };
  },
};

const SUBSET_SELECTION: Channel = {
  kind: "exactly",
  promise: (mechanism, k) => (subsetSize(mechanism, k) < k ? mechanism.epsilon : 0),
  guess: (mechanism, k) => guessOfSet(subsetSize(mechanism, k), mechanism.epsilon, k),
  support(mechanism, k) {
    if (k === 1) return { p: 1, q: 0, difference: 1 };
    const size = subsetSize(mechanism, k);
    const low = Math.exp(-mechanism.epsilon);
    const total = size + (k - size) * low;
    return {
      p: size / total,
      q: (size * (size - 1) + (k - size) * size * low) / (total * (k - 1)),
      difference: (size * (k - size) * -Math.expm1(-mechanism.epsilon)) / (total * (k - 1)),
    };
  },
  fault({ omega }, sizes) {
    const k = omega == null ? undefined : sizes.find((size) => size < omega);
    return k === undefined ? null : [`omega is ${omega} and there are k = ${k} symbols; it must be 1 to ${k}.`, "omega"];
  },
};

const CHANNELS: Readonly<Record<string, Channel>> = {
  GRR: symbols(wholeBudget),
  EXP: symbols(({ epsilon }) => epsilon / 2),
  DGRR: symbols(promiseWithDelta),
  OUE: bits(optimisedRates),
  SUE: bits(symmetricRates),
  RAPPOR: { ...bits(rapporRates, rapporPromise), fault: rapporFault },
  LOSUE: bits(optimisedRates),
  BLH: HASHING,
  OLH: HASHING,
  SHE: { kind: "subsets", promise: wholeBudget, guess: ({ epsilon }, k) => guessOfNumbers(epsilon / 2, k), support: () => null },
  THE: bits(thresholdRates, thresholdPromise),
  SS: SUBSET_SELECTION,
  generic: { kind: "subsets", promise: wholeBudget, guess: () => null, support: () => null },
  channel: { kind: "matrix", promise: matrixPromise, guess: () => null, support: () => null },
};

function channelOf(key: string): Channel {
  const found = own(CHANNELS, key);
  if (found === undefined) throw new RangeError(`This page does not know the mechanism ${key}.`);
  return found;
}

/** Whether a report is a symbol, and the best guess the report itself. */
export function namesSymbol(key: string): boolean {
  return own(CHANNELS, key)?.kind === "singletons";
}

/** What is wrong with parameters that are numbers of their kinds. */
export function faultTogether(key: string, parameters: Parameters, sizes: readonly number[]): ParametersFault {
  return channelOf(key).fault?.(parameters, sizes) ?? null;
}

/** What a raw report promises about its own attribute of k symbols, nats. */
export function promiseOf(mechanism: Mechanism, k: number): number {
  return k <= 1 ? 0 : channelOf(mechanism.key).promise(mechanism, k);
}

/** The guess from one report of an attribute of k symbols; null where none is defined. */
export function guessOf(mechanism: Mechanism, k: number): Guess | null {
  return channelOf(mechanism.key).guess(mechanism, k);
}

/** How a report of an attribute of k symbols is read; null where it cannot be read so. */
export function readingOf(mechanism: Mechanism, k: number, output: Output): Reading | null {
  if (output === "inferred") {
    const guess = guessOf(mechanism, k);
    return guess && { kind: "singletons", level: guess.level, size: 1 };
  }
  const { kind } = channelOf(mechanism.key);
  const level = promiseOf(mechanism, k);
  if (kind === "matrix") return { kind, level: Infinity, size: 0, matrix: matrixOf(mechanism) };
  if (kind !== "exactly") return { kind, level, size: kind === "singletons" ? 1 : 0 };
  const size = subsetSize(mechanism, k);
  if (size >= k) return { kind: "singletons", level: 0, size: 1 };
  return size === 1 ? { kind: "singletons", level, size } : { kind, level, size };
}

/** Outputs up to which a report's law is listed. */
export const MOST_REPORTS = 4096;

/**
 * P(output | symbol), one row after the other, of what a report says about a symbol; of outputs that say the same one.
 * null where no finite law says it, or there are too many outputs.
 */
export function reportMatrix(mechanism: Mechanism, k: number, output: Output): Float64Array | null {
  const { kind, support } = channelOf(mechanism.key);
  if (kind === "matrix" && output === "raw") return Float64Array.from(matrixOf(mechanism).flat());
  if (output === "inferred" || kind === "singletons") {
    const guess = guessOf(mechanism, k);
    return guess && Float64Array.from({ length: k * k }, (_, at) => (Math.floor(at / k) === at % k ? guess.keep : guess.other));
  }
  const size = kind === "exactly" ? subsetSize(mechanism, k) : null;
  const rates = support(mechanism, k);
  if (rates === null || 2 ** k > MOST_REPORTS) return null;
  const sets = Array.from({ length: 2 ** k }, (_, bits) => bits).filter((bits) => size === null || bitsOf(bits) === size);
  const low = Math.exp(-mechanism.epsilon);
  // A set of the symbols that the report makes likelier.
  const chance = (symbol: number, bits: number): number => {
    const inside = (bits >> symbol) & 1;
    if (size !== null) return inside ? 1 : low;
    const { p, q } = rates;
    const others = bitsOf(bits) - inside;
    return (inside ? p : 1 - p) * q ** others * (1 - q) ** (k - 1 - others);
  };
  const found = Float64Array.from({ length: k * sets.length }, (_, at) => chance(Math.floor(at / sets.length), sets[at % sets.length] as number));
  if (size === null) return found;
  const total = found.subarray(0, sets.length).reduce((sum, p) => sum + p, 0);
  return found.map((p) => p / total);
}

function bitsOf(set: number): number {
  let many = 0;
  for (let rest = set; rest; rest &= rest - 1) many += 1;
  return many;
}

/** What a report says about its own attribute, as it is read, nats. */
export function ownLeakage(mechanism: Mechanism, k: number, output: Output): number {
  return output === "raw" ? promiseOf(mechanism, k) : (guessOf(mechanism, k)?.level ?? 0);
}

// How well the shares of all symbols can be told from local reports: what is expected of unbiased estimates.

/** How often a report supports the true symbol and how often a given wrong one; `difference` is p - q, not subtracted. */
interface SupportRates {
  p: number;
  q: number;
  difference: number;
}

/** Variances of the estimates from n reports about symbols with these shares; NaN where nothing can be told. */
export function variances(mechanism: Mechanism, shares: readonly number[], n: number): number[] {
  const { key, epsilon } = mechanism;
  // One division at a time: the square of a tiny number may be too small for a float.
  if (key === "SHE") return shares.map(() => (epsilon === 0 ? NaN : 8 / epsilon / n / epsilon));
  const rates = channelOf(key).support(mechanism, shares.length);
  if (rates === null || rates.difference === 0) return shares.map(() => NaN);
  const { p, q, difference } = rates;
  return shares.map((share) => (share * p * (1 - p) + (1 - share) * q * (1 - q)) / difference / (n * difference));
}

/**
 * The expected squared error of all estimated shares over the sum of their squares (Eq. 23); null where it is not a
 * finite number.
 *
 * @param counts Records of every label, by attribute.
 */
export function shareError(mechanism: Mechanism, counts: readonly ArrayLike<number>[]): number | null {
  let [error, square] = [0, 0];
  for (const one of counts) {
    const labels = Array.from(one);
    const n = labels.reduce((sum, count) => sum + count, 0);
    if (!(n > 0)) return null;
    const shares = labels.map((count) => count / n);
    for (const variance of variances(mechanism, shares, n)) error += variance;
    for (const share of shares) square += share * share;
  }
  const found = error / square;
  return Number.isFinite(found) ? found : null;
}
