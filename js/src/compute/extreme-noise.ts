/** Noise that is narrow or wide beside what it hides: there floats lose what is kept here. */
import { largest, least, logAdd, MERGE, queryValues, sensitivity } from "./releases";

// Leakages under noise that is narrow beside the range of the query: gaps between its values are exact. As in
// narrow_noise.py: contributions are taken as the decimal numbers that they are written as.

/** Range of the query over the scale: below, floats lose nothing that noise tells; above, they always may. */
const [LEAST, MOST] = [1e3, 1e9];
/** Rows looked at for values that floats take for one; and rows so few that no digit need be lost. */
const [ROWS, FEW_ROWS, MOST_OF_FEW] = [1 << 14, 1 << 8, 1e6];

function rowsOf(contributions: readonly Float64Array[]): number {
  return contributions.reduce((rows, y) => rows * y.length, 1);
}

/** Whether noise is so narrow that sums of floats may lose what it tells. */
export function isNarrow(contributions: readonly Float64Array[], scale: number): boolean {
  const reach = contributions.reduce((sum, y) => sum + sensitivity(y) / scale, 0);
  const rows = rowsOf(contributions);
  const most = rows <= FEW_ROWS ? MOST_OF_FEW : MOST;
  if (reach <= LEAST || reach > most || rows > ROWS) return reach > most;
  const values = queryValues(contributions).sort();
  const rounding = 4 * contributions.length * Number.EPSILON * reach;
  return values.some((value, k) => {
    const gap = k > 0 ? (value - (values[k - 1] as number)) / scale : 0;
    return gap > rounding && gap <= MERGE * reach;
  });
}

/** A number as it is written: digits times a power of ten. */
function decimal(value: number): [digits: bigint, power: number] {
  const [mantissa, power] = value.toExponential().split("e") as [string, string];
  const [whole, fraction = ""] = mantissa.split(".") as [string, string?];
  return [BigInt(whole + fraction), Number(power) - fraction.length];
}

/** Which value of the query each row has, in C order, and the gaps between them. */
function exactValues(contributions: readonly Float64Array[]): { places: Int32Array; gaps: Float64Array } {
  const written = contributions.map((y) => Array.from(y, decimal));
  const unit = Math.min(...written.flat().map(([, power]) => power));
  let values = [0n];
  let labels: number[][] = [[]];
  written.forEach((y) => {
    const steps = y.map(([digits, power]) => digits * 10n ** BigInt(power - unit));
    values = values.flatMap((value) => steps.map((step) => value + step));
    labels = labels.flatMap((row) => y.map((_, label) => [...row, label]));
  });
  const order = [...values.keys()].sort((a, b) => ((values[a] as bigint) < (values[b] as bigint) ? -1 : Number((values[a] as bigint) > (values[b] as bigint))));
  const places = new Int32Array(values.length);
  const gaps: number[] = [];
  order.slice(1).forEach((row, k) => {
    const before = order[k] as number;
    const gap = Number(`${(values[row] as bigint) - (values[before] as bigint)}e${unit}`);
    // Rows whose values differ by no more than their contributions are rounded have one value.
    let rounded = 0;
    contributions.forEach((y, j) => {
      const [one, other] = [labels[row]?.[j] as number, labels[before]?.[j] as number];
      if (one !== other) rounded += Math.abs(y[one] as number) + Math.abs(y[other] as number);
    });
    if (gap > 2 * Number.EPSILON * rounded) gaps.push(Math.min(gap, Number.MAX_VALUE));
    places[row] = gaps.length;
  });
  return { places, gaps: Float64Array.from(gaps) };
}

/** The smallest difference of two values of the query; infinite when there is one value. Null for too many rows. */
export function exactGap(contributions: readonly Float64Array[]): number | null {
  return rowsOf(contributions) <= ROWS ? least(exactValues(contributions).gaps) : null;
}

