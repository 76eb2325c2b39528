/**
 * What the Gaussian explorer says: about itself and below its lattices, and adversaries, values and amounts in words.
 */
import { plural, told, type Naming } from "../explorer/words";
import { decodeGraph } from "../graph/data";
import { shortNames } from "../matrix/words";
import { fixed, list, scientific } from "../ui/format";
import type { HeadWords } from "../ui/head";
import type { GaussianResults } from "./protocol";
import { LATTICES_TO } from "./rescale";

// What the Gaussian explorer says about itself.

export const HEAD: HeadWords = {
  name: "Prior knowledge, Gaussian data",
  equation: "papers/prior#exact-leakage",
  about: [
    "A weighted sum of numbers that are correlated is published with Laplace noise. The noise promises that a " +
      "change M of one of them shows by at most the promise. Someone who knows some of the others sees more: " +
      "those that are not known move along.",
    "Leakage is the largest change of the log odds of two values M apart that any published r can cause, in " +
      "nats. Here it is (M/λ) |a + μ|: the own weight a, and what moves along μ. It does not depend on the " +
      "values that are known.",
    "Edit the matrix and the weights, drag scale and change, choose who knows what. Where matrix or means are " +
      "not as they were loaded, it says “edited from” the data above.",
  ],
  legend: [
    ["exact", "exact: no approximation"],
    ["limit", "exact, a limit: larger r come ever closer to it, none attains it"],
    ["promise", "promise: what the noise guarantees for one number on its own, the largest weight times M/λ"],
    ["paper", "the paper’s Theorem 6, which is exact"],
    ["bound", "a bound for any matrix; there is none below infinity"],
  ],
  paper: "Y. Li, X. Ren, S. Yang, X. Yang: Impact of Prior Knowledge and Data Correlation on Privacy Leakage: A Unified Analysis.",
};

// The line below the lattices that says what stands on their edges.

export function graphNote({ graph }: GaussianResults): string {
  const n = graph?.names.length ?? 0;
  if (!graph || n < 2 || n > LATTICES_TO) return "";
  const { determined } = decodeGraph(graph);
  let fixed = 0;
  for (let flat = 0; flat < (determined?.length ?? 0); flat++) fixed += determined?.[flat] as number;
  const squares = n > 5 ? "One square per adversary. " : "";
  return `${squares}On edges: change when that value becomes known.${fixed > 0 ? ` Dashed: determined, nothing is left to learn (${fixed}).` : ""}`;
}

// Adversaries, values and amounts of Gaussian data in words.

/** More known tuples than this are counted, not listed. */
const LISTED = 4;
const SHORT_UNIT = 8;

/** "someone who knows solar and flat A": whom the lead speaks of. */
export function someoneWho(naming: Naming, known: readonly number[]): string {
  const others = naming.names.length - 1;
  if (others === 0) return "anyone";
  if (known.length === 0)
    return others === 1
      ? `someone who does not know the other ${naming.noun}`
      : `someone who knows none of the other ${plural(naming.noun)}`;
  if (known.length <= LISTED) return `someone who knows ${named(naming, known)}`;
  return known.length === others
    ? `someone who knows all ${others} other ${plural(naming.noun)}`
    : `someone who knows ${known.length} of the other ${others} ${plural(naming.noun)}`;
}

/** "flat A and flat C", or how many when they are many. */
export function named(naming: Naming, tuples: readonly number[]): string {
  if (tuples.length > LISTED) return `${tuples.length} ${plural(naming.noun)}`;
  return list(tuples.map((tuple) => told(naming, tuple, 40)));
}

/** A unit beside a number in a narrow place: only one that is short. */
export function shortUnit(unit: string): string {
  return unit.length <= SHORT_UNIT ? unit : "";
}

/** Names without a first word that several share, unless numbers would be left. */
export function briefNames(names: readonly string[]): string[] {
  const short = shortNames(names);
  return short.some((name) => /^[\d.,−-]+$/.test(name)) ? [...names] : short;
}

/** Decimals that tell a value from one that is `change` more. */
export function decimalsApart(change: number): number {
  if (!(change > 0) || !Number.isFinite(change)) return 2;
  return Math.max(0, Math.min(9, 1 - Math.floor(Math.log10(change) + 1e-9)));
}

/** Three significant digits, at most `most` decimals: amounts in units of the data. */
export function amount(value: number, most = 2): string {
  const size = Math.abs(value);
  if (size === 0) return "0";
  const decimals = Math.max(0, Math.min(9, 2 - Math.floor(Math.log10(size) + 1e-9)));
  return fixed(value, size >= 0.1 ? Math.min(most, decimals) : decimals);
}

/** A coefficient of the release: "0.549". */
export function coefficient(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.0005 || size >= 1e6)) return scientific(value, 1);
  return size === 0 ? "0" : fixed(value, size >= 1000 ? 0 : size >= 100 ? 1 : 3);
}

/** The same as a part of a sum: "+0.549". */
export function part(value: number): string {
  return value > 0 ? `+${coefficient(value)}` : coefficient(value);
}

/** "1.00 kWh", "1.00". */
export function withUnit(text: string, unit: string): string {
  return unit ? `${text} ${unit}` : text;
}
