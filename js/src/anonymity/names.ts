/** What releases, readings and events are called (releases as in the menu, widgets/anonymity_menu.py). */
import { clip, inQuotes, isolate } from "../ui/lettering";
import type { Events, Level } from "./protocol";

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