/** Log densities, up to a constant, at places of some log weights. */
function passes(own: Float64Array, gaps: Float64Array): Float64Array {
  const found = own.slice();
  for (let k = 1; k < own.length; k++) found[k] = logAdd((found[k - 1] as number) - (gaps[k - 1] as number), own[k] as number);
  let level = -Infinity;
  for (let k = own.length - 2; k >= 0; k--) {
    level = logAdd(level, own[k + 1] as number) - (gaps[k] as number);
    found[k] = logAdd(found[k] as number, level);
  }
  return found;
}

/** The largest log ratio of two labels that can occur. `labels`: the rows of each, by number, and their probabilities. */
export function narrowPeak(
  contributions: readonly Float64Array[],
  scale: number,
  labels: readonly { cells: Int32Array; weights: Float64Array }[],
): { value: number; more: number; less: number } {
  const { places, gaps } = exactValues(contributions);
  const logs = labels.map(({ cells, weights }) => {
    const heaviest = largest(weights);
    const mass = new Float64Array(gaps.length + 1);
    weights.forEach((w, k) => (mass[places[cells[k] as number] as number]! += w / heaviest));
    const all = Math.log(mass.reduce((sum, w) => sum + w, 0));
    return mass.map((w) => Math.log(w) - all);
  });
  // Values that no row has are passed over: what lies between is one gap.
  const seen = Array.from({ length: gaps.length + 1 }, (_, k) => k).filter((k) => logs.some((own) => (own[k] as number) > -Infinity));
  const steps = Float64Array.from(seen.slice(1), (k, at) => {
    const gap = gaps.subarray(seen[at], k).reduce((sum, one) => sum + one, 0);
    return Math.min(gap / scale, Number.MAX_VALUE / (4 * seen.length));
  });
  const densities = logs.map((own) => passes(Float64Array.from(seen, (k) => own[k] as number), steps));
  let best = { value: 0, more: 0, less: 1 };
  seen.forEach((_, k) => {
    const here = densities.map((row) => row[k] as number);
    const value = largest(here) - least(here);
    if (value > best.value) best = { value, more: here.indexOf(largest(here)), less: here.indexOf(least(here)) };
  });
  return best;
}

// Noise that is wide beside all it hides: leakages so small that logarithms of densities lose them. As in wide_noise.py.
// Let h be how far apart two places are at most, in scales. The density of a release at a distance u h falls by the
// factor exp(-u h) = 1 + h s, and the weighted mean of such factors is 1 + h q with q the weighted mean of s. Its
// logarithm is h y. Kept are s, q and y, which are of ordinary size however small h is.

/** Below this; three terms of each series have twelve digits there. */
export const WIDE = 1e-4;

/** Where the noise is, see linear-query.ts. */
interface Places {
  count: number;
  logarithms: boolean;
  distance(release: number, cell: number): number;
}

/** h where the noise is wide; 0 where it is not. */
export function wideReach(reach: number): number {
  return reach > 0 && reach < WIDE ? reach : 0;
}

/** The same of a table with a place for each cell that can occur. */
export function reachOf(places: Places, entries: ArrayLike<number>): number {
  if (places.logarithms || places.count < 2) return 0;
  let reach = 0;
  for (let cell = 0; cell < entries.length; cell++) {
    if ((entries[cell] as number) > 0) reach = Math.max(reach, places.distance(0, cell), places.distance(places.count - 1, cell));
  }
  return wideReach(reach);
}

/** s at a distance in scales. */
export function fall(distance: number, reach: number): number {
  return -(distance / reach) * (1 - (distance / 2) * (1 - distance / 3));
}

/** y of a weighted mean q. */
export function logShare(mean: number, reach: number): number {
  const step = mean * reach;
  return mean * (1 - step * (0.5 - step / 3));
}

/** P(x) s for every cell x and the releases from `start` on, side by side. */
export function falling(places: Places, base: Float64Array, start: number, width: number, reach: number): Float64Array {
  const made = new Float64Array(base.length * width);
  for (let k = 0; k < width; k++) {
    for (let cell = 0; cell < base.length; cell++) {
      const p = base[cell] as number;
      if (p !== 0) made[cell * width + k] = p * fall(places.distance(start + k, cell), reach);
    }
  }
  return made;
}
