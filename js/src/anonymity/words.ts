/**
 * What the explorer of k-anonymity says: about itself, the names of releases, readings and events, and its numbers.
 */
import { fixed, parameter, scientific } from "../ui/format";
import type { HeadWords } from "../ui/head";
import { clip, inQuotes, isolate } from "../ui/lettering";
import type { Events, Level } from "./protocol";

// What the explorer of k-anonymity says about itself.

export const HEAD: HeadWords = {
  name: "Anonymity",
  equation: "papers/anonymity#noiseless-privacy-exactly",
  about: [
    "Records are published in classes of at least k that look alike: of every quasi-identifier only a range. " +
      "Who is known to be in a class in which all have the same secret is given away all the same.",
    "Beside the classes a count or a sum is published as it is, without noise. What hides a record in it is " +
      "that the adversary does not know the others. ε says by which factor it may move the odds, the slack δ how " +
      "likely more is.",
    "The exact curve is computed from the law of the unknown records. A bound has a proof, for the events it " +
      "names. The paper’s theorems are shown where “as printed” is ticked: where the exact curve is above one, " +
      "it is violated.",
    "Level I: the adversary knows only how large a change can be. II: also which records depend on each other. " +
      "III: the values of a share of the records. IV: both.",
    "Drag ε, k or the share known. Choose a class in the table or in the map, with the arrow keys too.",
  ],
  legend: [
    ["exact", "exact, for any event"],
    ["bound", "a bound with a proof, for the events it names"],
    ["paper", "as printed in the paper"],
    ["promise", "k-anonymity: says nothing about δ"],
  ],
  paper: "Zhao, Jiang, Wang, Huang: Non-Asymptotic Bound on the Performance of k-Anonymity against Inference Attacks.",
};

// What releases, readings and events are called (releases as in the menu, widgets/anonymity_menu.py).

const READINGS: Record<string, string> = {
  "t1:statement": "statement",
  "t1:proof": "proof",
  "t1:final": "last line of the proof",
  "t1:garbled": "exponent as typeset",
  "t4:sum_of_powers": "sum of powers",
  "t4:power_of_sum": "power of the sum",
  "t5:statement": "statement",
  "t5:proof": "proof",
  "t7:statement": "statement",
  "t7:mixed": "mixed",
  "t7:proof": "proof",
};

const THEOREMS: Record<Level, string> = { I: "Theorem 4", II: "Theorem 5", III: "Theorem 6", IV: "Theorem 7" };

/** The theorem that a reading is of; Theorem 4 is called 6 where values are known. */
export function theoremOf(reading: string, level: Level): string {
  return reading.startsWith("t1:") ? "Theorem 1" : THEOREMS[level];
}

export function readingLabel(reading: string, level: Level): string {
  return `${theoremOf(reading, level)}, ${READINGS[reading] ?? reading}`;
}

/** A name within a sentence. */
export function told(text: string, most = 40): string {
  return inQuotes(text, isolate(clip(text, most))) || "(no name)";
}

/** The kind of a release and what it is about. */
export function parted(release: string): [string, string] {
  const at = release.indexOf(":");
  return at < 0 ? [release, ""] : [release.slice(0, at), release.slice(at + 1)];
}

export function releaseLabel(release: string, secret: string | null): string {
  const [kind, name] = parted(release);
  if (kind === "sum") return `Sum, ${told(name)}`;
  const what = valued(name, secret ?? "");
  if (kind === "records") return `Records, ${what}`;
  return `Count, ${what}${kind === "suppressed" ? ", withheld below k" : ""}`;
}

/** "count", "sum" or "records". */
export function releaseNoun(release: string): "count" | "sum" | "records" {
  const [kind] = parted(release);
  return kind === "sum" || kind === "records" ? kind : "count";
}

/** A value of the secret as a noun. */
export function valued(label: string, secret: string): string {
  const plain = label.trim().toLowerCase();
  if (plain === "yes") return told(secret);
  return plain === "no" ? `no ${told(secret)}` : `${told(secret)} ${told(label)}`;
}

export function eventsLabel(events: Events): string {
  return { all: "all events", interval: "intervals", halfline: "thresholds" }[events];
}

/** Which events a bound holds for, in full. */
export function eventWords(events: Events): string {
  return { all: "all events", interval: "tests of an interval only", halfline: "threshold tests only" }[events];
}

// Slack, shares and factors as people read them.

/** Rounding of a binary number below its decimal one. */
const ROUNDING = 1e-9;
/** Powers of ten begin below these: what would be written 1.0e−3 is not. */
const LEAST = 0.000995;
const LEAST_UP = 0.00099;
/** Of a larger exponent the factor is no number of a computer. */
const MOST_EXPONENT = 700;

/** A slack: three decimals, four below 0.01, powers of ten below 0.001; a bound is rounded up. */
export function slackText(value: number, up = false): string {
  if (!Number.isFinite(value) || value === 0 || value === 1) return fixed(value, 0);
  const size = Math.abs(value);
  if (size < (up ? LEAST_UP : LEAST)) return powerText(value, up);
  if (size >= 1e12) return scientific(value, 2);
  const digits = size < 0.01 ? 4 : 3;
  const steps = value * 10 ** digits;
  const whole = up ? Math.ceil(steps - ROUNDING) : Math.sign(value) * Math.floor(Math.abs(steps) + 0.5);
  const shown = whole / 10 ** digits;
  if (shown === 1 && value < 1 && !up) return fixed(Math.floor(value * 1e4) / 1e4, 4);
  return fixed(shown, digits);
}

/** A power of ten with one decimal. */
function powerText(value: number, up: boolean): string {
  let power = Math.floor(Math.log10(Math.abs(value)));
  if (!up || power < -300) return scientific(value, 1);
  let tenths = Math.ceil(value / 10 ** (power - 1) - 1e-6);
  if (tenths >= 100) [tenths, power] = [10, power + 1];
  return `${Math.floor(tenths / 10)}.${tenths % 10}e−${-power}`;
}

/** A budget ε, nats. */
export function budgetText(epsilon: number): string {
  return Number.isFinite(epsilon) ? parameter(epsilon) : fixed(epsilon, 0);
}

/** A share in per cent, as few digits as it takes, at most two. */
export function percent(share: number): string {
  const hundredths = Math.floor(10000 * share + 0.5);
  return `${(hundredths / 100).toFixed(2).replace(/\.?0+$/, "")} %`;
}

/** The factor e^ε. */
export function factorText(epsilon: number): string {
  if (epsilon > MOST_EXPONENT) return `e^${parameter(epsilon)}`;
  const factor = Math.exp(epsilon);
  return factor < 100 ? fixed(factor, 2) : factor < 1e6 ? fixed(factor, 0) : scientific(factor);
}
