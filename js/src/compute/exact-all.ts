/** Exact leakage of all adversaries, who know values of one row or the worst of all values that can occur. */
import { columnCount, knownOf } from "../graph/nodes";
import { exactNode } from "./exact-node";
import { falling, isNarrow, logShare, reachOf } from "./extreme-noise";
import { general, InputFault } from "./faults";
import { centresOf, countReleases } from "./linear-query";
import { groupBound, withinBounds, type Release } from "./releases";
import { addUp, combinations, withSums } from "./states";
import { sizeOf, stridesOf } from "./table";

// The largest ratio of the densities of two labels, over all releases, for many adversaries who attack one tuple. The
// density of r given a label is a number of a weighted table over the same number of the table itself.

/** Where an adversary's labels lie: the first of them, and the step from one to the next, in cells. */
export interface Places {
  starts: Int32Array;
  step: number;
  labels: number;
}

class Ratios {
  /** Which labels can occur with the known values: fewer than two leave nothing to compare. */
  private readonly choices: Uint16Array;
  /** Largest ratio so far; of two labels largest and smallest, before their factor: one division for each release. */
  private readonly high: Float64Array;
  private readonly low: Float64Array;
  private readonly two: boolean;

  /** `factors` are the sums of probabilities by cell; they and the cells may be logarithms. */
  constructor(
    private readonly places: Places,
    private readonly factors: Float64Array,
    private readonly logarithms: boolean,
    /** Of wide noise, see extreme-noise.ts; 0 for any other. */
    private readonly reach = 0,
  ) {
    const { starts, step, labels } = places;
    // Logarithms are large numbers: each is measured from its factor before they are compared.
    this.two = labels === 2 && !logarithms && reach === 0;
    this.high = new Float64Array(starts.length).fill(-Infinity);
    this.low = new Float64Array(starts.length).fill(Infinity);
    this.choices = new Uint16Array(starts.length);
    for (let k = 0; k < starts.length; k++) {
      let count = 0;
      for (let v = 0; v < labels; v++) if (this.possible(factors[(starts[k] as number) + v * step] as number)) count += 1;
      this.choices[k] = count;
    }
  }

  private possible(factor: number): boolean {
    return this.logarithms ? factor !== -Infinity : factor > 0;
  }

  /** Takes the weighted table for some releases, which stand side by side in each cell. */
  take(cells: Float64Array, width: number): void {
    for (let k = 0; k < this.choices.length; k++) {
      if ((this.choices[k] as number) < 2) continue;
      if (this.two) this.takeTwo(cells, width, k);
      else this.takeMany(cells, width, k);
    }
  }

  private takeTwo(cells: Float64Array, width: number, k: number): void {
    const first = (this.places.starts[k] as number) * width;
    const second = first + this.places.step * width;
    let high = this.high[k] as number;
    let low = this.low[k] as number;
    for (let r = 0; r < width; r++) {
      const ratio = (cells[second + r] as number) / (cells[first + r] as number);
      if (ratio > high) high = ratio;
      if (ratio < low) low = ratio;
    }
    this.high[k] = high;
    this.low[k] = low;
  }

  private takeMany(cells: Float64Array, width: number, k: number): void {
    const { starts, step, labels } = this.places;
    const { factors, logarithms, reach } = this;
    const first = starts[k] as number;
    let best = this.high[k] as number;
    for (let r = 0; r < width; r++) {
      let high = -Infinity;
      let low = Infinity;
      for (let v = 0; v < labels; v++) {
        const cell = first + v * step;
        const z = factors[cell] as number;
        if (logarithms ? z === -Infinity : z === 0) continue;
        const value = cells[cell * width + r] as number;
        const density = logarithms ? value - z : reach > 0 ? logShare(value / z, reach) : value / z;
        if (density > high) high = density;
        if (density < low) low = density;
      }
      const gain = logarithms || reach > 0 ? high - low : high / low;
      if (gain > best) best = gain;
    }
    this.high[k] = best;
  }

  /** The leakage of one adversary in nats; NaN when the target is determined. */
  leakage(k: number): number {
    if ((this.choices[k] as number) < 2) return NaN;
    const high = this.high[k] as number;
    const low = this.low[k] as number;
    if (this.reach > 0) return Math.max(0, high * this.reach);
    if (!this.two) return Math.max(0, this.logarithms ? high : Math.log(high));
    const first = this.places.starts[k] as number;
    const factor = (this.factors[first + this.places.step] as number) / (this.factors[first] as number);
    return Math.log(Math.max(1, high / factor, factor / low));
  }
}

// Exact leakage of all adversaries in the worst of all known values that can occur (`sup`): what a guarantee needs.
// Every axis gets one state more than it has labels, their sum; for each combination of states of the others the
// labels of the target are compared, and each adversary takes the largest over the labels it may know.

/** What rounding leaves of a leakage of 0, as a part of the larger of 1 and range of the query / scale. */
const ZERO = 1e-14;

/** Numbers in flight for one block of releases. */
const WORST_BLOCK = 1 << 16;

