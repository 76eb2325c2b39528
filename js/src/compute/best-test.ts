/**
 * The best test between two labels: where one law of the output lies above t times the other, and how much of each
 * lies there. Three kinds of laws, each computed without rounding beyond that of its own numbers: mixtures of Laplace
 * densities, finite channels, and one density at two places.
 */
import { integral } from "./quadrature";

/** Mixtures over common centres, ascending; a row of weights for each label that can occur. */
export interface LaplaceLaw {
  kind: "laplace";
  scale: number;
  centres: readonly number[];
  weights: readonly Float64Array[];
}

/** A row of chances for each label that can occur. */
export interface ChannelLaw {
  kind: "channel";
  rows: readonly Float64Array[];
}

/**
 * One density at 0 and at `shift`, symmetric, the log ratio of the second over the first rising with r: the first is
 * label 0. How the density falls is that of Laplace noise with a normal part.
 */
export interface ShiftLaw {
  kind: "shift";
  shift: number;
  /** Of the Laplace part, and the standard deviation of the normal one; both positive. */
  scale: number;
  deviation: number;
  density(t: number): number;
  /** Chance of t or more. */
  tail(t: number): number;
  /** ln of the second over the first. */
  ratio(r: number): number;
  /** How far from halfway between the two the log ratio reaches a positive level; null where it never does. */
  reaches(level: number): number | null;
}

export type Law = LaplaceLaw | ChannelLaw | ShiftLaw;

/** Where c(r) > 0, as parts of cells: cell -1 is all to the left of the first centre, u is e^-(r - centre)/scale. */
interface Piece {
  cell: number;
  from: number;
  to: number;
}

/** What lies in the region of a test. */
export interface Region {
  /** Probability of the region under the first label and under the second. */
  over: number;
  under: number;
  /** Intervals of r, or columns of a channel as [k, k]. */
  intervals: [number, number][];
}

/** How far a coefficient may be from 0 and still be rounding. */
const DUST = 1e-13;

export const rowsOf = (law: LaplaceLaw | ChannelLaw): readonly Float64Array[] => (law.kind === "laplace" ? law.weights : law.rows);

/** How many labels there are. */
export const labelCount = (law: Law): number => (law.kind === "shift" ? 2 : rowsOf(law).length);

/** The two sums over centres to the left and to the right, as they stand at each centre. */
function sides(law: LaplaceLaw, c: Float64Array): { left: Float64Array; right: Float64Array } {
  const n = c.length;
  const [left, right] = [new Float64Array(n), new Float64Array(n)];
  for (let k = 0; k < n; k++) left[k] = (k > 0 ? (left[k - 1] as number) * fall(law, k - 1) : 0) + (c[k] as number);
  for (let k = n - 1; k >= 0; k--) right[k] = (k < n - 1 ? (right[k + 1] as number) * fall(law, k) : 0) + (c[k] as number);
  return { left, right };
}

/** e^-gap/scale of the cell to the right of a centre. */
function fall({ centres, scale }: LaplaceLaw, k: number): number {
  return Math.exp(-((centres[k + 1] as number) - (centres[k] as number)) / scale);
}

/** The mass of a signed mixture on parts of cells. */
function massOn(law: LaplaceLaw, c: Float64Array, pieces: readonly Piece[]): number {
  const { left, right } = sides(law, c);
  const last = c.length - 1;
  let sum = 0;
  for (const { cell, from, to } of pieces) {
    if (cell < 0) sum += right[0] as number;
    else if (cell === last) sum += left[last] as number;
    else {
      const e = fall(law, cell);
      const share = (u: number): number => (u === e ? 1 : e / u);
      sum += (left[cell] as number) * (from - to) + (right[cell + 1] as number) * (share(to) - share(from));
    }
  }
  return sum / 2;
}

const difference = (p: Float64Array, q: Float64Array, t: number): Float64Array => p.map((x, k) => x - t * (q[k] as number));

