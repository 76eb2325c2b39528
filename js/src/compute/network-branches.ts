/**
 * Branches: the parts of a network that are connected once the target is taken out, and their options. An option is what is
 * unknown in a branch, and the labels beside that; given the label of the target those of different branches are chosen
 * freely. See `leakage/networks/branches` in Python.
 */
import { densities, logRatio, normalised, type Lattice } from "./network-leakage";
import { besides, componentOf, convolve, eliminated, messagesOf, nothing, possibleTable, tableOf, times, Underflow, type Network } from "./network-model";

/** Laws of a branch's sum, one row for each label of the target, not normalised, all equally long. */
export interface Option {
  rows: readonly Float64Array[];
  possible: readonly boolean[];
  unknown: readonly number[];
  known: readonly (readonly [number, number])[];
  /** The options it is made of, whose unknown and known tuples are its own too. */
  behind: readonly Option[];
  /** The rows as laws, once they were asked for. */
  laws?: readonly Float64Array[];
}

export const lawsOfOption = (option: Option, logs: boolean): readonly Float64Array[] => (option.laws ??= option.rows.map((row) => normalised(row, logs)));

const LEAST_SHARE = 1e-50;
/** Numbers of options that are kept from one tuple, and one scale, to the next. */
const MOST_KEPT = 1 << 22;

export function saidBy(options: readonly Option[]): Pick<Option, "unknown" | "known"> {
  const all = [...options];
  for (const one of all) all.push(...one.behind);
  const byTuple = (a: number, b: number): number => a - b;
  const known = all.flatMap((one) => one.known).sort(([a], [b]) => a - b);
  return { unknown: all.flatMap((one) => one.unknown).sort(byTuple), known };
}

/** An option over its largest entry, or Underflow where digits may be lost. */
function overLargest(option: Option, logs: boolean): Option {
  let most = logs ? -Infinity : 0;
  for (const row of option.rows) for (const p of row) most = Math.max(most, p);
  if (most === (logs ? -Infinity : 0)) return option;
  const rows = option.rows.map((row, v) => {
    if (logs) return row.map((p) => p - most);
    const found = row.map((p) => p / most);
    if (option.possible[v] && found.reduce((all, p) => all + p, 0) < LEAST_SHARE) throw new Underflow();
    return found;
  });
  return { ...option, rows, laws: undefined };
}

/** All combinations of options of several branches. */
export function joined(groups: readonly (readonly Option[])[], labels: number, logs: boolean): Option[] {
  const one = Float64Array.of(logs ? 0 : 1);
  const start: Option = { rows: new Array(labels).fill(one), possible: new Array(labels).fill(true), unknown: [], known: [], behind: [] };
  const joining = (a: Option, b: Option): Option => (a === start ? { ...b, unknown: [], known: [], behind: [b] } : both(a, b, logs));
  return groups.reduce<Option[]>((found, group) => found.flatMap((a) => group.map((b) => joining(a, b))), [start]);
}

function both(a: Option, b: Option, logs: boolean): Option {
  const rows = a.rows.map((row, v) => {
    const other = b.rows[v] as Float64Array;
    const into = nothing(row.length + other.length - 1, logs);
    convolve(into, 0, row, 0, row.length, other, 0, other.length, logs);
    return into;
  });
  const possible = a.possible.map((there, v) => there && (b.possible[v] as boolean));
  return overLargest({ rows, possible, unknown: [], known: [], behind: [...a.behind, b] }, logs);
}

/** Of an ordered pair of labels: the largest log ratio of the densities of an option, and those below and above all values. */
export interface Stats {
  most: Float64Array;
  low: Float64Array;
  high: Float64Array;
}

/** Room for the densities of one option after the other. */
const room: Float64Array[] = [];

function roomFor(v: number, length: number): Float64Array {
  if ((room[v]?.length ?? 0) < length) room[v] = new Float64Array(2 * length);
  return room[v] as Float64Array;
}

export function statsOf(option: Option, decay: number, logs: boolean): Stats {
  const d = option.rows.length;
  const last = (option.rows[0] as Float64Array).length - 1;
  const rows = lawsOfOption(option, logs).map((law, v) => (option.possible[v] ? densities(law, decay, logs, roomFor(v, last + 1)) : null));
  const [most, low, high] = [0, 0, 0].map(() => new Float64Array(d * d).fill(-Infinity)) as [Float64Array, Float64Array, Float64Array];
  rows.forEach((a, v) => {
    rows.forEach((b, w) => {
      if (a === null || b === null || v === w) return;
      let top = -Infinity;
      for (let k = 0; k <= last; k++) {
        const apart = logs ? (a[k] as number) - (b[k] as number) : (a[k] as number) / (b[k] as number);
        if (apart > top) top = apart;
      }
      most[v * d + w] = logs ? top : Math.log(top);
      low[v * d + w] = logRatio(a[0] as number, b[0] as number, logs);
      high[v * d + w] = logRatio(a[last] as number, b[last] as number, logs);
    });
  });
  return { most, low, high };
}

