/** Who may receive a release of dependent tuples, what each of them sees, and what that leaks, exactly. */
import type { Law } from "./dependence-coefficients";
import { densities, gridOf, placeOf, type Densities, type Grid } from "./dependence-grid";
import { InputFault } from "./faults";

// Who may receive a release of dependent tuples, and what each of them sees: the law of the output for every value of a tuple.

/** The rows that can occur, with what they give as output. */
export interface OutputLaw extends Law {
  sizes: readonly number[];
  /** Numbers of one output. */
  width: number;
  /** Rows x width. */
  outputs: Float64Array;
}

/** Rows in which the known tuples have the same values. */
interface Group {
  /** The first of them. */
  row: number;
  grid: Grid;
  /** Laws of the output on the grid, for one possible value after the other of one target after the other. */
  weights: Float64Array;
  /** Which value each law is for. */
  values: Int32Array;
  /** Where the laws of each target begin, and where those of the last end. */
  begins: Int32Array;
}

/** What somebody knows, and about whom they learn: tuples that are not known. */
export interface Adversary {
  known: readonly number[];
  targets: readonly number[];
  groups: readonly Group[];
  /** Numbers of the output that say something; the others are settled by what is known. */
  kept: readonly number[];
  /** The smallest and the largest output of all, where an end stands for them. */
  ends: readonly [number, number] | null;
}

/** Numbers that are gone through for one scale: a page is to answer at once. */
export class Work {
  private done = 0;

  constructor(
    readonly most: number,
    private readonly text: string,
    private readonly name: string,
  ) {}

  /** Refuses what is far too much before it begins. */
  expect(numbers: number): void {
    if (numbers > 4 * this.most) this.add(numbers);
  }

  add(numbers: number): void {
    this.done += numbers;
    if (this.done > this.most) throw new InputFault(this.text, { kind: "parameter", name: this.name });
  }
}

/** A combination of known values takes a while, however few outputs it has: as long as so many numbers. */
const EACH = 40;

/** Somebody who knows no tuple. */
export function knowingNobody(law: OutputLaw, work: Work): Adversary[] {
  return [adversary(law, [], all(law.n), work)];
}

/** Somebody who knows some tuples; about each of these, somebody who knows the others. */
export function knowingChosen(law: OutputLaw, known: readonly number[], work: Work): Adversary[] {
  const unknown = all(law.n).filter((j) => !known.includes(j));
  const shared = unknown.length > 0 ? [adversary(law, known, unknown, work)] : [];
  return [...shared, ...known.map((j) => adversary(law, known.filter((k) => k !== j), [j], work))];
}

/** Everybody, whichever tuples they know: smaller sets first. */
export function knowingAny(law: OutputLaw, work: Work): Adversary[] {
  // Nothing is begun that cannot come to an end in time: outputs that coincide make it a few times less.
  const labels = law.sizes.reduce((sum, size) => sum + size, 0);
  work.expect(law.chances.length * labels * 2 ** (law.n - 1));
  const found: Adversary[] = [];
  for (let many = 0; many < law.n; many++) {
    for (const known of subsets(law.n, many)) found.push(adversary(law, known, all(law.n).filter((j) => !known.includes(j)), work));
  }
  return found;
}

function all(n: number): number[] {
  return Array.from({ length: n }, (_, j) => j);
}

/** Sets of some of 0, 1, ..., n - 1, in the order of a dictionary. */
function* subsets(n: number, many: number, from = 0): Generator<number[]> {
  if (many === 0) return void (yield []);
  for (let first = from; first <= n - many; first++) {
    for (const rest of subsets(n, many - 1, first + 1)) yield [first, ...rest];
  }
}

function adversary(law: OutputLaw, known: readonly number[], targets: readonly number[], work: Work): Adversary {
  const members = groupsOf(law, known);
  const kept = keptOf(law, members);
  const labels = targets.reduce((sum, j) => sum + (law.sizes[j] as number), 0);
  if (law.width === 1) {
    // A line for each combination of known values: it is short where what is known shifts the output.
    const groups = members.map((rows) => {
      const grid = gridOf(pick(law, rows, kept), 1);
      work.add(grid.size * labels + EACH);
      return groupOf(law, rows, targets, grid, null);
    });
    return { known, targets, groups, kept, ends: endsOf(law, members) };
  }
  const every = Array.from(law.chances, (_, row) => row);
  const size = kept.reduce((points, k) => points * new Set(every.map((row) => law.outputs[row * law.width + k])).size, 1);
  work.add(members.length * (size * labels * Math.max(1, kept.length) + EACH));
  const grid = gridOf(pick(law, every, kept), kept.length);
  return { known, targets, groups: members.map((rows) => groupOf(law, rows, targets, grid, rows)), kept, ends: null };
}