/** Where p > t q, with ties left out, and its positive part H = P(S) - t Q(S). */
function piecesOf(law: LaplaceLaw, p: Float64Array, q: Float64Array, t: number): { pieces: Piece[]; positive: number } {
  const signed = sides(law, difference(p, q, t));
  const whole = sides(law, difference(p, q, -t));
  const clean = (x: Float64Array, size: Float64Array): void => x.forEach((v, k) => Math.abs(v) <= DUST * (size[k] as number) && (x[k] = 0));
  clean(signed.left, whole.left);
  clean(signed.right, whole.right);
  const last = p.length - 1;
  const pieces: Piece[] = [];
  let sum = 0;
  const [low, high] = [signed.right[0] as number, signed.left[last] as number];
  if (low > 0) {
    pieces.push({ cell: -1, from: 0, to: 0 });
    sum += low;
  }
  for (let k = 0; k < last; k++) {
    const [a, b, e] = [signed.left[k] as number, signed.right[k + 1] as number, fall(law, k)];
    const gap = -Math.expm1(-((law.centres[k + 1] as number) - (law.centres[k] as number)) / law.scale);
    const u = a * b < 0 ? Math.sqrt((-b / a) * e) : 0;
    if (u > e * (1 + DUST) && u < 1 - DUST) {
      pieces.push(a > 0 ? { cell: k, from: 1, to: u } : { cell: k, from: u, to: e });
      sum += a > 0 ? a * (1 - u) ** 2 : b * (1 - e / u) ** 2;
    } else if (a + b > 0) {
      pieces.push({ cell: k, from: 1, to: e });
      sum += (a + b) * gap;
    }
  }
  if (high > 0) {
    pieces.push({ cell: last, from: 1, to: 0 });
    sum += high;
  }
  return { pieces, positive: sum / 2 };
}

/** H_t(P || Q): how much of P lies above t times Q. */
export function hockeyStick(law: Law, over: number, under: number, t: number): number {
  if (law.kind === "shift") {
    const { over: p, under: q } = beyond(law, Math.log(t));
    return Math.max(0, p - (q > 0 ? t * q : 0));
  }
  const rows = rowsOf(law);
  const [p, q] = [rows[over] as Float64Array, rows[under] as Float64Array];
  if (law.kind === "laplace") return piecesOf(law, p, q, t).positive;
  return p.reduce((sum, x, k) => sum + Math.max(0, x - t * (q[k] as number)), 0);
}

/** Where the one of two shifted densities lies above e^log times the other; by symmetry it is the same for both. */
function beyond(law: ShiftLaw, log: number): { over: number; under: number; from: number } {
  const { shift } = law;
  const away = log === 0 ? 0 : law.reaches(Math.abs(log));
  if (away === null) return log > 0 ? { over: 0, under: 0, from: Infinity } : { over: 1, under: 1, from: -Infinity };
  const from = shift / 2 + Math.sign(log) * away;
  return { over: law.tail(from - shift), under: law.tail(from), from };
}

/** The region where P > t Q, strictly. */
export function region(law: Law, over: number, under: number, t: number): Region {
  if (law.kind === "shift") {
    const { from, ...masses } = beyond(law, Math.log(t));
    const intervals: [number, number][] = from === Infinity ? [] : over === 1 ? [[from, Infinity]] : [[-Infinity, law.shift - from]];
    return { ...masses, intervals };
  }
  const rows = rowsOf(law);
  const [p, q] = [rows[over] as Float64Array, rows[under] as Float64Array];
  if (law.kind === "channel") {
    const inside = [...p.keys()].filter((k) => {
      const [x, y] = [p[k] as number, t * (q[k] as number)];
      return x - y > DUST * (x + y);
    });
    const sum = (row: Float64Array): number => inside.reduce((all, k) => all + (row[k] as number), 0);
    return { over: sum(p), under: sum(q), intervals: inside.map((k) => [k, k]) };
  }
  const { pieces } = piecesOf(law, p, q, t);
  return { over: massOn(law, p, pieces), under: massOn(law, q, pieces), intervals: joined(law, pieces) };
}