/** The options of the branches of all tuples, made once for all scales. */
export class Branches {
  private made = new Map<string, Option[]>();
  private kept = 0;

  constructor(
    private readonly network: Network,
    private readonly lattice: Lattice,
    /** Labels that an adversary may know, by tuple. */
    private readonly allowed: readonly (readonly number[])[],
    private readonly most: number,
  ) {}

  /** Makes room where options are many. */
  forget(): void {
    if (this.kept <= MOST_KEPT) return;
    this.made = new Map();
    this.kept = 0;
  }

  private remember(key: string, make: () => Option[]): Option[] {
    let found = this.made.get(key);
    if (!found) {
      found = make();
      this.kept += found.reduce((all, { rows }) => all + rows.reduce((sum, row) => sum + row.length + 8, 0), 0);
      this.made.set(key, found);
    }
    return found;
  }

  // Trees: the options of a branch are made of those behind its first tuple.

  behind(j: number, p: number): number[] {
    return (this.network.graph[j] as readonly number[]).filter((c) => c !== p);
  }

  private readonly counts = new Map<string, number>();

  /** How many options the branch of j seen from p has. */
  count(j: number, p: number): number {
    const key = `${j},${p}`;
    const found = this.counts.get(key) ?? (this.allowed[j] as readonly number[]).length + times(this.behind(j, p).map((c) => this.count(c, j)));
    this.counts.set(key, found);
    return found;
  }

  ofTree(target: number, logs: boolean): Option[][] {
    return (this.network.graph[target] as readonly number[]).map((j) => this.branch(j, target, logs));
  }

  private branch(j: number, p: number, logs: boolean): Option[] {
    return this.remember(`${logs} ${j} ${p}`, () => {
      const sizes = this.network.sizes;
      const [own, pair] = [tableOf(this.network, [j]), tableOf(this.network, p < j ? [p, j] : [j, p])];
      const size = sizes[j] as number;
      const link = (v: number, u: number): number => pair[p < j ? v * size + u : u * (sizes[p] as number) + v] as number;
      const labels = Array.from({ length: sizes[p] as number }, (_, v) => v);
      const write = (x: number): number => (logs ? Math.log(x) : x);
      const known = (this.allowed[j] as readonly number[]).map((u): Option => {
        const rows = labels.map((v) => Float64Array.of(write(link(v, u))));
        return { rows, possible: labels.map((v) => link(v, u) > 0), unknown: [], known: [[j, u]], behind: [] };
      });
      const power = this.lattice.powers[j] as Int32Array;
      const rest = joined(this.behind(j, p).map((c) => this.branch(c, j, logs)), size, logs);
      const unknown = rest.map((option): Option => {
        const many = (option.rows[0] as Float64Array).length;
        const rows = labels.map((v) => {
          const into = nothing(many + Math.max(...power), logs);
          power.forEach((shift, u) => {
            const weight = Float64Array.of(logs ? write(link(v, u)) + write(own[u] as number) : link(v, u) * (own[u] as number));
            convolve(into, shift, option.rows[u] as Float64Array, 0, many, weight, 0, 1, logs);
          });
          return into;
        });
        const possible = labels.map((v) => option.possible.some((there, u) => there && (own[u] as number) > 0 && link(v, u) > 0));
        return overLargest({ rows, possible, unknown: [j], known: [], behind: option.behind }, logs);
      });
      return [...known, ...unknown];
    });
  }

  // Other networks: all connected sets around the target.

  private partsOf(target: number): Set<number>[] {
    const parts: Set<number>[] = [];
    for (const j of this.network.graph[target] as readonly number[]) {
      if (!parts.some((part) => part.has(j))) parts.push(componentOf(this.network.graph, j, new Set([target])));
    }
    return parts;
  }

  /** Sets of unknown tuples of a part and those beside them. */
  private *setsOf(target: number, part: ReadonlySet<number>): Generator<{ inside: ReadonlySet<number>; known: number[] }> {
    for (const inside of connectedSets(this.network.graph, target, part)) {
      yield { inside, known: besides(this.network.graph, new Set([target, ...inside])).filter((k) => part.has(k)) };
    }
  }

