/** One adversary, exactly: of one published number, and of several released together. */
import { fall, isNarrow, logShare, narrowPeak, reachOf, wideReach } from "./extreme-noise";
import { centresOf } from "./linear-query";
import { bounded, groupBound, largest, least, logAdd, queryValues, snapped, type Release } from "./releases";
import { marginal, normalised, sliced, starts, stridesOf, total } from "./table";

// One adversary, exactly (Li, Ren, Yang and Yang, Eq. 2). Given a label of the attacked tuple and the known values,
// the release follows a mixture of Laplace densities; the log ratio of two such mixtures is monotone between
// neighbouring centres and constant outside all of them, so its supremum is attained at a centre.

/** A mixture of Laplace densities: distinct ascending centres, and the logarithms of their weights. */
export interface LaplaceMixture {
  centres: Float64Array;
  logWeights: Float64Array;
}

/** The largest log ratio among mixtures: its value, the place and the positions of the two mixtures. */
export interface Peak {
  value: number;
  r: number;
  side: "<=" | ">=" | "=";
  more: number;
  less: number;
}

interface Node {
  /** In nats; 0 when determined. */
  value: number;
  /** The known values leave the attacked tuple one label. */
  determined: boolean;
  /** Where the supremum is attained, and between which labels; null when determined. */
  attained: { r: number; side: Peak["side"]; pair: [number, number] } | null;
  /** Probability of every label given the known values. */
  prior: Float64Array;
  /** Probability of the known values. */
  support: number;
  /** The density of the release for each label of the attacked tuple; null for one that cannot occur. */
  mixtures: (LaplaceMixture | null)[];
}

/** Relative: among equal places the left end is named before the right end, and an end before a single point. */
const TIE = 1e-12;
/** Up to this many pairs of a point and a centre each density is summed over all centres. */
const ALL_PAIRS = 1 << 16;
/** Beyond, wide noise is treated as any other. */
const MOST_FALLS = 1 << 24;

function logSumExp(count: number, term: (k: number) => number): number {
  let top = -Infinity;
  for (let k = 0; k < count; k++) top = Math.max(top, term(k));
  if (top === -Infinity) return top;
  const parts = new Float64Array(count);
  for (let k = 0; k < count; k++) parts[k] = Math.exp(term(k) - top);
  return Math.log(total(parts)) + top;
}

/** Zero weights are dropped, equal centres joined; null when no weight is positive. */
export function mixtureOf(centres: Float64Array, weights: Float64Array): LaplaceMixture | null {
  const heaviest = largest(weights);
  if (!(heaviest > 0)) return null;
  const joined = new Map<number, number>();
  centres.forEach((c, k) => {
    const w = weights[k] as number;
    // Divided by the largest first: weights may be as small as the smallest float.
    if (w > 0) joined.set(c, (joined.get(c) ?? 0) + w / heaviest);
  });
  const ordered = Float64Array.from(joined.keys()).sort();
  const masses = ordered.map((c) => joined.get(c) as number);
  const all = Math.log(total(masses));
  return { centres: ordered, logWeights: masses.map((w) => Math.log(w) - all) };
}

/** Log densities, up to a constant, at sorted points among which are all centres. */
function logDensitiesAt(points: Float64Array, { centres, logWeights }: LaplaceMixture, scale: number): Float64Array {
  if (points.length * centres.length <= ALL_PAIRS) {
    return points.map((r) =>
      logSumExp(centres.length, (k) => (logWeights[k] as number) - Math.abs(r - (centres[k] as number)) / scale),
    );
  }
  const own = new Map<number, number>();
  centres.forEach((c, k) => own.set(c, logWeights[k] as number));
  const found = new Float64Array(points.length);
  let level = -Infinity;
  for (let k = 0; k < points.length; k++) {
    const gap = k > 0 ? ((points[k] as number) - (points[k - 1] as number)) / scale : 0;
    level = logAdd(level - gap, own.get(points[k] as number) ?? -Infinity);
    found[k] = level;
  }
  // What stands to the right of each point; the point's own weight is counted above.
  level = -Infinity;
  for (let k = points.length - 2; k >= 0; k--) {
    const gap = ((points[k + 1] as number) - (points[k] as number)) / scale;
    level = logAdd(level, own.get(points[k + 1] as number) ?? -Infinity) - gap;
    found[k] = logAdd(found[k] as number, level);
  }
  return found;
}

/** Log densities at some points, over the reach and up to a constant, where the noise is wide. */
function logSharesAt(points: Float64Array, { centres, logWeights }: LaplaceMixture, scale: number, reach: number): Float64Array {
  const weights = logWeights.map(Math.exp);
  return points.map((r) => logShare(total(centres.map((c, k) => (weights[k] as number) * fall(Math.abs(r - c) / scale, reach))), reach));
}

