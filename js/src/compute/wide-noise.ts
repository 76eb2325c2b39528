/**
 * Noise that is wide beside all it hides: leakages so small that logarithms of densities lose them. As in wide_noise.py.
 * Let h be how far apart two places are at most, in scales. The density of a release at a distance u h falls by the
 * factor exp(-u h) = 1 + h s, and the weighted mean of such factors is 1 + h q with q the weighted mean of s. Its
 * logarithm is h y. Kept are s, q and y, which are of ordinary size however small h is.
 */

/** Below this; three terms of each series have twelve digits there. */
export const WIDE = 1e-4;

/** Where the noise is, see centres.ts. */
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