  /** How many combinations of options there are, or some number above the most. */
  countOfNetwork(target: number): number {
    let whole = 1;
    for (const part of this.partsOf(target)) {
      let many = 0;
      for (const { known } of this.setsOf(target, part)) {
        many += times(known.map((j) => (this.allowed[j] as readonly number[]).length));
        if (many * whole > this.most) return many * whole;
      }
      whole *= many;
    }
    return whole;
  }

  ofNetwork(target: number, logs: boolean): Option[][] {
    return this.partsOf(target).map((part, k) => this.remember(`${logs} ${target} part ${k}`, () => {
      const made = [...this.setsOf(target, part)].flatMap(({ inside, known }) => this.optionsOfSet(target, part, inside, known, logs));
      const many = Math.max(...made.map(({ rows }) => (rows[0] as Float64Array).length));
      // All of one part are equally long, so that what is far beyond all values is far beyond those of every option.
      return made.map((option) => overLargest({ ...option, rows: option.rows.map((row) => padded(row, many, logs)) }, logs));
    }));
  }

  /** The options of one set of unknown tuples: all labels of those beside it that can occur. */
  private optionsOfSet(target: number, part: ReadonlySet<number>, inside: ReadonlySet<number>, known: readonly number[], logs: boolean): Option[] {
    const { network, lattice } = this;
    const kept = [...known, target].sort((a, b) => a - b);
    const near = network.factors.filter(({ scope }) => scope.some((j) => part.has(j)) && scope.some((j) => j === target || inside.has(j)));
    const found = eliminated(network, messagesOf({ factors: near, sizes: network.sizes }, new Map(), logs), kept, lattice.powers, logs);
    const truth = possibleTable(network, kept, new Map());
    const options = new Map<string, { labels: number[]; cells: number[] }>();
    const sizes = kept.map((j) => network.sizes[j] as number);
    const at = kept.indexOf(target);
    truth.forEach((_, cell) => {
      let rest = cell;
      const labels = sizes.map(() => 0);
      for (let k = sizes.length - 1; k >= 0; k--) [labels[k], rest] = [rest % (sizes[k] as number), Math.floor(rest / (sizes[k] as number))];
      const [v] = labels.splice(at, 1) as [number];
      if (!labels.every((u, k) => this.allowed[known[k] as number]?.includes(u))) return;
      const option = options.get(labels.join()) ?? { labels, cells: [] };
      option.cells[v] = cell;
      options.set(labels.join(), option);
    });
    return [...options.values()].flatMap(({ labels, cells }) => {
      const possible = cells.map((cell) => (truth[cell] as boolean) && (found.possible === null || Boolean(found.possible[cell])));
      if (!possible.some(Boolean)) return [];
      const rows = cells.map((cell) => found.values.subarray(cell * found.many, (cell + 1) * found.many));
      return [{ rows, possible, unknown: [...inside], known: labels.map((u, k) => [known[k] as number, u] as const), behind: [] }];
    });
  }
}

function padded(row: Float64Array, many: number, logs: boolean): Float64Array {
  const found = nothing(many, logs);
  found.set(row);
  return found;
}

/** All sets of tuples of a part that are connected once the target is added, the empty one first. */
export function* connectedSets(graph: Network["graph"], target: number, part: ReadonlySet<number>): Generator<ReadonlySet<number>> {
  const waiting: { inside: ReadonlySet<number>; out: ReadonlySet<number> }[] = [{ inside: new Set(), out: new Set() }];
  yield new Set();
  for (let one = waiting.pop(); one; one = waiting.pop()) {
    const { inside } = one;
    let { out } = one;
    for (const j of besides(graph, new Set([target, ...inside]))) {
      if (!part.has(j) || out.has(j)) continue;
      const more = new Set([...inside, j]);
      yield more;
      waiting.push({ inside: more, out });
      out = new Set([...out, j]);
    }
  }
}

/** How many sets of unknown tuples matter around every tuple; null where there are more than `most`. */
export function adversariesThatMatter({ graph, isTree, names }: Network, most = 1e6): (number | null)[] {
  const around = new Map<string, number>();
  const count = (j: number, p: number): number => {
    const key = `${j},${p}`;
    const found = around.get(key) ?? 1 + times((graph[j] as readonly number[]).filter((c) => c !== p).map((c) => count(c, j)));
    around.set(key, found);
    return found;
  };
  return names.map((_, j) => {
    if (isTree) return times((graph[j] as readonly number[]).map((k) => count(k, j)));
    let many = 0;
    for (const _set of connectedSets(graph, j, componentOf(graph, j))) if (++many > most) return null;
    return many;
  });
}
