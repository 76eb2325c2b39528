/** Mixtures of Laplace densities on the grid of all their coordinates, and which of those outputs are one. */
import { general, InputFault } from "./faults";
import { logAdd } from "./releases";

// Mixtures of Laplace densities on the grid of all their coordinates, where the ratio of two is largest: between
// neighbouring coordinates of one axis it is monotone, and outside of all of them constant.

/** Below this range over scale what is missing from 1 is carried; beyond the larger one exponentials may vanish. */
const [WIDE, NARROW] = [0.5, 600];

export interface Grid {
  /** Coordinates of every axis, ascending. */
  axes: readonly Float64Array[];
  size: number;
  /** L1 distance of opposite corners. */
  span: number;
  /** Grid point of every point. */
  index: Int32Array;
}

/** The grid of some points, `width` numbers each. */
export function gridOf(points: Float64Array, width: number): Grid {
  const count = width === 0 ? 0 : points.length / width;
  const axes = Array.from({ length: width }, (_, axis) => distinct(Float64Array.from({ length: count }, (_, k) => points[k * width + axis] as number)));
  const index = new Int32Array(count);
  axes.forEach((axis, place) => {
    const at = new Map<number, number>();
    axis.forEach((x, k) => at.set(x, k));
    for (let k = 0; k < count; k++) index[k] = (index[k] as number) * axis.length + (at.get(points[k * width + place] as number) as number);
  });
  const span = axes.reduce((sum, axis) => sum + (axis.at(-1) as number) - (axis[0] as number), 0);
  return { axes, size: axes.reduce((size, axis) => size * axis.length, 1), span, index };
}

/** Different numbers, ascending; 0 and -0 are one. */
function distinct(values: Float64Array): Float64Array {
  const sorted = values.map((x) => x + 0).sort();
  return sorted.filter((x, k) => k === 0 || x !== sorted[k - 1]);
}

/** Coordinates of a grid point. */
export function placeOf({ axes }: Grid, index: number): number[] {
  const found: number[] = [];
  let rest = index;
  for (const axis of [...axes].reverse()) {
    found.unshift(axis[rest % axis.length] as number);
    rest = Math.floor(rest / axis.length);
  }
  return found;
}

/** What grows with the densities of some mixtures at all grid points, and how to compare two of it. */
export interface Densities {
  /** Mixtures x grid points. */
  values: Float64Array;
  /** Grows with the log ratio of two. */
  over(high: number, low: number): number;
  /** The log ratio itself. */
  ratio(high: number, low: number): number;
}

const PLAIN = {
  over: (high: number, low: number): number => high / low,
  ratio: (high: number, low: number): number => Math.log(high) - Math.log(low),
};
/** Of values that are densities less 1, all of them near 0. */
const LESS = {
  over: (high: number, low: number): number => (high - low) / (1 + low),
  ratio: (high: number, low: number): number => Math.log1p(high) - Math.log1p(low),
};
const LOGARITHMS = {
  over: (high: number, low: number): number => high - low,
  ratio: (high: number, low: number): number => high - low,
};

/** The densities of mixtures: `weights` is mixtures x grid points, and each sums to 1. The factor that all share is left out. */
export function densities(grid: Grid, weights: Float64Array, scale: number): Densities {
  const reach = grid.span / scale;
  if (!Number.isFinite(reach)) {
    throw new InputFault(
      `The scale ${general(scale, 6)} is too small beside outputs that are ${general(grid.span, 6)} apart.`,
      { kind: "parameter", name: "scale" },
    );
  }
  const line = grid.axes.length === 1 ? (grid.axes[0] as Float64Array) : null;
  if (reach < WIDE) return made(line ? lessOnLine(line, weights, scale) : less(grid, weights, scale), LESS);
  if (reach < NARROW) return made(line ? plainOnLine(line, weights, scale) : plain(grid, weights, scale), PLAIN);
  return made(logarithms(grid, weights, scale), LOGARITHMS);
}

