/** The two densities that the chosen adversary compares: their range of r, the points to sample, the ends of their axes. */
import { samplePoints } from "../curves/frame";
import { niceCeiling, ticks } from "../ui/axes";
import { density, logRatio, type LaplaceNormal } from "./laplace-normal";
import type { GaussianChosen } from "./protocol";

export interface Frame {
  noise: LaplaceNormal;
  /** Means of r for the two values, and halfway between. */
  centres: [number, number];
  middle: number;
  /** What the log ratio of the second over the first tends to at the right. */
  limit: number;
  low: number;
  high: number;
  points: number[];
  rTicks: number[];
  densityTop: number;
  densityTicks: number[];
  /** The log ratio axis is symmetric about 0. */
  ratioTop: number;
  ratioTicks: number[];
}

/** Deviations of the release that the picture shows at each side of the centres. */
const SHOWN = 4;
/** Where 99 % of the limit lies further out than this many times that, the picture ends before. */
const FARTHEST = 1.8;

/** A narrower axis, relative to what lies in its middle, would have no length: its ends would be one number. */
const NARROWEST = 1e-9;

/** Where axes may end, times a power of ten. */
export const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** null where there are no two values to compare. */
export function frameOf(chosen: GaussianChosen, scale: number, change: number, promise: number): Frame | null {
  const { coefficient, centre, sigma, nearly } = chosen;
  if (chosen.pair === null) return null;
  const shift = coefficient * change;
  const middle = centre + shift / 2;
  const noise = { deviation: sigma, scale };
  const plain = SHOWN * Math.hypot(sigma, Math.SQRT2 * scale) + Math.abs(shift) / 2;
  const wished = nearly ? (nearly[1] - nearly[0]) * 0.6 : 0;
  const half = Math.max(wished <= FARTHEST * plain ? Math.max(plain, wished) : plain, NARROWEST * Math.abs(middle));
  const [low, high] = [middle - half, middle + half];
  const centres: [number, number] = [centre, centre + shift];
  const densityTop = niceCeiling(density(noise, 0) * 1.1, STEPS);
  const limit = shift / scale;
  const ratioTop = niceCeiling(Math.max(promise, Math.abs(limit)) * 1.2, STEPS);
  return {
    noise,
    centres,
    middle,
    limit,
    low,
    high,
    points: samplePoints(low, high, centres, scale),
    rTicks: ticks(low, high, 9),
    densityTop,
    densityTicks: ticks(0, densityTop, 3),
    ratioTop,
    ratioTicks: ticks(-ratioTop, ratioTop, 6),
  };
}

/** Of the second value over the first. */
export function ratioAt({ noise, limit, middle }: Frame, r: number): number {
  // From the midpoint, so that a large mean does not take digits from the distance of the two centres.
  const half = (limit * noise.scale) / 2;
  return logRatio(noise, r - middle, half, -half);
}

/** Where r stands before anyone has moved it: one noise scale beyond the larger value's centre. */
export function startingR({ noise, centres, low, high }: Frame): number {
  return Math.min(high, Math.max(low, Math.max(...centres) + noise.scale));
}
