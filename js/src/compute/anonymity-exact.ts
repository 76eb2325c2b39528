/** What is asked about one record of a release, and the exact slack that answers it. */
import type { Events, Level, Neighbour } from "../anonymity/protocol";
import {
  binomial,
  convolved,
  latticeOf,
  MOST_POINTS,
  Powers,
  shifted,
  slackBetween,
  stepsOf,
  stretched,
  workOf,
  type Lattice,
  type Law,
  type RecordLaw,
} from "./anonymity-laws";
import type { ReleaseKind } from "./anonymity-release";

// What a hand sets about k-anonymity, checked; what is wrong is said in the words of Python.

/** What results belong to. */
export interface AnonymityInputs {
  quasi: number[];
  secret: number | null;
  k: number;
  release: string;
  /** Records that it is of; null for those of the table. */
  n: number | null;
  neighbour: Neighbour;
  groupChange: number;
  shift: number | null;
  level: Level;
  known: number;
  neighbours: number;
  epsilon: number;
  events: Events;
  delta1: number | null;
  printed: boolean;
  reading: string;
}

/** Share known and records that move together, as the level has it. */
export function adversaryOf({ level, known, neighbours }: Pick<AnonymityInputs, "level" | "known" | "neighbours">): { share: number; d: number } {
  return { share: level === "III" || level === "IV" ? known : 0, d: level === "II" || level === "IV" ? neighbours : 1 };
}

export interface Unknown {
  /** Unknown records, the target among them, those that move with it, and the others. */
  all: number;
  block: number;
  others: number;
}

export function unknownOf(n: number, share: number, d: number): Unknown {
  const all = n - Math.floor(share * n + 0.5);
  const targets = Math.min(d, all);
  return { all, block: Math.max(1, targets), others: all - targets };
}

/** The end of the axis of ε: 2.5, or the next of 5, 10, 25, 50 and so on. */
export function axisEnd(epsilon: number): number {
  if (!Number.isFinite(epsilon) || epsilon <= 2.5) return 2.5;
  for (let power = 1; ; power *= 10) {
    for (const step of [2.5, 5, 10]) if (step * power >= epsilon) return step * power;
    if (power > 1e300) return Number.MAX_VALUE;
  }
}

// The exact slack of a release: two laws on one lattice for the two states of the target.

/** What is compared, for one release of one table. */
export interface Question {
  kind: ReleaseKind;
  law: RecordLaw;
  /** Its largest value less its smallest; 1 for counts. */
  range: number;
  /** Share of the counted value; NaN for sums. */
  share: number;
  neighbour: Neighbour;
  /** Change in the released sum; null for the range of the target's block. */
  shift: number | null;
  k: number;
  /** Records that are published, and those of them that have the counted value. */
  records: number;
  having: number;
}

/** Delta by ε, and the two laws that it is between, changed and as it is; or why it is not computed. */
export type Exact = { at(epsilon: number): number; laws?: readonly [Law, Law] } | { why: string };

/** Chances of a law sum to 1 but for this: laws that never meet are told apart with certainty. */
const ROUNDING = 1e-12;
/** Slacks below it are not told from 0: laws end at 1e-280, and have at most 200,000 points. */
const LEAST = 1e-270;
/** Multiplications of one answer: what takes longer needs a kernel. */
export const MOST_WORK = 3e8;

/** Unknown records of which published ones are computed. */
const MOST_PUBLISHED = 1e6;

/** Sums that are kept: the curve by share known has 41. */
const MOST_SUMS = 128;

const lattices = new WeakMap<RecordLaw, Lattice | null>();

function latticeFor(law: RecordLaw): Lattice | null {
  let found = lattices.get(law);
  if (found === undefined) lattices.set(law, (found = latticeOf(law)));
  return found;
}

/**
 * The least number of unknown records with the value that is published. Of the known records as many as can have it
 * count towards k: what is withheld below more can be made from what is withheld below fewer, so that this is the worst.
 */
function leastShown({ k, records, having }: Question, unknown: number): number {
  return Math.max(1, k - Math.min(records - unknown, having));
}

/** Whether the sum of the others, with the target's block where that is there or not, has few enough values. */
export function fits(points: number, { others, block }: Pick<Unknown, "others" | "block">, neighbour: Neighbour): boolean {
  return (points - 1) * (others + (neighbour === "presence" ? block : 0)) + 1 <= MOST_POINTS;
}

