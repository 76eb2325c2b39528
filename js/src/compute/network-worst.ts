/**
 * The worst adversary of a tuple of a network: over all sets of known tuples and all their values. Only the tuples joined
 * to the target by unknown ones matter, and the labels beside them. The target taken out, what hangs together is a
 * branch; an option of a branch is what is unknown in it, and the labels beside that. Bounds from single branches mostly
 * settle who is worst; else combinations of options are gone through, the most promising first. See
 * `leakage/networks/worst` in Python.
 */
import { InputFault } from "./faults";
import { densities, largestRatio, lawsOf, logRatio, normalised, type Lattice, type Limits } from "./network-leakage";
import {
  besides,
  canOccur,
  componentOf,
  convolve,
  eliminated,
  inLogsToo,
  messagesOf,
  nothing,
  possibleTable,
  someRow,
  tableOf,
  times,
  Underflow,
  type Known,
  type Network,
} from "./network-model";
import { logAdd } from "./releases";

/** What the worst adversary learns, nats: exactly where `lower` is `upper`, else between the two. */
export interface Worst {
  lower: number;
  upper: number;
  status: "exact" | "bound";
  /** Who learns `lower`: whom he does not know beside the target, ascending, and the labels beside them. */
  unknown: readonly number[];
  known: readonly (readonly [number, number])[];
}

/** Laws of a branch's sum, one row for each label of the target, not normalised, all equally long. */
interface Option {
  rows: readonly Float64Array[];
  possible: readonly boolean[];
  unknown: readonly number[];
  known: readonly (readonly [number, number])[];
  /** The options it is made of, whose unknown and known tuples are its own too. */
  behind: readonly Option[];
  /** The rows as laws, once they were asked for. */
  laws?: readonly Float64Array[];
}

const lawsOfOption = (option: Option, logs: boolean): readonly Float64Array[] => (option.laws ??= option.rows.map((row) => normalised(row, logs)));

const SAME = 1e-12;
const LEAST_SHARE = 1e-50;
/** Numbers of options that are kept from one tuple, and one scale, to the next. */
const MOST_KEPT = 1 << 22;

