/**
 * Everything that one look at a table of records shows: its classes, curves over ε, and what one record less or more
 * knowledge changes.
 */
import type { AnonymityResults, AnonymityView } from "../anonymity/protocol";
import { toBytes } from "../ui/wire";
import { classesOf, classStates, closenessOf, diversityOf, mondrian, singleValued, type Classes } from "./anonymity-classes";
import {
  boundCurves,
  exactCurve,
  normalBound,
  printedCurve,
  printedValues,
  readingsOf,
  recipeOf,
  type Case,
  type Curve,
} from "./anonymity-curves";
import {
  adversaryOf,
  axisEnd,
  exactOf,
  fits,
  outcomesApart,
  MOST_WORK,
  Sums,
  unknownOf,
  type AnonymityInputs,
  type Exact,
  type Question,
  type Unknown,
} from "./anonymity-exact";
import { growingWork, latticeOf, momentsOf, rangeOf, type Moments, type RecordLaw } from "./anonymity-laws";
import {
  addingTo,
  lawIn,
  lawOf,
  tableOf,
  type ClassNumbers,
  type Column,
  type Release,
  type Summary,
  type Table,
} from "./anonymity-release";

// How the classes of the others change when one record is left out: syntactic sensitivity by removal.

/** Records that a page leaves out one after the other. */
export const MOST_REMOVED = 300;

/** A run for each record; yields the share done. NaN for records that are not published. */
export function* removalSteps(
  { columns, records }: Table,
  quasi: readonly number[],
  k: number,
  { rows, classes }: Classes,
): Generator<number, Removals | null> {
  // Without one there must be enough for a class.
  if (rows.length - 1 < k) return null;
  const values = quasi.map((j) => (columns[j] as Column).values);
  const sizes = new Int32Array(records);
  for (const one of classes) for (const row of one.rows) sizes[row] = one.rows.length;
  const changes = new Float64Array(records).fill(NaN);
  let worst = rows[0] as number;
  for (const [done, left] of rows.entries()) {
    let most = 0;
    for (const group of mondrian(values, rows.filter((row) => row !== left), k)) {
      for (const row of group) most = Math.max(most, Math.abs(group.length - (sizes[row] as number)));
    }
    changes[left] = most;
    if (most > (changes[worst] as number)) worst = left;
    yield (done + 1) / rows.length;
  }
  return { changes: toBytes(changes), largest: changes[worst] as number, worst, sampled: null };
}

// Everything that one look at a table of records shows: its classes, curves over ε, and what more knowledge changes.

/** Points of the axis of ε, and shares of the known curve. */
const POINTS = 101;
const SHARES = 41;
const MOST_KEPT = 40;

/** What was found for one law of a record. */
interface Found {
  law: RecordLaw;
  /** Records of the table that add to the release. */
  records: number;
  moments: Moments;
  /** Points of the law on its lattice; null without one. */
  points: number | null;
  /** Laws of sums, by how many records. */
  sums: Sums;
}

export type Removals = NonNullable<AnonymityResults["removals"]>;

/** The table of one page, with what was found for it. */
export interface AnonymityPage {
  table: Table;
  classes: Map<string, Classes | null>;
  found: Map<string, Found>;
  removals: Map<string, Removals>;
  /** What stands for records that are not in the page; null where all are. */
  summary: Summary | null;
}

export function anonymityPage(view: Pick<AnonymityView, "columns" | "records">, summary: Summary | null = null): AnonymityPage {
  return { table: tableOf(view), classes: new Map(), found: new Map(), removals: new Map(), summary };
}

function keep<T>(kept: Map<string, T>, key: string, make: () => T): T {
  const known = kept.get(key);
  if (known !== undefined) return known;
  if (kept.size >= MOST_KEPT) kept.clear();
  const made = make();
  kept.set(key, made);
  return made;
}

/** What groups depend on. */
export function groupsKey({ quasi, k }: Pick<AnonymityInputs, "quasi" | "k">): string {
  return `${quasi.join()} ${k}`;
}

export function classesIn(page: AnonymityPage, inputs: Pick<AnonymityInputs, "quasi" | "k">): Classes | null {
  return keep(page.classes, groupsKey(inputs), () => classesOf(page.table, inputs.quasi, inputs.k));
}

function foundIn(page: AnonymityPage, inputs: AnonymityInputs, release: Release, classes: Classes | null): Found {
  return keep(page.found, `${inputs.quasi.join()} ${release.column} ${release.value}`, () => {
    const rows = classes?.rows ?? [];
    const { law, records } = (page.summary && lawIn(page.summary, release)) ?? {
      law: lawOf(page.table, release, rows),
      records: addingTo(page.table, release, rows),
    };
    return {
      law,
      records,
      moments: momentsOf(law),
      points: latticeOf(law)?.law.chances.length ?? null,
      sums: new Sums(),
    };
  });
}