/** Of `all` unknown records `m` others in blocks of `d` equal ones, beside the block of the target, also of d. */
export function exactOf(question: Question, { all, others: m, block: d }: Unknown, sums: Sums): Exact {
  const { kind, law, range, neighbour, shift } = question;
  if (kind === "records") {
    if (m >= MOST_PUBLISHED) return { why: "too many records are unknown" };
    return d > 1 ? { why: "published records are computed for records without dependence only" } : published(question.share, leastShown(question, all), m + 1);
  }
  const lattice = latticeFor(law);
  if (!lattice) return { why: "values have no common step" };
  const width = lattice.law.chances.length - 1;
  if (!fits(width + 1, { others: m, block: d }, neighbour)) return { why: "the sum has too many values" };
  const steps = neighbour === "presence" ? 0 : stepsOf(shift === null ? d * range : Math.abs(shift), lattice.step);
  if (steps === null) return { why: "the change in the sum is no multiple of the step of the values" };
  if (workOf(width + 1, Math.floor(m / d)) > MOST_WORK) return { why: "the sum has too many values for this page: it needs a kernel" };
  const sum = sums.of(lattice.law, m, d);
  let laws: [Law, Law];
  if (neighbour === "presence") {
    // Both on the lattice of values: that of one record lies off it unless its least value does not.
    const offset = stepsOf(d * lattice.least, lattice.step);
    // The sums with and without it have no value in common: they are always told apart.
    if (offset === null) return { at: () => 1, laws: [APART, { ...APART, start: 1 }] };
    laws = [shifted(convolved(sum, stretched(lattice.law, d)), offset), sum];
  } else {
    laws = [shifted(sum, steps), sum];
  }
  if (kind === "suppressed") {
    const start = Math.round((m * lattice.least) / lattice.step);
    laws = laws.map((one) => merged(shifted(one, start), leastShown(question, all))) as [Law, Law];
  }
  return {
    laws,
    at(epsilon) {
      const slack = slackBetween(laws[0], laws[1], epsilon);
      return slack >= 1 - ROUNDING ? 1 : slack < LEAST ? 0 : slack;
    },
  };
}

const APART: Law = { start: 0, chances: Float64Array.of(1) };

/** Chances below it at the ends of two laws, no power of a round one; and how many outcomes are told apart one by one. */
const [RARE, OUTCOMES] = [3.7e-18, 1024];

/**
 * The chances of common outcomes under two laws; null where there are too many. What only one of them can cause is one
 * outcome, and at both ends what hardly ever happens is.
 */
export function outcomesApart([first, second]: readonly [Law, Law]): [Float64Array, Float64Array] | null {
  const alone: [number, number] = [0, 0];
  const both: [number, number][] = [];
  const laws = [first, second] as const;
  // The two may begin far from each other: what lies between them is no outcome.
  laws.forEach((law, side) => {
    const other = laws[1 - side] as Law;
    law.chances.forEach((p, k) => {
      const q = other.chances[k + law.start - other.start] ?? 0;
      if (!(p > 0 && q > 0)) alone[side as 0 | 1] += p;
      else if (side === 0) both.push([p, q]);
    });
  });
  const often = ([p, q]: [number, number]): boolean => p >= RARE || q >= RARE;
  const low = Math.max(0, both.findIndex(often));
  let high = both.length;
  while (high > 0 && !often(both[high - 1] as [number, number])) high -= 1;
  if (high - low > OUTCOMES) return null;
  const end = (part: [number, number][]): [number, number] => part.reduce(([a, b], [p, q]): [number, number] => [a + p, b + q], [0, 0]);
  const all: [number, number][] = [[alone[0], 0], [0, alone[1]], end(both.slice(0, low)), ...both.slice(low, high), end(both.slice(high))];
  const columns = all.filter(([p, q]) => p > 0 || q > 0);
  return [Float64Array.from(columns, ([p]) => p), Float64Array.from(columns, ([, q]) => q)];
}

/** Sums of others of one law, from their least value on; each is found once, and from that of fewer where one is asked for after it. */
export class Sums {
  private readonly found = new Map<string, Law>();
  private powers: Powers | null = null;

  of(law: Law, m: number, d: number): Law {
    const key = `${m} ${d}`;
    const known = this.found.get(key);
    if (known) return known;
    this.powers ??= new Powers(law);
    const left = m % d;
    let sum = stretched(this.powers.of(Math.floor(m / d)), d);
    if (left > 0) sum = convolved(sum, stretched(law, left));
    if (this.found.size >= MOST_SUMS) this.found.clear();
    this.found.set(key, sum);
    return sum;
  }
}

/** Counts below k as one outcome. */
function merged({ start, chances }: Law, k: number): Law {
  const cut = Math.min(chances.length, Math.max(0, k - start));
  if (cut === 0) return { start, chances };
  const below = chances.subarray(0, cut).reduce((sum, p) => sum + p, 0);
  const rest = chances.length - cut;
  // "Nothing" stands at k - 1, below every count that is published.
  const from = rest > 0 ? start + cut : k;
  const out = new Float64Array(from - (k - 1) + rest);
  out[0] = below;
  out.set(chances.subarray(cut), from - (k - 1));
  return { start: k - 1, chances: out };
}

/** The records with the value are themselves published, none below k: n records with the target. */
function published(p: number, k: number, n: number): Exact {
  if (!(p > 0 && p < 1)) return { at: () => (p > 0 && n >= k ? 1 : 0) };
  const tail = (count: number, least: number): number => sumOf(binomial(count, p), least, Infinity);
  const [a, c] = [p * tail(n - 1, k - 1), tail(n - 1, k)];
  const [fewer, all] = [sumOf(binomial(n - 1, p), 0, k), sumOf(binomial(n, p), 0, k)];
  return {
    at(epsilon) {
      const e = Math.exp(epsilon);
      const times = (x: number): number => (x === 0 ? 0 : e * x);
      return Math.max(a, Math.max(0, 1 - times(1 - p)) * c + Math.max(0, fewer - times(all)));
    },
  };
}

/** Chance of a count from one number to below another, compensated: small terms beside large ones. */
function sumOf({ start, chances }: Law, from: number, below: number): number {
  let [sum, lost] = [0, 0];
  const end = Math.min(chances.length, below - start);
  for (let k = Math.max(0, from - start); k < end; k++) {
    const term = (chances[k] as number) - lost;
    const next = sum + term;
    lost = next - sum - term;
    sum = next;
  }
  return sum;
}