function saidBy(options: readonly Option[]): Pick<Worst, "unknown" | "known"> {
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
function joined(groups: readonly (readonly Option[])[], labels: number, logs: boolean): Option[] {
  const one = Float64Array.of(logs ? 0 : 1);
  const start: Option = { rows: new Array(labels).fill(one), possible: new Array(labels).fill(true), unknown: [], known: [], behind: [] };
  return groups.reduce<Option[]>((found, group) => found.flatMap((a) => group.map((b) => (a === start ? { ...b, unknown: [], known: [], behind: [b] } : both(a, b, logs)))), [start]);
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
interface Stats {
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

function statsOf(option: Option, decay: number, logs: boolean): Stats {
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

/** What single branches of a tree say about the worst adversary. */
export interface Bounds {
  lower: number;
  upper: number;
  /** Who learns `lower`. */
  options: readonly Option[];
}

/** Everything that stays the same while worst adversaries of one network and query are sought. */
export class WorstSearch {
  private decay = 1;
  private made = new Map<string, Option[]>();
  private kept = 0;
  private readonly until: number;
  /** Labels that an adversary may know. */
  private readonly allowed: readonly (readonly number[])[];

  constructor(
    private readonly network: Network,
    private readonly lattice: Lattice,
    private readonly limits: Limits,
    /** A row that can occur, whose values are those that are known; null for all that can occur. */
    private readonly row: readonly number[] | null = null,
  ) {
    this.until = performance.now() + 1000 * limits.seconds;
    this.allowed = network.possible.map((there, j) => (row ? [row[j] as number] : there.flatMap((can, v) => (can ? [v] : []))));
  }

  /** The worst adversary of a tuple at a scale. */
  of(target: number, scale: number): Worst {
    return this.above(target, scale, -Infinity);
  }

  /** The same where it is more than `enough`; else that he learns no more. */
  private above(target: number, scale: number, enough: number): Worst {
    this.decay = this.lattice.step / scale;
    if (this.late) return this.between(target, Infinity);
    if (this.kept > MOST_KEPT) this.forget();
    if (!this.network.isTree) {
      if (this.countOfNetwork(target) > this.limits.options) return this.between(target, Infinity);
      return this.searched(target, (logs) => this.optionsOfNetwork(target, logs), { lower: Math.max(0, enough), upper: Infinity, options: [] }, this.limits.options, enough);
    }
    const bounds = this.bounds(target, scale);
    if (bounds === null) return this.between(target, Infinity);
    if (bounds.upper <= bounds.lower + SAME) return exactly(bounds.lower, bounds.options);
    return this.searched(target, (logs) => this.optionsOfTree(target, logs), { ...bounds, lower: Math.max(bounds.lower, enough) }, this.network.isPath ? Infinity : this.limits.options, enough);
  }

  /** Whether the time is up: from then on the worst adversary of a tuple is an interval. */
  private get late(): boolean {
    return performance.now() > this.until;
  }

  refuseLate(): void {
    if (this.late) throw new InputFault("The search for the worst adversary takes too long in a page; run the notebook.", { kind: "table" });
  }

  /** Whether somebody may learn more than epsilon about a tuple at a scale, and whether that is certain. */
  exceeds(scale: number, epsilon: number): { more: boolean; certain: boolean } {
    this.refuseLate();
    let certain = true;
    const tuples = this.network.names.map((_, j) => j);
    const bounds = this.network.isTree ? tuples.map((j) => this.bounds(j, scale)) : [];
    if (bounds.some((one) => one !== null && one.lower > epsilon)) return { more: true, certain };
    for (const j of tuples) {
      if ((bounds[j]?.upper ?? Infinity) <= epsilon + SAME) continue;
      const { lower, upper } = this.above(j, scale, epsilon);
      if (lower > epsilon) return { more: true, certain: true };
      certain = certain && upper <= epsilon;
    }
    return { more: !certain, certain };
  }

  /** Bounds of a tuple of a tree; null where a branch has too many options. */
  bounds(target: number, scale: number): Bounds | null {
    this.decay = this.lattice.step / scale;
    const around = this.network.graph[target] as readonly number[];
    if (around.some((j) => this.count(j, target) > this.limits.options)) return null;
    return inLogsToo((logs) => this.boundsOf(target, this.optionsOfTree(target, logs), logs));
  }

  /** Differences of the target's contributions over the scale, by ordered pair of labels; NaN where one cannot occur. */
  private steps(target: number): Float64Array {
    const [power, there] = [this.lattice.powers[target] as Int32Array, this.network.possible[target] as readonly boolean[]];
    const apart = (v: number, w: number): number => (v !== w && there[v] && there[w] ? this.decay * ((power[v] as number) - (power[w] as number)) : NaN);
    return Float64Array.from({ length: power.length ** 2 }, (_, at) => apart(Math.floor(at / power.length), at % power.length));
  }

  private boundsOf(target: number, branches: readonly (readonly Option[])[], logs: boolean): Bounds {
    const steps = this.steps(target);
    const best = branches.map((options) => {
      const [most, low, high] = [0, 0, 0].map(() => new Float64Array(steps.length).fill(-Infinity)) as [Float64Array, Float64Array, Float64Array];
      const [atLow, atHigh] = [new Int32Array(steps.length), new Int32Array(steps.length)];
      options.forEach((option, k) => {
        const stats = statsOf(option, this.decay, logs);
        for (let at = 0; at < steps.length; at++) {
          most[at] = Math.max(most[at] as number, stats.most[at] as number);
          if ((stats.low[at] as number) > (low[at] as number)) [low[at], atLow[at]] = [stats.low[at] as number, k];
          if ((stats.high[at] as number) > (high[at] as number)) [high[at], atHigh[at]] = [stats.high[at] as number, k];
        }
      });
      return { most, low, high, atLow, atHigh };
    });
    let upper = -Infinity;
    let lower = -Infinity;
    let options: Option[] = [];
    steps.forEach((step, at) => {
      if (Number.isNaN(step)) return;
      const sum = (key: "most" | "low" | "high"): number => best.reduce((all, one) => all + (one[key][at] as number), 0);
      upper = Math.max(upper, Math.abs(step) + sum("most"));
      const ends = [sum("low") - step, sum("high") + step] as const;
      ends.forEach((end, side) => {
        if (!(end > lower)) return;
        lower = end;
        options = best.map((one, b) => branches[b]?.[(side ? one.atHigh : one.atLow)[at] as number] as Option);
      });
    });
    return upper === -Infinity ? { lower: 0, upper: 0, options: [] } : { lower: Math.max(0, lower), upper, options };
  }

  private forget(): void {
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

  private behind(j: number, p: number): number[] {
    return (this.network.graph[j] as readonly number[]).filter((c) => c !== p);
  }

  private readonly counts = new Map<string, number>();

  private count(j: number, p: number): number {
    const key = `${j},${p}`;
    const found = this.counts.get(key) ?? (this.allowed[j] as readonly number[]).length + times(this.behind(j, p).map((c) => this.count(c, j)));
    this.counts.set(key, found);
    return found;
  }

  private optionsOfTree(target: number, logs: boolean): Option[][] {
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
        return { rows: labels.map((v) => Float64Array.of(write(link(v, u)))), possible: labels.map((v) => link(v, u) > 0), unknown: [], known: [[j, u]], behind: [] };
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

  private countOfNetwork(target: number): number {
    let whole = 1;
    for (const part of this.partsOf(target)) {
      let many = 0;
      for (const { known } of this.setsOf(target, part)) {
        many += times(known.map((j) => (this.allowed[j] as readonly number[]).length));
        if (many * whole > this.limits.options) return many * whole;
      }
      whole *= many;
    }
    return whole;
  }

  private optionsOfNetwork(target: number, logs: boolean): Option[][] {
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

  // All combinations of options, the most promising first

  private searched(target: number, optionsIn: (logs: boolean) => Option[][], start: Bounds, most: number, enough: number): Worst {
    const found = inLogsToo((logs) => {
      const groups = this.twoGroups(optionsIn(logs), this.network.sizes[target] as number, logs);
      return groups && this.ofPairs(target, groups, start, most, enough, logs);
    });
    if (found === null) return this.between(target, start.upper);
    if (found.open <= found.best + SAME) return exactly(found.best, found.options);
    return this.between(target, Math.min(found.open, start.upper), { lower: found.best, upper: found.open, options: found.options });
  }

  /** Branches joined to two groups of few options each; null where one would have too many. */
  private twoGroups(branches: readonly Option[][], labels: number, logs: boolean): [Option[], Option[]] | null {
    const groups: [Option[][], Option[][]] = [[], []];
    const sizes = (): [number, number] => [times(groups[0].map(({ length }) => length)), times(groups[1].map(({ length }) => length))];
    for (const options of [...branches].sort((a, b) => b.length - a.length)) {
      const [one, other] = sizes();
      groups[one <= other ? 0 : 1].push(options);
    }
    if (Math.max(...sizes()) > this.limits.options) return null;
    return [joined(groups[0], labels, logs), joined(groups[1], labels, logs)];
  }

  /** The largest leakage of two options, what may be above it, and which options. */
  private ofPairs(target: number, [left, right]: [Option[], Option[]], start: Bounds, most: number, enough: number, logs: boolean): { best: number; open: number; options: readonly Option[] } {
    const steps = this.steps(target).map(Math.abs);
    const [ones, others] = [left, right].map((group) => group.map((option) => statsOf(option, this.decay, logs).most)) as [Float64Array[], Float64Array[]];
    const topOther = steps.map((_, at) => others.reduce((top, one) => Math.max(top, one[at] as number), -Infinity));
    const above = (one: Float64Array, other: Float64Array): number =>
      steps.reduce((top, step, at) => (Number.isNaN(step) ? top : Math.max(top, step + (one[at] as number) + (other[at] as number))), -Infinity);
    const tops = ones.map((one) => above(one, topOther));
    let [best, options, done] = [start.lower, start.options, 0];
    for (const a of tops.map((_, k) => k).sort((x, y) => (tops[y] as number) - (tops[x] as number))) {
      if ((tops[a] as number) <= best + SAME) break;
      if (this.late) return { best, open: tops[a] as number, options };
      const [one, option] = [ones[a] as Float64Array, left[a] as Option];
      for (let b = 0; b < right.length; b++) {
        if (above(one, others[b] as Float64Array) <= best + SAME) continue;
        if (++done > most) return { best, open: tops[a] as number, options };
        const value = this.ofPair(target, option, right[b] as Option, logs);
        if (value > best) [best, options] = [value, [option, right[b] as Option]];
        // Whoever only asks whether it is more than enough has the answer.
        if (enough > -Infinity && best > enough) return { best, open: best, options };
      }
    }
    return { best, open: best, options };
  }

  private ofPair(target: number, left: Option, right: Option, logs: boolean): number {
    const power = this.lattice.powers[target] as Int32Array;
    const most = Math.max(...power);
    const feasible = this.network.possible[target]?.map((there, v) => there && (left.possible[v] as boolean) && (right.possible[v] as boolean)) ?? [];
    const laws = lawsOfOption(right, logs);
    const rows = lawsOfOption(left, logs).map((row, v) => {
      const law = laws[v] as Float64Array;
      const into = nothing(row.length + law.length - 1 + most, logs);
      if (feasible[v]) convolve(into, power[v] as number, row, 0, row.length, law, 0, law.length, logs);
      return into;
    });
    return largestRatio({ rows, feasible, logs, first: 0 }, this.decay).value;
  }

  // Where options are too many: an interval

  private between(target: number, upper: number, best: Bounds | null = null): Worst {
    const members = componentOf(this.network.graph, target);
    const reach = [...members].reduce((all, j) => all + (this.lattice.sensitivities[j] as number), 0) / (this.lattice.step / this.decay);
    let most = Math.min(upper, reach);
    if (this.network.isTree && Math.max(...this.network.sizes) < 3) most = Math.min(most, this.treeUpper(target));
    const climbed = this.climbed(target, members);
    const found = best && best.lower > climbed.lower ? { lower: best.lower, ...saidBy(best.options) } : climbed;
    return { ...found, upper: Math.max(found.lower, most), status: "bound" };
  }

  /** A bound for a tuple of a tree with at most two labels, in one pass: how far a branch moves log odds both ways. */
  upperOf(target: number, scale: number): number {
    this.decay = this.lattice.step / scale;
    return this.treeUpper(target);
  }

  private treeUpper(target: number): number {
    const { possible, graph } = this.network;
    const step = this.lattice.powers.map((power) => this.decay * Math.max(...power));
    const twoOf = (j: number): boolean => (possible[j] as readonly boolean[]).filter(Boolean).length > 1;
    const through = (j: number, p: number): { sent: [number, number]; moves: [number, number, number, number] } => {
      const behind = this.behind(j, p).map((c) => through(c, j));
      const [own, pair] = [tableOf(this.network, [j]), tableOf(this.network, p < j ? [p, j] : [j, p])];
      const [size, above] = [this.network.sizes[j] as number, this.network.sizes[p] as number];
      const both = [0, 1].map((a) => [0, 1].map((u) => {
        if (a >= above || u >= size) return -Infinity;
        const link = pair[p < j ? a * size + u : u * above + a] as number;
        return behind.reduce((all, { sent }) => all + (sent[u] as number), Math.log(link) + Math.log(own[u] as number));
      }));
      const sent = both.map((row) => row.reduce(logAdd)) as [number, number];
      if (!twoOf(j) || !twoOf(p)) return { sent, moves: [0, 0, 0, 0] };
      const link = both.map((row, a) => row.map((x) => Math.exp(x - (sent[a] as number))));
      const sum = (k: number): number => behind.reduce((all, { moves }) => all + (moves[k] as number), 0);
      return { sent, moves: movesOf(link, (step[j] as number) + sum(0), (step[j] as number) + sum(1), sum(2), sum(3)) };
    };
    if (!twoOf(target)) return 0;
    const around = (graph[target] as readonly number[]).map((j) => through(j, target).moves);
    return (step[target] as number) + Math.max(around.reduce((all, [up]) => all + up, 0), around.reduce((all, [, down]) => all + down, 0));
  }

  /** The best adversary found by steps from three starts: one tuple more known, one less, or one with another label. */
  private climbed(target: number, members: ReadonlySet<number>): Pick<Worst, "lower" | "unknown" | "known"> {
    const { graph, names } = this.network;
    const first = new Map((this.row ?? someRow(this.network, new Map())).map((v, j) => [j, v]));
    const seen = new Map<string, number>();
    // The three starts are looked at in any case.
    let left = this.late ? 3 : this.limits.tries;
    const leakage = (inside: ReadonlySet<number>, row: Known): number => {
      const key = `${[...inside].sort((a, b) => a - b).join()};${besides(graph, inside).map((k) => row.get(k)).join()}`;
      let found = seen.get(key);
      if (found === undefined) {
        if (--left < 0) return -Infinity;
        const outside = new Map([...row].filter(([j]) => !inside.has(j)));
        // Tables of known tuples alone say nothing.
        const near = { ...this.network, factors: this.network.factors.filter(({ scope }) => scope.some((j) => inside.has(j))) };
        const learns = (logs: boolean): number => largestRatio(lawsOf(near, this.lattice, target, outside, logs), this.decay).value;
        seen.set(key, (found = canOccur(this.network, outside) ? inLogsToo(learns) : -Infinity));
      }
      return found;
    };
    const up = (start: ReadonlySet<number>): { lower: number; inside: ReadonlySet<number>; row: Known } => {
      let now = { lower: leakage(start, first), inside: start, row: first as Known };
      for (;;) {
        const { inside, row } = now;
        const beside = besides(graph, inside);
        const steps: [ReadonlySet<number>, Known][] = beside.map((j) => [new Set([...inside, j]), row]);
        for (const j of inside) {
          if (j === target) continue;
          const rest = componentOf(graph, target, new Set(names.flatMap((_, k) => (k === j || !inside.has(k) ? [k] : []))));
          for (const u of this.allowed[j] as readonly number[]) steps.push([rest, new Map(row).set(j, u)]);
        }
        for (const j of beside) for (const u of this.allowed[j] as readonly number[]) if (u !== row.get(j)) steps.push([inside, new Map(row).set(j, u)]);
        let next = now;
        for (const [set, values] of steps) {
          const value = leakage(set, values);
          if (value > next.lower + SAME) next = { lower: value, inside: set, row: values };
        }
        if (next === now) return now;
        now = next;
      }
    };
    const starts = [members, new Set([target, ...(graph[target] as readonly number[])]), new Set([target])];
    const top = starts.map(up).reduce((a, b) => (b.lower > a.lower ? b : a));
    const unknown = [...top.inside].filter((j) => j !== target).sort((a, b) => a - b);
    return { lower: Math.max(0, top.lower), unknown, known: besides(graph, top.inside).map((k) => [k, top.row.get(k) as number]) };
  }
}

const exactly = (value: number, options: readonly Option[]): Worst => ({ lower: value, upper: value, status: "exact", ...saidBy(options) });

function padded(row: Float64Array, many: number, logs: boolean): Float64Array {
  const found = nothing(many, logs);
  found.set(row);
  return found;
}

/** How far a branch moves the log odds of two labels up and down, and the ends of what its known labels do. */
function movesOf(link: readonly (readonly number[])[], up: number, down: number, low: number, high: number): [number, number, number, number] {
  const [[p00, p01], [p10, p11]] = link as [[number, number], [number, number]];
  const ratios = [Math.log(p10 / p00), Math.log(p11 / p01)].filter((x) => !Number.isNaN(x));
  const ends = [Math.min(...ratios), Math.max(...ratios)] as const;
  const rises = p11 * p00 >= p10 * p01;
  if (link.some((row) => row.includes(0))) return rises ? [up, down, ...ends] : [down, up, ...ends];
  const psi = (t: number): number => logAdd(Math.log(p10), Math.log(p11) + t) - logAdd(Math.log(p00), Math.log(p01) + t);
  const middle = -(Math.log(p11 / p10) + Math.log(p01 / p00)) / 2;
  const moved = (by: number): number => {
    const b = Math.min(Math.max(middle - by / 2, low), high);
    return psi(b + by) - psi(b);
  };
  return [moved(rises ? up : -down), -moved(rises ? -down : up), ...ends];
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