function made(values: Float64Array, { over, ratio }: Omit<Densities, "values">): Densities {
  return { values, over, ratio };
}

/** On one line, of which many are short: without more arrays than the answer. */
function plainOnLine(at: Float64Array, weights: Float64Array, scale: number): Float64Array {
  const found = new Float64Array(weights.length);
  const size = at.length;
  const falls = new Float64Array(size);
  for (let k = 1; k < size; k++) falls[k] = Math.exp(-((at[k] as number) - (at[k - 1] as number)) / scale);
  for (let start = 0; start < weights.length; start += size) {
    let left = 0;
    for (let k = 0; k < size; k++) {
      left = left * (falls[k] as number) + (weights[start + k] as number);
      found[start + k] = left;
    }
    let right = 0;
    for (let k = size - 1; k > 0; k--) {
      right = (right + (weights[start + k] as number)) * (falls[k] as number);
      found[start + k - 1] = (found[start + k - 1] as number) + right;
    }
  }
  return found;
}

function lessOnLine(at: Float64Array, weights: Float64Array, scale: number): Float64Array {
  const found = new Float64Array(weights.length);
  const size = at.length;
  const losses = new Float64Array(size);
  for (let k = 1; k < size; k++) losses[k] = -Math.expm1(-((at[k] as number) - (at[k - 1] as number)) / scale);
  for (let start = 0; start < weights.length; start += size) {
    let [mass, lost] = [0, 0];
    for (let k = 0; k < size; k++) {
      lost += (mass - lost) * (losses[k] as number);
      mass += weights[start + k] as number;
      found[start + k] = -lost;
    }
    [mass, lost] = [0, 0];
    for (let k = size - 1; k > 0; k--) {
      mass += weights[start + k] as number;
      lost += (mass - lost) * (losses[k] as number);
      found[start + k - 1] = (found[start + k - 1] as number) - lost;
    }
  }
  return found;
}

/** Runs over the lines of one axis after the other: where each starts, the step from point to point, and the gaps. */
function lines(grid: Grid, length: number, scale: number, take: (start: number, step: number, gaps: Float64Array) => void): void {
  let after = grid.size;
  for (const axis of grid.axes) {
    const count = axis.length;
    after /= count;
    if (count === 1) continue;
    const gaps = Float64Array.from({ length: count - 1 }, (_, k) => ((axis[k + 1] as number) - (axis[k] as number)) / scale);
    for (let outer = 0; outer < length; outer += count * after) {
      for (let inner = 0; inner < after; inner++) take(outer + inner, after, gaps);
    }
  }
}

/** Factors of gaps, computed once for each axis. */
function perAxis(make: (gap: number) => number): (gaps: Float64Array) => Float64Array {
  let last: Float64Array | null = null;
  let made = new Float64Array();
  return (gaps) => {
    if (gaps !== last) {
      last = gaps;
      made = Float64Array.from(gaps, make);
    }
    return made;
  };
}

function plain(grid: Grid, weights: Float64Array, scale: number): Float64Array {
  const found = weights.slice();
  const own = new Float64Array(Math.max(0, ...grid.axes.map(({ length }) => length)));
  const fallsOf = perAxis((gap) => Math.exp(-gap));
  lines(grid, found.length, scale, (start, step, gaps) => {
    const falls = fallsOf(gaps);
    const last = gaps.length;
    let left = 0;
    for (let k = 0, at = start; k <= last; k++, at += step) {
      own[k] = found[at] as number;
      left = (k === 0 ? 0 : left * (falls[k - 1] as number)) + (own[k] as number);
      found[at] = left;
    }
    let right = 0;
    for (let k = last - 1, at = start + (last - 1) * step; k >= 0; k--, at -= step) {
      right = (right + (own[k + 1] as number)) * (falls[k] as number);
      found[at] = (found[at] as number) + right;
    }
  });
  return found;
}