/** Rows by the values of the known tuples, these in ascending order. */
function groupsOf({ n, codes, sizes, chances }: OutputLaw, known: readonly number[]): number[][] {
  let index = new Int32Array(chances.length);
  let count = 1;
  for (const j of known) {
    const size = sizes[j] as number;
    const keys = index.map((group, row) => group * size + (codes[row * n + j] as number));
    const present = [...new Set(keys)].sort((a, b) => a - b);
    const places = new Map(present.map((key, place) => [key, place]));
    index = keys.map((key) => places.get(key) as number);
    count = present.length;
  }
  const rows: number[][] = Array.from({ length: count }, () => []);
  index.forEach((group, row) => (rows[group] as number[]).push(row));
  return rows;
}

/** The numbers of the output that are not the same throughout every group. */
function keptOf({ width, outputs }: OutputLaw, groups: readonly number[][]): number[] {
  const every = Array.from({ length: width }, (_, k) => k);
  if (width === 1 || groups.length === 1) return every;
  const kept = every.filter((k) => groups.some((rows) => rows.some((row) => outputs[row * width + k] !== outputs[(rows[0] as number) * width + k])));
  return kept.length > 0 ? kept : [0];
}

function pick({ width, outputs }: OutputLaw, rows: readonly number[], kept: readonly number[]): Float64Array {
  return Float64Array.from(
    { length: rows.length * kept.length },
    (_, k) =>
      outputs[(rows[Math.floor(k / kept.length)] as number) * width + (kept[k % kept.length] as number)] as number,
  );
}

/** As Python: where groups are long the ends are those of all outputs, else their own. */
function endsOf({ outputs }: OutputLaw, groups: readonly number[][]): [number, number] | null {
  const different = new Set(outputs).size;
  if (groups.length > 1 && 2 * Math.max(...groups.map(({ length }) => length)) < different) return null;
  return [outputs.reduce((a, b) => Math.min(a, b), Infinity), outputs.reduce((a, b) => Math.max(a, b), -Infinity)];
}

/** `among`: the grid is of all rows, and these are those of the group; null where it is of the group's own. */
function groupOf(
  { n, codes, chances, sizes }: OutputLaw,
  rows: readonly number[],
  targets: readonly number[],
  grid: Grid,
  among: readonly number[] | null,
): Group {
  const width = grid.size;
  const values: number[] = [];
  const begins = [0];
  const parts: Float64Array[] = [];
  for (const target of targets) {
    const size = sizes[target] as number;
    const sums = new Float64Array(size);
    for (const row of rows) sums[codes[row * n + target] as number]! += chances[row] as number;
    const places = new Int32Array(size).fill(-1);
    sums.forEach((sum, value) => {
      if (sum > 0) places[value] = values.push(value) - 1 - (begins.at(-1) as number);
    });
    const count = values.length - (begins.at(-1) as number);
    const laws = new Float64Array(count * width);
    rows.forEach((row, k) => {
      const value = codes[row * n + target] as number;
      const at = (places[value] as number) * width + (grid.index[among === null ? k : row] as number);
      laws[at] = (laws[at] as number) + (chances[row] as number) / (sums[value] as number);
    });
    parts.push(laws);
    begins.push(values.length);
  }
  const weights = new Float64Array(values.length * width);
  let start = 0;
  for (const part of parts) {
    weights.set(part, start);
    start += part.length;
  }
  return { row: rows[0] as number, grid, weights, values: Int32Array.from(values), begins: Int32Array.from(begins) };
}

// What a release leaks about each of several dependent tuples, exactly: the largest log ratio of the densities of an output.

/** Two leakages this near are equal but for rounding. */
const TIE = 1e-12;

/** Where a leakage about one tuple is attained. */
export interface Leak {
  value: number;
  adversary: Adversary;
  /** Position among the groups; 0 where one value of the tuple is possible. */
  group: number;
  /** Grid point, and the values made more and less likely; null where nothing can be learned. */
  peak: { at: number; more: number; less: number } | null;
}

interface Peak {
  value: number;
  at: number;
  more: number;
  less: number;
}

/** The leakage about every tuple, to whichever adversary learns most of it: among equal ones the first. */
export function leaksAt(adversaries: readonly Adversary[], n: number, scale: number): Leak[] {
  const found: Leak[][] = Array.from({ length: n }, () => []);
  for (const adversary of adversaries) {
    const groups = adversary.groups.map((group) => ({ group, made: densities(group.grid, group.weights, scale) }));
    adversary.targets.forEach((target, place) => {
      const values = groups.map(({ group, made }) => valueOf(group, made, place));
      const top = Math.max(0, ...values);
      // Of combinations that are equal but for rounding the first is named, among those that leave two values.
      const at = values.findIndex((value) => value >= top - TIE * Math.max(1, top));
      const chosen = groups[at];
      (found[target] as Leak[]).push({ value: top, adversary, group: Math.max(0, at), peak: chosen ? peakOf(chosen.group, chosen.made, place) : null });
    });
  }
  return found.map(firstLargest);
}

