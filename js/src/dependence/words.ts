/** What the explorer of dependent tuples says: about itself, and leakages, coefficients and adversaries in words. */
import { isOver, knownValues, labelOf, nameOf, plural, told, type Naming } from "../explorer/words";
import { amount, fixed, leakage, list } from "../ui/format";
import type { HeadWords } from "../ui/head";
import { distinctNames } from "../ui/lettering";
import type { Coefficient, Knowing } from "./protocol";

// Leakages, coefficients and adversaries in words: the same wording in every part.

/** More known tuples than this are counted, not listed. */
const LISTED = 4;

/** A leakage; beside what it is compared with it is told apart from it. */
export function nats(value: number, beside?: number): string {
  const apart = beside !== undefined && (isOver(value, beside) || isOver(beside, value));
  return leakage(value, apart ? beside : undefined);
}

/** Each coefficient by the noise that it holds for, in places with room for few letters. */
export const KIND_NAMES: Record<Coefficient, string> = { exact: "this σ", mean: "any σ", eq18: "paper" };

/** What each coefficient does, and its name in Python. */
export const COEFFICIENTS: Record<Coefficient, string> = {
  exact: "ρ at this σ: exactly what one tuple passes on at this noise (exact).",
  mean: "ρ at any σ: no noise lets more through than this (mean).",
  eq18: "The paper’s bound on ρ at this σ, its Eq. 18 (eq18).",
};

/** A coefficient: exact zero is 0. */
export function coefficient(value: number): string {
  return amount(value);
}

/** With a capital where a sentence begins; a name in quotation marks stays as it is written. */
export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** A few known tuples by name, many by number. */
export function knownNames(naming: Naming, known: readonly number[]): string {
  const others = naming.names.length - 1;
  if (known.length <= LISTED) return list(known.map((tuple) => told(naming, tuple, 40)));
  if (known.length === others) return `all ${fixed(others, 0)} other ${plural(naming.noun)}`;
  return `${fixed(known.length, 0)} of the other ${fixed(others, 0)} ${plural(naming.noun)}`;
}

/** "knowing Ben", to follow a name. */
export function knowing(naming: Naming, who: Knowing, known: readonly number[]): string {
  if (who === "worst") return "knowing the most telling others";
  if (who === "chosen" && known.length > 0) return `knowing ${knownNames(naming, known)}`;
  return `knowing no other ${naming.noun}`;
}

/** "knows Ben is away", or how many are known. */
export function knows(naming: Naming, known: readonly number[], values: readonly number[]): string {
  if (known.length === 0) return `knows no other ${naming.noun}`;
  if (known.length > 2) return `knows ${known.length === naming.names.length - 1 ? "all" : fixed(known.length, 0)} others`;
  const instance = naming.names.map((_, tuple) => values[known.indexOf(tuple)] ?? 0);
  return `knows ${knownValues(inShort(naming), known, instance)}`;
}

/** Names longer than this leave out the words that all of them share. */
const SHORT = 12;
const shortened = new WeakMap<Naming, Naming>();

/** The same, with names for places that have room for few letters. */
export function inShort(naming: Naming): Naming {
  const known = shortened.get(naming);
  if (known) return known;
  const long = naming.names.some((name) => name.length > SHORT);
  const short = long ? { ...naming, names: distinctNames(naming.names) } : naming;
  shortened.set(naming, short);
  return short;
}

/** A name short enough for a card or a row. */
export function brief(naming: Naming, tuple: number, limit = 24): string {
  return nameOf(inShort(naming), tuple, limit);
}

/** "away", or "x1 = 0" where the label alone says nothing. */
export function valueOf(naming: Naming, tuple: number, position: number, limit = 24): string {
  const label = labelOf(naming, tuple, position, limit);
  return /\p{L}/u.test(label) ? label : `${brief(naming, tuple, 16)} = ${label}`;
}

/** A pair by its whole names, or in short. */
export function arrow(naming: Naming, first: number, second: number, limit = 60): string {
  return `${nameOf(naming, first, limit)} → ${nameOf(naming, second, limit)}`;
}

// What the explorer of dependent tuples says about itself.

export const HEAD: HeadWords = {
  name: "Dependence",
  equation: "papers/dependent#exact-leakage",
  about: [
    "A number is released with noise, which promises how much it says about each tuple. Tuples depend on each " +
      "other, so the release says something about one through the others too. Noise that counts the tuple alone " +
      "may then be too little.",
    `A coefficient ρ says how much of one tuple passes on to another. ${Object.values(COEFFICIENTS).join(" ")}`,
    "Dependent perturbation (DPM) adds up the coefficients of all pairs and makes the noise larger by that. LPM " +
      "counts the tuple alone, the baseline whole blocks.",
    "Leakage is the largest change of the log odds of two values that any output can cause, in nats. Three " +
      "tuples can depend on each other although no two of them do: pairs do not show that.",
    "Edit the table, choose a tuple in the graph, drag ε, change who knows what.",
  ],
  legend: [
    ["exact", "exact: computed from the table, no approximation"],
    ["promise", "promise: ε, for every tuple"],
    ["paper", "paper’s estimate: pairs summed, over σ"],
    ["low", "the paper’s estimate is too low"],
    ["high", "the paper’s estimate is too high"],
    ["bound", "a bound: of means for linear queries, of groups for all"],
  ],
  paper: "C. Liu, S. Chakraborty, P. Mittal: Dependence Makes You Vulnerable: Differential Privacy Under Dependent Tuples (NDSS 2016).",
};