/** What the classes alone say. */
function classNumbers(
  { table }: AnonymityPage,
  { quasi, secret: hidden }: AnonymityInputs,
  classes: Classes,
  release: Release,
  drawn: readonly [number, number | null],
): ClassNumbers {
  const secret = hidden === null ? null : (table.columns[hidden] as Column);
  const counted = release.kind !== "sum" ? release.value : null;
  const sizes = classes.classes.map(({ rows }) => rows.length);
  return {
    achieved: Math.min(...sizes),
    sizes: [Math.min(...sizes), Math.max(...sizes)],
    classes: classStates(table, classes, quasi, drawn, secret, counted),
    classes_in_all: classes.classes.length,
    suppressed: classes.suppressed,
    single: secret ? singleValued(classes, secret) : 0,
    diversity: secret && diversityOf(classes, secret),
    closeness: secret && closenessOf(classes, secret),
  };
}

/** Without classes, those of the summary of a page. */
export function anonymityResults(
  page: AnonymityPage,
  inputs: AnonymityInputs,
  classes: Classes | null,
  release: Release,
  drawn: readonly [number, number | null],
): AnonymityResults {
  const { epsilon, level, k } = inputs;
  const found = foundIn(page, inputs, release, classes);
  const { law, moments } = found;
  // Of more or fewer records than the table has the law of one is the same.
  const n = inputs.n ?? found.records;
  const { share: known, d } = adversaryOf(inputs);
  const unknown = unknownOf(n, known, d);
  const { all, block, others } = unknown;
  const share = release.value === null ? NaN : (law.chances[1] as number);
  const range = release.value === null ? rangeOf(law) : 1;
  // A record that is there or not adds its whole value: the largest one, and not the range, bounds the change.
  const largest = Math.max(Math.abs(law.values[0] ?? 0), Math.abs(law.values[law.values.length - 1] ?? 0));
  const shift = inputs.neighbour === "presence" ? block * largest : Math.abs(inputs.shift ?? block * range);
  const question: Question = {
    kind: release.kind,
    law,
    range,
    share,
    neighbour: inputs.neighbour,
    shift: inputs.shift,
    k,
    records: n,
    having: Math.floor(share * n + 0.5),
  };
  const exact = (left: Unknown): Exact => exactOf(question, left, found.sums);
  const one: Case = { inputs, kind: release.kind, share, moments, all, others, block, shift };

  const end = axisEnd(epsilon);
  const axis = Float64Array.from({ length: POINTS }, (_, i) => (end < 1e300 ? (end * i) / (POINTS - 1) : end * (i / (POINTS - 1))));
  const readings = readingsOf(release.kind, level);
  const asked = exact(unknown);
  const line = exactCurve(asked, axis, epsilon);
  const laws = "laws" in asked && asked.laws ? outcomesApart(asked.laws) : null;
  const curves: Curve[] = [line, ...boundCurves(one, axis)];
  if (inputs.printed && readings.includes(inputs.reading)) curves.push(printedCurve(inputs.reading, one, axis, line));

  const shares = Float64Array.from({ length: SHARES }, (_, i) => i / (SHARES - 1));
  const at = (known: number): number => {
    const made = exact(unknownOf(n, known, d));
    return "why" in made ? NaN : made.at(epsilon);
  };
  const computed = Array.from(shares, (known) => unknownOf(n, known, d)).filter((left) => fits(found.points ?? 0, left, inputs.neighbour));
  const blocks = computed.map(({ others, block }) => Math.floor(others / block));
  const affordable = release.kind === "records" || (found.points !== null && growingWork(found.points, blocks) <= MOST_WORK);
  // From the fewest unknown records on.
  const byShare = affordable ? Float64Array.from(shares, (_, k) => at(shares[SHARES - 1 - k] as number)).reverse() : shares.map(() => NaN);
  const nothing = at(0);
  const normal = normalBound(one);
  return {
    k,
    epsilon: Number.isFinite(epsilon) ? epsilon : String(epsilon),
    ...(classes ? classNumbers(page, inputs, classes, release, drawn) : (page.summary as Summary).groups),
    unknown: others,
    share: Number.isNaN(share) ? null : share,
    shift,
    nothing_known: Number.isNaN(nothing) ? null : nothing,
    spread: normal.deviation,
    ratio: normal.ratio,
    axis: toBytes(axis),
    curves: curves.map(({ delta, drawn, ...rest }) => ({ ...rest, delta: toBytes(delta), drawn: toBytes(drawn) })),
    printed: printedValues(readings, inputs.reading, one, line),
    known: { share: toBytes(shares), delta: toBytes(byShare) },
    recipe: recipeOf(one),
    laws: laws && { changed: toBytes(laws[0]), same: toBytes(laws[1]) },
    removals: page.removals.get(groupsKey(inputs)) ?? null,
  };
}
