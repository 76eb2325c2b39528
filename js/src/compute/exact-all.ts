/**
 * Exact leakage of all adversaries who know values of one row. For one release r let G(x) = P(x) exp(-|r - f(x)| /
 * scale). For a target, every other axis is taken from its labels to two states: known (the slice at the instance)
 * and unknown (the sum over all labels). The entry at label v is then proportional to the density of r given v and
 * the known values, and the same transform of P gives the factor. All targets are served by divide and conquer over
 * the axes. Only non-negative numbers are added; where they would underflow, the transforms run on logarithms.
 */
import { columnCount, knownOf } from "../graph/nodes";
import { centresOf } from "./centres";
import { exactNode } from "./exact-node";
import { exactSup } from "./exact-sup";
import { general, InputFault } from "./faults";
import { withinBounds } from "./group-bound";
import { isNarrow } from "./narrow-noise";
import { Ratios } from "./ratios";
import type { Release } from "./releases";
import { addUp, combinations } from "./states";
import { sizeOf } from "./table";
import { falling, reachOf } from "./wide-noise";

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