/** The largest log ratio of two of the mixtures, over every release and both orders. At least two. */
export function largestLogRatio(mixtures: readonly LaplaceMixture[], scale: number): Peak {
  const centres = new Set<number>();
  for (const mixture of mixtures) mixture.centres.forEach((c) => centres.add(c));
  const points = Float64Array.from(centres).sort();
  const few = mixtures.every((mixture) => points.length * mixture.centres.length <= MOST_FALLS);
  const reach = few ? wideReach(((points[points.length - 1] as number) - (points[0] as number)) / scale) : 0;
  const logs = mixtures.map((mixture) => (reach > 0 ? logSharesAt(points, mixture, scale, reach) : logDensitiesAt(points, mixture, scale)));
  const gains = points.map((_, k) => {
    const here = logs.map((row) => row[k] as number);
    return largest(here) - least(here);
  });
  const top = largest(gains);
  const enough = top - TIE * (reach > 0 ? top : Math.max(1, top));
  const last = points.length - 1;
  let k = last;
  let side: Peak["side"] = ">=";
  if ((gains[0] as number) >= enough) [k, side] = [0, "<="];
  else if ((gains[last] as number) < enough) [k, side] = [gains.indexOf(top), "="];
  const here = logs.map((row) => row[k] as number);
  const more = here.indexOf(largest(here));
  let less = here.indexOf(least(here));
  if (more === less) less = more < 2 ? 1 - more : 0;
  return { value: Math.max(top, 0) * (reach || 1), r: points[k] as number, side, more, less };
}

/** One adversary: the attacked tuple, and the label positions of the known ones. */
export function exactNode({ table, contributions, scale }: Release, target: number, known: ReadonlyMap<number, number>): Node {
  const rest = contributions.map((_, j) => j).filter((j) => !known.has(j));
  const at = rest.indexOf(target);
  const agreeing = sliced(table, known);
  const unknown = rest.map((j) => contributions[j] as Float64Array);
  const values = snapped(queryValues(unknown));
  const lowest = rest.reduce((sum, j) => sum + least(contributions[j] as Float64Array), 0);
  let offset = 0;
  known.forEach((p, j) => (offset += contributions[j]?.[p] as number));
  offset += lowest;

  const step = stridesOf(agreeing.shape)[at] as number;
  const others = starts(agreeing.shape, [at]);
  const labels = Array.from({ length: agreeing.shape[at] as number }, (_, v) => v);
  const relative = labels.map((v) =>
    mixtureOf(
      Float64Array.from(others, (cell) => values[cell + v * step] as number),
      Float64Array.from(others, (cell) => agreeing.entries[cell + v * step] as number),
    ),
  );
  const masses = marginal(agreeing, [at]);
  const seen = {
    prior: normalised(masses).entries,
    support: total(masses.entries),
    mixtures: relative.map((m) => m && { centres: m.centres.map((c) => c + offset), logWeights: m.logWeights }),
  };
  const feasible = labels.filter((v) => relative[v] !== null);
  if (feasible.length < 2) return { value: 0, determined: true, attained: null, ...seen };
  const roughly = largestLogRatio(feasible.map((v) => relative[v] as LaplaceMixture), scale);
  const rows = (v: number): { cells: Int32Array; weights: Float64Array } => {
    const cells = Int32Array.from(others, (cell) => cell + v * step);
    return { cells, weights: Float64Array.from(cells, (cell) => agreeing.entries[cell] as number) };
  };
  // The place as a float, which tells it as well as a float can.
  const peak = isNarrow(unknown, scale) ? { ...roughly, ...narrowPeak(unknown, scale, feasible.map(rows)) } : roughly;
  const pair: [number, number] = [feasible[peak.more] as number, feasible[peak.less] as number];
  const value = bounded(peak.value, groupBound(contributions, scale, [...known.keys()]));
  return { value, determined: false, attained: { r: peak.r + offset, side: peak.side, pair }, ...seen };
}

