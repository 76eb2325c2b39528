/** What a promise allows: how well any release that keeps it may let two labels be told apart. */
import { logRatios, missed, type ChannelLaw } from "../compute/best-test";
import { allowed, delta, pairsOf } from "../compute/meaning";

export interface Promised {
  /** The largest log ratio of two labels. */
  nats: number;
  /** Of all ordered pairs the largest delta at epsilon. */
  delta(epsilon: number): number;
  /** The least chance to miss with so many false alarms. */
  missed(blank: number, found: number, alarms: number): number;
  /** False alarms at which that curve has its corners. */
  corners(blank: number, found: number): number[];
}

/** No two labels are more than so many nats apart: randomised response attains all of it. */
export const plainly = (nats: number): Promised => ({
  nats,
  delta: (epsilon) => allowed.delta(nats, epsilon),
  missed: (_, __, alarms) => allowed.missed(nats, alarms),
  corners: () => [1 - allowed.area(nats)],
});

/** No release changes the belief in a label by more than so many nats: two labels may then be up to twice as far apart. */
export function ofBeliefs(nats: number, prior: readonly number[]): Promised {
  if (nats === Infinity) return plainly(nats);
  const made = new Map<string, ChannelLaw[]>();
  const of = (v: number, w: number): ChannelLaw[] => {
    const key = `${v} ${w}`;
    const laws = made.get(key) ?? extremes(nats, prior[v] as number, prior[w] as number);
    made.set(key, laws);
    return laws;
  };
  const all = pairsOf({ kind: "channel", rows: prior.map(() => new Float64Array(0)) });
  const most = all.reduce((found, [v, w]) => of(v, w).reduce((a, law) => logRatios(law, 0, 1).reduce((b, x) => Math.max(b, x), a), found), 0);
  return {
    nats: most,
    delta: (epsilon) => all.reduce((found, [v, w]) => of(v, w).reduce((a, law) => Math.max(a, delta(law, 0, 1, epsilon)), found), 0),
    missed: (blank, found, alarms) => of(blank, found).reduce((least, law) => Math.min(least, missed(law, 0, 1, alarms)), 1),
    corners: (blank, found) => of(blank, found).flatMap(({ rows: [p, q] }) => cornersOf(p as Float64Array, q as Float64Array)),
  };
}

/** False alarms of the tests that take one more column each, the likeliest of the label that is looked for first. */
function cornersOf(p: Float64Array, q: Float64Array): number[] {
  const order = [...p.keys()].sort((a, b) => (q[b] as number) * (p[a] as number) - (q[a] as number) * (p[b] as number));
  let sum = 0;
  return order.map((k) => (sum += p[k] as number));
}

type Point = readonly [number, number];

/**
 * The laws of two labels that no other one within the promise lies beyond. Over what is released on average, an answer
 * is u times as likely for the one label and w times for the other; u, w and what is left for all others lie within
 * the promise, and average to 1. What is convex in (u, w) is largest where answers lie at corners of that region.
 */
function extremes(nats: number, first: number, second: number): ChannelLaw[] {
  const [low, high] = [Math.exp(-nats), Math.exp(nats)];
  const rest = Math.max(0, 1 - first - second);
  // Without others the region is a line.
  const ends = rest < 1e-12 ? [1] : [1 - rest * high, 1 - rest * low];
  const inside = ([u, w]: Point): boolean => {
    const sum = first * u + second * w;
    const near = 1e-9;
    const bounded = [u, w].every((x) => x >= low * (1 - near) && x <= high * (1 + near));
    return bounded && sum >= (ends[0] as number) - near && sum <= (ends[ends.length - 1] as number) + near;
  };
  const box: Point[] = [[low, low], [low, high], [high, low], [high, high]];
  const edges = ends.flatMap((sum): Point[] => [low, high].flatMap((x): Point[] => [[x, (sum - first * x) / second], [(sum - second * x) / first, x]]));
  const corners = [...box, ...edges].filter(inside).filter((point, k, list) => list.findIndex((other) => apart(point, other) < 1e-9) === k);
  const laws: ChannelLaw[] = [];
  corners.forEach((a, i) =>
    corners.slice(i + 1).forEach((b, j) => {
      const two = apart([1, 1], a) / apart(a, b);
      if (Math.abs(area([1, 1], a, b)) < 1e-9 && apart([1, 1], b) <= apart(a, b) && two <= 1) laws.push(lawOf([a, b], [1 - two, two]));
      for (const c of corners.slice(i + j + 2)) {
        const whole = area(a, b, c);
        const shares = [area([1, 1], b, c), area(a, [1, 1], c), area(a, b, [1, 1])].map((part) => part / whole);
        if (Math.abs(whole) > 1e-9 && shares.every((share) => share > -1e-9)) laws.push(lawOf([a, b, c], shares.map((share) => Math.max(0, share))));
      }
    }),
  );
  return laws.length > 0 ? laws : [lawOf([[1, 1]], [1])];
}

const apart = ([a, b]: Point, [c, d]: Point): number => Math.hypot(a - c, b - d);
const area = ([a, b]: Point, [c, d]: Point, [e, f]: Point): number => (c - a) * (f - b) - (e - a) * (d - b);
const lawOf = (points: readonly Point[], shares: readonly number[]): ChannelLaw => ({
  kind: "channel",
  rows: [0, 1].map((label) => Float64Array.from(points, (point, k) => (shares[k] as number) * (point[label] as number))),
});
