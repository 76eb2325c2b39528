/** What the explorer of inferred locations says: about itself, and users, places, budgets and bits in words. */
import { amount, count, fixed, inWords, parameter } from "../ui/format";
import type { HeadWords } from "../ui/head";
import { clip, isolate } from "../ui/lettering";
import { parseNumber, type Parsed } from "../ui/number-entry";

// What the explorer of inferred locations says about itself.

export const HEAD: HeadWords = {
  name: "Location inference",
  equation: "papers/dependent#the-attack-made-again",
  about: [
    "Cluster centres of the places of all users are published with noise. An adversary knows where other users " +
      "are and looks for one of them. The maps show what it believes before and after it sees the centres.",
    "Attack 1 takes the victim to be where all known users are, each alike. Attack 2 counts cells near the victim’s friends more often.",
    "The printed score is the entropy of the first prior less that of the last belief, in bits. Part of it was " +
      "known before anything was published: the prior gap. Only the rest comes from the release.",
    "Bits say how certain the adversary is, not whether it is right. The error in kilometres says that.",
    "Drag ε, choose another victim, draw new noise. Point at a map, or walk it with the arrow keys, for the numbers of a cell.",
  ],
  legend: [
    ["exact", "known before the release: the prior gap"],
    ["estimate", "a mean over users, with its interval of 95 % over draws of the noise"],
    ["paper", "the paper’s leaked information, as printed"],
    ["promise", "the budget in bits: a bound where the sensitivity is a guarantee"],
  ],
  paper: "C. Liu, S. Chakraborty, P. Mittal: Dependence Makes You Vulnerable: Differential Privacy Under Dependent Tuples.",
};

// Users, places, budgets and bits in words.

const NATS_PER_BIT = Math.LN2;

/** What rounding alone makes of no information. */
const NOTHING = 5e-10;

/** Longer names of users are cut. */
const LONGEST = 40;

export function bitsOf(nats: number): number {
  return nats / NATS_PER_BIT;
}

/** Bits as they stand in tables and sentences; digits are added where two that differ would read alike. */
export function bits(value: number, beside?: number): string {
  return Math.abs(value) < NOTHING ? "0" : amount(value, beside !== undefined && Number.isFinite(beside) ? beside : undefined, Infinity);
}

/** Bits in a column of numbers: three decimals, and what they would show as zero stands as that. */
export function bitsInTable(value: number): string {
  return Math.abs(value) < NOTHING ? "0" : Math.abs(value) < 0.0005 ? fixed(0, 3) : bits(value);
}

/** A distance in kilometres: metres matter near the truth only. */
export function km(value: number): string {
  return fixed(value, value >= 1000 ? 0 : value >= 100 ? 1 : 2);
}

/** "User 57" for a number, else the name itself. */
export function userName(label: string): string {
  const shown = isolate(clip(label, LONGEST)) || "(no name)";
  return /^\d+$/.test(label.trim()) ? `User ${shown}` : shown;
}

export function userText(label: string, friends: number): string {
  return `${userName(label)}, ${count(friends, "friend")}`;
}

/** A budget or a weight: two decimals where they are needed, no thousands signs. */
export function amountText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return String(value).replace("-", "−");
  return parameter(value).replace(/,/g, "").replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
}

/** A budget at the head of a row: no zeros in a power of ten. */
export function budgetInTable(value: number): string {
  return amountText(value).replace(/\.?0+e/, "e");
}

/** Why the weight of friends is refused, or null. */
export function refuseWeight(value: number, typed = amountText(value)): string | null {
  if (value > 0 && Number.isFinite(value)) return null;
  return `The weight ${clip(typed.trim(), 24)} is refused. Enter a number above 0.`;
}

/** Why a share in per cent is refused, or null. */
export function refuseShare(value: number, typed = `${amountText(value)} %`): string | null {
  if (value >= 0 && value <= 100) return null;
  return `The share ${clip(typed.trim(), 24)} is refused. Enter 0 to 100 %.`;
}

/** The field is in per cent: its sign may be left out. */
export function readShare(text: string): Parsed {
  const parsed = parseNumber(text.trim().replace(/%$/, ""));
  return parsed;
}

/** A cell by its place: columns from the west, rows from the south, from 1. */
export function cellName(cell: number, grid: number): string {
  return `${(cell % grid) + 1} east, ${Math.floor(cell / grid) + 1} north`;
}

/** What ε/ln 2 is: it bounds something only where it is a guarantee. */
export function limitName(holds: boolean): "bound" | "budget" {
  return holds ? "bound" : "budget";
}

/** "eight noisy cluster centres": as words up to twelve. */
export function centresInWords(clusters: number): string {
  return `${inWords(clusters)} noisy cluster centre${clusters === 1 ? "" : "s"} published`;
}