/** The known values with the largest leakage of one adversary (`sup`), by tuple. */
export function worstKnown(release: Release, target: number, known: readonly number[]): Map<number, number> {
  const { shape, entries } = release.table;
  const strides = stridesOf(shape);
  const hidden = shape.map((_, j) => j).filter((j) => j !== target && !known.includes(j));
  const combinations = starts(shape, [target, ...hidden]);
  const inside = starts(shape, [target, ...known]);
  const step = strides[target] as number;
  const centres = centresOf(release);
  const reach = reachOf(centres, entries);
  const found = Float64Array.from(combinations, (start) => {
    const labels: { logs: Float64Array; rows: readonly number[]; prior: number }[] = [];
    for (let v = 0; v < (shape[target] as number); v++) {
      const rows = Array.from(inside, (cell) => start + v * step + cell).filter((cell) => (entries[cell] as number) > 0);
      if (rows.length === 0) continue;
      const logs = Float64Array.from(rows, (cell) => Math.log(entries[cell] as number));
      labels.push({ logs, rows, prior: logSumExp(logs.length, (k) => logs[k] as number) });
    }
    if (labels.length === 0) return NaN;
    // Known values that leave one label come after all that leave a choice.
    if (labels.length === 1) return -1;
    let best = 0;
    for (let release = 0; release < centres.count; release++) {
      let high = -Infinity;
      let low = Infinity;
      for (const { logs, rows, prior } of labels) {
        const density =
          reach > 0
            ? logShare(total(logs.map((log, k) => Math.exp(log - prior) * fall(centres.distance(release, rows[k] as number), reach))), reach)
            : logSumExp(logs.length, (k) => (logs[k] as number) - centres.distance(release, rows[k] as number)) - prior;
        high = Math.max(high, density);
        low = Math.min(low, density);
      }
      best = Math.max(best, high - low);
    }
    return best;
  });
  const top = found.reduce((a, b) => (b > a ? b : a), -1);
  const first = found.findIndex((value) => value >= top - TIE * (reach > 0 ? Math.abs(top) : Math.max(1, top)));
  let cell = combinations[first] as number;
  const positions = new Map<number, number>();
  for (const k of known) {
    const stride = strides[k] as number;
    positions.set(k, Math.floor(cell / stride) % (shape[k] as number));
    cell -= (positions.get(k) as number) * stride;
  }
  return positions;
}

// What one adversary learns from several numbers released together, such as a whole histogram: where the leakage is
// reached, and what each number alone would leak (Li, Ren, Yang and Yang, Eq. 2, for several numbers).

export interface JointNode extends Pick<Node, "determined" | "prior" | "support"> {
  /** Nats, of each number alone. */
  alone: number[];
  /** Released numbers at which all together leak most; null when the target is determined. */
  r: number[] | null;
}

export function jointNode(
  { table, scale }: Release,
  bins: readonly (readonly Float64Array[])[],
  target: number,
  known: ReadonlyMap<number, number>,
): JointNode {
  const nodes = bins.map((contributions) => exactNode({ table, contributions, scale }, target, known));
  const { determined, prior, support } = nodes[0] as Node;
  const alone = nodes.map(({ value }) => value);
  if (determined) return { determined, prior, support, alone, r: null };
  const agreeing = sliced(table, known);
  const rest = table.shape.map((_, j) => j).filter((j) => !known.has(j));
  const at = rest.indexOf(target);
  const step = stridesOf(agreeing.shape)[at] as number;
  const others = starts(agreeing.shape, [at]);
  const possible = agreeing.entries.map((p) => (p > 0 ? 1 : 0));
  const values = bins.map((y) => queryValues(rest.map((j) => y[j] as Float64Array)));
  const points = values.map((all) => Float64Array.from(new Set(all.filter((_, cell) => possible[cell] === 1))).sort());
  // Numbers are measured from the least that the unknown tuples add, on top of what the known ones do.
  const offsets = bins.map((y) => {
    const free = rest.reduce((sum, j) => sum + least(y[j] as Float64Array), 0);
    return [...known].reduce((sum, [j, p]) => sum + (y[j]?.[p] as number), free);
  });
  const rows = Array.from(prior, (_, v) =>
    [...others].map((cell) => cell + v * step).filter((cell) => possible[cell] === 1),
  ).filter((cells) => cells.length > 0);
  const logs = rows.map((cells) => {
    const own = cells.map((cell) => Math.log(agreeing.entries[cell] as number));
    const all = logSum(own);
    return own.map((value) => value - all);
  });
  const gains = combinations(points).map((r) => {
    const here = rows.map((cells, v) =>
      logSum(cells.map((cell, k) => (logs[v]?.[k] as number) - r.reduce((sum, place, b) => sum + Math.abs(place - (values[b]?.[cell] as number)), 0) / scale)),
    );
    return { r, gain: largest(here) - least(here) };
  });
  const top = gains.reduce((most, { gain }) => Math.max(most, gain), 0);
  const first = gains.find(({ gain }) => gain >= top - TIE * Math.max(1, top));
  return { determined, prior, support, alone, r: first ? first.r.map((place, b) => place + (offsets[b] as number)) : null };
}

function logSum(terms: readonly number[]): number {
  const top = largest(terms);
  return top === -Infinity ? top : top + Math.log(terms.reduce((sum, term) => sum + Math.exp(term - top), 0));
}

/** All combinations of one number of each list; the last changes first. */
function combinations(lists: readonly Float64Array[]): number[][] {
  return lists.reduce<number[][]>((found, list) => found.flatMap((some) => Array.from(list, (one) => [...some, one])), [[]]);
}