/** Densities that are compared: the time is a few nanoseconds for each, up to twenty on logarithms. */
export function densitiesCompared(release: Release): number {
  const { shape } = release.table;
  return countReleases(release) * sizeOf(shape.map((d) => d + 1)) * shape.length;
}

function exactSup(release: Release): Leakages {
  const { shape, entries } = release.table;
  const n = shape.length;
  const axes = shape.map((_, j) => j);
  const states = shape.map((d) => d + 1);
  const centres = centresOf(release);
  const { logarithms } = centres;
  const reach = reachOf(centres, entries);
  const base = logarithms ? entries.map(Math.log) : entries;
  const prior = withSums(base, shape, axes, { width: 1, logarithms });
  const targets = shape.map((labels, i) => {
    const { starts, columns } = combinations(states, i, [i]);
    return { columns, ratios: new Ratios({ starts, step: stridesOf(states)[i] as number, labels }, prior, logarithms, reach) };
  });

  const width = Math.max(1, Math.min(centres.count, Math.floor(WORST_BLOCK / sizeOf(states))));
  for (let start = 0; start < centres.count; start += width) {
    const together = Math.min(width, centres.count - start);
    const cells = reach > 0 ? falling(centres, base, start, together, reach) : centres.weighted(base, start, together);
    const all = withSums(cells, shape, axes, { width: together, logarithms });
    for (const { ratios } of targets) ratios.take(all, together);
  }

  // NaN where every combination leaves the target one label.
  const exact = new Float64Array(n * columnCount(n)).fill(NaN);
  targets.forEach(({ columns, ratios }, i) => {
    columns.forEach((column, k) => {
      const at = i * columnCount(n) + column;
      const value = ratios.leakage(k);
      if (!Number.isNaN(value) && !(value <= (exact[at] as number))) exact[at] = value;
    });
  });
  const determined = Uint8Array.from(exact, (value) => (Number.isNaN(value) ? 1 : 0));
  // A difference of two logarithms that are equal but for rounding is none.
  const least = ZERO * (reach || Math.max(1, groupBound(release.contributions, release.scale, [])));
  return { exact: exact.map((value) => (value > least ? value : 0)), determined };
}

// Exact leakage of all adversaries who know values of one row. For one release r let G(x) = P(x) exp(-|r - f(x)| /
// scale). For a target, every other axis is taken from its labels to two states: known (the slice at the instance)
// and unknown (the sum over all labels). The entry at label v is then proportional to the density of r given v and
// the known values, and the same transform of P gives the factor. All targets are served by divide and conquer over
// the axes. Only non-negative numbers are added; where they would underflow, the transforms run on logarithms.

/** Arrays n x 2^(n-1): row = attacked tuple, column = bits of the known ones among the others. */
export interface Leakages {
  /** In nats. */
  exact: Float64Array;
  /** 1 where the known values leave the attacked tuple one label. */
  determined: Uint8Array;
}

/** Numbers in flight: they stay in the processor's cache. */
const BLOCK = 1 << 15;

/** One adversary by itself, and each row that it sees; and what a page takes together, in seconds. */
const [SECONDS_A_NODE, SECONDS_A_ROW, LONGEST_ALONE] = [3e-5, 6e-6, 1];

/** Seconds that it takes to look at each adversary alone; 0 where noise is not so narrow. As in Python's `check_work`. */
export function secondsAlone({ table, contributions, scale, bins }: Release, sup: boolean): number {
  if (bins !== undefined || !isNarrow(contributions, scale)) return 0;
  const n = table.shape.length;
  const rows = sizeOf(table.shape.map((d) => d + 1));
  return n * ((sup ? rows : 2 ** n) * SECONDS_A_NODE + rows * SECONDS_A_ROW);
}

/** Why a page does not compute a release whose noise is narrow, or null. */
export function narrowFault(release: Release, sup: boolean): InputFault | null {
  if (secondsAlone(release, sup) <= LONGEST_ALONE) return null;
  return new InputFault(
    `Noise of ${general(release.scale, 6)} is so narrow beside the values of the query that each adversary is looked at ` +
      "alone, which takes too long in a page. Take a larger scale or fewer tuples, or run the notebook.",
    { kind: "parameter", name: "scale" },
  );
}

/**
 * Instance as label positions, or null for the worst of all known values (`sup`). Throws an InputFault where noise is
 * so narrow that a page would compute for long.
 */
export function exactAll(release: Release, instance: readonly number[] | null): Leakages {
  const fault = narrowFault(release, instance === null);
  if (fault) throw fault;
  const found =
    secondsAlone(release, instance === null) > 0
      ? oneByOne(release, instance)
      : instance === null
        ? exactSup(release)
        : exactInstance(release, instance);
  withinBounds(found.exact, release.contributions, release.scale);
  return found;
}

