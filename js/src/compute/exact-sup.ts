/**
 * Exact leakage of all adversaries in the worst of all known values that can occur (`sup`): what a guarantee needs.
 * Every axis gets one state more than it has labels, their sum; for each combination of states of the others the
 * labels of the target are compared, and each adversary takes the largest over the labels it may know.
 */
import { columnCount } from "../graph/nodes";
import { centresOf, countReleases } from "./centres";
import type { Leakages } from "./exact-all";
import { groupBound } from "./group-bound";
import { Ratios } from "./ratios";
import type { Release } from "./releases";
import { combinations, withSums } from "./states";
import { sizeOf, stridesOf } from "./table";
import { falling, reachOf } from "./wide-noise";

/** What rounding leaves of a leakage of 0, as a part of the larger of 1 and range of the query / scale. */
const ZERO = 1e-14;

/** Numbers in flight for one block of releases. */
const BLOCK = 1 << 16;

/** Densities that are compared: the time is a few nanoseconds for each, up to twenty on logarithms. */
export function densitiesCompared(release: Release): number {
  const { shape } = release.table;
  return countReleases(release) * sizeOf(shape.map((d) => d + 1)) * shape.length;
}

export function exactSup(release: Release): Leakages {
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

  const width = Math.max(1, Math.min(centres.count, Math.floor(BLOCK / sizeOf(states))));
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