/** Pieces as intervals of r; those that meet are one. */
function joined({ centres, scale }: LaplaceLaw, pieces: readonly Piece[]): [number, number][] {
  const out: [number, number][] = [];
  const last = centres.length - 1;
  for (const { cell, from, to } of pieces) {
    const start = centres[cell] as number;
    const at = (u: number): number => start - scale * Math.log(u);
    const low = cell < 0 ? -Infinity : from === 1 ? start : at(from);
    const high =
      cell < 0
        ? (centres[0] as number)
        : cell === last
          ? Infinity
          : to === fall({ centres, scale } as LaplaceLaw, cell)
            ? (centres[cell + 1] as number)
            : at(to);
    const before = out[out.length - 1];
    if (before && before[1] === low) before[1] = high;
    else out.push([low, high]);
  }
  return out;
}

/** ln p/q at each centre, which holds the extremes, for each column that can occur, or as far out as there is a limit. */
export function logRatios(law: Law, over: number, under: number): number[] {
  if (law.kind === "shift") return [-law.shift / law.scale, law.shift / law.scale];
  const rows = rowsOf(law);
  const [p, q] = [rows[over] as Float64Array, rows[under] as Float64Array];
  if (law.kind === "channel") return [...p.keys()].filter((k) => p[k] || q[k]).map((k) => Math.log(p[k] as number) - Math.log(q[k] as number));
  const [one, other] = [logsAt(law, p), logsAt(law, q)];
  return one.map((x, k) => x - (other[k] as number));
}

/** ln of a mixture at its centres, up to what is common to all labels; finite however small the scale is. */
export function logsAt({ centres, scale }: LaplaceLaw, weights: Float64Array): number[] {
  const logs = [...weights].map(Math.log);
  return centres.map((r) => {
    const terms = centres.map((s, k) => (logs[k] as number) - Math.abs(r - s) / scale);
    const top = Math.max(...terms);
    return top + Math.log(terms.reduce((sum, x) => sum + Math.exp(x - top), 0));
  });
}

/** A point of the curve of the best tests: false alarms and hits, both under the threshold t of p_w/p_v. */
export interface TestPoint {
  alarms: number;
  hits: number;
}

/** The tests that decide for `found` against `blank`, from none to all; straight lines between them are tests too. */
export function bestTests(law: Law, blank: number, found: number, most = 48): TestPoint[] {
  if (law.kind === "shift") return thresholds(law, most);
  const ratios = logRatios(law, found, blank);
  const finite = ratios.filter(Number.isFinite);
  const [low, high] = [Math.min(0, ...finite), Math.max(0, ...finite)];
  const steps = law.kind === "channel" ? [...new Set(finite)] : [...finite, ...Array.from({ length: most + 1 }, (_, k) => low + ((high - low) * k) / most)];
  const points = [Infinity, ...steps.sort((a, b) => b - a)].map((log) => testAt(law, blank, found, log));
  // With ties in the region too: the other end of a straight piece.
  points.push({ alarms: 1 - onlyUnder(law, blank, found), hits: 1 });
  return [{ alarms: 0, hits: 0 }, ...points, { alarms: 1, hits: 1 }].sort((a, b) => a.alarms - b.alarms || a.hits - b.hits);
}

/** Tests that decide by whether r is beyond a point: from far to near. */
function thresholds(law: ShiftLaw, most: number): TestPoint[] {
  const { shift, scale, deviation } = law;
  const half = shift / 2 + 5 * Math.hypot(deviation, scale);
  const points = Array.from({ length: most + 1 }, (_, k): TestPoint => {
    const r = shift / 2 + half * (1 - (2 * k) / most);
    return { alarms: law.tail(r), hits: law.tail(r - shift) };
  });
  return [{ alarms: 0, hits: 0 }, ...points, { alarms: 1, hits: 1 }];
}

/** The test whose region is p_found > e^log p_blank; at infinity where the blank label cannot cause r. */
function testAt(law: Law, blank: number, found: number, log: number): TestPoint {
  if (log === Infinity) return { alarms: 0, hits: onlyUnder(law, found, blank) };
  const { over, under } = region(law, found, blank, Math.exp(log));
  return { alarms: under, hits: over };
}

/** How much of the one law lies where the other label cannot cause it. */
export function onlyUnder(law: Law, one: number, other: number): number {
  if (law.kind !== "channel") return 0;
  return (law.rows[one] as Float64Array).reduce((sum, x, k) => sum + ((law.rows[other] as Float64Array)[k] === 0 ? x : 0), 0);
}