/** Densities less 1: their logarithms keep the digits that 1 would take. */
function less(grid: Grid, weights: Float64Array, scale: number): Float64Array {
  const mass = weights.slice();
  const found = new Float64Array(weights.length);
  const most = Math.max(0, ...grid.axes.map(({ length }) => length));
  const [ownMass, own] = [new Float64Array(most), new Float64Array(most)];
  const lossesOf = perAxis((gap) => -Math.expm1(-gap));
  lines(grid, found.length, scale, (start, step, gaps) => {
    const losses = lossesOf(gaps);
    const last = gaps.length;
    let [m, d] = [0, 0];
    for (let k = 0, at = start; k <= last; k++, at += step) {
      ownMass[k] = mass[at] as number;
      own[k] = found[at] as number;
      if (k > 0) d += (m - d) * (losses[k - 1] as number);
      m += ownMass[k] as number;
      d += own[k] as number;
      mass[at] = m;
      found[at] = d;
    }
    [m, d] = [0, 0];
    for (let k = last - 1, at = start + (last - 1) * step; k >= 0; k--, at -= step) {
      m += ownMass[k + 1] as number;
      d += own[k + 1] as number;
      d += (m - d) * (losses[k] as number);
      mass[at] = (mass[at] as number) + m;
      found[at] = (found[at] as number) + d;
    }
  });
  return found.map((lost) => -lost);
}

function logarithms(grid: Grid, weights: Float64Array, scale: number): Float64Array {
  const found = weights.map(Math.log);
  const own = new Float64Array(Math.max(0, ...grid.axes.map(({ length }) => length)));
  lines(grid, found.length, scale, (start, step, gaps) => {
    const last = gaps.length;
    let left = -Infinity;
    for (let k = 0, at = start; k <= last; k++, at += step) {
      own[k] = found[at] as number;
      left = logAdd(k === 0 ? -Infinity : left - (gaps[k - 1] as number), own[k] as number);
      found[at] = left;
    }
    let right = -Infinity;
    for (let k = last - 1, at = start + (last - 1) * step; k >= 0; k--, at -= step) {
      right = logAdd(right, own[k + 1] as number) - (gaps[k] as number);
      found[at] = logAdd(found[at] as number, right);
    }
  });
  return found;
}

// Which outputs are one: sums that are equal on paper may differ in the last digits.

/** Share of the largest output by which neighbours differ at most that are one; pdp_widgets/leakage/dependent/conditional_outputs.py has the same number. */
const SAME = 2 ** -47;
/** Up to here a whole number is one of its own accord: floats have fractions beside it. */
const COUNTED = 2 ** 52;

/** Different outputs, ascending, and which of them each is: the lowest of equal ones stands for all. */
export function equalOutputs(outputs: Float64Array): { points: Float64Array; places: Int32Array } {
  const values = distinct(outputs);
  const largest = values.length === 0 ? 0 : Math.max(Math.abs(values[0] as number), Math.abs(values.at(-1) as number));
  const limit = largest <= COUNTED && values.every(Number.isInteger) ? 0 : SAME * largest;
  const points: number[] = [];
  const at = new Map<number, number>();
  values.forEach((x, k) => {
    if (k === 0 || x - (values[k - 1] as number) > limit) points.push(x);
    at.set(x, points.length - 1);
  });
  return { points: Float64Array.from(points), places: Int32Array.from(outputs, (x) => at.get(x + 0) as number) };
}

/** The same outputs, `width` numbers a row, in which equal numbers are equal to the last digit. */
export function sameOutputs(outputs: Float64Array, width: number): Float64Array {
  const found = outputs.slice();
  for (let k = 0; k < width; k++) {
    const { points, places } = equalOutputs(outputs.filter((_, at) => at % width === k));
    places.forEach((place, row) => (found[row * width + k] = points[place] as number));
  }
  return found;
}
