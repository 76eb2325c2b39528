/**
 * The worst adversary of a tuple of a network: over all sets of known tuples and all their values. Only the tuples joined
 * to the target by unknown ones matter, and the labels beside them. Bounds from single branches mostly settle who is worst;
 * else combinations of options are gone through, the most promising first. See `leakage/networks/worst` in Python.
 */
import { InputFault } from "./faults";
import { Branches, joined, lawsOfOption, saidBy, statsOf, type Option } from "./network-branches";
import { largestRatio, lawsOf, type Lattice, type Limits } from "./network-leakage";
import { besides, canOccur, componentOf, convolve, inLogsToo, nothing, someRow, tableOf, times, type Known, type Network } from "./network-model";
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

const SAME = 1e-12;

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
  private readonly until: number;
  /** Labels that an adversary may know. */
  private readonly allowed: readonly (readonly number[])[];
  private readonly branches: Branches;

  constructor(
    private readonly network: Network,
    private readonly lattice: Lattice,
    private readonly limits: Limits,
    /** A row that can occur, whose values are those that are known; null for all that can occur. */
    private readonly row: readonly number[] | null = null,
  ) {
    this.until = performance.now() + 1000 * limits.seconds;
    this.allowed = network.possible.map((there, j) => (row ? [row[j] as number] : there.flatMap((can, v) => (can ? [v] : []))));
    this.branches = new Branches(network, lattice, this.allowed, limits.options);
  }

  /** The worst adversary of a tuple at a scale. */
  of(target: number, scale: number): Worst {
    return this.above(target, scale, -Infinity);
  }

  /** The same where it is more than `enough`; else that he learns no more. */
  private above(target: number, scale: number, enough: number): Worst {
    this.decay = this.lattice.step / scale;
    if (this.late) return this.between(target, Infinity);
    this.branches.forget();
    if (!this.network.isTree) {
      if (this.branches.countOfNetwork(target) > this.limits.options) return this.between(target, Infinity);
      const start = { lower: Math.max(0, enough), upper: Infinity, options: [] };
      return this.searched(target, (logs) => this.branches.ofNetwork(target, logs), start, this.limits.options, enough);
    }
    const bounds = this.bounds(target, scale);
    if (bounds === null) return this.between(target, Infinity);
    if (bounds.upper <= bounds.lower + SAME) return exactly(bounds.lower, bounds.options);
    const start = { ...bounds, lower: Math.max(bounds.lower, enough) };
    const most = this.network.isPath ? Infinity : this.limits.options;
    return this.searched(target, (logs) => this.branches.ofTree(target, logs), start, most, enough);
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
    if (around.some((j) => this.branches.count(j, target) > this.limits.options)) return null;
    return inLogsToo((logs) => this.boundsOf(target, this.branches.ofTree(target, logs), logs));
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
  private ofPairs(
    target: number,
    [left, right]: [Option[], Option[]],
    start: Bounds,
    most: number,
    enough: number,
    logs: boolean,
  ): { best: number; open: number; options: readonly Option[] } {
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
      const behind = this.branches.behind(j, p).map((c) => through(c, j));
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