/** The least chance to miss `found` with so many false alarms: T(alpha). */
export function missed(law: Law, blank: number, found: number, alarms: number): number {
  const least = 1 - onlyUnder(law, found, blank);
  if (alarms <= 0) return least;
  if (alarms >= 1) return 0;
  if (law.kind === "shift") return 1 - law.tail(quantile(law, alarms) - law.shift);
  const value = (t: number): number => 1 - hockeyStick(law, found, blank, t) - t * alarms;
  if (law.kind === "channel") {
    const ratios = logRatios(law, found, blank).filter(Number.isFinite).map(Math.exp);
    return Math.max(0, ...[0, ...ratios].map(value));
  }
  const finite = logRatios(law, found, blank);
  let [low, high] = [Math.min(...finite), Math.max(...finite)];
  for (let k = 0; k < 60 && high - low > 1e-13 * (1 + Math.abs(low)); k++) {
    const middle = (low + high) / 2;
    if (region(law, found, blank, Math.exp(middle)).under > alarms) low = middle;
    else high = middle;
  }
  return Math.max(0, value(Math.exp(low)), value(Math.exp(high)));
}

/** Beyond which point so much of the density at 0 lies. */
function quantile({ tail, scale, deviation }: ShiftLaw, share: number): number {
  let high = 38 * deviation + 700 * scale;
  let low = -high;
  for (let k = 0; k < 80; k++) {
    const middle = (low + high) / 2;
    if (tail(middle) > share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The integral over r of what has the two densities of a shift as factors: they have kinks where the normal part is small. */
export function overShift({ shift, scale, deviation }: ShiftLaw, f: (r: number) => number): number {
  const near = 9 * deviation;
  const inner = [0, shift].flatMap((centre) => [centre - near, centre, centre + near]).sort((a, b) => a - b);
  const far = 60 * scale;
  const cuts = [(inner[0] as number) - far, ...inner, (inner[5] as number) + far];
  let sum = 0;
  for (let k = 1; k < cuts.length; k++) {
    const [low, high] = [cuts[k - 1] as number, cuts[k] as number];
    const middle = (low + high) / 2;
    sum += integral(f, low, high, Math.abs(middle) < near || Math.abs(middle - shift) < near ? deviation : scale);
  }
  return sum;
}

/** The chance that `found` looks more like itself than `blank` does: the area under the curve of the best tests. */
export function areaUnder(law: Law, blank: number, found: number): number {
  if (law.kind === "shift") return overShift(law, (r) => law.density(r - law.shift) * law.tail(-r));
  const rows = rowsOf(law);
  const [p, q] = [rows[blank] as Float64Array, rows[found] as Float64Array];
  if (law.kind === "channel") {
    let sum = 0;
    p.forEach((x, k) => q.forEach((y, j) => (sum += Math.abs(x * y - (p[j] as number) * (q[k] as number)))));
    return (1 + sum / 2) / 2;
  }
  // 2 area - 1 is the integral over r of how much of p(r) q lies above q(r) p.
  const inner = (x: number, y: number): number => (x > 0 ? x * hockeyStick(law, found, blank, y / x) : 0);
  const ratios = logRatios(law, found, blank);
  const cuts = new Set<number>(law.centres);
  for (const log of new Set(ratios))
    for (const ends of region(law, found, blank, Math.exp(log)).intervals) for (const r of ends) if (Number.isFinite(r)) cuts.add(r);
  const at = (r: number): number => inner(densityAt(law, p, r), densityAt(law, q, r));
  const order = [...cuts].sort((a, b) => a - b);
  let sum = law.scale * (at(order[0] as number) + at(order[order.length - 1] as number));
  for (let k = 1; k < order.length; k++) sum += integral(at, order[k - 1] as number, order[k] as number, law.scale);
  return (1 + sum) / 2;
}

/** A mixture's density at r. */
export function densityAt({ centres, scale }: LaplaceLaw, weights: Float64Array, r: number): number {
  return weights.reduce((sum, w, k) => sum + w * Math.exp(-Math.abs(r - (centres[k] as number)) / scale), 0) / (2 * scale);
}
