/** Local mechanisms by name: what a report promises, and what its outputs say about a symbol. */
import { guessOfBits, guessOfGroup, guessOfNumbers, guessOfSet, guessOfSymbol, type Guess, type Rates } from "./local-guess";

export type Output = "raw" | "inferred";

/** Parameters beside the budget; null or left out takes the default. */
export type Parameters = Readonly<Partial<Record<"g" | "omega" | "f" | "p" | "q" | "delta", number | null>>>;

export interface Mechanism {
  /** "GRR", "OUE", ... or "generic" for any mechanism with the budget. */
  key: string;
  /** 0 to infinity. */
  epsilon: number;
  parameters: Parameters;
}

/** Each output makes the symbols of a set exp(level) times as likely as the others: one symbol, any set, or one of `size`. */
export interface Reading {
  kind: "singletons" | "subsets" | "exactly";
  level: number;
  size: number;
}

const SYMBOLS = new Set(["GRR", "EXP", "DGRR"]);
const BITS = new Set(["OUE", "SUE", "RAPPOR"]);
const HASHED = new Set(["BLH", "OLH"]);

/** Whether a report is a symbol, and the best guess the report itself. */
export function namesSymbol(key: string): boolean {
  return SYMBOLS.has(key);
}

/** Whether a report has a bit for every symbol. */
export function isBits(key: string): boolean {
  return BITS.has(key);
}

/** Whether a report is a group of symbols. */
export function isHashed(key: string): boolean {
  return HASHED.has(key);
}

/** Whether the budget can be set: RAPPOR's follows from its parameters. */
export function hasBudget(key: string): boolean {
  return key !== "RAPPOR";
}

/** Whether a larger budget can leak less: sets or groups change their size with it. */
export function jumps({ key, parameters }: Mechanism, output: Output): boolean {
  return (key === "SS" && parameters.omega == null) || (key === "OLH" && parameters.g == null && output === "inferred");
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
export function wrongWeight(mechanism: Mechanism): number {
  const { key, epsilon, parameters } = mechanism;
  // By default g - 1 is exp(epsilon) but for rounding.
  return key === "OLH" && parameters.g == null && epsilon > 40 ? 1 : (groupCount(mechanism) - 1) * Math.exp(-epsilon);
}

function rapporBits(f: number, p: number, q: number): [number, number, number] {
  const [kept, drawn] = [1 - f / 2, f / 2];
  return [kept * q + drawn * p, kept * (1 - q) + drawn * (1 - p), drawn * q + kept * p];
}

function rapporOf({ f, p, q }: Parameters): { f: number; p: number; q: number } {
  return { f: f ?? 0.5, p: p ?? 0.5, q: q ?? 0.75 };
}

/** How often bits are set. */
export function bitRates({ key, epsilon, parameters }: Mechanism): Rates {
  if (key === "RAPPOR") {
    const { f, p, q } = rapporOf(parameters);
    const [set, lost, other] = rapporBits(f, p, q);
    return { p: set, q: other, lost, difference: (1 - f) * (q - p), logLost: Math.log(lost), logQ: Math.log(other) };
  }
  const level = key === "SUE" ? epsilon / 2 : epsilon;
  const small = Math.exp(-level);
  const q = small / (1 + small);
  const logQ = -level - Math.log1p(small);
  if (key === "SUE") return { p: 1 / (1 + small), q, lost: q, difference: Math.tanh(level / 2), logLost: logQ, logQ };
  return { p: 0.5, q, lost: 0.5, difference: Math.tanh(level / 2) / 2, logLost: -Math.LN2, logQ };
}

/** What a raw report promises about its own attribute of k symbols, nats. */
export function promiseOf(mechanism: Mechanism, k: number): number {
  const { key, epsilon, parameters } = mechanism;
  if (k <= 1) return 0;
  if (key === "EXP") return epsilon / 2;
  if (key === "SS") return subsetSize(mechanism, k) < k ? epsilon : 0;
  if (key === "RAPPOR") {
    const { f, p, q } = rapporOf(parameters);
    const [, lost, other] = rapporBits(f, p, q);
    const difference = (1 - f) * (q - p);
    if (difference === 0) return 0;
    return other === 0 || lost === 0 ? Infinity : Math.log1p(difference / other) + Math.log1p(difference / lost);
  }
  if (key === "DGRR") {
    const delta = parameters.delta ?? 0;
    return epsilon === Infinity ? Infinity : epsilon + Math.log1p((delta / (1 - delta)) * (1 + (k - 1) * Math.exp(-epsilon)));
  }
  return epsilon;
}

/** The guess from one report of an attribute of k symbols; null where none is defined. */
export function guessOf(mechanism: Mechanism, k: number): Guess | null {
  const { key, epsilon } = mechanism;
  if (SYMBOLS.has(key)) return guessOfSymbol(promiseOf(mechanism, k), k);
  if (BITS.has(key)) return guessOfBits(bitRates(mechanism), k);
  if (HASHED.has(key)) return guessOfGroup(groupCount(mechanism), wrongWeight(mechanism), epsilon, k);
  if (key === "SHE") return guessOfNumbers(epsilon / 2, k);
  return key === "SS" ? guessOfSet(subsetSize(mechanism, k), epsilon, k) : null;
}

/** How a report of an attribute of k symbols is read; null where it cannot be read so. */
export function readingOf(mechanism: Mechanism, k: number, output: Output): Reading | null {
  if (output === "inferred") {
    const guess = guessOf(mechanism, k);
    return guess && { kind: "singletons", level: guess.level, size: 1 };
  }
  const level = promiseOf(mechanism, k);
  if (SYMBOLS.has(mechanism.key)) return { kind: "singletons", level, size: 1 };
  if (mechanism.key !== "SS") return { kind: "subsets", level, size: 0 };
  const size = subsetSize(mechanism, k);
  if (size >= k) return { kind: "singletons", level: 0, size: 1 };
  return size === 1 ? { kind: "singletons", level, size } : { kind: "exactly", level, size };
}

/** What a report says about its own attribute, as it is read, nats. */
export function ownLeakage(mechanism: Mechanism, k: number, output: Output): number {
  return output === "raw" ? promiseOf(mechanism, k) : (guessOf(mechanism, k)?.level ?? 0);
}
