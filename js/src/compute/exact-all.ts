/**
 * Exact leakage of all adversaries who know values of one row. For one release r let G(x) = P(x) exp(-|r - f(x)| /
 * scale). For a target, every other axis is taken from its labels to two states: known (the slice at the instance)
 * and unknown (the sum over all labels). The entry at label v is then proportional to the density of r given v and
 * the known values, and the same transform of P gives the factor. All targets are served by divide and conquer over
 * the axes. Only non-negative numbers are added; where they would underflow, the transforms run on logarithms.
 */
import { columnCount } from "../graph/nodes";
import { centresOf } from "./centres";
import { exactSup } from "./exact-sup";
import { withinBounds } from "./group-bound";
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

/** Instance as label positions, or null for the worst of all known values (`sup`). */
export function exactAll(release: Release, instance: readonly number[] | null): Leakages {
  const found = instance === null ? exactSup(release) : exactInstance(release, instance);
  withinBounds(found.exact, release.contributions, release.scale);
  return found;
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