/** The same where sums of contributions must not be rounded: slower. */
function oneByOne(release: Release, instance: readonly number[] | null): Leakages {
  const { shape } = release.table;
  const n = shape.length;
  const exact = new Float64Array(n * columnCount(n));
  const determined = new Uint8Array(exact.length).fill(1);
  exact.forEach((_, flat) => {
    const target = Math.floor(flat / columnCount(n));
    const known = knownOf(n, target, flat % columnCount(n));
    let given: number[][] = [[]];
    for (const k of known) {
      const labels = instance === null ? Array.from({ length: shape[k] as number }, (_, v) => v) : [instance[k] as number];
      given = given.flatMap((row) => labels.map((v) => [...row, v]));
    }
    for (const row of given) {
      const node = exactNode(release, target, new Map(known.map((k, at) => [k, row[at] as number])));
      if (!(node.support > 0)) continue;
      exact[flat] = Math.max(exact[flat] as number, node.value);
      if (!node.determined) determined[flat] = 0;
    }
  });
  return { exact, determined };
}

function exactInstance(release: Release, instance: readonly number[]): Leakages {
  const { shape, entries } = release.table;
  const n = shape.length;
  const centres = centresOf(release);
  const { logarithms } = centres;
  const reach = reachOf(centres, entries);
  const base = logarithms ? entries.map(Math.log) : entries;
  const width = Math.max(1, Math.min(centres.count, Math.floor(BLOCK / roomFor(shape))));
  const sweep = new Sweep(shape, instance, width, logarithms);

  const targets: { columns: Int32Array; ratios: Ratios }[] = [];
  sweep.run(base, 1, (i, leaf) => {
    const states = shape.map((d, j) => (j === i ? d : 2));
    const { starts, columns } = combinations(states, i, [i]);
    const places = { starts, step: 2 ** (n - 1 - i), labels: shape[i] as number };
    targets[i] = { columns, ratios: new Ratios(places, leaf.slice(0, sizeOf(states)), logarithms, reach) };
  });
  for (let start = 0; start < centres.count; start += width) {
    const together = Math.min(width, centres.count - start);
    const cells = reach > 0 ? falling(centres, base, start, together, reach) : centres.weighted(base, start, together);
    sweep.run(cells, together, (i, leaf) => targets[i]?.ratios.take(leaf, together));
  }

  const exact = new Float64Array(n * columnCount(n));
  const determined = new Uint8Array(exact.length);
  targets.forEach(({ columns, ratios }, i) => {
    columns.forEach((column, k) => {
      const value = ratios.leakage(k);
      exact[i * columnCount(n) + column] = Number.isNaN(value) ? 0 : value;
      determined[i * columnCount(n) + column] = Number.isNaN(value) ? 1 : 0;
    });
  });
  return { exact, determined };
}

/** Cells of the largest array on the way: an axis of one label gets two states. */
function roomFor(shape: readonly number[]): number {
  return sizeOf(shape.map((d) => Math.max(2, d)));
}

type Visit = (target: number, leaf: Float64Array) => void;

/** Leave-one-out divide and conquer. Cells in C order, the releases of a block side by side in each. */
class Sweep {
  /** Two working arrays for each depth of the recursion. */
  private readonly work: Float64Array[];

  constructor(
    private readonly shape: readonly number[],
    private readonly instance: readonly number[],
    width: number,
    private readonly logarithms: boolean,
  ) {
    const depths = Math.ceil(Math.log2(Math.max(2, shape.length))) + 1;
    this.work = Array.from({ length: 2 * depths }, () => new Float64Array(roomFor(shape) * width));
  }

  run(cells: Float64Array, width: number, visit: Visit): void {
    this.leave(cells, [...this.shape], this.shape.map((_, j) => j), width, 0, visit);
  }

  private leave(cells: Float64Array, states: readonly number[], targets: readonly number[], width: number, depth: number, visit: Visit): void {
    if (targets.length === 1) {
      visit(targets[0] as number, cells);
      return;
    }
    const half = targets.length >> 1;
    for (const [kept, gone] of [
      [targets.slice(0, half), targets.slice(half)],
      [targets.slice(half), targets.slice(0, half)],
    ] as const) {
      let part = cells;
      const left = [...states];
      gone.forEach((j, step) => {
        const into = this.work[2 * depth + (step % 2)] as Float64Array;
        this.twoStates(part, left, j, width, into);
        left[j] = 2;
        part = into;
      });
      this.leave(part, left, kept, width, depth + 1, visit);
    }
  }

  /** Takes one axis from its labels to the states known (0, the slice) and unknown (1, the sum). */
  private twoStates(from: Float64Array, states: readonly number[], axis: number, width: number, into: Float64Array): void {
    const labels = states[axis] as number;
    const outer = sizeOf(states.slice(0, axis));
    const inner = sizeOf(states.slice(axis + 1)) * width;
    const position = this.instance[axis] as number;
    for (let o = 0; o < outer; o++) {
      const source = o * labels * inner;
      const place = o * 2 * inner;
      const slice = source + position * inner;
      for (let k = 0; k < inner; k++) into[place + k] = from[slice + k] as number;
      addUp(from, source, labels, inner, into, place + inner, this.logarithms);
    }
  }
}