function firstLargest(leaks: readonly Leak[]): Leak {
  const top = Math.max(...leaks.map(({ value }) => value));
  return leaks.find(({ value }) => value >= top - TIE * Math.max(1, top)) as Leak;
}

/** The largest leakage about any tuple, as a number. */
export function largestLeak(adversaries: readonly Adversary[], scale: number): number {
  let found = 0;
  for (const { groups, targets } of adversaries) {
    for (const group of groups) {
      const made = densities(group.grid, group.weights, scale);
      for (let place = 0; place < targets.length; place++) found = Math.max(found, valueOf(group, made, place));
    }
  }
  return found;
}

/** The largest ratio about one target in one group, 0 or more; -1 where it has one possible value. */
function valueOf({ grid, begins }: Group, { values, over, ratio }: Densities, place: number): number {
  const [from, to] = [begins[place] as number, begins[place + 1] as number];
  if (to - from < 2) return -1;
  const { size } = grid;
  let [best, most, least] = [-Infinity, 1, 1];
  for (let g = 0; g < size; g++) {
    let high = values[from * size + g] as number;
    let low = high;
    for (let row = from + 1; row < to; row++) {
      const value = values[row * size + g] as number;
      if (value > high) high = value;
      else if (value < low) low = value;
    }
    const gain = over(high, low);
    if (gain > best) {
      best = gain;
      most = high;
      least = low;
    }
  }
  return Math.max(0, ratio(most, least));
}

/** The largest ratio about one target in one group, and where it is. */
function peakOf({ grid, begins, values: labels }: Group, { values, over, ratio }: Densities, place: number): Peak {
  const [from, to] = [begins[place] as number, begins[place + 1] as number];
  const { size } = grid;
  let [best, at] = [-Infinity, 0];
  for (let g = 0; g < size; g++) {
    let high = values[from * size + g] as number;
    let low = high;
    for (let row = from + 1; row < to; row++) {
      const value = values[row * size + g] as number;
      if (value > high) high = value;
      else if (value < low) low = value;
    }
    const gain = over(high, low);
    if (gain > best) [best, at] = [gain, g];
  }
  const ends = (g: number): { value: number; more: number; less: number } => {
    let [more, less] = [from, from];
    for (let row = from + 1; row < to; row++) {
      const value = values[row * size + g] as number;
      if (value > (values[more * size + g] as number)) more = row;
      if (value < (values[less * size + g] as number)) less = row;
    }
    const value = ratio(values[more * size + g] as number, values[less * size + g] as number);
    // Where nothing is told apart, any two possible values do.
    if (more === less) less = more === from ? from + 1 : from;
    return { value, more: labels[more] as number, less: labels[less] as number };
  };
  const largest = ends(at);
  // Among equal places an end is named before a point within.
  const enough = largest.value - TIE * Math.max(1, largest.value);
  for (const end of [0, size - 1]) {
    const there = ends(end);
    if (there.value >= enough) return { ...there, value: Math.max(0, largest.value), at: end };
  }
  return { ...largest, value: Math.max(0, largest.value), at };
}

/** What is known there, as positions of values; 0 where nothing is attained. */
export function knownValues({ adversary, group, peak }: Leak, { n, codes }: OutputLaw): number[] {
  const row = (adversary.groups[group] as Group).row;
  return adversary.known.map((k) => (peak === null ? 0 : (codes[row * n + k] as number)));
}

/** The output that parts two values most. */
export function attainedAt(
  { adversary, group: place, peak }: Leak,
  { width, outputs }: OutputLaw,
): { pair: [number, number]; output: number[]; side: "<=" | ">=" | "=" } | null {
  if (peak === null) return null;
  const { grid, row } = adversary.groups[place] as Group;
  const output = Array.from({ length: width }, (_, k) => outputs[row * width + k] as number);
  placeOf(grid, peak.at).forEach((x, k) => (output[adversary.kept[k] as number] = x));
  const side = width > 1 ? "=" : peak.at === 0 ? "<=" : peak.at === grid.size - 1 ? ">=" : "=";
  if (adversary.ends !== null && side !== "=") output[0] = adversary.ends[side === "<=" ? 0 : 1];
  return { pair: [peak.more, peak.less], output, side };
}
