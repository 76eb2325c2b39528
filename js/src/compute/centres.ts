/**
 * Centres of the noise: how far every row of a table is from every release that may attain a supremum. For one number
 * these releases are the values of the query; for several, with independent noise, all combinations of a value of
 * each, because a log ratio is monotone between neighbouring values in each number alone.
 */
import { largest, needsLogarithms, queryValues, type Release, releasesOf, weighted } from "./releases";

export interface Centres {
  /** How many candidate releases there are. */
  count: number;
  /** Whether products of probabilities and noise densities could underflow. */
  logarithms: boolean;
  /** P(x) exp(-distance) for every cell x and the releases from `start` on, side by side; logarithms of logarithms. */
  weighted(base: Float64Array, start: number, width: number): Float64Array;
  /** Distance of one release from one cell, in scales of the noise. */
  distance(release: number, cell: number): number;
}

export function centresOf(release: Release): Centres {
  return release.bins ? centresOfBins(release, release.bins) : centresOfNumber(release);
}

function centresOfNumber(release: Release): Centres {
  const f = queryValues(release.contributions);
  const places = releasesOf(release, f);
  const logarithms = needsLogarithms(release);
  return {
    count: places.length,
    logarithms,
    weighted: (base, start, width) => weighted(base, f, places.subarray(start, start + width), release.scale, logarithms),
    distance: (k, cell) => Math.abs((places[k] as number) - (f[cell] as number)) / release.scale,
  };
}

function centresOfBins(release: Release, bins: readonly (readonly Float64Array[])[]): Centres {
  const { scale } = release;
  const values = bins.map(queryValues);
  const places = bins.map((contributions, b) => releasesOf({ ...release, contributions }, values[b] as Float64Array));
  const count = places.reduce((all, { length }) => all * length, 1);
  const logarithms = needsLogarithms(release);
  /** The value of each number at a release; the last number changes first. */
  const at = (k: number): number[] => {
    const found: number[] = [];
    for (let b = bins.length - 1; b >= 0; b--) {
      const own = places[b] as Float64Array;
      found[b] = own[k % own.length] as number;
      k = Math.floor(k / own.length);
    }
    return found;
  };
  const apart = (r: readonly number[], cell: number): number => {
    let sum = 0;
    for (let b = 0; b < r.length; b++) sum += Math.abs((r[b] as number) - (values[b]?.[cell] as number));
    return sum / scale;
  };
  let last: { k: number; r: number[] } = { k: -1, r: [] };
  return {
    count,
    logarithms,
    weighted(base, start, width) {
      const block = Array.from({ length: Math.min(width, count - start) }, (_, k) => at(start + k));
      const made = new Float64Array(base.length * block.length);
      base.forEach((p, cell) => {
        const never = p === (logarithms ? -Infinity : 0);
        block.forEach((r, k) => {
          const distance = never ? 0 : apart(r, cell);
          made[cell * block.length + k] = never ? p : logarithms ? p - distance : p * Math.exp(-distance);
        });
      });
      return made;
    },
    distance(k, cell) {
      // One release is compared with many cells in a row.
      if (k !== last.k) last = { k, r: at(k) };
      return apart(last.r, cell);
    },
  };
}

/** How many candidate releases there are, of which nothing is computed: with many numbers they are very many. */
export function countReleases(release: Release): number {
  const numbers = release.bins ?? [release.contributions];
  return numbers.reduce((all, contributions) => all * releasesOf({ ...release, contributions }, queryValues(contributions)).length, 1);
}

/** For each tuple, the largest sum of changes of all numbers when it alone changes. */
export function jointSensitivities(bins: readonly (readonly Float64Array[])[]): number[] {
  const labels = (bins[0] ?? []).map((y) => y.length);
  return labels.map((count, j) => {
    const changes: number[] = [];
    for (let v = 0; v < count; v++) {
      for (let w = 0; w <= v; w++) {
        changes.push(bins.reduce((sum, y) => sum + Math.abs((y[j]?.[v] as number) - (y[j]?.[w] as number)), 0));
      }
    }
    return largest(changes);
  });
}

/** One number that moves as far with each tuple as several together: what is promised of it, and bounds it, holds of them. */
export function standIn(bins: readonly (readonly Float64Array[])[]): Float64Array[] {
  return jointSensitivities(bins).map((reach, j) => Float64Array.from(bins[0]?.[j] as Float64Array, (_, v) => (v === 0 ? 0 : reach)));
}
