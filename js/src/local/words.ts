/** What the explorer of local privacy says: about itself, and attributes, reports and budgets in words. */
import type { Output } from "../compute/local-mechanisms";
import { labelOf, told, toldLabel, type Naming } from "../explorer/words";
import { count, inWords, list } from "../ui/format";
import type { HeadWords } from "../ui/head";
import { leakageUnit } from "../ui/preferences";

// What the explorer of local privacy says about itself.

export const HEAD: HeadWords = {
  name: "Local privacy",
  equation: "papers/local#exact-leakage",
  about: [
    "Every attribute of a record is randomised on its own and reported. A report promises how much it says " +
      "about its own attribute. Attributes are correlated, so it says something about the others too.",
    "Leakage is the largest change of the log odds of two values of the secret attribute that any report can " +
      "cause, in nats. What class says about survival is not what survival says about class.",
    "Raw: what is released. Inferred: the one value that an attacker guesses from each report. A guess throws " +
      "part of the report away, so its leakage is a lower bound.",
    "Choose a cell of the table of pairs, drag ε, switch attributes off.",
  ],
  legend: [
    ["exact", "exact: no approximation"],
    ["promise", "promise: what a report guarantees for its own attribute"],
    ["paper", "the paper’s pairwise sum; it is not a bound"],
    ["low", "the paper’s sum is too low"],
    ["high", "the paper’s sum is too high"],
    ["bound", "a bound that always holds"],
  ],
  paper: "S. Jayawardana, S. Ulukus, M. Ding, K. Thilakarathna: The Hidden Cost of Correlation: Rethinking Privacy Leakage in Local Differential Privacy.",
};

// Attributes, reports and budgets in words.

/** Labels that a report favours: "1st", "1st or 2nd", "3 of 12 labels"; in quotation marks where they have several words. */
export function symbolsInWords(naming: Naming, attribute: number, symbols: readonly number[], limit = 24): string {
  const all = naming.labels[attribute]?.length ?? 0;
  if (symbols.length === 0) return "";
  if (symbols.length > 2) return `${symbols.length} of ${all} labels`;
  return symbols.map((u) => toldLabel(naming, attribute, u, limit)).join(" or ");
}

/** All of them, for titles. */
export function allSymbols(naming: Naming, attribute: number, symbols: readonly number[]): string {
  return list(symbols.map((u) => labelOf(naming, attribute, u, 60)));
}

export function pairInWords(naming: Naming, source: number, secret: number, limit = 40): string {
  return `${told(naming, source, limit)} about ${told(naming, secret, limit)}`;
}

/** What stands in one attribute's place in a sentence: what was seen of it. */
export function seen(output: Output): string {
  return output === "raw" ? "report" : "guess";
}

/** All that was seen of a record: "both reports", "all four guesses". */
export function everything(output: Output, many: number): string {
  if (many === 1) return `its ${seen(output)}`;
  return `${many === 2 ? "both" : `all ${inWords(many)}`} ${seen(output)}${output === "raw" ? "s" : "es"}`;
}

/** "564 complete records", where numbers are about those alone; empty where every record counts. */
export function completeOnly(records: number | null, totals: { records: number | null } | null): string {
  const some = totals?.records ?? null;
  return records === null || some === null || some >= records ? "" : count(some, "complete record");
}

/** What the table of pairs is about, and how its numbers are to be taken. */
export function leaksHeading(output: Output): [string, string] {
  return output === "raw"
    ? ["What one report leaks about another attribute", `exact, ${leakageUnit()}`]
    : ["What a guess from one report says about another attribute", `a lower bound, ${leakageUnit()}`];
}
